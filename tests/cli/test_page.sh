#!/usr/bin/env bash
# The page of a run: it is well-formed, has the values of report.json, and works in a browser.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
. "$root/tests/cli/page.sh" || exit
have_xmllint "the page of a run"

scenario plain.yaml
exits 0 "a run leaves its page" "$HEDDLE" run plain.yaml --out plain
says out "plain/report.html" "and says where"
exits 0 "the page is well-formed" xmllint --noout plain/report.html
for id in verdict fabric-drawing latency-drawing percentiles link-table vc-table result-table provenance-table; do
  has plain/report.html "$id" "the page has $id"
done
equal "$(xpath plain/report.html 'count(//*[local-name()="script" or local-name()="link" or local-name()="img"]/@*)')" 0 \
  "nothing is fetched"
equal "$(xpath plain/report.html 'count(//*[@id="fabric-drawing"]//*[local-name()="rect"])')" 16 "every switch is drawn"
equal "$(xpath plain/report.html 'count(//*[@id="fabric-drawing"]/*[@class="links"]/*)')" 24 "every link is drawn"

# The page has every result of report.json, with the same value.
same=0
while IFS='|' read -r key type value; do
  cell="//*[@data-key='$key']/*[2]"
  case $type in
  null) got=$(xpath plain/report.html "string($cell/@class)") value=none ;;
  true | false | real) got=$(xpath plain/report.html "string($cell/@data-v)") ;;
  *) got=$(xpath plain/report.html "string($cell)") ;;
  esac
  case $type in
  true) value=true ;;
  false) value=false ;;
  real) got=$(printf %.9g "$got") value=$(printf %.9g "$value") ;;
  esac
  if [ "$got" = "$value" ]; then same=$((same + 1)); else not_ok "$key on the page" "'$got', not '$value'"; fi
done < <(sqlite3 plain/run.db "SELECT key, json_type(readfile('plain/report.json'), '\$.' || key),
  json_extract(readfile('plain/report.json'), '\$.' || key) FROM results
  WHERE json_type(readfile('plain/report.json'), '\$.' || key) IS NOT NULL")
check "page and report.json agree on $same results" test "$same" -gt 40
check "no two things of a page have one name" bash -c "[ -z \"\$(grep -oE ' id=\"[^\"]*\"' plain/report.html | sort | uniq -d)\" ]"
# Settings have several types: texts, numbers, flags.
settings=0
while IFS='|' read -r key value; do
  got=$(xpath plain/report.html "string(//*[@id='parameters']//*[local-name()='tr'][*[1]='$key']/*[2])")
  if [ "$got" = "$value" ]; then settings=$((settings + 1)); else not_ok "$key on the page" "'$got', not '$value'"; fi
done < <(sql plain "SELECT key, value FROM parameters WHERE value NOT GLOB '* '")
check "the page has the $settings settings of the run" test "$settings" -gt 30
equal "$(xpath plain/report.html 'count(//*[local-name()="tr"][*[1]="fabric.topology"])')" 1 "each of them once"

equal "$(xpath plain/report.html 'sum(//*[@id="link-table"]/*[3]/*/*[3])')" "$(sql plain 'SELECT sum(flits) FROM links')" \
  "the table of links has all flits"
equal "$(xpath plain/report.html 'sum(//*[@id="link-table"]/*[3]/*/*[position()>4])')" "$(sql plain 'SELECT sum(flits) FROM links')" \
  "and so have its virtual channels"
equal "$(sql plain 'SELECT count(*) FROM (SELECT sum(v.flits) AS n, l.flits AS f FROM links l JOIN link_vcs v USING (switch, port) GROUP BY switch, port) WHERE n <> f')" \
  0 "a link's channels make its flits"
# The fabric has 24 links and 16 nodes; a flit can be blocked on the way to a switch.
has plain/report.html blocked-drawing "the page has a drawing of where flits are blocked"
equal "$(xpath plain/report.html 'count(//*[@id="blocked-drawing"]/*[@class="links"]/*)')" 24 "with every link"
blocked=$(sql plain 'SELECT blocked_flit_cycles FROM run')
check "some are blocked" test "$blocked" -gt 100
equal "$(sql plain 'SELECT sum(blocked_flit_cycles) FROM inputs')" "$blocked" "inputs have all that are blocked"
equal "$(xpath plain/report.html 'sum(//*[@id="blocked-table"]/*[3]/*/*[3])')" "$blocked" "and so have the links of the page"
equal "$(xpath plain/report.html 'sum(//*[@id="blocked-table"]/*[3]/*/*[position()>5])')" "$blocked" \
  "and their virtual channels"
most=$(sql plain 'SELECT max(n) FROM (SELECT sum(blocked_flit_cycles) AS n FROM inputs GROUP BY switch, port)')
equal "$(xpath plain/report.html 'string(//*[@id="blocked-table"]/*[3]/*[1]/*[3])')" "$most" "the worst link comes first"
equal "$(xpath plain/report.html 'string(//*[@data-key="blocked_most"]/*[2])')" \
  "$most on the link from $(xpath plain/report.html 'string(//*[@id="blocked-table"]/*[3]/*[1]/*[1])') to $(
    xpath plain/report.html 'string(//*[@id="blocked-table"]/*[3]/*[1]/*[2])')" "and is named as a result"
