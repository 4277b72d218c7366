#!/usr/bin/env bash
# Checks what run and sweep say about a fabric's saturation, and that long runs agree.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2016,SC2154
. "$(dirname "$0")/lib.sh" || exit

scenario s.yaml
load=software.parameters.load
phases=(--phases 200:1000:3000 --dut none)

# cell FILE COLUMN [ROW]: prints a cell of a CSV file whose columns before it have no commas.
cell() {
  awk -F, -v name="$2" -v row="${3:-1}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i } NR == row + 1 { print $c }' "$1"
}
report() { # RUN KEY
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '\$.$2')"
}
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { exit !(a - b <= by && b - a <= by) }'; }

# ── one run ──────────────────────────────────────────────────────────────────
phase() { # DIRECTORY LOAD [OPTION...]
  exits 0 "a run at load $2" "$HEDDLE" run s.yaml --dut none --set run.warmup_cycles=500 --set run.measure_cycles=2000 \
    --set run.cycles=6000 --set software.parameters.cycles=6000 --set $load="$2" --out "$1" "${@:3}"
}
phase alone 0.005 --set run.measure_cycles=20000 --set run.cycles=30000 --set software.parameters.cycles=30000
check "packets that nearly meet nobody take what specification 4.5 says" \
  near "$(report alone latency.mean)" "$(report alone latency_no_load)" 0.1
phase light 0.3
says out "saturated           no: mean latency is 1.2 times that without load" "a run says that it is not saturated"
equal "$(report light saturated)" 0 "so does report.json"
equal "$(report light load_state)" steady "and that it is steady"
check "its mean has an interval" test -n "$(report light latency_ci95)"
phase heavy 0.9
says out "saturated           YES: mean latency is " "a run says that it is saturated"
equal "$(report heavy saturated)" 1 "so does report.json"
equal "$(report heavy latency_ci95)" "" "its mean latency is none in equilibrium, and has no interval"
check "so does the page" grep -q '<p class="lead">Saturated: mean latency is ' heavy/report.html
check "a page of a model alone is not green" grep -q '<p class="verdict plain" id="verdict">carried out</p>' heavy/report.html
equal "$(report heavy status)" "carried out" "nor has a run passed in which nothing was compared"
exits 0 "a run without a measuring phase" "$HEDDLE" run s.yaml --dut none --set $load=0.9 --out open
says out "saturated           YES" "says that it is saturated, too"
exits 0 "100 cycles of an empty network" "$HEDDLE" run s.yaml --dut none --set $load=0.3 --set run.measure_cycles=100 --out short
says out "saturated           undecided: 100 cycles were measured" "tell nothing"
equal "$(report short saturated)" "" "also in report.json"
exits 0 "two seeds of the model alone" "$HEDDLE" run s.yaml --dut none --set $load=0.9 --seeds 2 --out seeds
says out "s: 2 of 2 seeds carried out" "are carried out"
says out "cycles, saturated, digest" "and saturated"
exits 0 "a run with a DUT" "$HEDDLE" run s.yaml --set $load=0.9 --out compared
equal "$(report compared status)" passed "has passed"
check "but is saturated" grep -q '<p class="lead">Saturated: ' compared/report.html

# ── a search ─────────────────────────────────────────────────────────────────
exits 0 "where it saturates" "$HEDDLE" sweep s.yaml "${phases[@]}" --saturation $load=0.1:0.9:0.1 --out search
low=$(cell search/saturation.csv accepts) high=$(cell search/saturation.csv saturates)
equal "$low $high" "0.5 0.6" "lies between two steps"
check "its values are those of the range" awk -F, 'NR > 1 { d = $5 * 10; d -= int(d + 0.5); if (d > 1e-9 || -d > 1e-9) exit 1 }' search/points.csv
exits 0 "a search along a number of flits" "$HEDDLE" sweep s.yaml "${phases[@]}" --set $load=0.5 \
  --saturation software.parameters.flits=1:20:1 --out flits
