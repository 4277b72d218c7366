#!/bin/sh
# Synthesises hd_switch with Yosys, generic and for iCE40, and prints the cells.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tb/synth.sh [-o DIR] [PARAMETER=VALUE ...]    netlists and logs go to DIR (build/synth)
set -u
out=build/synth
if [ "${1-}" = -o ]; then
  out=$2
  shift 2
fi
cd "$(dirname "$0")/.." && mkdir -p "$out" || exit 2
command -v yosys >/dev/null || { echo "SKIP synth: yosys is missing (package yosys)"; exit 0; }
files=$(grep -v '^//' rtl/heddle.f | tr '\n' ' ')
sets=
for p in "$@"; do sets="$sets -set ${p%%=*} ${p#*=}"; done
read="read_verilog $files; chparam $sets hd_switch"
bad=0
yosys -q -l "$out/generic.log" -p "$read; synth -flatten -top hd_switch; abc -lut 3; opt_clean; \
  check -assert; tee -o $out/generic.stat stat; write_verilog -noattr $out/generic.v" >/dev/null 2>&1 || bad=1
yosys -q -l "$out/ice40.log" -p "$read; synth_ice40 -top hd_switch; \
  tee -o $out/ice40.stat stat" >/dev/null 2>&1 || bad=1
[ $bad = 0 ] || { echo "not ok synth: see $out"; tail -3 "$out"/*.log; exit 1; }
count() { awk -v pattern="$2" '$1 ~ pattern { n += $2 } END { print n + 0 }' "$out/$1.stat"; }
echo "ok synth generic $*: $(count generic lut) LUT3, $(count generic DFF) flip-flops"
echo "ok synth iCE40 $*: $(count ice40 '^SB_LUT4$') SB_LUT4, $(count ice40 '^SB_DFF') flip-flops, \
$(count ice40 '^SB_CARRY$') carries, $(count ice40 '^SB_RAM') block RAMs"
