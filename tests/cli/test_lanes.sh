#!/usr/bin/env bash
# heddle run --dut lanes: missing tools are named, Ctrl-C ends builds and runs, a divergence has waves, one process builds for all.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

if ! command -v yosys >/dev/null; then
  skip "bit lanes" "yosys is missing, install the package yosys"
  summary
  exit
fi

# Uses the smallest switch that makes a mesh, which takes little time.
small=('fabric: {topology: mesh, dims: [4]}' 'switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 1, nodes: 4}'
  'routing: {algorithm: dimension-order}')
scenario lanes.yaml "${small[@]}" 'run: {cycles: 3000, dut: lanes}'
scenario long.yaml "${small[@]}" 'run: {cycles: 1000000000, dut: lanes}' \
  'software: {program: uniform, parameters: {load: 0.1, cycles: 1000000000}}'

# stand_in NAME: makes a tool in bin/ that prints its version, or otherwise runs until it is ended. Meanwhile it keeps the
# pipe NAME.alive open, and NAME.pid has its process number.
stand_in() {
  mkdir -p bin
  mkfifo "$1.alive"
  # shellcheck disable=SC2016 # the tool's shell expands them
  printf '#!/bin/sh\ncase $1 in -V | --version) exec %q "$@" ;; esac\nexec 9>%q\necho $$ >%q\nexec sleep infinity\n' \
    "$(command -v "$1")" "$PWD/$1.alive" "$PWD/$1.pid" >"bin/$1"
  chmod +x "bin/$1"
}

# interrupted NAME: presses Ctrl-C while that tool builds.
interrupted() {
  stand_in "$1"
  timeout 600 cat "$1.alive" &
  reader=$!
  env --default-signal PATH="$PWD/bin:$PATH" "$HEDDLE" run lanes.yaml --cache "cache-$1" --out "run-$1" >out 2>err </dev/null &
  pid=$!
  wait_until $pid test -s "$1.pid"
  kill -INT $pid
  wait $pid
  equal "$?" 130 "Ctrl-C while $1 builds"
  check "leaves no $1 behind" wait $reader
  equal "$(find "cache-$1" -name '*.tmp')" "" "nor half a build"
  kill "$(cat "$1.pid")" 2>/dev/null
  rm "bin/$1"
}

# 7: tools. The tool that is needed last is checked before Yosys works for seconds or minutes.
mkdir empty only
ln -s "$(command -v yosys)" only/yosys
exits 7 "no tool is there" env PATH="$PWD/empty" "$HEDDLE" run lanes.yaml --cache c --out missing
says err "apt-get install" "what to install is said"
exits 7 "the compiler is missing" env PATH="$PWD/only" "$HEDDLE" run lanes.yaml --cache c --out missing
says err "gcc is not installed or not in PATH; on Debian: apt-get install gcc" "it is named"
check "and Yosys has not begun" bash -c "! grep -q synthesising err"
mkdir without
ln -s "$(command -v gcc)" without/gcc
exits 7 "Yosys is missing" env PATH="$PWD/without" "$HEDDLE" run lanes.yaml --cache c --out missing
says err "yosys is not installed or not in PATH; on Debian: apt-get install yosys" "it is named"
interrupted yosys

# Two processes need the same build.
"$HEDDLE" run lanes.yaml --cache cache-gcc --out first >out1 2>err1 </dev/null &
pid=$!
exits 0 "a run in bit lanes" "$HEDDLE" run lanes.yaml --cache cache-gcc --out second
wait $pid
equal "$?" 0 "and another one at the same time"
equal "$(cat err err1 | grep -c '^building the lanes backend: ')" 1 "one of them builds for both"
equal "$(cat err err1 | grep -cx 'synthesising the netlist: lanes')" 1 "and Yosys works once"
says out "digest  " "it shows a digest"
equal "$(grep 'digest  ' out)" "$(grep 'digest  ' out1)" "which both have"
cp -r cache-gcc cache
# The netlist exists, so only the compiler runs.
find cache-gcc -name hd_switch.so -execdir rm {} \;
interrupted gcc
exits 0 "the run after that" "$HEDDLE" run lanes.yaml --cache cache-gcc --out third

