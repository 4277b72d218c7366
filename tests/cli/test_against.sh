#!/usr/bin/env bash
# Golden RTL as the reference: --against runs the original in closed loop, and the DUT is compared with it in every cycle.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

if ! command -v verilator_bin >/dev/null; then
  skip "golden RTL" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
export HEDDLE_UNOPTIMISED=1

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

# place FILE: prints cycle, switch and port of the divergence that a run has printed.
place() {
  grep -m1 -oE '^DIVERGENCE in cycle [0-9]+, switch [0-9]+, (in|out)put port [0-9]+' "$1"
}

old=$root/docs/examples/one_stage
scenario small.yaml 'fabric: {topology: mesh, dims: [3, 3]}' \
  'software: {program: uniform, parameters: {load: 0.3, flits: 4, cycles: 600}}' \
  'run: {cycles: 4000, dut: verilator, mode: closed, compare: packets}' 'trace: {packets: true, hops: true}'

# ── a router without a model, compared with itself ──
exits 0 "a router agrees with itself" "$HEDDLE" run small.yaml --rtl "$old" --against "$old" --out same
says out "small: passed; as the original in every cycle, event for event; the model was not used" "the verdict says with what"
says out "  original            $old" "and names it"
says out "rules P1 to P16" "rules at ports are watched"
equal "$(json same '$.reference')|$(json same '$.against')|$(json same '$.model_latency.packets')" "original|$old|" \
  "so does report.json"
equal "$(sql same "SELECT value FROM results WHERE key = 'reference'")" original "and the database"
equal "$(sql same 'SELECT mode, compare FROM run')" "decoupled|exact" "whatever the scenario says for a model"
says same/report.html "DUT and original agree in" "and the page"
says same/results.xml "RTL and original agree" "and JUnit"
check "hops are the original's" test "$(sql same 'SELECT count(*) FROM hops')" -gt \
  "$(sql same 'SELECT count(*) FROM packets')"
equal "$(sql same 'SELECT count(*) FROM hops h JOIN packets p ON p.number = h.packet
  WHERE h.hop = 0 AND h.switch <> p.source')" 0 "and begin at the source's switch"
exits 0 "it agrees with two threads" "$HEDDLE" run small.yaml --rtl "$old" --against "$old" --threads 2 --out threads
equal "$(json threads '$.digest')|$(json threads '$.cycles')" "$(json same '$.digest')|$(json same '$.cycles')" \
  "with one digest"
exits 0 "it is repeated" "$HEDDLE" replay same --out again
says out "same digest" "with its digest"

# ── planted bugs: the first difference is the same if original and DUT are exchanged ──
# bug NAME SED
bug() {
  cp -r "$old" "$1"
  sed -i "$2" "$1/one_stage.v"
  check "$1: the copy is broken" test -n "$(cmp "$old/one_stage.v" "$1/one_stage.v")"
  exits 3 "$1: a divergence" "$HEDDLE" run small.yaml --rtl "$1" --against "$old" --out "run-$1"
  mv out first
  exits 3 "$1: and the other way round" "$HEDDLE" run small.yaml --rtl "$old" --against "$1" --quiet --out "back-$1"
  equal "$(sql "back-$1" 'SELECT cycle, switch, port FROM divergences')" \
    "$(sql "run-$1" 'SELECT cycle, switch, port FROM divergences')" "$1: at one place"
  check "$1: the text names it" test -n "$(place first)"
  check "$1: the original's side" grep -qE '^  original ' first
  check "$1: the model has none" test -z "$(grep -E '\bmodel\b' first | grep -v 'the model was not used')"
}
bug pointer 's/(oldest\[q\]+held\[q\])%SLOTS/(oldest[q]+held[q])%(SLOTS-1)/'
rest

