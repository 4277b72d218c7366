#!/bin/sh
# Runs the self-checking benches of tb/benches.txt on Icarus Verilog.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tb/run.sh [-o DIR] [-s SEED] [-p K/N] [BENCH]    programs and logs go to DIR (build/tb); -p: the K-th of N parts
set -u
out=build/tb
seed=1
part=1/1
while getopts o:s:p: option; do
  case $option in
    o) out=$OPTARG ;;
    s) seed=$OPTARG ;;
    p) part=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
cd "$(dirname "$0")/.." && mkdir -p "$out" || exit 2
command -v iverilog >/dev/null || { echo "SKIP tb: iverilog is missing (package iverilog)"; exit 0; }
files=$(grep -hv '^//' rtl/heddle.f fpga/link/link.f tb/stress/stress.f | tr '\n' ' ')
listed=0
ran=0
bad=0
while read -r bench parameters; do
  case $bench in '' | '#'*) continue ;; esac
  [ $# = 0 ] || [ "$1" = "$bench" ] || continue
  listed=$((listed + 1))
  [ $((listed % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || continue
  ran=$((ran + 1))
  options=
  for p in $parameters; do options="$options -P$bench.$p"; done
  # shellcheck disable=SC2086
  if iverilog -g2012 -Itb -s "$bench" $options -o "$out/$bench" "tb/$bench.sv" $files >"$out/log" 2>&1; then
    timeout 300 vvp -n "$out/$bench" "+seed=$seed" >"$out/log" 2>&1
  fi
  if grep -q '^ok tb' "$out/log" && ! grep -q '^FAIL' "$out/log"; then
    grep '^ok tb' "$out/log"
  else
    grep '^FAIL' "$out/log"
    grep '^not ok tb' "$out/log" || {
      echo "not ok tb $bench $parameters: no verdict"
      tail -5 "$out/log"
    }
    echo "    replay: tb/run.sh -s $seed $bench"
    bad=$((bad + 1))
  fi
done <tb/benches.txt
[ $ran != 0 ] || { echo "not ok tb: no such bench"; exit 1; }
[ $bad = 0 ]
