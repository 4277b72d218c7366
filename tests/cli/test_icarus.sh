#!/usr/bin/env bash
# heddle run --dut icarus: X has a name and exit code 3; Ctrl-C, kills and a missing simulator.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh"
if ! command -v vvp >/dev/null; then
  skip "Icarus Verilog" "vvp is missing, install the package iverilog"
  summary
  exit
fi
scenario x.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'run: {cycles: 200, dut: icarus}' \
  'trace: {waves: true}'

# simulators PID: how many processes were started for that run.
simulators() {
  grep -lsaz "^HEDDLE_REMOTE_PARENT=$1\$" /proc/[0-9]*/environ | wc -l
}

exits 0 "sound RTL agrees" "$HEDDLE" run x.yaml --out good
says out "icarus: Icarus Verilog version" "and the report says on what"
exits 0 "the model" "$HEDDLE" run x.yaml --dut model --out model
equal "$(sql good 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "one digest"

cp -r "$root/rtl" rtl
sed -i "s/ vc_o    <= {VC_W{1.b0}};//" rtl/hd_output_port.v
exits 3 "an X at an output is a divergence" "$HEDDLE" run x.yaml --rtl rtl --out unknown
says out "an output is unknown" "the explanation says so"
says err "x in out_vc_o of switch" "and the last line"
says unknown/report.json '"difference": "unknown"' "and the report"
equal "$(sql unknown 'SELECT difference FROM divergences')" unknown "and the database"
check "there are waves of it" test -s unknown/waves.fst
exits 3 "a replay finds it again" "$HEDDLE" replay unknown --out again
says out "same divergence" "in the same place"
exits 0 "two states do not show it" "$HEDDLE" run x.yaml --rtl rtl --dut verilator --out two

exits 7 "a missing simulator" env PATH=/nonexistent "$HEDDLE" run x.yaml --out missing
says err "apt-get install iverilog" "names its package"
exits 2 "an unknown option" "$HEDDLE" run x.yaml --dut icarus:nonsense --out bad
says err "every-cycle" "is answered with those there are"

scenario long.yaml 'fabric: {topology: mesh, dims: [2, 2]}' \
  'run: {cycles: 1000000000, dut: icarus, window_cycles: 64}' \
  'software: {program: uniform, parameters: {load: 0.1, cycles: 1000000000}}'
for signal in INT KILL; do
  set -m
  "$HEDDLE" run long.yaml --out "$signal" >out 2>err </dev/null &
  pid=$!
  set +m
  for _ in $(seq 300); do
    sleep 0.1
    [ "$(simulators "$pid")" = 5 ] && break
  done
  equal "$(simulators "$pid")" 5 "SIG$signal: a simulator for each switch, and the one they come from"
  sleep 0.5
  kill -"$signal" "$pid"
  rc=0
  wait "$pid" 2>/dev/null || rc=$?
  equal "$rc" "$([ $signal = INT ] && echo 130 || echo 137)" "SIG$signal: exit code"
  for _ in $(seq 50); do
    [ "$(simulators "$pid")" = 0 ] && break
    sleep 0.1
  done
  equal "$(simulators "$pid")" 0 "SIG$signal: no simulator is left"
done

"$HEDDLE" run long.yaml --out crash >out 2>err </dev/null &
pid=$!
for _ in $(seq 300); do
  sleep 0.1
  [ "$(simulators "$pid")" = 5 ] && break
done
sleep 0.3
kill -SEGV "$(grep -lsaz "^HEDDLE_REMOTE_PARENT=$pid\$" /proc/[0-9]*/environ | sed 's/[^0-9]//g' | sort -n | tail -n 1)"
rc=0
wait "$pid" || rc=$?
equal "$rc" 7 "a crash of a simulator ends the run"
says err "died by signal 11" "and is said"
summary
