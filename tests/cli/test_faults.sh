#!/usr/bin/env bash
# Faults of a scenario: exit codes, messages, reports, replay, waves.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

# faults FILE FAULT: writes a scenario with a chain of five switches, whose nodes are one group with node 0 as center.
faults() {
  scenario "$1" 'fabric: {topology: mesh, dims: [5]}' 'switch: {barrier: any}' \
    'software: {program: barrier, parameters: {rounds: 20, load: 0.1}}' \
    'run: {cycles: 20000, dut: model}' "faults: [$2]"
}

faults cut.yaml '{after_barrier: 5, link: "s2:1"}'
exits 9 "members that are cut off end the run with 9" "$HEDDLE" run cut.yaml --out cut
says err "node 3 (switch 3) is cut off from group 0's center, node 0 (switch 0): no way between their switches is left; node 4 (switch 4)" \
  "both are named"
says err "barrier group 0, round 5: a member is cut off" "and what software said"
says out "link s2:1-s3:2 failed in cycle" "the table has the fault"
equal "$(json cut '$.status') $(json cut '$.faults[0].struck') $(json cut '$.faults[0].switch') $(json cut '$.faults[0].port')" \
  "cut off 1 2 1" "JSON: the fault has struck"
for i in 0 1; do
  equal "$(json cut "\$.cut_off[$i].node") $(json cut "\$.cut_off[$i].center") $(json cut "\$.cut_off[$i].why")" \
    "$((3 + i)) 0 no way between their switches is left" "JSON: node $((3 + i)) is cut off, and why"
done
check "JUnit: the case has failed" \
  grep -q 'name="faults cut nobody off" time="[0-9.]*">' cut/results.xml
equal "$(sql cut 'SELECT status FROM run')" "cut off" "the database says so, too"
equal "$(sql cut 'SELECT count(*) FROM packets WHERE received IS NULL')" \
  "$(($(json cut '$.packets_lost') + $(json cut '$.undelivered')))" "every packet that is lost has a row"
exits 9 "a replay ends likewise" "$HEDDLE" replay cut --window 7 --threads 2
says out "same digest" "with the same digest"

faults around.yaml '{after_barrier: 5, switch: 4}'
sed -i 's/rounds: 20/rounds: 20, members: 4, center: 0/; s/dims: \[5\]/dims: [3, 3]/' around.yaml
exits 0 "barriers around a switch" "$HEDDLE" run around.yaml --seed 3 --out around-
exits 0 "in closed loop, too" "$HEDDLE" run around.yaml --seed 3 --mode closed --out around-closed
exits 0 "and in windows of 33 cycles" "$HEDDLE" run around.yaml --seed 3 --window 33 --out around-33
for mode in closed 33; do
  equal "$(json around-$mode '$.digest')" "$(json around- '$.digest')" "$mode: the same digest"
done
check "JUnit: and nobody is cut off" \
  grep -q 'name="faults cut nobody off" time="[0-9.]*"/>' around-/results.xml
last=$(json around- '$.faults[0].cycle')
exits 0 "waves of a neighbour of the switch" "$HEDDLE" wave around- --switch 3 \
  --from "$((last - 20))" --to "$((last + 40))" --print-command

scenario never.yaml 'faults: [{cycle: 900000, switch: 1}]'
exits 0 "a fault that comes too late" "$HEDDLE" run never.yaml --out never
says out "switch 1 did not fail: the run ended before cycle 900000" "is said not to have struck"
check "JUnit: the case is skipped, and why" bash -c \
  "grep -A 1 'name=\"faults cut nobody off\"' never/results.xml | grep -q 'skipped message=\"the run ended before the first fault\"'"
# A fifth of the packets goes to a switch that has failed: the fabric bears the load of the others.
scenario dead.yaml 'routing: {algorithm: up-down}' 'run: {cycles: 8000, dut: model, warmup_cycles: 1000, measure_cycles: 4000}' \
  'software: {program: hotspot, parameters: {load: 0.1, fraction: 0.2, node: 5, cycles: 8000}}' 'faults: [{cycle: 100, switch: 5}]'
exits 0 "packets to a switch that has failed" "$HEDDLE" run dead.yaml --out dead
check "are lost" test "$(json dead '$.packets_lost')" -gt 200
equal "$(json dead '$.load_state')" steady "do not make the fabric saturated"
check "and the run ends without them" test "$(json dead '$.cycles')" -lt 5200
scenario lost.yaml 'software: {program: pingpong}' 'faults: [{cycle: 100, link: "s0:1"}]'
exits 9 "software that waits for a lost message" "$HEDDLE" run lost.yaml
says err "faults have lost" "what was lost is said"

sed 's/s2:1/s2:7/' cut.yaml >missing.yaml
exits 2 "a fault of a link that is not there" "$HEDDLE" run missing.yaml
says err "faults[0].link: switch 2 has no link at port 7; legal: 0, 1, 2" "the legal ones are named"
sed 's/dut: model/dut: model, mode: closed, compare: order/' cut.yaml >order.yaml
exits 2 "faults and a DUT with a timing of its own" "$HEDDLE" run order.yaml
says err "faults: model and DUT may have different flits" "cannot be together"
summary
