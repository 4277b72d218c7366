#!/usr/bin/env bash
# heddle run --dut icarus: X has a name and exit code 3; Ctrl-C, kills and a missing simulator.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
. "$root/tests/cli/remote.sh" || exit
if ! command -v vvp >/dev/null; then
  skip "Icarus Verilog" "vvp is missing, install the package iverilog"
  summary
  exit
fi
scenario x.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'run: {cycles: 200, dut: icarus}' \
  'trace: {waves: true}'

exits 0 "sound RTL agrees" "$HEDDLE" run x.yaml --out good
says out "icarus: Icarus Verilog version" "and the report says on what"
check "rule P17 is counted" grep -q ' P17 for [1-9][0-9]* events' out
exits 0 "the model" "$HEDDLE" run x.yaml --dut model --out model
check "a two-state DUT is not said to keep it" sh -c '! grep -q P17 out'
equal "$(sql good 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "one digest"

cp -r "$root/rtl" rtl
sed -i "s/ vc_o    <= {VC_W{1.b0}};//" rtl/hd_output_port.v
exits 3 "an X at an output is a divergence" "$HEDDLE" run x.yaml --rtl rtl --out unknown
says out "an output is unknown" "the explanation says so"
says out "  rule    P17 (specification 6.7): an output was X or Z: x in out_vc_o" "with its rule"
says err "x in out_vc_o of switch" "and the last line"
says unknown/report.json '"difference": "unknown"' "and the report"
equal "$(sql unknown 'SELECT difference FROM divergences')" unknown "and the database"
check "there are waves of it" test -s unknown/waves.fst
exits 3 "a replay finds it again" "$HEDDLE" replay unknown --out again
says out "same divergence" "in the same place"
exits 0 "two states do not show it" "$HEDDLE" run x.yaml --rtl rtl --dut verilator --out two

rest

# Delays, as some coding styles have them (q <= #1 d), in units of every size and longer than the clock period.
cp -r "$root/rtl" delays
sed -i 's/_q\( *\)<= /_q\1<= #1 /; s/_q\(\[[a-z]*\]\)\( *\)<= /_q\1\2<= #(1) /' delays/*.v
sed -i '1i `timescale 1ns/1ps' delays/hd_vc_buffer.v
exits 0 "RTL with delays" "$HEDDLE" run x.yaml --rtl delays --out delays-icarus
equal "$(sql delays-icarus 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "has the digest of the model"
exits 0 "waves of it" "$HEDDLE" wave -p delays-icarus --switch 1 --from 20 --to 60
check "have the RTL's states" grep -q 'rtl.in\[0].vc\[0].occupancy' delays-icarus/waves-switch-1-20-60/waves.gtkw
check "and none of them differs" test "$(grep -c 'state differs first' delays-icarus/waves-switch-1-20-60/waves.gtkw)" = 0
exits 0 "RTL with delays on Verilator" "$HEDDLE" run x.yaml --dut verilator --rtl delays --out delays-verilator
equal "$(grep -c 'the RTL has delays (hd_.*): Verilator leaves them out' err)" 1 "is said once"
equal "$(sql delays-verilator 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "has the digest of the model"

# The switch in a file of another name.
cp -r "$root/rtl" sv
mv sv/hd_switch.v sv/hd_switch.sv
for command in "run x.yaml --rtl sv --out sv-none" "check sv --runs 1"; do
  # shellcheck disable=SC2086 # words
  exits 2 "RTL without a hd_switch.v: $command" "$HEDDLE" $command
  says err 'its hd_switch.sv has the module hd_switch' "is told where the module is"
  says err 'a hd_switch.v with the line `include "hd_switch.sv" does, too' "and what to do"
done
echo '`include "hd_switch.sv"' >sv/hd_switch.v
for dut in verilator icarus; do
  exits 0 "RTL with that line, on $dut" "$HEDDLE" run x.yaml --dut $dut --rtl sv --out sv-$dut
  equal "$(sql sv-$dut 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "has the digest of the model"
done

# Output of the RTL is not taken for a verdict, and reaches the terminal without control characters.
cp -r delays chatty
# shellcheck disable=SC2016 # Verilog
sed -i 's/^endmodule.*/integer n = 0; always @(posedge clk) begin n = n + 1; if (n == 50) $display("fifty \\033[31m: failed"); end\nendmodule/' chatty/hd_switch.v
for dut in verilator icarus; do
  exits 0 "RTL that prints, on $dut" "$HEDDLE" run x.yaml --dut $dut --rtl chatty --out chatty-$dut
  check "does not print between the verdict's lines" test "$(grep -c 'fifty' out err | tr -d '\n')" = out:0err:0
  says out "chatty-$dut/rtl.log" "the log is said"
  says chatty-$dut/rtl.log 'fifty \x1b[31m: failed' "and has it"
