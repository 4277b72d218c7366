# Papers as commands: their figures, and their statements judged.
# SPDX-License-Identifier: Apache-2.0
REPRODUCE_C := $(wildcard bridge/studies/barrier/*.c)
REPRODUCE_M_TO_N_C := $(wildcard bridge/studies/mton/*.c)
REPRODUCE_FAT_TREE_C := $(wildcard bridge/studies/fattree/*.c)
REPRODUCE_SCHEDULES_C := $(wildcard bridge/studies/schedules/*.c)
REPRODUCE_CODING_C := $(wildcard bridge/studies/coding/*.c)
REPRODUCE_JOBS ?= 2
QUICK ?= 0

$(O)/reproduce: $(call objects,$(REPRODUCE_C) $(STUDY_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(REPRODUCE_C) $(STUDY_C)) $(LINK)

$(O)/reproduce-m-to-n: $(call objects,$(REPRODUCE_M_TO_N_C) $(STUDY_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(REPRODUCE_M_TO_N_C) $(STUDY_C)) $(LINK)

$(O)/reproduce-fat-tree: $(call objects,$(REPRODUCE_FAT_TREE_C) $(STUDY_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(REPRODUCE_FAT_TREE_C) $(STUDY_C)) $(LINK)

$(O)/reproduce-schedules: $(call objects,$(REPRODUCE_SCHEDULES_C) $(STUDY_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(REPRODUCE_SCHEDULES_C) $(STUDY_C)) $(LINK)

$(O)/reproduce-coding: $(call objects,$(REPRODUCE_CODING_C) $(STUDY_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(REPRODUCE_CODING_C) $(STUDY_C)) $(LINK)

# study NAME: options of its program; a part has a directory of its own.
study = --jobs $(REPRODUCE_JOBS) \
	  $(if $(filter-out 0,$(QUICK)),--quick --out $(B)/reproduce/$(1)-quick,--out $(B)/reproduce/$(1)) \
	  $(REPRODUCE_ARGS)

.PHONY: reproduce-barrier reproduce-m-to-n reproduce-fat-tree reproduce-schedules reproduce-coding
## reproduce-barrier: Figs. 11 to 15 of the barrier paper and what it says of them (QUICK=1: a part); build/reproduce
reproduce-barrier: $(O)/reproduce
	$(Q)$(O)/reproduce $(call study,barrier)

## reproduce-m-to-n: what the M-to-N paper says, by RTL and checker, M and N to 16 (QUICK=1: a part); build/reproduce
reproduce-m-to-n: $(O)/reproduce-m-to-n
	$(Q)$(O)/reproduce-m-to-n $(call study,m-to-n)

## reproduce-fat-tree: what the adaptive fat tree paper says, on RTL: meshes and FatTrees over the load (QUICK=1: a part); build/reproduce
reproduce-fat-tree: $(O)/reproduce-fat-tree
	$(Q)$(O)/reproduce-fat-tree $(call study,fat-tree)

## reproduce-schedules: what the paper on schedules says: the fewest steps, proved, and on RTL (QUICK=1: a part); build/reproduce
reproduce-schedules: $(O)/reproduce-schedules
	$(Q)$(O)/reproduce-schedules $(call study,schedules)

## reproduce-coding: what the paper on network coding says: hops counted three ways, and time on RTL (QUICK=1: a part); build/reproduce
reproduce-coding: $(O)/reproduce-coding
	$(Q)$(O)/reproduce-coding $(call study,coding)

TEST_REPRODUCE := barrier m-to-n fat-tree schedules coding
.PHONY: test-reproduce $(TEST_REPRODUCE:%=test-reproduce-%)
## test-reproduce: all in small (test-reproduce-coding: one): files, what must hold in them, interruption, verdicts from data
test-reproduce: $(TEST_REPRODUCE:%=test-reproduce-%)
test-reproduce-barrier: $(O)/reproduce
	$(Q)tests/reproduce/test.sh "$$PWD/$<"
test-reproduce-m-to-n: $(O)/reproduce-m-to-n
	$(Q)tests/reproduce/test_m_to_n.sh "$$PWD/$<"
test-reproduce-fat-tree: $(O)/reproduce-fat-tree
	$(Q)tests/reproduce/test_fat_tree.sh "$$PWD/$<"
test-reproduce-schedules: $(O)/reproduce-schedules
	$(Q)tests/reproduce/test_schedules.sh "$$PWD/$<"
test-reproduce-coding: $(O)/reproduce-coding
	$(Q)tests/reproduce/test_coding.sh "$$PWD/$<"

.PHONY: programs
## programs: studies, fault suite, soak and the measure of checks, which all does not build
programs: $(addprefix $(O)/,reproduce reproduce-m-to-n reproduce-fat-tree reproduce-schedules reproduce-coding faults check/measure soak/soak)

-include $(patsubst %.o,%.d,$(call objects,$(REPRODUCE_C) $(REPRODUCE_M_TO_N_C) $(REPRODUCE_FAT_TREE_C) $(REPRODUCE_SCHEDULES_C) $(REPRODUCE_CODING_C) $(STUDY_C)))
