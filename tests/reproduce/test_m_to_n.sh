#!/usr/bin/env bash
# make reproduce-m-to-n in small: its files, contention on RTL as the checker says, verdicts from data.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/reproduce/test_m_to_n.sh HEDDLE
# shellcheck disable=SC2317 # functions are called by check
set -u
study=("$1" study m-to-n)
# shellcheck source=tests/reproduce/lib.sh
. "$(dirname "$0")/lib.sh"

# cases FILE SCHEDULE: of the cases on RTL, contended links and blocked flit-cycles are both 0 or both not; by
# the paper's tables some are, by padded ones none.
cases() {
  awk -F, -v schedule="$2" '
    NR > 1 && $13 == 1 && $8 == schedule { n++; if (($16 > 0) != ($19 > 0)) wrong++; blocked += $19 > 0 }
    END {
      print n " cases, " blocked " block, " wrong + 0 " against the checker"
      exit !(n >= 36 && !wrong && (schedule == "padded" ? !blocked : blocked > 5))
    }' "$1"
}

full=$work/full
check "it ends" run "$full"
check "its files are there" ls "$full"/report.md "$full"/report.json "$full"/runs.csv
check "a figure has each packet of each run of Experiment 1" \
  sh -c "[ \$(grep -c '^2-to-1, packets at once\|^one pair, a packet' '$full/packets.csv') = 128 ]"
check "and each destination" sh -c "[ \$(grep -c '^48-to-54, virtual' '$full/destinations.csv') = 54 ]"
check "the paper's tables block flits exactly if they contend" cases "$full/runs.csv" paper
check "padded tables block none" cases "$full/runs.csv" padded
for statement in 6-to-10 closed-form checker padded 96-slots 9.216-us-more fair-port 2-to-4 virtual-destinations constant-hops; do
  check "$statement agrees" verdict "$full" $statement agrees
done
for statement in table-1 6-to-10-d-mod-k no-contention-up-to-N hierarchical-is-like-one-pair extended-8-ary; do
  check "$statement disagrees" verdict "$full" $statement disagrees
done
for statement in unscheduled-latency decrease-of-twice hot-spot-leaves-2.5 jitter; do
  check "$statement cannot be judged" verdict "$full" $statement "cannot be judged"
done
check "the paper's latency is in the figure" grep -q '^the paper: Fig. 12: unscheduled,,34.784,$' "$full/destinations.csv"
cp -r "$full" "$work/again"
check "a second call carries nothing out" run "$work/again"
check "all of it is there" grep -qE "m-to-n: ([0-9]+) of \1 runs \(\1 from before\)" "$work/again.log"
check "and says the same" cmp "$full/report.md" "$work/again/report.md"

# One case by a padded table that blocks, made up: the checker says no.
made=$work/made
cp -r "$full" "$made"
sqlite3 "$made"/runs/*/campaign.db "
  UPDATE results SET value = 3.0 WHERE key = 'blocked' AND task =
    (SELECT min(task) FROM tasks WHERE text LIKE '%dut: verilator%' AND text LIKE '%schedule: padded%');"
check "a made-up run is taken" run "$made"
check "the checker is wrong then" verdict "$made" checker partly
check "and the padded table" verdict "$made" padded partly
mkdir -p "$work/page"
touch "$work/page/destinations.svg"
check "tables for pages are written" "${study[@]}" --quick --out "$made" --docs "$work/page"
check "with the experiments" grep -q '^"48-to-54, one merged table","96","3456","0","0",' "$work/page/experiments.csv"
check "and a picture" grep -q SPDX "$work/page/destinations.svg"
exit $failed
