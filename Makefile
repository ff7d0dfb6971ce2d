# What one does here. `make` without a verb lists the verbs.

BUILD := .build/debug

.PHONY: help setup build demo test test-api test-browser test-release test-threads test-repeat test-nightly test-cluster test-faults test-faults-planted fuzz screenshots lint api docs format bench soak readme clean

help:
	@echo "make demo                  watch an app buy a book chapter from a fresh store"
	@echo "make test                  lint, build, and run the tests of the package and of the samples"
	@echo "make test FILTER=NAME      build, and run the tests whose names have NAME in them"
	@echo "make test-repeat           run the tests again and again, also on a busy machine and a small one"
	@echo "make test-nightly          run what is too long for each change, with other random seeds each time"
	@echo "make test-release          build with optimization, and run the demo"
	@echo "make test-threads          run the framework's tests under the thread sanitizer"
	@echo "make test-api              give Connect's API requests made of its descriptions"
	@echo "make test-browser          use the store's pages in a real browser"
	@echo "make test-cluster          use three processes behind nginx, with PostgreSQL and an object store"
	@echo "make test-faults           let processes, disk and network fail, and demand that nothing is lost"
	@echo "make test-faults-planted   plant faults, and demand that the state machine finds them"
	@echo "make fuzz                  give whatever reads bytes from outside changed ones"
	@echo "make format                bring the sources into the project's format"
	@echo "make lint                  check format, the rules of Documentation/Architecture.md, api/"
	@echo "make api                   bring api/ and Documentation/SymbolTable.md up to date"
	@echo "make docs                  build the documentation of the framework"
	@echo "make bench                 measure against baselines in the same run"
	@echo "make soak                  let a store work for two hours, and demand that it stays as it is"
	@echo "make build                 build openstore"
	@echo "make screenshots           take the pictures of the pages in Documentation/Images"
	@echo "make readme                put what the demo and the samples print into the READMEs"
	@echo "make clean                 remove what was built"

setup:
	@Scripts/setup.sh

build: setup
	@Scripts/build.sh --product openstore

demo: build
	@$(BUILD)/openstore demo

test: setup
	@Scripts/test.py

test-repeat: setup
	@Scripts/test-repeat.py

test-nightly: setup
	@Scripts/test-nightly.sh

test-cluster: setup
	@Scripts/test-cluster.sh

test-faults: build
	@Scripts/test-faults.sh

test-faults-planted: setup
	@Scripts/planted-faults.sh

fuzz: setup
	@Scripts/fuzz.sh

test-release: setup
	@swift build -c release --product openstore
	@.build/release/openstore demo </dev/null

test-threads: setup
	@Scripts/test-threads.sh

test-api: setup
	@Scripts/test-api.sh

test-browser: setup
	@Scripts/test-browser.sh

screenshots: setup
	@Scripts/screenshots.sh

lint: setup
	@Scripts/lint.sh
	@Scripts/check-interface.sh

api: setup
	@Scripts/check-interface.sh --write

format:
	@swift format --in-place --recursive Package.swift Sources Tests Examples Benchmarks

bench: setup
	@Scripts/bench.sh

soak: setup
	@Scripts/bench.sh soak

docs: setup
	@Scripts/docs.sh

readme: build
	@Scripts/readme-demo.sh
	@Scripts/build.sh --package-path Examples
	@Scripts/sample-transcripts.py

clean:
	@rm -rf .build Benchmarks/.build Examples/.build
