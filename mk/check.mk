# make check-measure: measures how long heddle check takes to find the fault suite's bugs.
# SPDX-License-Identifier: Apache-2.0
MEASURE_C := tests/check/measure.c tests/faults/plant.c

$(O)/check/measure: $(call objects,$(MEASURE_C)) $(ALL_LIBS)
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(MEASURE_C)) $(LINK)

$(O)/check/measure: $(O)/libhd_fst.a

.PHONY: check-measure check-measure-selftest
## check-measure: measure how long heddle check takes to find planted bugs (MEASURE_ARGS="--every 16")
check-measure: $(O)/check/measure $(O)/heddle
	$(Q)$(O)/check/measure $(O)/heddle $(MEASURE_ARGS)

## check-measure-selftest: prove that make check-measure distinguishes bugs that are found from bugs that are not
check-measure-selftest: $(O)/check/measure $(O)/heddle
	$(Q)tests/check/selftest.sh $(O)

-include $(patsubst %.o,%.d,$(call objects,tests/check/measure.c))
