# syntax=docker/dockerfile:1
# One image for each role, from one build:
#
#   docker build --target gateway    -t kinora-gateway:0.1.0 .
#   docker build --target controller -t kinora-controller:0.1.0 .
#   docker build --target node       -t kinora-node:0.1.0 .
#
# They run as user 10001 on a root file system that is never written to. What they need to write goes to /tmp and, on nodes, to
# KINORA_CACHE_DIR: mount something there.

# The program.
FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY scripts scripts
RUN scripts/setup run
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/src/target \
    cargo build --release --locked --bin kinora && \
    install -D target/release/kinora /out/kinora

# Pictures depend on the fonts: all nodes have the same, and controllers know them to warn of others. Montserrat comes from npm;
# without all its weights films would look different, so that the build stops.
FROM node:22-bookworm-slim AS fonts
WORKDIR /src
COPY scripts scripts
RUN scripts/fonts && test -f fonts/montserrat/Montserrat_900Black.ttf

# What every role needs: the program is linked with FFmpeg's libraries, whichever part of it runs.
FROM debian:bookworm-slim AS runtime
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates \
        libavcodec59 libavfilter8 libavformat59 libavutil57 libswresample4 libswscale6 && \
    rm -rf /var/lib/apt/lists/*
COPY LICENSE LICENSE-MIT LICENSE-APACHE /usr/share/doc/kinora/
COPY --from=build /out/kinora /usr/local/bin/kinora
ENV HOME=/tmp
WORKDIR /tmp
USER 10001:10001
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/kinora"]
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.vendor="Kinora" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="GPL-3.0-or-later" \
      org.opencontainers.image.base.name="debian:bookworm-slim"

FROM runtime AS gateway
LABEL org.opencontainers.image.title="kinora-gateway" \
      org.opencontainers.image.description="The HTTP interface of the Kinora render farm"
ENV KINORA_LISTEN=0.0.0.0:8080
EXPOSE 8080
CMD ["gateway"]

FROM runtime AS controller
LABEL org.opencontainers.image.title="kinora-controller" \
      org.opencontainers.image.description="Jobs, accounts and leases of the Kinora render farm"
COPY --from=fonts /src/fonts /usr/share/kinora/fonts
ENV KINORA_LISTEN=0.0.0.0:7070 KINORA_STATUS_LISTEN=0.0.0.0:7071 KINORA_FONTS=/usr/share/kinora/fonts
EXPOSE 7070 7071
CMD ["controller"]

FROM runtime AS node
LABEL org.opencontainers.image.title="kinora-node" \
      org.opencontainers.image.description="A render node of the Kinora render farm"
USER 0:0
# Vulkan, with Mesa's drivers: a software adapter, and the GPUs of AMD and Intel. NVIDIA's driver is the machine's own, brought in by the
# container runtime, but not always with the files by which EGL and Vulkan find it. Without a display it is the EGL library that draws. The file for
# Vulkan is read where VK_ADD_DRIVER_FILES names it: elsewhere, every start would complain that there is no such library.
RUN apt-get update && \
    apt-get install -y --no-install-recommends libegl1 libglvnd0 libvulkan1 libx11-6 libxext6 mesa-vulkan-drivers && \
    rm -rf /var/lib/apt/lists/* && \
    mkdir -p /usr/share/glvnd/egl_vendor.d /usr/share/kinora && \
    echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0"}}' \
        > /usr/share/glvnd/egl_vendor.d/10_nvidia.json && \
    echo '{"file_format_version": "1.0.0", "ICD": {"library_path": "libEGL_nvidia.so.0", "api_version": "1.3.0"}}' \
        > /usr/share/kinora/nvidia_vulkan.json
COPY --from=fonts /src/fonts /usr/share/kinora/fonts
USER 10001:10001
# Which GPUs a container sees is for whoever starts it to say; this is what it does with them.
ENV NVIDIA_DRIVER_CAPABILITIES=compute,graphics,video,utility \
    KINORA_STATUS_LISTEN=0.0.0.0:7072 KINORA_FONTS=/usr/share/kinora/fonts NODEVICE_SELECT=1
EXPOSE 7072
CMD ["node"]