done
equal "$(grep -c fifty chatty-icarus/rtl.log)" "$(grep -c fifty chatty-verilator/rtl.log)" "every switch's line once"

# RTL that never stops printing is ended, since its output is kept in memory.
cp -r "$root/rtl" endless
# shellcheck disable=SC2016 # Verilog
sed -i 's/^endmodule.*/initial forever $display("%01000d", 0);\nendmodule/' endless/hd_switch.v
exits 7 "RTL that prints without end" "$HEDDLE" run x.yaml --rtl endless --out endless-run
says err "has printed 64 MB in one command" "is ended"

# Files for $readmemh are found beside the RTL. A change of such a file is a change of the RTL.
cp -r "$root/rtl" memory
# shellcheck disable=SC2016 # Verilog
sed -i 's/^endmodule.*/reg [3:0] m[0:0]; initial $readmemh("m.hex", m); always @(posedge clk) if (!rst \&\& m[0] !== 5) $fatal(1, "m is %h", m[0]);\nendmodule/' memory/hd_switch.v
echo 5 >memory/m.hex
exits 0 "RTL that reads a memory" "$HEDDLE" run x.yaml --rtl memory --out memory-5
echo 6 >memory/m.hex
exits 7 "whose file is changed" "$HEDDLE" run x.yaml --rtl memory --out memory-6
says err "m is 6" "is built again"
mv memory/hd_switch.v memory/hd_switch.sv
exits 2 "RTL whose module has another file" "$HEDDLE" run x.yaml --rtl memory
says err "its hd_switch.sv has the module hd_switch" "is told what is looked for"

# The waves leave out the cycles of configuration before cycle 0.
scenario barrier.yaml 'fabric: {topology: mesh, dims: [2, 2]}' \
  'switch: {vcs: 2, data_bits: 32, depth_flits: 4, barrier: any}' \
  'software: {program: barrier, parameters: {rounds: 10, compute: 30, load: 0.1}}' 'run: {cycles: 3000, dut: icarus}'
exits 0 "barriers of sound RTL" "$HEDDLE" run barrier.yaml --out barrier
exits 0 "waves of its first cycles" "$HEDDLE" wave -p barrier --switch 2 --from 0 --to 200
check "have the RTL's states" grep -q 'rtl.in\[0].queued' barrier/waves-switch-2-0-200/waves.gtkw
check "and none of them differs" test "$(grep -c 'state differs first' barrier/waves-switch-2-0-200/waves.gtkw)" = 0

# A state that reset need not set may be X afterwards (§6.6).
cp -r "$root/rtl" unset
sed -i '/preempt_vc_q <= ONE;/d' unset/hd_barrier_out.v
exits 0 "a state that reset need not set" "$HEDDLE" run barrier.yaml --rtl unset --out unset_run
exits 0 "waves of it" "$HEDDLE" wave -p unset_run --switch 2 --from 0 --to 50
check "call no X of it a difference" test "$(grep -c 'state differs first' unset_run/waves-switch-2-0-50/waves.gtkw)" = 0

cat "$root"/rtl/*.v >'a "b\c".v'
exits 0 "sources in a file with quotes in its name" "$HEDDLE" run x.yaml --dut 'icarus:a "b\c".v' --out quotes
equal "$(sql quotes 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "and one digest"
# shellcheck disable=SC2016 # for the inner shell
exits 7 "a simulation that could not be written whole" bash -c 'ulimit -f 200; exec "$@"' _ \
  "$HEDDLE" run x.yaml --cache full --out full_run
says err "vvp cannot read what iverilog has written" "is told"
exits 0 "and is not kept" "$HEDDLE" run x.yaml --cache full --out full_run
exits 7 "a missing simulator" env PATH=/nonexistent "$HEDDLE" run x.yaml --out missing
says err "apt-get install iverilog" "names its package"
exits 2 "an unknown option" "$HEDDLE" run x.yaml --dut icarus:nonsense --out bad
says err "every-cycle" "is answered with those there are"

fails_assertion icarus 'fabric: {topology: mesh, dims: [2, 2]}'
ends_well 'fabric: {topology: mesh, dims: [2, 2]}' icarus
summary
