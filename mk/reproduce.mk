# Papers as commands: their figures, and their statements judged.
# SPDX-License-Identifier: Apache-2.0
REPRODUCE_JOBS ?= 2
QUICK ?= 0

# study NAME: the command; a part has a directory of its own.
study = $(O)/heddle study $(1) --jobs $(REPRODUCE_JOBS) \
	  $(if $(filter-out 0,$(QUICK)),--quick --out $(B)/reproduce/$(1)-quick,--out $(B)/reproduce/$(1)) \
	  $(REPRODUCE_ARGS)

.PHONY: reproduce-barrier reproduce-m-to-n reproduce-fat-tree reproduce-schedules reproduce-coding
## reproduce-barrier: Figs. 11 to 15 of the barrier paper and what it says of them (QUICK=1: a part); build/reproduce
reproduce-barrier: $(O)/heddle
	$(Q)$(call study,barrier)

## reproduce-m-to-n: what the M-to-N paper says, by RTL and checker, M and N to 16 (QUICK=1: a part); build/reproduce
reproduce-m-to-n: $(O)/heddle
	$(Q)$(call study,m-to-n)

## reproduce-fat-tree: what the adaptive fat tree paper says, on RTL: meshes and FatTrees over the load (QUICK=1: a part); build/reproduce
reproduce-fat-tree: $(O)/heddle
	$(Q)$(call study,fat-tree)

## reproduce-schedules: what the paper on schedules says: the fewest steps, proved, and on RTL (QUICK=1: a part); build/reproduce
reproduce-schedules: $(O)/heddle
	$(Q)$(call study,schedules)

## reproduce-coding: what the paper on network coding says: hops counted three ways, and time on RTL (QUICK=1: a part); build/reproduce
reproduce-coding: $(O)/heddle
	$(Q)$(call study,coding)

TEST_REPRODUCE := barrier m-to-n fat-tree schedules coding
.PHONY: test-reproduce $(TEST_REPRODUCE:%=test-reproduce-%)
## test-reproduce: all in small (test-reproduce-coding: one): files, what must hold in them, interruption, verdicts from data
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
## programs: fault suite, soak and the measure of checks, which all does not build
programs: $(addprefix $(O)/,faults check/measure soak/soak)
