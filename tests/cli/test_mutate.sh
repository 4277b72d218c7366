#!/usr/bin/env bash
# heddle mutate: the score; of several scenarios and streams; the same mutants in Icarus; errors; Ctrl-C.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
if ! command -v yosys >/dev/null; then
  skip "heddle mutate" "yosys is missing"
  summary
  exit
fi

# The smallest switch that makes a mesh, as what is proved of it and wrong copies of it take longest.
cat >small.yaml <<'YAML'
name: small
fabric: {topology: mesh, dims: [4]}
switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 2}
routing: {algorithm: dimension-order}
software: {program: uniform, parameters: {load: 0.3}}
run: {cycles: 600, dut: none}
YAML
sed 's/small/choosing/; s/mesh, dims: \[4\]/hypercube, n: 2/; s/vcs: 1/vcs: 2/; s/depth_flits: 2/depth_flits: 4, cut_flits: 4/; s/dimension-order/adaptive/' small.yaml >choosing.yaml
mutate() { # OPTIONS...
  "$HEDDLE" mutate small.yaml --cache cache-small "$@"
}

# table DIRECTORY: its mutants.csv as table m.
table() {
  sqlite3 :memory: ".mode csv" ".import $1/mutants.csv m" ".mode list" "$2"
}
json() { # DIRECTORY PATH
  sqlite3 :memory: "SELECT json_extract(readfile('$1/mutation.json'), '$.$2')"
}

parameters() { # NAME: keeps those of the switch that was just built
  sed -n 's/^building the switch for its mutants: //p' err >>"parameters-$1"
}

exits 0 "all switches of a scenario" mutate --mutants 300 --out all
parameters small
says out "small: mutation score " "say the score"
equal "$(json all mutants)" 300 "as many mutants as were asked for"
equal "$(json all complete)" 1 "all of them were played"
equal "$(json all found)" "$(table all "SELECT count(*) FROM m WHERE verdict = 'found'")" \
  "each found one has a row"
equal "$(table all "SELECT count(*) FROM m WHERE verdict = 'found' AND (cycle = '' OR wire = '')")" 0 \
  "with cycle and wire"
equal "$(json all survived)" "$(awk -F, 'NR > 1 {n += $6} END {print n}' all/lines.csv)" \
  "survivors are counted by line"
check "most are found" test "$(json all found)" -gt 150
check "lines are known" test "$(table all "SELECT count(*) FROM m WHERE file LIKE 'hd_%.v' AND line > 0")" -ge 290
equal "$(table all "SELECT count(*) FROM m WHERE computes = '' OR verdict = 'found' AND goes_to = ''")" 0 \
  "each says what its cell computes, and each found one where that goes"
rest
exits 0 "on one thread" mutate --mutants 300 --threads 1 --out again
check "the same comes out" cmp -s all/mutants.csv again/mutants.csv
exits 0 "with another seed" mutate --mutants 300 --seed 2 --out other
check "other mutants are drawn" test "$(table other 'SELECT sum(mutant) FROM m')" != "$(table all 'SELECT sum(mutant) FROM m')"
exits 0 "of two files" mutate --files hd_rr_,hd_crossbar --mutants 200 --out files
equal "$(table files "SELECT group_concat(DISTINCT file) FROM (SELECT file FROM m ORDER BY file)")" "hd_crossbar.v,hd_rr_arbiter.v" \
  "none is of another"
check "drawn from theirs alone" test "$(json files drawn_from)" -lt "$(json files all_mutants)"
exits 2 "of a file that is not there" mutate --files hd_none --out never
says err "--files: no gate is of a file whose name begins with hd_none" "is refused"
exits 0 "in one cycle" mutate --mutants 300 --set software.parameters.load=0 --cycles 1 --out silent
check "next to nothing is found" test "$(json silent found)" -lt 30

# Several scenarios, and streams, which send what no fabric would.
sed 's/small/quiet/; s/0.3/0.01/' small.yaml >quiet.yaml
exits 0 "two scenarios and streams" mutate quiet.yaml --switches 1 --mutants 300 --streams 1 --each --out union
says out "small and 1 more and streams: mutation score " "say one score"
check "streams find more" test "$(json union found)" -gt "$(json all found)"
of_sources() { # QUERY over the table s of sources
  sqlite3 :memory: "WITH s AS (SELECT e.key AS place, e.value ->> 'name' AS name, e.value ->> 'found_first' AS first,
    e.value ->> 'found' AS found, e.value ->> 'found_alone' AS alone
    FROM json_each(readfile('union/mutation.json'), '$.scenarios') AS e) $1"
}
equal "$(of_sources 'SELECT count(*) FROM s')" 8 "there is a row for each scenario and each style of streams"
equal "$(of_sources 'SELECT sum(first) FROM s')" "$(json union found)" "each found one is found first by one"
equal "$(of_sources 'SELECT first = found FROM s WHERE place = 0')" 1 "the first finds first all that it finds"
equal "$(of_sources 'SELECT count(*) FROM s WHERE alone > found OR first > found')" 0 "alone and first are parts of what is found"
check "a quiet scenario finds less" test "$(of_sources "SELECT found FROM s WHERE name = 'quiet'")" -lt \
  "$(of_sources "SELECT found FROM s WHERE name = 'small'")"
