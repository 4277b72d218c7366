#!/usr/bin/env bash
# make reproduce-barrier: its files, what cannot be luck in them, interruption, verdicts from data.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/reproduce/test.sh HEDDLE
# shellcheck disable=SC2317 # functions are called by check
set -u
study=("$1" study barrier)
said="'$1' study barrier" # for sh -c
# shellcheck source=tests/reproduce/lib.sh
. "$(dirname "$0")/lib.sh"

# moves FILE PANEL SCHEME LEAST MOST: largest later mean over smallest of a curve is between.
moves() {
  awk -F, -v panel="$2" -v scheme="$3" -v low="$4" -v high="$5" '
    NR > 1 && $1 == panel && $2 == scheme && $3 == "later" {
      n++; if (n == 1 || $14 < least) least = $14; if ($14 > most) most = $14
    }
    END {
      if (n) print n " points, most over least " most / least
      exit !(n >= 3 && most / least >= low && most / least <= high)
    }' "$1"
}

# means_of_two FILE: every point is the mean of two runs, and they are not all alike.
means_of_two() {
  awk -F, 'NR > 1 { n++; bad += $12 != 2 || 2 * $14 != $15 + $16; moved += $15 != $16 }
    END { exit !(n >= 6 && moved && !bad) }' "$1"
}

# rtl_is_the_model FILE: every point of the first seed is on RTL, too, with the same number.
rtl_is_the_model() {
  awk -F, 'NR > 1 { n++; bad += $17 == "" || $17 != $18 } END { exit !(n > 8 && !bad) }' "$1"
}

same() { cmp "$1/report.md" "$2/report.md" && cmp "$1/fig13.csv" "$2/fig13.csv"; }

