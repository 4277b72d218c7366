#!/usr/bin/env bash
# Makes a picture of a run's waves as GTKWave shows them, without a display.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/waves/picture.sh RUN PICTURE.png
# RUN is the directory that `heddle run` wrote at a divergence. Prints what GTKWave shows (tests/waves/look.tcl): lines that
# begin with LOOK.
set -eu
if [ $# != 2 ]; then
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
fi
for tool in gtkwave xvfb-run; do
  command -v "$tool" >/dev/null || {
    echo "$tool is missing: install the package $([ $tool = gtkwave ] && echo gtkwave || echo xvfb)" >&2
    exit 7
  }
done
save=$(realpath -e "$1/waves.gtkw")
script=$(realpath -e "$(dirname "$0")/look.tcl")
HD_PICTURE=$(realpath -m "$2")
export HD_PICTURE
rm -f "$HD_PICTURE" # otherwise GTKWave would ask

home=$(mktemp -d) # without settings of the user
trap 'rm -rf "$home"' EXIT
cd /              # the result must not depend on the working directory
HOME=$home timeout -k 5 300 xvfb-run -a -s '-screen 0 1920x1080x24' \
  gtkwave -S "$script" "$save" >"$home/log" 2>&1 || true
grep '^LOOK ' "$home/log" || true
if [ ! -s "$HD_PICTURE" ]; then
  cat "$home/log" >&2
  echo "GTKWave made no picture" >&2
  exit 1
fi