check "takes whole numbers" awk -F, 'NR > 1 && $6 % 1 { exit 1 }' flits/points.csv

exits 0 "a search for two routings" "$HEDDLE" sweep s.yaml "${phases[@]}" --set routing.algorithm=dimension-order,up-down \
  --saturation $load=0.1:0.9:0.4 --out two
equal "$(awk '/^(dimension-order|up-down) / { sub(/  saturated$/, ""); print length($0) }' out | sort -u | wc -l)" 2 "each of its tables has columns of one width"

# A failed run counts as one that accepts nothing.
exits 2 "a search whose runs are refused" "$HEDDLE" sweep s.yaml "${phases[@]}" --set routing.algorithm=adaptive \
  --saturation $load=0.1:0.9:0.1 --out refused
equal "$(cell refused/saturation.csv accepts)$(cell refused/saturation.csv saturates)" "" "accepts nothing"
check "the row says why" grep -q '"0.9, 0.1 failed: .*can deadlock' refused/saturation.csv
says out "0.9, 0.1 failed: " "so does the table"
check "and the page" grep -q "0.9, 0.1 failed: " refused/report.html
exits 3 "a search with a DUT that differs" "$HEDDLE" sweep s.yaml --phases 200:1000:3000 --dut "$fault:data,3,50" \
  --saturation $load=0.1:0.9:0.4 --out differs
equal "$(cell differs/saturation.csv accepts)" "" "accepts nothing"
equal "$(cell differs/points.csv verdict)" failed "its points have failed"
exits 0 "a search in too short a phase" "$HEDDLE" sweep s.yaml --phases 0:100:300 --dut none --saturation $load=0.1:0.9:0.4 --out short-phase
equal "$(cell short-phase/saturation.csv accepts)" "" "accepts nothing that is undecided"
check "and says so" grep -q "undecided: 100 cycles were measured" short-phase/saturation.csv

# The search goes on above a value without a verdict. A phase of 200 cycles gives a verdict only in clear cases.
exits 0 "a search in a phase that tells little" "$HEDDLE" sweep s.yaml --phases 0:200:2000 --dut none \
  --saturation $load=0.1:0.9:0.02 --out little
awk -F, 'NR > 1 { print $5, $9 }' little/points.csv | sort -n >verdicts
low=$(cell little/saturation.csv accepts) high=$(cell little/saturation.csv saturates)
equal "$(awk -v v=accepted '$2 == v { x = $1 } END { print x }' verdicts)" "$low" "the largest value accepted is told"
equal "$(awk '$2 == "saturated" { print $1; exit }' verdicts)" "$high" "and the smallest that saturates"
verdict_at() { awk -v at="$1" -v by="$2" '{ d = $1 - at - by; if (d < 1e-9 && d > -1e-9) print $2 }' verdicts; }
equal "$(verdict_at "$low" 0.02) $(verdict_at "$high" -0.02)" "open open" "the steps beside both have been tried"
check "and are not the same" awk -v low="$low" -v high="$high" 'BEGIN { exit !(high - low > 0.05) }'
check "which is undecided" grep -q "undecided: " little/saturation.csv

# The searched key has one value in a point.
exits 2 "the searched key as an axis" "$HEDDLE" sweep s.yaml "${phases[@]}" --set $load=0.05,0.1 --saturation $load=0.1:0.9:0.1
says err "$load: is an axis" "the key is named"
exits 2 "the searched key within an axis" "$HEDDLE" sweep s.yaml "${phases[@]}" --saturation $load=0.1:0.9:0.1 \
  --set 'software.parameters={load: 0.1, flits: 4},{load: 0.2, flits: 4}'
