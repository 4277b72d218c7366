#!/usr/bin/env bash
# Runs the same scenarios on every backend, compares the digests, and measures how fast each backend is.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/backends/run.sh [-n SCENARIOS] [-o DIR] [-p] BACKEND ...
#
# -p: also plants a bug in a copy of the RTL, and runs the first scenario on every backend built from that. All must find
# the bug in the same cycle, at the same switch and port.
# BACKEND is an argument of `heddle run --dut`; the model is always the first. Writes one run of each backend to DIR
# (build/backends), prints a table, and writes it to DIR/backends.csv and .json. Prints SKIP for a backend whose tool is
# missing. Runs go one after the other, not as a campaign, because runs at the same time would disturb each other's speed.
# Fails if a digest is not the model's, at a divergence, or if nothing was compared.
set -u
cd "$(dirname "$0")/../.." || exit 2
n=24 out=build/backends plant=
while getopts n:o:p option; do
  case $option in
    n) n=$OPTARG ;;
    o) out=$OPTARG ;;
    p) plant=yes ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
case $n in '' | 0* | *[!0-9]*)
  echo "tests/backends/run.sh: -n $n: must be a number of scenarios from 1" >&2
  exit 2
  ;;
esac
HEDDLE=${HEDDLE:-build/opt/heddle}
rm -rf "$out/runs" "$out/scenarios"
mkdir -p "$out/runs"
mapfile -t names < <(tests/backends/scenarios.sh "$out/scenarios" "$n")
backends=(model "$@")
declare -A digest result seconds cycles agreed planted
bad=0

# field RUN NAME: prints a value of a report
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

# planted_dut BACKEND: prints the options of heddle run for this backend, built from the RTL with the bug
planted_dut() {
  case $1 in
    board:virtual*) echo --dut "$1,rtl=$out/rtl" ;;
    bitstream:*)
      local name
      name=$(basename "${1%.*}")
      fpga/build.sh -r "$out/rtl" -o "$out/fpga" "$name" >"$out/fpga.log" 2>&1 || return
      echo --dut "bitstream:$out/fpga/$name.${1##*.},any-build"
      ;;
    *) echo --dut "$1" --rtl "$out/rtl" ;;
  esac
}

# where RUN: prints the first difference that its report names
where() {
  sed -nE '/^  "divergence": \{/,/^    "port"/s/^    "(cycle|switch|port)": ([0-9]+),?$/\1 \2/p' "$1/report.json" |
    paste -sd' '
}

if [ -n "$plant" ]; then
  rm -rf "$out/rtl" "$out/planted"
  cp -r rtl "$out/rtl"
  # Bit 0 of a flit is lost where bits 3 to 1 are set.
  sed -i 's/assign data_o = \(.*\);/assign data_o = \1 \& ~{{(WIDTH-1){1'"'b0"'}}, \&\1[3:1]};/' \
    "$out/rtl/hd_flit_memory.v"
  if cmp -s rtl/hd_flit_memory.v "$out/rtl/hd_flit_memory.v"; then
    echo "not ok backends: the bug was not planted"
    bad=1
  fi
  first=
  for backend in "$@"; do
    [ "${result[$backend]}" = SKIP ] && continue
    run=$out/planted/$(echo "$backend" | tr '/:' '__')
    rc=0
    # shellcheck disable=SC2046 # words
    "$HEDDLE" run --quiet "$out/scenarios/${names[0]}.yaml" $(planted_dut "$backend") --out "$run" \
      >"$out/log" 2>&1 </dev/null || rc=$?
    planted[$backend]=$(where "$run" 2>/dev/null)
    first=${first:-${planted[$backend]}}
    if [ "$rc" = 3 ] && [ -n "$first" ] && [ "${planted[$backend]}" = "$first" ]; then
      echo "ok backends $backend: the planted bug is found in $first"
    else
      bad=1
      echo "not ok backends $backend: a planted bug ends with $rc, ${planted[$backend]:-nowhere}, not in $first"
      sed 's/^/  | /' "$out/log" | head -5
    fi
  done
fi

{
  echo "backend,result,scenarios,agreed,switch_cycles_evaluated,seconds,switch_cycles_per_second,planted_bug_found_in"
  for backend in "${backends[@]}"; do
    rate=$(awk "BEGIN { s = ${seconds[$backend]}; print s ? int(${cycles[$backend]} / s) : 0 }")
    echo "$backend,${result[$backend]},$n,${agreed[$backend]},${cycles[$backend]},${seconds[$backend]},$rate,${planted[$backend]-}"
  done
} >"$out/backends.csv"
awk -F, '
  NR == 1 { n = split($0, key, ","); printf "["; next }
  {
    printf "%s\n  {", (NR > 2 ? "," : "")
    for (i = 1; i <= n; i++) printf "%s\"%s\": %s", (i > 1 ? ", " : ""), key[i], (i < 3 || i == 8 ? "\"" $i "\"" : $i)
    printf "}"
  }
  END { print "\n]" }' "$out/backends.csv" >"$out/backends.json"
awk -F, 'NR == 1 { printf "%-36s %-8s %-10s %-16s %s\n", "backend", "result", "scenarios", "switch-cycles/s", "planted bug"; next }
  { printf "%-36s %-8s %-10s %-16s %s\n", $1, $2, $4 " of " $3, $7, $8 }' "$out/backends.csv"
for backend in "$@"; do
  [ "${result[$backend]}" = SKIP ] && continue
  if [ "${agreed[$backend]}" = "$n" ]; then
    echo "ok backends $backend: $n scenarios, the model's digest on each, ${cycles[$backend]} switch-cycles evaluated"
  else
    bad=1
  fi
done
exit $bad
