#!/usr/bin/env bash
# Runs the end-to-end tests of the heddle command one after the other and sums up.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/cli/run.sh TEST.sh ...    A test that dies, hangs or counts nothing has failed. What
# hangs is ended after LIMIT seconds; tests set no times of their own, which a slow machine would miss.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0 failed=0 skipped=0
TIMEFORMAT='    %0R s, of processors %0U s and %0S s for the system'
log=$(mktemp) took=$(mktemp)
trap 'rm -f "$log" "$took"' EXIT
for test in "$@"; do
  echo "RUN $test"
  rc=0
  { time timeout -k 10 "${LIMIT:-900}" "$test" >"$log" 2>&1 || rc=$?; } 2>"$took"
  cat "$took"
  # The sum of the test itself is left out here, so that this one is the only one.
  grep -v -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log"
  read -r p f s < <(awk -f tests/count.awk "$log")
  if [ "$rc" != 0 ] && [ "$f" = 0 ]; then
    echo "not ok $test: ended with exit code $rc"
    f=1
  elif [ $((p + f)) = 0 ]; then
    echo "not ok $test: proved nothing"
    f=1
  fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
