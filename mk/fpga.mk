# Builds for FPGAs, tests gates as devices under test, and compares digests of all backends.
# SPDX-License-Identifier: Apache-2.0
# Examples of all backends, without the model, as all are compared with that.
BACKENDS ?= $(filter-out model,$(shell $(O)/heddle backends --examples))
# Suites that run their scenarios on the backend that HD_DUT names.
ON_DUT := $(addprefix $(O)/unit/test_,lockstep barrier_lockstep backend barrier_backend)

.PHONY: fpga test-fpga test-netlist test-lanes backends
## fpga: build the bitstreams of fpga/builds.txt, with area and timing (FPGA="hx8k-line": only that one)
fpga: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle fpga/build.sh -o $(B)/fpga $(FPGA)

## test-fpga: build the switches for the HX8K, run the decompiled bitstream of the small one, and run coders on a virtual board (HD_XOR_BITS=1: also as bits and gates; takes minutes)
test-fpga: $(O)/heddle
	$(Q)HEDDLE=$(O)/heddle fpga/build.sh -o $(B)/fpga hx8k-small hx8k-line hx8k-xor
	$(Q)HEDDLE=$(O)/heddle tests/fpga/run.sh $(B)/fpga/hx8k-small
	$(Q)HEDDLE=$(O)/heddle tests/fpga/xor.sh $(B)/fpga

## test-netlist: run the longer Verilator suites on Yosys' netlists (HD_DUT=netlist:ice40: on iCE40 cells)
test-netlist: $(ON_DUT)
	$(Q)HD_DUT=$(or $(HD_DUT),netlist) LIMIT=1800 tests/unit.sh $(ON_DUT)

## test-lanes: run the suites of test-netlist, and that of XOR coders, in bit lanes
test-lanes: $(ON_DUT) $(O)/unit/test_coder_lockstep
	$(Q)HD_DUT=lanes LIMIT=1800 tests/unit.sh $^

## backends: run N=50 scenarios on every backend: one digest, speeds, and where each backend finds a planted bug (BACKENDS="verilator netlist")
backends: $(O)/heddle
	$(if $(findstring bitstream:$(B)/fpga/,$(BACKENDS)),$(Q)HEDDLE=$(O)/heddle fpga/build.sh -o $(B)/fpga hx8k-line)
	$(Q)HEDDLE=$(O)/heddle tests/backends/run.sh -p -n $(if $(filter command% environment%,$(origin N)),$(N),50) -o $(B)/backends $(BACKENDS)