equal "$(xpath plain/report.html 'string(//*[@id="percentiles"]/*[3]/*[5]/*[2])')" "$(sql plain 'SELECT latency_p99 FROM run')" \
  "the 99th percentile is that of the results"

# heddle report: writes the same page again, also to another place.
cp plain/report.html first.html
exits 0 "the page is written again" "$HEDDLE" report plain
equal "$(cat out)" plain/report.html "its path is printed"
check "it is the same page" cmp first.html plain/report.html
exits 0 "of the database's file, to another place" "$HEDDLE" report plain/run.db --out other.html
equal "$(cat out)" other.html "which is printed"
exits 0 "a run without a page" "$HEDDLE" run plain.yaml --out bare --no-html
check "has none" test ! -e bare/report.html
exits 2 "a page of nothing" "$HEDDLE" report
exits 6 "a page of a run that is not there" "$HEDDLE" report nowhere
: >no.db
exits 2 "a page of what is no run" "$HEDDLE" report no.db
mkfifo pipe
exits 6 "a page into a pipe" timeout -k 1 60 "$HEDDLE" report plain --out pipe
says err "pipe: is no regular file" "is refused"

# A database of an older Heddle has no lists, no channels and no signals.
cp -r plain old
sql old 'DROP TABLE lists; DROP TABLE link_vcs; DROP TABLE signals; DROP TABLE inputs'
exits 0 "a run of an older Heddle has a page" "$HEDDLE" report old
exits 0 "which is well-formed" xmllint --noout old/report.html
has old/report.html latency-drawing "with latencies, from its packets"
equal "$(xpath old/report.html 'string(//*[@id="percentiles"]/*[3]/*[5]/*[2])')" "$(sql plain 'SELECT latency_p99 FROM run')" \
  "that are the same"
has old/report.html fabric-drawing "and the fabric"
equal "$(xpath old/report.html 'count(//*[@id="blocked-drawing" or @id="blocked-table"])')" 0 "but not where flits are blocked"
sql old "UPDATE run SET status = 'running', ended = NULL, message = NULL; DELETE FROM links; DELETE FROM results"
exits 0 "a run that was killed has a page" "$HEDDLE" report old
equal "$(xpath old/report.html 'string(//*[@id="verdict"])')" running "which says so"