# ── a described router that has assertions, cut off while packets are under way ──
axis=$root/docs/examples/axis_crossbar/axis_crossbar.yaml
exits 0 "a described router agrees with itself" "$HEDDLE" run small.yaml --cycles 300 --set switch.vcs=1 --set switch.data_bits=32 \
  --rtl "$axis" --against "$axis" --quiet --out axis
check "packets are under way at the end" test "$(json axis '$.undelivered')" -gt 0

# ── other code with the same function ──
cp -r "$old" renamed
sed -i 's/first_input/priority_input/g' renamed/one_stage.v
check "the text is another one" test -n "$(cmp "$old/one_stage.v" renamed/one_stage.v)"
exits 0 "a text that does the same agrees" "$HEDDLE" run small.yaml --rtl renamed --against "$old" --quiet

# ── a router that returns credits late, as run.held_cycles allows ──
cp -r "$old" slow
sed -i "s/quiescent_o <= .*/quiescent_o <= 1'b0;/" slow/hd_switch.v
sed -i -e 's/reg found;/& reg [N*LANES-1:0] late[0:99];/' \
  -e "s/filled <= {N \* LANES{1'b0}};/& for (k = 0; k < 100; k = k + 1) late[k] = {N*LANES{1'b0}};/" \
  -e 's/freed_o <= freed;/freed_o <= late[99]; for (k = 99; k > 0; k = k - 1) late[k] = late[k-1]; late[0] = freed;/' slow/one_stage.v
check "the copy is slow" grep -q 'late\[99\]; for' slow/one_stage.v
exits 0 "slow credits break no rule" "$HEDDLE" run small.yaml --set run.held_cycles=500 --rtl slow --quiet --out slow-rules
exits 0 "nor beside the original" "$HEDDLE" run small.yaml --set run.held_cycles=500 --rtl slow --against slow --quiet --out slow-same

# ── further bugs ──
bug turn "s/: p\[3:0\] + 4'd1;/: (p == 0) ? 4'd2 : p[3:0] + 4'd1;/"
# A full lane waits for a cycle in which its output is idle, but no flit is lost, doubled or out of order.
bug wait "s/(held\[q\] != 0) \&\& !freed\[q\]) begin/(held[q] != 0) \&\& !freed[q] \&\& !(held[q] == SLOTS \&\& send_o[o])) begin/"
exits 0 "wait: rules and packets do not show it" "$HEDDLE" run small.yaml --rtl wait --quiet
equal "$(json run-wait '$.divergence.rule')" "" "wait: no rule is broken"
check "wait: its JSON has both sides" test "$(json run-wait '$.divergence.original')" != "$(json run-wait '$.divergence.dut')"
says run-wait/report.html "Where DUT and original differ" "wait: the page, too"
exits 3 "wait: replay repeats it" "$HEDDLE" replay run-wait --out again-wait
says out "same divergence" "wait: at its place"
says run-wait/waves.gtkw "original port" "wait: waves have the original"
exits 1 "wait: and its inside" "$HEDDLE" diff --waves run-wait/waves.fst run-wait/waves.fst --map rtl.internal=original.internal
exits 0 "wait: heddle wave opens them" "$HEDDLE" wave run-wait --print-command
exits 0 "any cycles can be looked at" "$HEDDLE" wave same --switch 4 --from 20 --to 60 --print-command
exits 3 "wait: with waves of all signals" "$HEDDLE" run small.yaml --dut verilator:all-signals --rtl wait --against "$old" --out all
check "wait: a signal is named" grep -qE '^  first signal that differs: [a-z_]+ of one_stage \(one_stage.v:[0-9]+\): ' out

# ── a rule that original and DUT break ──
cp -r "$old" deaf
sed -i 's/if (mode\[1\] || /if (mode[1] || (to == 3) || /' deaf/one_stage.v
exits 3 "a rule that both break" "$HEDDLE" run small.yaml --rtl deaf --against deaf --out deaf-run
says out "a rule at ports is broken" "is told by the rules"
says out "  original the same events: it breaks the rule, too" "with what it says of the original"

