#!/usr/bin/env bash
# The page of a sweep: it is well-formed, has the figures of the tables, and works in a browser (for a check: test_check.sh).
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
. "$root/tests/cli/page.sh" || exit
have_xmllint "the page of a sweep"

scenario s.yaml
exits 0 "a sweep leaves its page" "$HEDDLE" sweep s.yaml --set 'software.parameters.load=0.1:0.7:0.2' \
  --set routing.algorithm=dimension-order,up-down --phases 200:500:600 --seeds 2 --out plain
says out "plain/report.html" "and says where"
exits 0 "the page is well-formed" xmllint --noout plain/report.html
for id in verdict latency-curves throughput-curves p99-curves point-table axis-table coverage-sections \
  coverage-table provenance-table; do
  has plain/report.html "$id" "the page has $id"
done
equal "$(xpath plain/report.html 'string(//*[@id="verdict"])')" passed "the verdict"
equal "$(xpath plain/report.html 'count(//*[@id="latency-curves"]//*[@class="point"])')" 8 "every point is drawn"
equal "$(xpath plain/report.html 'count(//*[@id="latency-curves"]//*[@class="line"])')" 2 "in two curves"
# points.csv: 6 axes, seeds, saturated, failed
saturated=$(awk -F, 'NR > 1 && 2 * $8 > $7' plain/points.csv | wc -l)
check "some points are saturated, some are not" test "$saturated" -ge 1 -a "$saturated" -lt 8
equal "$(xpath plain/report.html 'count(//*[@id="latency-curves"]//*[@class="ring"])')" "$saturated" "and are marked"
equal "$(xpath plain/report.html 'count(//*[@id="throughput-curves"]//*[@class="error"])')" 8 "each has its interval"
column() { # NAME: the column's number in points.csv
  head -1 plain/points.csv | tr , '\n' | grep -nx "$1" | cut -d: -f1
}
numbers() {
  printf '%.9g\n' "$@"
}
mapfile -t csv < <(tail -n +2 plain/points.csv | cut -d, -f"$(column latency_mean_mean)")
mapfile -t page < <(xpath plain/report.html '//*[@id="point-table"]/*[3]/*/*[6]/@data-v' | grep -oE '[0-9.]+')
equal "$(numbers "${page[@]}")" "$(numbers "${csv[@]}")" "the table of points has the latencies of points.csv"
json() { # PATH
  sqlite3 :memory: "SELECT json_extract(readfile('plain/sweep.json'), '$1')"
}
equal "$(json '$.coverage.runs')" 16 "coverage is that of all runs"
count=$(sqlite3 :memory: "SELECT sum(json_extract(value, '$.count')) FROM json_each(readfile('plain/sweep.json'), '$.coverage.points')")
equal "$(xpath plain/report.html '//*[@id="coverage-table"]/*[3]/*/*[3]/text()' | awk '{ n += $1 } END { print n }')" "$count" \
  "the table of points of the specification has its counts"
equal "$(xpath plain/report.html 'count(//*[@id="coverage-holes"]/*)')" "$(json '$.coverage.holes')" "holes are listed"
# A single run exercised a point as often as the page shows for it.
exits 0 "a sweep of one run" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.1 --out one
exits 0 "the same run by itself" "$HEDDLE" run s.yaml --set software.parameters.load=0.1 --out alone
mapfile -t points < <(sqlite3 alone/run.db 'SELECT sum(count), sum(reachable) FROM coverage')
equal "$(sqlite3 :memory: "SELECT sum(json_extract(value, '$.count')) || '|' || sum(json_extract(value, '$.reachable'))
  FROM json_each(readfile('one/sweep.json'), '$.coverage.points')")" "${points[0]}" "came by the same points"
says one/report.html "no axis has two numbers" "with one value nothing is drawn, which is said"

# heddle report: writes the same page again, also to another place.
cp plain/report.html first.html
exits 0 "the page is written again" "$HEDDLE" report plain
equal "$(cat out)" plain/report.html "its path is printed"
check "it is the same page" cmp first.html plain/report.html
exits 0 "without a page" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.1 --out bare --no-html
check "there is none" test ! -e bare/report.html
rm plain/sweep.json
exits 2 "a campaign without tables" "$HEDDLE" report plain
says err "heddle sweep s.yaml --set software.parameters.load=0.1:0.7:0.2" "has no page, but a command"

# Saturation.
exits 0 "a search" "$HEDDLE" sweep s.yaml --set routing.algorithm=dimension-order,up-down --phases 200:500:600 \
  --saturation software.parameters.load=0.1:0.9:0.2 --out search
equal "$(xpath search/report.html 'count(//*[@id="saturation-table"]/*[3]/*)')" 2 "has a table of where it saturates"
equal "$(xpath search/report.html 'count(//*[@id="latency-curves"]//*[@class="point"])')" \
  "$(tail -n +2 search/points.csv | wc -l)" "and its points are drawn over what was searched"

# Failures: similar ones are one group, with a command that writes the page to which the group links.
exits 3 "a sweep with failures" "$HEDDLE" sweep s.yaml --dut "$fault:data,5,300" \
  --set software.parameters.load=0.2,0.3 --seeds 2 --out bad
exits 0 "its page is well-formed" xmllint --noout bad/report.html
equal "$(xpath bad/report.html 'string(//*[@id="verdict"])')" "4 failed runs" "the verdict counts them"
groups=$(sqlite3 bad/campaign.db 'SELECT count(DISTINCT signature) FROM tasks WHERE failed')
equal "$(xpath bad/report.html 'count(//*[@class="group"])')" "$groups" "failures alike are one"
equal "$(xpath bad/report.html 'count(//*[@class="group"]//*[local-name()="a"])')" 0 "no link leads nowhere"
xpath bad/report.html 'string(//*[@id="group-1"]/*[local-name()="pre"])' >shown
read -ra command <shown
exits 3 "its command shows the failure again" "$HEDDLE" "${command[@]:1}"
exits 0 "the page again" "$HEDDLE" report bad
link=$(xpath bad/report.html 'string(//*[@id="group-1"]//*[local-name()="a"]/@href)')
check "now it links to the run's page: $link" test -s "bad/$link"
exits 0 "the page in another place" "$HEDDLE" report bad --out elsewhere.html
check "links to the same" test -s "$(xpath elsewhere.html 'string(//*[@id="group-1"]//*[local-name()="a"]/@href)')"

# ── in a browser ──
have_browser "pages in a browser"
opens search 8
opens bad 8
summary