equal "$(table union "SELECT count(*) FROM m WHERE verdict = 'found' AND scenario = 'small'")" \
  "$(of_sources "SELECT first FROM s WHERE name = 'small'")" "rows name the scenario"
exits 0 "without each" mutate --switches 1 --mutants 300 --streams 1 --out streams
check "finds no more with one scenario less" test "$(json streams found)" -le "$(json union found)"
exits 0 "streams alone" mutate --switches 0 --mutants 50 --streams 1 --out only
equal "$(json only 'scenarios[0].played')" 0 "the scenario is not played"
exits 2 "scenarios of two switches" mutate choosing.yaml
says err "small.yaml and choosing.yaml have not the same switch: vcs is 1 and 2" "are told what differs"
exits 11 "nothing to play" mutate --switches 0 --cache none
check "is said before anything is built" test ! -e none

# Software of a shared object runs once to count, and once for each switch: each time from the beginning.
cat >once.c <<'C'
#include "sw/endpoint.h"
static int begun;
static void run(struct hd_ep *ep)
{
  char byte = 0;
  if (begun++ >= hd_ep_size(ep))
    hd_ep_abort(ep, "begun before");
  hd_ep_send(ep, (hd_ep_rank(ep) + 1) % hd_ep_size(ep), 0, &byte, 1);
  hd_ep_receive(ep, HD_EP_ANY, 0, &byte, 1, NULL);
}
static const struct hd_program once = {.name = "once", .about = "a byte around", .main = run};
HD_ENDPOINT_PROGRAM(once)
C
check "software of one's own" gcc -std=c11 -O2 -fPIC -shared -I"$root" -o once.so once.c
sed 's|^software.*|software: {program: ./once.so}|' small.yaml >once.yaml
exits 0 "a shared object" "$HEDDLE" mutate once.yaml --cache cache-small --mutants 50 --out once

# The runs of a sweep.
exits 0 "a sweep" "$HEDDLE" sweep small.yaml --dut none --no-html --out loads --cycles 300 --seeds 2 \
  --set software.parameters.load=0.01,0.3
exits 0 "mutate a sweep" "$HEDDLE" mutate loads --cache cache-small --switches 1 --mutants 300 --each --out of-loads
says out "small and 3 more: mutation score " "say one score"
of_sweep() { # QUERY over the table s of sources
  sqlite3 :memory: "WITH s AS (SELECT e.key AS place, e.value ->> 'name' AS name, e.value ->> 'cycles' AS cycles,
    e.value ->> 'found' AS found, e.value ->> 'scenario' AS scenario
    FROM json_each(readfile('of-loads/mutation.json'), '$.scenarios') AS e) $1"
}
equal "$(of_sweep "SELECT group_concat(name, ', ') FROM s")" \
  "loads/runs.csv: run 1, loads/runs.csv: run 2, loads/runs.csv: run 3, loads/runs.csv: run 4" "each run is a scenario"
equal "$(of_sweep 'SELECT count(*) FROM s WHERE cycles > 300')" 0 "and ends where the sweep ended it"
check "more load finds more" test "$(of_sweep 'SELECT max(found) FROM s WHERE place < 2')" -lt \
  "$(of_sweep 'SELECT min(found) FROM s WHERE place > 1')"
exits 0 "the scenario of the last run" "$HEDDLE" mutate small.yaml --cache cache-small --switches 1 --mutants 300 \
  --cycles 300 --set software.parameters.load=0.3 --set seed=2 --out of-last
equal "$(json of-last found)" "$(of_sweep "SELECT found FROM s WHERE name = 'loads/runs.csv: run 4'")" "finds what the run finds"
exits 2 "a sweep with runs that fail" "$HEDDLE" sweep small.yaml --dut none --no-html --out fails \
  --set switch.ports=5 --set fabric.dims="[2, 2],[2]" --set routing.algorithm=dimension-order,s-mod-k
exits 2 "a sweep of several switches" "$HEDDLE" mutate fails --cache cache-small
says err "have not the same switch" "says so"
exits 2 "a directory without a sweep" "$HEDDLE" mutate all
says err "all: is no directory of a sweep: it has no sweep.json; legal: a scenario's file" "says what it is not"
mkdir damaged
printf '{"scenario": 1}' >damaged/sweep.json
exits 2 "a damaged sweep" "$HEDDLE" mutate damaged
says err "does not say which scenario was swept" "says what is missing"

