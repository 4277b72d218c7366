# Fuzzes everything that reads bytes from outside, guided by coverage: clang's libFuzzer, ASan, UBSan.
# SPDX-License-Identifier: Apache-2.0
#
# Each tests/fuzz/fuzz_NAME.c is a harness. If they exist, tests/fuzz/corpus/NAME/ has its seeds, and tests/fuzz/NAME.dict
# words to try. Inputs that it finds are kept in build/fuzz/corpus/NAME/ and used again. An input that fails is
# build/fuzz/NAME-crash-*.
N ?= 20000
FUZZ_SEED ?= $(shell date +%s)
FUZZ_CC := clang
FUZZ_O := $(B)/fuzz
FUZZ_FLAGS := $(CSTD) -O1 -g1 -fsanitize=fuzzer-no-link,address,undefined \
  -fno-sanitize-recover=undefined -fno-omit-frame-pointer
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
# These rooms are left out: no harness calls them, and they take half a minute to compile.
FUZZ_WITHOUT := cmodel/fabric/% sw/analysis/%
FUZZ_LIB_C := $(filter-out $(FUZZ_WITHOUT),$(CMODEL_C) $(SW_C)) $(filter bridge/scenario/% bridge/host/% bridge/backends/model/% bridge/check/streams/% bridge/check/equal/% bridge/sat/% bridge/watch/% bridge/wrap/% bridge/graphs/%,$(BRIDGE_C)) bridge/backends/board/board_frame.c bridge/backends/board/board_stimulus.c bridge/backends/rtl/dut_sources.c \
  bridge/coverage/rtl_coverage.c bridge/coverage/rtl_coverage_text.c bridge/render/csv.c bridge/render/json.c bridge/waves/vcd.c bridge/waves/wave_name.c tests/unit/lib/routing_naive.c tests/unit/lib/soft_core.c
FUZZ_LIBS := -lyaml -ljansson -lboost_context -lcadical -lstdc++ -lz -lm
FUZZ_OBJECTS := $(patsubst %.c,$(FUZZ_O)/obj/%.o,$(FUZZ_LIB_C))

.PHONY: fuzz $(FUZZERS:%=fuzz-%)
## fuzz: fuzz all parsers, N executions each (default 20000; N=1000000 takes minutes; PART=K/N: only the K-th of N parts)
fuzz: $(patsubst %,fuzz-%,$(call part_of,$(FUZZERS)))

$(FUZZERS:%=fuzz-%): fuzz-%: $(if $(shell command -v $(FUZZ_CC)),$(FUZZ_O)/fuzz_%)
	$(Q)tests/fuzz/run.sh $* $(N) $(FUZZ_SEED) $(FUZZ_O)

$(FUZZ_O)/obj/%.o: %.c
	@mkdir -p $(@D)
	@echo "CLANG $<"
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -MMD -MP -c $< -o $@

$(FUZZ_O)/libhd.a: $(FUZZ_OBJECTS)
	@rm -f $@
	$(Q)ar rcs $@ $^

$(FUZZ_O)/fuzz_%: $(FUZZ_O)/obj/tests/fuzz/fuzz_%.o $(FUZZ_O)/libhd.a
	@echo "LD $@"
	$(Q)$(FUZZ_CC) -fsanitize=fuzzer,address,undefined $(FUZZ_LINK) -o $@ $^ $(FUZZ_LIBS)

# Coverage of the sending functions is no goal of the search, and every execution runs them.
$(FUZZ_O)/obj/sw/runtime/endpoint.o: FUZZ_FLAGS += -fno-sanitize-coverage=trace-cmp

# The harness keeps the stacks of the software from one execution to the next.
$(FUZZ_O)/fuzz_deliver: FUZZ_LINK := -Wl,--wrap=mmap,--wrap=munmap,--wrap=mprotect

-include $(shell find $(FUZZ_O)/obj -name '*.d' 2>/dev/null)
