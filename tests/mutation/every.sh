#!/usr/bin/env bash
# Mutants of every kind of switch: which of them do a scenario and random streams find, which are proved equivalent?
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/mutation/every.sh [-n MUTANTS] [-s SEED] [-r STREAMS] [-p MINUTES] [-o DIR] [NAME …]
#
# Draws MUTANTS (1500) of each switch of the list below, or of those that are named. Each is a run of heddle mutate below
# DIR (build/mutants), with its results and log; what is there already is not judged again. STREAMS (1) of each style are
# played. Proofs of a switch end after MINUTES (5). Writes DIR/switches.csv, and DIR/survivors.csv: the mutants that nothing found and nothing explains. Exit
# code 1: a switch was not judged.
set -u
cd "$(dirname "$0")/../.." || exit 2
mutants=1500 seed=1 streams=1 minutes=5 out=build/mutants
while getopts n:s:r:p:o: option; do
  case $option in
    n) mutants=$OPTARG ;;
    s) seed=$OPTARG ;;
    r) streams=$OPTARG ;;
    p) minutes=$OPTARG ;;
    o) out=$OPTARG ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
HEDDLE=${HEDDLE:-build/opt/heddle}
mkdir -p "$out"
trap 'exit 130' INT
only=" $* " failed=0 done=()

# judge NAME FABRIC SWITCH ROUTING SOFTWARE: what follows is the inside of a mapping of YAML.
judge() {
  local name=$1 directory=$out/$1
  [ "$only" = '  ' ] || [[ $only == *" $name "* ]] || return 0
  mkdir -p "$directory"
  done+=("$name")
  [ ! -e "$directory/score/mutation.json" ] || return 0
  rm -rf "$directory/score"
  cat >"$directory/scenario.yaml" <<YAML
name: $name
fabric: {$2}
switch: {$3}
routing: {$4}
software: {$5}
seed: 1
run: {cycles: 20000, dut: none}
YAML
  echo "$name" >&2
  "$HEDDLE" mutate "$directory/scenario.yaml" --mutants "$mutants" --seed "$seed" --cycles 2000 --switches 2 \
    --streams "$streams" --prove "$minutes" --out "$directory/score" >"$directory/log"
  local rc=$?
  if [ $rc -eq 130 ]; then
    rm -rf "$directory/score" # it is not whole
    exit 130
  fi
  [ $rc -eq 0 ] || {
    failed=1
    echo "tests/mutation/every.sh: $name: exit code $rc; see $directory/log" >&2
  }
}

uniform='program: uniform, parameters: {load: 0.3, flits: 4}'
short='program: uniform, parameters: {load: 0.3, flits: 2}'
barrier='program: barrier, startup_cycles: 100, parameters: {rounds: 50, compute: 100, load: 0.2}'
mesh='topology: mesh, dims: [4, 4]' line='topology: mesh, dims: [5]' tree='topology: tree, k: 2, n: 3'
plain='vcs: 2, data_bits: 16, depth_flits: 4'
xy='algorithm: dimension-order'

judge plain "$mesh" "$plain" "$xy" "$uniform"
judge plain-small "$line" 'vcs: 1, data_bits: 16, depth_flits: 2' "$xy" "$uniform"
judge plain-through "$line" 'vcs: 2, data_bits: 16, depth_flits: 8, cut_flits: 4' "$xy" "$uniform"
judge plain-source "$tree" 'vcs: 3, data_bits: 32, depth_flits: 3, route_cycles: 2, arb_cycles: 2' 'algorithm: s-mod-k' "$uniform"
judge fixed "$line" "$plain, barrier: fixed, groups: 2" "$xy" "$barrier"
judge moving "$line" "$plain, barrier: moving, groups: 2" "$xy" "$barrier"
judge queued "$line" "$plain, barrier: queued, groups: 2" "$xy" "$barrier"
judge reserved "$line" "vcs: 3, data_bits: 16, depth_flits: 4, barrier: reserved, groups: 2" "$xy" "$barrier"
judge any "$line" "$plain, barrier: any, groups: 2" "$xy" "$barrier"
judge adaptive "$mesh" "$plain, cut_flits: 4" 'algorithm: adaptive' "$uniform"
judge counts "$mesh" "$plain, cut_flits: 4" 'algorithm: adaptive, congestion: count' "$uniform"
judge adaptive-any "$line" "vcs: 3, data_bits: 16, depth_flits: 4, cut_flits: 4, barrier: any, groups: 2" 'algorithm: adaptive' "$barrier"
judge coder "$mesh" 'vcs: 2, data_bits: 32, depth_flits: 4, code_places: 16' "$xy" 'program: coding, parameters: {group: 2x2, flits: 4}'
judge coder-waits "$line" 'vcs: 2, data_bits: 32, depth_flits: 4, code_places: 5, code_cycles: 3' "$xy" "$short"
[ ${#done[@]} -gt 0 ] || {
  echo "tests/mutation/every.sh: no switch is called$only; see the list in it" >&2
  exit 2
}

# `of` is what there is to draw from.
sql=""
for name in "${done[@]}"; do
  score=$out/$name/score
  [ -e "$score/mutation.json" ] || continue
  sql+=".import --csv --schema temp $score/mutants.csv one
CREATE TABLE IF NOT EXISTS survivors AS SELECT '' AS name, * FROM one WHERE 0;
INSERT INTO survivors SELECT '$name', * FROM one WHERE verdict = 'survived';
INSERT INTO switches SELECT '$name', json_extract(readfile('$score/mutation.json'), '\$.all_mutants'), count(*),
  sum(verdict = 'found'), sum(verdict = 'equivalent'), sum(verdict = 'survived') FROM one;
DROP TABLE one;
"
done
sqlite3 :memory: <<SQL || failed=1
CREATE TABLE switches (switch, "of", mutants, found, equivalent, survived);
$sql
CREATE VIEW scores AS SELECT *, round(100.0 * found / max(1, mutants - equivalent), 1) AS score FROM
  (SELECT * FROM switches UNION ALL SELECT 'all', '', sum(mutants), sum(found), sum(equivalent), sum(survived) FROM switches);
.mode column
.headers on
SELECT * FROM scores;
.mode csv
.once $out/switches.csv
SELECT * FROM scores;
.once $out/survivors.csv
SELECT * FROM survivors;
SQL
echo "$out/switches.csv, $out/survivors.csv"
exit $failed
