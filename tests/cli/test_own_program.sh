#!/usr/bin/env bash
# Endpoint software from a shared object: it is loaded only where a scenario is carried out.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

# object NAME [SED]: builds NAME.so from the example, changed by SED.
object() {
  sed "s|../../sw/endpoint.h|sw/endpoint.h|; ${2-}" "$root/docs/examples/token_ring.c" >"$1.c"
  gcc -std=c11 -O2 -fPIC -shared -I"$root" -o "$1.so" "$1.c"
}
mkdir ring
cp "$root/docs/examples/token_ring.yaml" ring
check "the example is built" object token_ring
cp token_ring.so ring
exits 0 "a program beside its scenario" "$HEDDLE" run ring/token_ring.yaml --dut model --out run
check "it sent what it should" test "$(sql run 'SELECT count(*) FROM packets')" = 48
says out "cycles a round" "its statistic is in the report"
exits 0 "a sweep of it" "$HEDDLE" sweep ring/token_ring.yaml --dut model --seeds 2 --out sweep
check "has runs" test "$(grep -c ,passed, sweep/runs.csv)" = 2
rm -f ring/token_ring.so
exits 0 "who only reads a scenario loads nothing" "$HEDDLE" topo ring/token_ring.yaml
exits 2 "a program that is not there" "$HEDDLE" run ring/token_ring.yaml --dut model
says err "ring/token_ring.yaml:8: software.program: cannot load the program: ring/./token_ring.so" "its path is said"
exits 0 "another object" "$HEDDLE" run ring/token_ring.yaml --dut model --program ./token_ring.so --out again
equal "$(sql again 'SELECT digest FROM run')" "$(sql run 'SELECT digest FROM run')" "is the same software"

# The nodes of a run share global variables; different runs do not.
object once 's|const int rank = |static int begun; if (begun++ == hd_ep_size(ep)) hd_ep_abort(ep, "begun before"); &|'
exits 0 "global variables" "$HEDDLE" run ring/token_ring.yaml --dut model --program ./once.so --out once
equal "$(sql once 'SELECT digest FROM run')" "$(sql run 'SELECT digest FROM run')" "are as they were compiled when a run begins"
exits 0 "of runs with several seeds" "$HEDDLE" run ring/token_ring.yaml --dut model --program ./once.so --out seeds --seeds 3
says out "token-ring: 3 of 3 seeds passed" "are one run's"

# A database that names a program does not run its code.
object spy '/static void run/i #include <stdio.h>' && sed -i 's|const int rank = |FILE *f = fopen("ran", "w"); if (f) fclose(f); const int rank = |' spy.c &&
  gcc -std=c11 -O2 -fPIC -shared -I"$root" -o ring/token_ring.so spy.c
exits 0 "software that leaves a file" "$HEDDLE" run ring/token_ring.yaml --dut model --out spy
check "leaves it" test -e ran
rm -f ran
for command in "replay spy --out r" "wave -p spy" "diff spy spy"; do
  # shellcheck disable=SC2086
  "$HEDDLE" $command >out 2>err </dev/null
  echo "$?" >"code-${command%% *}"
  check "heddle ${command%% *} does not run it" test ! -e ran
done
equal "$(cat code-replay code-wave code-diff | tr '\n' ' ')" "2 2 0 " "replay and wave refuse, diff reads"
exits 2 "replay" "$HEDDLE" replay spy --out r
says err "ring/./token_ring.so" "says how to trust it"
exits 0 "replay of software that is trusted" "$HEDDLE" replay spy --program ring/token_ring.so --out r
check "runs it" test -e ran
equal "$(sql r 'SELECT digest FROM run')" "$(sql spy 'SELECT digest FROM run')" "with the same digest"
exits 0 "waves of software that is trusted" "$HEDDLE" wave -p spy --program ring/token_ring.so
cp token_ring.so ring
exits 2 "replay of software that has changed" "$HEDDLE" replay spy --program ring/token_ring.so --out s
says err "software.program of spy" "which file is said"

# Refuses objects that are no programs.
scenario mesh.yaml
exits 2 "--program for a program of the list" "$HEDDLE" run mesh.yaml --program ./token_ring.so
exits 2 "an object that is none" "$HEDDLE" run ring/token_ring.yaml --program ./mesh.yaml
exits 2 "a directory" "$HEDDLE" run ring/token_ring.yaml --program ./ring
says err "no regular file" "is said"
exits 2 "a DUT" "$HEDDLE" run ring/token_ring.yaml --program "$fault"
says err "is no program" "is said"
object old '$ s/.*/const struct hd_program *hd_endpoint_program(uint32_t *abi) { *abi = 99; return \&token_ring; }/'
exits 2 "another version of the API" "$HEDDLE" run ring/token_ring.yaml --program ./old.so
says err "speaks version 99" "is said"
sed 's/rounds:/turns:/' ring/token_ring.yaml >ring/turns.yaml
exits 2 "a parameter that it has not" "$HEDDLE" run ring/turns.yaml
says err "ring/turns.yaml:10: software.parameters.turns: program token-ring has no such parameter" "its line is said"
summary
