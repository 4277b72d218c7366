#!/usr/bin/env bash
# heddle coverage: shows what single runs and all runs together did not exercise, in all formats.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

point() { # RUN SECTION POINT
  sqlite3 "$1/run.db" "SELECT count FROM coverage WHERE section = '$2' AND point = '$3'"
}
holes() { # RUN
  sqlite3 "$1/run.db" "SELECT count(*) FROM coverage WHERE reachable AND NOT count"
}

write() { # NAME FLITS
  printf '%s\n' "name: $1" "fabric: {topology: mesh, dims: [3, 3]}" \
    "software: {program: uniform, parameters: {cycles: 300, flits: $2}}" "run: {dut: model}" >"$1.yaml"
}
write long 4
write single 1

exits 0 "a run of long packets" "$HEDDLE" run long.yaml --out runs/long
check "it says what it did not exercise" grep -q "^  not exercised       $(holes runs/long) of " out
check "and how to list it" grep -q "^                      heddle coverage runs/long lists them$" out
equal "$(point runs/long 2.4 'idle, single')" 0 "it has no single-flit packet"
exits 0 "its holes" "$HEDDLE" coverage --holes runs/long
check "name it" grep -q '^§2.4  *0  idle, single$' out
equal "$(grep -c '^§' out)" "$(holes runs/long)" "are all there"

exits 0 "a run of single-flit packets" "$HEDDLE" run single.yaml --out runs/single
n=$(point runs/single 2.4 'idle, single')
check "has some" test "$n" -gt 0
exits 0 "both" "$HEDDLE" coverage runs/long/run.db runs/single
check "are added up" grep -q "^§2.4  *$n  idle, single$" out
check "are counted" grep -q '^2 runs: ' out
cp out named
exits 0 "a directory of runs" "$HEDDLE" coverage runs
check "is the same" cmp -s named out
exits 0 "as JSON" "$HEDDLE" coverage --json runs
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('out'), '$.runs'), json_array_length(readfile('out'), '$.points')")" \
  "2|$(sqlite3 runs/long/run.db 'SELECT count(*) FROM coverage')" "JSON has all points"
exits 0 "as CSV" "$HEDDLE" coverage --csv --holes runs
equal "$(sed -n 1p out)" "section,point,count,reachable" "CSV has names"
check "CSV has holes alone" test -z "$(sed 1d out | grep -v ',0,1$')"
equal "$(sqlite3 :memory: "SELECT json_array_length(readfile('runs/long/report.json'), '$.coverage')")" \
  "$(sqlite3 runs/long/run.db 'SELECT count(*) FROM coverage')" "report.json has the counts"

exits 0 "a sweep" "$HEDDLE" sweep single.yaml --set software.parameters.flits=1,4 --dut none --out swept
exits 0 "its directory" "$HEDDLE" coverage swept --json
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('out'), '$.runs')")" 2 "stands for its runs"
n=$(sqlite3 :memory: "SELECT j.value ->> 'count' FROM json_each(readfile('out'), '$.points') AS j WHERE j.value ->> 'point' = 'idle, single'")
check "which exercised something" test "$n" -gt 0
exits 0 "beside a run" "$HEDDLE" coverage swept runs/long
check "is added to it" grep -q '^3 runs: ' out

exits 2 "no run" "$HEDDLE" coverage
exits 2 "two formats" "$HEDDLE" coverage --json --csv runs
exits 6 "what is not there" "$HEDDLE" coverage nowhere
mkdir empty
exits 2 "a directory without runs" "$HEDDLE" coverage empty
check "is said to be one" grep -q 'there is no run in it' err
sqlite3 runs/single/run.db 'DROP TABLE coverage'
exits 2 "a run of a Heddle that did not count" "$HEDDLE" coverage runs/single
check "is said to be one" grep -q 'counted no points' err
summary
