# make test, make run: start from a fresh system.
# SPDX-License-Identifier: Apache-2.0
JOBS ?= $(shell nproc)
# A second make, which reads the makefiles again after packages have been installed.
ANEW = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
DEMO := tests/scenarios/shuffle-6-to-10.yaml tests/scenarios/mesh-8x8-uniform.yaml

.PHONY: test test-all record quick run
## quick: test a change in minutes: build, lint, unit tests that the change reaches, ten tests of the command, one digest
quick: all $(O)/cli/fault.so
	$(Q)tests/quick.sh

## test: install what is missing, build, test, in at most 20 minutes on two quiet cores; ends with "N passed, N failed, N skipped" (ONLY="lint unit": these groups)
test: deps
	$(Q)tests/run.sh $(ONLY)

## test-all: run every group whole, even if a record shows that it passed (RECORD=1: also writes tests/records)
test-all: deps
	$(Q)RECORD=$(RECORD) tests/run.sh --all

## record: run groups whose inputs have changed, and write tests/records (NAME="tb formal": only these)
record: deps
	$(Q)tests/run.sh --record $(NAME)

## run: install missing packages, build, and co-simulate RTL and model on two fabrics
run: deps-run
	$(Q)$(ANEW) all
	$(Q)for s in $(DEMO); do $(O)/heddle run $$s --dut verilator || exit; done
	@echo "docs/user-guide.md says how to look at a run; $(O)/heddle wave RUN shows RTL and model in GTKWave"

## help: print this list
.PHONY: help
help:
	@awk '/^## [a-z0-9-]+:/ { name = $$2; sub(/:$$/, "", name); text = $$0; sub(/^## [^:]*: */, "", text); \
	  printf "  %-18s %s\n", name, text }' $(MAKEFILE_LIST)
	@echo "V=1 shows commands; SAN=1 builds with sanitizers; ONLY=\"lint unit\" picks groups of make test"
