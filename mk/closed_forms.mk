# Latency and throughput beside closed forms.
# SPDX-License-Identifier: Apache-2.0
.PHONY: closed-forms
## closed-forms: latency without load and most accepted load beside closed forms; the tables that make site shows
closed-forms: $(O)/heddle
	$(Q)mk/closed_forms.sh $(O)/heddle $(B)/closed-forms docs/reproduction/closed-forms
