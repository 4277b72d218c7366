# Compares latency and throughput with closed forms.
# SPDX-License-Identifier: Apache-2.0
.PHONY: closed-forms
## closed-forms: compare latency without load and the highest accepted load with closed forms; writes the tables that make site shows
closed-forms: $(O)/heddle
	$(Q)mk/closed_forms.sh $(O)/heddle $(B)/closed-forms docs/reproduction/closed-forms
