#!/usr/bin/env bash
# RTL that includes files from other directories and sub-directories: it is built, and built again when a file changes.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
odd="a \"b\" dir"
mkdir -p "$odd/elsewhere"
cp -r "$root/rtl" "$odd/rtl"
mkdir "$odd/rtl/below"
mv "$odd/rtl/hd_output_port.v" "$odd/rtl/below/"
echo '`define HD_OURS 0' >"$odd/elsewhere/absolute.vh"
echo '`define HD_THEIRS 0' >"$odd/elsewhere/relative.vh"
# shellcheck disable=SC2016 # the backquotes are Verilog's
sed -i -e "1i\`include \"$work/elsewhere/absolute.vh\"\n\`include \"../elsewhere/relative.vh\"" \
  -e 's/count_q <= SLOTS\[COUNT_W-1:0\]/& - `HD_OURS - `HD_THEIRS/' "$odd/rtl/below/hd_output_port.v"
ln -s "$odd/elsewhere" elsewhere # a name that Verilog's strings can hold
check "the RTL was changed" grep -q 'HD_OURS - ' "$odd/rtl/below/hd_output_port.v"
# Uses the smallest switch that makes a mesh, because it is built seven times.
scenario s.yaml 'fabric: {topology: mesh, dims: [4]}' \
  'switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 2, nodes: 4}' \
  'software: {program: uniform, parameters: {load: 0.5, flits: 4, cycles: 300}}'

# built: prints the number of builds that the run reported
built() {
  grep -cE '^(building|synthesising)' err || true
}

# follows DUT PACKAGE TOOL WHICH...
follows() {
  local dut=$1 which
  if ! command -v "$3" >/dev/null; then
    skip "$dut" "$3 is missing, install the package $2"
    return
  fi
  exits 0 "$dut: they are found" "$HEDDLE" run s.yaml --dut "$dut" "${rtl[@]}" --out "$dut-1"
  exits 0 "$dut: again" "$HEDDLE" run s.yaml --dut "$dut" "${rtl[@]}" --out "$dut-2"
  equal "$(built)" 0 "$dut: from the cache"
  for which in "${@:4}"; do
    sed -i 's/ 0$/ 1/' "$odd/elsewhere/$which.vh"
    exits 3 "$dut: what the $which one says now differs" "$HEDDLE" run s.yaml --dut "$dut" "${rtl[@]}" --out "$dut-3-$which"
    sed -i 's/ 1$/ 0/' "$odd/elsewhere/$which.vh"
  done
  exits 0 "$dut: as before" "$HEDDLE" run s.yaml --dut "$dut" "${rtl[@]}" --out "$dut-4"
  equal "$(built)" 0 "$dut: from the cache, too"
}
rtl=(--rtl "$odd/rtl")
follows verilator verilator verilator_bin relative
rest
follows icarus iverilog iverilog absolute relative
follows netlist yosys yosys absolute
summary
