#!/usr/bin/env bash
# Runs every collective with every algorithm, for many numbers of members and lengths of blocks, and checks every byte.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/collectives/every.sh [-d DUT] [-o DIR] [-s SEEDS] [MEMBERS BYTES TIMES] ...
#
# MEMBERS and BYTES are lists of values, separated by commas. TIMES groups work at the same time, and each carries the
# collective out TIMES times. Without arguments, the list below is used: 1 to 64 members and 0 bytes to 64 KiB. Each method
# is a sweep in DIR (build/collectives) on an 8×8 mesh: the seed draws the members, and each repetition has another root.
# The program compares every byte with the value that follows from the numbers of sender and receiver. Writes
# DIR/methods.csv. The same command continues an interrupted campaign. DUT is `none` (the model alone), or an argument of
# `heddle run --dut`; lanes is the fastest RTL.
set -u
cd "$(dirname "$0")/../.." || exit 2
dut=none out=build/collectives seeds=1
while getopts d:o:s: option; do
  case $option in
    d) dut=$OPTARG ;;
    o) out=$OPTARG ;;
    s) seeds=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $(($# % 3)) -eq 0 ] || {
  echo "tests/collectives/every.sh: $# values: must be MEMBERS, BYTES and TIMES of each sweep" >&2
  exit 2
}
# The longest blocks with many members run in one group, once, because they take most of the time.
[ $# -gt 0 ] || set -- "$(seq -s, 1 64)" 5 1 1,2,3,4,5,7,8 0,1,63,512,4097,65536 2 13,16,31 0,2,1000 2 \
  32,33 1,300,8192 2 63,64 0,7,1024 2 13,16,31 65536 1 32,33,63,64 65536 1
HEDDLE=${HEDDLE:-build/opt/heddle}
mkdir -p "$out"
trap 'exit 130' INT

# method COLLECTIVE ALGORITHM NEEDS MEMBERS BYTES TIMES: runs a sweep and writes the number of its runs. Barriers have no
# blocks. Methods that need a power of two, or a box of an 8×8 mesh, leave out other numbers of members. Schedules are those
# that are found at once; most are not proved to be the shortest. On RTL, a run in which nothing is sent compares nothing
# and fails. So with RTL one member is left out, and messages measure α and β.
method() {
  local members=$4 bytes=$5 times=$6 directory key more='' axis=members list costs='alpha: 50, beta: 0.2' axes
  list=$members
  if [ "$dut" != none ]; then
    costs='gap: 100'
    list=$(tr ',' '\n' <<<"$members" | grep -vx 1 | paste -sd,)
  fi
  [ -n "$list" ] || return 0
  case $3 in
    power*) list=$(tr ',' '\n' <<<"$list" | awk '{x = $1; while (x > 1 && x % 2 == 0) x /= 2} x == 1' | paste -sd,) ;;
    box*)
      axis=box
      list=$(tr ',' '\n' <<<"$list" | awk '{for (a = 1; a <= 8; a++) if ($1 % a == 0 && $1 / a <= a) {print a "x" $1 / a; next}}' |
        paste -sd,)
      ;;
    *routes) more='search: 0, ' ;;
    *barriers* | *multicast*) return 0 ;; # has its own kind of blocks: test_collective_network.c
  esac
  [ -n "$list" ] || return 0
  case $1 in broadcast | scatter | gather | reduce) more+='root: rotate, ' ;; esac
  [ $axis = box ] || more+='members: 2, '
  axes=(--set "software.parameters.$axis=$list")
  [ "$1" = barrier ] || axes+=(--set "software.parameters.bytes=$bytes")
  key=$1-$2
  directory=$out/$dut/$key/${members//,/-}_${bytes//,/-}_$times
  mkdir -p "$directory"
  cat >"$directory/scenario.yaml" <<YAML
name: $key
fabric: {topology: mesh, dims: [8, 8]}
switch: {vcs: 2, depth_flits: 16, data_bits: 64}
software:
  program: collective
  startup_cycles: 20
  packet_bytes: 512
  parameters: {collective: $1, algorithm: $2, ${more}repeat: $times, groups: $times, $costs}
seed: 1
run: {cycles: 100000000, dut: $dut}
YAML
  "$HEDDLE" sweep "$directory/scenario.yaml" "${axes[@]}" --seeds "$seeds" --no-html --quiet --out "$directory/sweep" \
    >"$directory/log" 2>&1
  local rc=$?
  if [ $rc -eq 130 ]; then exit 130; fi
  if [ $rc -ne 0 ]; then
    echo "FAIL $key, members $members, bytes $bytes: exit code $rc; $directory/log" >&2
    tail -3 "$directory/log" >&2
    return 1
  fi
  echo $(($(wc -l <"$directory/sweep/runs.csv") - 1)) >"$directory/runs"
}

bad=0 done=0 runs=0
echo 'collective,algorithm,dut,runs,result' >"$out/methods.csv"
# shellcheck disable=SC2016 # backticks of the table
mapfile -t methods < <("$HEDDLE" collectives --markdown |
  sed -nE 's/^\| `([a-z-]+)` \| `([a-z-]+)` \| ([a-z, ]+) \|.*/\1 \2 \3/p')
[ ${#methods[@]} -gt 30 ] || {
  echo "tests/collectives/every.sh: heddle collectives lists ${#methods[@]} methods" >&2
  exit 1
}
for line in "${methods[@]}"; do
  read -r collective algorithm needs <<<"$line"
  result=agrees n=0
  sweeps=("$@")
  while [ ${#sweeps[@]} -gt 0 ]; do
    method "$collective" "$algorithm" "$needs" "${sweeps[@]:0:3}" || result=differs
    sweeps=("${sweeps[@]:3}")
  done
  n=$(cat "$out/$dut/$collective-$algorithm"/*/runs 2>/dev/null | awk '{n += $1} END {print n + 0}')
  [ "$result" = agrees ] && [ "$n" -gt 0 ] || bad=$((bad + 1)) result=differs
  done=$((done + 1)) runs=$((runs + n))
  echo "$collective,$algorithm,$dut,$n,$result" >>"$out/methods.csv"
  [ -t 2 ] && printf '\r%d of %d methods, %d runs' "$done" "${#methods[@]}" "$runs" >&2
done
[ -t 2 ] && echo >&2
echo "collectives: $done methods, $runs runs on $dut, $bad methods failed; $out/methods.csv"
[ $bad -eq 0 ]
