# Measures which mutants (wrong gates) of every kind of switch are found.
# SPDX-License-Identifier: Apache-2.0
.PHONY: mutants
## mutants: judge N mutants of each kind of switch (N=1500 SEED=1 STREAMS=1): found by a scenario or random streams, proved equivalent, or left
mutants: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle tests/mutation/every.sh -n $(if $(filter command% environment%,$(origin N)),$(N),1500) \
	  -s $(SEED) -o $(B)/mutants $(if $(STREAMS),-r $(STREAMS)) $(MUTANTS_ARGS)

.PHONY: mutants-units
## mutants-units: judge N mutants of each unit of exported fabrics and of the board's line (N=200 SEED=1): found by its bench, proved equivalent, or left
mutants-units:
	$(Q)tests/mutation/units.py -n $(if $(filter command% environment%,$(origin N)),$(N),200) -s $(SEED) -o $(B)/mutants

.PHONY: bugs-units
## bugs-units: plant bugs by hand in these units, which their benches must find (ROWS="packetiser frame-rx")
bugs-units:
	$(Q)tests/mutation/bugs.py -o $(B)/bugs $(ROWS)
