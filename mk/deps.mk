# Installs the Debian packages that Heddle needs.
# SPDX-License-Identifier: Apache-2.0
.PHONY: deps deps-run
## deps: install the Debian packages that are missing (root or sudo); no network when none is
deps:
	$(Q)mk/deps.sh

deps-run:
	$(Q)mk/deps.sh --run
