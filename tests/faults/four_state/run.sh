#!/usr/bin/env bash
# Runs the four-state fault suite: the RTL as it is, without coders and with them, then each fault of the list.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/faults/four_state/run.sh build/opt/faults-four-state [NAME ...]
set -u
cd "$(dirname "$0")/../../.." || exit 2
program=$1
shift
if ! command -v vvp >/dev/null; then
  echo "SKIP faults-four-state: vvp is missing, install the package iverilog"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
if [ $# = 0 ]; then
  mapfile -t names < <("$program" --names)
  set -- none none-coder "${names[@]}"
fi
echo "seed 1; replay one: tests/faults/four_state/run.sh $program NAME"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\0' "$@" | xargs -0 -n 1 -P "${JOBS:-2}" "$program" 2>&1 | tee "$log"
passed=$(grep -c '^ok ' "$log")
failed=$(($# - passed))
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
