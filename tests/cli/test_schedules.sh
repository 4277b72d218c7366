#!/usr/bin/env bash
# heddle schedule NETWORK COLLECTIVE: fewest steps, formats, checks, limits and interruptions; the page's table.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

exits 2 "a topology without its colon" "$HEDDLE" schedule 'clos n=3' aas
says err "clos n=3: there is no such file; legal: a scenario's file, or a topology with its keys and no blanks, as clos:n=3,m=3,r=4" "is told how it is written"
exits 2 "a topology without keys" "$HEDDLE" schedule torus:8,8 aas
says err "torus:8,8: not YAML: " "is told what was typed, and no line of it"
says err "(a network is a topology with its keys, as torus:dims=[4,4])" "and how it is written"
exits 2 "a key that the topology lacks" "$HEDDLE" schedule clos:n=3,m=3 aas
says err "clos:n=3,m=3: fabric.topology: clos needs the key fabric.r (a network is" "is told which"
exits 0 "a construction that meets its bound ends with 0" "$HEDDLE" schedule clos:n=3,m=3,r=4 aas
says out "steps               11, the fewest" "and says so"
says out "n0 sends 11 messages one at a time" "and why"
exits 0 "a schedule is written as CSV" "$HEDDLE" schedule binary-tree:n=3 all-to-all-scatter --format csv
mv out tree.csv
check "with its transfers" test "$(wc -l <tree.csv)" = 57
exits 0 "and checked" "$HEDDLE" schedule binary-tree:n=3 all-to-all-scatter --check tree.csv
says out "56 transfers in 16 steps" "as a whole"
awk -F, -v OFS=, 'NR == 2 { $1 = 2 } { print }' tree.csv >planted.csv
exits 2 "a transfer moved into another step is found" "$HEDDLE" schedule binary-tree:n=3 aas --check planted.csv
says err "carries the transfer of line" "as a conflict"
sed 3d tree.csv >planted.csv
exits 2 "a transfer left out is found" "$HEDDLE" schedule binary-tree:n=3 aas --check planted.csv
says err "never gets message" "as a message that is missing"
exits 0 "as JSON" "$HEDDLE" schedule full-binary-tree:n=3 oab --root 3 --ports all --format json
check "which is JSON" python3 -c "
import json
s = json.load(open('out'))
assert s['steps'] == s['bound'] == 3 and s['optimal'] and len(s['transfers']) == 6
assert s['transfers'][0]['links'][0] == 'n3'"
exits 0 "as a picture" "$HEDDLE" schedule omega:k=2,n=3 aab --format svg
check "which is XML" xmllint --noout out

printf 'source,destinations\n0,1,2,3\n3,2\n1,0\n' >some.csv
exits 0 "messages of a file" "$HEDDLE" schedule binary-tree:n=2 some.csv
says out "5 transfers" "all of them"
printf '0,1\n0,4\n' >far.csv
exits 2 "a node that does not exist" "$HEDDLE" schedule binary-tree:n=2 far.csv
says err "far.csv:2: there is no node 4" "is named with the line"
exits 0 "a failed link" "$HEDDLE" schedule folded-butterfly:k=2,n=3 aas --failed s0:2
says out "steps               12, the fewest" "costs steps"
exits 2 "a link that is not there" "$HEDDLE" schedule folded-butterfly:k=2,n=3 aas --failed s0:9
exits 2 "failed links that cut a node off" "$HEDDLE" schedule binary-tree:n=2 aas --failed s0:1
says err "no way leads from n0 to n2" "are said to"
exits 2 "an unknown collective" "$HEDDLE" schedule omega:k=2,n=3 all-to-some
says err "there are: one-to-all-broadcast" "lists those that are known"
exits 2 "a root that is not there" "$HEDDLE" schedule omega:k=2,n=3 oas --root 8
exits 2 "a root of a collective that has none" "$HEDDLE" schedule omega:k=2,n=3 aas --root 1
says err "--root 1: not with all-to-all-scatter; it has no root" "is refused"
exits 2 "a root of a file" "$HEDDLE" schedule omega:k=2,n=3 some.csv --root 1
exits 2 "options of the other way of asking" "$HEDDLE" schedule "$root/tests/scenarios/shuffle-6-to-10.yaml" --root 1
says err "give a collective" "are refused"
exits 0 "a scenario's network" "$HEDDLE" schedule "$root/tests/scenarios/shuffle-6-to-10.yaml" oab --routes tables
exits 2 "ways that packets choose" "$HEDDLE" schedule 'mesh:dims=[4,4]' aas --routes tables --set routing.algorithm=adaptive \
  --set switch.cut_flits=4
