#!/usr/bin/env bash
# heddle board speed: a fabric at speed on a virtual board; planted bugs are named with window, cycle and switch.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
bugs=$root/tests/cli/speed/bugs.txt
if ! command -v verilator_bin >/dev/null; then
  skip "a fabric at speed" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
export HEDDLE_UNOPTIMISED=1
scenario speed.yaml 'fabric: {topology: mesh, dims: [2, 2], link_cycles: 2}' \
  'software: {program: chip-traffic, parameters: {load_256: 96}}' 'run: {cycles: 20000}'
scenario barrier.yaml 'fabric: {topology: mesh, dims: [2, 2], link_cycles: 2}' 'switch: {barrier: any, groups: 2}' \
  'software: {program: chip-traffic, parameters: {load_256: 96, gap_bits: 5}}' 'run: {cycles: 20000}'
scenario other.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'software: {program: uniform}' 'run: {cycles: 2000}'
exits 2 "another program" "$HEDDLE" board speed other.yaml --out never
says err "software.program" "is refused"
exits 2 "a window that is too long" "$HEDDLE" board speed speed.yaml --window 21 --out never
exits 2 "sources that send nothing" "$HEDDLE" board speed speed.yaml --set software.parameters.load_256=0 --out never
says err "software.program: load_256 is 0; without packets signatures say nothing" "are refused"

# planted RTL: all bugs, of which planted.hex chooses one
mkdir -p rtl && cp "$root"/rtl/*.v rtl
while IFS='|' read -r number module what change; do
  case $number in '' | '#'*) continue ;; esac
  module=${module// /}
  before=$(cat "rtl/$module.v")
  chosen="(planted[0] == 8'd${number// /})"
  sed -i "${change//BUG/$chosen}" "rtl/$module.v"
  [ "$before" != "$(cat "rtl/$module.v")" ] || not_ok "bug $number:$what" "it changes nothing"
  # shellcheck disable=SC2016 # Verilog
  grep -q planted.hex "rtl/$module.v" ||
    sed -i '0,/^);/s//);\n  reg [7:0] planted[0:0];\n  initial $readmemh("planted.hex", planted);/' "rtl/$module.v"
done <"$bugs"

# field FILE KEY: prints a number from the output of heddle board speed
field() { sed -nE "s/^ *\"$2\": (\"?)([^\",]*)\1,?\$/\2/p" "$1" | head -1; }
# at_speed OUT SCENARIO: runs the scenario on the board with the bugs
at_speed() {
  local out=$1 scenario=$2
  shift 2
  "$HEDDLE" board speed "$scenario" --rtl rtl --out "$out" --json "$@" >"$out.json" 2>err
}

echo 00 >planted.hex
exits 0 "without a bug all signatures are the model's" "$HEDDLE" board speed speed.yaml --rtl rtl --out right
says out "all signatures that were compared are the model's" "is told"
says out "2 of 2 windows of 2^14 cycles: 32768 cycles, 24 signatures each" "with how many were compared"
check "and traffic went through" sh -c "sed -n 's/.*; \([0-9]*\) packets sent.*/\1/p' out | grep -q '^[0-9]\{4\}'"
rest
exits 0 "nor do switches with barrier units differ" "$HEDDLE" board speed barrier.yaml --rtl rtl --out barriers --json
check "and barriers ended" test "$(field out barriers)" -ge 300
exits 2 "switches whose messages go through the buffers" "$HEDDLE" board speed barrier.yaml --out never --set switch.barrier=queued
says err "switch.barrier: nodes on chip send messages that pass beside" "are refused"
exits 11 "a cycle in which nothing is sent" "$HEDDLE" board speed speed.yaml --rtl rtl --out idle --cycles 1 --window 0
says out "speed.yaml: nothing was compared: no packet was sent in these cycles" "is told"
exits 6 "windows that are too short for the line" "$HEDDLE" board speed speed.yaml --rtl rtl --out short --window 6
says out "overrun" "are told, and no pass"

