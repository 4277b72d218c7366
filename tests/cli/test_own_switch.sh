#!/usr/bin/env bash
# A user's switch, in Verilog, with its own timing (docs/your-own-switch.md).
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
if ! command -v verilator_bin >/dev/null; then
  skip "a foreign switch in Verilog" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
order=$root/tests/scenarios/foreign-order.yaml
own=$root/docs/examples/one_stage

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

exits 0 "it agrees by order" "$HEDDLE" run "$order" --rtl "$own" --out own
equal "$(json own '$.packets_received') $(json own '$.latency.packets') $(json own '$.model_latency.packets')" \
  "1200 1200 1200" "all packets were measured on both sides"
exits 0 "the model alone" "$HEDDLE" run "$order" --dut model --out model
equal "$(json own '$.model_latency.minimum') $(json own '$.model_latency.mean') $(json own '$.model_latency.maximum')" \
  "$(json model '$.latency.minimum') $(json model '$.latency.mean') $(json model '$.latency.maximum')" \
  "what stands beside the switch's latencies is the model's"
check "and is not the switch's" test "$(json own '$.latency.mean')" != "$(json own '$.model_latency.mean')"
exits 1 "diff" "$HEDDLE" diff model own
says out "minimum -10, mean -10.000, maximum -10" "two cycles a hop, in five hops"

sed 's/compare: order/compare: exact/' "$order" >exact.yaml
exits 3 "it differs cycle by cycle" "$HEDDLE" run exact.yaml --rtl "$own" --out exact
equal "$(sql exact 'SELECT cycle, switch, difference FROM divergences')" "3|0|flit" "from its first flit on"
sed -e 's/compare: order/compare: packets/' -e 's/program: shuffle/program: uniform/' -e '/parameters:/,/rounds:/d' "$order" >packets.yaml
exits 0 "uniform traffic: the same packets" "$HEDDLE" run packets.yaml --rtl "$own" --cycles 3000 --out packets
sed 's/compare: packets/compare: order/' packets.yaml >met.yaml
exits 3 "but not the same order, where packets meet" "$HEDDLE" run met.yaml --rtl "$own" --cycles 3000 --out met

# This switch gives an output to one packet, so a second channel does not help packets around a ring.
scenario ring.yaml 'fabric: {topology: torus, dims: [5, 5]}' 'switch: {vcs: 2, data_bits: 32, depth_flits: 4}' \
  'software: {program: uniform, parameters: {load: 1.0, flits: 3, cycles: 2000}}' 'seed: 2067' \
  'run: {mode: closed, compare: packets, order: channels, cycles: 2000}'
exits 5 "in a torus its packets wait for each other" "$HEDDLE" run ring.yaml --rtl "$own" --out ring
says out "packets that wait for each other (rule P16):" "who waits for whom is printed"

# Traffic that run.cycles cuts off, and traffic that ends: in both, packets that do not arrive are found.
cp -r "$own" dead
sed -i -e "s/send_o\[o\] <= 1'b1;//" -e 's/freed_o <= freed;//' dead/one_stage.v
cp -r "$own" deaf
sed -i 's/if (mode\[1\] || /if (mode[1] || (to == 3) || /' deaf/one_stage.v
while read -r bug by_order by_packets <&3; do
  check "$bug: the bug is planted" bash -c "! cmp -s '$own/one_stage.v' $bug/one_stage.v"
  exits 3 "$bug: found by order" "$HEDDLE" run "$order" --rtl "$bug" --out "$bug-order"
  equal "$(sql "$bug-order" 'SELECT difference FROM divergences')" "$by_order" "$bug: as $by_order"
  exits 3 "$bug: found by packets" "$HEDDLE" run "$root/tests/scenarios/foreign-switch.yaml" --rtl "$bug" --out "$bug-packets"
  equal "$(sql "$bug-packets" 'SELECT difference FROM divergences')" "${by_packets//-/ }" "$bug: as ${by_packets//-/ }"
done 3<<'END'
dead held held
deaf flit lost-in-switch
END
says err "so the switch has lost it, or keeps it inside (rule P13 " "the message says what happened"
# Without the rules, the difference shows after the drain.
exits 3 "deaf: found without rules" "$HEDDLE" run "$root/tests/scenarios/foreign-switch.yaml" --rtl deaf --set run.rules=false --out deaf-late
equal "$(sql deaf-late 'SELECT difference FROM divergences')" lost "by a packet that is lost"
says out "of at most 5000, and " "the run has drained"
says out "  DUT     14 packets to node 3 went into switch 2 and did not come out" "the report says where it was last seen"
says err "was never received (lost): " "the message says what happened"

cp -r "$own" bug
sed -i 's/(oldest\[q\]+held\[q\])%SLOTS/(oldest[q]+held[q])%(SLOTS-1)/' bug/one_stage.v
exits 3 "a bug in it" "$HEDDLE" run "$order" --rtl bug --out bug_run
equal "$(sql bug_run 'SELECT cycle, switch, port, vc, difference FROM divergences')" "18|0|2|0|damaged" \
  "is found: cycle, switch, port and channel, by a rule that needs no model"