# ── Heddle's own switch: the same verdict and digest as with its model ──
scenario own.yaml 'fabric: {topology: mesh, dims: [3, 3]}' \
  'software: {program: uniform, parameters: {load: 0.3, flits: 4, cycles: 600}}' 'run: {cycles: 4000, dut: verilator}'
exits 0 "Heddle's switch agrees with itself" "$HEDDLE" run own.yaml --rtl "$root/rtl" --against "$root/rtl" --out own
exits 0 "and with its model" "$HEDDLE" run own.yaml --rtl "$root/rtl" --out own-model
equal "$(json own '$.digest')" "$(json own-model '$.digest')" "with the model's digest"
cp -r "$root/rtl" own-bug
sed -i "s/\.set_i(grant_o & starts_i)/.set_i(NOBODY)/" own-bug/hd_output_port.v
exits 3 "a bug in it" "$HEDDLE" run own.yaml --rtl own-bug --against "$root/rtl" --out own-bug-run
check "its signal is named" grep -qE '^  first signal that differs: from_q of hd_rr_arbiter \(hd_rr_arbiter.v:[0-9]+\): ' out
exits 3 "differs from the model" "$HEDDLE" run own.yaml --rtl own-bug --quiet --out own-bug-model
equal "$(sql own-bug-run 'SELECT cycle, switch, port, vc, difference, packet FROM divergences')" \
  "$(sql own-bug-model 'SELECT cycle, switch, port, vc, difference, packet FROM divergences')" \
  "at the same place, in the same packet"
exits 0 "the model as DUT agrees with the RTL" "$HEDDLE" run own.yaml --dut model --against "$root/rtl" --quiet

# ── a sweep ──
exits 0 "a sweep" "$HEDDLE" sweep small.yaml --rtl renamed --against "$old" --set software.parameters.load=0.1,0.2 \
  --seeds 2 --dut verilator --out sweep
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('sweep/sweep.json'), '\$.against')")" "$old" "says so in its JSON"
says sweep/report.html "DUT and original agree in all of them" "and on its page"
exits 3 "a sweep finds a bug" "$HEDDLE" sweep small.yaml --rtl wait --against "$old" --set software.parameters.load=0.3,0.4 \
  --seeds 2 --dut verilator --out sweep-bug
check "and the command that shows it again" grep -q -- "--against" sweep-bug/sweep.json

