# Latency and throughput beside closed forms.
# SPDX-License-Identifier: Apache-2.0
.PHONY: closed-forms
## closed-forms: make the table of docs/closed-forms.md anew: latency without load and most accepted load beside closed forms
closed-forms: $(O)/heddle
	$(Q)mk/closed_forms.sh $(O)/heddle $(B)/closed-forms >$(B)/closed-forms.md
	$(Q)awk -f mk/scenario.awk $(B)/closed-forms.md docs/closed-forms.md >$(B)/closed-forms-page.md
	$(Q)cmp -s $(B)/closed-forms-page.md docs/closed-forms.md || cp $(B)/closed-forms-page.md docs/closed-forms.md
