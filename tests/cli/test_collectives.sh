#!/usr/bin/env bash
# heddle collectives: lists, cycles, the page's tables; a user's program uses collectives.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

exits 0 "collectives" "$HEDDLE" collectives
says out "reduce-scatter " "all of them"
says out "    bruck                steps l, bytes (p - 1) * n" "with what an algorithm costs"
exits 0 "one collective" "$HEDDLE" collectives barrier --members 9 --alpha 10
says out "    dissemination                  40 cycles, chosen" "in cycles, and the choice"
says out "    lower bound                    40 cycles" "with the bound"
exits 0 "members that are no power of two" "$HEDDLE" collectives reduce-scatter --members 9
says out "    recursive-halving    only for powers of two" "are too many for some"
exits 0 "what the network gives" "$HEDDLE" collectives allgather --members 9 --alpha 0 --beta 1 --bytes 10
says out "    schedule             depends on the network; --schedule-steps" "is not known"
says out "    network-coded        depends on the network; --coded-steps" "nor is this"
exits 0 "what is said of it" "$HEDDLE" collectives allgather --members 9 --alpha 0 --beta 1 --bytes 10 \
  --schedule-steps 9 --coded-steps 12
says out "    schedule                       90 cycles, chosen" "counts"
says out "    network-coded                 120 cycles" "for each"
exits 0 "what barriers in the network take" "$HEDDLE" collectives allreduce --members 64 --bytes 8 --alpha 70 --round-cycles 100
says out "    in-network                    200 cycles, chosen" "counts, too"
exits 0 "a choice that is not the fastest" "$HEDDLE" collectives allreduce
says out "    recursive-halving            1040 cycles, chosen" "is marked"
says out "    recursive-doubling            912 cycles" "beside the fastest"
says out "recursive-halving is chosen, not recursive-doubling, because this model" "and explained"
exits 0 "a choice that is the fastest" "$HEDDLE" collectives allreduce --bytes 16
check "needs no explanation" test -z "$(grep 'is chosen, not' out)"
exits 2 "a collective that does not exist" "$HEDDLE" collectives scan
says err "there is no collective 'scan'" "is named"
exits 2 "a negative cost" "$HEDDLE" collectives barrier --alpha=-1
says err "legal: a number of cycles, at least 0" "is refused"
exits 2 "cycles of nothing" "$HEDDLE" collectives --members 9
exits 2 "tables of one collective" "$HEDDLE" collectives barrier --markdown

exits 0 "values are combined in the network" "$HEDDLE" run "$root/tests/scenarios/collective-in-network.yaml" --dut none --out in-network
says out "  round in the network 1: minimum 237" "a long name has a space after it"
says out "  bound of messages   5: " "and the bound of others its name"

sed "s|../../sw/|$root/sw/|" "$root/docs/examples/allreduce.c" >allreduce.c
cp "$root/docs/examples/allreduce.yaml" .
gcc -std=c11 -fPIC -shared -o allreduce.so allreduce.c
exits 0 "a program of one's own uses collectives" "$HEDDLE" run allreduce.yaml --dut model --out sum
sed -i 's/sizeof sum, &hd_operator_sum_u32/sizeof sum, \&hd_operator_max_u32/' allreduce.c
gcc -std=c11 -fPIC -shared -o allreduce.so allreduce.c
exits 8 "and another result" "$HEDDLE" run allreduce.yaml --dut model --out max
says err "the sum is 11; 66 is right" "is found"
summary
