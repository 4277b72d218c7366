#!/usr/bin/env bash
# heddle sweep, run --set: the tables are the same for any workers and any interruptions.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

scenario s.yaml
# shellcheck disable=SC2054
axes=(--set 'software.parameters.load=0.1:0.5:0.2' --set routing.algorithm=dimension-order,up-down
  --phases 200:500:1000 --seeds 3)

# tables DIR: prints the data that must be the same, byte for byte.
tables() {
  cat "$1/points.csv" "$1/runs.csv" "$1/sweep.json"
}
tables_same() {
  if cmp -s <(tables "$1") <(tables "$2"); then ok "$3"; else not_ok "$3" "tables differ"; fi
}

exits 0 "a sweep" "$HEDDLE" sweep s.yaml "${axes[@]}" --out whole --workers 2
says out "18 runs, 0 of them done before" "a sweep counts its runs"
says out "workers, busy for " "and the time of its workers"
equal "$(wc -l <whole/points.csv)" 7 "a row a point"
equal "$(wc -l <whole/runs.csv)" 19 "a row a run"
equal "$(sqlite3 :memory: "SELECT json_valid(readfile('whole/sweep.json'))")" 1 "sweep.json is JSON"
equal "$(sqlite3 whole/campaign.db 'SELECT complete FROM campaign')" 1 "the campaign is complete"

exits 0 "one worker" "$HEDDLE" sweep s.yaml "${axes[@]}" --out one --workers 1
tables_same one whole "one worker writes the same tables as two"
exits 0 "the same command again" "$HEDDLE" sweep s.yaml "${axes[@]}" --out one
says out "18 of them done before" "it carries nothing out again"
tables_same one whole "and writes the same tables"

# A single run with the sweep's settings has the sweep's figures to the last digit.
exits 0 "a single run" "$HEDDLE" run s.yaml --set software.parameters.load=0.3 \
  --set routing.algorithm=up-down --set run.warmup_cycles=200 --set run.measure_cycles=500 \
  --set run.cycles=1700 --set software.parameters.cycles=1700 --seed 2 --out single
column() { # FILE NAME: the column's number
  head -1 "$1" | tr , '\n' | grep -nx "$2" | cut -d: -f1
}
for what in latency_mean throughput offered digest; do
  run=$(tail -1 single/report.csv | cut -d, -f"$(column single/report.csv $what)")
  row=$(grep '^0.3,"up-down",.*,2,passed,' whole/runs.csv | cut -d, -f"$(column whole/runs.csv $what)")
  equal "$row" "$run" "$what of the sweep is that of the run"
done

"$HEDDLE" sweep s.yaml "${axes[@]}" --out stopped --workers 1 >out 2>err &
pid=$!
wait_until $pid test -e stopped/campaign.db
kill -INT $pid
wait $pid
code=$?
if [ $code = 130 ]; then
  ok "Ctrl-C ends a sweep with 130"
  says err "the same command continues the sweep" "and says how to go on"
else
  equal $code 0 "a sweep that was over before Ctrl-C"
fi
exits 0 "a stopped sweep goes on" "$HEDDLE" sweep s.yaml "${axes[@]}" --out stopped
tables_same stopped whole "a stopped sweep writes the same tables"

# Refused with a clear message before anything runs.
exits 2 "another sweep in the directory" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.1 --out whole
says err "another campaign's" "the directory's campaign is named"
exits 2 "too many points" "$HEDDLE" sweep s.yaml --set software.parameters.load=0:1:0.001 \
  --set software.parameters.flits=1:1000:1
says err "1001000 points" "the points are counted"
exits 2 "runs that would end within their warm-up" "$HEDDLE" sweep s.yaml --set run.warmup_cycles=300 --cycles 300 --out within
says err "--cycles 300: the run would end within its warm-up" "is refused"
check "before anything runs" test ! -e within
cp s.yaml changed.yaml
exits 0 "a sweep" "$HEDDLE" sweep changed.yaml --set software.parameters.load=0.1 --dut none --cycles 300 --out changed
sed -i 's/flits: 4/flits: 3/' changed.yaml
exits 2 "the same command with another scenario in its file" "$HEDDLE" sweep changed.yaml \
  --set software.parameters.load=0.1 --dut none --cycles 300 --out changed
says err "begun by the same command, but the scenario or another input has changed since" "is told so"
exits 2 "an axis that is no key" "$HEDDLE" sweep s.yaml --set fabric.dim=1,2
says err "unknown key fabric.dim" "the key is named"
exits 2 "a range downwards" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.5:0.1:0.1
exits 2 "the seed as an axis" "$HEDDLE" sweep s.yaml --set seed=1,2
says err "--seeds" "the right option is named"
exits 2 "no = in --set" "$HEDDLE" run s.yaml --set switch.vcs
exits 2 "an empty name in a key" "$HEDDLE" run s.yaml --set switch..vcs=1
exits 2 "a key deeper than a scenario is" "$HEDDLE" run s.yaml --set a.b.c.d.e.f.g=1
exits 2 "a key below a value" "$HEDDLE" run s.yaml --set name.x=1
exits 2 "a value that is no YAML" "$HEDDLE" run s.yaml --set 'name=['
exits 2 "an illegal value" "$HEDDLE" run s.yaml --set switch.vcs=99
says err "switch.vcs" "the key is named"
sqlite3 one/campaign.db 'PRAGMA user_version = 9'
exits 2 "a campaign of another version" "$HEDDLE" sweep s.yaml "${axes[@]}" --out one
says err "version 9" "the version is named"
exits 6 "a directory that cannot be made" "$HEDDLE" sweep s.yaml "${axes[@]}" --out /proc/no/way

