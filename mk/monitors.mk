# Tests the monitor for cocotb on Icarus and Verilator (docs/monitors.md).
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-cocotb
## test-cocotb: test the monitor for cocotb with correct and wrong routers; cocotb comes from PyPI into build/cocotb
test-cocotb: $(WATCH_SO)
	$(Q)tests/monitors/test_cocotb.sh
