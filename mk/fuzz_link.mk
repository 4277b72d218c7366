# Fuzzes a board's RTL (specification chapter 9): sends bytes to the Verilated RTL, and compares it with a board that is written from the specification.
# SPDX-License-Identifier: Apache-2.0
LINK_O := $(FUZZ_O)/link
LINK_RTL := $(wildcard rtl/*.v fpga/link/*.v)
# Only the link is fuzzed, so the switches are as small as possible.
LINK_PARAMETERS := PORTS=3 VCS=2 DATA_W=16 DEPTH=2 NODES=4 SWITCHES_ON_BOARD=2 IN_WORDS=512 OUT_WORDS=512 \
  CLOCK_KHZ=1000000
LINK_VERILATOR := verilator_bin --cc --top-module hd_board_core -O3 -fno-const-bit-op-tree --noassert -Wno-lint -Wno-style -Wno-fatal \
  $(LINK_PARAMETERS:%=-G%) -y fpga/link -y rtl -Irtl fpga/link/hd_board_core.v
# Coverage of the RTL guides the search. Its comparisons do not: they would take three quarters of the time.
LINK_MAKE := CXX=$(FUZZ_CC)++ OPT_FAST="-O2 -fsanitize-coverage=inline-8bit-counters,pc-table" OPT_SLOW=-O1 OPT_GLOBAL=-O2
LINK_TOOLS := $(and $(shell command -v $(FUZZ_CC)),$(shell command -v verilator_bin))

.PHONY: fuzz-link fuzz-link-selftest
## fuzz-link: fuzz the bytes that a board's RTL receives, N executions (default 20000; N=1000000 takes a quarter of an hour)
fuzz: fuzz-link
fuzz-link: $(if $(LINK_TOOLS),$(FUZZ_O)/fuzz_link)
	$(Q)tests/fuzz/run.sh link $(N) $(FUZZ_SEED) $(FUZZ_O)

$(LINK_O)/link.a: $(LINK_RTL) mk/fuzz_link.mk
	@mkdir -p $(LINK_O)
	@echo "VERILATE hd_board_core"
	$(Q)$(LINK_VERILATOR) --Mdir $(LINK_O) > $(LINK_O)/verilator.log 2>&1 || { tail -20 $(LINK_O)/verilator.log; exit 1; }
	$(Q)printf 'include Vhd_board_core.mk\nlink.a: $$(VK_FAST_OBJS) $$(VK_SLOW_OBJS) $$(VK_GLOBAL_OBJS)\n\t$$(AR) rcs $$@ $$^\n' > $(LINK_O)/link.mk
	$(Q)rm -f $@ && $(MAKE) -s -C $(LINK_O) -f link.mk CURDIR=. $(LINK_MAKE) link.a > $(LINK_O)/make.log 2>&1 || { tail -20 $(LINK_O)/make.log; exit 1; }

LINK_INCLUDE = -I$(LINK_O) -isystem $(shell verilator --getenv VERILATOR_ROOT)/include \
  -isystem $(shell verilator --getenv VERILATOR_ROOT)/include/vltstd
$(LINK_O)/link_rtl.o: tests/fuzz/link/link_rtl.cpp tests/fuzz/link/link_rtl.h $(LINK_O)/link.a
	$(Q)$(FUZZ_CC)++ -std=c++17 -O2 -Wall -Wextra $(LINK_INCLUDE) -c $< -o $@

$(FUZZ_O)/fuzz_link: $(FUZZ_O)/obj/tests/fuzz/link/fuzz_link.o $(FUZZ_O)/obj/bridge/backends/model/dut_model.o \
    $(LINK_O)/link_rtl.o $(LINK_O)/link.a $(FUZZ_O)/libhd.a
	@echo "LD $@"
	$(Q)$(FUZZ_CC)++ -fsanitize=fuzzer,address,undefined -o $@ $^ $(FUZZ_LIBS) -latomic

## fuzz-link-selftest: prove that the fuzzer of the board's RTL finds bugs planted in it
fuzz-link-selftest:
	$(Q)tests/fuzz/link/selftest.sh
