# End-to-end tests of the heddle command.
# SPDX-License-Identifier: Apache-2.0
CLI_SH = $(if $(TESTS),$(TESTS:%=tests/cli/test_%.sh),$(wildcard tests/cli/test_*.sh))
# Long tests: make test runs each as far as its line `rest` (BRIEF=1), and one of them whole. Other long tests have groups of their own.
CLI_LONG := mutate_rules export stress against check_any deb check speed network wrap wrap_shapes ghdl lanes sweep_lanes includes icarus early

# Faulty DUTs, built around the model. heddle exports no function of the model, so each links its own copy.
$(O)/cli/%.so: $(O)/obj/tests/cli/%.o $(ALL_LIBS)
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) -shared -o $@ $< -Wl,--exclude-libs,ALL $(LINK)
-include $(O)/obj/tests/cli/fault.d $(O)/obj/tests/cli/kill.d $(O)/obj/tests/cli/finalize.d

.PHONY: test-cli test-cli-long
## test-cli: end-to-end tests of the heddle command (TESTS="export speed": these; BRIEF=1: what is quickly done of each; one: tests/cli/test_NAME.sh)
test-cli: all $(O)/cli/fault.so $(O)/cli/kill.so $(O)/cli/finalize.so
	$(Q)BRIEF=$(BRIEF) HEDDLE="$$PWD/$(O)/heddle" FAULT="$$PWD/$(O)/cli/fault.so" tests/cli/run.sh $(CLI_SH)

## test-cli-long: the long ones of them that have no group of their own (PART=K/N: the K-th of N parts)
test-cli-long: TESTS = $(call part_of,$(CLI_LONG))
test-cli-long: test-cli
