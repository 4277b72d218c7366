#!/usr/bin/env bash
# Judges mutants of every kind of switch: found by a scenario or random streams, proved equivalent, or left.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/mutation/every.sh [-n MUTANTS] [-s SEED] [-r STREAMS] [-p MINUTES] [-o DIR] [NAME …]
#
# Draws MUTANTS (1500) of each switch in the list below, or of those named. Runs heddle mutate for each in DIR
# (build/mutants), which gets results and log. Does not judge again a switch with results, unless RTL, streams, proofs or
# options have changed. Plays STREAMS (1) of each style. Proofs of a switch end after MINUTES (10). Prints its progress on
# stderr. Writes DIR/switches.csv; DIR/table.md, the table of docs/mutation.md; DIR/survivors.csv, the mutants that were not
# found and are not explained; and DIR/lines.md, the number of these on each line, and their switches. Exit code 1: a switch
# was not judged.
set -u
cd "$(dirname "$0")/../.." || exit 2
mutants=1500 seed=1 streams=1 minutes=10 out=build/mutants
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
only=" $* " failed=0 done=() about=()
# Hashes all sources that results depend on. The model is not among them, since the RTL is compared with it anyway.
code=$(cat rtl/*.v bridge/check/streams/*.[ch] bridge/mutation/*.[ch] bridge/backends/lanes/*.[ch] | sha256sum) || exit 2
progress=()
[ ! -t 2 ] || progress=(--progress)

# judge NAME ABOUT FABRIC SWITCH ROUTING SOFTWARE [FILES]: FABRIC to SOFTWARE are insides of YAML mappings. FILES are those
# of which mutants are drawn (--files).
judge() {
  local name=$1 directory=$out/$1 of files=()
  [ "$only" = '  ' ] || [[ $only == *" $name "* ]] || return 0
  [ $# -lt 7 ] || files=(--files "$7")
  mkdir -p "$directory"
  done+=("$name")
  about+=("$2")
  cat >"$directory/scenario.yaml" <<YAML
name: $name
fabric: {$3}
switch: {$4}
routing: {$5}
software: {$6}
seed: 1
run: {cycles: 20000, dut: none}
YAML
  of="$mutants $seed $streams $minutes ${files[*]} $(cat "$directory/scenario.yaml" - <<<"$code" | sha256sum)"
  if grep -qs '"complete": true' "$directory/score/mutation.json" && [ "$of" = "$(cat "$directory/of" 2>/dev/null)" ]; then
    echo "$(date +%H:%M:%S) $name: judged before" >&2
    return 0
  fi
  rm -rf "$directory/score"
  echo "$of" >"$directory/of"
  echo "$(date +%H:%M:%S) $name: $2" >&2
  "$HEDDLE" mutate "$directory/scenario.yaml" --mutants "$mutants" --seed "$seed" --cycles 2000 --switches 2 \
    --streams "$streams" --prove "$minutes" "${files[@]}" --out "$directory/score" "${progress[@]}" >"$directory/log"
  local rc=$?
  if [ $rc -eq 130 ]; then
    rm -rf "$directory/score" # it is not complete
    exit 130
  fi
  [ $rc -eq 0 ] || {
    failed=1
    echo "tests/mutation/every.sh: $name: exit code $rc; see $directory/log" >&2
    return 0
  }
  sed -n 1p "$directory/log" >&2
}

uniform='program: uniform, parameters: {load: 0.3, flits: 4}'
short='program: uniform, parameters: {load: 0.3, flits: 2}'
barrier='program: barrier, startup_cycles: 100, parameters: {rounds: 50, compute: 100, load: 0.2}'
mesh='topology: mesh, dims: [4, 4]' line='topology: mesh, dims: [5]' tree='topology: tree, k: 2, n: 3'
plain='vcs: 2, data_bits: 16, depth_flits: 4'
xy='algorithm: dimension-order'
compute=hd_route_compute,hd_computed_unit,hd_config

judge plain '5 ports, 2 channels of 4 flits' "$mesh" "$plain" "$xy" "$uniform"
judge plain-small '3 ports, 1 channel of 2 flits' "$line" 'vcs: 1, data_bits: 16, depth_flits: 2' "$xy" "$uniform"
judge plain-through '3 ports, cut-through, 8 flits' "$line" 'vcs: 2, data_bits: 16, depth_flits: 8, cut_flits: 4' "$xy" "$uniform"
judge plain-source 'source tables, slow timing, 3 channels of 3' "$tree" 'vcs: 3, data_bits: 32, depth_flits: 3, route_cycles: 2, arb_cycles: 2' 'algorithm: s-mod-k' "$uniform"
judge fixed 'barriers preempt channel 0' "$line" "$plain, barrier: fixed, groups: 2" "$xy" "$barrier"
judge moving 'they preempt where flits move' "$line" "$plain, barrier: moving, groups: 2" "$xy" "$barrier"
judge queued 'they wait for a free channel' "$line" "$plain, barrier: queued, groups: 2" "$xy" "$barrier"
judge reserved 'they have a channel of 3' "$line" "vcs: 3, data_bits: 16, depth_flits: 4, barrier: reserved, groups: 2" "$xy" "$barrier"
judge any 'they preempt any channel' "$line" "$plain, barrier: any, groups: 2" "$xy" "$barrier"
judge adaptive 'chooses by free credits' "$mesh" "$plain, cut_flits: 4" 'algorithm: adaptive' "$uniform"
judge counts 'chooses by counts' "$mesh" "$plain, cut_flits: 4" 'algorithm: adaptive, congestion: count' "$uniform"
judge ways 'decides between two ways' "$mesh" "$plain" 'algorithm: ugal' "$uniform"
judge adaptive-any 'by free credits, barriers of kind *any*' "$line" "vcs: 3, data_bits: 16, depth_flits: 4, cut_flits: 4, barrier: any, groups: 2" 'algorithm: adaptive' "$barrier"
judge coder 'XOR coder of 16 places' "$mesh" 'vcs: 2, data_bits: 32, depth_flits: 4, code_places: 16' "$xy" 'program: coding, parameters: {group: 2x2, flits: 4}'
judge coder-waits 'of 5 places, which waits' "$line" 'vcs: 2, data_bits: 32, depth_flits: 4, code_places: 5, code_cycles: 3' "$xy" "$short"
judge computed-mesh 'computes routes on a mesh, in no cycle of their own' "$mesh" "$plain, route_cycles: 0" 'computed: true' "$uniform" "$compute"
judge computed-torus 'on a torus, in one cycle, 3 channels' 'topology: torus, dims: [4, 5]' 'vcs: 3, data_bits: 16, depth_flits: 3, route_cycles: 1' \
  'computed: true' "$uniform" "$compute"
judge computed-cube 'on a hypercube' 'topology: hypercube, n: 4' "$plain, route_cycles: 0" 'computed: true' "$uniform" "$compute"
judge computed-digits 'on a tree by digits of source and destination, slow timing' "$tree" 'vcs: 2, data_bits: 32, depth_flits: 3, route_cycles: 2' \
  'algorithm: s-mod-k, computed: true' "$uniform" "$compute"
judge multicast 'copies flits for two groups' 'topology: mesh, dims: [3, 3]' 'vcs: 2, data_bits: 32, depth_flits: 4, trees: 2' "$xy" \
  'program: multicast, parameters: {groups: 2, members: 5, messages: 40, bytes: 32, unicast: 2}'
judge values 'barriers combine values' 'topology: mesh, dims: [3, 3]' 'vcs: 2, data_bits: 64, depth_flits: 4, barrier: any, values: 1, groups: 2' "$xy" \
  'program: collective, startup_cycles: 10, parameters: {collective: allreduce, algorithm: in-network, operator: sum-u32, bytes: 4, repeat: 40}'
[ ${#done[@]} -gt 0 ] || {
  echo "tests/mutation/every.sh: no switch is called$only; see the list in it" >&2
  exit 2
}

# `of` is the number of mutants that could be drawn.
sql=""
for i in "${!done[@]}"; do
  name=${done[i]} score=$out/${done[i]}/score
  [ -e "$score/mutation.json" ] || continue
  sql+=".import --csv --schema temp $score/mutants.csv one
CREATE TABLE IF NOT EXISTS survivors AS SELECT '' AS name, * FROM one WHERE 0;
INSERT INTO survivors SELECT '$name', * FROM one WHERE verdict = 'survived';
INSERT INTO switches SELECT '$name', '${about[i]}', json_extract(readfile('$score/mutation.json'), '\$.drawn_from'), count(*),
  sum(verdict = 'found'), sum(verdict = 'equivalent'), sum(verdict = 'survived') FROM one;
DROP TABLE one;
"
done
sqlite3 :memory: <<SQL || failed=1
CREATE TABLE switches (switch, about, "of", mutants, found, equivalent, survived);
$sql
CREATE VIEW scores AS SELECT *, round(100.0 * found / max(1, mutants - equivalent), 1) AS score FROM
  (SELECT * FROM switches UNION ALL
   SELECT 'all', '', NULL, sum(mutants), sum(found), sum(equivalent), sum(survived) FROM switches);
.mode column
.headers on
SELECT switch, "of", mutants, found, equivalent, survived, score FROM scores;
.mode csv
.once $out/switches.csv
SELECT switch, "of", mutants, found, equivalent, survived, score FROM scores;
.once $out/survivors.csv
SELECT * FROM survivors;
.mode list
.headers off
.once $out/table.md
SELECT '| switch | of mutants | drawn | found | proved equivalent | left | score |
|---|---|---|---|---|---|---|' UNION ALL
SELECT printf('| %s | %s | %,d | %,d | %,d | %,d | %.1f |', iif(about = '', switch, '\`' || switch || '\`: ' || about),
  iif("of" IS NULL, '', printf('%,d', "of")), mutants, found, equivalent, survived, score) FROM scores;
.once $out/lines.md
SELECT '| line | left | of |
|---|---|---|' UNION ALL
SELECT * FROM (SELECT printf('| %s:%s | %d | %s |', file, line, sum(n), group_concat(name || ' ' || n, ', ')) FROM
  (SELECT file, line, name, count(*) AS n FROM survivors GROUP BY 1, 2, 3) GROUP BY file, line
  ORDER BY sum(n) DESC, file, cast(line AS int));
SQL
echo "$out/table.md, switches.csv, survivors.csv, lines.md"
exit $failed
