#!/usr/bin/env bash
# heddle check --foreign: a router that keeps the rules passes, planted bugs are named, and configurations that it refuses are left out.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
if ! command -v verilator_bin >/dev/null; then
  skip "a check of any router" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
export HEDDLE_UNOPTIMISED=1
own=$root/docs/examples/one_stage

# json DIR PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/check.json'), '$2')"
}

# plant NAME SED-COMMAND...: makes a copy of the router with a bug.
plant() {
  cp -r "$own" "$1"
  sed -i "${@:2}" "$1/one_stage.v"
  check "$1: the bug is planted" bash -c "! cmp -s '$own/one_stage.v' $1/one_stage.v"
}

exits 0 "a router that keeps the rules" "$HEDDLE" check --foreign "$own" --runs 16 --out right
says out "no rule broken in 16 runs: " "the verdict says what was looked at"
check "and never that it is the same switch" bash -c '! grep -q "the same switch" out'
says out "rule P1, no credit: tested by " "how often each rule was tested"
says out "VCs x 4 flits of 32 bits, 16 nodes: mean latency without load " "how fast it is"
says out "mixes of 50,000 cycles" "and what was not exercised"
equal "$(json right '$.verdict')" "no rule broken" "JSON says the same"
check "with a count for each rule" test "$(json right '$.router.rules.P9')" -gt 1000
check "and a figure of speed" test "$(json right '$.router.switches[0].latency_cycles')" != 0
equal "$(grep -c '<testcase' right/check.xml)|$(grep -c '<failure' right/check.xml)" \
  "$(sqlite3 :memory: "SELECT json_array_length(readfile('right/check.json'), '$.kinds')")|0" "JUnit has a case a kind"

for budget in speed=3 '' latency,accepted=5 latency=inf accepted=1e999; do
  exits 2 "a budget that is none: '$budget'" "$HEDDLE" check --foreign "$own" --budget "$budget" --runs 1
done
exits 2 "a directory must be given" "$HEDDLE" check --foreign
exits 2 "proofs are not for it" "$HEDDLE" check --foreign "$own" --proof fifo
rest

exits 0 "a description is always of somebody's router" "$HEDDLE" check "$own/one_stage.yaml" --runs 2 --out described
says out "no rule broken in 2 runs: " "it is judged by the rules"
plant named 's/if (mode\[1\] || (way/if (mode[1] || (to == 3) || (way/'
exits 3 "a description with a bug" "$HEDDLE" check named/one_stage.yaml --runs 40 --failures 1 --shrink-seconds 2 --out named-out
says out " --rtl named/one_stage.yaml" "its command names the description"
read -ra command <<<"$(grep -oE 'heddle run [^ ]+\.yaml .*' out | head -1)"
exits 3 "and shows it again" "$HEDDLE" "${command[@]:1}" --quiet --out named-again
exits 3 "without --foreign it is not Heddle's switch" "$HEDDLE" check "$own" --runs 1 --failures 1 --shrink-seconds 0 --out guess
exits 3 "a budget that it misses" "$HEDDLE" check --foreign "$own" --runs 16 --failures 1 --budget latency=3,accepted=0.01 --out slow
says out "no rule broken, but the budget is missed: latency without load (cycles) is " "says by how much"
says out "heddle run slow/speed-0.yaml" "shows the run"
equal "$(json slow '$.verdict')" "budget missed" "and has a word of its own"
scenario limit.yaml 'run: {cycles: 5000}' 'switch: {vcs: 2, data_bits: 32, depth_flits: 4}' 'budgets: {latency_cycles: 3}'
exits 3 "a budget of the scenario that it misses" "$HEDDLE" check --foreign "$own" --scenario limit.yaml --runs 1 --out limited
says out "no rule broken, but the budget is missed: budgets.latency_cycles: largest latency is " "is the verdict"
exits 11 "a budget that no run measures" "$HEDDLE" check --foreign "$own" --runs 2 --budget latency=300 --out unheld
says out "the check did less than was asked for: no run of the first switch measured the latency of --budget" "says so"
# Tests a bug that the rules find: NAME RULE SED-COMMAND, and words of the verdict.
plant drop 's/if (mode\[1\] || (way/if (mode[1] || (to == 3) || (way/'
plant damage 's/send_flit_o\[o\*FLIT_W+:FLIT_W\] <= flit;/send_flit_o[o*FLIT_W+:FLIT_W] <= (held[q] == SLOTS \&\& !flit[1]) ? flit ^ 32 : flit;/'
plant starve '/ first_input\[o\] = (p == /d'
plant forget '/room\[q\] = SLOTS\[COUNT_W-1:0\];/d; s|^  // outputs$|  integer r;\n  initial for (r = 0; r < N * LANES; r = r + 1) room[r] = SLOTS;|'
# Switch 5 loses one credit, the twentieth for one channel of one output, so the router is only a little slower.
plant leak 's/^  reg found;/&\n  integer came = 0;/; s/if (slot_i\[q\]) room/came = came + ((q == 3) \&\& slot_i[q]);\n        if (slot_i[q] \&\& !((q == 3) \&\& (came == 20) \&\& by_destination[5][ENTRY_W-1] \&\& (by_destination[5][3:0] == 0))) room/'
while read -r bug rules <&3; do
  exits 3 "$bug: found" "$HEDDLE" check --foreign "$bug" --runs 60 --failures 1 --shrink-seconds 2 --out "$bug-out"
  equal "$(json "$bug-out" '$.verdict')" "rule broken" "$bug: the verdict"
  check "$bug: the rule is named" grep -qE "  rule    ($rules) \(specification 6.7\)" out
  check "$bug: with what was seen" grep -q '^      seen    ' out
  read -ra command <<<"$(grep -oE 'heddle run [^ ]+\.yaml .*' out | head -1)"
  exits 3 "$bug: the command shows it again" "$HEDDLE" "${command[@]:1}" --out "$bug-again"