# ── a check ──
exits 0 "a check beside the original" "$HEDDLE" check --foreign renamed --against "$old" --runs 3 --out check
check "its verdict" grep -qE '^as the original in every cycle of 3 runs: [0-9]+ events compared; .*the model was not used$' out
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('check/check.json'), '\$.verdict')")" "as the original" "in its JSON, too"
exits 0 "a check beside the original with its speed" "$HEDDLE" check --foreign renamed --against "$old" --runs 14 --out check-speed
speed=$(sqlite3 :memory: "SELECT json_extract(value, '\$.runs') FROM json_each(readfile('check-speed/check.json'), '\$.kinds')
  WHERE json_extract(value, '\$.kind') = 'speed'")
check "runs of speed are among them" test "$speed" -gt 0
says out "as the original in every cycle of $((14 - speed)) runs: " "and do not count"
says out "; speed was measured alone" "which is said"
exits 3 "a check finds a bug" "$HEDDLE" check --foreign wait --against "$old" --runs 2 --failures 1 --shrink-seconds 2 --out check-bug
says out "NOT as the original: " "says so"
check "it has a cause" grep -qE '^  cause: [a-z_]+ of one_stage \(one_stage.v:[0-9]+\): ' out
read -ra command <<<"$(grep -oE 'heddle run [^ ]+\.yaml .*' out | head -1)"
exits 3 "and a command that shows it again" "$HEDDLE" "${command[@]:1}" --out check-again

# ── both at one bench ──
exits 0 "both at one bench" "$HEDDLE" check --foreign renamed --against "$old" --stress 0 --out bench
says out "as the original in every cycle of 1 run: " "its verdict"
says out "  beside the original: 299992 cycles of two switches with the same inputs" "with what was compared"
# An output keeps its turn at every 4,096th packet: the mixes have less of them at one switch.
cp -r "$old" rare
sed -i -e 's/reg found;/& reg [11:0] packets;/' -e "s/taken = {N{1'b0}};/& packets = 12'd0;/" \
  -e "s/first_input\[o\] = (p == N - 1) .*/begin packets = packets + 1; if (packets != 0) & end/" rare/one_stage.v
check "a rare bug is planted" grep -q 'begin packets = packets + 1; if (packets != 0) first_input' rare/one_stage.v
exits 0 "which mixes of traffic do not show" "$HEDDLE" check --foreign rare --against "$old" --runs 4 --out rare-mixes
exits 3 "but the bench does" "$HEDDLE" check --foreign rare --against "$old" --stress 0 --out rare-bench
says out "1 × beside the original: " "it is a kind of failure"
check "with cycle and port" grep -qE '^    DIVERGENCE in cycle [0-9]+, switch 0, (in|out)put port [0-9]+' out
check "a register is named" grep -qE '^  cause: [a-z_]+ of one_stage \(one_stage.v:[0-9]+\): ' out
read -ra command <<<"$(grep -oE 'heddle check --foreign .* --stress .*' out | head -1)"
place out >first-bench
exits 3 "its command shows it again" "$HEDDLE" "${command[@]:1}" --out rare-again
equal "$(place out)" "$(cat first-bench)" "at the same place"
read -ra command <<<"$(grep -oE 'heddle wave [^ ]+' out | head -1)"
exits 0 "and there are waves" "$HEDDLE" "${command[@]:1}" --print-command
exits 3 "a description beside another" "$HEDDLE" check rare/one_stage.yaml --against "$old/one_stage.yaml" --stress 0 --out described
check "a register of the router itself is named" grep -qE '^  cause: [a-z_]+ of one_stage \(one_stage.v:[0-9]+\): ' out
exits 2 "the bench needs both" "$HEDDLE" check --foreign rare --stress 0 --out none-bench
says err "give the other one with --against" "says so"
cp -r "$old" narrow
sed -i 's/^  localparam FLIT_W = .*/&\n  generate if (VCS > 1) begin : refuse more_than_one_channel u_refused (); end endgenerate/' narrow/hd_switch.v
exits 11 "an original that has no such switch" "$HEDDLE" check --foreign "$old" --against narrow --stress 0 --out narrow-out
says out "1 run beside the original: the original does not build with their parameters" "is named"
exits 11 "a router that has none" "$HEDDLE" check --foreign narrow --against "$old" --stress 0 --out narrow-rtl
says out "the router refuses it: " "is named, too"
if command -v yosys >/dev/null; then
  axis=$root/docs/examples/axis_crossbar
  small=(--switch "ports: 3, data_bits: 16, depth_flits: 2, nodes: 5" --stress 1000)
  exits 0 "512 benches in bit lanes" "$HEDDLE" check "$axis/axis_crossbar.yaml" --against "$axis/axis_crossbar.yaml" "${small[@]}" --out lanes
  says out "  beside the original: 153600000 cycles of two switches with the same inputs" "compare all their cycles"
  cp -r "$axis" unfair
  sed -i "s/= (above != 0) ? /= (above != 0 \&\& request != 2'd3) ? /" unfair/axis_arbiter.v
  check "a bug is planted" test -n "$(cmp "$axis/axis_arbiter.v" unfair/axis_arbiter.v)"
  exits 3 "a bug in lanes" "$HEDDLE" check unfair/axis_crossbar.yaml --against "$axis/axis_crossbar.yaml" "${small[@]}" --out lanes-bug
  says out "1 × beside the original: " "is found"
  check "with its signal" grep -qE '^  cause: [a-z_]+ of axis_arbiter \(axis_arbiter.v:[0-9]+\): ' out
else
  skip "routers in bit lanes" "yosys is missing, install the package yosys"
fi

# ── combinations that are refused ──
mkdir broken
sed 's/endmodule/endmodul/' "$old/hd_switch.v" >broken/hd_switch.v
cp "$old/one_stage.v" broken
exits 7 "an original that does not build" "$HEDDLE" run small.yaml --rtl "$old" --against broken --out none
says err "--against broken: " "is blamed by its name"
exits 2 "an original that is not there" "$HEDDLE" run small.yaml --rtl "$old" --against nowhere --cache none
says err "--against nowhere: there is no such directory" "is blamed, too"
check "before anything is built" test ! -e none
exits 11 "a check beside an original that does not build" "$HEDDLE" check --foreign "$old" --against broken --runs 1 --out none-built
says out ": the original refuses it: --against " "blames it, and not the router"
cp -r "$old" dies
sed -i "s/^endmodule/  reg [31:0] age = 0;\n  always @(posedge clk) age <= age + 1;\n  always @(posedge clk) if (age == 300) \$finish;\nendmodule/" dies/one_stage.v
exits 7 "an original that ends its simulation" "$HEDDLE" run small.yaml --rtl "$old" --against dies --out died
check "is blamed for that" grep -qE '^heddle: the original failed in cycle [0-9]+: Verilator: the RTL called ' err
exits 3 "a difference before that" "$HEDDLE" run small.yaml --rtl wait --against dies --quiet --out died-late
exits 2 "closed loop of the DUT" "$HEDDLE" run small.yaml --rtl "$old" --against "$old" --mode closed
exits 2 "no DUT" "$HEDDLE" run small.yaml --dut none --against "$old"
scenario faulty.yaml 'fabric: {topology: mesh, dims: [5]}' 'switch: {barrier: any}' \
  'software: {program: barrier, parameters: {rounds: 20}}' 'run: {cycles: 20000, dut: verilator}' \
  'faults: [{after_barrier: 5, link: "s2:1"}]'
exits 2 "faults" "$HEDDLE" run faulty.yaml --rtl "$root/rtl" --against "$root/rtl"
says err "known of the model alone" "say why"

# ── other simulators for the DUT ──
scenario tiny.yaml 'fabric: {topology: mesh, dims: [3, 3]}' \
  'software: {program: uniform, parameters: {load: 0.3, flits: 4, cycles: 60}}' 'run: {cycles: 2000, dut: verilator}'
if command -v vvp >/dev/null; then
  exits 0 "in Icarus" "$HEDDLE" run tiny.yaml --dut icarus --rtl "$old" --against "$old" --quiet
  exits 3 "a bug in Icarus" "$HEDDLE" run tiny.yaml --dut icarus --rtl wait --against "$old" --quiet --out late-icarus
  exits 3 "and in Verilator" "$HEDDLE" run tiny.yaml --rtl wait --against "$old" --quiet --out late-verilator
  equal "$(sql late-icarus 'SELECT cycle, switch, port FROM divergences')" \
    "$(sql late-verilator 'SELECT cycle, switch, port FROM divergences')" "at one place"
else
  skip "the DUT in Icarus" "vvp is missing, install the package iverilog"
fi
if command -v yosys >/dev/null; then
  scenario lanes.yaml 'fabric: {topology: mesh, dims: [4]}' 'switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 1, nodes: 4}' \
    'routing: {algorithm: dimension-order}' \
    'software: {program: uniform, parameters: {load: 0.2, flits: 3, cycles: 300}}' 'run: {cycles: 2000, dut: lanes}'
  exits 0 "in bit lanes, two runs side by side" "$HEDDLE" run lanes.yaml --against "$root/rtl" --seeds 2 --quiet
else
  skip "the DUT in bit lanes" "yosys is missing, install the package yosys"
fi

summary
