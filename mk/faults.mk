# make faults: proves that bugs, planted by hand in copies of the RTL, are found.
# SPDX-License-Identifier: Apache-2.0
FAULTS_C := $(wildcard tests/faults/*.c)
FAULTS_JOBS ?= 2

$(O)/faults: $(call objects,$(FAULTS_C) $(STUDY_C)) $(O)/libhd_test.a $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(FAULTS_C) $(STUDY_C)) $(O)/libhd_test.a $(LINK)

.PHONY: faults faults-lanes faults-selftest
## faults: plant bugs in copies of the RTL and print which are found (FAULTS_ARGS="--only TEXT")
faults: $(O)/faults
	$(Q)$(O)/faults --jobs $(FAULTS_JOBS) $(FAULTS_ARGS)

## faults-lanes: compare the faults on Verilator and in bit lanes, one in a line: same verdict, same cycle (FAULTS_DUT="netlist": there)
faults-lanes: $(O)/faults
	$(Q)tests/faults/side_by_side.sh $(O)/faults $(B)/faults $(or $(FAULTS_DUT),lanes) --jobs $(FAULTS_JOBS) $(FAULTS_ARGS)

## faults-selftest: prove that the fault suite misses a change that is no fault, and reports one that no longer applies
faults-selftest: $(O)/faults
	$(Q)tests/faults/selftest.sh $(O)/faults

-include $(patsubst %.o,%.d,$(call objects,$(FAULTS_C) $(STUDY_C)))
