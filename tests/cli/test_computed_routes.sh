#!/usr/bin/env bash
# Switches that compute routes: the same cycles as with tables; larger fabrics; refusals (specification §12).
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# digest RUN
digest() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '\$.digest')"
}
# alike NAME FABRIC ROUTING: switches with tables and switches that compute do the same in each cycle. The rules at ports
# watch both.
alike() {
  local name=$1 with
  for with in false true; do
    scenario "$name-$with.yaml" "fabric: {$2}" "routing: {computed: $with$3}" 'switch: {vcs: 2, data_bits: 32}' \
      'software: {program: uniform, parameters: {load: 0.3, flits: 4}}' 'run: {cycles: 1500, dut: model}'
    exits 0 "$name: computed $with" "$HEDDLE" run "$name-$with.yaml" --out "$name-$with"
  done
  equal "$(digest "$name-true")" "$(digest "$name-false")" "$name: they are the same, cycle by cycle"
}

alike mesh 'topology: mesh, dims: [4, 8, 3]' ''
alike torus 'topology: torus, dims: [8, 5]' ''
alike hypercube 'topology: hypercube, n: 5' ''
alike source 'topology: extended-tree, k: 2, n: 3' ', algorithm: s-mod-k'
alike destination 'topology: tree, k: 4, n: 2' ', algorithm: d-mod-k'
alike fat-tree 'topology: fat-tree, pods: 4' ''
alike folded 'topology: folded-butterfly, k: 2, n: 4' ''
alike omega 'topology: omega, k: 4, n: 2' ''
alike clos 'topology: clos, n: 4, m: 8, r: 5' ''

# Without the cycle of routing, a hop takes one cycle less: three cycles.
scenario line.yaml 'fabric: {topology: mesh, dims: [16]}' 'routing: {computed: true}' \
  'switch: {vcs: 2, data_bits: 32, route_cycles: 0}' 'software: {program: pingpong}' 'run: {dut: model}'
exits 0 "no cycle of routing" "$HEDDLE" run line.yaml --out line-0
sed 's/route_cycles: 0/route_cycles: 1/' line.yaml >line-1.yaml
exits 0 "one cycle of routing" "$HEDDLE" run line-1.yaml --out line-1
check "is slower" test "$(sql line-0 'SELECT min(received - created) FROM packets')" -lt \
  "$(sql line-1 'SELECT min(received - created) FROM packets')"

# More nodes than routing tables can have entries for.
scenario large.yaml 'fabric: {topology: torus, dims: [64, 64]}' 'routing: {computed: true}' 'switch: {vcs: 2, data_bits: 32}' \
  'software: {program: uniform, parameters: {load: 0.02, flits: 4}}' 'run: {cycles: 300, dut: model}'
exits 0 "64 × 64" "$HEDDLE" run large.yaml --out large
check "packets arrive" test "$(sql large 'SELECT count(*) FROM packets WHERE received IS NOT NULL')" -gt 500
exits 0 "its figures" "$HEDDLE" topo large.yaml
says out "computed by the switches; figures are closed forms (§5.15), ways were not followed" "are closed forms"
exits 0 "a way" "$HEDDLE" topo large.yaml --path 0:4095
says out "node 4095: 3 switches" "is followed"
exits 2 "as a graph file" "$HEDDLE" topo large.yaml --routes
says err "the fabric has 4096 nodes; a graph file has routes to at most 2048" "it is too large"
exits 0 "by distances" "$HEDDLE" run large.yaml --set run.rules=false --set run.routes=minimal --out large-2
exits 2 "distances of all pairs" "$HEDDLE" run large.yaml --set run.routes=minimal --out large-3
says err "distances of 4096 nodes are too many to keep" "are not kept"
exits 2 "with tables" "$HEDDLE" run large.yaml --set routing.computed=false --out large-4
says err "routing tables have at most 2048 entries; more need switches that compute routes" "there is none so large"
exits 2 "one channel" "$HEDDLE" run large.yaml --set switch.vcs=1 --out large-5
says err "can deadlock with 1 virtual channel, where 2 are needed" "is not enough for its rings"

# Software that sends its own messages, on 4,096 nodes.
scenario coding.yaml 'fabric: {topology: torus, dims: [64, 64]}' 'routing: {computed: true}' \
  'switch: {vcs: 4, data_bits: 64, depth_flits: 16, cut_flits: 16, code_places: 32}' \
  'software: {program: coding, parameters: {multicast: tree, group: 8x8, decode: software, sources: 4, torus: 1}}' \
  'run: {cycles: 100000, dut: none}' 'trace: {packets: false}'
exits 0 "network coding on 64 × 64" "$HEDDLE" run coding.yaml --out coding

summary
