# SPDX-License-Identifier: Apache-2.0
# Thin front over CMake. `make run` and `make check` work on a fresh Debian 12 machine: they install
# what is missing first (tools/setup asks before it does, unless root or CI).

PRESET ?= release
BUILD := build/$(PRESET)
GENERATOR := $(shell command -v ninja >/dev/null 2>&1 && echo Ninja || echo "Unix Makefiles")
JOBS ?= $(shell nproc)

.PHONY: all build run check bench fuzz lint format install clean setup

all: build

setup:
	@tools/setup

build: setup
	@mkdir -p build
	@cmake -G "$(GENERATOR)" --preset $(PRESET) >build/$(PRESET).log 2>&1 || \
	  { cat build/$(PRESET).log; exit 1; }
	@cmake --build $(BUILD) -j $(JOBS)

run: build
	@examples/digits/run --trench $(BUILD)/trench

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

install: build
	@cmake --install $(BUILD)

clean:
	@rm -rf build
