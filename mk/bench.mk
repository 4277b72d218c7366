# Measures speed as ratios of subjects in one run, memory, and throughput at saturation.
# SPDX-License-Identifier: Apache-2.0
BENCH := $(B)/bench
BENCH_VERILATE := --x-assign fast --x-initial fast --noassert --threads 1 -Irtl -y rtl
BENCH_VERILATOR := verilator --cc --exe --build -CFLAGS "-std=c++17" \
  -MAKEFLAGS "OPT_FAST='-O3 -march=native' OPT_GLOBAL=-O2 CURDIR=." $(BENCH_VERILATE)
# Verilator's makefile runs in build/bench/*.d, so paths of C++ files start there. Without CURDIR it refuses a clone with
# white space in its path. The flat mesh is built without Verilator's own -O3: that would give 57 MB of C++, which takes
# half an hour to build.
BENCH_RTL := $(wildcard rtl/*.v)
BENCH_SCALE := $(patsubst %,tests/scenarios/%.yaml,barrier-1200 mesh-1024 tree-1024 fat-tree-1024)

.PHONY: bench
## bench: speed of lockstep, model and threads against bare and flat RTL, as ratios; fabrics of 1,024 nodes and more; bytes to a board (CSV in build/bench)
bench: $(BENCH)/bare $(BENCH)/flat $(O)/heddle
	$(Q)$(O)/heddle bench --bare $(BENCH)/bare --flat $(BENCH)/flat --csv $(BENCH)/bench.csv $(BENCH_ARGS)
	$(Q)tb/bench/scale.py $(O)/heddle $(BENCH)/scale.csv $(BENCH_SCALE)
	$(Q)tb/bench/wire.py $(O)/heddle $(BENCH)/wire.csv

.PHONY: bench-short
## bench-short: builds the part of make bench that takes seconds; fails if a ratio is below its goal by more than a fifth (JUDGE=0: prints a low ratio instead), or is measured where it must not be
bench-short: $(BENCH)/bare $(BENCH)/flat.ok $(O)/heddle
	$(Q)$(O)/heddle bench --at-least 80 --rounds 3 --cycles 4000 --bare $(BENCH)/bare > $(BENCH)/short.log; rc=$$?; \
	  $(if $(filter 0,$(JUDGE)),sed -i 's/^not ok/SKIP a ratio below its goal:/' $(BENCH)/short.log; [ $$rc != 1 ] || rc=0;) cat $(BENCH)/short.log; exit $$rc
	$(Q)$(O)/heddle bench --at-least 100000 --rounds 25 --cycles 300 --bare $(BENCH)/bare > $(BENCH)/selftest.log; [ $$? = 1 ] && grep -q '^not ok' $(BENCH)/selftest.log && ! grep -q '^ok' $(BENCH)/selftest.log || { cat $(BENCH)/selftest.log; exit 1; }
	@echo "ok ratios a thousand times as high are missed"

# Verilator reads the flat mesh, and its C++ fits the Verilated mesh (of 36 switches, whose pins have the same types as with
# 64). It is not built, since that takes minutes.
$(BENCH)/flat.ok: tb/bench/flat.cpp tb/bench/flat_mesh.v tb/bench/traffic.h bridge/backends/rtl/pins.h $(BENCH_RTL)
	@mkdir -p $(@D)
	@echo "VERILATE $@"
	$(Q){ verilator --cc $(BENCH_VERILATE) -GSIDE=6 --Mdir $(BENCH)/flat-short.d --top-module flat_mesh tb/bench/flat_mesh.v && \
	  g++ -std=c++17 -fsyntax-only -I$(BENCH)/flat-short.d -isystem $$(verilator --getenv VERILATOR_ROOT)/include $<; } > $(BENCH)/flat-short.log 2>&1 || { tail -20 $(BENCH)/flat-short.log; exit 1; }
	$(Q)touch $@

.PHONY: bench-congestion
## bench-congestion: free credits, neighbours' counts and counts known at once as measures of congestion, in the model (CSV); SEEDS=5
bench-congestion: $(O)/congestion
	$(Q)$(O)/congestion $(SEEDS)

$(O)/congestion: $(O)/obj/tb/bench/congestion.o $(O)/libhd_cmodel.a
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) -o $@ $^ -lm
-include $(O)/obj/tb/bench/congestion.d

$(BENCH)/bare: tb/bench/bare.cpp tb/bench/traffic.h bridge/backends/rtl/pins.h $(BENCH_RTL)
	@mkdir -p $(@D)
	@echo "VERILATE $@"
	$(Q)$(BENCH_VERILATOR) -O3 --Mdir $(BENCH)/bare.d -o ../bare rtl/hd_switch.v ../../../$< > $(BENCH)/bare.log 2>&1 || { tail -20 $(BENCH)/bare.log; exit 1; }

$(BENCH)/flat: tb/bench/flat.cpp tb/bench/flat_mesh.v tb/bench/traffic.h bridge/backends/rtl/pins.h $(BENCH_RTL)
	@mkdir -p $(@D)
	@echo "VERILATE $@"
	$(Q)$(BENCH_VERILATOR) --Mdir $(BENCH)/flat.d -o ../flat --top-module flat_mesh tb/bench/flat_mesh.v ../../../$< > $(BENCH)/flat.log 2>&1 || { tail -20 $(BENCH)/flat.log; exit 1; }
