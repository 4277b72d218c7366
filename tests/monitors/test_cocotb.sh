#!/usr/bin/env bash
# Tests the monitor for cocotb on Icarus and Verilator: it finds nothing in a correct router, and names the rule that a wrong one breaks.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/monitors/test_cocotb.sh    cocotb comes from PyPI, once, into build/cocotb.
set -u
cd "$(dirname "$0")/../.." || exit 2
version=1.9.2
declare -A tools=([icarus]=iverilog [verilator]=verilator_bin)
root=$PWD venv=$PWD/build/cocotb
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ]
  exit
}

skip() {
  skipped=$((skipped + 1))
  echo "SKIP $1: $2"
}

if ! command -v python3 >/dev/null; then
  skip "the monitor for cocotb" "python3 is missing"
  finish
fi
if [ ! -e "$venv/done-$version" ]; then
  rm -rf "$venv"
  if ! python3 -m venv "$venv" >"$work/log" 2>&1 || ! "$venv/bin/pip" -q install "cocotb==$version" >>"$work/log" 2>&1; then
    tail -n 2 "$work/log"
    skip "the monitor for cocotb" "cocotb $version cannot be installed; it needs the package python3-venv and PyPI"
    finish
  fi
  touch "$venv/done-$version"
fi

# bench SIMULATOR DIRECTORY [SED]: runs the bench on one_stage.v, changed by SED. The log is in DIRECTORY.
bench() {
  local options=
  [ "$1" = icarus ] || options="-Wno-lint -Wno-style"
  mkdir -p "$2"
  sed "${3-}" docs/examples/one_stage/one_stage.v >"$2/one_stage.v"
  if [ -n "${3-}" ] && cmp -s docs/examples/one_stage/one_stage.v "$2/one_stage.v"; then
    echo "the bug is not planted" >"$2/log"
    return 1
  fi
  PATH=$venv/bin:$PATH PYTHONPATH=$root/bridge/watch:$root/docs/examples/monitors make -C "$2" \
    -f "$("$venv/bin/cocotb-config" --makefiles)/Makefile.sim" SIM="$1" TOPLEVEL_LANG=verilog VERILOG_SOURCES="$2/one_stage.v" \
    TOPLEVEL=one_stage MODULE=test_one_stage EXTRA_ARGS="$options" >"$2/log" 2>&1
}

# expect WHAT DIRECTORY TEXT: the log must contain the text.
expect() {
  if grep -qE -- "$3" "$2/log"; then
    passed=$((passed + 1))
    echo "ok $1"
  else
    failed=$((failed + 1))
    echo "not ok $1: the log has no '$3'; its end:"
    tail -n 15 "$2/log" | sed 's/^/  | /'
  fi
}

cat >"$work/bugs" <<'END'
a flit without a credit|P1|P1|s/room\[o\*LANES+w\] = room\[o\*LANES+w\] - 1'b1;//
an index that wraps early|P17|P9|s/(oldest\[q\]+held\[q\])%SLOTS/(oldest[q]+held[q])%(SLOTS-1)/
a wrong way|P7|P7|s/way = by_destination\[p\*ENTRIES+to\];/way = by_destination[p*ENTRIES+(to==3?4:to)];/
END
for simulator in icarus verilator; do
  if ! command -v "${tools[$simulator]}" >/dev/null; then
    skip "the monitor for cocotb on $simulator" "${tools[$simulator]} is missing"
    continue
  fi
  bench $simulator "$work/$simulator-right"
  expect "$simulator: a right router" "$work/$simulator-right" 'flits came in, .* and no rule was broken'
  expect "$simulator: its test passes" "$work/$simulator-right" 'TESTS=1 PASS=1 FAIL=0'
  # Each line is a bug and the rule that it breaks. Data that is X on Icarus has some value on Verilator.
  while IFS='|' read -r name rule two_state bug; do
    [ $simulator = icarus ] || rule=$two_state
    bench $simulator "$work/$simulator-$rule" "$bug"
    expect "$simulator: $name breaks $rule" "$work/$simulator-$rule" "RuleBroken: $rule "
    expect "$simulator: $name fails the test" "$work/$simulator-$rule" 'TESTS=1 PASS=0 FAIL=1'
  done <"$work/bugs"
done
finish
