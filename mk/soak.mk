# Soak: random scenarios, RTL against model.
# SPDX-License-Identifier: Apache-2.0
SOAK_C := $(wildcard tests/soak/*.c)
SOAK := $(O)/soak/soak
SEED ?= 1
# N has a default of another target's.
SOAK_N = $(if $(filter command% environment%,$(origin N)),$(N),1000)

.PHONY: soak soak-lanes soak-pairs soak-selftest
## soak: N random scenarios (N=1000 SEED=1): the RTL must agree with the model cycle for cycle
soak: $(SOAK) $(O)/heddle
	$(Q)$(SOAK) --count $(SOAK_N) --seed $(SEED) --out $(B)/soak --heddle $(O)/heddle \
	  $(if $(ONLY_SCENARIO),--only $(ONLY_SCENARIO)) $(SOAK_ARGS)

## soak-lanes: the same scenarios on Verilator and in bit lanes: one verdict and one digest in each (SOAK_DUT="netlist": there)
soak-lanes: $(SOAK) $(O)/heddle
	$(Q)tests/soak/side_by_side.sh $(SOAK) $(B)/soak $(or $(SOAK_DUT),lanes) --count $(SOAK_N) --seed $(SEED) \
	  --heddle $(O)/heddle $(SOAK_ARGS)

## soak-pairs: N random scenarios (N=20 SEED=1) for each topology × routing × barrier hardware
soak-pairs: $(SOAK) $(O)/heddle
	$(Q)$(SOAK) --pairs $(if $(filter command% environment%,$(origin N)),$(N),20) --seed $(SEED) \
	  --out $(B)/soak-pairs --heddle $(O)/heddle $(SOAK_ARGS)

## soak-selftest: the soak finds a bug that is planted in a copy of the RTL, and shrinks it
soak-selftest: $(SOAK) $(O)/heddle
	$(Q)tests/soak/selftest.sh $(O)

## soak-alike: a mistake in RTL and model alike is found by the check of the tree protocol's rules
.PHONY: soak-alike
soak-alike: $(O)/heddle
	$(Q)LINK_HEDDLE='$(CC) $(SANFLAGS) $(SHOW_API) $(call objects,$(CLI_C))' LIBRARIES='$(LINK_CLI)' \
	  tests/soak/alike.sh $(O)

$(SOAK): $(call objects,$(SOAK_C)) $(ALL_LIBS)
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(SOAK_C)) $(LINK)

$(SOAK): $(O)/libhd_fst.a

-include $(patsubst %.o,%.d,$(call objects,$(SOAK_C)))
