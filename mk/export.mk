# Tests exported fabrics with other tools (docs/export.md).
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-export
## test-export: test an exported network with cocotbext-axi's sources and sinks, and with FuseSoC; these come from PyPI into build/export
test-export: $(O)/heddle
	$(Q)tests/export/test.sh