done 3<<'END'
drop P13
damage P9
starve P15
leak P14
forget P1|P14|P13|P2
END
equal "$(json leak-out '$.differences[0].kind')" mix_held "leak: nodes that hold their credits back show it"
equal "$(sql leak-again 'SELECT switch FROM divergences')" 5 "leak: and the switch that lost it"
check "leak: the verdict says how often a packet waited with all slots used" test "$(json leak-out '$.router.filled')" -gt 100
plant careful 's/if (lanes\[w\] \&\& (room\[o\*LANES+w\] != 0)) lane_of = w;/if (lanes[w] \&\& (room[o*LANES+w] == SLOTS)) lane_of = w;/'
exits 0 "careful: a router that begins packets in empty channels only" "$HEDDLE" check --foreign careful \
  --runs 18 --switch "ports: 5, vcs: 2, depth_flits: 4, data_bits: 16, nodes: 16" --out careful-out
says out " × mixes in which nodes hold their credits back" "careful: such mixes were among its runs"
exits 3 "damage: beside itself" "$HEDDLE" check --foreign damage --against damage --runs 60 --failures 1 --shrink-seconds 0 --out both
says out "does what the original does, but both break a rule: " "damage: both are wrong"
equal "$(json both '$.verdict')" "rule broken by both" "damage: JSON says the same"
equal "$(json forget-out '$.differences[0].kind')" mix_reset "what reset forgets shows after a reset in the middle"

# This router signals quiescent in the cycle in which a flit arrives.
cp -r "$own" asleep
sed -i 's/(in_valid_i == 0) && //' asleep/hd_switch.v
check "asleep: the bug is planted" bash -c "! cmp -s '$own/hd_switch.v' asleep/hd_switch.v"
exits 3 "asleep: found" "$HEDDLE" check --foreign asleep --runs 40 --failures 1 --shrink-seconds 2 --out asleep-out
says out "with each cycle evaluated it keeps the rules: quiescent_o is 1 while something can change" "asleep: and why"

# This router ends its simulation when a lane is full.
# shellcheck disable=SC2016
plant dies '/^  reg found;/a\\  always @(posedge clk) if (rst_n \&\& (held[0] == SLOTS) \&\& (N == 5)) $finish;'
exits 3 "dies: found" "$HEDDLE" check --foreign dies --runs 4 --failures 1 --shrink-seconds 0 --out dies-out
says out "the RTL called \$finish at " "dies: with what it did"
check "dies: nothing is refused" bash -c '! grep -q "refuses" out'
says out "heddle run dies-out/" "dies: and a command"
exits 12 "an original that dies" "$HEDDLE" check --foreign "$own" --against dies --runs 1 --out dies-before
says out "nothing is known of the RTL, because the original fails: the original failed in cycle " "says nothing of the router"

