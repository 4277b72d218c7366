#!/bin/sh
# Builds bitstreams for iCE40 boards and prints what they take.
# SPDX-License-Identifier: Apache-2.0
#
# usage: fpga/build.sh [-o DIR] [NAME ...]    builds of fpga/builds.txt (default: all)
#
# For each: DIR/NAME.asc, .bin (what is flashed), .pcf, .json (netlist), logs, and NAME.result.json;
# then a table of all, as text and in DIR/results.csv, .json and .md. What is newer than its sources
# is not built again. Ends with 1 when a build fails or timing is not met, in which case nextpnr
# writes no bitstream. nextpnr's seed is fixed: the same sources give the same bits.
set -u
out=build/fpga
if [ "${1-}" = -o ]; then
  out=$2
  shift 2
fi
cd "$(dirname "$0")/.." && mkdir -p "$out" || exit 2
for tool in yosys:yosys nextpnr-ice40:nextpnr-ice40 icepack:fpga-icestorm python3:python3-minimal; do
  command -v "${tool%:*}" >/dev/null && continue
  echo "SKIP fpga: ${tool%:*} is missing (package ${tool#*:})"
  exit 0
done
rtl=$(grep -v '^//' rtl/heddle.f | tr '\n' ' ')
seed=1
bad=0
built=

# must NAME STEP COMMAND ...: output to a log, whose end is shown on failure
must() {
  log=$out/$1.$2.log
  shift 2
  "$@" >"$log" 2>&1 && return
  echo "not ok fpga $name: $1 failed, log: $log"
  grep -a -E 'ERROR|Error' "$log" | tail -3
  bad=1
  return 1
}

while IFS='|' read -r name top device package mhz parameters; do
  name=$(echo "$name" | tr -d ' ')
  case $name in '' | '#'*) continue ;; esac
  [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
  top=$(echo "$top" | tr -d ' ') device=$(echo "$device" | tr -d ' ')
  package=$(echo "$package" | tr -d ' ') mhz=$(echo "$mhz" | tr -d ' ')
  files="$rtl fpga/step/hd_step_core.v fpga/step/${top}_top.v"
  # What the bits depend on; the switch's build hash is its first 32 bits.
  # shellcheck disable=SC2086
  hash=$({ cat $files "fpga/step/$top.pcf"; echo "$device $package $mhz $seed $parameters"
    yosys -V; nextpnr-ice40 --version 2>&1; } | sha256sum | cut -c1-16)
  built="$built $name"
  if [ "$(cat "$out/$name.hash" 2>/dev/null)" = "$hash" ] && [ -s "$out/$name.bin" ]; then
    continue
  fi
  rm -f "$out/$name".*
  sets="-set BUILD $((0x$(echo "$hash" | cut -c1-8)))"
  for p in $parameters; do sets="$sets -set ${p%%=*} ${p#*=}"; done
  cp "fpga/step/$top.pcf" "$out/$name.pcf"
  echo "building $name: $parameters"
  must "$name" yosys yosys -q -p "read_verilog $files; chparam $sets ${top}_top; synth_ice40 -top ${top}_top \
    -json $out/$name.json; tee -o $out/$name.stat stat" || continue
  must "$name" nextpnr nextpnr-ice40 "--$device" --package "$package" --json "$out/$name.json" \
    --pcf "$out/$name.pcf" --asc "$out/$name.asc" --freq "$mhz" --seed $seed \
    --report "$out/$name.report.json" || continue
  must "$name" icepack icepack "$out/$name.asc" "$out/$name.bin" || continue
  fpga/report.py result "$out" "$name" "$device" "$mhz" "$hash" "$parameters" || { bad=1; continue; }
  echo "$hash" >"$out/$name.hash"
done <fpga/builds.txt
if [ -z "$built" ]; then
  echo "fpga/build.sh: none of these is in fpga/builds.txt: $*" >&2
  exit 2
fi
# shellcheck disable=SC2086
fpga/report.py table "$out" $built || bad=1
exit $bad