# A file that the scenario names is part of what its runs depend on.
cp "$root/tests/scenarios/ring-up-down.yaml" "$root/tests/scenarios/ring-8.csv" .
ring=(sweep ring-up-down.yaml --dut none --set "switch.vcs=2,4" --out ring)
exits 0 "a sweep over a graph's file" "$HEDDLE" "${ring[@]}"
exits 0 "it goes on" "$HEDDLE" "${ring[@]}"
says out "2 of them done before" "with what it has"
echo "# changed" >>ring-8.csv
exits 2 "but not when the file has changed" "$HEDDLE" "${ring[@]}"
says err "other RTL or another Heddle" "and says so"

# Seeds until the mean is known.
exits 0 "a precise sweep" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.05 \
  --phases 200:500:1000 --seeds 50 --precision 5 --out precise
check "it takes fewer seeds than it may" test "$(wc -l <precise/runs.csv)" -lt 51
# A bug shows as failed runs and in the exit code.
exits 3 "a DUT that differs" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.1,0.2 \
  --dut "$fault:data,3,50" --out differs
says err "2 of 2 runs failed" "failed runs are counted"
equal "$(grep -c ',divergence,' differs/runs.csv)" 2 "the status stands in the table"

# A budget that is missed is no pass, and its load still counts.
exits 4 "runs that miss a budget" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.1 \
  --phases 200:500:1000 --set budgets.latency_cycles=3,1000 --out missed
check "are told in the table" grep -qE "^3 .* 1 MISSED  budgets.latency_cycles: largest latency is [0-9]+ cycles, allowed 3" out
says err "1 of 2 runs failed" "are counted"
check "on the page, too" grep -q 'id="verdict">1 failed run' missed/report.html
equal "$(grep -c ',accepted,' missed/points.csv)" 2 "and their load is accepted"