says err "by adaptive; legal: routings by which packets do not choose" "are none of the tables"
exits 4 "no search, no proof" "$HEDDLE" schedule hypercube:n=4 aas --time 0
says out "not proved to be the fewest" "is said"
exits 4 "no solver, no proof" "$HEDDLE" schedule hypercube:n=4 aas --no-solver --time 1
says out "no solver was to be asked" "and the reason is said"

# By evolution.
exits 0 "an evolution finds the fewest steps of a small network" "$HEDDLE" schedule omega:k=2,n=3 aas --by evolution
says out "steps               7, the fewest" "and knows the bound"
says out "by evolution, seed 1" "and says how"
exits 0 "another seed, as CSV" "$HEDDLE" schedule omega:k=2,n=3 aas --by evolution --seed 2 --format csv
mv out evolved.csv
exits 0 "which passes the check" "$HEDDLE" schedule omega:k=2,n=3 aas --check evolved.csv
exits 0 "once more" "$HEDDLE" schedule omega:k=2,n=3 aas --by evolution --seed 2 --format csv
check "is the same" cmp out evolved.csv
exits 4 "too few evaluations" "$HEDDLE" schedule omega:k=2,n=4 aas --by evolution --steps 15 --evaluations 100 --format json
check "leave a schedule, and say what they were" python3 -c "
import json
s = json.load(open('out'))
assert s['seed'] == 1 and s['evaluations'] == 100 and s['steps'] > s['bound'] == 15"
exits 2 "an option of the evolution alone" "$HEDDLE" schedule omega:k=2,n=3 aas --seed 2
says err "add --by evolution" "is refused without it"
exits 2 "a proof by evolution" "$HEDDLE" schedule omega:k=2,n=3 aas --by evolution --proof proofs
says err "proves nothing" "is refused"
exits 2 "an evolution without time" "$HEDDLE" schedule omega:k=2,n=3 aas --by evolution --time 0
"$HEDDLE" schedule omega:k=2,n=4 aas --by evolution --steps 15 --evaluations 1000000000000 >out 2>err &
pid=$!
wait_until "$pid" grep -q "generation" err
kill -INT "$pid"
wait "$pid"
equal $? 130 "Ctrl-C ends an evolution with 130"
says out "all arrives" "and the best so far is shown"

# The cells of the paper's tables, one in a line: the fewest steps, and the reason why fewer are impossible.
cells() {
  local network collective node ports _
  grep -v '^#' docs/schedules.csv | tail -n +2 | while IFS= read -r line; do
    network=${line#\"} network=${network%%\"*}
    IFS=, read -r _ collective node ports _ <<<"${line#*\",}"
    "$HEDDLE" schedule "$network" "$collective" ${node:+--root "$node"} --ports "$ports" --quiet |
      sed -n 's/^  steps  *\([0-9]*\).*/\1/p; s/^  not fewer than [0-9]*  *//p' | paste -s
  done
}

# The documentation has the command's answers, cell by cell.
page() {
  (cd "$root" && cells) >said
  sqlite3 :memory: ".import --csv $root/docs/reproduction/schedules/steps.csv t" ".separator \t" \
    'SELECT fewest, "why not fewer" FROM t' >kept
  test -s kept && cmp said kept
}

printf '3,2\n2,1,3\n2,3,1\n' >pairs.csv
exits 0 "the solver says that fewer steps are too few" "$HEDDLE" schedule omega:k=2,n=2 pairs.csv --proof proofs
says out "its proof was checked" "with a proof that is checked"
check "and kept" test -s proofs/steps-2.drat
# Each message shares a link with the next one, around a ring of five. No two messages alone exceed the capacity of a link.
printf '0,2\n1,3\n2,4\n3,0\n4,1\n' >ring.csv
exits 0 "an odd ring of messages" "$HEDDLE" schedule 'torus:dims=[5]' ring.csv
says out "that 2 steps are too few; its proof was checked, 1 lemma" "takes three steps, which one lemma proves"
# Ctrl-C as soon as the solver starts.
"$HEDDLE" schedule 'mesh:dims=[5,5]' aas --time 6000 >out 2>err &
pid=$!
wait_until "$pid" grep -q "are 30 steps enough" err
kill -INT "$pid"
wait "$pid"
equal $? 130 "Ctrl-C ends with 130"
says out "all arrives" "and the best so far is shown"
says err "best so far" "as such"
check "steps.csv of the documentation has what the command says" page
summary
