# Checks the RTL: lint, benches, proofs, synthesis.
# SPDX-License-Identifier: Apache-2.0
.PHONY: lint-rtl tb formal formal-record formal-selftest instances-record synth timing timing-record asic test-asic

## lint-rtl: Verilator, Icarus and Yosys read the RTL without a warning; illegal parameters are refused
lint-rtl:
	$(Q)tb/lint.sh -o $(B)/lint

## tb: run the self-checking Verilog benches on Icarus, without C (PART=K/N: the K-th of N parts)
tb:
	$(Q)tb/run.sh -o $(B)/tb $(PART:%=-p %)

## formal: prove the RTL's modules, owners and quiescent_o by induction (PART=K/N: the K-th of N parts)
formal:
	$(Q)tb/formal.sh -o $(B)/formal $(PART:%=-p %)

## formal-record: carry out all proofs, then record the hash of the RTL and the kinds of switches that were proved
formal-record:
	$(Q)tb/proved.py --record $(B)/formal

## formal-selftest: plant a bug for every proof (FORMAL="NAME …": for these), which must then fail
formal-selftest:
	$(Q)tb/formal.sh -n -o $(B)/formal $(PART:%=-p %) $(FORMAL)

## instances-record: write tb/instances.txt, the parameter sets for proofs that a changed module equals the original; takes minutes
instances-record:
	$(Q)tb/instances.py --record

## synth: count the cells of hd_switch after generic and iCE40 synthesis; SYNTH="PORTS=4 VCS=1" sets parameters
synth:
	$(Q)tb/synth.sh -o $(B)/synth $(SYNTH)

## timing: measure area, clock and longest path on an iCE40 HX8K, as medians of SEEDS="1,2,3,4,5,6,7", and compare them with the record; CSV in build/timing (TIMING="plain": only that set)
TIMING_SEEDS := 1,2,3,4,5,6,7
timing:
	$(Q)tb/timing/timing.py -o $(B)/timing -s $(or $(SEEDS),$(TIMING_SEEDS)) $(TIMING)

## timing-record: do make timing, then write tb/timing/record.csv and the table in fpga/README.md
timing-record:
	$(Q)tb/timing/timing.py -o $(B)/timing -s $(or $(SEEDS),$(TIMING_SEEDS)) --record $(TIMING)

## asic: measure area, clock and longest path in a cell library, and with ACTIVITY=FILE.saif the power of a run (LIBERTY=FILE.lib; ASIC="plain" or "PORTS=4 VCS=1"; MHZ=500: clock for the power)
asic:
	$(Q)tb/asic/asic.py -o $(B)/asic $(ACTIVITY:%=-a %) $(MHZ:%=-c %) $(LIBERTY) $(ASIC)

## test-asic: test make asic with a small library whose figures are round numbers
test-asic:
	$(Q)tb/asic/test.sh -o $(B)/asic-test
