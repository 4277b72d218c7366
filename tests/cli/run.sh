#!/usr/bin/env bash
# Runs the end-to-end tests of the heddle command and prints the sum.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/cli/run.sh TEST.sh ...    runs JOBS tests at a time (default: one for each core), and prints each when it has
# ended. A test that dies, hangs or counts nothing fails. A test that hangs is ended after LIMIT seconds. Tests set no
# limits of their own, because a slow machine would exceed them.
set -u
cd "$(dirname "$0")/../.." || exit 2
TIMEFORMAT='    %0R s, of processors %0U s and %0S s for the system'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# one TEST N: runs a test, prints its output and writes its counts to N.counts.
one() {
  local log=$work/$2.log rc=0 p f s
  { time timeout -k 10 "${LIMIT:-900}" "$1" >"$log" 2>&1 || rc=$?; } 2>"$work/$2.took"
  read -r p f s < <(awk -f tests/count.awk "$log")
  {
    echo "RUN $1"
    cat "$work/$2.took"
    # Leaves out the sum that the test prints, so that the last sum is the only one.
    grep -v -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log"
    if [ "$rc" != 0 ] && [ "$f" = 0 ]; then
      echo "not ok $1: ended with exit code $rc"
      f=1
    elif [ $((p + f)) = 0 ]; then
      echo "not ok $1: proved nothing"
      f=1
    fi
  } >"$work/$2.said"
  echo "$p $f $s" >"$work/$2.counts"
  flock "$work" cat "$work/$2.said"
}

n=0
for test in "$@"; do
  [ "$n" -lt "${JOBS:-$(nproc)}" ] || wait -n
  n=$((n + 1))
  one "$test" "$n" &
done
wait
read -r ended passed failed skipped < <(cat "$work"/*.counts /dev/null 2>/dev/null |
  awk '{ p += $1; f += $2; s += $3 } END { print NR, p + 0, f + 0, s + 0 }')
if [ "$ended" != "$n" ]; then
  echo "not ok tests/cli/run.sh: $((n - ended)) of $n tests left no counts"
  failed=$((failed + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
