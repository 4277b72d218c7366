# make lint: layout, walls, licences, lengths, left-overs, stray files, links, tests named, planted texts, shell scripts, headers, RTL, its proof.
# SPDX-License-Identifier: Apache-2.0
LINT_C = $(shell git ls-files -co --exclude-standard -- '*.c' '*.h' '*.cpp' | grep -v /corpus/)
# These headers do not compile alone: those of C++ shims and simulators need their simulator, those of lane code the width
# of a word.
LINT_NOT_ALONE := bridge/systemc/% bridge/backends/systemc/% bridge/backends/rtl/%pins.h bridge/backends/rtl/built_params.h bridge/backends/icarus/icarus.h bridge/backends/vpi/sim.h bridge/backends/ghdl/ghdl.h \
  bridge/backends/verilator/verilator_headers.h bridge/backends/verilator/verilator_switch.h bridge/backends/verilator/verilator_window.h bridge/backends/verilator/verilator_pinned.h \
  bridge/backends/lanes/lanes_word.h bridge/backends/lanes/lanes_dut.h bridge/backends/lanes/lanes_group.h bridge/backends/lanes/lanes_mutated.h
LINT_H = $(filter-out $(LINT_NOT_ALONE),$(shell git ls-files -co --exclude-standard -- 'cmodel/*.h' 'sw/*.h' 'bridge/*.h'))
LINT_SH = $(shell git ls-files -co --exclude-standard -- '*.sh' '*.bash' .ci/run)
verdict = && echo "ok $(1)" || { echo "not ok $(1)"; exit 1; }

.PHONY: lint lint-sources lint-format lint-tree lint-pins lint-lists lint-planted lint-proved lint-instances lint-shell lint-headers lint-symbols lint-selftest format
## lint: every check on the sources; make lint-selftest proves that each can fail
lint: lint-sources $(if $(wildcard mk/rtl.mk),lint-rtl)

## lint-sources: the checks of lint without lint-rtl, which reads only rtl/ and boards
lint-sources: lint-format lint-tree lint-pins lint-lists lint-planted lint-proved lint-instances lint-shell lint-headers lint-symbols

## lint-format: C and C++ are laid out as .clang-format says
lint-format:
	$(Q)clang-format --dry-run -Werror $(LINT_C) $(call verdict,layout)

## lint-tree: walls between rooms and their table, licences, file lengths, left-overs, stray files, links
lint-tree:
	$(Q)tests/lint/tree.py

## lint-pins: every section of the specification names its tests, and these exist
lint-pins:
	$(Q)tests/lint/pins.py

## lint-lists: RTL and specification name the parameters, registers and states that cmodel/switch lists
lint-lists:
	$(Q)tests/lint/lists.py

## lint-planted: the RTL has the texts that tests replace to plant bugs
lint-planted:
	$(Q)tests/lint/planted.py

## lint-proved: rtl/ is the RTL that make formal-record proved
lint-proved:
	$(Q)tb/proved.py

## lint-instances: tb/instances.txt has both ends of each parameter of every module
lint-instances:
	$(Q)tb/instances.py

## lint-timing: fpga/README.md has the figures that make timing-record wrote
lint-timing:
	$(Q)tb/timing/record.py check

## lint-shell: shellcheck on all shell scripts
lint-shell:
	$(Q)shellcheck $(LINT_SH) $(call verdict,shell scripts)

## lint-headers: every header compiles alone
# A header that the source of the same name includes first is compiled by the build.
lint-headers:
	$(Q)for h in $(LINT_H); do \
	  [ "$$(grep -m1 '^#include' $${h%h}c 2>/dev/null)" = "#include \"$${h##*/}\"" ] || \
	  $(CC) $(CSTD) $(WARN) -Wno-unused-const-variable -Wno-pedantic -fsyntax-only -x c $$h || exit 1; done \
	  $(call verdict,headers stand alone)

## lint-symbols: libraries have no globals, and names with hd_; model and rules at ports need only libc; heddle exports only its API
lint-symbols: $(O)/heddle $(WATCH_LIB)
	$(Q)tests/lint/symbols.sh $(O) $(API_H)

## lint-selftest: prove that each check of make lint finds the mistakes that it is for
lint-selftest:
	$(Q)tests/lint/selftest.sh

## format: lay out C and C++ as .clang-format says
format:
	$(Q)clang-format -i $(LINT_C)
