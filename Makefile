# SPDX-License-Identifier: Apache-2.0
# Thin front over CMake. `make run` and `make check` work on a fresh Debian 12 machine: they install
# what is missing first (tools/setup asks before it does, unless root or CI).

PRESET ?= release
BUILD := build/$(PRESET)
GENERATOR := $(shell command -v ninja >/dev/null 2>&1 && echo Ninja || echo "Unix Makefiles")
JOBS ?= $(shell nproc)

.PHONY: all build run check bench fuzz lint format install clean setup help program docs-data vm-parts

all: build

setup:
	@tools/setup

# Configure once, quietly; a failure shows the whole log.
CONFIGURE = mkdir -p build && { cmake -G "$(GENERATOR)" --preset $(PRESET) $(CMAKE_ARGS) \
	    >build/$(PRESET).log 2>&1 || { cat build/$(PRESET).log; exit 1; }; }
QUIET := $(if $(filter Ninja,$(GENERATOR)),-- --quiet,)

help:
	@echo "make run      build the program and classify 1,797 digits on four generations"
	@echo "make check    build everything and run the tests (about 2 minutes on 2 cores)"
	@echo "make build    the program, the library and the tests in $(BUILD)"
	@echo "make bench    every benchmark, with its peer      make fuzz    every fuzz target, 20 s each"
	@echo "make lint     clang-format, clang-tidy, cppcheck  make format  clang-format in place"
	@echo "make docs-data  the computed parts of docs/: the error table of the activation functions"
	@echo "make install  PREFIX=/usr/local, DESTDIR= as usual"
	@echo "PRESET=release|debug|asan-ubsan chooses the build, JOBS=N the parallel jobs"

build: setup
	@$(CONFIGURE)
	@echo "building in $(BUILD) ..."
	@cmake --build $(BUILD) -j $(JOBS) $(QUIET)

program: setup
	@$(CONFIGURE)
	@echo "building $(BUILD)/trench ..."
	@cmake --build $(BUILD) -j $(JOBS) --target trench $(QUIET)

run: program
	@examples/digits/run --trench $(BUILD)/trench

# QEMU's trench device and the guest test, for tools/vm, which installs what they need.
vm-parts:
	@$(CONFIGURE)
	@echo "building the parts of the guest in $(BUILD) ..."
	@cmake --build $(BUILD) -j $(JOBS) --target trench_qemu guest_test $(QUIET)

docs-data: program
	@tools/docs-data $(BUILD)/trench

check: build
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

bench: build
	@tools/bench $(BUILD)

fuzz:
	@tools/fuzz

lint:
	@tools/lint

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

PREFIX ?= /usr/local
install: CMAKE_ARGS += -DCMAKE_INSTALL_PREFIX=$(PREFIX)
install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf build
