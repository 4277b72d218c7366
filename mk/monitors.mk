# The monitor for cocotb, tried on Icarus and Verilator (docs/monitors.md).
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-cocotb
## test-cocotb: the monitor for cocotb on a right router and on wrong ones; cocotb comes from PyPI into build/cocotb
test-cocotb: $(WATCH_SO)
	$(Q)tests/monitors/test_cocotb.sh
