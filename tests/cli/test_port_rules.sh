#!/usr/bin/env bash
# Rules at ports (specification §6.7): the broken rule of a foreign switch is named, and a pass lists what was not checked.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
scenario packets.yaml 'fabric: {topology: mesh, dims: [4, 4]}' \
  'switch: {vcs: 2, data_bits: 16, depth_flits: 4}' \
  'software: {program: uniform, parameters: {load: 0.1, flits: 4}}' \
  'run: {cycles: 2000, mode: closed, compare: packets}' 'trace: {hops: true}'

# json RUN PATH
json() {
  sqlite3 :memory: "SELECT json_extract(readfile('$1/report.json'), '$2')"
}

# build NAME [SED]: builds the example switch with a change
build() {
  sed -e "s|\"../../bridge/dut.h\"|\"$root/bridge/dut.h\"|" -e "${2-}" "$root/docs/examples/shared_memory.c" >"$1.c"
  exits 0 "$1: it compiles" gcc -std=c11 -O1 -fPIC -shared -o "$1.so" "$1.c"
}

build right
exits 0 "the switch as it is" "$HEDDLE" run packets.yaml --dut ./right.so --out right
left='timing, registers, quiescent_o, the order at ports'
check "the verdict says what was not looked at" grep -q "passed; not looked at: $left\$" out
equal "$(json right '$.not_looked_at')" "$left" "so does report.json"
check "so does results.xml" grep -q "name=\"not_looked_at\" value=\"$left\"" right/results.xml
check "so does the page" grep -q "Not looked at: $left\\." right/report.html
check "rules were held against something" test "$(json right '$.port_heads')" -gt 100
equal "$(json right '$.port_flits') $(json right '$.port_credits')" \
  "$(($(json right '$.port_heads') * 4)) $(($(json right '$.port_heads') * 4))" "four flits and credits a packet"
check "how much link time was lost is told" test "$(json right '$.outputs_wanted')" -ge "$(json right '$.outputs_idle')"
check "and how long a packet was passed by" test "$(json right '$.port_most_passed')" -ge 0
for key in outputs_wanted outputs_idle port_most_passed port_waits port_circles; do
  check "the page has $key" grep -q "<tr data-key=\"$key\">.*<td[^>]*>$(json right "\$.$key")<" right/report.html
done
exits 0 "an exact run" "$HEDDLE" run packets.yaml --dut model --mode decoupled --set run.compare=exact --out exact
equal "$(json exact '$.not_looked_at')" "" "leaves nothing out"
check "and says nothing of it" grep -q ': passed$' out

build careless 's/ || !p->credit\[p->vc\]//'
exits 3 "a switch that sends without credits" "$HEDDLE" run packets.yaml --dut ./careless.so --set switch.depth_flits=1 --out careless
equal "$(sql careless 'SELECT difference, got_kind >= 0 FROM divergences')" "no credit|1" "is told the rule, and the flit is kept"
says out "  rule    P1 (specification 6.7): a flit was sent without a credit" "with its section"
says out "whose receiver has no free slot of 1" "and what was seen"
equal "$(json careless '$.divergence.rule') $(json careless '$.port_flits')" "P1 " "report.json has it, and no figure of rules that hold"
check "with waves" test -s careless/waves.fst
check "nothing that the model did is said to be the DUT's" sh -c "! grep -qE \"model's state|  model  |left switch\" out"
equal "$(json careless '$.divergence.state')$(json careless '$.divergence.grants')" "[]" "nor in report.json"

build generous 's/uint8_t freed\[HD_MAX_PORTS\] = {0};/uint8_t freed[HD_MAX_PORTS] = {job->start == 99};/'
exits 3 "a switch that gives a credit too much is no deadlock" "$HEDDLE" run packets.yaml --dut ./generous.so --out generous
equal "$(sql generous 'SELECT difference, cycle, port, vc FROM divergences')" "surplus credit|100|0|0" "it is named in its cycle"
build junk 's/^    for (uint32_t o = 0; o < dut->params.ports; o++)$/    if (job->sw == 5 \&\& (job->start + cycle) % 500 == 499 \&\& !all[0].out.n \&\& !all[0].under_way) job->flits_out[job->n_flits_out++] = (struct hd_flit_event){.data = 0x1234, .cycle = cycle + 1};\n&/'
exits 3 "a switch that makes up a body" "$HEDDLE" run packets.yaml --dut ./junk.so --out junk
equal "$(sql junk 'SELECT difference, cycle, switch, port, vc FROM divergences')" "framing|500|5|0|0" "is named in its cycle, at its switch and port"

build lossy 's/^  struct flit flit = pop(&p->out);$/&\n  if (job->sw == 6 \&\& job->start + cycle > 300 \&\& !(flit.kind \& 2)) { static int dropped; if (!dropped++) { if (!p->out.n) return; flit = pop(\&p->out); } }/'
exits 3 "a switch that loses a body" "$HEDDLE" run packets.yaml --dut ./lossy.so --out lossy
equal "$(sql lossy 'SELECT difference, switch FROM divergences')" "lost in switch|6" "is named, not the node that misses it"
says out "  way     " "with the way of the packet by the ports of the DUT"

