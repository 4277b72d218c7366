# A Debian package of what make install installs.
# SPDX-License-Identifier: Apache-2.0
VERSION = $(shell sed -n 's/.*HD_VERSION "\(.*\)"/\1/p' bridge/version.h)
.PHONY: deb
## deb: a package for Debian 12, build/deb/heddle_VERSION_ARCHITECTURE.deb (DEBFULLNAME, DEBEMAIL: whose it is)
deb: $(O)/heddle
	$(Q)rm -rf $(B)/deb
	$(Q)$(MAKE) --no-print-directory install DESTDIR="$$PWD/$(B)/deb/root" PREFIX=/usr
	$(Q)mk/deb.sh $(B)/deb $(VERSION)
