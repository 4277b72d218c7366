# Runs random scenarios and compares RTL with model.
# SPDX-License-Identifier: Apache-2.0
SOAK_C := $(wildcard tests/soak/*.c)
SOAK := $(O)/soak/soak
SEED ?= 1
# N without a value of the user is the default of another target.
SOAK_N = $(if $(filter command% environment%,$(origin N)),$(N),1000)

.PHONY: soak soak-lanes soak-pairs soak-selftest
## soak: run N random scenarios (N=1000 SEED=1); the RTL must agree with the model in every cycle
soak: $(SOAK) $(O)/heddle
	$(Q)$(SOAK) --count $(SOAK_N) --seed $(SEED) --out $(B)/soak --heddle $(O)/heddle \
	  $(if $(ONLY_SCENARIO),--only $(ONLY_SCENARIO)) $(SOAK_ARGS)

## soak-lanes: run the scenarios of soak on Verilator and in bit lanes: same verdict and digest in each (SOAK_DUT="netlist": there)
soak-lanes: $(SOAK) $(O)/heddle
	$(Q)tests/soak/side_by_side.sh $(SOAK) $(B)/soak $(or $(SOAK_DUT),lanes) --count $(SOAK_N) --seed $(SEED) \
	  --heddle $(O)/heddle $(SOAK_ARGS)

## soak-pairs: run N random scenarios (N=20 SEED=1) for each topology × routing × barrier hardware
soak-pairs: $(SOAK) $(O)/heddle
	$(Q)$(SOAK) --pairs $(if $(filter command% environment%,$(origin N)),$(N),20) --seed $(SEED) \
	  --out $(B)/soak-pairs --heddle $(O)/heddle $(SOAK_ARGS)

## soak-selftest: prove that the soak finds a bug planted in a copy of the RTL, and shrinks it
soak-selftest: $(SOAK) $(O)/heddle
	$(Q)tests/soak/selftest.sh $(O)

## soak-alike: prove that the check of the tree protocol's rules finds a mistake that RTL and model share
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
