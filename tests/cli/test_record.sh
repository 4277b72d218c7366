#!/usr/bin/env bash
# An unchanged MPI program is recorded: its trace equals one written by hand, and runs on a fabric.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

exits 2 "no command" "$HEDDLE" record
if ! command -v mpicc >/dev/null || ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$HEDDLE")/hd_record.so" ]; then
  skip "a recorded program" "no Open MPI; install the packages libopenmpi-dev and openmpi-bin"
  summary
  exit
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mpicc -o exchange "$root/tests/cli/exchange_mpi.c" || exit
exits 0 "a program of four processes" "$HEDDLE" record --output own.trace mpirun --oversubscribe -n 4 ./exchange
says out "own.trace: 4 ranks, " "says what it has recorded"

# Rank 2, written by hand: receives in the order of their posting, with their messages; collectives; a gather of unequal
# blocks.
sed -n '/^rank 2$/,/^rank 3$/p' own.trace | grep -v '^compute\|^rank' >got
cat >expected <<'X'
call MPI_Irecv
0: irecv 1 1000 tag 5
1: irecv 3 103 tag 6
call MPI_Isend
2: isend 3 1000 tag 5
3: isend 1 102 tag 6
call MPI_Waitall
wait 0
wait 1
wait 2
wait 3
call MPI_Allreduce
allreduce 4
call MPI_Send
send 0 20 tag 2
call MPI_Bcast
broadcast 300 root 0 group 2
call MPI_Allgatherv
isend 3 3 tag 2147483632
isend 0 3 tag 2147483632
isend 1 3 tag 2147483632
recv 1 2 tag 2147483632
recv 0 1 tag 2147483632
recv 3 4 tag 2147483632
call MPI_Sendrecv
isend 3 4 tag 1
recv 1 4 tag 1
call MPI_Barrier
barrier
X
group=$(sed -n 's/^group \([0-9]*\) 0 2$/\1/p' own.trace)
check "the halves are groups" test -n "$group"
sed -i "s/ group 2$/ group $group/" expected
check "rank 2 is what the program says" diff expected got
equal "$(grep -c '^compute' own.trace | awk '{print ($1 > 20)}')" 1 "computing times are there"

for links in 1 16; do
  scenario "links-$links.yaml" "fabric: {topology: torus, dims: [2, 2], link_cycles: $links}" 'switch: {vcs: 3, data_bits: 32}' \
    'software: {program: replay, parameters: {file: own.trace}}' 'run: {cycles: 10000000, dut: none}'
  exits 0 "it runs, links of $links" "$HEDDLE" run "links-$links.yaml" --out "links-$links"
done
says out "in MPI_Waitall" "the report has its calls"
finish() {
  sql "$1" "SELECT max(value) FROM statistics WHERE name = 'finish of ranks'"
}
check "longer links make it longer" test "$(finish links-1)" -lt "$(finish links-16)"

exits 7 "a program that fails" "$HEDDLE" record -o failed.trace sh -c 'exit 3'
says err "sh ended with exit code 3; no trace is written" "is said"
check "and leaves no file" test ! -e failed.trace
exits 7 "a program without MPI" "$HEDDLE" record -o true.trace true
says err "no process of true has written a part" "is said"
summary
