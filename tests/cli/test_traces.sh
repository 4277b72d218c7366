#!/usr/bin/env bash
# Traces of programs: each run is the same, on the model and on RTL; a slower network makes the program slower.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# digest RUN prints the digest; finish RUN prints the last cycle of a rank
digest() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '\$.digest')"
}
finish() {
  sql "$1" "SELECT max(value) FROM statistics WHERE name = 'finish of ranks'"
}

cp "$root"/docs/examples/exchange.trace .
exchange() {
  scenario "$1.yaml" "fabric: {topology: mesh, dims: [2, 2], link_cycles: ${2:-1}}" 'switch: {vcs: 2, data_bits: 32, depth_flits: 8}' \
    'software: {program: replay, parameters: {file: exchange.trace}}' 'run: {cycles: 100000, dut: none}'
}
exchange fast
exchange slow 12
for run in fast again; do exits 0 "a trace: $run" "$HEDDLE" run fast.yaml --out $run; done
equal "$(digest fast)" "$(digest again)" "it has one digest"
exits 0 "with longer links" "$HEDDLE" run slow.yaml --out slow
check "the program takes longer: $(finish fast) and $(finish slow) cycles" test "$(finish fast)" -lt "$(finish slow)"
equal "$(sql fast "SELECT group_concat(value) FROM statistics WHERE name = 'computing of ranks'")" "1600,1700,1800,1900" \
  "values stand in the order of ranks"
says out "waited for rank 3" "the report says for whom it waits"
exits 0 "from a pipe" bash -c "cat exchange.trace | $HEDDLE run fast.yaml --set software.parameters.file=/dev/stdin --out pipe"
equal "$(digest pipe)" "$(digest fast)" "which is the same"
exits 0 "other processors" "$HEDDLE" run fast.yaml --set software.parameters.cycle_ns=10 --out quick
equal "$(sql quick "SELECT group_concat(value) FROM statistics WHERE name = 'computing of ranks'")" "160,170,180,190" "compute faster"
exits 0 "other collectives" "$HEDDLE" run fast.yaml --set software.parameters.algorithm=ring --out ring
if command -v verilator_bin >/dev/null; then
  exits 0 "on the RTL" "$HEDDLE" run fast.yaml --dut verilator --out rtl
  equal "$(digest rtl)" "$(digest fast)" "which agrees with the model"
else
  skip "on the RTL" "verilator_bin is missing, install the package verilator"
fi

printf 'num_ranks 2\nrank 0 { l1: calc 100; l2: send 8b to 1; l2 requires l1 }\nrank 1 { recv 8b from 0 }\n' >two.goal
exits 0 "GOAL" "$HEDDLE" run fast.yaml --set software.parameters.file=two.goal --out goal
check "its message waits" test "$(finish goal)" -gt 100
sed 's/recv 3 4096/recv 3 4097/' exchange.trace | sed 's/irecv 1 4096/irecv 1 4095/' >wrong.trace
exits 2 "a trace whose messages do not fit" "$HEDDLE" run fast.yaml --set software.parameters.file=wrong.trace
says err "wrong.trace:1: rank 1 sends other messages to rank 0 than rank 0 receives: number, tags or sizes differ" "is refused"
sed 's/^compute 1600$/compute soon/' exchange.trace >typo.trace
exits 2 "a trace with a typing error" "$HEDDLE" run fast.yaml --set software.parameters.file=typo.trace
says err "typo.trace:$(grep -n soon typo.trace | cut -d: -f1): \"soon\" is no time in nanoseconds" "is named by its line"
summary
