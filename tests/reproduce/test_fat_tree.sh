#!/usr/bin/env bash
# make reproduce-fat-tree in small: its files, saturation where arithmetic puts it, verdicts from data.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/reproduce/test_fat_tree.sh HEDDLE
# shellcheck disable=SC2317 # functions are called by check
set -u
study=("$1" study fat-tree)
# shellcheck source=tests/reproduce/lib.sh
. "$(dirname "$0")/lib.sh"

# accepts FILE NETWORK ROUTING LEAST MOST: the most that uniform traffic has accepted is between, and points
# below saturation accept what is offered.
accepts() {
  awk -F, -v network="$2" -v routing="$3" -v low="$4" -v high="$5" '
    $1 == network && $2 == routing && $3 == "uniform" {
      n++; if ($9 > most) most = $9
      if (!$7 && ($9 < 0.95 * $8 || $9 > 1.05 * $8)) wrong++
    }
    END { print n " points, at most " most ", " wrong + 0 " wrong"; exit !(n == 5 && !wrong && most >= low && most <= high) }' "$1"
}

full=$work/full
check "it ends" run "$full"
check "its files are there" ls "$full"/report.{md,json} "$full"/points.csv "$full"/{topologies,routings,traffic}.{csv,svg,png}
# In a FatTree of 4 pods, two nodes that route by position share an up port: 15/28 = 0.536.
check "two nodes share an up port" accepts "$full/points.csv" fat-tree-4 position 0.4 0.536
check "by destination they do not" accepts "$full/points.csv" fat-tree-4 minimal 0.6 1
check "nor does one node alone" accepts "$full/points.csv" edge-4 position 0.6 1
check "nor if they choose" accepts "$full/points.csv" fat-tree-4 adaptive 0.6 1
for statement in routers internal-links external-links minimal-steps meshes-rise adaptive-alleviates one-up-port; do
  check "$statement agrees" verdict "$full" $statement agrees
done
for statement in linear-reception lower-latency more-consistent-latency; do
  check "$statement cannot be judged" verdict "$full" $statement "cannot be judged"
done
cp -r "$full" "$work/again"
check "a second call carries nothing out" run "$work/again"
check "all of it is there" grep -qE "fat-tree: ([0-9]+) of \1 runs \(\1 from before\)" "$work/again.log"
check "and says the same" cmp "$full/report.md" "$work/again/report.md"

# Made up: position accepts more than an up port carries, meshes are flat, and adaptive routing on them accepts
# nearly nothing. The verdicts follow.
made=$work/made
cp -r "$full" "$made"
sqlite3 "$made"/runs/*/campaign.db "
  UPDATE results SET value = 0.6 WHERE key = 'throughput' AND task IN
    (SELECT task FROM tasks WHERE text LIKE '%algorithm: position%load: 0.9%');
  UPDATE results SET value = 30.0 WHERE key = 'latency.mean' AND task IN
    (SELECT task FROM tasks WHERE text LIKE '%topology: mesh%');
  UPDATE results SET value = 0.02 WHERE key = 'throughput' AND task IN
    (SELECT task FROM tasks WHERE text LIKE '%topology: mesh%algorithm: adaptive%');"
check "made-up runs are taken" run "$made"
check "an up port cannot carry that" verdict "$made" one-up-port disagrees
check "a flat mesh does not rise" verdict "$made" meshes-rise disagrees
check "so little is less, by any interval" verdict "$made" adaptive-on-meshes disagrees
mkdir -p "$work/page"
touch "$work/page/routings.svg"
check "tables for pages are written" "${study[@]}" --quick --out "$made" --docs "$work/page"
check "with the saturation" grep -q '"FatTree of 4 pods","16","position"' "$work/page/saturation.csv"
check "and a picture" grep -q SPDX "$work/page/routings.svg"
exit $failed