# Two files, one name.
sed 's/quiet/small/' quiet.yaml >twin.yaml
exits 0 "two scenarios of one name" mutate twin.yaml --switches 1 --cycles 50 --mutants 50 --out twins
equal "$(json twins 'scenarios[0].name') $(json twins 'scenarios[1].name')" "small.yaml twin.yaml" "are told apart by their files"
equal "$(table twins "SELECT DISTINCT scenario FROM m WHERE verdict = 'found' ORDER BY 1" | head -1)" "small.yaml" \
  "in rows, too"

# Proofs.
exits 0 "proofs" mutate --switches 1 --mutants 300 --streams 1 --prove 100000 --out proofs
equal "$(json proofs proofs.tried)" "$(json proofs proofs.wanted)" "all are tried"
check "there are invariants" test "$(json proofs proofs.invariants)" -gt 50
check "in no cycle anything differs" test "$(json proofs proofs.in_a_step)" -gt 0
check "what differs is not seen" test "$(json proofs proofs.unseen)" -gt 0
equal "$(json proofs equivalent)" "$(table proofs "SELECT count(*) FROM m WHERE verdict = 'equivalent' AND proof != ''")" \
  "each equivalent one has its proof"
equal "$(json streams found)" "$(json proofs found)" "as many are found as without"
equal "$(json streams survived)" \
  "$(($(json proofs survived) + $(json proofs proofs.in_a_step) + $(json proofs proofs.unseen)))" \
  "those that are proved are among the survivors"
# A proof of a mutant that is found is an internal error.
exits 0 "proofs, tried of those that are found" mutate --switches 1 --mutants 20 --streams 1 --prove 100000 \
  --prove-found --out both
check "found ones were tried" test "$(json both proofs.tried)" -gt 15