says err "software.parameters: its values make no difference" "the axis is named"
exits 2 "an axis within another one" "$HEDDLE" sweep s.yaml --set 'software.parameters={load: 0.1},{load: 0.2}' --set $load=0.3,0.4
exits 2 "a search along the seed" "$HEDDLE" sweep s.yaml "${phases[@]}" --saturation seed=1:9:1
for key in name run.dut run.cycles trace.packets fabric.topology; do
  exits 2 "a search along $key" "$HEDDLE" sweep s.yaml "${phases[@]}" --saturation $key=1:9:1
  says err "--saturation $key: it" "names the key"
  says err "--saturation software.parameters.load=" "and says what would be right"
done
exits 2 "two searches" "$HEDDLE" sweep s.yaml "${phases[@]}" --saturation $load=0.1:0.9:0.1 --saturation $load=0.1:0.9:0.1

# ── means ────────────────────────────────────────────────────────────────────
exits 0 "a point with one seed" "$HEDDLE" sweep s.yaml "${phases[@]}" --set $load=0.3 --out one
check "has an interval, too" test -n "$(cell one/points.csv latency_mean_ci95)"
# Different seeds of one point agree: few 95 % intervals miss the mean of all, and few pairs of intervals do not overlap.
for seed in 1 101 201 301 401 501 601 701 801 901 1001 1101 1201 1301 1401 1501 1601 1701 1801 1901; do
  "$HEDDLE" sweep s.yaml "${phases[@]}" --set $load=0.45 --seeds 12 --precision 4 --seed $seed --out "again-$seed" -q --no-html ||
    not_ok "seed $seed" "the sweep ends with $?"
  echo "$(cell "again-$seed/points.csv" latency_mean_mean) $(cell "again-$seed/points.csv" latency_mean_ci95)"
done >points
check "intervals of one point agree" awk '{ m[NR] = $1; h[NR] = $2; sum += $1 }
  END { for (i = 1; i <= NR; i++) {
          d = m[i] - sum / NR; missed += d > h[i] || -d > h[i]
          for (k = 1; k < i; k++) { d = m[i] - m[k]; apart += d > h[i] + h[k] || -d > h[i] + h[k] } }
        print NR " intervals, " missed + 0 " without the mean of all, " apart + 0 " pairs apart"
        exit !(NR == 20 && missed <= 3 && apart <= 4) }' points

# ── long runs ────────────────────────────────────────────────────────────────
# A run of 30,000 cycles with another seed confirms what a search finds after 2,000.
agree() { # NAME SCENARIO-LINE...
  local name=$1 value load_at kind
  shift
  scenario "$name.yaml" "$@" 'run: {cycles: 5000, dut: none}'
  "$HEDDLE" sweep "$name.yaml" --phases 1000:2000:4000 --saturation $load=0.05:0.95:0.05 --out "$name" -q --no-html ||
    not_ok "$name" "the search ends with $?"
  for kind in accepts saturates; do
    load_at=$(cell "$name/saturation.csv" $kind)
    "$HEDDLE" run "$name.yaml" --set run.warmup_cycles=3000 --set run.measure_cycles=30000 --set run.cycles=60000 \
      --set $load="$load_at" --seed 77 --out "$name-$kind" -q --no-html
    value="$(report "$name-$kind" throughput) $(report "$name-$kind" offered) $(report "$name-$kind" latency.mean) $(report "$name-$kind" latency_no_load)"
    check "$name: what $kind at $load_at does so in the long run" awk -v kind=$kind \
      '{ bears = $1 > 0.98 * $2 && $3 < 3 * $4; exit !(kind == "accepts" ? bears : !bears) }' <<<"$value"
  done
}
traffic() { echo "software: {program: $1, parameters: {load: 0.1, flits: $2, cycles: 1000000}}"; }
agree mesh "$(traffic uniform 4)"
agree up-down 'routing: {algorithm: up-down}' "$(traffic uniform 1)"
agree complement "$(traffic bit-complement 4)"
agree torus 'fabric: {topology: torus, dims: [4, 4]}' "$(traffic uniform 4)"
agree fat-tree 'fabric: {topology: fat-tree, pods: 4}' "$(traffic uniform 16)"

summary
