#!/usr/bin/env bash
# Endpoint software that crashes, ends or stops the process, loops or misuses its functions: named, with node and cycle.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

gcc -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -w -I"$root/tests/cli" -o bad.so "$root/tests/cli/bad_software.c" || exit
gcc -std=c11 -D_GNU_SOURCE -O1 -fPIC -shared -w -DLOOPS_WHEN_LOADED -I"$root/tests/cli" -o loads.so \
  "$root/tests/cli/bad_software.c" || exit
software() {
  scenario "$1.yaml" "software: {program: ./${2:-bad}.so, parameters: {way: $1}}" \
    'fabric: {topology: mesh, dims: [2, 2]}'
}

# ends WAY TEXT: the run ends with exit code 8 and the text, and its database is closed.
ends() {
  software "$1"
  exits 8 "software: $1" "$HEDDLE" run "$1.yaml" --out "$1"
  says err "$2" "$1 is said"
  equal "$(sql "$1" "SELECT status, ended IS NOT NULL, message LIKE '%$3%' FROM run")" 'error|1|1' \
    "$1: the database is closed, and says why"
}

by='endpoint software ./bad.so of node 1 in cycle'
ends exit "$by" 'exit code 0'
ends _exit "$by" 'exit code 0'
ends segv "$by" 'signal 11 (Segmentation fault)'
says err "in ./bad.so" "and in which object"
check "a crash is in the reports, too" grep -q 'Segmentation fault' segv/results.xml
ends printf "$by" 'signal 11 (Segmentation fault)'
says out "run database" "the table is printed, though software holds the lock of standard output"
ends abort "$by" 'signal 6 (Aborted)'
ends kill "$by" 'signal 9 (Killed)'
ends pipe "$by" 'signal 13 (Broken pipe)'
ends stop "$by" 'stopped the process'
ends stack "$by" 'it ran over its stack of'
ends pthread_exit "$by" 'pthread_exit'
ends thread "$by" 'called an endpoint function'
ends other 'node 1 at cycle' 'called an endpoint function for node 0'
ends longjmp 'node 1 at cycle' 'called an endpoint function for node 0'
for way in _exit kill segv printf; do
  check "$way: results.xml has an error" grep -q 'errors="1"' "$way/results.xml"
  equal "$(sqlite3 :memory: "SELECT json_extract(readfile('$way/report.json'), '$.status', '$.message') LIKE '%error%node 1 in cycle%'")" 1 \
    "$way: report.json says who and where"
  check "$way: there is a page" grep -q 'node 1 in cycle' "$way/report.html"
done
check "what was not judged has not passed" test "$(grep -c '<skipped message="the run was cut off"' kill/results.xml)" = 5
software first
exits 8 "software that crashes while its scenario is checked" "$HEDDLE" run first.yaml --out first
says err "endpoint software ./bad.so of node 1 in cycle 0" "is named"

software close
exits 8 "software that closes all files" "$HEDDLE" run close.yaml --out close
says err "has closed the run database" "is said, though standard error is closed"
equal "$(sql close 'SELECT status FROM run')" error "the database is closed"

for way in streams null files buffer; do
  software $way
  exits 0 "software that closes or replaces the standard streams ($way)" "$HEDDLE" run $way.yaml --out $way
  says out passed "the verdict is seen"
done

software limit
exits 6 "software that forbids itself to write" "$HEDDLE" run limit.yaml --out limit
says err "a file may have 0 bytes here" "the limit is said, which binds standard error, too"
check "the reports are there" grep -q 'a file may have 0 bytes here' limit/results.xml
software remove
exits 6 "software that removes the run database" "$HEDDLE" run remove.yaml --out remove
says err "somebody has removed or replaced the run database" "is said"

software leave
exits 0 "software that leaves a copy of the process" "$HEDDLE" run leave.yaml --out leave
says err "ended 1 process that the command had left behind" "it is ended, and that is said"
exits 0 "a sweep of it" "$HEDDLE" sweep leave.yaml --seeds 2 --out leave-sweep
equal "$(wc -l <copy)" 3 "each has left one"
while read -r pid; do check "process $pid is gone" test ! -e "/proc/$pid"; done <copy

software open
exits 0 "software that leaves a message and a receive open" "$HEDDLE" run open.yaml --out open
says out "201 sent, 201 received, 1 TAKEN BY NO RECEIVE, 1 receive NEVER COMPLETED; software has finished" "both are counted"
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('open/report.json'), '$.messages_not_taken', '$.receives_open')")" '[1,1]' "in JSON, too"

software chdir
exits 0 "software that goes elsewhere" "$HEDDLE" run chdir.yaml --out chdir
check "leaves the results where they belong" test -s chdir/report.html
software fork
exits 0 "software that makes a copy of the process" "$HEDDLE" run fork.yaml --out fork
equal "$(sql fork "SELECT value FROM statistics WHERE name = 'copy ended with'")" 1 \
  "the copy ends where it comes back to Heddle"
equal "$(grep -c passed out)" 1 "and one run is reported"

scenario flood.yaml 'software: {program: shuffle, parameters: {sources: 8, destinations: 8, rounds: 65536}}' \
  'run: {cycles: 300, dut: none}'
exits 4 "software that sends a million messages at once" bash -c 'ulimit -v 600000; exec "$@"' - "$HEDDLE" run flood.yaml \
  --out flood
says err "packets under way: 32768" "has as many under way as may be"

software memory
exits 10 "software without end of memory" bash -c 'ulimit -v 3000000; exec "$@"' - "$HEDDLE" run memory.yaml --out memory
says err "node 1 at cycle" "the node is named"

head -c 9000 bad.so >cut.so
software cut cut
exits 8 "an object that is cut off" "$HEDDLE" run cut.yaml --out cut
says err "endpoint software ./cut.so in dlopen: ended the process by signal" "is named"

# hears WAY SIGNAL [OBJECT]: after the signal, software that loops is ended, with exit code 130.
hears() {
  local rc=0
  software "$1" "${3-}"
  rm -f err
  env --default-signal "$HEDDLE" run "$1.yaml" --out "$1-$2" >out 2>err </dev/null &
  pid=$!
  wait_until "$pid" grep -sq loops err
  kill "-$2" "$pid"
  wait "$pid" 2>/dev/null || rc=$?
  equal "$rc" 130 "software ${3:-$1}: SIG$2 ends it"
}
hears loop TERM
says err "interrupted; $by" "who does not come back is said"
equal "$(sql loop-TERM 'SELECT status FROM run')" interrupted "and the database says so"
check "with the reports" test -s loop-TERM/report.json
hears deaf INT
says err "interrupted; $by" "that ignores signals, too"
hears load TERM loads
says err "interrupted; endpoint software ./loads.so in dlopen has not come back" "one that does not load, too"

hears null-loop TERM
says err "interrupted; $by" "and is said, though the standard streams are replaced"

# timeout sends a signal to Heddle, and one to their common group immediately afterwards: they are one request.
software loop
exits 124 "software that loops, ended by timeout" timeout 2 "$HEDDLE" run loop.yaml --out loop-timeout
says err "interrupted; $by" "is said"
check "with the reports" test -s loop-timeout/report.json -a -s loop-timeout/results.xml

# A sweep prints the same message for each run.
software segv
exits 8 "a sweep of software that crashes" "$HEDDLE" sweep segv.yaml --seeds 2 --out sweep
says err "$by" "names it"
summary
