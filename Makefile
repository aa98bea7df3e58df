# SPDX-License-Identifier: Apache-2.0
# Short names for the usual commands; the build itself is CMake and Ninja.
.PHONY: all setup demo docs check check-all check-clients fmt lint analyse bench bench-accuracy fuzz coverage nightly install clean
.NOTPARALLEL:
.SECONDARY:

all: build-release

# What building and all tests of `make check-all` need.
setup:
	@scripts/setup build check check-all

setup-%:
	@scripts/setup $*

# Says what it takes, and asks before apt-get unless YES=1 is set or standard
# input is no terminal.
.PHONY: demo-setup
demo-setup:
	@echo "make demo builds in build/release (350 MB; minutes on two processors),"
	@echo "then runs examples for some seconds."
	@scripts/setup --ask build

demo: demo-setup build/release/build.ninja
	cmake --build --preset release --target examples
	@sh examples/demo.sh

# Says what it takes, and asks before apt-get as demo-setup does.
.PHONY: check-setup check-all-setup
check-setup:
	@echo "make check builds in build/release, with assertions, and runs the tests that"
	@echo "take seconds: 12 minutes at most on two idle processors.  make check-all runs"
	@echo "the others."
	@scripts/setup --ask build check

check: check-setup build-release
	@$(call run_tests,check,release)

check-all-setup:
	@echo "make check-all runs what make check leaves out: the long tests, the others"
	@echo "again under AddressSanitizer and UndefinedBehaviorSanitizer (build/dev), and"
	@echo "each fuzzer for seconds (build/fuzz): 25 minutes on two idle processors."
	@scripts/setup --ask build check check-all

check-all: check-all-setup test-long test-sanitized test-fuzz

test-long: build-release
	@$(call run_tests,long,release)

test-sanitized: build-dev
	@$(call run_tests,sanitized,dev)

check-clients: setup setup-clients build-release
	@VENTUS_CACHE_DIR=$(CURDIR)/build/release/tests/clients/cache \
	    python3 tests/clients/run.py --all --jobs 2 \
	    --json build/release/clients.json \
	    $(if $(WRITE),--write docs/results/clients.md)

nightly: check check-all test-dev test-tiny test-clang test-tsan test-fuzz test-aarch64 analyse
	ctest --preset nightly

# Cross-compiled; the tests run under qemu-aarch64: docs/testing.md, "aarch64".
build/aarch64/build.ninja: | sysroot-aarch64

.PHONY: sysroot-aarch64
sysroot-aarch64: setup setup-aarch64
	@scripts/sysroot

# HOURS of CPU over all fuzzers; without it some seconds for each.
ifdef HOURS
fuzz: build-fuzz
	python3 tests/fuzz/run.py build/fuzz --hours $(HOURS)
else
fuzz: test-fuzz
endif

# build-PRESET and test-PRESET, for the presets in CMakePresets.json.
build/%/build.ninja: CMakePresets.json
	cmake --preset $*
	@touch $@

build-%: build/%/build.ninja
	cmake --build --preset $*

# Tests of a preset, in its build.  What was skipped, and why, is said at the end,
# whether or not a test failed.
run_tests = ctest --preset $(1) --output-junit $(CURDIR)/build/$(2)/$(1).xml; \
    status=$$?; scripts/skipped build/$(2)/$(1).xml; exit $$status

test-%: build-%
	@$(call run_tests,$*,$*)

# Lines of src that the quick tests do not reach: build/coverage/coverage.html.
coverage: setup build-coverage
	@scripts/coverage

fmt:
	@tests/format.sh --fix

lint: build-dev
	@scripts/lint build/dev

analyse: setup setup-analyse build-release
	@scripts/analyse build/release

# WRITE=yes puts the figures into docs/results/performance.md.
bench: build-release
	@python3 bench/run.py $(if $(WRITE),--write docs/results/performance.md)

# All measured sets; WRITE=yes puts the tables into docs/results/accuracy.md, PROGRAMS=FOLDER
# runs other programs of the Chisel design in the place of its two sets.
accuracy_write = $(if $(WRITE),--write docs/results/accuracy.md)
accuracy_chisel = python3 tests/model/accuracy_chisel.py build/release/bin/ventus
bench-accuracy: build-release
	@python3 tests/model/accuracy.py build/release/bin/ventus ../shared \
	    --check $(accuracy_write)
ifdef PROGRAMS
	@$(accuracy_chisel) $(PROGRAMS)
else
	@$(accuracy_chisel) ../shared/chisel --check $(accuracy_write)
	@$(accuracy_chisel) ../shared/chisel2 --tables chisel2 --check $(accuracy_write)
endif

# The manual as HTML: build/release/docs/html/index.html.
docs: setup-docs build-release
	@scripts/docs build/release

# The source as a tar file, tried in a bare Debian, packages, and the tag of the version:
# scripts/release --help.
.PHONY: release
release: setup-packages
	@scripts/release

install: build-release
	cmake --install build/release $(if $(PREFIX),--prefix $(PREFIX))

clean:
	rm -rf build
