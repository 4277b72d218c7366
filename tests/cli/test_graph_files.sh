#!/usr/bin/env bash
# Graph files of other tools: heddle reads the output of heddle topo; each format gives the described fabric; mistakes are named.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# graph NAME FILE: writes a scenario with the file.
graph() {
  scenario "$1.yaml" "fabric: {topology: graph, file: $2}" "${3:-routing: {\}}" \
    'software: {program: uniform, parameters: {load: 0.6, flits: 4, cycles: 2000}}' 'run: {cycles: 4000, dut: none}'
}
# links NAME: prints the links as CSV, without ports
links() {
  "$HEDDLE" topo "$1.yaml" --links csv | sed 's/:[0-9]*//g' | tr '\n' ' '
}

have=()
for format in dot csv json; do
  if [ "$format" != dot ] || [ -e "$(dirname "$HEDDLE")/hd_cgraph.so" ]; then
    have+=("$format")
  else
    skip "dot" "no hd_cgraph.so; install libgraphviz-dev and build Heddle again"
  fi
done
written=0
while read -r name keys; do
  [ "$name" != dragonfly ] || keys="$keys, global_link_cycles: 9"
  scenario "$name.yaml" "fabric: {topology: $name, $keys}" "switch: {vcs: 8, data_bits: 32}"
  "$HEDDLE" topo "$name.yaml" --links csv >links.csv
  for format in "${have[@]}"; do
    "$HEDDLE" topo "$name.yaml" --links "$format" >"$name.$format"
    graph "$name-$format" "$name.$format" 'routing: {algorithm: shortest, deadlock_check: false}'
    if "$HEDDLE" topo "$name-$format.yaml" --links csv >again.csv 2>err && cmp -s links.csv again.csv; then
      written=$((written + 1))
    else
      not_ok "$name is read as it was written as $format" "links.csv and again.csv differ"
    fi
  done
