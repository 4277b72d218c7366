# Functions for the end-to-end tests of the heddle command; tests/cli/test_*.sh source this file.
# SPDX-License-Identifier: Apache-2.0
#
# A test works in its own directory and prints `ok WHAT`, `not ok WHAT: WHY` or `SKIP WHAT: WHY`; summary prints the sum.
# HEDDLE names the command, FAULT the faulty DUT of fault.c, beside which those of kill.c and finalize.c must be. If these
# variables are not set, build/opt/heddle, build/opt/cli/fault.so, kill.so and finalize.so are built and used. A command
# that does not exist counts as failed, such as a misspelt function, or one whose file is missing.
# shellcheck shell=bash
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
made=()
[ -n "${HEDDLE-}" ] || made=(build/opt/heddle)
[ -n "${FAULT-}" ] || made+=(build/opt/cli/fault.so build/opt/cli/kill.so build/opt/cli/finalize.so)
if [ ${#made[@]} != 0 ] && ! make -C "$root" --no-print-directory -s "${made[@]}" >&2; then
  echo "not ok $(basename "$0"): ${made[*]} cannot be built"
  exit 1
fi
HEDDLE=${HEDDLE:-$root/build/opt/heddle}
# shellcheck disable=SC2034
fault=${FAULT:-$root/build/opt/cli/fault.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0 failed=0 skipped=0

ok() {
  passed=$((passed + 1))
  echo "ok $1"
}

not_ok() {
  failed=$((failed + 1))
  echo "not ok $1: $2"
  echo "  replay: tests/cli/$(basename "$0"), standard output and error:"
  sed 's/^/  | /' out err 2>/dev/null | tail -n 20
}

skip() {
  skipped=$((skipped + 1))
  echo "SKIP $1: $2"
}

# check WHAT COMMAND...: ok if the command succeeds.
check() {
  local what=$1
  shift
  if "$@"; then ok "$what"; else not_ok "$what" "failed: $*"; fi
}

# exits CODE WHAT COMMAND...: ok if the command ends with the code. Its output is in the files out and err.
exits() {
  local code=$1 what=$2 rc=0
  shift 2
  "$@" >out 2>err </dev/null || rc=$?
  if [ "$rc" = "$code" ]; then ok "$what"; else not_ok "$what" "exit code $rc, not $code"; fi
}

# says FILE TEXT WHAT: ok if the file (out, err) contains the text.
says() {
  if grep -qF -- "$2" "$1"; then ok "$3"; else not_ok "$3" "no '$2' in $1"; fi
}

# sql RUN QUERY
sql() {
  sqlite3 "$1/run.db" "$2"
}

# wait_until PID COMMAND...: waits until the command succeeds or the process has ended, however long it takes.
wait_until() {
  local pid=$1
  shift
  until "$@" || ! kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
}

# equal GOT EXPECTED WHAT
equal() {
  if [ "$1" = "$2" ]; then ok "$3"; else not_ok "$3" "'$1', not '$2'"; fi
}

# scenario FILE [LINE...]: a 4×4 mesh with open-loop traffic; lines replace the sections they name.
scenario() {
  local file=$1 line key name
  shift
  declare -A part=(
    [fabric]='fabric: {topology: mesh, dims: [4, 4]}'
    [switch]='switch: {vcs: 2, data_bits: 16, depth_flits: 4}'
    [software]='software: {program: uniform, parameters: {load: 0.2, flits: 4, cycles: 1000}}'
    [run]='run: {cycles: 5000, dut: model}'
  )
  for line in "$@"; do
    key=${line%%:*}
    part[$key]=$line
  done
  name=$(basename "$file" .yaml)
  {
    echo "name: $name"
    for key in "${!part[@]}"; do echo "${part[$key]}"; done
  } >"$file"
}

set -E
trap '[ $? != 127 ] || not_ok "$BASH_COMMAND" "there is no such command"' ERR

# rest: the commands after it take long. With BRIEF=1 the test ends here. make test runs every test with BRIEF=1, and some
# of those with a `rest` whole: make test-cli-long, or a group of its own (test_lib.sh checks that).
rest() {
  [ -n "${BRIEF-}" ] || return 0
  summary
  exit
}

summary() {
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" = 0 ] && [ "$passed" != 0 ]
}
