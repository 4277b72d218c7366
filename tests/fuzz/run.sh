#!/usr/bin/env bash
# Runs one fuzzer for a number of executions, and prints that number.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/fuzz/run.sh NAME EXECUTIONS SEED DIRECTORY (see mk/fuzz.mk)
set -u
name=$1 executions=$2 seed=$3 dir=$4
program=$dir/fuzz_$name
if [ ! -x "$program" ]; then
  echo "SKIP fuzz $name: no clang with libFuzzer; install the packages clang and libclang-rt-14-dev"
  exit 0
fi
corpus=$dir/corpus/$name
mkdir -p "$corpus"
# deliver's input is a list of operations on four messages; longer lists test nothing new.
max_len=2048
[ "$name" = deliver ] && max_len=256
# Requests to a board are short. A long list of them takes time and tests little more.
[ "$name" = link ] && max_len=96
# Recording the stacks of allocations takes time, so they are recorded only when a failed input is repeated by hand.
export ASAN_OPTIONS=${ASAN_OPTIONS:-malloc_context_size=0:quarantine_size_mb=4}
options=(-runs="$executions" -seed="$seed" -print_final_stats=1 -timeout=20 -rss_limit_mb=2048
  -max_len="$max_len" -artifact_prefix="$dir/$name-")
[ "$name" = link ] && options+=(-len_control=0)
[ -f "tests/fuzz/$name.dict" ] && options+=(-dict="tests/fuzz/$name.dict")
seeds=()
[ -d "tests/fuzz/corpus/$name" ] && seeds=("tests/fuzz/corpus/$name")
log=$dir/$name.log
"$program" "${options[@]}" "$corpus" "${seeds[@]}" >"$log" 2>&1
rc=$?
done_=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
# A run that stopped early has proved less than was asked.
if [ "$rc" = 0 ] && [ "${done_:-0}" -ge "$executions" ]; then
  echo "ok fuzz $name: $done_ executions, seed $seed, $(find "$corpus" -type f | wc -l) inputs kept"
  exit 0
fi
tail -n 40 "$log"
echo "not ok fuzz $name: exit code $rc after ${done_:-0} executions, seed $seed; the whole log is $log;" \
  "replay: $program $(sed -n 's/.*Test unit written to //p' "$log")"
exit 1
