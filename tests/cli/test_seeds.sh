#!/usr/bin/env bash
# heddle run --seeds: each seed has the result that it has alone, side by side in bit lanes and one after the other.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# result RUN KEY: of the database
result() {
  sql "$1" "SELECT value FROM results WHERE key = '$2'"
}

small=('fabric: {topology: mesh, dims: [4]}' 'switch: {vcs: 1, data_bits: 16, depth_flits: 2}')
scenario small.yaml "${small[@]}"
exits 2 "no seeds" "$HEDDLE" run small.yaml --seeds 0
exits 2 "too many seeds" "$HEDDLE" run small.yaml --seeds 65
exits 0 "two seeds of the model" "$HEDDLE" run small.yaml --seeds 2 --seed 5 --out model
says out "small: 2 of 2 seeds passed" "sums up"
exits 0 "the second alone" "$HEDDLE" run small.yaml --seed 6 --out alone
exits 0 "is the same run" "$HEDDLE" diff model/seed-6 alone
exits 1 "the first is another one" "$HEDDLE" diff model/seed-5 alone
scenario wrong.yaml 'switch: {vcs: 1, data_bits: 17}'
mkdir -p some/seed-6
touch some/seed-6/run.db
exits 2 "one of three seeds has no directory" "$HEDDLE" run small.yaml --seeds 3 --seed 5 --out some
says out "small: 2 of 3 seeds passed" "sums up what ran"
says out "seed 6      error: some/seed-6/run.db: there is a run in this directory already" "says which seed failed, and why"
exits 2 "what none of the seeds can do" "$HEDDLE" run wrong.yaml --seeds 2
equal "$(cat out; wc -l <err)" 1 "is said once"

if ! command -v yosys >/dev/null; then
  skip "seeds in lanes" "yosys is missing, install the package yosys"
  summary
  exit
fi
# A bug that shows only if a packet goes to a certain node, so only with some seeds.
cp -r "$root/rtl" rtl-bad
sed -i "s/^ *data_o <= data;/data_o <= data ^ {{DATA_W-1{1'b0}}, data == 16'h06bc};/" rtl-bad/hd_output_port.v
check "the copy is broken" test -n "$(cmp "$root/rtl/hd_output_port.v" rtl-bad/hd_output_port.v)"
scenario lanes.yaml "${small[@]}" 'run: {cycles: 5000, dut: lanes}'
exits 3 "six seeds in lanes" "$HEDDLE" run lanes.yaml --seeds 6 --rtl rtl-bad --out lanes
mv out said
found=0
for seed in 1 2 3 4 5 6; do
  run=lanes/seed-$seed
  "$HEDDLE" run lanes.yaml --seed $seed --rtl rtl-bad --out "alone-$seed" >out 2>err </dev/null
  for key in status cycles digest events_compared divergence.cycle divergence.switch; do
    equal "$(result $run $key)" "$(result "alone-$seed" $key)" "seed $seed: $key as alone"
  done
  check "seed $seed ran side by side" grep -q "with 5 other runs" $run/report.json
  exits 0 "seed $seed: each packet as alone" "$HEDDLE" diff $run "alone-$seed"
  if [ "$(result $run status)" = divergence ]; then
    found=$((found + 1))
    check "seed $seed has waves" test -s $run/waves.fst
    exits 3 "seed $seed diverges in its replay" "$HEDDLE" replay $run --out "again-$seed"
  fi
done
check "some seeds meet the bug, and some do not ($found)" test "$found" -gt 0 -a "$found" -lt 6
says said "lanes: $((6 - found)) of 6 seeds passed" "the others pass"
equal "$(grep -c '^DIVERGENCE' said)" 1 "one divergence is explained in full"
summary
