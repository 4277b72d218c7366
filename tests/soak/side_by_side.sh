#!/usr/bin/env bash
# Runs the same random scenarios on two backends and compares verdicts, digests and counts.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/soak/side_by_side.sh SOAK DIRECTORY BACKEND OPTION…
# SOAK is build/opt/soak/soak, with the OPTIONs; DIRECTORY is Verilator's, and DIRECTORY-BACKEND the other's. Prints the
# lines of results.csv that are not the same, but for the cycles that were evaluated. Nothing compared is a failure.
set -u
cd "$(dirname "$0")/../.." || exit 2
soak=$1 here=$2 backend=$3
shift 3
status=0
there=$here-${backend//[^a-zA-Z0-9]/_}

mkdir -p "$here" "$there"
rm -f "$here/results.csv" "$there/results.csv"
"$soak" "$@" --dut verilator --out "$here" || status=1
"$soak" "$@" --dut "$backend" --out "$there" || status=1
awk -v backend="$backend" '
  BEGIN { FS = OFS = "," }
  FNR == 1 { for (i = NF; i > 0 && $i != "evaluated_cycles"; i--); evaluated = i }
  evaluated { $evaluated = "" }
  FNR == 1 { next }
  FILENAME == ARGV[1] { first[$1] = $0; next }
  {
    compared++
    both[$1]
    if ($1 in first && first[$1] == $0)
      next
    different++
    printf "not ok scenario %s\n  Verilator %s\n  %s %s\n", $1, first[$1], backend, $0
  }
  END {
    for (scenario in first)
      if (!(scenario in both)) {
        compared++
        different++
        printf "not ok scenario %s\n  Verilator %s\n  %s: not carried out\n", scenario, first[scenario], backend
      }
    printf "side by side: %d passed, %d failed, 0 skipped\n", compared - different, different + !compared
    exit different > 0 || !compared
  }' "$here/results.csv" "$there/results.csv" || status=1
exit $status