# ── real runs ──────────────────────────────────────────────────────────────────
full=$work/full
"${study[@]}" --quick --seeds 1 --out "$full" --only fig13 >"$full.log" 2>&1 &
pid=$!
# until some runs have ended, two go at once, long before the last
until [ "$(compgen -G "$full/runs/*.yaml" | wc -l)" -ge 4 ] || ! kill -0 "$pid"; do
  sleep 0.05
done
kill -INT "$pid"
wait "$pid"
check "Ctrl-C ends it with 130" test $? = 130
check "its report says so" grep -q '^\*\*Interrupted' "$full/report.md"
check "what is missing is said to be missing" verdict "$full" flat-under-congestion-irregular "not measured"
check "it goes on and ends" run "$full" --seeds 1
check "its report no longer says interrupted" sh -c "! grep -q '^..Interrupted' '$full/report.md'"
check "it did not begin anew" grep -q "from before" "$full.log"
check "every figure has its files" ls "$full"/fig1{1,2,3,4,5}.{csv,svg,png} "$full"/data.{csv,svg,png}
check "every point of Fig. 13 is there" sh -c "! grep -q ',,$' '$full/fig13.csv'"
check "any channel: flat by the congestion's duration" moves "$full/fig13.csv" a any 1 1.25
check "queued: not" moves "$full/fig13.csv" a queued 10 1000
check "any channel: flat by the number of congested members" moves "$full/fig13.csv" c any 1 1.25
check "any channel: flat under data" moves "$full/data.csv" b any 1 1.25
check "groups cost: first rounds grow" moves <(sed 's/,first,/,later,/' "$full/fig12.csv" | grep ,any,) a any 2 100
cp -r "$full" "$work/again"
check "a second call carries nothing out" run "$work/again" --seeds 1
check "all of it is there" grep -qE "reproduce: ([0-9]+) of \1 runs \(\1 from before\)" "$work/again.log"
check "and says the same" same "$full" "$work/again"
check "a second seed of one figure" run "$work/again" --seeds 2 --only fig12
check "the first one stands" grep -qE "reproduce: ([0-9]+) of \1 runs \([1-9][0-9]* from before\)" "$work/again.log"
check "its points are means of both" means_of_two "$work/again/fig12.csv"

# ── made-up runs: the verdicts follow the numbers ──────────────────────────────
# The preempting switch slow under congestion, the others not.
made=$work/made
cp -r "$full" "$made"
sqlite3 "$made"/runs/*/campaign.db "
  UPDATE tasks SET status = 0;
  DELETE FROM results;
  INSERT INTO results SELECT task, 0, 'first', 150.0, 'cycles' FROM tasks;
  INSERT INTO results SELECT task, 1, 'later', 100.0 + CASE
    WHEN text LIKE '%barrier: any%' AND text LIKE '%, congestion: %'
    THEN CAST(substr(text, instr(text, ', congestion: ') + 14) AS INTEGER) ELSE 0 END, 'cycles' FROM tasks;
  INSERT INTO results SELECT task, 2, 'most', value, unit FROM results WHERE key = 'later';"
check "made-up runs are taken" run "$made" --seeds 1
check "slow is not flat" verdict "$made" flat-under-congestion-irregular disagrees
check "flat does not change dramatically" verdict "$made" tree-changes-irregular disagrees
check "half as long again is at most twice" verdict "$made" first-round-at-most-twice agrees
check "one figure alone ends" sh -c "$said --only faults --seeds 1 --out '$work/part' >'$work/part.log'"
check "its verdicts are marked as of a part" grep -qE '^adaptive-delivery +PART: agrees$' "$work/part.log"
check "all of them" sh -c "! grep -E '(agrees|partly|measured|judged)$' '$work/part.log' | grep -v PART:"
check "RTL is the model" grep -qE '^rtl-is-the-model +PART: agrees$' "$work/part.log"
check "its figure has RTL beside the model" rtl_is_the_model "$work/part/faults.csv"
sqlite3 "$work"/part/runs/*/campaign.db "UPDATE results SET value = value + 1 WHERE key = 'later' AND task =
  (SELECT min(task) FROM tasks WHERE text LIKE '%dut: verilator%');"
check "with a point a cycle off" sh -c "$said --only faults --seeds 1 --out '$work/part' >'$work/part.log'"
check "RTL is not the model" grep -qE '^rtl-is-the-model +PART: partly$' "$work/part.log"
check "arithmetic stays" verdict "$made" formulas-as-printed disagrees
# Data wait three times as long where barriers preempt them, but only at loads at which queued barriers do not end.
data=$work/data
cp -r "$made" "$data"
sqlite3 "$data"/runs/*/campaign.db "
  INSERT INTO results SELECT task, 3, 'data',
    CASE WHEN text LIKE '%barrier: any%' AND text LIKE '%load: 0.500%' THEN 300.0 ELSE 100.0 END, 'cycles' FROM tasks;"
check "made-up data are taken" run "$data" --seeds 1
check "three times is not hardly" verdict "$data" data-hardly-notice partly
sqlite3 "$data"/runs/*/campaign.db "
  UPDATE tasks SET status = -11 WHERE text LIKE '%barrier: queued%' AND text LIKE '%load: 0.500%';"
check "made-up saturation is taken" run "$data" --seeds 1
check "saturated is not looked at" verdict "$data" data-hardly-notice agrees
mkdir -p "$work/page"
echo old >"$work/page/fig11.svg"
check "tables for pages are written" sh -c "$said --quick --seeds 1 --out '$made' --docs '$work/page'"
check "verdicts are those of the report" test \
  "$(cut -d, -f1,2 "$work/page/statements.csv" | tail -n +2 | tr -d '"' | sort)" = \
  "$(sed -n 's/^### \([^:]*\): /\1,/p' "$made/report.md" | sort)"
check "checks are those of the report" test "$(tail -n +2 "$work/page/checks.csv" | wc -l)" = \
  "$(sed -n '/^## Statements/,/^## /p' "$made/report.md" | grep -c '^| .*holds\? |$\|^| .*not measured |$')"
check "a table has what stands above it, and its cells" \
  grep -q '^"(b) L = 128","0","8285.2 / 4221.2",' "$work/page/fig11.csv"
check "tables with another head have another file" grep -q '^"table","congested members",' "$work/page/fig13-2.csv"
check "a picture that is there is a figure with a licence" sh -c \
  "grep -q '<svg' '$work/page/fig11.svg' && sed -n 2p '$work/page/fig11.svg' | grep -q SPDX"
check "no other picture is copied" test ! -e "$work/page/fig12.svg"
check "gnuplot writes empty groups" grep -Pzq '\n<g [^>]*>\n</g>' "$made/fig11.svg"
check "the picture has none" sh -c "! grep -Pzq '\n<g [^>]*>\n</g>' '$work/page/fig11.svg'"
check "it is white on a dark page, too" grep -q '<rect .*fill="#ffffff"/>' "$work/page/fig11.svg"

# ── a run that ends as no run should ───────────────────────────────────────────
broken=$work/broken
"${study[@]}" --quick --seeds 1 --out "$broken" >"$broken.log" 2>&1 &
pid=$!
# Before there is a database, its children are the tools that it asks for their versions; later some build RTL.
until compgen -G "$broken/runs/*/campaign.db" >/dev/null || ! kill -0 $pid 2>/dev/null; do
  sleep 0.01
done
# A child that has used time of the processor is a run. One that is about to become a tool has not.
while kill -0 $pid 2>/dev/null; do
  for child in $(pgrep -P $pid -x heddle); do
    [ "$(awk '{ print ($14 + $15 > 0) }' "/proc/$child/stat" 2>/dev/null)" != 1 ] || kill -ABRT "$child"
  done
  sleep 0.01
done
wait $pid
status=$?
check "a run that crashes ends it, and not as if interrupted" test $status != 0 -a $status != 130
check "which run it is, and how it ended" sh -c \
  "grep -q 'broken/runs/[0-9a-f]*.yaml: .*ended .*by signal 6' '$broken.log' || ! cat '$broken.log'"
check "it still stands when gone on with" sh -c "! $said --quick --seeds 1 --out '$broken'"
check "an unknown figure is refused" sh -c "$said --only fig16 2>&1 | grep 'there are fig12'"
exit $failed
