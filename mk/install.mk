# make install: installs the command, the sources of backends, man pages, completion and pkg-config files.
# SPDX-License-Identifier: Apache-2.0
PREFIX ?= /usr/local
DESTDIR ?=
INSTALL_TO = $(DESTDIR)$(PREFIX)
INSTALL_RTL := $(wildcard rtl/*.v rtl/*.vh)
INSTALL_STATEMENTS := $(wildcard bridge/studies/*/statements.txt)
INSTALL_EXAMPLES := $(wildcard tests/scenarios/*)
# Installs the files $(1) in $(2), with the paths that they have in the tree.
install_tree = for f in $(1); do install -D -m "$$(test -x "$$f" && echo 755 || echo 644)" "$$f" "$(2)/$$f" || exit; done

# $(1): name, $(2): what its headers are for, $(3): its header, $(4): linker flags. The prefix follows from the path of the
# file itself.
define pkg_config
prefix=$${pcfiledir}/../..
header=$(3)

Name: $(1)
Description: $(2)
Version: $(VERSION)
Cflags: -I$${prefix}/include
$(if $(4),Libs: $(4))
endef
export PC_DUT = $(call pkg_config,heddle-dut,a backend of Heddle as a shared object,heddle/bridge/dut.h)
export PC_ENDPOINT = $(call pkg_config,heddle-endpoint,endpoint software of Heddle,heddle/sw/endpoint.h)
export PC_WATCH = $(call pkg_config,heddle-watch,the rules at ports of Heddle for a bench of your own,heddle/bridge/watch/port_watch.h,-L$${prefix}/lib -lhd_watch)

.PHONY: man install
## man: make the man pages from --help, in build/opt/man
man: $(O)/heddle
	$(Q)rm -rf $(O)/man
	$(Q)mk/man.sh $(O)/heddle $(O)/man

## install: install the command, its sources and headers in PREFIX (/usr/local), under DESTDIR if that is set
install: $(O)/heddle $(WATCH_LIB) $(WATCH_SO) man
	$(Q)install -D $(O)/heddle "$(INSTALL_TO)/bin/heddle"
	$(Q)for so in hd_mpi hd_record hd_igraph hd_cgraph; do test ! -e $(O)/$$so.so || install -D -m 644 $(O)/$$so.so "$(INSTALL_TO)/lib/heddle/$$so.so" || exit; done
	$(Q)$(call install_tree,$(INSTALL_RTL) $(MANIFEST) $(INSTALL_STATEMENTS),$(INSTALL_TO)/share/heddle)
	$(Q)install -D -m 644 -t "$(INSTALL_TO)/share/heddle/scenarios" $(INSTALL_EXAMPLES)
	$(Q)install -D -m 644 -t "$(INSTALL_TO)/share/heddle" tb/formal.txt tb/instances.txt
	$(Q)$(call install_tree,$(API_H) $(WATCH_H),$(INSTALL_TO)/include/heddle)
	$(Q)install -D -m 644 $(WATCH_LIB) "$(INSTALL_TO)/lib/libhd_watch.a"
	$(Q)install -D -m 644 $(WATCH_SO) "$(INSTALL_TO)/lib/heddle/libhd_watch.so"
	$(Q)install -D -m 644 -t "$(INSTALL_TO)/share/heddle/monitors" $(MONITORS)
	$(Q)install -D -m 644 -t "$(INSTALL_TO)/share/man/man1" $(O)/man/*.1
	$(Q)install -D -m 644 bridge/cli/completion.bash "$(INSTALL_TO)/share/bash-completion/completions/heddle"
	$(Q)install -d "$(INSTALL_TO)/share/pkgconfig"
	$(Q)echo "$$PC_DUT" >"$(INSTALL_TO)/share/pkgconfig/heddle-dut.pc"
	$(Q)echo "$$PC_WATCH" >"$(INSTALL_TO)/share/pkgconfig/heddle-watch.pc"
	$(Q)echo "$$PC_ENDPOINT" >"$(INSTALL_TO)/share/pkgconfig/heddle-endpoint.pc"
