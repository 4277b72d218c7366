# Installs the Debian packages that Heddle needs.
# SPDX-License-Identifier: Apache-2.0
.PHONY: deps deps-run
## deps: install the Debian packages that are missing (needs root or sudo); uses no network if none is missing
deps:
	$(Q)mk/deps.sh

deps-run:
	$(Q)mk/deps.sh --run
