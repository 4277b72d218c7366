#!/usr/bin/env bash
# Runs cmocka test programs, as many at a time as there are cores, and prints the sum.
# SPDX-License-Identifier: Apache-2.0
#
# Prints the whole output of each program when that has ended. A program that dies, hangs (LIMIT seconds, 600) or runs no
# test counts as a failure.
set -u
cd "$(dirname "$0")/.." || exit 2
TIMEFORMAT='%0R s, of processors %0U s and %0S s for the system'
# AddressSanitizer keeps freed memory for a while, to notice uses of it. Keep little, since each fork copies its page
# tables.
export ASAN_OPTIONS=${ASAN_OPTIONS:-quarantine_size_mb=16}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# one LOG PROGRAM
one() {
  local rc=0
  { time timeout -k 10 "${LIMIT:-600}" "$2" >"$1" 2>&1 || rc=$?; } 2>"$1.took"
  local passed failed skipped
  read -r passed failed skipped < <(awk -f tests/count.awk "$1")
  if [ "$rc" != 0 ] && [ "$failed" = 0 ]; then
    echo "not ok $2 ended with exit code $rc" >>"$1"
    failed=1
  elif [ $((passed + failed + skipped)) = 0 ]; then
    echo "not ok $2 ran no test" >>"$1"
    failed=1
  fi
  echo "$passed $failed $skipped" >"$1.count"
  # One command, so that the outputs of programs that end together do not mix.
  printf 'RUN %s (%s)\n%s\n' "$2" "$(cat "$1.took")" "$(cat "$1")"
}

n=0
for program in "$@"; do
  while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-$(nproc)}" ]; do wait -n; done
  n=$((n + 1))
  one "$logs/$n" "$program" &
done
wait

read -r passed failed skipped < <(cat "$logs"/*.count 2>/dev/null |
  awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
