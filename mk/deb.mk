# Builds a Debian package of the files that make install installs.
# SPDX-License-Identifier: Apache-2.0
VERSION = $(shell sed -n 's/.*HD_VERSION "\(.*\)"/\1/p' bridge/version.h)
.PHONY: deb
## deb: build a package for Debian 12, build/deb/heddle_VERSION_ARCHITECTURE.deb (DEBFULLNAME, DEBEMAIL: its maintainer)
deb: $(O)/heddle
	$(Q)rm -rf $(B)/deb
	$(Q)$(MAKE) --no-print-directory install DESTDIR="$$PWD/$(B)/deb/root" PREFIX=/usr
	$(Q)mk/deb.sh $(B)/deb $(VERSION)
