#!/usr/bin/env bash
# Plants the same bugs on two backends and compares the stimulus, cycle and switch that find each.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/faults/side_by_side.sh FAULTS DIRECTORY BACKEND OPTION…
# FAULTS is build/opt/faults, with the OPTIONs; DIRECTORY is Verilator's, and DIRECTORY-BACKEND the other's. Prints a
# line for each bug with what both say; a line that is not alike, and nothing compared, are failures. What was tried
# before is not tried again.
set -u
cd "$(dirname "$0")/../.." || exit 2
faults=$1 here=$2 backend=$3
shift 3
status=0
there=$here-${backend//[^a-zA-Z0-9]/_}

# suite DIRECTORY BACKEND OPTION…: its sum, and what is no verdict on a bug.
suite() {
  "$faults" --directory "$1" --dut "$2" "${@:3}" >"$1.log" || status=1
  grep -E '^(ok|NOT OK|not ok|faults:)' "$1.log"
}

mkdir -p "$here" "$there"
rm -f "$here/faults.csv" "$there/faults.csv"
suite "$here" verilator "$@"
suite "$there" "$backend" "$@"
# A field in quotation marks may hold commas; what stands behind the third is not: verdict, stimulus, difference,
# cycle, switch, and the last two in closed loop.
awk -v backend="$backend" '
  function fields(line) {
    match(line, /^"[^"]*"/)
    name = substr(line, 2, RLENGTH - 2)
    gsub(/"([^"]|"")*"/, "", line)
    n = split(line, f, ",")
    place = f[5] "" == "" ? "" : f[5] ", " f[6] ", cycle " f[7] ", switch " f[8]
    said = f[4] (place == "" ? "" : ": " place) (f[7] f[8] == f[9] f[10] ? "" : ", closed loop " f[9] ", " f[10])
  }
  FNR == 1 { next }
  { fields($0) }
  said ~ /^not tried/ { next }
  FILENAME == ARGV[1] { first[name] = said; next }
  {
    compared++
    both[name]
    alike = name in first && first[name] == said
    different += !alike
    printf "%s %-29s Verilator %s | %s %s\n", alike ? "ok    " : "not ok", name, first[name], backend, said
  }
  END {
    for (name in first)
      if (!(name in both)) {
        compared++
        different++
        printf "not ok %-29s Verilator %s | %s: not tried\n", name, first[name], backend
      }
    printf "%d passed, %d failed, 0 skipped\n", compared - different, different + !compared
    exit different > 0 || !compared
  }' "$here/faults.csv" "$there/faults.csv" || status=1
exit $status
