# Functions for the tests of the studies. These tests set $study to the command, then source this file.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034,SC2154,SC2317 # $study is the caller's, $failed for it; functions are called by check
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

check() { # check WHAT COMMAND ...
  local what=$1
  shift
  if "$@" >"$work/out" 2>&1; then
    echo "ok $what"
  else
    echo "not ok $what"
    tail -n 5 "$work/out" | sed 's/^/    | /'
    failed=1
  fi
}

run() { # run DIRECTORY ARGUMENT ...: its output in DIRECTORY.log
  local out=$1
  shift
  "${study[@]}" --quick --out "$out" "$@" >"$out.log" 2>&1
}

verdict() { # verdict DIRECTORY STATEMENT VERDICT: in report.md, as of a part; and so where the command printed it
  grep -E "^\| $2 \|" "$1/report.md" | grep -F "**QUICK: $3**" && { [ ! -e "$1.log" ] || grep -E "^$2 +QUICK: $3\$" "$1.log"; }
}
