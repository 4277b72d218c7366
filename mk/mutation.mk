# Wrong gates of every kind of switch.
# SPDX-License-Identifier: Apache-2.0
.PHONY: mutants
## mutants: N mutants of each kind of switch (N=1500 SEED=1 STREAMS=1): found by a scenario and random streams, proved equivalent, or left
mutants: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle tests/mutation/every.sh -n $(if $(filter command% environment%,$(origin N)),$(N),1500) \
	  -s $(SEED) -o $(B)/mutants $(if $(STREAMS),-r $(STREAMS)) $(MUTANTS_ARGS)
