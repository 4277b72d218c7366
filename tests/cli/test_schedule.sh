#!/usr/bin/env bash
# heddle schedule: verdicts, formats, exit codes, files; a run has blocked flits exactly if the command predicts contention.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

shuffle=$root/tests/scenarios/shuffle-6-to-10.yaml
exits 0 "no contention ends with 0" "$HEDDLE" schedule "$shuffle"
says out "contention          none" "and says so"
exits 1 "contention ends with 1" "$HEDDLE" schedule "$shuffle" --set routing.algorithm=d-mod-k
says out "4 times, in 3 of 10 slots" "how often"
says out "slot 8              n0 to n14 and n2 to n6: link s4 port 3 to s18" "messages, slot and link"
exits 1 "as CSV" "$HEDDLE" schedule "$shuffle" --set routing.algorithm=d-mod-k --format csv
says out "8,s4 port 3 to s18,0,14,2,6" "messages, slot and link in CSV"
exits 1 "as JSON" "$HEDDLE" schedule "$shuffle" --set routing.algorithm=d-mod-k --format json
check "which is JSON" python3 -c "
import json
c = json.load(open('out'))
assert c['slots'] == 10 and c['contended_slots'] == 3 and len(c['contention']) == 4
assert c['contention'][1]['messages'][0] == {'source': 0, 'destination': 14}"

# d_mod_k SCHEDULE: writes 6-to-10 messages by slot, routed by D-mod-k.
d_mod_k() {
  "$HEDDLE" "${@:2}" "$shuffle" --set routing.algorithm=d-mod-k --set software.parameters.routing=d-mod-k \
    --set software.parameters.start=by-slot --set software.parameters.slot_cycles=34 \
    --set software.parameters.schedule="$1"
}
exits 1 "the paper's table contends" d_mod_k paper schedule
exits 4 "and blocks flits" d_mod_k paper run --dut none --out paper
exits 0 "the padded one does not contend" d_mod_k padded schedule
says out "slots               12" "and takes two slots more"
exits 0 "and blocks nothing" d_mod_k padded run --dut none --out padded

exits 0 "a schedule is printed" "$HEDDLE" schedule "$root/docs/examples/m-to-n.yaml" --slots
mv out slots.csv
check "all of it" test "$(wc -l <slots.csv)" = 3457
exits 0 "and read again" "$HEDDLE" schedule "$root/docs/examples/m-to-n.yaml" --messages slots.csv
says out "slots               96" "all of it, too"
printf 'slot,source,destination\n# none\n\n3,0,2\r\n 3 , 1 , 3\n' >mesh.csv
exits 1 "any schedule on any fabric" "$HEDDLE" schedule "$root/tests/scenarios/mesh-8x8-uniform.yaml" --messages mesh.csv
says out "n0 to n2 and n1 to n3: link s1 port" "has its contention named"
printf '1,2\n' >short.csv
exits 2 "a line that is no message" "$HEDDLE" schedule "$shuffle" --messages short.csv
says err "short.csv:1: '1,2' is no message" "is named"
printf '0,0,16\n' >far.csv
exits 2 "a node that does not exist" "$HEDDLE" schedule "$shuffle" --messages far.csv
says err "nodes are 0" "is named, too"
exits 6 "a file that is not there" "$HEDDLE" schedule "$shuffle" --messages none.csv
exits 2 "a program without a schedule" "$HEDDLE" schedule "$root/tests/scenarios/mesh-8x8-uniform.yaml"
says err "is not shuffle" "is said to have none"
exits 2 "a wrong parameter" "$HEDDLE" schedule "$shuffle" --set software.parameters.schedule=best
says err "software.parameters.schedule: best; legal: " "is named as in a run"
exits 2 "packets that choose their way" "$HEDDLE" schedule "$shuffle" --set routing.algorithm=adaptive \
  --set routing.always_top=false
says err "shuffle-6-to-10.yaml:11: routing.algorithm: with adaptive, packets choose among links" "are refused with the line"
exits 2 "a wrong format" "$HEDDLE" schedule "$shuffle" --format xml
summary
