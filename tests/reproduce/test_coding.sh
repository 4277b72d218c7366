#!/usr/bin/env bash
# make reproduce-coding in small: its files, hops counted three ways, verdicts from data.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/reproduce/test_coding.sh HEDDLE, from the top of the tree
# shellcheck disable=SC2317 # functions are called by check
set -u
study=("$1" study coding)
# shellcheck source=tests/reproduce/lib.sh
. "$(dirname "$0")/lib.sh"

# says STATEMENT TEXT: a line of the statement in the report of $full has the text.
says() {
  awk -v name="### $1:" 'index($0, "### ") == 1 { here = index($0, name) == 1 } here' "$full/report.md" | grep -F "$2"
}

# measured DIRECTORY LEAST: so many runs have cycles and flit-hops.
measured() {
  awk -F, -v least="$2" 'NR > 1 && $11 > 0 && $12 > 0 { n++ } END { print n " runs"; exit !(n >= least) }' "$1/runs.csv"
}

# refused TEXT COMMAND ...: it fails, and says so.
refused() {
  local text=$1
  shift
  ! "$@" >"$work/refused.log" 2>&1 && grep -F "$text" "$work/refused.log"
}

full=$work/full
check "it ends" run "$full"
check "its files are there" ls "$full"/report.{md,json} "$full"/{plans,runs}.csv \
  "$full"/{hops,groups,variants,times}.{csv,svg,png}
check "all runs have cycles" measured "$full" 34
check "tori ran" grep -qE "^8,torus,coded,all-at-once,8x4,.*,verilator," "$full/runs.csv"
check "the recursive form ran" grep -qE "^8,mesh,coded,all-at-once,4x4,2x2,.*,verilator," "$full/runs.csv"
check "it saves hops" says recursive-saves-more "8-ary, by the switches: percent of the hops with one level that"
check "formula, sends and switches agree" verdict "$full" formula-sends-switches agrees
check "in all runs" says formula-sends-switches "of 34 runs, those in which switches counted other flit-hops |  | 0 |"
check "the printed table agrees" verdict "$full" longest-paths agrees
check "large networks are not measured" verdict "$full" 70-percent "not measured"
check "what the paper does not give cannot be judged" verdict "$full" three-times-tree "cannot be judged"
cp -r "$full" "$work/again"
check "a second call carries nothing out" run "$work/again"
check "all of it is there" grep -qE "plans-carried-out: ([0-9]+) of \1 runs \(\1 from before\)" "$work/again.log"
check "and says the same" cmp "$full/report.md" "$work/again/report.md"

# Made up: switches counted a hop more in one run, and coding is a fifth faster; then much faster than slightly.
made=$work/made
cp -r "$full" "$made"
sqlite3 "$made"/runs/*/campaign.db "
  UPDATE results SET value = value + 1 WHERE key = 'flit-hops' AND task =
    (SELECT min(task) FROM tasks WHERE text LIKE '%program: coding%');
  UPDATE results SET value = 100.0 WHERE key = 'cycles' AND task IN
    (SELECT task FROM tasks WHERE text LIKE '%scheme: coded, multicast: all-at-once%');
  UPDATE results SET value = 120.0 WHERE key = 'cycles' AND task IN
    (SELECT task FROM tasks WHERE text LIKE '%scheme: flat, multicast: all-at-once%');"
check "made-up runs are taken" run "$made"
check "the switches differ then" verdict "$made" formula-sends-switches partly
check "and coding is faster" verdict "$made" slightly-better-when-small agrees
sqlite3 "$made"/runs/*/campaign.db "UPDATE results SET value = 1.0 WHERE key = 'cycles' AND value = 100.0;"
check "made-up runs are taken again" run "$made"
check "a hundred times as fast is not slightly" verdict "$made" slightly-better-when-small disagrees
mkdir -p "$work/page"
touch "$work/page/hops.svg"
check "tables for pages are written" "${study[@]}" --quick --out "$made" --docs "$work/page"
check "with the hops" grep -q '^"8","tree","32","6912","5862",' "$work/page/counts.csv"
check "and a picture" grep -q SPDX "$work/page/hops.svg"
touch "$work/page/hop.svg"
check "a picture that there is not is refused" refused "hop.svg" \
  "${study[@]}" --quick --out "$made" --docs "$work/page"
check "so is a directory that there is not" refused "$work/nowhere" \
  "${study[@]}" --quick --out "$made" --docs "$work/nowhere"
check "hops alone need no RTL" run "$work/hops" --hops-only
check "and no run is measured" verdict "$work/hops" formula-sends-switches "not measured"
mkdir "$work/mine"
echo mine >"$work/mine/report.md"
check "a directory of somebody else's is refused" refused "so it is none of Heddle's for this" \
  "${study[@]}" --quick --hops-only --out "$work/mine"
check "and is left as it is" grep -qx mine "$work/mine/report.md"
exit $failed
