# End-to-end tests of the heddle command.
# SPDX-License-Identifier: Apache-2.0
CLI_SH := $(wildcard tests/cli/test_*.sh)

# Faulty DUTs, built around the model. heddle exports no function of the model, so each links its own copy.
$(O)/cli/%.so: $(O)/obj/tests/cli/%.o $(ALL_LIBS)
	@mkdir -p $(@D)
	@echo "LD $@"
	$(Q)$(CC) $(SANFLAGS) -shared -o $@ $< -Wl,--exclude-libs,ALL $(LINK)
-include $(O)/obj/tests/cli/fault.d $(O)/obj/tests/cli/kill.d $(O)/obj/tests/cli/finalize.d

.PHONY: test-cli
## test-cli: end-to-end tests of the heddle command (one: tests/cli/test_NAME.sh)
test-cli: all $(O)/cli/fault.so $(O)/cli/kill.so $(O)/cli/finalize.so
	$(Q)HEDDLE="$$PWD/$(O)/heddle" FAULT="$$PWD/$(O)/cli/fault.so" tests/cli/run.sh $(CLI_SH)
