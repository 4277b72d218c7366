# make diagrams: draws the specification's cycle diagrams from cycles of real switches.
# SPDX-License-Identifier: Apache-2.0
DIAGRAMS_C := $(wildcard tb/diagrams/*.c)
STIMULI := $(wildcard tb/diagrams/*.txt)

$(O)/diagrams: $(call objects,$(DIAGRAMS_C)) $(ALL_LIBS) $(O)/libhd_fst.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(DIAGRAMS_C)) $(LINK)

.PHONY: diagrams test-diagrams
## diagrams: draw the specification's cycle diagrams again (docs/spec/diagrams, from tb/diagrams)
diagrams: $(O)/diagrams
	$(Q)$(O)/diagrams --write --out $(B)/diagrams $(STIMULI)

## test-diagrams: prove that every cycle diagram shows the cycles of RTL and model, and that a wrong one is found
test-diagrams: $(O)/diagrams
	$(Q)$(O)/diagrams --out $(B)/diagrams $(STIMULI)
	$(Q)tests/diagrams/selftest.sh $(O)/diagrams $(B)/diagrams

-include $(patsubst %.o,%.d,$(call objects,$(DIAGRAMS_C)))
