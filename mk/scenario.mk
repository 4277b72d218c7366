# make scenario-keys, result-keys, coverage-points, collective-tables: tables of pages, made from the tables of the sources.
# SPDX-License-Identifier: Apache-2.0
.PHONY: scenario-keys
## scenario-keys: make the tables of docs/scenario.md anew, from what `heddle scenario` knows
scenario-keys: $(O)/heddle
	$(Q)$(O)/heddle scenario --markdown >$(B)/scenario-keys.md
	$(Q)awk -f mk/scenario.awk $(B)/scenario-keys.md docs/scenario.md >$(B)/scenario.md
	$(Q)cmp -s $(B)/scenario.md docs/scenario.md || cp $(B)/scenario.md docs/scenario.md

.PHONY: result-keys
## result-keys: make the tables of docs/run-database.md anew, from what `heddle results` knows
result-keys: $(O)/heddle
	$(Q)$(O)/heddle results --markdown >$(B)/result-keys.md
	$(Q)awk -f mk/scenario.awk $(B)/result-keys.md docs/run-database.md >$(B)/run-database.md
	$(Q)cmp -s $(B)/run-database.md docs/run-database.md || cp $(B)/run-database.md docs/run-database.md

.PHONY: coverage-points
## coverage-points: make the table of docs/coverage.md anew, from what `heddle coverage` knows
coverage-points: $(O)/heddle
	$(Q)$(O)/heddle coverage --markdown >$(B)/coverage-points.md
	$(Q)awk -f mk/scenario.awk $(B)/coverage-points.md docs/coverage.md >$(B)/coverage.md
	$(Q)cmp -s $(B)/coverage.md docs/coverage.md || cp $(B)/coverage.md docs/coverage.md

.PHONY: collective-tables
## collective-tables: make the tables of docs/collectives.md anew, from what `heddle collectives` knows
collective-tables: $(O)/heddle
	$(Q)$(O)/heddle collectives --markdown >$(B)/collective-tables.md
	$(Q)awk -f mk/scenario.awk $(B)/collective-tables.md docs/collectives.md >$(B)/collectives.md
	$(Q)cmp -s $(B)/collectives.md docs/collectives.md || cp $(B)/collectives.md docs/collectives.md
