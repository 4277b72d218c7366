#!/usr/bin/env bash
# The files of a run: valid JUnit XML, complete JSON and CSV, a database as documented.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# junit RUN WHAT TESTS FAILURES ERRORS SKIPPED
junit() {
  if ! command -v xmllint >/dev/null; then
    skip "$2: JUnit" "xmllint is missing, package libxml2-utils"
    return
  fi
  exits 0 "$2: JUnit is valid" xmllint --noout --schema "$root/tests/cli/junit.xsd" "$1/results.xml"
  equal "$(xmllint --xpath 'concat(//testsuite/@tests," ",//testsuite/@failures," ",//testsuite/@errors," ",//testsuite/@skipped)' "$1/results.xml")" \
    "$3 $4 $5 $6" "$2: JUnit counts"
  equal "$(xmllint --xpath 'concat(count(//testcase)," ",count(//failure)," ",count(//error)," ",count(//skipped))' "$1/results.xml")" \
    "$3 $4 $5 $6" "$2: JUnit counts what is there"
}

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

scenario 'plain.yaml'
exits 0 "a run with all files" "$HEDDLE" run plain.yaml --out plain --csv
for file in run.db report.html report.json report.csv latency.csv results.xml packets.csv pairs.csv; do
  check "$file is there" test -s "plain/$file"
done
check "no log is left beside the database" test ! -e plain/run.db-wal
junit plain "passed" 5 0 0 1
equal "$(sqlite3 :memory: "SELECT json_valid(readfile('plain/report.json'))")" 1 "report.json is JSON"
sent=$(sql plain 'SELECT packets_sent FROM run')
check "packets were sent" test "$sent" -gt 100
equal "$(sql plain 'SELECT count(*) FROM packets')" "$sent" "every packet has a row"
equal "$(sql plain 'SELECT packets_received + undelivered FROM run')" "$sent" "received and undelivered make sent"
equal "$(json plain '$.packets_sent')" "$sent" "JSON and database agree on packets"
equal "$(json plain '$.digest')" "$(sql plain 'SELECT digest FROM run')" "JSON and database agree on the digest"
equal "$(($(wc -l <plain/packets.csv) - 1))" "$sent" "packets.csv has every packet"
equal "$(head -1 plain/packets.csv)" "number,source,destination,flits,created,received,latency,synthetic,intact,entered,class" \
  "packets.csv has names"
equal "$(awk -F, 'NR > 1 { n += $4 } END { print n }' plain/pairs.csv)" "$(json plain '$.latency.packets')" \
  "pairs.csv counts every packet that was measured"