# cross_check NAME ABOUT: its mutants as Verilog in Icarus are found in the first cycle in which any switch differs.
cross_check() {
  local name=$1 about=$2 number=0 same=0 cell first cycle
  for s in 0 1 2 3; do
    exits 0 "$about: switch $s alone" "$HEDDLE" mutate "$name.yaml" --cache "cache-$name" --mutants 300 --switch "$s" \
      --out "$name-$s"
    parameters "$name"
  done
  cat "$name"-?/mutants.csv | sqlite3 :memory: ".mode csv" ".import /dev/stdin m" ".mode list" ".separator ' '" \
    "WITH one AS (SELECT cast(mutant AS int) AS mutant, cell, rows, fault, verdict, wire,
       coalesce(min(CASE WHEN verdict = 'found' THEN cast(cycle AS int) END), 0) AS first
       FROM m WHERE mutant != 'mutant' GROUP BY mutant),
     ranked AS (SELECT *, row_number() OVER (PARTITION BY fault, first = 0 ORDER BY mutant) AS n FROM one)
     SELECT cell, rows, first FROM ranked WHERE n = 1 AND (first OR fault LIKE 'output%') ORDER BY mutant" >picked
  mkdir "netlist-$name"
  cut -d' ' -f1,2 picked >cells
  check "$about: the netlist with mutants" "$root/tests/cli/mutant_netlist.py" "cache-$name"/*/hd_switch.json \
    netlist.json mutants.v <cells
  check "$about: as Verilog" yosys -q -p "read_json netlist.json; techmap t:\$lut; opt_expr; splitnets
    opt_clean -purge; write_verilog -noattr netlist.v"
  {
    sed "s/^module hd_switch(/module hd_switch #(parameter $(sed 's/ /, /g' "parameters-$name")) (/" netlist.v
    cat mutants.v
  } >"netlist-$name/hd_switch.v"
  icarus() { # MUTANT
    "$HEDDLE" run "$name.yaml" --cache cache --rtl "netlist-$name" --dut "icarus:every-cycle,+mutant=$1" --no-html \
      --out "$name-icarus$1"
  }
  exits 0 "$about: without a mutant the netlist agrees with the model" icarus 0
  while read -r cell _ first; do
    number=$((number + 1))
    icarus "$number" >out 2>err </dev/null
    cycle=$(sql "$name-icarus$number" 'SELECT cycle FROM divergences' 2>/dev/null)
    case $(sql "$name-icarus$number" 'SELECT difference FROM divergences') in
      # Four-state simulation may see a difference earlier: a memory cell that was never written is X there and has a
      # value in lanes.
      unknown) check "$about, cell $cell: unknown before it is found" test "$cycle" -le "${first/#0/600}" ;;
      *) equal "${cycle:-0}" "$first" "$about, cell $cell: found in the same cycle" && same=$((same + 1)) ;;
    esac
  done <picked
  check "$about: most are compared" test "$same" -ge 6
}
if ! command -v iverilog >/dev/null; then
  skip "the same mutants in Icarus" "iverilog is missing"
else
  cross_check small "the plain switch"
  cross_check choosing "the adaptive switch"
fi

# A read may change nothing, also where it has an edge; and what was read stays until the next one.
read_wrongly() { # ABOUT FILE WRONG: the text of sed
  mkdir wrong-read
  cp "$root"/rtl/*.v* wrong-read
  sed -i "$3" "wrong-read/$2"
  check "$1: is planted" test "$(cmp -s "$root/rtl/$2" "wrong-read/$2"; echo $?)" = 1
  exits 3 "$1" "$HEDDLE" mutate small.yaml --cache cache-small --rtl wrong-read --switches 0 --mutants 20 --streams 1 --each
  says err "without any mutant the switch differs from its model" "say so"
  says err "(register)" "and where"
  rm -r wrong-read
}
read_wrongly "a read that clears the errors" hd_switch.v 's/wire clear = cfg_write_i &&/wire clear = (cfg_write_i || cfg_read_i) \&\&/'
read_wrongly "what was read does not stay" hd_config.v 's/else if (read_i) rdata_o/else rdata_o/'

exits 2 "no scenario" "$HEDDLE" mutate
exits 6 "a scenario that is not there" "$HEDDLE" mutate nowhere.yaml
exits 2 "a switch that is not there" mutate --switch 9
says err "the fabric of small.yaml has switches 0 to 3" "is told which there are"
exits 2 "one switch and several" mutate --switch 1 --switches 2
exits 2 "no mutants" mutate --mutants 0
exits 2 "proofs of those that are found, but no proofs" mutate --prove-found
exits 2 "comparison by order" mutate --set run.compare=order --set run.mode=closed
exits 2 "a key set to nonsense" mutate --set fabric.dims=7
says err "(lines are those of the scenario after --set)" "says which lines it counts"
exits 2 "RTL that is not there" mutate --rtl nowhere
mkdir taken
touch taken/run.db
exits 2 "a directory that has a run" "$HEDDLE" mutate nowhere.yaml --out taken
says err "taken/run.db: there is a run in this directory already" "is told before the scenario is looked at"
mkdir theirs
chmod 755 "$work"
chmod 555 theirs
as=()
[ "$(id -u)" != 0 ] || as=(setpriv --reuid=65534 --clear-groups)
cp "$HEDDLE" heddle
exits 6 "a directory into which nothing may be written" "${as[@]}" ./heddle mutate nowhere.yaml --out theirs
says err "theirs: nothing can be written into this directory" "is told before the scenario is looked at"
mkdir lost lost/mutants.csv
exits 6 "results that cannot be written" mutate --switches 1 --cycles 1 --mutants 20 --out lost
says out "small: mutation score " "are said all the same"
check "and do not look whole" test ! -e lost/mutation.json
mkdir broken
sed 's/!rst/rst/' "$root"/rtl/hd_switch.v >broken/hd_switch.v
cp "$root"/rtl/hd_[a-rt-z]*.v broken
echo "garbage" >>broken/hd_config.v
exits 7 "RTL that does not build" mutate --rtl broken

env --default-signal "$HEDDLE" mutate small.yaml --cache cache-small --cycles 300000 --progress --out stopped >out 2>err </dev/null &
pid=$!
wait_until "$pid" grep -q 'mutants found' err
kill -INT "$pid"
rc=0
wait "$pid" || rc=$?
equal "$rc" 130 "Ctrl-C: exit code 130"
says out "mutation score at least" "the score so far is said"
equal "$(json stopped complete)" 0 "the results say that they are not complete"
check "and have what was found" test "$(json stopped found)" -gt 0
check "and what was not played" \
  test "$(table stopped "SELECT count(*) FROM m WHERE verdict = 'not played to the end'")" -gt 0
env --default-signal "$HEDDLE" mutate small.yaml --cache cache-small --switches 1 --cycles 20 --prove 100 --progress --out unproved >out 2>err </dev/null &
pid=$!
wait_until "$pid" grep -q '^proofs, round' err
kill -INT "$pid"
rc=0
wait "$pid" || rc=$?
equal "$rc" 130 "Ctrl-C while mutants are proved"
says out "mutation score at least" "the score may be higher with the other proofs"
cp stopped/mutation.json before.json
exits 2 "a directory that has results" "$HEDDLE" mutate small.yaml --cache cache-small --out stopped
says err "stopped: there are results in this directory already" "is told so"
check "the results stay" cmp -s before.json stopped/mutation.json
summary
