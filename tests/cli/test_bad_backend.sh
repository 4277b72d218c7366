#!/usr/bin/env bash
# A backend that breaks its contract, ends the process or never returns: never a pass, never a hang.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

scenario ok.yaml
exits 7 "a backend that breaks the contract" "$HEDDLE" run ok.yaml --dut "$fault:wrong,5,300"
says err "backend fault breaks its contract" "the backend is named"
says err "switch 5, window of 256 cycles from cycle 256" "and switch and window"
says err "rule: there is no more than there is room for" "and the rule"

# The message for each action of the backend. After _exit() and SIGKILL, the watching process closes the database.
declare -A words=([exit]='with exit code 0' [_exit]='with exit code 0' [_Exit]='with exit code 0'
  [quick_exit]='with exit code 0' [segv]='by signal 11 (Segmentation fault)' [abort]='by signal 6 (Aborted)'
  [kill]='by signal 9 (Killed)')
for threads in 1 2; do
  for function in "${!words[@]}"; do
    exits 7 "a backend that ends the process: $function, $threads threads" \
      "$HEDDLE" run ok.yaml --dut "$fault:$function,5,300" --threads "$threads" --out "$function$threads"
    says err "fault.so:$function,5,300 in run of switch" "the backend is named, and its call"
    says err "ended the process ${words[$function]}" "and how it ended the process"
    equal "$(sql "$function$threads" 'SELECT status, ended IS NOT NULL FROM run')" "error|1" \
      "the database is closed, and says no pass"
  done
done
exits 7 "a backend that crashes in reset" "$HEDDLE" run ok.yaml --dut "$fault:reset,0,0" --out in-reset
says err "in reset or config_write: ended the process by signal 6" "the call before the run is named"
check "a crash is in the reports, too" grep -q 'Segmentation fault' segv1/results.xml

exits 7 "a backend whose error has escape sequences" "$HEDDLE" run ok.yaml --dut "$fault:escape,5,300"
says err 'fault: \x1b[31mred\x1b[0m, a bell \x07, \xc2\x9b2J and \xff' "they are shown, not obeyed"
equal "$(LC_ALL=C tr -d '\n\t -~' <err)$(LC_ALL=C tr -d '\n\t -~' <out)" "" \
  "nothing that a terminal obeys is printed"

# appears FILE TEXT: waits until the file contains the text, or $pid has ended without it.
appears() {
  wait_until "$pid" grep -sqE -- "$2" "$1"
  grep -qE -- "$2" "$1"
}

for threads in 1 2; do
  rm -f err # removes messages of the previous run
  env --default-signal "$HEDDLE" run ok.yaml --dut "$fault:hang,5,700" --threads "$threads" \
    --progress --out "hang$threads" >out 2>err </dev/null &
  pid=$!
  check "$threads threads: a backend hangs" appears err "fault: hangs"
  check "progress says where, and for how long" \
    appears err 'DUT in run of switch 5, window of 256 cycles from cycle 512 for [0-9]+ s'
  kill -TERM "$pid"
  rc=0
  wait "$pid" 2>/dev/null || rc=$?
  equal "$rc" 130 "the first SIGTERM ends it"
  says err "backend fault has not come back from run of switch 5, window of 256 cycles from cycle 512" \
    "the window that it hangs in is said"
  equal "$(sql "hang$threads" 'SELECT status, cycles_compared FROM run')" "interrupted|512" \
    "what was compared is in the database"
  check "and in the reports" test -s "hang$threads/report.json" -a -s "hang$threads/results.xml"
done
summary
