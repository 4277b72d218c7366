# Heddle: hardware-in-the-loop co-simulation of interconnection-network switches.
# SPDX-License-Identifier: Apache-2.0
# `make help` lists the targets. Everything that is made goes under build/.
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all
B := build
include mk/c.mk
include $(filter-out mk/c.mk,$(wildcard mk/*.mk))