# ── RTL with SystemVerilog, and with a file that it includes ───────────────────────
mkdir -p sv/inc && cp "$root"/rtl/*.v sv && mv sv/hd_rr_arbiter.v sv/hd_rr_arbiter.sv
# shellcheck disable=SC2016 # Verilog
sed -i '1i `include "nothing.vh"' sv/hd_rr_arbiter.sv && echo '`define HD_NOTHING' >sv/inc/nothing.vh
exits 0 "a board of such RTL is built" "$HEDDLE" board speed speed.yaml --rtl sv --out sv_board

# ── a run that is interrupted ────────────────────────────────────────────────────
"$HEDDLE" board speed speed.yaml --rtl rtl --out interrupted --cycles 4000000000 >out 2>err &
pid=$!
wait_until "$pid" grep -q ' of 244141 windows of 2^14 cycles, ' err
kill -INT "$pid"
wait "$pid"
equal $? 130 "a run that is interrupted ends so"
says err "of 244141 windows of 2^14 cycles were compared, without a difference" "and tells how far it came"

# ── a file instead of the model ──────────────────────────────────────────────────
exits 0 "signatures are recorded" "$HEDDLE" board speed speed.yaml --rtl rtl --out record --record right.txt
exits 0 "and compared with" "$HEDDLE" board speed speed.yaml --rtl rtl --out against --against right.txt
says out "all signatures that were compared are those of the file" "which is told"
exits 2 "more cycles than were recorded" "$HEDDLE" board speed speed.yaml --rtl rtl --out more --against right.txt --cycles 40000
says err "ends before the windows do" "are refused"
sed '3s/^./x/' right.txt >broken.txt
exits 2 "a file that is broken" "$HEDDLE" board speed speed.yaml --rtl rtl --out broken --against broken.txt
sed '3s/^........ /12345678 /' right.txt >wrong.txt
exits 3 "a file that is not right" "$HEDDLE" board speed speed.yaml --rtl rtl --out wrong --against wrong.txt
says out "but it is the model's: that file is of another scenario" "is told from a wrong board"
echo 02 >planted.hex
exits 3 "a bug is found by a file" "$HEDDLE" board speed speed.yaml --rtl rtl --out by_file --against right.txt
says out "DIVERGENCE in window 0" "and the model narrows it"

found=0 listed=0
while IFS='|' read -r number module what _; do
  case $number in '' | '#'*) continue ;; esac
  number=${number// /} listed=$((listed + 1))
  printf '%02x\n' "$number" >planted.hex
  case $module in
    *hd_barrier* | *hd_status*) scenario=barrier.yaml ;;
    *) scenario=speed.yaml ;;
  esac
  at_speed "bug$number" $scenario
  code=$? json=bug$number.json
  cycle=$(field "$json" cycle) window=$(field "$json" window) switch=$(field "$json" switch)
  if [ $code != 3 ] || [ -z "$switch" ] || [ $((cycle >> 14)) != "$window" ]; then
    not_ok "bug $number:$what" "exit code $code, window $window, cycle $cycle, switch $switch"
    continue
  fi
  # Finds the divergence in another way: replays each switch alone, in the same cycles.
  "$HEDDLE" run $scenario --rtl rtl --dut verilator --set software.parameters.cycles=0 --cycles $((cycle + 4)) \
    --out "alone$number" --no-html >alone 2>&1
  alone=$?
  case $module in
    *hd_link*)
      if [ $alone = 3 ]; then not_ok "bug $number:$what" "a switch alone has it, too"; continue; fi
      ;;
    *)
      read -r first at <<<"$(sed -n 's/.*differ first in cycle \([0-9]*\): switch \([0-9]*\).*/\1 \2/p' "alone$number/report.json")"
      if [ $alone != 3 ] || [ "$first" != $((cycle + 1)) ] || [ "$at" != "$switch" ]; then
        not_ok "bug $number:$what" "cycle $cycle of switch $switch, alone cycle $first of switch $at (exit code $alone)"
        continue
      fi
      ;;
  esac
  found=$((found + 1))
  ok "bug $number in$module:$what: window $window, cycle $cycle, switch $switch"
done <"$bugs"
check "$found of $listed bugs are found" test "$found" -ge 20 -a "$found" = "$listed"

# waves of the cycle, by the printed command
if command -v iverilog >/dev/null; then
  echo 02 >planted.hex
  exits 3 "a bug once more, as text" "$HEDDLE" board speed speed.yaml --rtl rtl --out text
  says out "DIVERGENCE in window" "is told"
  line=$(sed -n 's/^  waves  *//p' out) dumps=$PWD/text/fabric/fabric.vcd
  cp planted.hex text/fabric
  exits 0 "the command for waves" sh -c "$line"
  check "writes waves" test -s "$dumps"
else
  skip "waves" "iverilog is missing, install the package iverilog"
fi
summary
