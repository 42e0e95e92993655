# make run: build Kinora, start it, render a film.  make test: everything that CI checks.

deny_version := 0.20.2
deny := target/tools/bin/cargo-deny

.PHONY: run stop test chaos build fonts samples check licences chart advisories bench conformance references gallery fmt clean help

help:
	@echo "make run         build, start the service, render examples/hello.json into out/"
	@echo "make stop        stop the service that make run left in the background"
	@echo "make test        formatting, lints, tests, licences: what CI runs"
	@echo "make chaos       renders while processes die and links are cut; takes minutes"
	@echo "make gallery     everything that moves on one page: target/gallery/index.html"
	@echo "make conformance show our frames beside a browser's: target/conformance/index.html"
	@echo "make references  draw the browser's frames anew, after a change to the cases"
	@echo "make chart       check the Helm chart"
	@echo "make bench       measure the benchmark scenes, with ffmpeg beside"
	@echo "make advisories  look for known vulnerabilities in dependencies (needs the network)"
	@echo "make fmt         format the code"
	@echo "make clean       remove what was built and rendered; fonts and samples stay"

.DEFAULT_GOAL := help

run: build fonts samples
	@scripts/run

stop:
	@scripts/stop

build:
	@scripts/setup run
	cargo build --release --locked

test:
	@scripts/setup test
	@scripts/test-tools
	@$(MAKE) --no-print-directory fonts samples check licences chart
	cargo test --workspace --locked

# KINORA_CHAOS_SEED=n repeats a run.
chaos:
	@scripts/setup test
	@scripts/test-tools
	@$(MAKE) --no-print-directory fonts
	KINORA_CHAOS=long cargo test --locked --test farm chaos -- --nocapture

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings

fonts:
	@scripts/setup run
	@scripts/fonts

samples:
	@scripts/setup run
	@scripts/samples

licences: $(deny)
	$(deny) --all-features --locked check licenses bans sources

chart:
	@scripts/test-tools
	@scripts/chart

advisories: $(deny)
	$(deny) --all-features check advisories

# Unoptimised it builds in a fraction of the time and checks as fast as anyone needs.
$(deny):
	CARGO_PROFILE_DEV_DEBUG=0 cargo install cargo-deny --version $(deny_version) --locked --debug --quiet --root target/tools

# The project's own cases, or those of another folder: make conformance CASES=dir [REFERENCES=dir] [BARS=file]
CASES := conformance/cases
REFERENCES := $(if $(filter conformance/cases,$(CASES)),conformance/references,$(CASES))
BARS := $(firstword $(wildcard $(CASES)/../bars.json $(CASES)/../calibration.json))

gallery: fonts
	cargo run --locked -p kinora-gallery -- target/gallery
	@echo "look at target/gallery/index.html"

conformance: fonts
	cargo run --locked -p kinora-conformance -- $(CASES) target/conformance --references $(REFERENCES) --bars $(BARS)
	@echo "look at target/conformance/index.html"

references: fonts
	@scripts/setup test
	@scripts/test-tools
	conformance/reference

bench: build fonts samples
	target/release/kinora bench --peer ffmpeg

fmt:
	cargo fmt --all

clean: stop
	cargo clean
	rm -rf out
