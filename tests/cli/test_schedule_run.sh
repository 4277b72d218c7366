#!/usr/bin/env bash
# Program schedule: runs schedules that heddle found; refuses bad files and names the line.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

cp "$root/tests/scenarios/schedule-16.yaml" "$root/tests/scenarios/schedule-16.csv" .
run() {
  rm -rf run
  "$HEDDLE" run schedule-16.yaml --dut model --out run "$@"
}
by() {
  run --set "software.parameters.synchronise=$1" "${@:2}"
}

exits 0 "the file is what heddle finds" "$HEDDLE" schedule extended-tree:k=2,n=3 all-to-all-scatter --format csv
sed 1,2d schedule-16.csv >rows.csv
check "to the byte" cmp out rows.csv
exits 0 "steps at times block nothing" run
says out "messages            242 sent, 242 received" "and all messages arrive"
exits 0 "nor do steps after barriers" by barrier --set switch.barrier=any
says out "messages            242 sent, 242 received" "and all messages arrive"
exits 0 "nor does anything block without steps, on this network" by none
exits 0 "steps too short for their messages" by time --set software.parameters.step_cycles=20
says out "late for a step" "are said to be"
exits 2 "no barriers without switches that take them" by barrier
says err "switch.barrier" "is said"
exits 2 "a length of steps without times" by none --set software.parameters.step_cycles=20
says err "step_cycles: not with synchronise none" "is refused"
exits 0 "several rounds" by time --set software.parameters.rounds=3
says out "schedule            3:" "are counted"
exits 0 "messages of no bytes" run --set software.parameters.bytes=0

# Two messages over one link in one step: the run shows it.
sed 's/^2,/1,/' "$root/tests/scenarios/schedule-16.csv" >schedule-16.csv
exits 4 "two steps made one" run
says err "budgets.blocked_flit_cycles" "block"
cp "$root/tests/scenarios/schedule-16.csv" .

# Broadcasts pass on received messages; networks with one-way links; ways from tables.
carry() {
  local code=$1 topology=${2%%:*} keys=${2#*:}
  "$HEDDLE" schedule "$2" "$3" --quiet --format csv >schedule-16.csv
  sed -i "/^fabric:/,/^routing:/c fabric: {topology: $topology, ${keys//=/: }}\nswitch: {vcs: 2, data_bits: 64, depth_flits: 16}\nrouting:" \
    schedule-16.yaml
  sed -i '/^routing:/,/always_top/d' schedule-16.yaml
  exits "$code" "$3 on $2" run "${@:4}"
  cp "$root/tests/scenarios/schedule-16.yaml" .
}
for network in folded-butterfly:k=2,n=3 omega:k=2,n=3 clos:n=3,m=3,r=4 full-binary-tree:n=3; do
  carry 0 $network aab
  carry 0 $network oab
done
carry 0 binary-tree:n=3 aas --set software.parameters.ways=tables
own="--set software.parameters.channels=own"
# shellcheck disable=SC2086 # it is three words
{
  carry 0 binary-tree:n=3 aas --set software.parameters.ways=tables --set routing.virtual_networks=2 $own
  carry 2 binary-tree:n=3 aas --set software.parameters.ways=tables $own
  says err "channels: own; there is one virtual network (routing.virtual_networks)" "is refused"
  carry 2 binary-tree:n=3 aas --set routing.virtual_networks=2 $own
  says err "channels: own; packets take any channel on the ways of a file" "is refused"
}
carry 4 folded-butterfly:k=2,n=3 aas --set software.parameters.synchronise=none
says err "budgets.blocked_flit_cycles" "block without steps"
carry 2 binary-tree:n=5 oab --set switch.data_bits=16
says err "flits have 16 (switch.data_bits)" "are refused, too narrow for the ways"

# Nodes without work in a step arrive at the next barrier while others send.
carry 4 folded-butterfly:k=2,n=3 oab --set software.parameters.synchronise=barrier --set switch.barrier=any
says err "budgets.blocked_flit_cycles" "data waits for barrier messages"
carry 0 folded-butterfly:k=2,n=3 oab --set software.parameters.synchronise=barrier --set switch.barrier=any \
  --set software.parameters.settle_cycles=32
carry 2 folded-butterfly:k=2,n=3 oab --set software.parameters.settle_cycles=32
says err "settle_cycles: not with synchronise time; legal with barrier" "is refused without barriers"

# Ranks 3n to 3n + 2 are the interfaces of node n in a tree of three. Node 0 receives a message by one interface and sends
# it on by another.
printf '%s\n' n0,s0:3 n1,s0:4 n2,s0:5 n3,s1:3 n4,s1:4 n5,s1:5 n6,s2:3 n7,s2:4 n8,s2:5 s1:0,s0:1 s2:0,s0:2 >tree.csv
printf '1,0,3,1,n3 s1:0 s0:4\n2,0,2,6,n2 s0:2 s2:3\n' >schedule-16.csv
sed -i '/^fabric:/,/^routing:/c fabric: {topology: graph, file: tree.csv}\nswitch: {vcs: 2, data_bits: 64, depth_flits: 16}\nrouting:' \
  schedule-16.yaml
sed -i '/^routing:/,/always_top/d' schedule-16.yaml
exits 2 "a message that another node took" run
says err ":2: step 2: n2 does not have message 0" "is not the sender's"
for means in time none; do
  exits 0 "but it is where they are one node, by $means" by $means --set software.parameters.interfaces=3
  says out "schedule            1:" "and it is passed on"
done
exits 2 "interfaces that do not divide the nodes" run --set software.parameters.interfaces=2
says err "interfaces: 2; they must divide the 9 nodes" "are refused"
exits 2 "interfaces, and rounds" run --set software.parameters.interfaces=3 --set software.parameters.rounds=2
says err "interfaces: 3 with 2 rounds" "are refused"
cp "$root/tests/scenarios/schedule-16.yaml" .

# Bad files.
bad() {
  printf '%b' "$2" >schedule-16.csv
  exits 2 "$1" run
  says err "$3" "is refused with the reason"
}
bad "an empty file" '' "no transfer in the schedule"
bad "a step 0" '0,0,0,1,n0 s0:1\n' "schedule-16.csv:1: step is 0"
bad "a node that is not there" '1,0,0,16,n0 s0:1\n' ":1: destination is 16; it must be at most 15"
bad "a line without links" '1,0,0,1\n' ":1: something is missing after destination"
bad "links that are none" '1,0,0,1,n0 s0\n' ":1: links are 'n0 s0'"
bad "a way of nothing" '1,0,0,1,n0\n' ":1: links are 'n0'"
bad "a way that begins elsewhere" '# one\n1,0,0,1,n1 s0:1\n' ":2: its way begins at n1"
bad "a message that the sender has not" '1,0,0,1,n0 s0:1\n1,0,1,2,n1 s0:1\n' ":2: step 1: n1 does not have message 0"
bad "a message that comes twice" '1,0,0,1,n0 s0:1\n2,0,0,1,n0 s0:1\n' ":2: step 2: n1 already has message 0"
bad "a way that leads elsewhere" '1,0,0,2,n0 s0:1\n' "the way from n0 to n2 ends at n1"
bad "a way by a port that is not there" '1,0,0,2,n0 s0:9\n' "the way from n0 to n2 has port 9 of s0, which has no link"
summary
