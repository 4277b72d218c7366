# SystemC: the example platform and the backend's scenarios.
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-systemc
## test-systemc: the example platform with TLM-2.0 sockets, scenarios on the SystemC backend
test-systemc: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle tests/systemc/run.sh -o $(B)/systemc