# Waves from the first cycle of a broken rule: one command makes them; table, report.json and page show it.
build stuck 's/^  for (uint32_t v = 0; !p->under_way \&\& v < dut->params.vcs; v++)$/  if (job->sw == 6 \&\& o == 1 \&\& job->start + cycle > 1200) return;\n&/'
exits 3 "a switch that keeps a packet" "$HEDDLE" run packets.yaml --dut ./stuck.so --out stuck
command=$(json stuck '$.rule_waves') since=$(json stuck '$.broken_since')
check "its rule began before" test "$since" -gt 1200 -a "$since" -lt "$(sql stuck 'SELECT cycle FROM divergences')"
says out "  waves of the rule   $command" "the table has the command"
check "so has the page" grep -qF "$command" stuck/report.html
check "the command is of the switch that broke it" test "${command#heddle wave stuck --switch 6 --from }" != "$command"
from=${command#*--from } from=${from%% *}
check "it begins before" test "$from" -lt "$since"
exits 0 "it works" sh -c "'$HEDDLE' ${command#heddle } --print-command"
check "and the waves begin there" grep -q "from cycle $from, switch 6" "stuck/waves-switch-6-$from-"*/waves.gtkw

build echoing 's/^  struct flit flit = pop(&p->out);$/&\n  if (job->sw == 5) { if (flit.kind \& 2) n_kept = 0; kept[n_kept++] = flit; kept_port = o; }/
  s/^  for (uint32_t v = 0; !p->under_way \&\& v < dut->params.vcs; v++)$/  static struct flit kept[64]; static uint32_t n_kept, kept_port;\n  if (job->sw == 5 \&\& job->start + cycle == 2200 \&\& o == kept_port) for (uint32_t i = 0; i < n_kept; i++) push(\&p->out, kept[i]);\n&/'
exits 3 "a copy that leaves long after the last packet" "$HEDDLE" run packets.yaml --dut ./echoing.so --out echoing
equal "$(sql echoing 'SELECT difference, cycle, switch FROM divergences')" "doubled|2200|5" "is named in its cycle, at its switch"
exits 3 "without rules" "$HEDDLE" run packets.yaml --dut ./echoing.so --set run.rules=false --out echoed
equal "$(sql echoed 'SELECT difference FROM divergences')" "packet" "the node that receives it says so"

# Switches without tables: the ways that the stated routing rule allows.
build detour 's/destination\[index\] = data;/destination[index] = sw == 5 \&\& index == 6 ? (uint16_t)((data \& ~15) | 3) : data;/'
build y_first 's/destination\[index\] = data;/destination[index] = sw == 5 \&\& index == 10 ? (uint16_t)((data \& ~15) | 3) : data;/'
# way DUT ROUTES CODE WHAT
way() {
  exits "$3" "$4" "$HEDDLE" run packets.yaml --dut "./$1.so" --set run.routes="$2" --out "$1-$2"
  [ "$3" = 0 ] || equal "$(sql "$1-$2" 'SELECT difference, switch, port FROM divergences')" "route|5|3" "$1: P7, with switch and port"
}
way detour table 3 "a detour breaks the tables"
says out "left by port 3, the table says port 1" "says the way of the tables"
way detour minimal 3 "a hop that leads away is not minimal"
says out "left by port 3, its node comes nearer by port 1" "says which is"
way detour any 0 "any way may make a detour"
equal "$(json detour-any '$.not_looked_at')" "$left, ways" "and the verdict says that nobody looked"
equal "$(sql detour-any 'SELECT sum(flits) FROM links')" "$(json detour-any '$.port_flits')" "flits on links are those that the switch sent"
equal "$(sql detour-any 'SELECT count(*) FROM hops')" 0 "and no hops are told"
check "which the notes say" grep -q 'trace.hops: run.db has no hops: with run.compare: packets' detour-any/report.json
way y_first dimension-order 3 "the second dimension first is against dimension order"
says out "left by port 3, dimension order says port 1" "says the way of dimension order"
way y_first minimal 0 "but it is minimal"
way right dimension-order 0 "the tables of a mesh keep dimension order"
way right minimal 0 "and are minimal"
sed 's/topology: mesh, dims: \[4, 4\]/topology: tree, k: 2, n: 2/' packets.yaml >tree.yaml
exits 2 "dimension order without dimensions" "$HEDDLE" run tree.yaml --dut ./right.so --set run.routes=dimension-order --out refused
says err "run.routes: dimension-order is for mesh and torus, this is tree" "says for what it is"

exits 0 "rules can be left out" "$HEDDLE" run packets.yaml --dut ./right.so --set run.rules=false --out unwatched
equal "$(json unwatched '$.port_flits')" "" "and then nothing is said of them"
exits 2 "an order that is none" "$HEDDLE" run packets.yaml --dut ./right.so --set run.order=some --out refused
summary
