# How long barriers take under saturating traffic, and the bound that they must keep.
# SPDX-License-Identifier: Apache-2.0
BARRIER_LATENCY = tests/barrier/latency.py --heddle $(O)/heddle

.PHONY: barrier-latency barrier-latency-quick
## barrier-latency: 10,000 barriers on RTL of each of five switches under saturating data (CSV, JSON, plot); BARRIER_ARGS="--resume"
barrier-latency: all
	$(Q)$(BARRIER_LATENCY) $(BARRIER_ARGS)

# RTL of the switch that has to keep the bound, the model of the others.
barrier-latency-quick: all
	$(Q)$(BARRIER_LATENCY) --out $(B)/barrier-latency-quick --switches any --barriers 300 --side 4 --load 1 --quiet-cycles 4000 --without-plain
	$(Q)$(BARRIER_LATENCY) --out $(B)/barrier-latency-model --barriers 200 --quiet-cycles 5000 --dut none
