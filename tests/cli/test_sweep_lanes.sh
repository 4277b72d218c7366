#!/usr/bin/env bash
# heddle sweep --dut lanes: runs side by side have the results that they have alone, with any number of workers.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

if ! command -v yosys >/dev/null; then
  skip "sweeps in lanes" "yosys is missing, install the package yosys"
  summary
  exit
fi
scenario s.yaml 'fabric: {topology: mesh, dims: [4]}' 'switch: {vcs: 1, data_bits: 16, depth_flits: 2}' \
  'software: {program: uniform, parameters: {load: 0.1, flits: 4, cycles: 2000}}' 'run: {cycles: 3000, dut: lanes}'
loads=(--set "software.parameters.load=0.05,0.1,0.2")

# but COLUMNS DIRECTORY: prints its runs.csv without the columns of these names
but() {
  sqlite3 :memory: -cmd '.mode csv' -cmd ".import '$2/runs.csv' t" -cmd '.headers on' \
    "$(for c in $1; do echo "ALTER TABLE t DROP COLUMN $c;"; done) SELECT * FROM t"
}

for workers in 1 2 5; do
  exits 0 "$workers workers" "$HEDDLE" sweep s.yaml "${loads[@]}" --seeds 7 --workers $workers --out "w$workers"
  equal "$(wc -l <"w$workers/runs.csv")" 22 "$workers workers: 21 runs"
  check "$workers workers: the same runs" cmp w1/runs.csv "w$workers/runs.csv"
  check "$workers workers: the same points" cmp w1/points.csv "w$workers/points.csv"
done
# Runs that share a process have an equal share of its time: 16 of 4 switches, then the other five.
equal "$(sqlite3 w1/campaign.db 'SELECT count(DISTINCT seconds) FROM tasks')" 2 "21 runs are carried out by two processes"
exits 0 "a sweep with every fabric alone" "$HEDDLE" sweep s.yaml "${loads[@]}" --seeds 7 --dut verilator --out verilator
equal "$(sqlite3 verilator/campaign.db 'SELECT count(DISTINCT seconds) > 2 FROM tasks')" 1 "there each run has a process"
equal "$(but 'dut evaluated_cycles' w1)" "$(but 'dut evaluated_cycles' verilator)" "on Verilator each run comes to the same"
exits 0 "one of them" "$HEDDLE" run s.yaml --set software.parameters.load=0.2 --seed 5 --out one
equal "$(sqlite3 :memory: -cmd '.mode csv' -cmd '.import w1/runs.csv t' \
  'SELECT digest, evaluated_cycles FROM t WHERE seed = 5 AND "software.parameters.load" = 0.2' | tr ',' ' ' | tr -d '\r"')" \
  "$(sql one "SELECT value FROM results WHERE key = 'digest'") $(sql one "SELECT value FROM results WHERE key = 'evaluated_cycles'")" \
  "alone it has the same digest, and as many evaluated cycles"

rest

# A bug that shows only if a packet goes to a certain node: some runs fail, and the runs beside them do not.
cp -r "$root/rtl" rtl-bad
sed -i "s/^ *data_o <= data;/data_o <= data ^ {{DATA_W-1{1'b0}}, data == 16'h06bc};/" rtl-bad/hd_output_port.v
check "the copy is broken" test -n "$(cmp "$root/rtl/hd_output_port.v" rtl-bad/hd_output_port.v)"
for workers in 1 3; do
  exits 3 "broken RTL, $workers workers" "$HEDDLE" sweep s.yaml "${loads[@]}" --seeds 7 --rtl rtl-bad --workers $workers --out "bad$workers"
done
check "the same runs fail" cmp bad1/runs.csv bad3/runs.csv
differ=$(sqlite3 :memory: -cmd '.mode csv' -cmd '.import bad1/runs.csv t' "SELECT count(*) FROM t WHERE status = 'divergence'")
check "some runs fail, and some do not ($differ)" test "$differ" -gt 0 -a "$differ" -lt 21

