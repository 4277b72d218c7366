#!/usr/bin/env bash
# make reproduce-barrier: its files, what cannot be luck in them, interruption, verdicts from data.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/reproduce/test.sh REPRODUCE HEDDLE
# shellcheck disable=SC2317 # functions are called by check
set -u
reproduce=$1 heddle=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

check() { # check WHAT COMMAND ...
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok $what"
  else
    echo "not ok $what"
    tail -n 5 "$work/out" | sed 's/^/    | /'
    failed=1
  fi
}

run() { # run DIRECTORY ARGUMENT ...: its output in DIRECTORY.log
  local out=$1
  shift
  "$reproduce" --quick --heddle "$heddle" --out "$out" "$@" >"$out.log" 2>&1
}

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

verdict() { # verdict DIRECTORY STATEMENT VERDICT
  grep -E "^\| $2 \|" "$1/report.md" | grep -F "**$3**"
}

same() { cmp "$1/report.md" "$2/report.md" && cmp "$1/fig13.csv" "$2/fig13.csv"; }

# ── real runs ──────────────────────────────────────────────────────────────────
full=$work/full
"$reproduce" --quick --heddle "$heddle" --out "$full" --only fig13 >"$full.log" 2>&1 &
pid=$!
# until some runs have ended, two go at once, long before the last
until [ "$(compgen -G "$full/runs/*.yaml" | wc -l)" -ge 4 ] || ! kill -0 "$pid"; do
  sleep 0.05
done
kill -INT "$pid"
wait "$pid"
check "Ctrl-C ends it with 130" test $? = 130
check "what is missing is said to be missing" verdict "$full" flat-under-congestion-irregular "not measured"
check "it goes on and ends" run "$full"
check "it did not begin anew" grep -q "from before" "$full.log"
check "every figure has its files" ls "$full"/fig1{1,2,3,4,5}.{csv,svg,png} "$full"/data.{csv,svg,png}
check "every point of Fig. 13 is there" sh -c "! grep -q ',,$' '$full/fig13.csv'"
check "any channel: flat by the congestion's duration" moves "$full/fig13.csv" a any 1 1.25
check "queued: not" moves "$full/fig13.csv" a queued 10 1000
check "any channel: flat by the number of congested members" moves "$full/fig13.csv" c any 1 1.25
check "any channel: flat under data" moves "$full/data.csv" b any 1 1.25
check "groups cost: first rounds grow" moves <(sed 's/,first,/,later,/' "$full/fig12.csv" | grep ,any,) a any 2 100
cp -r "$full" "$work/again"
check "a second call carries nothing out" run "$work/again"
check "all of it is there" grep -qE "reproduce: ([0-9]+) of \1 runs \(\1 from before\)" "$work/again.log"
check "and says the same" same "$full" "$work/again"

# ── made-up runs: the verdicts follow the numbers ──────────────────────────────
cat >"$work/heddle" <<'FAKE'
#!/bin/sh
# heddle run SCENARIO --out DIR: the preempting switch slow under congestion, the others not.
mkdir -p "$4"
later=100
if grep -q "barrier: any" "$2"; then
  congestion=$(sed -n 's/.*congestion: \([0-9]*\).*/\1/p' "$2")
  later=$((100 + ${congestion:-0}))
fi
printf 'name,cycle,value\n"first barriers",1,150\n"later barriers",2,%d\n' "$later" >"$4/statistics.csv"
FAKE
chmod +x "$work/heddle"
heddle=$work/heddle
made=$work/made
check "made-up runs are taken" run "$made"
check "slow is not flat" verdict "$made" flat-under-congestion-irregular disagrees
check "flat does not change dramatically" verdict "$made" tree-changes-irregular disagrees
check "half as long again is at most twice" verdict "$made" first-round-at-most-twice agrees
check "arithmetic stays" verdict "$made" formulas-as-printed disagrees
mkdir -p "$work/page/reproduction"
printf '%s\n' '<!-- made: overview -->' 'old' '<!-- end -->' '![](reproduction/fig11.svg)' >"$work/page/page.md"
check "a page is made" sh -c "'$reproduce' --quick --heddle '$work/heddle' --out '$made' --docs '$work/page/page.md'"
check "what stood there is gone" sh -c "! grep -qx old '$work/page/page.md'"
check "its picture is a figure with a licence" sh -c \
  "grep -q '<svg' '$work/page/reproduction/fig11.svg' && sed -n 2p '$work/page/reproduction/fig11.svg' | grep -q SPDX"
echo 'exit 7' >>"$work/heddle"
check "a run that fails ends it" sh -c "! '$reproduce' --quick --heddle '$work/heddle' --out '$work/broken'"
check "an unknown figure is refused" sh -c "'$reproduce' --only fig16 2>&1 | grep 'there are fig12'"
exit $failed
