#!/usr/bin/env bash
# Routing tables in graph files: the output of heddle topo --routes is the same fabric; mistakes are named.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# digest RUN
digest() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '\$.digest')"
}
# written NAME KEY=VALUE ...: a fabric and the graph file with its tables must give the same digest, on the model only.
written() {
  local name=$1 fabric=${2} routing=$3 switch=$4
  scenario "$name.yaml" "fabric: {$fabric}" "routing: {$routing}" "switch: {$switch}" \
    'software: {program: uniform, parameters: {load: 0.3, flits: 4}}' 'run: {cycles: 1500, dut: none}'
  exits 0 "$name: its tables are written" "$HEDDLE" topo "$name.yaml" --routes
  mv out "$name.csv"
  scenario "$name-file.yaml" "fabric: {topology: graph, file: $name.csv}" "routing: {}" "switch: {$switch}" \
    'software: {program: uniform, parameters: {load: 0.3, flits: 4}}' 'run: {cycles: 1500, dut: none}'
  exits 0 "$name: a run" "$HEDDLE" run "$name.yaml" --out "$name"
  exits 0 "$name: a run by its tables" "$HEDDLE" run "$name-file.yaml" --out "$name-file"
  says out ", tables" "$name: which says so"
  equal "$(digest "$name-file")" "$(digest "$name")" "$name: they are the same, cycle by cycle"
}

written order 'topology: mesh, dims: [4, 3]' 'algorithm: dimension-order' 'vcs: 2, data_bits: 32'
written classes 'topology: torus, dims: [4, 4]' 'algorithm: minimal' 'vcs: 3, data_bits: 32'
written source 'topology: extended-tree, k: 2, n: 3' 'algorithm: s-mod-k' 'vcs: 2, data_bits: 32'
written up-down 'topology: irregular, switches: 9' 'algorithm: up-down' 'vcs: 2, data_bits: 32'
written one-way 'topology: omega, k: 2, n: 3' 'algorithm: minimal' 'vcs: 2, data_bits: 32'
written adaptive 'topology: mesh, dims: [4, 4]' 'algorithm: adaptive' 'vcs: 2, data_bits: 16, cut_flits: 4'
written valiant 'topology: torus, dims: [4, 4]' 'algorithm: valiant' 'vcs: 4, data_bits: 32'
exits 0 "topo of tables" "$HEDDLE" topo adaptive-file.yaml
says out "routing             tables; longest way out, by table entries, 7 switches" "shows their ways"
exits 0 "chosen by counts" "$HEDDLE" run adaptive.yaml --set routing.congestion=count --out count
exits 0 "also by tables" "$HEDDLE" run adaptive-file.yaml --set routing.congestion=count --out count-file
equal "$(digest count-file)" "$(digest count)" "they are the same"
check "and other than by credits" test "$(digest count)" != "$(digest adaptive)"
exits 2 "counts where nothing is chosen" "$HEDDLE" run order-file.yaml --set routing.congestion=count
says err "routing.congestion: the tables of the graph file have no sets of ports; legal: credits" "are refused"
if command -v verilator_bin >/dev/null; then
  exits 0 "tables on the RTL" "$HEDDLE" run adaptive-file.yaml --dut verilator --out rtl
  equal "$(digest rtl)" "$(digest adaptive)" "it agrees with the model"
else
  skip "tables on the RTL" "verilator_bin is missing, install the package verilator"
fi

exits 0 "another routing can be said" "$HEDDLE" topo adaptive-file.yaml --path 0:15
sed 's/routing: {}/routing: {algorithm: up-down}/' adaptive-file.yaml >other.yaml
exits 0 "and is used" "$HEDDLE" topo other.yaml
says out "routing             up-down" "instead of the tables"
printf 's0,s1\nn0,s0\nn1,s1\n' >bare.csv
scenario bare.yaml 'fabric: {topology: graph, file: bare.csv}' 'routing: {algorithm: tables}'
exits 2 "tables of a file without any" "$HEDDLE" topo bare.yaml
says err "fabric.file: it has links alone, but no routing tables" "are missed"
sed '0,/^to,s5,/s/^\(to,s5,[^,]*,[^,]*\),[^,]*/\1,7/' adaptive.csv >wide.csv
scenario wide.yaml 'fabric: {topology: graph, file: wide.csv}' 'switch: {vcs: 2, data_bits: 16, cut_flits: 4}' 'routing: {}'
exits 2 "a channel that there is not" "$HEDDLE" topo wide.yaml
says err "wide.csv:$(grep -n '^to,s5,' wide.csv | head -1 | cut -d: -f1): a channel that packets do not have; legal: 0 … 1" \
  "is named by file and line"
sed 's/, cut_flits: 4//' adaptive-file.yaml >wormhole.yaml
exits 2 "tables that need cut-through, without it" "$HEDDLE" topo wormhole.yaml
says err "fabric.file: can deadlock with packets that choose but without virtual cut-through (switch.cut_flits): " \
  "are refused with the circle"
exits 2 "contention is not known of them" "$HEDDLE" schedule adaptive-file.yaml
summary