# ── without a named backend ───────────────────────────────────────────────────

# The runs are long, so that some are left when lanes are built, here without the compiler's optimisation.
export HEDDLE_UNOPTIMISED=1
scenario free.yaml 'fabric: {topology: mesh, dims: [4]}' 'switch: {vcs: 1, data_bits: 16, depth_flits: 2}' \
  'software: {program: uniform, parameters: {load: 0.3, flits: 4, cycles: 20000}}' 'run: {cycles: 21000, dut: auto}'
sweep=("$HEDDLE" sweep free.yaml --workers 2 --cache cold)
# Lanes are built for any gain, and runs wait for them, so the speed of the machine does not matter.
eager=(env HEDDLE_LANES_BUILD_SECONDS=0 HEDDLE_LANES_GAIN_SECONDS=0 HEDDLE_LANES_WAIT=1)
# rows DIRECTORY CONDITION: prints the number of rows in its runs.csv
rows() {
  sqlite3 :memory: -cmd '.mode csv' -cmd ".import '$1/runs.csv' t" "SELECT count(*) FROM t WHERE $2"
}

exits 0 "a sweep that is over before lanes would be built" "${sweep[@]}" --seeds 4 --out few
says out "too few runs were left" "says why it has no lanes"
equal "$(rows few "dut = 'verilator'")" 4 "all of it is on Verilator"
exits 0 "a sweep that takes lanes for quickly built" "${eager[@]}" "${sweep[@]}" --seeds 40 --out free
verilator=$(rows free "dut = 'verilator'") lanes=$(rows free "dut = 'lanes'")
equal $((verilator + lanes)) 40 "each run has one of two backends"
check "some are on Verilator, while lanes are built ($verilator)" test "$verilator" -ge 2
check "and some in lanes ($lanes)" test "$lanes" -ge 1
says out "verilator $verilator runs, lanes $lanes runs: " "the command says so"
check "with the reason" grep -qE ': the remaining runs ended sooner in lanes|: the first runs in lanes took longer' out
says out "to build them" "and how long it took to build them"
equal "$(sqlite3 :memory: "SELECT json_extract(value, '$.lanes') FROM json_each(readfile('free/sweep.json'), '$.backends')")" "$lanes" \
  "so does sweep.json"
check "and the page" grep -q "$verilator runs on Verilator, $lanes runs in lanes: " free/report.html
exits 0 "the last of them on Verilator, as asked for" "${sweep[@]}" --seed 11 --seeds 30 --dut verilator --out named
equal "$(rows named "dut = 'verilator'")" 30 "then it stays there"
equal "$(but 'dut evaluated_cycles' free | tail -30)" "$(but 'dut evaluated_cycles' named | tail -30)" \
  "each run comes to the same, digests too ($(rows free "dut = 'lanes' AND seed > 10") of them in lanes)"
exits 0 "what is built" "${eager[@]}" "${sweep[@]}" --seeds 40 --out cached
check "is taken at once ($(rows cached "dut = 'lanes'"))" test "$(rows cached "dut = 'lanes'")" -ge 4

# Verilator accepts this, Yosys does not.
cp -r "$root/rtl" rtl-refused
# shellcheck disable=SC2016
sed -i '0,/^endmodule/s//always @(posedge clk) if (rst \&\& !rst) $finish;\nendmodule/' rtl-refused/hd_switch.v
check "the copy has it" grep -q finish rtl-refused/hd_switch.v
exits 0 "RTL that lanes refuse" "${eager[@]}" "${sweep[@]}" --seeds 20 --rtl rtl-refused --out refused
equal "$(rows refused "dut = 'verilator'")" 20 "stays on Verilator"
equal "$(grep -c 'system tasks at a clock edge' out)" 1 "which is said once, with the reason"
summary
