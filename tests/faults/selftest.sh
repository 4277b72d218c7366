#!/usr/bin/env bash
# Proves that the fault suite can fail.
# SPDX-License-Identifier: Apache-2.0
#
# A change that changes nothing is a miss, one that no longer applies says so, and a list that is
# not one is refused.
# usage: tests/faults/selftest.sh build/opt/faults
set -u
cd "$(dirname "$0")/../.." || exit 2
list=$(mktemp)
trap 'rm -f "$list"' EXIT
passed=0 failed=0

# expect WHAT EXIT PATTERN: runs the suite on the list.
expect() {
  local out rc=0
  out=$("$faults" --list "$list" --only selftest --no-mutants 2>&1) || rc=$?
  if [ "$rc" = "$2" ] && grep -qE "$3" <<<"$out"; then
    echo "ok $1"
    passed=$((passed + 1))
  else
    echo "not ok $1 (exit code $rc)"
    printf '%s\n' "$out"
    failed=$((failed + 1))
  fi
}

faults=$1
cat >"$list" <<'END'
fault selftest-nothing mesh hd_output_port.v
  what nothing is wrong
  - kind_o <= kind;
  + kind_o <= kind ^ 3'd0;
END
expect "a change that changes nothing is a miss" 1 '^selftest-nothing +mesh +MISSED'
sed -i 's/- kind_o <= kind;/- no such text/' "$list"
expect "a fault that no longer applies says so" 1 'no longer applies to rtl/hd_output_port.v'
sed -i 's/- no such text/- clk/' "$list"
expect "a fault whose text is there twice says so" 1 'holds its text [0-9]+ times and not once'
echo 'fault selftest-next' >>"$list"
expect "a list that is not one is refused" 1 'not "fault NAME RIG FILE"'
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
