# Functions for tests of backends whose switches run in other processes: Ctrl-C, kills and crashes. Sourced after lib.sh.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2154

# simulators PID: prints how many processes were started for that run.
simulators() {
  grep -lsaz "^HEDDLE_REMOTE_PARENT=$1\$" /proc/[0-9]*/environ | wc -l
}

# carries_out PID: prints the process that carries out the run; the command PID watches it.
carries_out() {
  tr -d ' ' </proc/"$1"/task/"$1"/children
}

# simulating PID DIRECTORY: that run has its simulators and has simulated some cycles.
simulating() {
  [ "$(simulators "$(carries_out "$1")")" = 5 ] && [ "$(sqlite3 "$2/run.db" 'SELECT count(*) > 0 FROM packets' 2>/dev/null)" = 1 ]
}

# ends_well FABRIC DUT [LINE ...]: tests a fabric of four switches on DUT, with more lines of the scenario.
ends_well() {
  local pid run rc
  scenario long.yaml "${@:3}" "$1" "run: {cycles: 1000000000, dut: $2, window_cycles: 64}" \
    'software: {program: uniform, parameters: {load: 0.1, cycles: 1000000000}}'
  for signal in INT KILL; do
    env --default-signal "$HEDDLE" run long.yaml --out "$signal" >out 2>err </dev/null &
    pid=$!
    wait_until "$pid" simulating "$pid" "$signal"
    run=$(carries_out "$pid")
    equal "$(simulators "$run")" 5 "SIG$signal: a simulator for each switch, and the one they come from"
    kill -"$signal" "$pid"
    rc=0
    wait "$pid" 2>/dev/null || rc=$?
    equal "$rc" "$([ $signal = INT ] && echo 130 || echo 137)" "SIG$signal: exit code"
    until [ "$(simulators "$run")" = 0 ]; do sleep 0.1; done # without a limit; the runner of all tests has one
    ok "SIG$signal: no simulator is left"
  done

  "$HEDDLE" run long.yaml --out crash >out 2>err </dev/null &
  pid=$!
  wait_until "$pid" simulating "$pid" crash
  kill -SEGV "$(grep -lsaz "^HEDDLE_REMOTE_PARENT=$(carries_out "$pid")\$" /proc/[0-9]*/environ | sed 's/[^0-9]//g' | sort -n | tail -n 1)"
  rc=0
  wait "$pid" || rc=$?
  equal "$rc" 7 "a crash of a simulator ends the run"
  says err "died by signal 11" "and is said"
}

# fails_assertion DUT LINE ...: tests RTL whose $error or $fatal is called in a fabric with these lines. One build has both.
fails_assertion() {
  local line call
  scenario asserts.yaml "${@:2}" "run: {cycles: 200, dut: $1}" 'trace: {waves: true}'
  cp -r "$root/rtl" asserts
  # shellcheck disable=SC2016 # the dollars are Verilog's
  sed -i 's/^endmodule.*/reg [9:0] age_q; always @(posedge clk) begin age_q <= rst ? 0 : age_q + 1;\n  if (!rst \&\& age_q == 50) begin\n    if ($test$plusargs("error")) $error("fifty is %h", age_q[7:0]);\n    if ($test$plusargs("fatal")) $fatal(1, "fifty is %h", age_q[7:0]);\n  end\nend\nendmodule/' asserts/hd_switch.v
  for call in error fatal; do
    rm -rf asserts_run
    line=$(grep -n "\$$call(.*fifty is" asserts/hd_switch.v | cut -d: -f1)
    exits 3 "\$$call that is called" "$HEDDLE" run asserts.yaml --dut "$1:every-cycle,+$call" --rtl asserts --out asserts_run
    equal "$(sql asserts_run 'SELECT difference FROM divergences')" assertion "is a divergence"
    says out "assertion failed at rtl/hd_switch.v:$line: fifty is 32" "with file, line and message"
    check "with waves" test -s asserts_run/waves.fst
    exits 3 "a replay of it" "$HEDDLE" replay asserts_run
  done
}
