#!/usr/bin/env bash
# make reproduce-schedules in small: its files, nothing blocked by time on RTL, rows of one's own, verdicts from data.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/reproduce/test_schedules.sh HEDDLE, from the top of the tree
# shellcheck disable=SC2317 # functions are called by check
set -u
study=("$1" study schedules)
said="'$1' study schedules" # for sh -c
# shellcheck source=tests/reproduce/lib.sh
. "$(dirname "$0")/lib.sh"

# blocks MEANS LEAST MOST: so many of all runs have blocked flits.
blocks() {
  sqlite3 "$full"/runs/*/campaign.db "
    SELECT count(*), sum(r.value > 0) FROM tasks t JOIN results r ON r.task = t.task AND r.key = 'blocked'
    WHERE t.text LIKE '%synchronise: $1}%'" | awk -F'|' -v low="$2" -v high="$3" '
    { print $1 " runs, " $2 " block"; exit !($1 > 4 && $2 >= low && $2 <= high) }'
}

# A row of each kind: a network whose links go one way, broadcast and scatter, one root, all ports, a file's network.
cat >"$work/rows.csv" <<'END'
network,nodes,collective,root,ports,paper_steps,paper_time,paper_rate
"omega:k=2,n=3",8,all-to-all-broadcast,,one,7,<1s,100
"omega:k=2,n=3",8,one-to-all-scatter,0,one,7,<1s,100
"butterfly:k=2,n=3",8,all-to-all-scatter,,one,7,8s,100
"graph:file=docs/examples/butterfly-8.csv",8,all-to-all-scatter,,one,7,8s,100
"binary-tree:n=3",8,all-to-all-broadcast,,one,8,32s,100
"binary-tree:n=3",8,all-to-all-scatter,,one,16,6s,100
"folded-butterfly:k=2,n=3",8,one-to-all-broadcast,0,one,3,<1s,100
"folded-butterfly:k=2,n=3",8,all-to-all-scatter,,one,7,12s,100
"full-binary-tree:n=3",7,one-to-all-broadcast,0,all,2,<1s,100
END
full=$work/full
check "it ends" run "$full" --rows "$work/rows.csv"
check "its files are there" ls "$full"/report.{md,json} "$full"/rows.csv "$full"/{search,cycles}.{csv,svg,png}
check "steps at times block nothing" blocks time 0 0
check "steps that are not separated do" blocks none 1 8
check "steps after barriers that have settled do not" blocks 'barrier, settle_cycles: 32' 0 0
check "the specification's butterfly needs a step more" grep -qE "Butterfly 8 \| all-to-all-scatter \| \| 7 \| 8s \| 7 \| 8 \|" \
  "$full/report.md"
for statement in table-2 all-links-busy table-4 contention-avoided synchronized-steps fewest-steps-proved; do
  check "$statement agrees" verdict "$full" $statement agrees
done
check "scatter-under-a-second agrees" verdict "$full" scatter-under-a-second agrees
check "how long the paper's attempts were is not known" verdict "$full" success-rates 'cannot be judged'
check "the evolution stands beside the paper's" grep -qE "Omega 8 \| all-to-all-broadcast \| \| 7 \| <1s \| 100% \| 7 \| (50|100)% \|" \
  "$full/report.md"
check "so do the paper's schedules" grep -qE "^\| \*\*0\*\* \| 4 \| 2 \| 1 \| 5 \| 3 \| 6 \| 7 \|  \| [0-7]" "$full/report.md"
cp -r "$full" "$work/again"
check "a second call carries nothing out" run "$work/again" --rows "$work/rows.csv"
check "all of it is there" grep -qE "schedules-carried-out: ([0-9]+) of \1 runs \(\1 from before\)" "$work/again.log"
check "and says the same" cmp "$full/report.md" "$work/again/report.md"

# Made up: a schedule blocks at its times, another is not proved, and the solver took as long as the evolution.
made=$work/made
cp -r "$full" "$made"
sqlite3 "$made"/runs/*/campaign.db "
  UPDATE results SET value = 3.0 WHERE key = 'blocked' AND task =
    (SELECT min(task) FROM tasks WHERE text LIKE '%synchronise: time}%');
  UPDATE results SET value = value - 1 WHERE key = 'bound' AND task =
    (SELECT min(task) FROM tasks WHERE text LIKE 'schedule: omega%all-to-all-broadcast%');
  UPDATE results SET value = 3600.0 WHERE key = 'search';
  UPDATE results SET value = 99.0 WHERE key = 'steps' AND task =
    (SELECT min(task) FROM tasks WHERE text LIKE 'evolution: folded%broadcast%');"
check "made-up runs are taken" run "$made" --rows "$work/rows.csv"
check "contention is not avoided then" verdict "$made" contention-avoided partly
check "one is not proved" verdict "$made" fewest-steps-proved disagrees
check "a seed of the broadcast failed" grep -qE "one-to-all-broadcast: per cent of seeds.*\| 50 \|" "$made/report.md"
check "nor is the search short" verdict "$made" search-time disagrees
mkdir -p "$work/page"
touch "$work/page/search.svg"
check "tables for pages are written" "${study[@]}" --quick --rows "$work/rows.csv" --out "$made" --docs "$work/page"
check "with the steps" grep -q '^"Omega 8","all-to-all-broadcast","","7","<1s","7","7, not proved",' "$work/page/steps.csv"
check "and a picture" grep -q SPDX "$work/page/search.svg"

# Rows that are none.
refused() {
  printf '%s\n' "$2" >"$work/bad.csv"
  check "$1 is refused" sh -c "! $said --rows '$work/bad.csv' --out '$work/bad' 2>'$work/err' && grep -F '$3' '$work/err'"
}
refused "no collective" '"omega:k=2,n=3",8,shuffle,,one,7,<1s,100' 'bad.csv:1: not network,nodes'
refused "no time" '"omega:k=2,n=3",8,aab,,one,7,soon,100' 'bad.csv:1: not network,nodes'
refused "another number of nodes" '"omega:k=2,n=3",9,aab,,one,7,<1s,100' 'omega:k=2,n=3 has 8 nodes, not 9'
refused "a row that comes twice" $'"omega:k=2,n=3",8,aab,,one,7,<1s,100\n"omega:k=2,n=3",8,aab,,one,7,<1s,100' 'bad.csv:2: this row'
refused "no row" '# nothing' 'no row'
exit $failed
