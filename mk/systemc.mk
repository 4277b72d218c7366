# Tests SystemC: the example platform and scenarios on the backend.
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-systemc
## test-systemc: test the example platform with TLM-2.0 sockets, and scenarios on the SystemC backend
test-systemc: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle tests/systemc/run.sh -o $(B)/systemc
