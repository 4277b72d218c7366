#!/usr/bin/env bash
# What will be flashed is what was specified: a bitstream of `make fpga`, decompiled, under the contract.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/fpga/run.sh STEM    STEM.asc, .bin, .pcf: step-line of fpga/builds.txt
# shellcheck disable=SC2317 # functions are called by way of verdict
set -u
cd "$(dirname "$0")/../.." || exit 2
HEDDLE=${HEDDLE:-build/opt/heddle}
stem=$1
for tool in icepack:fpga-icestorm nextpnr-ice40:nextpnr-ice40 yosys:yosys; do
  command -v "${tool%:*}" >/dev/null && continue
  echo "SKIP fpga run: ${tool%:*} is missing (package ${tool#*:})"
  exit 0
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0

# verdict WHAT CONDITION...
verdict() {
  local what=$1
  shift
  if "$@"; then
    echo "ok fpga run: $what"
  else
    echo "not ok fpga run: $what"
    sed 's/^/  | /' "$work/log" | tail -8
    bad=1
  fi
}

# heddle EXIT RUN OPTION...: the command ends so
heddle() {
  local code=$1 run=$2 rc=0
  shift 2
  "$HEDDLE" run "$@" --out "$work/$run" >"$work/log" 2>&1 </dev/null || rc=$?
  [ "$rc" = "$code" ]
}
digest() {
  sed -nE 's/^  "digest": "(.*)",$/\1/p' "$work/$1/report.json"
}
same() {
  [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ]
}

line=tests/fpga/line-16.yaml
verdict "the model runs" heddle 0 model $line --dut model
verdict "the bitstream agrees with its model" heddle 0 asc $line --dut "bitstream:$stem.asc"
verdict "one digest: $(digest model)" same model asc
verdict "the packed file, as it is flashed, agrees" heddle 0 bin $line --dut "bitstream:$stem.bin"
verdict "one digest again" same model bin

verdict "the netlist agrees" heddle 0 netlist $line --dut netlist
verdict "one digest on the netlist" same model netlist

# Other bits must be found: half of the table of the first LUT in every tenth logic tile is turned over,
# bits 36 to 43 of its first row, where bit 45 says that a flip-flop follows (so no loop comes of it).
cp "$stem.pcf" "$work/planted.pcf"
awk '/^\./ { row = 0; tiles += /^\.logic_tile/; planted = /^\.logic_tile/ && tiles % 10 == 0; print; next }
  planted && row++ == 0 && substr($0, 46, 1) == "1" {
    part = substr($0, 37, 8)
    gsub(/0/, "x", part)
    gsub(/1/, "0", part)
    gsub(/x/, "1", part)
    print substr($0, 1, 36) part substr($0, 45)
    next
  }
  { print }' "$stem.asc" >"$work/planted.asc"
found() {
  heddle 3 planted "$line" --dut "bitstream:$work/planted.asc" || grep -q "not the scenario's switch" "$work/log"
}
verdict "a bitstream with LUTs turned over is found" found

verdict "a bitstream of another switch is refused" heddle 2 other tests/fpga/line-15.yaml \
  --dut "bitstream:$stem.asc"
verdict "a bitstream that is not there is named" heddle 6 none $line --dut "bitstream:$work/none.asc"
exit $bad
