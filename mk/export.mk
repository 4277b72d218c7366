# Exported fabrics in tools of others (docs/export.md).
# SPDX-License-Identifier: Apache-2.0
.PHONY: test-export
## test-export: an exported network by cocotbext-axi's sources and sinks, and by FuseSoC; they come from PyPI into build/export
test-export: $(O)/heddle
	$(Q)tests/export/test.sh
