# shellcheck shell=bash
# What every script here shares: how to speak, how to become root, how to ask apt for something.
# Sourced, never run. Scripts run from the root of the repository.

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
die() {
    warn "error: $*"
    exit 1
}

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "this needs root: run it as root, or install sudo (wanted: $*)"
    fi
}

apt_update() {
    say "updating the package lists"
    as_root apt-get -qq -o DPkg::Lock::Timeout=300 update
}

# Installs Debian packages. The package lists are refreshed only when apt can't do without.
apt_install() {
    local install=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=300
        -o Dpkg::Options::=--force-confold -o Dpkg::Use-Pty=0 --no-install-recommends install "$@")
    if ! as_root "${install[@]}" >/dev/null 2>&1; then
        apt_update
        as_root "${install[@]}" >/dev/null
    fi
}

# Downloads .deb files into a folder without installing anything.
apt_fetch() {
    local folder=$1
    shift
    local fetch=(apt-get -qq -o APT::Sandbox::User=root download "$@")
    if ! (cd "$folder" && "${fetch[@]}") 2>/dev/null; then
        apt_update
        (cd "$folder" && "${fetch[@]}")
    fi
}