says err "left by port 2 on channel 0 as flit 15 of head to node 1; a body with " "the message says what was seen"
check "with waves" test -s bug_run/waves.fst
# This bug shows only if a switch is evaluated although it signals quiescent.
cp -r "$root/rtl" asleep
sed -i -e 's/\.valid_i(in_valid_i\[p\])/.valid_i(in_valid_i[p] \&\& !asleep_q[4])/' \
  -e '0,/^);/s//);\n  reg [4:0] asleep_q;\n  always @(posedge clk)\n    if (rst || !quiescent_o) asleep_q <= 0;\n    else if (!asleep_q[4]) asleep_q <= asleep_q + 1;/' asleep/hd_switch.v
# Uses the smallest switch that makes a mesh, because it is built six times.
scenario idle.yaml 'fabric: {topology: mesh, dims: [4]}' \
  'switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 4, nodes: 4}' \
  'software: {program: uniform, parameters: {load: 0.01, flits: 4, cycles: 9000}}' \
  'run: {cycles: 10000, dut: verilator}'
exits 0 "the RTL that is proved" "$HEDDLE" run idle.yaml --out proved
equal "$(json proved '$.quiescent')" proved "its quiescent_o is taken at its word, and the report says so"
says out "(quiescent: proved)" "in words, too"
equal "$(json own '$.quiescent')" sampled "that of other RTL is not"
check "but is checked" test "$(json own '$.sampled_cycles')" -gt 0
exits 3 "a switch that forgets its inputs after 16 quiescent cycles" "$HEDDLE" run idle.yaml --rtl asleep --out asleep_run
"$HEDDLE" run idle.yaml --rtl asleep --out asleep_2 --threads 2 >/dev/null 2>&1
equal "$(sql asleep_2 'SELECT cycle, switch FROM divergences')" "$(sql asleep_run 'SELECT cycle, switch FROM divergences')" \
  "is found at the same place with other threads"
# Verilator 5.006 makes `v[0] & !v[1] & !w[1]` of `v[0] & ~(v[1] & w[1])` where it may.
cp -r "$root/rtl" never
sed -i -e 's/\.valid_i(in_valid_i\[p\])/.valid_i(in_valid_i[p] \& ~(in_valid_i[(p+1)%PORTS] \& never_q[(p+1)%PORTS]))/' \
  -e '0,/^);/s//);\n  reg [PORTS-1:0] never_q;\n  always @(posedge clk) never_q <= rst ? 0 : never_q \& in_valid_i;/' never/hd_switch.v
check "gates are added" test "$(grep -c never_q never/hd_switch.v)" = 3
exits 0 "gates that change nothing: no difference" "$HEDDLE" run idle.yaml --rtl never --set software.parameters.load=0.3 --out never_run
cp -r "$root/rtl" asserts
sed -i '$d' asserts/hd_switch.v
sed -i 's/^endmodule.*/reg [9:0] age_q; always @(posedge clk) begin age_q <= rst ? 0 : age_q + !(\&age_q);\n  assert (age_q != 300);\nend\nendmodule/' asserts/hd_switch.v
line=$(grep -n 'assert (age_q' asserts/hd_switch.v | cut -d: -f1)
exits 3 "an assertion of the RTL that fails" "$HEDDLE" run idle.yaml --rtl asserts --dut verilator:every-cycle --out asserts_run
equal "$(sql asserts_run 'SELECT cycle, switch, difference FROM divergences')" "300|0|assertion" "is a divergence with its own name"
check "file and line are told" grep -q "assertion failed at rtl/hd_switch.v:$line\$" out
check "with waves" test -s asserts_run/waves.fst
exits 3 "a replay of it" "$HEDDLE" replay asserts_run
cp -r "$root/rtl" shape
sed -i 's/\(REG_TIMING}: value = {[0-9]*.d\)0/\11/' shape/hd_config.v
check "a register's bit is turned" bash -c "! cmp -s '$root/rtl/hd_config.v' shape/hd_config.v"
exits 3 "a register that reads wrong" "$HEDDLE" run idle.yaml --rtl shape --out shape_run
equal "$(sql shape_run 'SELECT difference, address, expected_errors != got_errors FROM divergences')" "register|3|1" \
  "is in the database with its address"
cp -r "$root/rtl" other
echo "// a comment" >>other/hd_switch.v
exits 0 "RTL that nobody proved, but right" "$HEDDLE" run idle.yaml --rtl other --out other_run
equal "$(json other_run '$.quiescent') $(json other_run '$.digest')" "sampled $(json proved '$.digest')" "has the same digest"
for dut in model none; do
  exits 0 "its replay on $dut" "$HEDDLE" replay other_run --dut "$dut"
  says err "warning: the run's --rtl $PWD/other is left out: --dut $dut does not take it" "$dut: says that it is without that RTL"
done
exits 0 "its replay on another backend that builds RTL" "$HEDDLE" replay other_run --dut verilator:every-cycle --out other_again
equal "$(json other_again '$.quiescent')" "" "evaluates every cycle, so that nothing is proved or sampled"
check "has that RTL, and says nothing" test ! -s err
equal "$(sql other_again 'SELECT rtl_dir FROM run')" "$PWD/other" "and writes it down"
exits 0 "its waves from the model" "$HEDDLE" wave -p other_run --dut model --from 0 --to 9
says err "--rtl $PWD/other is left out" "say so, too"
sed -i 's/mode: closed/mode: decoupled/' exact.yaml
exits 3 "a replay in the other mode" "$HEDDLE" run exact.yaml --rtl "$own" --out decoupled
equal "$(sql decoupled 'SELECT cycle, switch FROM divergences')" "3|0" "differs at the same place"
summary
