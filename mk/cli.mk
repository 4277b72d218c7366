# End-to-end tests of the heddle command.
# SPDX-License-Identifier: Apache-2.0
CLI_SH = $(if $(TESTS),$(TESTS:%=tests/cli/test_%.sh),$(wildcard tests/cli/test_*.sh))
# Long tests: with BRIEF=1 each runs up to its line `rest`, and make test runs one of them whole. Other long tests have
# their own groups.
CLI_LONG := mutate_rules export stress against check_any deb check speed network wrap wrap_shapes ghdl lanes sweep_lanes includes icarus early

# Faulty DUTs, built from the model. heddle exports no function of the model, so each links its own copy.
$(O)/cli/%.so: $(O)/obj/tests/cli/%.o $(ALL_LIBS)
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) -shared -o $@ $< -Wl,--exclude-libs,ALL $(LINK)
-include $(O)/obj/tests/cli/fault.d $(O)/obj/tests/cli/kill.d $(O)/obj/tests/cli/finalize.d

.PHONY: test-cli test-cli-long
## test-cli: end-to-end tests of the heddle command (TESTS="export speed": only these; BRIEF=1: the quick part of each; a single one: tests/cli/test_NAME.sh)
test-cli: all $(O)/cli/fault.so $(O)/cli/kill.so $(O)/cli/finalize.so
	$(Q)BRIEF=$(BRIEF) HEDDLE="$$PWD/$(O)/heddle" FAULT="$$PWD/$(O)/cli/fault.so" tests/cli/run.sh $(CLI_SH)

## test-cli-long: the long end-to-end tests that have no own group, whole (PART=K/N: the K-th of N parts)
test-cli-long: TESTS = $(call part_of,$(CLI_LONG))
test-cli-long: test-cli
