# make reproduce-barrier: the barrier paper's figures, and its statements judged.
# SPDX-License-Identifier: Apache-2.0
REPRODUCE_C := $(wildcard sw/studies/barrier/*.c)
REPRODUCE_JOBS ?= 2
QUICK ?= 0

$(O)/reproduce: $(call objects,$(REPRODUCE_C) $(STUDY_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) -rdynamic -o $@ $(call objects,$(REPRODUCE_C) $(STUDY_C)) $(LINK)

.PHONY: reproduce-barrier
## reproduce-barrier: Figs. 11 to 15 of the barrier paper and what it says of them (QUICK=1: a part); build/reproduce
reproduce-barrier: $(O)/reproduce
	$(Q)$(O)/reproduce --jobs $(REPRODUCE_JOBS) \
	  $(if $(filter-out 0,$(QUICK)),--quick --out $(B)/reproduce/barrier-quick,--out $(B)/reproduce/barrier) \
	  $(REPRODUCE_ARGS)

## test-reproduce: reproduce-barrier in small: its files, what must hold in them, interruption, verdicts from data
.PHONY: test-reproduce
test-reproduce: $(O)/reproduce
	$(Q)tests/reproduce/test.sh "$$PWD/$(O)/reproduce"

-include $(patsubst %.o,%.d,$(call objects,$(REPRODUCE_C) $(STUDY_C)))
