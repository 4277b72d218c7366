#!/usr/bin/env bash
# Decompiles a bitstream of `make fpga` and holds it against the contract, so that the specified switch is flashed.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/fpga/run.sh STEM    STEM.asc, .bin, .pcf: hx8k-small of fpga/builds.txt
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

line=tests/fpga/small-4.yaml
verdict "the model runs" heddle 0 model $line --dut model
verdict "the packed file, as it is flashed, agrees on four virtual boards" \
  heddle 0 bin $line --dut "bitstream:$stem.bin"
verdict "one digest: $(digest model)" same model bin
ladder() {
  "$HEDDLE" board check "virtual:$stem.bin" --quick --soak 2 >"$work/log" 2>&1 </dev/null &&
    grep -q '^ok    soak' "$work/log" && grep -q '^ok    preemption, barriers' "$work/log"
}
verdict "the ladder of board tests holds on it" ladder

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
# A divergence, where only the switch is hit; a board that says strange things or nothing, where the link is.
found() {
  local rc=0
  "$HEDDLE" run "$line" --dut "bitstream:$work/planted.asc,patience=3000" --out "$work/planted" >"$work/log" 2>&1 \
    </dev/null || rc=$?
  [ "$rc" = 3 ] && return
  [ "$rc" = 2 ] || [ "$rc" = 6 ] || return
  grep -q 'no answer from a board\|is no Heddle board\|impossible properties\|another switch than\|other sources\|does not repeat itself\|contradicts itself\|board refused\|understood the stimulus\|board played\|answer to a run\|speaks version\|did not answer\|cannot be read' \
    "$work/log"
}
verdict "a bitstream with LUTs turned over is found" found

verdict "a bitstream of another switch is refused" heddle 2 other tests/fpga/line-4.yaml \
  --dut "bitstream:$stem.bin"
verdict "and named" grep -q "another switch than the scenario: .*register NODES reads 0x0004, needed is 0x0010" "$work/log"
cp -r rtl "$work/rtl" && echo "// changed" >>"$work/rtl/hd_switch.v"
verdict "a bitstream of other sources is refused" heddle 2 sources $line --dut "bitstream:$stem.bin,rtl=$work/rtl"
verdict "and says so" grep -q "built from other sources" "$work/log"
verdict "a bitstream that is not there is named" heddle 6 none $line --dut "bitstream:$work/none.asc"

# Lines that no board could read are refused before anything is built: 12 MHz at so many baud.
mkdir "$work/tree" && cp -r fpga rtl "$work/tree"
refused() {
  sed -i "/^hx8k-small /s/| [0-9]* | PORTS/| $1 | PORTS/" "$work/tree/fpga/builds.txt"
  ! HEDDLE=$(realpath "$HEDDLE") "$work/tree/fpga/build.sh" -o "$work/tree/out" hx8k-small >"$work/log" 2>&1 &&
    grep -q "^not ok fpga hx8k-small: .*$2" "$work/log" && ! grep -q '^building' "$work/log"
}
verdict "a baud rate that leaves less than 4 clocks a bit is refused" refused 6000000 "leave 2 clocks of 12 MHz"
verdict "one that no divisor meets is refused" refused 2700000 "no divisor for 2700000 baud"
# Parameters come from fpga/builds.txt alone.
twice() {
  sed -i '/^hx8k-small /s/| [0-9]* | PORTS/| 3000000 | PORTS/' "$work/tree/fpga/builds.txt"
  sed -i 's/  hd_board board/  hd_board #(.NODES(8)) board/' "$work/tree/fpga/hx8k/hx8k_top.v"
  ! HEDDLE=$(realpath "$HEDDLE") "$work/tree/fpga/build.sh" -o "$work/tree/out" hx8k-small >"$work/log" 2>&1 &&
    grep -q "^not ok fpga hx8k-small: .*yosys failed" "$work/log" && grep -q 'selection is empty: hd_board' "$work/log"
}
verdict "a top that sets parameters, too, is refused" twice

# Boards whose tools are not here are at least read: tops, clock buffers and parameters.
verdict "the modules of every build fit together" env HEDDLE="$HEDDLE" fpga/build.sh -e -o "$work/read"
no_such_build() {
  "$work/tree/fpga/build.sh" -e -o "$work/out" arty hx8k-smal >"$work/log" 2>&1
  [ $? = 2 ] && grep -q 'there is no build hx8k-smal; fpga/builds.txt has hx8k-line hx8k-small' "$work/log"
}
verdict "a name that no build has is refused, and those there are are told" no_such_build
# A constraint whose cell is not there constrains nothing, and Vivado goes on.
constraints() {
  sed -i '/^arty /s/| [A-Z_]*=.*/| PORTS=2 VCS=1 DATA_W=16 DEPTH=2 NODES=2 BARRIER=0 SWITCHES=2 IN_WORDS=512 OUT_WORDS=512/' "$work/tree/fpga/builds.txt"
  HEDDLE=$(realpath "$HEDDLE") "$work/tree/fpga/build.sh" -o "$work/arty" arty >"$work/log" 2>&1 || return
  local cell found=0
  while read -r cell; do
    found=$((found + 1))
    grep -q "(instance (rename [a-z0-9]* \"$cell\"" "$work/arty/arty.edf" || { echo "arty.xdc: no cell $cell" >>"$work/log"; return 1; }
  done < <(sed '/^#/d' fpga/arty/arty.xdc | grep -oE 'NAME =~ [^}/]*|get_pins [a-z][^]/]*' |
    sed 's/.* //; s/[].[]/\\&/g; s/\*/.*/g')
  [ "$found" -ge 4 ]
}
verdict "the constraints of the Arty name cells that it has" constraints
unknown_cell() {
  sed -i 's/  BUFG /  BUFX /' "$work/tree/fpga/link/hd_clock_buffer.v"
  ! HEDDLE=$(realpath "$HEDDLE") "$work/tree/fpga/build.sh" -e -o "$work/out" arty >"$work/log" 2>&1 &&
    grep -q '^not ok fpga arty: ' "$work/log" && grep -q 'BUFX.*is not part of the design' "$work/log"
}
verdict "a cell that the family does not have is refused" unknown_cell
exit $bad