# In Icarus, which does not know some constructs, the simulation of this router stops when flits wait.
# shellcheck disable=SC2016 # the backquote is Verilog
plant loops '/^  reg found;/a\\`ifdef __ICARUS__\n  always @(posedge clk) while (rst_n \&\& (held[0] == 2)) ;\n`endif'
exits 0 "loops: Icarus alone is no fault of the router" "$HEDDLE" check --foreign loops --runs 12 \
  --switch "ports: 5, vcs: 1, depth_flits: 4, data_bits: 16, nodes: 16" --out loops-out
says out "mixes in a four-state simulation: no X at a pin: Icarus does not simulate it: vvp (switch " "loops: it is said"
says out "has not finished a cycle for 60 s" "loops: and why"

# This router accepts six ports and no other number.
cp -r "$own" six
sed -i 's/^  localparam FLIT_W = DATA_W + 2;/&\n  generate if (PORTS != 6) six_ports refused (); endgenerate/' six/hd_switch.v
scenario six.yaml 'switch: {ports: 6, vcs: 2, data_bits: 16, depth_flits: 4}' 'run: {cycles: 5000, dut: verilator, mode: closed, compare: packets}'
exits 0 "a router that takes the scenario's switch alone" "$HEDDLE" check --foreign six --scenario six.yaml --runs 9 --out six-out
# planted: no, it changes the line that this test added
sed -i 's/PORTS != 6/PORTS == 6/' six/hd_switch.v
exits 11 "a router that does not take the scenario's switch" "$HEDDLE" check --foreign six --scenario six.yaml --runs 1 --out seven-out
says out "the check did less than was asked for: the router refuses the switch of --scenario" "says so"

# This router refuses the first switch of the list and accepts the second one.
cp -r "$own" first
sed -i 's/^  localparam FLIT_W = DATA_W + 2;/&\n  generate if (VCS == 2) no_two_channels refused (); endgenerate/' first/hd_switch.v
exits 3 "a budget is held against the first switch that it takes" "$HEDDLE" check --foreign first --runs 40 --failures 1 \
  --budget latency=1 --out first-out
says out "the budget is missed: latency without load (cycles) is " "and missed"

cp -r "$root/docs/examples/xy_router" columns
sed -i 's/columns: [0-9]*/columns: 6/' columns/*.yaml
exits 2 "a description of a mesh that the check has not" "$HEDDLE" check columns/*.yaml --runs 1 --out columns-out
says err ": the check has no mesh of 6 columns for such switches" "names it"
check "and no option that was not given" bash -c '! grep -q -- "--switch" err'

# This router accepts two channels and no other number.
cp -r "$own" two
sed -i 's/^  localparam FLIT_W = DATA_W + 2;/&\n  generate if (VCS != 2) two_channels_and_no_more refused (); endgenerate/' two/hd_switch.v
exits 0 "a router that refuses parameters" "$HEDDLE" check --foreign two --runs 16 --out two-out
says out ": the router refuses it: " "what it refuses is named"
says out "5 ports, 1 VC x 2 flits of 16 bits" "by its parameters"
long=x$(printf 'é%.0s' {1..100}) # the sentence is cut in the middle of a letter
cp -r two "$long"
exits 0 "a directory with a long name" "$HEDDLE" check --foreign "$long" --runs 4 --out long-out
equal "$(sqlite3 :memory: "SELECT count(*) > 0 FROM json_each(readfile('long-out/check.json'), '\$.not_exercised')
  WHERE value LIKE '%: the router refuses it: %'")" 1 "JSON names what it refuses"
exits 0 "or they are given" "$HEDDLE" check --foreign two --runs 4 --switch "vcs: 2" --out fixed
check "then nothing is refused" bash -c '! grep -q "refuses" out'
# planted: no, it changes the line that this test added
sed -i 's/two_channels_and_no_more refused ();/nothing/' two/hd_switch.v
exits 7 "a router that does not build" "$HEDDLE" check --foreign two --runs 4 --out broken
summary
