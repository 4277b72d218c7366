#!/usr/bin/env bash
# heddle mutate for a router without a model: rules at ports beside golden RTL; the same mutants in Icarus; refusals; Ctrl-C.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
if ! command -v yosys >/dev/null; then
  skip "heddle mutate for a router without a model" "yosys is missing"
  summary
  exit
fi

examples=$root/docs/examples
cat >small.yaml <<'YAML'
name: small
fabric: {topology: mesh, dims: [3]}
switch: {ports: 3, vcs: 1, data_bits: 16, depth_flits: 2}
routing: {algorithm: dimension-order}
software: {program: uniform, parameters: {load: 0.4, flits: 3}}
run: {mode: closed, compare: packets, cycles: 400}
YAML
mutate() { # OPTIONS...
  "$HEDDLE" mutate "$examples/one_stage/one_stage.yaml" small.yaml --cache cache "$@"
}
table() { # DIRECTORY QUERY: its mutants.csv as table m
  sqlite3 :memory: ".mode csv" ".import $1/mutants.csv m" ".mode list" ".separator ' '" "$2"
}
json() { # DIRECTORY PATH
  sqlite3 :memory: "SELECT json_extract(readfile('$1/mutation.json'), '$.$2')"
}

exits 0 "mutants of a router that is soon built" "$HEDDLE" mutate "$examples/axis_crossbar/axis_crossbar.yaml" small.yaml --cache cache-axis \
  --mutants 200 --out first
says out "small: rules at ports find " "say the score of the rules"
equal "$(json first mutants) $(json first rules.judged)" "200 $(json first found)" "the rules judge all that differ"
check "and find most of them" test "$(json first rules.rule)" -gt 150
exits 2 "streams, which need the model" mutate --streams 1
exits 2 "--foreign without a router" "$HEDDLE" mutate --foreign
rest

exits 0 "mutants of a described router" mutate --mutants 200 --out all
parameters=$(sed -n 's/^building the switch for its mutants: //p' err)
says out "small: rules at ports find " "say the score of the rules"
says out "golden RTL finds " "and that against the router without a mutant"
equal "$(json all mutants)" 200 "as many mutants as were asked for"
equal "$(json all rules.judged) $(json all rules.to_judge)" "$(json all found) $(json all found)" \
  "the rules judge all that differ"
equal "$(table all "SELECT count(*) FROM m WHERE \"end\" = ''")" 0 "each mutant has an end"
equal "$(json all rules.rule)" "$(table all "SELECT count(*) FROM m WHERE \"end\" = 'rule' AND rule LIKE 'P%' AND end_cycle != ''")" \
  "each one that a rule finds has the rule and the cycle"
check "rules find most of them" test "$(json all rules.rule)" -gt 60
check "and no more than differ" test "$(json all rules.rule)" -le "$(json all found)"
equal "$(table all "SELECT count(*) FROM m WHERE file NOT LIKE 'files/0/one_stage.v'")" 0 \
  "wrapper and adapters are no router"
equal "$(awk -F, 'NR > 1 {n += $6} END {print n}' all/rules.csv)" "$(json all rules.rule)" "rules.csv counts them, too"
exits 0 "on one thread" mutate --mutants 200 --threads 1 --out again
check "the same comes out" cmp -s all/mutants.csv again/mutants.csv
exits 0 "little traffic" mutate --mutants 200 --cycles 30 --set software.parameters.load=0.05 --out quiet
check "finds less" test "$(json quiet rules.rule)" -lt "$(json all rules.rule)"

# Icarus runs these mutants as Verilog. Each must break the rule that it broke in lanes, in the same cycle.
if ! command -v iverilog >/dev/null; then
  skip "the same mutants in Icarus" "iverilog is missing"
