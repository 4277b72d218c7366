# Tests collectives by comparing every byte.
# SPDX-License-Identifier: Apache-2.0
.PHONY: collectives-every
## collectives-every: test every collective with every algorithm, 1 to 64 members, 0 bytes to 64 KiB, byte by byte (DUT=none; lanes is RTL)
collectives-every: $(O)/heddle
	$(Q)tests/collectives/every.sh -d $(or $(DUT),none) -o $(B)/collectives
