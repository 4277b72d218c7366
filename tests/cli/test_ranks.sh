#!/usr/bin/env bash
# mpirun heddle run: a run whose switches are spread over ranks is the run of one process, and a rank that dies ends it.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

if ! command -v mpirun >/dev/null || ! [ -e "$(dirname "$HEDDLE")/hd_mpi.so" ]; then
  skip "a run over ranks" "Open MPI is missing, packages openmpi-bin and libopenmpi-dev"
  summary
  exit
fi
mpi() { # N COMMAND...
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n "$@"
}

# kept RUN: all that is kept of it but times
kept() {
  sqlite3 "$1/run.db" .dump | grep -v -e '^INSERT INTO run VALUES' -e "results VALUES('\(seconds\|speed\)'"
  sql "$1" 'SELECT status, message, cycles, cycles_compared, switch_cycles, events_compared, digest FROM run'
  grep -v '"seconds":' "$1/report.json"
}

# same WHAT CODE SCENARIO OPTIONS...: with 2 and 3 ranks it is what it is in one process, run/ in a directory of its own each.
same() {
  local what=$1 code=$2 scenario=$PWD/$3 ranks
  shift 3
  rm -rf 1 2 3
  mkdir 1 2 3
  cd 1 || exit
  exits "$code" "$what: one process" mpi 1 "$HEDDLE" run "$scenario" --out run --no-html "$@"
  cd ..
  for ranks in 2 3; do
    cd $ranks || exit
    exits "$code" "$what: $ranks ranks" mpi $ranks "$HEDDLE" run "$scenario" --out run --no-html "$@"
    check "$what: $ranks ranks say what share of their time they replayed" \
      grep -Eq "^  ranks +$ranks, [0-9]+ % of their time in replay: rank 0 with the model" out
    cd ..
    equal "$(kept $ranks/run | sha256sum)" "$(kept 1/run | sha256sum)" "$what: $ranks ranks keep the same"
    for file in waves.fst waves.gtkw flits.txt states.txt; do
      cmp -s 1/run/$file $ranks/run/$file || [ ! -e 1/run/$file ] || not_ok "$what: $ranks ranks" "another $file"
    done
    equal "$(explained $ranks)" "$(explained 1)" "$what: $ranks ranks explain the same"
  done
}
explained() {
  sed -n '/^DIVERGENCE/,/^$/p' "$1/out"
  grep '^heddle:' "$1/err"
}

scenario model.yaml
same "the model" 0 model.yaml
same "the model, in closed loop" 0 model.yaml --mode closed --cycles 300

# Registers are written in windows, and read after them.
scenario barrier.yaml 'fabric: {topology: mesh, dims: [5]}' 'switch: {barrier: any, groups: 2}' \
  'software: {program: barrier, parameters: {rounds: 3}}'
same "barriers" 0 barrier.yaml

# All switches of a rank in one call.
if command -v yosys >/dev/null; then
  scenario lanes.yaml 'fabric: {topology: mesh, dims: [4]}' \
    'switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 1, nodes: 4}' \
    'routing: {algorithm: dimension-order}' 'run: {cycles: 3000, dut: lanes}'
  same "lanes" 0 lanes.yaml
else
  skip "lanes" "yosys is missing, install the package yosys"
fi

# Registers, X, snapshots and waves of a simulator in processes of its own; the RTL has a bug.
if command -v vvp >/dev/null; then
  scenario small.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'run: {cycles: 400, dut: icarus}' \
    'trace: {wave_cycles: 2}'
  cp -r "$root/rtl" rtl-bad
  sed -i "s/data_o <= \(.*\);/data_o <= (\1) ^ (1 << 8);/" rtl-bad/hd_output_port.v
  check "the copy is broken" test -n "$(cmp "$root/rtl/hd_output_port.v" rtl-bad/hd_output_port.v)"
  same "a planted bug" 3 small.yaml --rtl "$PWD/rtl-bad"
  check "it has waves" test -s 3/run/waves.fst
  says 3/err "RTL and model differ first" "it is said"
else
  skip "a planted bug" "vvp is missing, install the package iverilog"
fi

# As where mpirun is another MPI's: each process is alone.
exits 7 "processes that are alone" env PMI_SIZE=2 PMI_RANK=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
  "$HEDDLE" run model.yaml --out alone
says err "was built for another MPI" "say so"

# Of a rank that fails, that breaks the contract, that ends.
exits 2 "a backend that refuses its options" mpi 2 "$HEDDLE" run model.yaml --dut model:nonsense --out refused
says err "the model backend has no option 'nonsense'" "says so"
exits 7 "a broken contract" mpi 2 "$HEDDLE" run model.yaml --dut "$fault:wrong,3,50" --out broken
says err "breaks its contract (bridge/dut.h): switch 3, window of 256 cycles from cycle 0" "is found behind the ranks"
exits 7 "a backend that makes nothing" mpi 2 "$HEDDLE" run model.yaml --dut "$fault:none,0,0" --out nothing
says err "create returned 0 and no DUT" "is found before anybody uses it"
exits 7 "a rank that exits" mpi 2 "$HEDDLE" run model.yaml --dut "$fault:exit,3,50" --out ended
says err "ended the process with exit code 0" "is not taken for one that has done its work"

# killed CODE WHAT OPTION...: rank 1 or 2 dies at the 30th call of its backend.
killed() {
  local code=$1 what=$2
  shift 2
  rm -f events events.killed
  KILL_EVENTS=$PWD/events KILL_AT=30 KILL_WHO=worker HEDDLE_SILENCE_SECONDS=3 \
    exits "$code" "$what" mpi 3 "$@" "$HEDDLE" run model.yaml --dut "${fault%/*}/kill.so" --out killed
  check "$what: it was killed" test -e events.killed
}
killed 137 "a rank is killed"

for wrong in '--seeds 2:heddle sweep' '--dut none:nothing is replayed' '--dut board\:/dev/null:without mpirun' '--coverage --dut verilator:in one process'; do
  IFS=: read -r option text <<<"${wrong//\\:/;}"
  # shellcheck disable=SC2086
  exits 2 "ranks and $option" mpi 2 "$HEDDLE" run model.yaml ${option//;/:} --out refused
  says err "$text" "says why"
done
summary