# A divergence: the ports of RTL and model, and the switch that fails.
scenario bad.yaml
exits 3 "a divergence leaves its page" "$HEDDLE" run bad.yaml --dut "$fault:data,5,300" --out bad
exits 0 "its page is well-formed" xmllint --noout bad/report.html
has bad/report.html timeline "the page has a timeline"
equal "$(xpath bad/report.html 'string(//*[@id="fabric-drawing"]/*[@class="bad"]/*[local-name()="text"])')" \
  "$(sql bad 'SELECT switch FROM divergences')" "the failing switch is marked"
equal "$(xpath bad/report.html 'string(//*[@id="timeline"]//*[local-name()="th" and @class="at"])')" \
  "$(sql bad 'SELECT cycle FROM divergences')" "the cycle is marked"
equal "$(xpath bad/report.html 'string(//*[@id="timeline"]/*[3]/*[1]/*[1])')" \
  "port $(sql bad 'SELECT port FROM divergences') out" "the port that differs comes first"
equal "$(xpath bad/report.html 'count(//*[@id="timeline"]/*[3]/*[1]/*[@class="d at" and *[@class="m"] and *[@class="r"]])')" 1 \
  "with both sides in that cycle"
check "the database has signals of both sides" test "$(sql bad 'SELECT count(*) FROM signals WHERE model <> dut')" -ge 1

# With one packet under way nothing is blocked, and the page says so.
scenario free.yaml 'software: {program: uniform, parameters: {load: 0.0001, flits: 1, cycles: 300}}' 'seed: 3'
exits 0 "a run in which no flit waits" "$HEDDLE" run free.yaml --dut none --out free
equal "$(sql free 'SELECT blocked_flit_cycles FROM run')|$(sql free 'SELECT count(*) FROM inputs')" "0|0" "has no blocked flit-cycles"
says free/report.html "No flit was blocked on any link in any cycle." "which its page says"

# Many switches are drawn as few boxes, and the page says so.
scenario wide.yaml 'fabric: {topology: mesh, dims: [26, 26]}' 'run: {cycles: 50, dut: none}' \
  'software: {program: uniform, parameters: {load: 0.05, flits: 4, cycles: 40}}'
exits 0 "a run of 676 switches" "$HEDDLE" run wide.yaml --out wide
equal "$(xpath wide/report.html 'count(//*[@id="fabric-drawing"]//*[local-name()="rect"])')" 169 "4 switches are a box"
says wide/report.html "too many for one drawing" "which is said"
scenario pods.yaml 'fabric: {topology: fat-tree, pods: 16}' 'switch: {vcs: 2, data_bits: 32, depth_flits: 4}' \
  'run: {cycles: 50, dut: none}' 'software: {program: uniform, parameters: {load: 0.05, flits: 4, cycles: 40}}'
exits 0 "a FatTree of 320 switches" "$HEDDLE" run pods.yaml --out pods
equal "$(xpath pods/report.html '//*[@id="fabric-drawing"]//*[local-name()="rect"]/@y' | sort | uniq -c | awk '{ print $1 }' | xargs)" \
  "16 16 16" "has three rows of 16 boxes"
equal "$(xpath pods/report.html '//*[@id="fabric-drawing"]//*[local-name()="text"]/text()' | sort | uniq -c | awk '{ print $1, $2 }' | xargs)" \
  "16 ×4 32 ×8" "of which each is 4 core switches, or the 8 of a pod"
check "the page is small" test "$(stat -c %s wide/report.html)" -lt 1000000

# ── in a browser ──
have_browser "pages in a browser"
opens plain 8
opens bad 8
check "signals can be chosen" grep -q 'aria-pressed="true"' bad.dom
# Plants an error in a script, to prove that the test would see one.
sed 's|"use strict";|"use strict"; throw new Error("planted");|' plain/report.html >broken.html
browse --dump-dom "file://$work/broken.html" >broken.dom
check "a script that fails is found" bash -c 'grep -q "CONSOLE.*Error: planted" browser.log && ! grep -q "data-script=" broken.dom'
summary
