#!/bin/sh
# The table of docs/schedules.md: each cell of the paper's tables beside the fewest steps and why.
# SPDX-License-Identifier: Apache-2.0
#
# usage: mk/schedules.sh HEDDLE CELLS.csv, from the top of the tree. Ends with 1 where a cell has no proved optimum.
set -eu
heddle=$1 cells=$2 status=0
echo "<!-- keys: schedules -->"
echo
echo "| network | collective | root | the paper's steps | its time | fewest steps | how | why not fewer |"
echo "|---|---|---|---|---|---|---|---|"
row=$(mktemp)
trap 'rm -f "$row"' EXIT
grep -v '^#' "$cells" | tail -n +2 | while IFS= read -r line; do
  network=${line#\"} && network=${network%%\"*}
  rest=${line#*\",}
  IFS=, read -r _ collective root ports steps time _ <<END
$rest
END
  if ! "$heddle" schedule "$network" "$collective" ${root:+--root "$root"} --ports "$ports" --quiet >"$row"; then
    echo "mk/schedules.sh: $network $collective: not proved" >&2
    exit 1
  fi
  all=
  [ "$ports" = one ] || all=", all ports"
  awk -v network="$network" -v collective="$collective$all" -v root="$root" -v paper="$steps" -v time="$time" '
    /^  steps / { steps = $2; sub(/,.*/, "", steps) }
    /^  how / { how = $0; sub(/^  how +/, "", how) }
    /^  not fewer than / { why = $0; sub(/^  not fewer than [0-9]+ +/, "", why) }
    END {
      sub(/\*/, "\\*", paper)
      sub(/graph:file=docs\/examples\//, "", network)
      printf "| `%s` | %s | %s | %s | %s | %s | %s | %s |\n", network, collective, root, paper, time, steps, how, why
    }' "$row"
done || status=1
echo
echo "<!-- end of keys -->"
exit $status
