# Reproduces the figures of papers, and judges their statements.
# SPDX-License-Identifier: Apache-2.0
REPRODUCE_JOBS ?= 2
QUICK ?= 0

# study NAME: runs the study; with QUICK=1 its results have their own directory
study = $(O)/heddle study $(1) --jobs $(REPRODUCE_JOBS) \
	  $(if $(filter-out 0,$(QUICK)),--quick --out $(B)/reproduce/$(1)-quick,--out $(B)/reproduce/$(1)) \
	  $(REPRODUCE_ARGS)

.PHONY: reproduce-barrier reproduce-m-to-n reproduce-fat-tree reproduce-schedules reproduce-coding
## reproduce-barrier: reproduce Figs. 11 to 15 of the barrier paper and judge its statements (QUICK=1: a part); build/reproduce
reproduce-barrier: $(O)/heddle
	$(Q)$(call study,barrier)

## reproduce-m-to-n: judge the statements of the M-to-N paper by RTL and checker, M and N up to 16 (QUICK=1: a part); build/reproduce
reproduce-m-to-n: $(O)/heddle
	$(Q)$(call study,m-to-n)

## reproduce-fat-tree: judge the statements of the adaptive fat tree paper on RTL: meshes and FatTrees at all loads (QUICK=1: a part); build/reproduce
reproduce-fat-tree: $(O)/heddle
	$(Q)$(call study,fat-tree)

## reproduce-schedules: judge the statements of the paper on schedules: the fewest steps, proved, and run on RTL (QUICK=1: a part); build/reproduce
reproduce-schedules: $(O)/heddle
	$(Q)$(call study,schedules)

## reproduce-coding: judge the statements of the paper on network coding: hops counted in three ways, and time on RTL (QUICK=1: a part); build/reproduce
reproduce-coding: $(O)/heddle
	$(Q)$(call study,coding)

TEST_REPRODUCE := barrier m-to-n fat-tree schedules coding
.PHONY: test-reproduce $(TEST_REPRODUCE:%=test-reproduce-%)
## test-reproduce: test all studies with few runs (test-reproduce-coding: only that one): files, their contents, interruption, verdicts that follow the data
test-reproduce: $(TEST_REPRODUCE:%=test-reproduce-%)
test-reproduce-barrier: $(O)/heddle
	$(Q)tests/reproduce/test.sh "$$PWD/$<"
test-reproduce-m-to-n: $(O)/heddle
	$(Q)tests/reproduce/test_m_to_n.sh "$$PWD/$<"
test-reproduce-fat-tree: $(O)/heddle
	$(Q)tests/reproduce/test_fat_tree.sh "$$PWD/$<"
test-reproduce-schedules: $(O)/heddle
	$(Q)tests/reproduce/test_schedules.sh "$$PWD/$<"
test-reproduce-coding: $(O)/heddle
	$(Q)tests/reproduce/test_coding.sh "$$PWD/$<"

.PHONY: programs
## programs: build fault suite, soak and the measure of checks, which are not in all
programs: $(addprefix $(O)/,faults check/measure soak/soak)
