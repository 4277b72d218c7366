# make install: the command, and what it builds backends from.
# SPDX-License-Identifier: Apache-2.0
PREFIX ?= /usr/local
DESTDIR ?=
INSTALL_TO = $(DESTDIR)$(PREFIX)
# What a backend or a program of one's own includes, and what that includes.
INSTALL_H := bridge/dut.h cmodel/error.h cmodel/port_event.h cmodel/switch/params.h cmodel/switch/registers.h \
  sw/endpoint.h
INSTALL_RTL := $(wildcard rtl/*.v rtl/*.vh)
INSTALL_EXAMPLES := $(wildcard tests/scenarios/*)
# Puts $(1) below $(2), each where it is in the tree.
install_tree = for f in $(1); do install -D -m "$$(test -x "$$f" && echo 755 || echo 644)" "$$f" "$(2)/$$f" || exit; done

.PHONY: install
## install: the command, its sources and headers below PREFIX (/usr/local), in DESTDIR if that is given
install: $(O)/heddle
	$(Q)install -D $(O)/heddle "$(INSTALL_TO)/bin/heddle"
	$(Q)test ! -e $(O)/hd_mpi.so || install -D -m 644 $(O)/hd_mpi.so "$(INSTALL_TO)/lib/heddle/hd_mpi.so"
	$(Q)$(call install_tree,$(INSTALL_RTL) $(MANIFEST),$(INSTALL_TO)/share/heddle)
	$(Q)install -D -m 644 -t "$(INSTALL_TO)/share/heddle/scenarios" $(INSTALL_EXAMPLES)
	$(Q)$(call install_tree,$(INSTALL_H),$(INSTALL_TO)/include/heddle)