if command -v gnuplot >/dev/null; then
  exits 0 "a plot" "$HEDDLE" sweep s.yaml "${axes[@]}" --out whole --plot
  check "there is a picture" grep -q "saturated" whole/sweep.svg
  check "and one for a paper" grep -q "^%PDF" whole/sweep.pdf
  equal "$(awk -F, 'NR > 1' whole/sweep.csv | wc -l)" "$(awk -F, 'NR > 1' whole/points.csv | wc -l)" \
    "the figure's data has every point"
  rm whole/sweep.svg
  exits 0 "the script draws it again" gnuplot -e "cd 'whole'; load 'sweep.gp'"
  check "as it was" grep -q "saturated" whole/sweep.svg
  exits 0 "curves of two sweeps" "$HEDDLE" sweep s.yaml --set software.parameters.load=0.05,0.1 \
    --set switch.vcs=4 --phases 200:500:1000 --out second --beside whole
  equal "$(grep -c "^NAMES\[" second/sweep.gp)" "$(($(grep -c "^NAMES\[" whole/sweep.gp) + 1))" \
    "stand in one figure"
  check "with their directories, where their names are one" grep -q ',"s (second)",' second/sweep.csv
  check "each with its own" grep -q ',"s (whole), ' second/sweep.csv
  exits 2 "what is no sweep" "$HEDDLE" sweep s.yaml "${axes[@]}" --out whole --beside plain
  says err "plain is not the directory of a sweep" "is refused"
else
  skip "a plot" "gnuplot is missing, package gnuplot-nox"
fi

mpi() { # N COMMAND...
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n "$@"
}
whom=(worker whole)
if command -v mpirun >/dev/null && [ -e "$(dirname "$HEDDLE")/hd_mpi.so" ]; then
  whom+=(rank0)
fi

# Kills a sweep at 20 moments: a worker, all processes, or rank 0. A moment is an event of the runs, counted over all
# processes (kill.c), and is drawn. Finished runs are kept, and the same command continues the sweep up to its end. Then the
# next sweep is killed.
seed=${HD_SEED:-11}
echo "moments by seed $seed; replay: HD_SEED=$seed tests/cli/test_sweep.sh"
RANDOM=$seed
kills=20
killing=(sweep s.yaml "${axes[@]}" --dut "${fault%/*}/kill.so")
KILL_EVENTS=events exits 0 "a sweep on a DUT that counts" "$HEDDLE" "${killing[@]}" --out alone --workers 2
events=$(stat -c %s events)
check "it has events to be killed at" test "$events" -gt 100
echo "$events events"

# goes_on COMMAND...: continues when no process of the killed sweep uses the directory any more.
goes_on() {
  until { "$@" >out 2>err; } 2>/dev/null; [ $? != 6 ] || ! grep -q 'another heddle' err; do sleep 0.05; done
}
# kill_once WHO WORKERS: kills the sweep in `killed` at the drawn moment or a later one. False: the sweep reached its end.
kill_once() {
  local who=$1 moment=$((1 + (RANDOM * 32768 + RANDOM) % (events / 2))) launch=()
  rm -f events events.killed
  [ "$who" != rank0 ] || launch=(mpi 2)
  KILL_EVENTS=$PWD/events KILL_AT=$moment KILL_WHO=$who HEDDLE_SILENCE_SECONDS=3 \
    goes_on "${launch[@]}" "$HEDDLE" "${killing[@]}" --out killed --workers "$2"
  [ -e events.killed ]
}
done_kills=0 whole_ends=0 gone_on=0
for ((attempt = 0; done_kills < kills && attempt < 200; attempt++)); do
  who=${whom[done_kills % ${#whom[@]}]}
  if kill_once "$who" $((1 + attempt % 3)); then
    done_kills=$((done_kills + 1))
  fi
  before=$(sqlite3 killed/campaign.db 'SELECT count(*) FROM tasks' 2>/dev/null)
  if [ "${before:-0}" -gt 0 ] && [ "$before" -lt 18 ]; then
    gone_on=$((gone_on + 1))
  fi
  if [ "$(sqlite3 killed/campaign.db 'SELECT complete FROM campaign' 2>/dev/null)" = 1 ] && [ -e killed/points.csv ]; then
    whole_ends=$((whole_ends + 1))
    cmp -s <(tables killed) <(tables alone) || not_ok "kill $done_kills, $who" "the tables differ"
    mv killed "ended-$whole_ends"
  fi
done
equal "$done_kills" "$kills" "a sweep is killed $kills times"
check "some of them while runs had ended and others had not" test "$gone_on" -gt 3
goes_on "$HEDDLE" "${killing[@]}" --out killed --workers 2
tables_same killed alone "after the last kill it comes to its end, with the same tables"
check "so did sweeps in between, $whole_ends of them" test "$whole_ends" -gt 1
equal "$(wc -l <killed/runs.csv)" 19 "all runs are there"

if [ ${#whom[@]} = 3 ]; then
  exits 0 "two ranks" mpi 2 "$HEDDLE" sweep s.yaml "${axes[@]}" --out ranks
  tables_same ranks whole "two ranks write the same tables"
  # If a rank dies, its run is given to another one.
  HEDDLE_SILENCE_SECONDS=3 mpi 3 --enable-recovery "$HEDDLE" sweep s.yaml "${axes[@]}" \
    --set run.watchdog_cycles=9999 --out dying >out 2>err &
  pid=$!
  children() { # as many as there are ranks, and one of them at work
    launcher=$(pgrep -P $pid -x mpirun || echo $pid)
    [ "$(pgrep -c -P "$launcher")" = 3 ] && [ -e dying/campaign.db ]
  }
  wait_until $pid children
  kill -KILL "$(pgrep -P "$launcher" | tail -1)"
  wait $pid
  exits 0 "a sweep whose rank died is whole, or goes on" "$HEDDLE" sweep s.yaml "${axes[@]}" \
    --set run.watchdog_cycles=9999 --out dying
  equal "$(wc -l <dying/runs.csv)" 19 "all its runs are there"
  # If a rank dies while MPI ends, after everything was written, the others do not wait for it for ever.
  for rank in 0 2; do
    HEDDLE_SILENCE_SECONDS=3 exits 0 "rank $rank dies at the end of MPI" mpi 3 --enable-recovery -x FINALIZE_KILLS=$rank \
      -x LD_PRELOAD="${fault%/*}/finalize.so" "$HEDDLE" sweep s.yaml "${axes[@]}" --out at-the-end-$rank
    tables_same at-the-end-$rank whole "its tables are whole"
    [ $rank = 0 ] || says out "18 runs, 0 of them done before" "and all is printed"
  done
  # If rank 0 ends before it has given out any run, the others end, too, with the exit code of rank 0.
  exits 2 "another sweep in the directory, over two ranks" mpi 2 "$HEDDLE" sweep s.yaml \
    --set software.parameters.load=0.1 --out whole
  says err "another campaign's" "is refused as in one process"
  # As with the mpirun of another MPI: each process is alone.
  exits 7 "processes that are alone" env PMI_SIZE=2 PMI_RANK=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
    "$HEDDLE" sweep s.yaml "${axes[@]}" --out lonely
  says err "was built for another MPI" "say so"
  exits 2 "one run over two ranks" mpi 2 "$HEDDLE" run s.yaml --out spread
  says err "a run is one; leave mpirun out, or take heddle sweep" "is refused"
  check "before it has written anything" test ! -e spread
else
  skip "two ranks" "Open MPI is missing, packages openmpi-bin and libopenmpi-dev"
fi

summary
