# make faults-four-state: finds reset and X bugs that only four-state simulation shows.
# SPDX-License-Identifier: Apache-2.0
FOUR_STATE_C := tests/faults/four_state/main.c \
  tests/faults/plant.c tests/faults/fabric.c tests/faults/groups.c

$(O)/faults-four-state: $(call objects,$(FOUR_STATE_C)) $(O)/libhd_test.a $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(FOUR_STATE_C)) $(O)/libhd_test.a $(LINK)

.PHONY: faults-four-state
## faults-four-state: prove that Icarus names reset and X bugs that pass on Verilator
faults-four-state: $(O)/faults-four-state
	$(Q)tests/faults/four_state/run.sh $(O)/faults-four-state

-include $(patsubst %.o,%.d,$(call objects,tests/faults/four_state/main.c))
