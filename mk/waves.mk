# Builds FST waves, and tests them in GTKWave.
# SPDX-License-Identifier: Apache-2.0
# The FST API comes with Verilator and is compiled from its sources. Its symbols stay hidden, because a Verilated backend
# that is loaded at run time has its own.
FST_DIR := $(shell verilator --getenv VERILATOR_ROOT 2>/dev/null)/include/gtkwave
FST_C := fstapi lz4 fastlz
FST_LIB := $(O)/libhd_fst.a

$(O)/obj/fst/%.o: $(FST_DIR)/%.c
	@mkdir -p $(@D)
	@echo "CC $<"
	$(Q)$(CC) -std=gnu11 -fPIC -O2 -g -w -fvisibility=hidden -I$(FST_DIR) \
	  -DFST_CONFIG_INCLUDE='"fst_config.h"' -c $< -o $@

$(FST_DIR)/%.c:
	@echo "$@ is missing: install the package verilator" >&2; exit 1

$(FST_LIB): $(FST_C:%=$(O)/obj/fst/%.o)
	@rm -f $@
	$(Q)ar rcs $@ $^

FST_USERS := $(addprefix $(O)/obj/,bridge/waves/fst.o tests/unit/waves/test_waves.o)
$(FST_USERS): CSTD += -isystem $(FST_DIR)

ALL_LIBS += $(FST_LIB)
all $(O)/heddle $(UNIT): $(FST_LIB)

.PHONY: test-waves
## test-waves: test that a divergence of broken RTL is shown in GTKWave
test-waves: all
	$(Q)tests/waves/run.sh
