# make scenario-keys: the tables of docs/scenario.md, made from the table of keys.
# SPDX-License-Identifier: Apache-2.0
.PHONY: scenario-keys
## scenario-keys: make the tables of docs/scenario.md anew, from what `heddle scenario` knows
scenario-keys: $(O)/heddle
	$(Q)$(O)/heddle scenario --markdown >$(B)/scenario-keys.md
	$(Q)awk -f mk/scenario.awk $(B)/scenario-keys.md docs/scenario.md >$(B)/scenario.md
	$(Q)cmp -s $(B)/scenario.md docs/scenario.md || cp $(B)/scenario.md docs/scenario.md