env --default-signal "$HEDDLE" run long.yaml --cache cache --out long >out 2>err </dev/null &
pid=$!
more_packets() { [ -s long/run.db ] && [ "$(sql long 'SELECT count(*) > 0 FROM packets' 2>/dev/null)" = 1 ]; }
wait_until $pid more_packets
kill -INT $pid
wait $pid
equal "$?" 130 "Ctrl-C while it runs"
says err "interrupted at cycle" "the cycle is said"

# A wrong quiescent_o: the switch signals quiescent while a flit comes in. In a batch, lanes trust it and skip the switch; a
# replay does not.
mkdir quiet
cp "$root"/rtl/*.v quiet/
sed -i 's/!(|in_valid_i) \&\& !(|out_credit_i)/!(|out_credit_i)/' quiet/hd_switch.v
check "a bug is planted" bash -c "! cmp -s '$root/rtl/hd_switch.v' quiet/hd_switch.v"
exits 3 "it is found in bit lanes" "$HEDDLE" run lanes.yaml --rtl quiet --out bug
check "with waves" test -s bug/waves.fst
exits 0 "waves of other cycles" "$HEDDLE" wave bug --switch 1 --from 0 --to 20 --print-command
exits 3 "it is found on Verilator" "$HEDDLE" run lanes.yaml --rtl quiet --dut verilator --out same
place='SELECT cycle, switch, port, difference FROM divergences'
equal "$(sql bug "$place")" "$(sql same "$place")" "in the same cycle, at the same switch and port"

rest

# A wrong quiescent_o: the switch counts the cycles in which it is evaluated, and shows the count from 300 on. So every run
# must evaluate the same cycles.
mkdir counts
cp "$root"/rtl/*.v counts/
sed -i "s/quiescent_o <= !(|in_valid_i)/quiescent_o <= (counted_q < 12'd300) \&\& !(|in_valid_i)/
  s/^  always @(posedge clk)\$/  reg [11:0] counted_q;\n  always @(posedge clk) counted_q <= rst ? 12'd0 : counted_q + 12'd1;\n&/" counts/hd_switch.v
check "another bug is planted" test "$(grep -c counted_q counts/hd_switch.v)" = 3
for mode in decoupled closed; do
  for dut in verilator lanes; do
    exits 3 "it is found on $dut, $mode" "$HEDDLE" run lanes.yaml --mode $mode --rtl counts --dut $dut --out counts-$dut-$mode
    equal "$(sql counts-$dut-$mode "$place")" "$(sql counts-verilator-decoupled "$place")" "in the same cycle"
  done
  equal "$(sql counts-lanes-$mode 'SELECT evaluated_cycles FROM run')" \
    "$(sql counts-verilator-$mode 'SELECT evaluated_cycles FROM run')" "after as many cycles, $mode"
done

# A switch that is not quiescent after reset: it is configured all the same, and the difference is found where the run
# begins.
mkdir busy
cp "$root"/rtl/*.v busy/
sed -i "s/if (rst) quiescent_o <= 1'b1/if (rst) quiescent_o <= 1'b0/" busy/hd_switch.v
check "a bug of reset is planted" bash -c "! cmp -s '$root/rtl/hd_switch.v' busy/hd_switch.v"
for dut in lanes verilator; do
  exits 3 "it is found on $dut" "$HEDDLE" run lanes.yaml --rtl busy --dut $dut --out busy-$dut
  equal "$(sql busy-$dut "$place")" "0|0|255|quiescent" "in the first cycle"
done

# A register that reads wrongly, and whose value no port shows: it is read after the first window, in which barrier groups
# are set up.
mkdir reads
cp "$root"/rtl/*.v reads/
sed -i "s/value = errors\[15:0\]/value = errors[15:0] ^ 16'd1/" reads/hd_config.v
check "a third bug is planted" bash -c "! cmp -s '$root/rtl/hd_config.v' reads/hd_config.v"
scenario reads.yaml "${small[@]}" 'switch: {ports: 3, vcs: 1, data_bits: 32, depth_flits: 1, nodes: 4, barrier: any, groups: 1, switches: 4}' \
  'software: {program: barrier, parameters: {rounds: 20, load: 0.1}}' 'run: {cycles: 3000, window_cycles: 64}'
for mode in decoupled closed; do
  for dut in lanes verilator; do
    exits 3 "it is found on $dut, $mode" "$HEDDLE" run reads.yaml --mode $mode --rtl reads --dut $dut --out reads-$dut-$mode
    equal "$(sql reads-$dut-$mode "$place")" "64|1|255|errors" "after the window of the write"
  done
done
summary