else
  table all "WITH ranked AS (SELECT cell, rows, \"end\", rule, end_cycle,
      row_number() OVER (PARTITION BY \"end\", rule ORDER BY cast(mutant AS int)) AS n FROM m WHERE verdict = 'found')
    SELECT cell, rows, coalesce(nullif(rule, ''), \"end\"), end_cycle FROM ranked WHERE n <= 2" >picked
  mkdir netlist
  cut -d' ' -f1,2 picked >cells
  check "the netlist with mutants" "$root/tests/cli/mutant_netlist.py" cache/*/hd_switch.json netlist.json mutants.v <cells
  check "as Verilog" yosys -q -p "read_json netlist.json; techmap t:\$lut; opt_expr; splitnets
    opt_clean -purge; write_verilog -noattr netlist.v"
  {
    sed "s/^module hd_switch(/module hd_switch #(parameter ${parameters// /, }) (/" netlist.v
    cat mutants.v
  } >netlist/hd_switch.v
  icarus() { # MUTANT
    "$HEDDLE" run small.yaml --cache cache-icarus --rtl netlist --dut "icarus:every-cycle,+mutant=$1" --no-html --out "icarus$1"
  }
  exits 0 "without a mutant the netlist keeps the rules" icarus 0
  number=0 same=0
  while read -r cell _ rule cycle; do
    number=$((number + 1))
    icarus "$number" >out 2>err </dev/null
    case $(sed -n 's/^  rule *\(P[0-9]*\).*/\1/p' out | head -1) in
      P17) ok "cell $cell: X is seen sooner" ;;
      "") equal "no rule: $(grep -c 'a rule at ports is broken' out)" "no rule: 0" "cell $cell: $rule, and no rule" ;;
      *) equal "$(sed -n 's/^  rule *\(P[0-9]*\).*/\1/p' out | head -1) $(sql "icarus$number" 'SELECT cycle FROM divergences')" \
        "$rule $cycle" "cell $cell: the same rule in the same cycle" && same=$((same + 1)) ;;
    esac
  done <picked
  check "most are compared" test "$same" -ge 4
fi

# Traffic mixes if no scenario is given; Ctrl-C while the rules judge.
env --default-signal "$HEDDLE" mutate "$examples/axis_crossbar/axis_crossbar.yaml" --cache cache --mutants 3000 --cycles 60 --progress --out mixes >out 2>err </dev/null &
pid=$!
wait_until "$pid" grep -q '^rules at ports' err
kill -INT "$pid"
rc=0
wait "$pid" || rc=$?
equal "$rc" 130 "Ctrl-C: exit code 130"
says out "rules at ports find at least" "the scores are lower bounds"
says out "interrupted         the rules judged" "and of how many is said"
check "the mixes are kept" test -s mixes/mix-5.yaml

# A whole network: a mutant is in one of its routers.
cp -r "$examples/mesh_3x3" network
sed -i 's/Columns: 3, Rows: 3/Columns: 2, Rows: 2/; s/mesh 3x3/mesh 2x2/; s/count: 9/count: 4/' network/mesh_3x3.yaml
exits 0 "mutants of a network" "$HEDDLE" mutate network/mesh_3x3.yaml small.yaml --cache cache --mutants 40 --out network-score
check "golden RTL finds most" test "$(json network-score found)" -gt 20
check "the rules find most of these" test "$((2 * $(json network-score rules.rule)))" -gt "$(json network-score found)"
equal "$(table network-score "SELECT count(*) FROM m WHERE file NOT LIKE 'files/0/mesh%'")" 0 "endpoints' adapters are no part of it"
check "they are in several routers" test "$(table network-score "SELECT count(*) FROM (VALUES (0), (1), (2), (3))
  WHERE EXISTS (SELECT 1 FROM m WHERE net || goes_to || computes LIKE '%g_node[' || column1 || ']%')")" -ge 3

# A router that breaks a rule even without a mutant.
cp -r "$examples/one_stage" wrong
sed -i 's/(oldest\[q\]+held\[q\])%SLOTS/(oldest[q]+held[q])%(SLOTS-1)/' wrong/one_stage.v
exits 3 "a router that is wrong itself" "$HEDDLE" mutate --foreign wrong small.yaml --set switch.depth_flits=3 --cache cache --mutants 5 --out wrong-score
says err "without any mutant the router fails" "is named as such"
exits 7 "RTL that Yosys does not read" "$HEDDLE" mutate "$examples/xy_router/xy_router.yaml" --cache cache --out refused
says err "Yosys makes no gates of this RTL" "is told so"
says err "xy_pkg.sv" "and where"
exits 2 "VHDL" "$HEDDLE" mutate --foreign "$examples/vhdl_router" small.yaml --cache cache --out refused-2
says err "Yosys makes no gates of this RTL" "is told so, too"
summary
