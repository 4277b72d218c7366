# Schedules of collectives: the page's table.
# SPDX-License-Identifier: Apache-2.0
.PHONY: schedules-table
## schedules-table: make the table of docs/schedules.md anew: the paper's cells beside the fewest steps
schedules-table: $(O)/heddle
	$(Q)mk/schedules.sh $(O)/heddle docs/schedules.csv >$(B)/schedules-table.md
	$(Q)awk -f mk/scenario.awk $(B)/schedules-table.md docs/schedules.md >$(B)/schedules.md
	$(Q)cmp -s $(B)/schedules.md docs/schedules.md || cp $(B)/schedules.md docs/schedules.md
