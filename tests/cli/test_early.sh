#!/usr/bin/env bash
# Finds RTL that drives outputs outside of windows, and registers that need certain pins to be reset.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
cat >small.yaml <<'YAML'
name: small
fabric: {topology: mesh, dims: [4]}
switch: {vcs: 1, data_bits: 16, depth_flits: 3}
routing: {algorithm: dimension-order}
software: {program: uniform, parameters: {load: 0.9, flits: 2}}
seed: 1
run: {cycles: 400, dut: none}
YAML

# rtl NAME FILE OLD NEW: makes a copy of the RTL in which NEW replaces the text OLD, which must occur once.
rtl() {
  cp -r "$root/rtl" "$1"
  check "$1: the text is there" test "$(grep -cF "$3" "$1/$2")" = 1
  OLD=$3 NEW=$4 perl -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/' "$1/$2"
}
rtl flit hd_output_port.v "valid_o <= 1'b0;" "valid_o <= 1'b1;"
rtl credit hd_input_port.v 'if (rst) credit_o <= NONE;' "if (rst) credit_o <= 1'b1;"
rtl configured hd_switch.v '      wire slot = slots[o];' \
  '      wire slot = slots[o]; wire own; reg early_q; always @(posedge clk) early_q <= cfg_write_i && !rst; assign out_valid_o[o] = own || early_q;'
sed -i 's/\.valid_o(out_valid_o\[o\])/.valid_o(own)/' configured/hd_switch.v
rtl pins hd_output_port.v 'if (rst) count_q <= SLOTS' 'if (rst && credit_i != NONE) count_q <= SLOTS'

# diverges WHAT BACKEND RTL LINE [OPTION…]
diverges() {
  local what=$1 dut=$2 rtl=$3 line=$4
  shift 4
  rm -rf run
  exits 3 "$dut: $what" "$HEDDLE" run small.yaml --dut "$dut" --rtl "$rtl" --cache "$root/build/dut" --out run --no-html "$@"
  says out "$line" "$dut: $what: where"
  [[ $line != *'cycle 0,'* ]] || says out 'it stood there before the run' "$dut: $what: when"
  [ "$dut" = lanes ] || check "$dut: $what: waves" test -s run/waves.fst
}
# has BACKEND COMMAND
has() {
  command -v "$2" >/dev/null || { skip "$1" "$2 is missing" && false; }
}
for dut in verilator lanes icarus systemc; do
  [ $dut = verilator ] || rest
  case $dut in
    verilator) has $dut verilator_bin || continue ;;
    lanes) has $dut yosys || continue ;;
    icarus) has $dut iverilog || continue ;;
    systemc) pkg-config --exists systemc || { skip systemc "SystemC is missing" && continue; } ;;
  esac
  diverges "a flit while tables are written" "$dut" configured 'DIVERGENCE in cycle 0, switch 0, output port 0'
  [ "$dut" != lanes ] && [ "$dut" != systemc ] && diverges "a flit that reset makes" "$dut" flit 'DIVERGENCE in cycle 0, switch 0, output port 0'
  [ "$dut" != icarus ] && [ "$dut" != systemc ] && diverges "a count that is reset where a credit comes" "$dut" pins 'DIVERGENCE in cycle '
done
diverges "a credit that reset makes" verilator credit 'DIVERGENCE in cycle 0, switch 0, input port 0'
diverges "a flit that reset makes, in closed loop" verilator flit 'DIVERGENCE in cycle 0, switch 0, output port 0' --mode closed
diverges "a flit that reset makes, where order is compared" verilator flit 'DIVERGENCE in cycle ' --set run.mode=closed --set run.compare=order
diverges "a flit that reset makes, where packets are compared" verilator flit 'DIVERGENCE in cycle ' --set run.mode=closed --set run.compare=packets
summary
