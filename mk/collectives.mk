# Collectives, by value.
# SPDX-License-Identifier: Apache-2.0
.PHONY: collectives-every
## collectives-every: every collective by every algorithm, 1 to 64 members, 0 bytes to 64 KiB, by value (DUT=none; lanes is RTL)
collectives-every: $(O)/heddle
	$(Q)tests/collectives/every.sh -d $(or $(DUT),none) -o $(B)/collectives
