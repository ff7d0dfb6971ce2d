# What one does here. `make` without a verb lists the verbs.

SWIFT_FLAGS := --explicit-target-dependency-import-check error
BUILD := .build/debug

.PHONY: help setup build demo test test-faults-planted lint format bench readme clean

help:
	@echo "make demo     watch an app buy a book chapter from a fresh store"
	@echo "make test     lint, build, and run every test"
	@echo "make test-faults-planted  plant faults, and demand that the state machine finds them"
	@echo "make format   bring the sources into the project's format"
	@echo "make lint     check format and the rules of Documentation/Architecture.md"
	@echo "make bench    measure against baselines in the same run"
	@echo "make build    build openstore"
	@echo "make readme   put what the demo prints into README.md"
	@echo "make clean    remove what was built"

setup:
	@Scripts/setup.sh

build: setup
	@swift build $(SWIFT_FLAGS) --product openstore

demo: build
	@$(BUILD)/openstore demo

test: setup lint
	@Scripts/test.sh

test-faults-planted: setup
	@Scripts/planted-faults.sh

lint: setup
	@Scripts/lint.sh

format:
	@swift format --in-place --recursive Package.swift Sources Tests Examples Benchmarks

bench: setup
	@Scripts/bench.sh

readme: build
	@Scripts/readme-demo.sh

clean:
	@rm -rf .build Benchmarks/.build
