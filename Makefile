# What one does here. `make` without a verb lists the verbs.

BUILD := .build/debug

# Two targets at once would build, or install packages, in each other's way.
.NOTPARALLEL:
.PHONY: help setup setup-tests build demo package test test-api test-browser test-release test-package test-threads test-repeat test-nightly test-cluster test-documents test-faults test-faults-planted fuzz screenshots lint api golden reference docs format bench soak readme clean

help:
	@echo "make demo                  watch an app buy a book chapter from a fresh store"
	@echo "make test                  lint, build, and run the tests of the package and of the samples"
	@echo "make test FILTER=NAME      build, and run the tests whose names have NAME in them"
	@echo "make test-repeat           run the tests again and again, also on a busy machine and a small one"
	@echo "make test-nightly          run what is too long for each change, with other random seeds each time"
	@echo "make test-release          build with optimization, and run the demo"
	@echo "make package               build a Debian package of openstore and an archive, into dist"
	@echo "make test-package          install the package into a clean root, and use it there"
	@echo "make test-threads          run the framework's tests under the thread sanitizer"
	@echo "make test-api              give Connect's API requests made of its descriptions"
	@echo "make test-browser          use the store's pages in a real browser"
	@echo "make test-documents        run every command and every request that the documents show"
	@echo "make test-cluster          use three processes behind nginx, with PostgreSQL and an object store"
	@echo "make test-faults           let processes, disk and network fail, and demand that nothing is lost"
	@echo "make test-faults-planted   plant faults, and demand that the state machine finds them"
	@echo "make fuzz                  give whatever reads bytes from outside changed ones"
	@echo "make format                bring the sources into the project's format"
	@echo "make lint                  check format, the rules of Documentation/Contributors/Architecture.md, api/"
	@echo "make api                   bring api/ and Documentation/SymbolTable.md up to date"
	@echo "make golden                write the golden files of what commands print anew"
	@echo "make reference             bring Documentation/Reference up to date"
	@echo "make docs                  build the documentation of the framework"
	@echo "make bench                 measure against baselines in the same run"
	@echo "make soak                  let a store work for two hours, and demand that it stays as it is"
	@echo "make build                 build openstore"
	@echo "make screenshots           take the pictures of the pages in Documentation/Images"
	@echo "make readme                put what the demo and the samples print into the READMEs"
	@echo "make clean                 remove what was built"

setup:
	@Scripts/setup.sh

# An app and a store need no PostgreSQL server on the machine; tests do.
setup-tests:
	@Scripts/setup.sh tests

build: setup
	@Scripts/build.sh --product openstore

demo: build
	@$(BUILD)/openstore demo

test: setup-tests
	@Scripts/test.py

test-repeat: setup-tests
	@Scripts/test-repeat.py

test-nightly: setup-tests
	@Scripts/test-nightly.sh

test-cluster: setup-tests
	@Scripts/test-cluster.sh

test-documents: setup-tests build
	@Scripts/s3-server.sh
	@Scripts/test-documents.py

test-faults: setup-tests build
	@Scripts/test-faults.sh

test-faults-planted: setup-tests
	@Scripts/planted-faults.sh

fuzz: setup-tests
	@Scripts/fuzz.sh

test-release: setup
	@program=$$(Scripts/build-release.sh) && "$$program" demo </dev/null

package: setup
	@Scripts/package.sh

test-package: package
	@Scripts/test-package.sh

test-threads: setup-tests
	@Scripts/test-threads.sh

test-api: setup-tests
	@Scripts/test-api.sh

test-browser: setup-tests
	@Scripts/test-browser.sh

screenshots: setup-tests
	@Scripts/screenshots.sh

lint: setup-tests
	@Scripts/lint.sh
	@Scripts/check-interface.sh

api: setup-tests
	@Scripts/check-interface.sh --write

golden: setup-tests
	@RECORD_GOLDEN=1 Scripts/test.py HelpGoldenTests

reference: build
	@Scripts/reference.py --write

format:
	@swift format --in-place --recursive Package.swift Sources Tests Examples Benchmarks

bench: setup-tests
	@Scripts/bench.sh

soak: setup-tests
	@Scripts/bench.sh soak

docs: setup-tests
	@Scripts/docs.sh

readme: setup-tests build
	@Scripts/readme-demo.sh
	@Scripts/build-samples.sh
	@Scripts/sample-transcripts.py

clean:
	@rm -rf .build dist Benchmarks/.build Examples/.build
