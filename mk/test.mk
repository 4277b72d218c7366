# make test, make run: from a fresh system to the result.
# SPDX-License-Identifier: Apache-2.0
JOBS ?= $(shell nproc)
# A make of its own, because it must be read anew when packages have come.
ANEW = $(MAKE) --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
DEMO := tests/scenarios/shuffle-6-to-10.yaml tests/scenarios/mesh-8x8-uniform.yaml

.PHONY: test run
## test: install what is missing, build, prove it; ends with "N passed, N failed, N skipped"
test: deps
	$(Q)tests/run.sh $(ONLY)

## run: install what is missing, build, co-simulate RTL against model on two fabrics
run: deps-run
	$(Q)$(ANEW) all
	$(Q)for s in $(DEMO); do $(O)/heddle run $$s --dut verilator || exit; done
	@echo "docs/user-guide.md says how to look at a run; $(O)/heddle wave RUN shows RTL and model in GTKWave"

## help: this list
.PHONY: help
help:
	@awk '/^## [a-z0-9-]+:/ { name = $$2; sub(/:$$/, "", name); text = $$0; sub(/^## [^:]*: */, "", text); \
	  printf "  %-18s %s\n", name, text }' $(MAKEFILE_LIST)
	@echo "V=1 shows commands; SAN=1 builds with sanitizers; ONLY=\"lint unit\" picks groups of make test"
