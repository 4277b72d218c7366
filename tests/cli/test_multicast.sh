#!/usr/bin/env bash
# Multicast in the network: messages to groups, a broadcast by switches, and combinations that are refused.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

cp "$root/tests/scenarios/multicast.yaml" "$root/tests/scenarios/broadcast-in-network.yaml" .

exits 0 "messages to groups" "$HEDDLE" run multicast.yaml --dut model --out groups
says out "messages            2400 sent, 2400 received; software has finished" "all arrive"
says out "rules P1 to P16     (specification 6.7) hold for" "by the rules at ports"
exits 0 "the same in closed loop, compared by packets" "$HEDDLE" run multicast.yaml --dut model \
  --set run.mode=closed --set run.compare=packets --out packets
says out "2400 sent, 2400 received; software has finished" "all arrive"
exits 0 "and by their order" "$HEDDLE" run multicast.yaml --dut model --set run.mode=closed \
  --set run.compare=order --out order
exits 0 "a broadcast" "$HEDDLE" run broadcast-in-network.yaml --out broadcast
says out "  in-network          5: minimum 290, mean 290.00" "takes as long as the page says"
exits 0 "what a byte by multicast takes" "$HEDDLE" collectives broadcast --members 64 --bytes 12 --alpha 70 \
  --beta 0.5 --cast-bytes 6
says out "    in-network                     72 cycles, chosen" "counts"

# refuses KEY VALUE TEXT [OPTION ...]
refuses() {
  exits 2 "multicast with $1: $2" "$HEDDLE" run multicast.yaml --dut model --set "$1=$2" "${@:4}" --out refused
  says err "$3" "is refused"
}
refuses switch.trees 33 "switch.trees: 33; legal: a whole number, 0 … 32"
refuses switch.trees 0 "software.parameters.groups: multicast: the switches have no multicast (key switch.trees)"
refuses switch.vcs 1 "switch.trees: multicast has a virtual channel of its own: switch.vcs must be 2 or more"
refuses switch.arb_cycles 2 "switch parameter arb_cycles is 2, must be 1 with trees 4"
refuses switch.data_bits 16 "a flit has no room for a byte beside tree and sender"
refuses routing.algorithm west-first "switch.trees: not with routing.algorithm west-first"
refuses routing.computed true "switch.trees: not with routing.computed"
refuses trace.hops true "trace.hops: not with switch.trees"
sed 's/^run:/faults:\n  - {cycle: 50, link: "s0:0"}\nrun:/' multicast.yaml >faults.yaml
exits 2 "multicast with faults" "$HEDDLE" run faults.yaml --dut model --out refused
says err "faults: not with switch.trees; trees of multicast do not go around them" "is refused"
exits 2 "as RTL with one top" "$HEDDLE" export multicast.yaml rtl
says err "switch.trees: cannot be exported" "is refused"
summary
