#!/usr/bin/env bash
# The same scenarios on every backend: is the digest one, and how fast is each?
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/backends/run.sh [-n SCENARIOS] [-o DIR] BACKEND ...
#
# A backend is what `heddle run --dut` takes; the model is always the first. Writes one run of each
# below DIR (build/backends), prints a table and writes it to DIR/backends.csv and .json. A backend
# that a missing tool keeps from running is shown as SKIP. A digest that is not the model's, a
# divergence, or nothing compared is a failure.
set -u
cd "$(dirname "$0")/../.." || exit 2
n=24 out=build/backends
while getopts n:o: option; do
  case $option in
    n) n=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
HEDDLE=${HEDDLE:-build/opt/heddle}
rm -rf "$out/runs" "$out/scenarios"
mkdir -p "$out/runs"
mapfile -t names < <(tests/backends/scenarios.sh "$out/scenarios" "$n")
backends=(model "$@")
declare -A digest result seconds cycles agreed
bad=0

# field RUN NAME: a value of a report
field() {
  sed -nE "s/^  \"$2\": \"?([^\",]*)\"?,?\$/\1/p" "$1/report.json"
}

for backend in "${backends[@]}"; do
  directory=$out/runs/$(echo "$backend" | tr '/:' '__')
  seconds[$backend]=0 cycles[$backend]=0 agreed[$backend]=0 result[$backend]=agrees
  for ((i = 0; i < n; i++)); do
    name=${names[i]} run=$directory/${names[i]}
    rc=0
    "$HEDDLE" run --quiet "$out/scenarios/$name.yaml" --dut "$backend" --out "$run" \
      >"$out/log" 2>&1 </dev/null || rc=$?
    if [ "$rc" != 0 ] && [ ! -s "$run/report.json" ]; then
      if grep -q 'is missing\|apt-get install' "$out/log"; then
        result[$backend]=SKIP
        echo "SKIP backends $backend: $(head -1 "$out/log")"
        break
      fi
    fi
    here=$(field "$run" digest 2>/dev/null)
    [ "$backend" != model ] || digest[$name]=$here
    if [ "$rc" != 0 ] || [ -z "$here" ] || [ "$here" != "${digest[$name]}" ] ||
      [ "$(field "$run" events_compared)" = 0 ]; then
      result[$backend]=DIFFERS
      bad=1
      echo "not ok backends $backend $name: exit code $rc, digest ${here:-none}, not ${digest[$name]}"
      sed 's/^/  | /' "$out/log" | head -5
      echo "  again: $HEDDLE run $out/scenarios/$name.yaml --dut $backend"
    else
      agreed[$backend]=$((agreed[$backend] + 1))
    fi
    seconds[$backend]=$(awk "BEGIN { print ${seconds[$backend]} + $(field "$run" seconds || echo 0) }")
    cycles[$backend]=$((cycles[$backend] + $(field "$run" evaluated_cycles || echo 0)))
  done
done

{
  echo "backend,result,scenarios,agreed,switch_cycles_evaluated,seconds,switch_cycles_per_second"
  for backend in "${backends[@]}"; do
    rate=$(awk "BEGIN { s = ${seconds[$backend]}; print s ? int(${cycles[$backend]} / s) : 0 }")
    echo "$backend,${result[$backend]},$n,${agreed[$backend]},${cycles[$backend]},${seconds[$backend]},$rate"
  done
} >"$out/backends.csv"
awk -F, '
  NR == 1 { n = split($0, key, ","); printf "["; next }
  {
    printf "%s\n  {", (NR > 2 ? "," : "")
    for (i = 1; i <= n; i++) printf "%s\"%s\": %s", (i > 1 ? ", " : ""), key[i], (i < 3 ? "\"" $i "\"" : $i)
    printf "}"
  }
  END { print "\n]" }' "$out/backends.csv" >"$out/backends.json"
awk -F, 'NR == 1 { printf "%-32s %-8s %-10s %-22s\n", "backend", "result", "scenarios", "switch-cycles/s"; next }
  { printf "%-32s %-8s %-10s %-22s\n", $1, $2, $4 " of " $3, $7 }' "$out/backends.csv"
for backend in "$@"; do
  [ "${result[$backend]}" = SKIP ] && continue
  if [ "${agreed[$backend]}" = "$n" ]; then
    echo "ok backends $backend: $n scenarios, the model's digest on each, ${cycles[$backend]} switch-cycles evaluated"
  else
    bad=1
  fi
done
exit $bad
