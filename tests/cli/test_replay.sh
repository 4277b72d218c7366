#!/usr/bin/env bash
# Replay gives the same run; diff finds differences; a divergence is at the same place in every mode.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

scenario mesh.yaml 'trace: {hops: true}'
exits 0 "a first run" "$HEDDLE" run mesh.yaml --seed 18446744073709551615 --window 7 --threads 2 --out first
exits 0 "its replay" "$HEDDLE" replay first --out again
says out "same digest" "the replay says that the digest is the same"
equal "$(sql again 'SELECT seed, window_cycles, threads, replay_of FROM run')" \
  "18446744073709551615|7|2|first" "the replay has the first run's settings"
exits 0 "run and replay are equal" "$HEDDLE" diff first again
says out "equal" "and diff says so"
rm mesh.yaml
exits 0 "a replay without the scenario's file" "$HEDDLE" replay first/run.db --out third
says out "same digest" "is the same, too"

# Another window, thread count and mode: the same digest.
for settings in "--window 1" "--window 256" "--window 4096 --threads 2" "--mode closed"; do
  # shellcheck disable=SC2086
  "$HEDDLE" replay first $settings --out "s${settings// /}" >out 2>err </dev/null
  says out "same digest" "the same digest with $settings"
done

# A graph file is found from another directory.
mkdir graphs elsewhere
for i in 0 1 2 3; do echo "s$i,s$(((i + 1) % 4))"; echo "n$i,s$i"; done >graphs/ring.csv
scenario graphs/ring.yaml 'fabric: {topology: graph, file: ring.csv}' 'routing: {algorithm: up-down}'
exits 0 "a run of a graph" "$HEDDLE" run graphs/ring.yaml --out graphs/run
exits 0 "its replay from elsewhere" env -C elsewhere "$HEDDLE" replay ../graphs/run --out replayed
says out "same digest" "finds the graph's file"
equal "$(sql graphs/run 'SELECT key, bytes FROM files')" "fabric.file|$(wc -c <graphs/ring.csv)" "the file is written down"
echo "# a remark" >>graphs/ring.csv
exits 2 "a graph that has changed" "$HEDDLE" replay graphs/run --out changed
says err "graphs/ring.csv has changed since the run" "the changed graph is named"
says err "--force" "the way out is said"
check "and nothing was run" test ! -e changed
exits 0 "a graph that has changed, by force" "$HEDDLE" replay graphs/run --force --out forced
says err "warning: fabric.file" "is warned of"
says out "same digest" "and replayed"
rm graphs/ring.csv
exits 6 "a graph that is gone" "$HEDDLE" replay graphs/run --out gone
printf '0,0,5,64\n9,5,0,64\n' >trace.csv
scenario traced.yaml 'software: {program: replay, parameters: {file: trace.csv}}'
exits 0 "a run of a trace" "$HEDDLE" run traced.yaml --out traced
exits 0 "its replay" "$HEDDLE" replay traced --out retraced
sed -i 's/9,/8,/' trace.csv
exits 2 "a trace that has changed" "$HEDDLE" replay traced --out changed
says err "trace.csv has changed since the run" "the changed trace is named"
mkfifo pipe.csv
scenario piped.yaml 'software: {program: replay, parameters: {file: pipe.csv}}'
cat trace.csv >pipe.csv &
exits 0 "a trace out of a pipe" "$HEDDLE" run piped.yaml --out piped
equal "$(sql piped 'SELECT messages_received FROM run')" 2 "is read once, and whole"
cat /dev/zero >pipe.csv &
exits 2 "a trace that is no text" "$HEDDLE" run piped.yaml --out zeroes
wait # the next reader of the pipe would get the remaining bytes
says err "pipe.csv is no trace: it is not text" "and is said to be none"
yes '#' >pipe.csv &
exits 2 "a trace without end" "$HEDDLE" run piped.yaml --out endless
says err "more than 268435456 bytes" "and its limit is said"
rm pipe.csv
printf '\357\273\277cycle,source,destination,bytes\n0,0,5,64\n9,5,0,64\n' >marked.csv
scenario marked.yaml 'software: {program: replay, parameters: {file: marked.csv}}'
exits 0 "a trace with a byte-order mark" "$HEDDLE" run marked.yaml --out marked
equal "$(sql marked 'SELECT messages_received FROM run')" 2 "is read as one without"