equal "$(json plain '$.latency.median') $(json plain '$.latency.p999') $(json plain '$.network_latency.p95')" \
  "$(for what in 'latency 500' 'latency 999' 'network_latency 950'; do
    sql plain "SELECT ${what% *} FROM packets ORDER BY ${what% *} LIMIT 1 OFFSET
      (SELECT (count(*) * ${what#* } + 999) / 1000 - 1 FROM packets)"
  done | paste -sd ' ')" "other percentiles are those of the packets, too"
equal "$(wc -l <plain/report.csv)" 2 "report.csv has two lines"
equal "$(sed 's/[^,]//g' plain/report.csv | uniq | wc -l)" 1 "report.csv has a value for every name"
equal "$(awk -F, 'NR > 1 { n += $2 } END { print n }' plain/latency.csv)" \
  "$(sql plain 'SELECT count(*) FROM packets WHERE received IS NOT NULL')" "latency.csv counts every packet"
equal "$(sql plain 'SELECT latency_minimum || " " || latency_maximum || " " || round(latency_mean, 6) FROM run')" \
  "$(sql plain 'SELECT min(latency) || " " || max(latency) || " " || round(avg(latency), 6) FROM packets')" \
  "minimum, maximum and mean are those of the packets"
equal "$(sql plain 'SELECT latency_p99 FROM run')" \
  "$(sql plain 'SELECT latency FROM packets ORDER BY latency LIMIT 1 OFFSET (SELECT (count(*) * 99 + 99) / 100 - 1 FROM packets)')" \
  "the 99th percentile is that of the packets"
# The database's table of results has the values of the other files.
equal "$(sql plain "SELECT group_concat(key || ' ' || value || ' ' || unit, ', ') FROM
  (SELECT * FROM results WHERE key IN ('packets_sent', 'latency.mean') ORDER BY key)")" \
  "latency.mean $(sql plain 'SELECT latency_mean FROM run') cycles, packets_sent $sent packets" \
  "results have values and units"
equal "$("$HEDDLE" results | sed -n '/^results:/,/^statistics:/s/^  \([a-z]\S*\).*/\1/p' | sort)" \
  "$(sql plain 'SELECT key FROM results ORDER BY key')" "the database has every result"
both=0
while IFS='|' read -r key value; do
  [ "$(json plain "\$.$key")" = "$value" ] || not_ok "$key in report.json" "$(json plain "\$.$key"), not $value"
  both=$((both + 1))
done < <(sqlite3 plain/run.db "SELECT key, value FROM results
  WHERE json_type(readfile('plain/report.json'), '\$.' || key) IS NOT NULL")
check "JSON and database agree on $both results" test "$both" -gt 40
equal "$(sql plain 'PRAGMA user_version')" 1 "the schema has its version"
equal "$(sql plain 'SELECT sum(flits) FROM links WHERE peer_kind = "node"')" \
  "$(sql plain 'SELECT flits_received FROM run')" "links count the flits to nodes"
equal "$(sql plain 'SELECT value FROM parameters WHERE key = "software.parameters.load"')" 0.2 "parameters are kept"
check "scenario is kept as it was" diff <(sql plain 'SELECT scenario FROM run') <(cat plain.yaml; echo)

scenario warm.yaml 'run: {cycles: 5000, dut: model, warmup_cycles: 500}'
exits 0 "a run with warm-up" "$HEDDLE" run warm.yaml --out warm
equal "$(sql warm 'SELECT latency_packets FROM run')" \
  "$(sql warm 'SELECT count(*) FROM packets WHERE created >= 500')" "warm-up packets are not in the statistics"

# --cycles must be longer than the warm-up. The part of a record that is played again need not be.
for cycles in 1 500; do
  exits 2 "--cycles $cycles within the warm-up" "$HEDDLE" run warm.yaml --cycles "$cycles" --out within
  says err "--cycles $cycles: " "--cycles $cycles: the option is named"
  says err "legal: more than 500 (run.warmup_cycles)" "--cycles $cycles: so is what is legal"
  check "--cycles $cycles: nothing is run" test ! -e within
done
exits 0 "a cycle after the warm-up" "$HEDDLE" run warm.yaml --cycles 501 --out after-it
exits 0 "no warm-up" "$HEDDLE" run warm.yaml --cycles 500 --set run.warmup_cycles=0 --out without
exits 0 "a replay that ends within the warm-up" "$HEDDLE" replay warm --cycles 300 --out part

# A batch offers no load over time: its throughput is over the whole run, and nothing is said of saturation.
scenario batch.yaml 'software: {program: uniform, parameters: {injection: batch, batch: 20, flits: 4}}'
exits 0 "a batch" "$HEDDLE" run batch.yaml --dut none --out batch
cycles=$(json batch '$.cycles')
says out "received in cycles 0 to $((cycles - 1))" "it is measured until the run ends"
equal "$(sql batch "SELECT round(value * 16 * $cycles) FROM results WHERE key = 'throughput'")" 1280.0 "all its flits count"
equal "$(json batch '$.offered') $(json batch '$.load_state') $(json batch '$.saturated')" "  " "no load is offered or judged"
check "nor does the text judge one" test -z "$(grep saturated out)"

# A run that ends in its warm-up leaves nothing to measure: no result is 0 for that.
exits 0 "a run that is all warm-up" "$HEDDLE" run warm.yaml --set software.parameters.cycles=100 --out cold
says out "throughput          not measured" "its throughput is not a number"
equal "$(json cold '$.throughput') $(json cold '$.offered') $(sql cold "SELECT value IS NULL FROM results WHERE key = 'throughput'")" \
  "  1" "in JSON and database neither"

# Statistics of software: database, JSON and CSV agree; diff compares them.
scenario rounds.yaml 'switch: {barrier: any, data_bits: 32}' \
  'software: {program: barrier, parameters: {rounds: 40, compute: 30, load: 0.1}}' 'run: {dut: model}'
exits 0 "a run that records statistics" "$HEDDLE" run rounds.yaml --out rounds
equal "$(sql rounds "SELECT name || ' ' || count(*) FROM statistics GROUP BY name ORDER BY name")" \
  "$(printf 'first barriers 1\nlater barriers 39')" "every round has a value"
check "statistics.csv has what the database has" diff <(tail -n +2 rounds/statistics.csv) \
  <(sql rounds "SELECT '\"' || name || '\",' || cycle || ',' || value FROM statistics")
for i in 0 1; do
  equal "$(json rounds "\$.statistics[$i].n") $(json rounds "\$.statistics[$i].maximum")" \
    "$(sql rounds "SELECT count(*) || ' ' || max(value) FROM statistics WHERE name = '$(json rounds "\$.statistics[$i].name")'")" \
    "JSON and database agree on statistic $i"
done
exits 0 "the same run again" "$HEDDLE" run rounds.yaml --out rounds2
exits 0 "its statistics are equal" "$HEDDLE" diff rounds rounds2
says out "statistic 'later barriers': 39 equal, 0 differ, 0 only in A, 0 only in B" "and it says so"
exits 0 "a run with another seed" "$HEDDLE" run rounds.yaml --seed 2 --out rounds3
exits 1 "its statistics differ" "$HEDDLE" diff rounds rounds3
says out "first: value number" "and the first that does is named"
sqlite3 rounds2/run.db 'DROP VIEW statistics; DROP TABLE statistic_values; DROP TABLE statistic_names'
exits 0 "a run of a Heddle without statistics in the database" "$HEDDLE" diff rounds rounds2
says out "statistics of software not compared: B is a run of an older Heddle" "is said to be one"

# Hops: each packet's way is that of the tables, and ends one link before it is received.
scenario hops.yaml 'trace: {hops: true}'
exits 0 "a run with hops" "$HEDDLE" run hops.yaml --out hops
read -r packet source destination < <(sql hops 'SELECT number, source, destination FROM packets
  WHERE (SELECT count(*) FROM hops WHERE packet = number) = 7 LIMIT 1' | tr '|' ' ')
equal "$("$HEDDLE" topo hops.yaml --parameters)" \
  "PORTS=5 VCS=2 DATA_W=16 DEPTH=4 NODES=16 ROUTE_CYCLES=1 ARB_CYCLES=1 BUFFER_CYCLES=0 CUT_FLITS=0 SOURCE_TABLE=0 ADAPTIVE=0" \
  "topo --parameters names those of the Verilog"
equal "$("$HEDDLE" topo hops.yaml --path "$source:$destination" | awk '/switch / && /port/ { print $2, $6, $10 }')" \
  "$(sql hops "SELECT switch || ' ' || in_port || ' ' || out_port FROM hops WHERE packet = $packet ORDER BY hop")" \
  "the hops of packet $packet are its way by the tables"
equal "$(sql hops 'SELECT count(*) FROM hops h JOIN hops g ON g.packet = h.packet AND g.hop = h.hop + 1 WHERE g.cycle < h.cycle + 4')" \
  0 "no hop takes less than the pipeline"
equal "$(sql hops 'SELECT count(*) FROM packets WHERE received IS NOT NULL AND number NOT IN (SELECT packet FROM hops)')" \
  0 "every received packet has hops"
equal "$(json hops '$.hops')" "$(sql hops 'SELECT count(*) * 1.0 / count(DISTINCT packet) FROM hops JOIN packets
  ON packet = number WHERE received IS NOT NULL')" "hops on average are those of the packets"

# Routings with several ways for a pair: by a node that each packet draws, or by ports that switches choose.
scenario via.yaml 'trace: {hops: true}' 'routing: {algorithm: valiant}'
exits 0 "a run by nodes that packets draw" "$HEDDLE" run via.yaml --out via
sql via "SELECT switch || ' ' || in_port || ' ' || out_port FROM hops WHERE packet = 0 ORDER BY hop" >via.hops
read -r source destination < <(sql via 'SELECT source, destination FROM packets WHERE number = 0' | tr '|' ' ')
found=
for by in {0..15}; do
  "$HEDDLE" topo via.yaml --path "$source:$by:$destination" | awk '/switch / && /port/ { print $2, $6, $10 + 0 }' >via.way
  cmp -s via.hops via.way && found+=" $by"
done
by=${found##* }
check "the hops of packet 0 are its way by node $by" test -n "$by"
exits 3 "a flit of it is wrong" "$HEDDLE" run via.yaml --dut "$fault:data,$(cut -d' ' -f1 via.hops | sed -n 2p),20" --out via-bad
check "its way is that of its header" grep -qE "way .* by the tables, by node [0-9]+\$" out
equal "$("$HEDDLE" topo via.yaml | sed -n 's/.*by all nodes, //p')" "12 switches, mean 6.000" \
  "topo counts both halves of all ways"
scenario corner.yaml 'routing: {algorithm: o1turn}'
exits 0 "a way by a corner" "$HEDDLE" topo corner.yaml --path 0:12:15
exits 2 "a way by a node that no packet draws" "$HEDDLE" topo corner.yaml --path 0:5:15
says err "no packet from node 0 to node 15 goes by node 5; some by 3" "a node is named"
exits 2 "a way by a third node where packets draw none" "$HEDDLE" topo plain.yaml --path 0:5:15
says err "no packet draws a node to go by" "and says so"
scenario choose.yaml 'trace: {hops: true}' 'routing: {algorithm: adaptive}' 'switch: {data_bits: 16, cut_flits: 4}'
exits 0 "the way of a packet whose switches choose" "$HEDDLE" topo choose.yaml --path 0:15
says out "switch 0     in by port 0   out by port 1 on vc 0, or chosen: port 1 or 3 on vc 1" "has ports and channels of both"
exits 3 "a wrong flit in such a fabric" "$HEDDLE" run choose.yaml --dut "$fault:data,6,123" --out choose
says out "not settled by the tables: packets choose among ports" "has no way by the tables"

# Throughput counts only the cycles in which packets are created, not the drain.
scenario full.yaml 'software: {program: uniform, parameters: {load: 0.9, flits: 4, cycles: 2000}}' \
  'run: {cycles: 20000, dut: model, warmup_cycles: 500}'
exits 0 "a saturated run that drains" "$HEDDLE" run full.yaml --out full
until=$(json full '$.measured_until')
check "its measuring phase ends with the traffic" test "$until" -gt 1900 -a "$until" -le 2000
check "and the run much later" test "$(json full '$.cycles')" -gt $((until + 500))
exits 0 "the same, cut off there" "$HEDDLE" run full.yaml --cycles "$until" --out full-cut
for run in full full-cut; do
  equal "$(json $run '$.throughput')" "$(sql $run "SELECT sum(flits) * 1.0 / ($until - 500) / 16 FROM packets
    WHERE received BETWEEN 500 AND $until - 1")" "$run: throughput is what was received in it"
done
equal "$(json full-cut '$.throughput')" "$(json full '$.throughput')" "drained or not, it is the same"
scenario talk.yaml 'software: {program: broadcast}'
exits 0 "software that waits for packets" "$HEDDLE" run talk.yaml --out talk
equal "$(json talk '$.measured_until')" "$(json talk '$.cycles')" "where somebody waits, all of the run is measured"

# Failures, and names with characters that must be escaped.
cp plain.yaml 'a & <b>.yaml'
sed -i 's/^name:.*/name: "a \& <b> \\"c\\""/' 'a & <b>.yaml'
exits 3 "a divergence with an odd name" "$HEDDLE" run 'a & <b>.yaml' --dut "$fault:data,5,300" --out odd
junit odd "divergence" 5 1 0 3
check "JUnit does not call budgets kept that were not judged" grep -A 1 -q 'name="budgets and delivery" time="0.000">' odd/results.xml
equal "$(json odd '$.name')" 'a & <b> "c"' "JSON escapes the name"
equal "$(json odd '$.status')" divergence "JSON has the status"
equal "$(json odd '$.divergence.switch') $(json odd '$.divergence.cycle')" \
  "$(sql odd 'SELECT switch || " " || cycle FROM divergences')" "JSON and database agree on the divergence"
equal "$(json odd '$.divergence.model.flit.port')" "$(sql odd 'SELECT expected_port FROM divergences')" \
  "JSON has the model's flit"
exits 0 "the model alone, by packets" "$HEDDLE" run plain.yaml --dut none --set run.compare=packets --set run.mode=closed --out by-packets
check "has its own blocked flits" grep -qE "blocked flit-cycles +[0-9]" out
exits 0 "the model alone" "$HEDDLE" run plain.yaml --dut none --out alone
junit alone "the model alone" 5 0 0 3
exits 11 "nothing to compare" "$HEDDLE" run plain.yaml --cycles 1 --out nothing
junit nothing "nothing compared" 5 1 0 3
for run in plain alone nothing; do
  check "$run: JUnit does not speak of RTL where there was none" bash -c "! grep -q 'RTL and model' $run/results.xml"
done
scenario blocked.yaml 'budgets: {blocked_flit_cycles: 0}'
exits 4 "a missed budget" "$HEDDLE" run blocked.yaml --out missed
junit missed "budget" 5 1 0 1
scenario abort.yaml 'software: {program: pingpong, parameters: {round_trip_cycles: 1}}'
exits 8 "software that gives up" "$HEDDLE" run abort.yaml --out abort
says err "cycles; allowed: 1" "what software found wrong is said"
junit abort "software that gave up" 6 0 1 3
equal "$(sql abort 'SELECT status FROM run')" error "the database says error"

if command -v gnuplot >/dev/null; then
  exits 0 "a plot" "$HEDDLE" run plain.yaml --plot --out plotted
  check "the plot is an SVG" grep -q '<svg' plotted/latency.svg
  check "it is white on a dark page, too" grep -q 'fill="#ffffff"' plotted/latency.svg
else
  skip "a plot" "gnuplot is missing, package gnuplot-nox"
fi
mkdir empty
exits 0 "a plot without gnuplot" env PATH="$work/empty" "$HEDDLE" run plain.yaml --plot --out unplotted
says err "SKIP latency.svg" "the missing plot is said"

# topo
exits 0 "a summary" "$HEDDLE" topo plain.yaml
says out "16 to nodes, 1 cycle each" "one cycle is not cycles"
scenario one.yaml 'switch: {vcs: 1, data_bits: 16, depth_flits: 1}' \
  'software: {program: uniform, parameters: {flits: 1, cycles: 100}}'
exits 3 "one of each" "$HEDDLE" run one.yaml --dut "$fault:data,5,30" --out one
says out "1 VC x 1 flit of 16 bits" "one channel is not channels, one flit is not flits"
check "one packet's flit is not flits" bash -c "grep -q ', 1 flit, handed over' out"
exits 0 "links as DOT" "$HEDDLE" topo plain.yaml --links dot
equal "$(grep -c -- ' -- ' out)" 40 "a 4x4 mesh has 24 + 16 links"
exits 0 "links as JSON" "$HEDDLE" topo plain.yaml --links json
equal "$(sqlite3 :memory: "SELECT json_array_length(readfile('out'), '$.links')")" 40 "JSON has them, too"
"$HEDDLE" topo plain.yaml --links csv >mesh.csv
scenario graph.yaml 'fabric: {topology: graph, file: mesh.csv}' 'routing: {algorithm: up-down}'
exits 0 "the CSV is a graph file again" "$HEDDLE" topo graph.yaml --links csv
check "with the same links" diff <(sort mesh.csv) <(sort out)
scenario irregular.yaml 'fabric: {topology: irregular, switches: 20, graph_seed: 9}'
exits 0 "a run of an irregular network" "$HEDDLE" run irregular.yaml --out irregular
says out "irregular network of degree 3, graph seed 9" "says what it is"
"$HEDDLE" topo irregular.yaml --links csv >irregular.csv
scenario drawn.yaml 'fabric: {topology: graph, file: irregular.csv}'
exits 0 "a run of its links as a graph" "$HEDDLE" run drawn.yaml --out drawn
equal "$(json irregular '$.digest')" "$(json drawn '$.digest')" "has the same digest"
equal "$(sql irregular "SELECT group_concat(key || ' ' || value, ', ') FROM
  (SELECT key, value FROM parameters WHERE key LIKE 'fabric.%' ORDER BY key)")" \
  "fabric.degree 3, fabric.graph_seed 9, fabric.link_cycles 1, fabric.switches 20, fabric.topology irregular" \
  "the database has every number of the fabric"
exits 0 "a replay of the irregular network" "$HEDDLE" replay irregular --out redrawn
says out "same digest" "has it, too"
exits 2 "a way between nodes that are not there" "$HEDDLE" topo plain.yaml --path 0:16
exits 2 "a way that is no pair" "$HEDDLE" topo plain.yaml --path 3

# fault.so promises quiescence, and nobody has proved it. Two switches, fewer cycles than eight windows have.
scenario short.yaml 'fabric: {topology: mesh, dims: [2]}'
sampled=0
for seed in $(seq 10); do
  "$HEDDLE" run short.yaml --dut "$fault:data,0,99999" --cycles 200 --seed "$seed" --out "short$seed" >out 2>&1
  n=$(sqlite3 :memory: "SELECT json_extract(readfile('short$seed/report.json'), '\$.sampled_cycles') >= 200")
  sampled=$((sampled + n))
done
equal "$sampled" 10 "quiescence is sampled in a run of less than a window, with each of 10 seeds"
says out "(quiescent: sampled in " "the report says in how much"
"$HEDDLE" run short.yaml --dut "$fault:data,0,99999" --cycles 600 --out short >out 2>&1
check "and in each switch of a run of three" test \
  "$(sqlite3 :memory: "SELECT json_extract(readfile('short/report.json'), '$.sampled_cycles')")" -gt 300
# Results do not replace files of others.
mkdir mine
for file in report.html points.csv; do
  echo mine >"mine/$file"
  scenario mine.yaml
  case $file in
  report.html) exits 2 "a run into a directory that has a $file" "$HEDDLE" run mine.yaml --out mine ;;
  *) exits 2 "a sweep into a directory that has a $file" "$HEDDLE" sweep mine.yaml --seeds 1 --out mine ;;
  esac
  says err "mine/$file would be replaced" "the file is said"
  equal "$(cat mine/*)" mine "and is as it was, alone"
  rm "mine/$file"
done
echo mine >victim
ln -s "$work/victim" mine/report.html
exits 2 "a run into a directory whose report.html is a link" "$HEDDLE" run mine.yaml --out mine
says err "mine/report.html would be replaced" "is refused"
rm mine/report.html
equal "$(cat victim)" mine "and what it leads to is as it was"
mkdir there
ln -s there linked
exits 0 "a run into a link to a directory" "$HEDDLE" run mine.yaml --out linked
says out "linked is a link: the results are in $work/there" "says where they are"
# A trace whose cycles are seconds of a clock; parallel links that no table uses.
printf 'cycle,source,destination,bytes\n1764192503000000,0,1,64\n' >epoch.csv
scenario epoch.yaml 'software: {program: replay, parameters: {file: epoch.csv}}' 'run: {cycles: 1000, dut: none}'
exits 4 "a trace that begins after the run" "$HEDDLE" run epoch.yaml
says err "nothing was sent, for software waits until cycle 1764192503000000" "is said"
printf 'n0,s0\nn1,s1\ns0,s1\ns0,s1\ns0,s1\n' >parallel.csv
scenario parallel.yaml 'fabric: {topology: graph, file: parallel.csv}' 'run: {cycles: 2000, dut: none}'
exits 0 "three links between two switches" "$HEDDLE" run parallel.yaml
says out "4 of 6 output ports with parallel links between two switches carry nothing" "of which two are not used"

# Events that take energy, compared with counts from the database's tables.
scenario energy.yaml 'fabric: {topology: mesh, dims: [3, 2], link_cycles: 2}' 'trace: {hops: true}' \
  'run: {cycles: 2000, dut: none}' 'energy: {buffer: 1000, crossbar: 500, link: 200, head: 3000}'
exits 0 "a run that counts energy" "$HEDDLE" run energy.yaml --out energy
flits=$(sql energy 'SELECT sum(flits) FROM links')
equal "$(cut -d, -f1-3 energy/energy.csv | paste -sd ' ')" \
  "event,events,each buffer,$flits,1000 crossbar,$flits,500 link,$((2 * flits)),200 head,$(sql energy \
    'SELECT count(*) FROM hops'),3000 clock,$((6 * $(sql energy 'SELECT cycles FROM run'))),0" "events are those of the database"
equal "$(sql energy "SELECT round(value, 3) FROM results WHERE key = 'energy'")" \
  "$(awk -F, 'NR > 1 { sum += $2 * $3 / 1000 } END { print sum }' energy/energy.csv)" "and so is their sum"
scenario whole.yaml 'fabric: {topology: flattened-butterfly, k: 4, n: 1, inside: mesh 2x2}' 'energy: {link: 1}' 'run: {mode: closed, compare: packets}'
exits 2 "energy of a network that is the DUT" "$HEDDLE" run whole.yaml
says err "energy: not with fabric.inside" "is refused"

early=$root/tests/scenarios/barrier-8x8.yaml
exits 4 "a run that ends before its first barrier" "$HEDDLE" run "$early" --dut none --set run.cycles=90 --out early
says out "rules T1 to T9      (specification 8.13) judged nothing: no message crossed a port" "has no rule that holds"
says err "in 90 cycles (run.cycles) software has not finished" "and says that software needs more cycles"
exits 4 "a run that ends before its last barrier, beside data" "$HEDDLE" run "$early" --dut none --set run.cycles=2000 --out cut
says out "0 sent, 0 received; software has not finished" "says that software has not finished"
exits 0 "a run of all barriers" "$HEDDLE" run "$early" --dut none --out over
says out "0 sent, 0 received; software has finished" "says that software has finished"

summary
