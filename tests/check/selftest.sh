#!/usr/bin/env bash
# Proves that make check-measure can tell a bug that is found from one that is not.
# SPDX-License-Identifier: Apache-2.0
#
# A planted bug is found, however long it takes. A change that changes nothing is missed, and one that no
# longer applies, a list that is none and options that are none are refused.
# usage: tests/check/selftest.sh build/opt
set -u
cd "$(dirname "$0")/../.." || exit 2
measure=$1/check/measure heddle=$1/heddle
directory=build/check-selftest
mkdir -p "$directory"
passed=0 failed=0

# expect WHAT EXIT PATTERN OPTION…: measures with the options.
expect() {
  local what=$1 code=$2 pattern=$3 rc=0 out
  shift 3
  out=$("$measure" "$heddle" --directory "$directory" "$@" 2>&1) || rc=$?
  if [ "$rc" = "$code" ] && grep -qE "$pattern" <<<"$out"; then
    echo "ok $what"
    passed=$((passed + 1))
  else
    echo "not ok $what: exit code $rc, not $code, or no '$pattern'"
    printf '%s\n' "$out"
    failed=$((failed + 1))
  fi
}

cat >"$directory/bugs.txt" <<'END'
fault selftest-bug mesh hd_output_port.v
  what an output's channel stays with a packet that has gone
  - owned_q <= owned_q ^ turned;
  + owned_q <= owned_q | turned;
fault selftest-nothing mesh hd_output_port.v
  what nothing is wrong
  - owned_q <= owned_q ^ turned;
  + owned_q <= turned ^ owned_q;
END
sed 's/- owned_q .*/- no such text/' "$directory/bugs.txt" >"$directory/gone.txt"
echo "nothing" >"$directory/none.txt"
found="^selftest-bug +found .* (a stream into one switch|a (node|link)'s port): "
expect "a planted bug is found" 0 "$found" --list "$directory/bugs.txt" --only bug --minutes 60
expect "and counted" 0 '^1 of 1 found' --list "$directory/bugs.txt" --only bug --minutes 60
expect "a change that changes nothing is missed" 1 '^selftest-nothing +MISSED .* (same|nothing compared)$' \
  --list "$directory/bugs.txt" --only nothing --minutes 0.1
expect "one miss fails all of it" 1 '^0 of 1 found' --list "$directory/bugs.txt" --from 1 --minutes 0.01
expect "a bug that no longer applies says so" 1 'no longer applies to rtl/hd_output_port.v' \
  --list "$directory/gone.txt"
expect "a list that is none" 1 '^not ok: .*none.txt' --list "$directory/none.txt"
expect "no list" 1 '^not ok: ' --list "$directory/nowhere.txt"
expect "a choice that leaves none" 1 '^0 of 0 found' --list "$directory/bugs.txt" --only nobody
expect "no such option" 2 '^usage: ' --nonsense 1
expect "no such number" 2 '^usage: ' --every 0
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
