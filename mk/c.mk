# Builds the C libraries, the heddle command and the unit tests.
# SPDX-License-Identifier: Apache-2.0
#
# SAN=1 builds everything with ASan and UBSan in build/san, with less optimisation. Compiling then takes less than half the
# time, and tests run up to one and a half times as long. Objects are built again when a header, their flags or the compiler
# changes.
CC := gcc
SAN ?= 0
O := $(B)/$(if $(filter 1,$(SAN)),san,opt)
Q := $(if $(V),,@)
WARN := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Werror
CFLAGS_0 := -O2 -g
CFLAGS_1 := -O1 -g1
CFLAGS ?= $(CFLAGS_$(SAN))
CSTD := -std=c11 -D_GNU_SOURCE -fPIC
# These warnings of GCC's optimiser need a build without sanitizers, whose checks mislead it.
SANFLAGS_1 := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer -Wno-restrict -Wno-conversion
SANFLAGS := $(SANFLAGS_$(SAN))
LIBS := -lyaml -lsqlite3 -ljansson -lboost_context -lcadical -lstdc++ -lz -ldl -lpthread -lm

# A room is a folder; all C files in it are its sources.
rooms = $(wildcard $(1)/*.c $(1)/*/*.c $(1)/*/*/*.c)
# Files that backends and mutants copy and compile at run time, as listed in their manifests.
MANIFEST := $(sort $(shell grep -oh 'X("[^"]*")' bridge/backends/*/manifest.h bridge/mutation/manifest.h bridge/wrap/manifest.h bridge/export/manifest.h | cut -d'"' -f2))
AT_RUN_TIME_C := $(filter bridge/%.c,$(MANIFEST))
CMODEL_C := $(call rooms,cmodel)
MPI_C := bridge/ranks/ranks_mpi.c
MPI_FLAGS := $(shell pkg-config --cflags --libs ompi-c 2>/dev/null)
# Sources of the shared object that is loaded into MPI programs to record them.
RECORD_C := $(addprefix bridge/recorder/recorder_,events.c messages.c collectives.c)
# Libraries that read graph files: igraph is under the GPL and cgraph under the EPL, so each has a shared object.
GRAPH_LIBS := igraph cgraph
GRAPH_C := $(GRAPH_LIBS:%=bridge/graphs/graph_%.c)
IGRAPH_FLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags --libs igraph 2>/dev/null))
CGRAPH_FLAGS := $(patsubst -I%,-isystem %,$(shell pkg-config --cflags --libs libcgraph 2>/dev/null))
PLUGINS = $(if $(MPI_FLAGS),$(O)/hd_mpi.so $(O)/hd_record.so) $(if $(IGRAPH_FLAGS),$(O)/hd_igraph.so) $(if $(CGRAPH_FLAGS),$(O)/hd_cgraph.so)
# The command and its studies are a program; everything else of bridge/ is in a library.
BRIDGE_C := $(filter-out $(AT_RUN_TIME_C) $(MPI_C) $(RECORD_C) $(GRAPH_C) bridge/cli/% bridge/studies/%,$(call rooms,bridge))
SW_C := $(call rooms,sw)
CLI_C := $(call rooms,bridge/cli) $(call rooms,bridge/studies)
# Code that the studies and the fault suite share. It writes its progress to stderr, so it is in no library.
STUDY_C := $(wildcard bridge/studies/*.c)
UNIT_C := $(wildcard tests/unit/*/test_*.c)
TEST_C := $(wildcard tests/unit/lib/*.c)
objects = $(patsubst %.c,$(O)/obj/%.o,$(1))
UNIT := $(patsubst %.c,$(O)/unit/%,$(notdir $(UNIT_C)))
WATCH_LIB := $(O)/libhd_watch.a
WATCH_SO := $(O)/libhd_watch.so
ALL_LIBS := $(O)/libhd_bridge.a $(O)/libhd_sw.a $(O)/libhd_cmodel.a
# Only the command reads pictures.
LINK_CLI = $(LINK) -lpng
LINK = -Wl,--start-group $(ALL_LIBS) -Wl,--end-group $(LIBS)

.PHONY: all unit unit-seeds clean
.DELETE_ON_ERROR:
.SECONDARY: # keeps objects of unit tests

## all: libraries and the heddle command
all: $(ALL_LIBS) $(WATCH_LIB) $(WATCH_SO) $(if $(CLI_C),$(O)/heddle) $(PLUGINS)

# Holds the flags of the last build; touched only when they change.
CC_LINE = $(CC) $(CSTD) $(WARN) $(CFLAGS) $(SANFLAGS)
FLAGS_NOW := $(CC_LINE)
$(O)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS_NOW)' | cmp -s - $@ || echo '$(FLAGS_NOW)' >$@
.PHONY: FORCE
FORCE:

$(O)/obj/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	@echo "CC $<"
	$(Q)$(CC_LINE) -MMD -MP -c $< -o $@

# A test program runs once, so it is compiled without optimisation, in half the time.
$(O)/obj/tests/%.o: CFLAGS_1 := -O0 -g1
# Lane code is compiled for this processor. Without sanitizers, the test compiles what is in headers for it, too; with
# sanitizers it does not.
$(O)/obj/tests/unit/backends/test_lanes.o: CFLAGS_0 += -march=native

# Git's name of this version, if this tree is a repository of its own. The file changes only when the name does.
GIT_DESCRIBE := git --no-optional-locks describe --always --dirty 2>/dev/null
$(O)/git_version.h: FORCE
	@mkdir -p $(@D)
	@now="#define HD_GIT_VERSION \"$$([ ! -e .git ] || $(GIT_DESCRIBE))\""; \
	echo "$$now" | cmp -s - $@ || echo "$$now" >$@
$(O)/obj/bridge/host/version.o: $(O)/git_version.h
$(O)/obj/bridge/host/version.o: private CFLAGS += -include $(O)/git_version.h

# A hash of the sources that write lane code. It is part of the key under which built lane code is cached.
LANES_WRITER := $(addprefix bridge/backends/lanes/lanes_,netlist.c netlist.h instances.c instances.h pack.c pack.h order.c order.h write.c write.h tables.c tables.h pins.h)
$(O)/lanes_writer.h: $(LANES_WRITER)
	@mkdir -p $(@D)
	@echo "#define HD_LANES_WRITER \"$$(cat $^ | cksum)\"" >$@
$(O)/obj/bridge/backends/lanes/lanes_build.o: $(O)/lanes_writer.h
$(O)/obj/bridge/backends/lanes/lanes_build.o: private CFLAGS += -include $(O)/lanes_writer.h

define library
$(O)/lib$(1).a: $(call objects,$(2))
	@mkdir -p $$(@D)
	@rm -f $$@
	$(Q)ar qcs $$@ $$^
endef
$(eval $(call library,hd_cmodel,$(CMODEL_C)))
$(eval $(call library,hd_bridge,$(BRIDGE_C)))
$(eval $(call library,hd_sw,$(SW_C)))
# The rules at ports, for users' benches, with the two files of the model that they call. The library needs libc only.
$(eval $(call library,hd_watch,$(call rooms,bridge/watch) cmodel/error.c cmodel/switch/params.c))
WATCH_H := bridge/watch/port_watch.h bridge/watch/port_order.h bridge/watch/monitor.h bridge/watch/monitor_pins.h cmodel/topology/topology.h
MONITORS := bridge/watch/hd_monitor.sv bridge/watch/hd_monitor.py
# libhd_watch as a shared object. Simulators and Python look functions up by name at run time, so it contains every
# object file.
$(WATCH_SO): $(WATCH_LIB)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) -shared -o $@ -Wl,--whole-archive $< -Wl,--no-whole-archive
# The library that tests share: rigs, fixtures, random streams and fabrics.
$(eval $(call library,hd_test,$(TEST_C)))

# Headers for users' backends and programs. Their shared objects can use the functions and constants of heddle that these
# headers declare, and no others: the loader looks in heddle first, so any other function of heddle would replace a user's
# function of the same name.
API_H := bridge/dut.h bridge/dut_extension.h cmodel/error.h cmodel/port_event.h cmodel/switch/params.h cmodel/switch/registers.h \
  sw/endpoint.h sw/endpoint_barrier.h sw/endpoint_multicast.h sw/endpoint_network.h sw/endpoint_packet.h sw/collectives/collectives.h
SHOW_API = -Wl,--dynamic-list=$(O)/api.list
$(ALL_LIBS): | $(O)/api.list
$(O)/api.list: $(API_H)
	@mkdir -p $(@D)
	@{ echo '{ _exit; _Exit;'; printf '#include "%s"\n' $(API_H) | $(CC) $(CSTD) -I. -E -P - | tr '\n' ' ' | \
	  grep -oE '\bhd_[a-z0-9_]+ *\(|\bextern const [^;(]*;' | sed -E 's/.*(hd_[a-z0-9_]+)[^a-z0-9_].*/\1;/' | sort -u; echo '};'; } >$@

# Users' programs call functions that heddle itself may not call. So the linker takes all of these files.
FOR_PROGRAMS_C := $(wildcard sw/collectives/*.c sw/runtime/endpoint*.c)
$(O)/heddle: $(call objects,$(CLI_C)) $(ALL_LIBS)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) $(SHOW_API) -o $@ $(call objects,$(CLI_C) $(FOR_PROGRAMS_C)) $(LINK_CLI)

# Only this shared object calls MPI, so that everything else works without Open MPI.
$(O)/hd_mpi.so: $(MPI_C) bridge/ranks/ranks_mpi.h $(O)/flags
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC_LINE) -shared -o $@ $< $(MPI_FLAGS)

# This shared object is loaded into other processes, which have no sanitizers.
$(O)/hd_record.so: $(RECORD_C) bridge/recorder/recorder_mpi.h $(O)/flags
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(filter-out $(SANFLAGS),$(CC_LINE)) -shared -o $@ $(RECORD_C) $(MPI_FLAGS)

$(O)/hd_%.so: bridge/graphs/graph_%.c bridge/graphs/graph_sink.h $(O)/flags
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC_LINE) -shared -o $@ $< $($(shell echo $* | tr a-z A-Z)_FLAGS)

# All test programs are in one folder, for every room of tests/unit.
define unit_program
$(O)/unit/$(basename $(notdir $(1))): $(O)/obj/$(basename $(1)).o $(O)/libhd_test.a $(ALL_LIBS)
	@mkdir -p $$(@D)
	@echo "LD $$@"
	$$(Q)$$(CC) $$(SANFLAGS) $$(SHOW_API) -o $$@ $$(filter %.o,$$^) $(O)/libhd_test.a $$(LINK) -lcmocka
endef
$(foreach c,$(UNIT_C),$(eval $(call unit_program,$(c))))

# The studies' shared code is in no library, so the test links its object files.
$(O)/unit/test_statement: $(call objects,$(STUDY_C))
# In this test, the test itself has the table of functions that otherwise hd_mpi.so has.
$(O)/unit/test_ranks: SHOW_API += -Wl,--export-dynamic-symbol=hd_ranks_ops

# test_memory counts allocations and makes one of them fail.
$(O)/unit/test_memory: LINK += $(foreach f,malloc calloc realloc aligned_alloc strdup free,-Wl,--wrap=$f)

# Tests that sanitizers cannot reach: their code runs in a simulator's process, or differs with sanitizers
# (-march=native above).
UNIT_OUTSIDE := ghdl icarus icarus_fabric systemc board_bad_line backend_build
UNIT_NATIVE := lanes lanes_transpose
unit_programs = $(addprefix $(O)/unit/test_,$(1))
UNIT_FEWER_CASES = $(patsubst %.c,$(O)/unit/%,$(notdir $(shell grep -lE 'n_cases|__SANITIZE' $(UNIT_C))))

# Programs that take ten seconds or more with sanitizers, and those of them that take much less without.
UNIT_LONG := check_plan backend schedules barrier_backend shrink_file lanes soak_draws stress \
  streams collective_program check_draws memory fabric coverage_run lockstep_foreign campaign fault_run barrier_tree barrier_baselines
UNIT_SLOWED := check_plan collective_program memory fabric coverage_run lockstep_foreign campaign barrier_baselines
# part_of LIST: with PART=K/N its K-th, (K+N)-th, … word, otherwise all words
part_of = $(if $(PART),$(shell printf '%s\n' $(1) | awk -v part=$(PART) 'split(part, p, "/") && NR % p[2] == p[1] % p[2]'),$(1))
UNIT_LEFT = $(filter-out $(call part_of,$(UNIT_LONG)),$(UNIT_LONG))

.PHONY: unit-inside unit-rest
## unit: the C unit tests (SAN=1: with sanitizers)
unit: $(UNIT)
	$(Q)tests/unit.sh $^
## unit-inside: the unit tests without those that start simulators as processes (PART=K/N: only the K-th of N parts of the long ones)
unit-inside: $(filter-out $(call unit_programs,$(UNIT_OUTSIDE) $(UNIT_LEFT)),$(UNIT))
	$(Q)tests/unit.sh $^
## unit-rest: the unit tests that `make SAN=1 unit-inside PART=1/8` leaves out, runs with fewer random cases, or runs with other code
unit-rest: $(sort $(call unit_programs,$(UNIT_OUTSIDE) $(UNIT_NATIVE) $(UNIT_SLOWED)) $(UNIT_FEWER_CASES))
	$(Q)tests/unit.sh $^

## unit-seeds: the random unit tests with other seeds (SEEDS="7 8"; default: five seeds from the clock)
RANDOM_UNIT = $(patsubst %.c,$(O)/unit/%,$(notdir $(shell grep -lE 'HD_SEED|dice_begin|first_seed|seed[.]h|world_fixture' $(UNIT_C))))
unit-seeds: $(UNIT)
	$(Q)for s in $(or $(SEEDS),$(shell seq $$(date +%s) $$(($$(date +%s) + 4)))); do echo "seed $$s"; HD_SEED=$$s tests/unit.sh $(RANDOM_UNIT) || exit; done

## clean: remove build/
clean:
	rm -rf $(B)

-include $(patsubst %.o,%.d,$(call objects,$(CMODEL_C) $(BRIDGE_C) $(SW_C) $(CLI_C) $(UNIT_C) $(TEST_C)))
