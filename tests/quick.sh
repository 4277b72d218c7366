#!/usr/bin/env bash
# Tests a change in a few minutes: lint, the unit tests that the change reaches, ten tests of the command, one digest.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/quick.sh        after `make all`
# The change is the difference from the branch main, or, on main itself, from the last commit. Runs all unit tests of the
# changed rooms. Then starts those of rooms above them, nearest first, for BUDGET seconds (120). Names the tests that it
# leaves out, since a pass does not cover them. make test runs everything.
set -u
cd "$(dirname "$0")/.." || exit 2
base=$(git merge-base HEAD main 2>/dev/null) && [ "$base" != "$(git rev-parse HEAD)" ] || base=HEAD~1
mapfile -t changed < <({ git diff --name-only "$base" && git ls-files -o --exclude-standard; } | sort -u)
O=build/opt
log=$(mktemp)
trap 'rm -f "$log"' EXIT

# run WHAT COMMAND ...: runs the command, prints its output and counts its results.
run() {
  local rc=0
  echo "── $1"
  "${@:2}" >"$log.1" 2>&1 || rc=$?
  cat "$log.1"
  read -r p f s < <(awk -f tests/count.awk "$log.1")
  [ $((p + f + s)) != 0 ] || { echo "not ok $1: ended with exit code $rc and counted nothing" && f=1; }
  [ $rc = 0 ] || [ "$f" != 0 ] || { echo "not ok $1: ended with exit code $rc" && f=1; }
  echo "$p $f $s" >>"$log"
  rm -f "$log.1"
}

lint() { make -k -j2 lint-format lint-tree lint-pins lint-lists lint-planted lint-proved lint-instances lint-shell lint-symbols; }

unit() {
  local tests programs=() left=() begin=$SECONDS test
  mapfile -t tests < <(tests/lint/reached.py "${changed[@]}")
  for test in "${tests[@]}"; do programs+=("$O/unit/$(basename "$test" .c)"); done
  [ ${#programs[@]} != 0 ] || { echo "SKIP unit tests: the change reaches none" && return; }
  make -j2 "${programs[@]}" || return
  while [ ${#programs[@]} != 0 ] && [ $((SECONDS - begin)) -lt "${BUDGET:-120}" ]; do
    tests/unit.sh "${programs[@]:0:4}"
    programs=("${programs[@]:4}")
  done
  left=("${programs[@]##*/}")
  [ ${#left[@]} = 0 ] || echo "SKIP ${#left[@]} unit tests, the time is up: ${left[*]}"
}

command_tests() {
  HEDDLE=$PWD/$O/heddle FAULT=$PWD/$O/cli/fault.so tests/cli/run.sh \
    tests/cli/test_{bad_backend,collectives,exit_codes,lib,own_program,provenance,schedule,seeds,suggestions,unoptimised}.sh
}

digest() {
  local dut digests=()
  for dut in model verilator lanes; do
    digests+=("$("$O/heddle" run tests/scenarios/shuffle-6-to-10.yaml --dut $dut --out "build/quick/$dut" | awk '$1 == "digest" { print $2 }')")
  done
  if [ -n "${digests[0]}" ] && [ "${digests[0]}" = "${digests[1]}" ] && [ "${digests[1]}" = "${digests[2]}" ]; then
    echo "ok digest ${digests[0]} on model, Verilator and in lanes"
  else
    echo "not ok digest on model, Verilator and in lanes: ${digests[*]}"
  fi
}

echo "${#changed[@]} files differ from $(git log -1 --format='%h %s' "$base")"
mkdir -p build/quick
run lint lint
run "unit tests" unit
run "the command" command_tests
run digest digest
! printf "%s\n" "${changed[@]}" | grep -q "^rtl/" || run "RTL lint" make lint-rtl
read -r passed failed skipped < <(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' "$log")
echo "$SECONDS s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