done < <("$HEDDLE" scenario --json >keys.json && sqlite3 -separator ' ' :memory: "SELECT json_extract(value, '\$.name'),
  json_extract(value, '\$.example') FROM json_each(readfile('keys.json'), '\$.topologies') WHERE json_extract(value, '\$.name') != 'graph'")
check "$written fabrics are read as they were written" test "$written" -gt $((10 * ${#have[@]}))

printf 'router 0 node 0 node 1 node 2 router 1 15\nrouter 1 node 3 node 4\nrouter 2 node 5 router 1 router 0 2\nrouter 1 router 0\n' >anynet_file
graph anynet anynet_file
equal "$(links anynet)" "n0,s0 n1,s0 n2,s0 n3,s1 n4,s1 n5,s2 s0,s1,15 s0,s2,2 s1,s2 " "BookSim's anynet"
printf 'router 0 node 0\nrouter 1 node one\n' >anynet_wrong
graph anynet-wrong anynet_wrong
exits 2 "a wrong anynet" "$HEDDLE" topo anynet-wrong.yaml
says err 'anynet_wrong:2: "one": the number of a node must follow; legal: 0 … 2047' "names line and word"

printf '6 2 6\n4 5\n0 4 100Gbps 1us 0\n1 4 100Gbps 1us 0\n2 5 100Gbps 1us 0\n3 5 100Gbps 1us 0\n3 4 100Gbps 1us 0\n4 5 200Gbps 1us 0\n' >ns3.txt
graph ns3 ns3.txt
equal "$(links ns3)" "n0,s1 n1,s1 n2,s2 n3,s0 s0,s2 s0,s1 s1,s2 s1,s2 " "ns-3: a machine with two links is a switch; twice the rate is two links"
sed 's/200Gbps/fast/' ns3.txt >ns3-wrong.txt
graph ns3-wrong ns3-wrong.txt
exits 2 "a wrong rate" "$HEDDLE" topo ns3-wrong.yaml
says err 'ns3-wrong.txt:8: "fast": the rate of a link; legal: as 400Gbps' "names line and word"

printf '{"nodes": 2, "switches": 1, "links": [{"node": 0, "switch": 0, "port": 0}, {"node": 2, "switch": 0, "port": 1}]}' >wrong.json
graph wrong-json wrong.json
exits 2 "a wrong JSON" "$HEDDLE" topo wrong-json.yaml
says err 'wrong.json: links[1]: legal: node, switch and port' "names the link"

if [ -e "$(dirname "$HEDDLE")/hd_cgraph.so" ]; then
  printf '/* a ring */ digraph ring { a -> b -> c -> a; b -> a; h [type=host]; h -> c; c -> h; a [nodes=2]; b [nodes=1] }' >ring.dot
  graph ring ring.dot 'routing: {algorithm: shortest, deadlock_check: false}'
  equal "$(links ring)" "n0,s2 n1,s0 n2,s0 n3,s1 s0,s1 s1,s2,one-way s2,s0,one-way " "dot: hosts, nodes on switches, opposite edges are one link"
  printf 'graph {\n a -- b;\n b -- \n}\n' >wrong.dot
  graph wrong-dot wrong.dot
  exits 2 "a wrong dot" "$HEDDLE" topo wrong-dot.yaml
  says err "syntax error in line 4" "names the line"
  { echo 'graph {'; for i in {1..17}; do echo "hub -- \"leaf $i\""; done; echo '}'; } >hub.dot
  graph hub hub.dot
  exits 2 "a vertex with 17 links" "$HEDDLE" topo hub.yaml
  says err 'hub.dot: switch "hub" (s0) has 17 links and 1 node; a switch has at most 16 ports' "names it"
fi
if [ -e "$(dirname "$HEDDLE")/hd_igraph.so" ]; then
  printf 'Creator "a zoo"\ngraph [\n directed 0\n node [ id 5 label "Bern" ]\n node [ id 7 label "Wien" ]\n node [ id 9 label "Graz" ]\n edge [ source 5 target 7 ]\n edge [ source 7 target 9 ]\n]\n' >zoo.gml
  graph zoo zoo.gml
  equal "$("$HEDDLE" topo zoo.yaml --links csv | tr '\n' ' ')" "n0,s0:0 n1,s1:0 n2,s2:0 s0:1,s1:1 s1:2,s2:1 " "GML: a node on every switch"
  sed 's/target 9/target 8/' zoo.gml >wrong.gml
  graph wrong-gml wrong.gml
  exits 2 "a wrong GML" "$HEDDLE" topo wrong-gml.yaml
  says err "wrong.gml: " "names the file"
  cat >two.graphml <<'X'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="t" for="node" attr.name="type" attr.type="string"/>
<graph edgedefault="undirected"><node id="x"/><node id="y"/><node id="m"><data key="t">host</data></node><node id="n"><data key="t">host</data></node>
<edge source="x" target="y"/><edge source="x" target="m"/><edge source="n" target="y"/></graph></graphml>
X
  graph two two.graphml
  equal "$(links two)" "n0,s0 n1,s1 s0,s1 " "GraphML: hosts are nodes"
  head -c 200 two.graphml >cut.graphml
  graph cut cut.graphml
  exits 2 "a GraphML that is cut off" "$HEDDLE" topo cut.yaml
else
  skip "GML and GraphML" "no hd_igraph.so; install libigraph-dev and build Heddle again"
fi

printf 'n0,s0\nn1,s0\nn2,s0\nn3,s1\nn4,s1\nn5,s1\ns0,s1\ns0,s1\ns0,s1\n' >parallel.csv
for routing in up-down shortest; do
  graph "$routing" parallel.csv "routing: {algorithm: $routing}"
  exits 0 "parallel links, $routing" "$HEDDLE" run "$routing.yaml" --out "$routing"
  equal "$(sql "$routing" "SELECT count(*) FROM links WHERE switch = 0 AND port > 2 AND flits > 0")" 3 \
    "all three carry packets"
done
summary
