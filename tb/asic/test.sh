#!/usr/bin/env bash
# Area, clock and power of make asic, in a cell library whose figures are round numbers.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tb/asic/test.sh [-o DIRECTORY]
set -u
out=build/asic-test
[ "${1-}" != -o ] || out=$2
for tool in yosys sta; do
  command -v $tool >/dev/null || { echo "SKIP asic: $tool is missing (package ${tool/#sta/opensta})"; exit 0; }
done
mkdir -p "$out"
switch="PORTS=2 VCS=1 NODES=4 DEPTH=2"
failed=0

# measure NAME LIBERTY [OPTION ...]: a row of asic.csv in $out/NAME
measure() {
  # shellcheck disable=SC2086 # a word for each parameter
  tb/asic/asic.py -o "$out/$1" "${@:3}" "$2" $switch >"$out/$1.log" 2>&1
}

# value NAME COLUMN
value() {
  awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i } NR == 2 { print $column }' "$out/$1/asic.csv"
}

# holds WHAT CONDITION: an expression of awk
holds() {
  if awk "BEGIN { exit !($2) }" 2>/dev/null; then
    echo "ok asic: $1"
  else
    echo "not ok asic: $1: $2, see $out"
    failed=1
  fi
}

# activity PORT DUTY CHANGES: SAIF of 100 cycles in which each of the port's 32 bits changes so often
activity() {
  printf '(SAIFILE (SAIFVERSION "2.0") (DURATION 100000) (INSTANCE hd_switch (NET\n'
  for ((i = 0; i < 32; i++)); do
    printf ' (%s\\[%d\\] (T0 %d) (T1 %d) (TX 0) (TC %d))\n' "$1" $i $((100000 - $2 * 1000)) $(($2 * 1000)) "$3"
  done
  printf ' )))\n'
}

measure one tb/asic/small.lib || { cat "$out/one.log"; echo "not ok asic: no figures"; exit 1; }
# The netlist's cells, each with the area that the library gives it.
area=$(awk 'NR == FNR { if ($1 == "cell") { gsub(/[()]/, "", $2); name = $2 } else if ($1 == "area") { sub(/;/, "", $3); of[name] = $3 } next }
  $1 in of { sum += of[$1] } END { print sum }' tb/asic/small.lib "$out/one/own.v")
holds "the area is that of the netlist's cells" "$(value one area_um2) == $area"
holds "a gate is a NAND2 of 1.5 um2" "$(value one gate_equivalents) == int($area / 1.5 + 0.5)"
# All delays twice as long: cells, flip-flops and setup.
awk '/cell_rise|cell_fall|_constraint/ { while (match($0, /values \("[0-9.]+"/)) {
    v = substr($0, RSTART + 9, RLENGTH - 10); printf "%sVALUES (\"%s\"", substr($0, 1, RSTART - 1), 2 * v; $0 = substr($0, RSTART + RLENGTH) } }
  { print }' tb/asic/small.lib | sed 's/VALUES/values/g' >"$out/slow.lib"
measure slow "$out/slow.lib"
holds "twice the delay is half the clock, but for what synthesis does then" "$(value slow mhz) < 0.6 * $(value one mhz) && $(value slow mhz) > 0.4 * $(value one mhz)"
activity in_data_i 50 0 >"$out/still.saif"
activity in_data_i 50 100 >"$out/busy.saif"
# Outputs of a switch are flip-flops.
activity out_data_o 50 0 >"$out/held.saif"
activity out_data_o 50 100 >"$out/sent.saif"
measure still tb/asic/small.lib -a "$out/still.saif" -c 100
measure busy tb/asic/small.lib -a "$out/busy.saif" -c 100
measure fast tb/asic/small.lib -a "$out/busy.saif" -c 200
holds "inputs that change take more power" "$(value busy power_mw) > 1.02 * $(value still power_mw)"
measure held tb/asic/small.lib -a "$out/held.saif" -c 100
measure sent tb/asic/small.lib -a "$out/sent.saif" -c 100
holds "so do flip-flops that change" "$(value sent power_mw) > 1.02 * $(value held power_mw)"
# 32 bits are known of the inputs but clk, whose widths the netlist has, and the flip-flops.
inputs=$(awk '$1 == "input" { n += 1; if (match($2, /[0-9]+/)) n += substr($2, RSTART, RLENGTH) } END { print n - 1 }' "$out/busy/own.v")
holds "the share that is known is said" "$(value busy activity_known) == int(32000 / ($inputs + $(value busy flip_flops)) + 0.5) / 1000"
holds "so does twice the clock" "$(value fast power_mw) > 1.5 * $(value busy power_mw)"
sed 's/in_data_i/of_another/' "$out/busy.saif" >"$out/other.saif"

# refused WHAT NAME MESSAGE ARGUMENT ...: asic.py fails with this message
refused() {
  if tb/asic/asic.py -o "$out/$2" "${@:4}" >"$out/$2.log" 2>&1 || ! grep -q -- "$3" "$out/$2.log"; then
    echo "not ok asic: $1 is taken, or another reason told, see $out/$2.log"
    failed=1
  else
    echo "ok asic: $1 is refused"
  fi
}
# shellcheck disable=SC2086 # a word for each parameter
refused "the activity of another switch" other "has no net of this switch" -a "$out/other.saif" tb/asic/small.lib $switch
refused "a library that is not there" none "there is no such file" "$out/none.lib"
refused "a set that is not there, beside one that is," misspelt "there is no set plian; tb/timing/sets.txt has plain " \
  tb/asic/small.lib mesh plian
refused "a parameter that no switch has" parameter "ERROR: .*NOPE" tb/asic/small.lib NOPE=3
exit $failed