# Refuses anything but a regular file; does not wait for a pipe.
mkfifo fifo.db fifo.yaml fifo.csv
exits 6 "a pipe as a run" "$HEDDLE" diff fifo.db fifo.db
says err "fifo.db: is not a file" "and is named"
mkdir piped_run
mkfifo piped_run/run.db
exits 6 "a pipe as a run's database" "$HEDDLE" replay piped_run
exits 6 "a pipe as a scenario" "$HEDDLE" run fifo.yaml
scenario graph_fifo.yaml 'fabric: {topology: graph, file: fifo.csv}'
exits 6 "a pipe as a graph" "$HEDDLE" run graph_fifo.yaml
scenario graph_zero.yaml 'fabric: {topology: graph, file: /dev/zero}'
exits 6 "a device as a graph" "$HEDDLE" run graph_zero.yaml
says err "/dev/zero: is no regular file" "and is named"
mkdir rtl
cp "$root"/rtl/*.v rtl
mkfifo rtl/pipe.v
exits 6 "a pipe among the RTL" "$HEDDLE" run traced.yaml --dut verilator --rtl rtl
says err "rtl/pipe.v: is no regular file" "and is named"

sqlite3 traced/run.db 'DROP TABLE files'
exits 0 "a database that knows no files" "$HEDDLE" replay traced --out older

# Differences
scenario mesh.yaml 'trace: {hops: true}'
"$HEDDLE" run -q mesh.yaml --out one
"$HEDDLE" run -q mesh.yaml --seed 2 --out two
exits 1 "runs with other seeds differ" "$HEDDLE" diff one two
says out "first difference in cycle" "the first difference is said"
says out "latency, B less A" "and the distribution of the rest"
exits 0 "a run is equal to itself" "$HEDDLE" diff one one
scenario other.yaml 'switch: {vcs: 2, data_bits: 16, depth_flits: 8}'
"$HEDDLE" run -q other.yaml --out other
exits 2 "other scenarios are refused" "$HEDDLE" diff one other
says err "--force" "the way out is said"
exits 1 "unless forced" "$HEDDLE" diff --force one other
exits 6 "diff of a run that is not there" "$HEDDLE" diff one nothing
exits 6 "its replay" "$HEDDLE" replay nothing
exits 6 "its waves" "$HEDDLE" wave nothing
echo garbage >bad.db
exits 2 "diff of garbage" "$HEDDLE" diff one bad.db
says err "bad.db: not a run database" "and that is said"
printf x >byte.db
exits 2 "diff of one byte" "$HEDDLE" diff one byte.db
says err "byte.db: not a run database" "and that is said"
: >empty.db
exits 2 "diff of an empty file" "$HEDDLE" diff one empty.db
says err "empty.db: the run was killed before it had written anything" "which a killed run leaves"

# Divergences: found at the same place in every mode, replayed by the printed command.
for kind in data vc lost credit; do
  rm -rf d-*
  exits 3 "$kind: decoupled" "$HEDDLE" run mesh.yaml --dut "$fault:$kind,6,123" --out d-window
  place=$(sql d-window 'SELECT cycle, switch, port, vc, difference FROM divergences')
  says out "DIVERGENCE in cycle ${place%%|*}, switch 6" "$kind: the explanation names the place"
  says out "heddle replay d-window" "$kind: the command that reproduces it is printed"
  exits 3 "$kind: that command" bash -c "$(grep -o 'heddle replay d-window.*' out | head -1 | sed "s|^heddle|'$HEDDLE'|") --out d-replay"
  says out "same divergence" "$kind: it reproduces the divergence"
  exits 3 "$kind: closed loop" "$HEDDLE" replay d-window --dut "$fault:$kind,6,123" --mode closed --out d-closed
  equal "$(sql d-closed 'SELECT cycle, switch, port, vc, difference FROM divergences')" "$place" \
    "$kind: closed loop finds the same place"
  exits 3 "$kind: window of 11" "$HEDDLE" replay d-window --dut "$fault:$kind,6,123" --window 11 --threads 2 --out d-eleven
  equal "$(sql d-eleven 'SELECT cycle, switch, port, vc, difference FROM divergences')" "$place" \
    "$kind: a window of 11 finds the same place"
  equal "$(sql d-window "SELECT count(*) FROM packets WHERE received > ${place%%|*}")" 0 \
    "$kind: no packet is received behind the divergence"
  exits 0 "$kind: waves" test -s d-window/waves.fst -a -s d-window/waves.gtkw
  exits 0 "$kind: a DUT without the fault" "$HEDDLE" replay d-window --dut model --out d-good
  says out "is gone" "$kind: the replay says that the divergence is gone"
done
exits 2 "a shared object that a database names" "$HEDDLE" replay d-window --out d-unsaid
says err "--dut $fault:credit,6,123" "is loaded when it is said again"
check "and nothing was run" test ! -e d-unsaid
exits 2 "nor for waves of other cycles" "$HEDDLE" wave -p d-window --from 0
says err "--dut $fault:credit,6,123" "unless it is said again"
exits 0 "which makes them" "$HEDDLE" wave -p d-window --from 0 --to 50 --dut "$fault:credit,6,123"
exits 0 "waves that are there need no DUT" "$HEDDLE" wave -p d-window
"$HEDDLE" run mesh.yaml --dut "$fault:data,6,123" >out 2>err
for text in "  model " "  DUT " "  packet " "  way " "output flits of switch 6" "state at the start of cycle" \
  "handed over in cycle"; do
  says out "$text" "the explanation has '$text'"
done
exits 3 "a directory with blanks and quotes" "$HEDDLE" run mesh.yaml --dut "$fault:data,6,123" --out "it's odd"
again=$(grep -A1 'reproduce it by' out | sed -n 's/^ *heddle //p')
rc=0
eval "\"$HEDDLE\" $again --out as_said" >out 2>err || rc=$?
equal "$rc" 3 "what is said reproduces it"
says out "same divergence" "in the same place"
"$HEDDLE" run mesh.yaml --dut "$fault:credit,6,123" >out 2>err
says out "returned credits differ" "a lost credit is called so"
says out "and those popped when the credit was decided" "the flit behind the credit is shown"
says out "].vc_next" "and the output that it wanted"
says out "  packet  " "and the packet that the credit is for"
says out "which the model alone took out" "and who took its flit"
grep -A99 DIVERGENCE out | sed '/so far/d; /reproduce/,$d' >decoupled
"$HEDDLE" run mesh.yaml --mode closed --dut "$fault:credit,6,123" --out c-closed >out 2>err
check "in closed loop all is the same" diff decoupled <(sed '/so far/d; /reproduce/,$d' out)
# A barrier credit has no virtual channel.
scenario meet.yaml 'switch: {vcs: 2, barrier: any, data_bits: 32}' \
  'software: {program: barrier, parameters: {rounds: 20, load: 0.1}}' 'run: {cycles: 20000, dut: model}'
exits 3 "a lost barrier credit" "$HEDDLE" run meet.yaml --dut "$fault:barrier,6,123" --out meet
says out "barrier credit" "is called a barrier credit"
says out "returned credits differ" "among credits"
says out "  model   a barrier credit" "that the model gives"
says out "  DUT     no credit" "and the DUT does not"
says out "    unit.act 1, .turn" "in the state the barrier unit acts"
says out "    in[2].queued 1" "on a message that waits"
says err "barrier credit (credit)" "the error names it, too"
equal "$(sql meet 'SELECT vc, expected_credits, got_credits FROM divergences')" "8|256|0" "the database has number 8"
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('meet/report.json'), '$.divergence.channel')")" \
  "barrier credit" "JSON has its name"
check "GTKWave's marker says so" grep -q "credits differ, model 0x100, rtl 0" meet/waves.gtkw
check "and shows its row" grep -q "in_barrier_credit" meet/waves.gtkw
exits 3 "it replays" "$HEDDLE" replay meet --dut "$fault:barrier,6,123" --mode closed --out meet2
says out "same divergence" "to the same divergence"
# A count is for the whole switch.
scenario counts.yaml 'fabric: {topology: mesh, dims: [3, 3]}' 'switch: {vcs: 2, cut_flits: 4}' \
  'routing: {algorithm: adaptive, congestion: count}' \
  'software: {program: uniform, parameters: {load: 0.4, flits: 4, cycles: 400}}' 'run: {cycles: 2000, dut: model}'
exits 3 "a wrong count" "$HEDDLE" run counts.yaml --dut "$fault:number,4,123" --out counts
says out "returned credits differ" "is a difference among credits"
says out "  model   count " "the model's count"
says out "  packet  not known: a count is of all packets inside the switch" "why no packet is named"
says out "    packets " "in the state is how many there are"
says err "count (credit)" "the error names it"
equal "$(sql counts 'SELECT vc, ((expected_credits | got_credits) - (expected_credits & got_credits)) >> 9 FROM divergences')" "9|1" "the database has number 9"
check "GTKWave shows its row" grep -q "in_count" counts/waves.gtkw
exits 3 "it replays" "$HEDDLE" replay counts --dut "$fault:number,4,123" --mode closed --out counts2
says out "same divergence" "to the same divergence"
equal "$(sql c-closed 'SELECT p.source FROM divergences d JOIN packets p ON p.number = d.packet')" 5 \
  "the packet is in the database"
"$HEDDLE" run mesh.yaml --dut "$fault:gift,6,3" >out 2>err
says out "  packet  not known: the channel was empty" "a credit for nothing: why no packet is named"
"$HEDDLE" run mesh.yaml --dut "$fault:gift,6,243" >out 2>err
says out "which the DUT alone took out" "a credit too early: who took the flit"

# A difference of the switch, without a port.
for mode in decoupled closed; do
  exits 3 "quiescent_o that lies, $mode" "$HEDDLE" run mesh.yaml --dut "$fault:quiet,6,123" --mode $mode --out quiet-$mode
  says out "DIVERGENCE in cycle 123, switch 6: quiescent_o differs" "$mode: is said without a port"
  says err "differ first in cycle 123: switch 6 (quiescent)" "$mode: in the error, too"
  says quiet-$mode/results.xml "differ first in cycle 123: switch 6 (quiescent)" "$mode: and in JUnit's results"
  equal "$(sql quiet-$mode 'SELECT port, vc FROM divergences')" "255|255" "$mode: the database has none"
  equal "$(sqlite3 :memory: "SELECT json_extract(readfile('quiet-$mode/report.json'), '$.divergence.port', '$.divergence.channel')")" \
    '[255,"vc -"]' "$mode: nor has JSON"
done
exits 3 "its replay with another bug" "$HEDDLE" replay quiet-closed --dut "$fault:data,6,200"
says out "another divergence: it was in cycle 123, switch 6" "says what it was"
check "and names no port" bash -c "! grep -q 'switch 6, port 255' out"
summary
