#!/usr/bin/env bash
# Ctrl-C, a killed run, a second signal: a clear message and a usable database.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

scenario long.yaml 'run: {cycles: 1000000000, dut: model}' \
  'software: {program: uniform, parameters: {load: 0.1, cycles: 1000000000}}'

# start DIRECTORY: starts a long run in the background, $pid, and waits until it has committed packets.
start() {
  # A shell's background jobs ignore Ctrl-C, and all that nohup has begun ignores SIGHUP.
  env --default-signal "$HEDDLE" run long.yaml --out "$1" "${@:2}" >out 2>err </dev/null &
  pid=$!
  wait_until "$pid" more_packets "$1" 0
}

# more_packets DIRECTORY N: more than N packets must be committed.
more_packets() {
  [ -s "$1/run.db" ] && [ "$(sql "$1" "SELECT count(*) > $2 FROM packets" 2>/dev/null)" = 1 ]
}

# finish: waits for $pid and sets $rc to its exit code.
finish() {
  rc=0
  wait "$pid" 2>/dev/null || rc=$?
}

for signal in INT TERM HUP; do
  start "$signal"
  kill -"$signal" "$pid"
  finish
  equal "$rc" 130 "SIG$signal: exit code 130"
  says err "interrupted at cycle" "SIG$signal: the cycle is said"
  says err "results so far in $signal" "SIG$signal: the directory is said"
  equal "$(sql "$signal" 'SELECT status FROM run')" interrupted "SIG$signal: the database says so"
  equal "$(sql "$signal" 'SELECT packets_received FROM run')" \
    "$(sql "$signal" 'SELECT count(*) FROM packets WHERE received IS NOT NULL')" \
    "SIG$signal: every packet so far has a row"
  equal "$(sql "$signal" 'SELECT max(received) <= cycles_compared FROM run, packets')" 1 \
    "SIG$signal: only what was compared counts"
  check "SIG$signal: the reports are there" test -s "$signal/report.json" -a -s "$signal/results.xml"
done

(
  trap '' HUP
  exec "$HEDDLE" run long.yaml --out nohup >out 2>err </dev/null
) &
pid=$!
wait_until "$pid" more_packets nohup 0
kill -HUP "$pid"
count_so_far() { so_far=$(sql nohup 'SELECT count(*) FROM packets' 2>/dev/null); }
wait_until "$pid" count_so_far
wait_until "$pid" more_packets nohup "$so_far"
check "where SIGHUP is ignored (nohup), a run goes on" kill -TERM "$pid"
finish
equal "$rc" 130 "until it is ended"

start killed
kill -KILL "$pid"
finish
equal "$rc" 137 "SIGKILL ends the run"
equal "$(sql killed 'PRAGMA integrity_check')" ok "a killed run's database is whole"
equal "$(sql killed 'SELECT status FROM run')" running "and says that the run was cut off"
check "and has packets" test "$(sql killed 'SELECT count(*) FROM packets')" -gt 0
equal "$(sql killed 'SELECT count(*) FROM packets WHERE received > (SELECT cycles FROM run)')" 0 \
  "and none behind the cycle that it says"
exits 0 "a killed run can be replayed" "$HEDDLE" replay killed --cycles 500 --out replayed
says out "cut off" "and the replay says that there is no digest to compare"
exits 1 "a killed run can be compared" "$HEDDLE" diff killed replayed
says out "cut off, no digest" "and diff says that it was cut off"
exits 1 "a killed run beside itself" "$HEDDLE" diff killed killed
says out "not known to be equal" "is not called different"

start read
for i in 1 2 3; do
  exits 1 "reading a run that goes on, time $i" "$HEDDLE" diff read read
done
sql read 'SELECT latency, count(*) FROM packets GROUP BY 1' >/dev/null
kill -INT "$pid"
finish
equal "$rc" 130 "a run that was read meanwhile goes on until it is ended"
equal "$(cd read && echo run.db*)" run.db "and is one file then"

start progress --progress
wait_until "$pid" grep -q ' left' err
kill -INT "$pid"
finish
says err "switch-cycles/s" "--progress shows progress where stderr is no terminal"
says err " left" "and the time left"
start silent
more=$(sql progress 'SELECT count(*) FROM packets') # as long as it took to show progress
wait_until "$pid" more_packets silent "$more"
kill -INT "$pid"
finish
equal "$(grep -c 'switch-cycles/s' err)" 0 "no progress where stderr is no terminal"
summary
