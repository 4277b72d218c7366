#!/bin/sh
# Makes an SVG of a drawing in DOT, on standard output, with the licence's line and without Graphviz' version.
# SPDX-License-Identifier: Apache-2.0
#
# usage: docs/site/drawing.sh FILE.dot
set -eu
dot -Tsvg "$1" | awk -v source="${1##*/}" '
  /^<svg/ { shown = 1; print "<!-- Made from " source " by make drawings. -->\n<!-- SPDX-License-Identifier: Apache-2.0 -->" }
  /^<!--/ { next }
  shown'
