#!/usr/bin/env bash
# Tests every exit code of heddle, and that messages name bad input.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit

scenario ok.yaml
exits 0 "a run that agrees ends with 0" "$HEDDLE" run ok.yaml
says out "ok: passed" "the table says that it passed"
says out "cycles compared" "the table says how much was compared"
exits 0 "a quiet run" "$HEDDLE" run -q ok.yaml
equal "$(cat out err)" "" "a quiet run prints nothing"
exits 0 "the model alone" "$HEDDLE" run ok.yaml --dut none
says out "none: the model ran alone" "the model alone says that nothing was compared"

# 2: usage and input
exits 2 "no command" "$HEDDLE"
exits 2 "an unknown command" "$HEDDLE" weave
says err "there is no command 'weave'" "the unknown command is named"
for command in run replay wave diff topo; do
  exits 2 "$command without arguments" "$HEDDLE" "$command"
done
commands=$("$HEDDLE" --help | sed -n '/^Commands:/,/^`/s/^  \([a-z]*\) .*/\1/p')
check "there are commands" test "$(wc -w <<<"$commands")" -ge 15
for command in $commands; do
  exits 2 "$command with an unknown option" "$HEDDLE" "$command" --bogus x
  exits 0 "$command --help" "$HEDDLE" "$command" --help
  says out "Examples:" "$command --help has examples"
  equal "$(sed '1,/^Examples:/d' out | grep -v '^  ')" "" "$command --help breaks no example"
done
exits 0 "--version" "$HEDDLE" --version
exits 0 "--help" "$HEDDLE" --help
says out "130  interrupted" "--help lists the exit codes"
exits 0 "scenario" "$HEDDLE" scenario
says out "fabric.topology" "scenario lists fabric.topology"
says out "extended-tree    two k-ary n-trees" "scenario lists topologies"
exits 0 "scenario --help" "$HEDDLE" scenario --help
says out "Examples:" "scenario --help has examples"
exits 0 "scenario of one key" "$HEDDLE" scenario run.window_cycles
equal "$(cat out)" "  run.window_cycles            1 … 4096 cycles; default 256, less in fabrics of over 512 switches
      how far the model runs ahead of the DUT; changes no result" "scenario of one key says what is legal"
exits 0 "scenario of a section" "$HEDDLE" scenario budgets
equal "$(grep -c '^  budgets\.' out)" "$(grep -c '^  [^ ]' out)" "scenario of a section lists its keys alone"
exits 2 "an unknown key of scenario" "$HEDDLE" scenario run.colour
says err "there is no key 'run.colour'" "the unknown key of scenario is named"
exits 2 "scenario --markdown of one key" "$HEDDLE" scenario --markdown run
exits 0 "studies" "$HEDDLE" study
says out "barrier" "study lists barrier"
exits 2 "an unknown study" "$HEDDLE" study nothing
says err "\`heddle study\` lists all" "says what lists them"
exits 2 "a wrong option of a study" "$HEDDLE" study barrier --only nothing --out study
says err "there are fig12" "says what there is"
exits 0 "programs" "$HEDDLE" programs
says out "uniform" "programs lists uniform"
exits 0 "patterns" "$HEDDLE" programs --patterns
says out "d_i = s_(b−1−i); nodes: a power of two" "programs lists patterns with formula and numbers of nodes"
exits 2 "patterns of one program" "$HEDDLE" programs --patterns uniform
exits 2 "an unknown program" "$HEDDLE" programs nothing
for option in "--seed x" "--seed -1" "--seed 18446744073709551616" "--threads 0" "--threads 65" \
  "--window 0" "--window 4097" "--cycles 0" "--mode half" "--seed 1x"; do
  # shellcheck disable=SC2086
  exits 2 "run $option" "$HEDDLE" run ok.yaml $option
  says err "${option%% *}" "run $option: the option is named"
done
exits 6 "a scenario that is not there" "$HEDDLE" run nothing.yaml
says err "nothing.yaml" "the missing scenario is named"
scenario key.yaml 'run: {cycles: 100, colour: red}'
exits 2 "an unknown key" "$HEDDLE" run key.yaml
says err "key.yaml" "the file of the unknown key is named"
says err "colour" "the unknown key is named"
# A value that the program cannot use is refused before anything is written.
scenario load.yaml 'software: {program: uniform, parameters: {load: 1.5}}'
scenario flits.yaml 'software: {program: uniform, parameters: {flits: 0}}'
scenario burst.yaml 'software: {program: uniform, parameters: {burst_cycles: 10}}'
scenario node.yaml 'software: {program: hotspot, parameters: {node: 16}}'
scenario bytes.yaml 'software: {program: shuffle, packet_bytes: 400000}'
scenario cutter.yaml 'switch: {vcs: 2, data_bits: 16, depth_flits: 8, cut_flits: 3}'
while read -r file key; do
  exits 2 "a bad $key" "$HEDDLE" run "$file.yaml" --dut verilator --cache unused --out "never/$file"
  line=$(grep -n software "$file.yaml")
  says err "heddle: $file.yaml:${line%%:*}: $key: " "a bad $key: file, line and key are named"
  check "a bad $key: no directory is made" test ! -e never -a ! -e unused
done <<'END'
load software.parameters.load
flits software.parameters.flits
burst software.parameters.burst_cycles
node software.parameters.node
bytes software.packet_bytes
cutter software.parameters.flits
END
scenario ring.yaml 'fabric: {topology: graph, file: ring.csv}' 'routing: {algorithm: shortest}'
for i in 0 1 2 3 4 5; do echo "s$i,s$(((i + 1) % 6))"; echo "n$i,s$i"; done >ring.csv
exits 2 "a scenario that can deadlock" "$HEDDLE" run ring.yaml
exits 2 "a backend that is not there" "$HEDDLE" run ok.yaml --dut ./nothing.so
exits 2 "RTL that is not there" "$HEDDLE" run ok.yaml --dut verilator --rtl nothing
says err "there is no such directory" "the missing directory is named"
for dut in model none "$fault:data,5,300"; do
  exits 2 "RTL for ${dut##*/}" "$HEDDLE" run ok.yaml --dut "$dut" --rtl "$root/rtl" --out never
  says err "--rtl $root/rtl: " "RTL for ${dut##*/}: the option is named"
  check "RTL for ${dut##*/}: nothing is run" test ! -e never
done
scenario order.yaml 'run: {cycles: 2000, dut: model, mode: closed, compare: order}'
exits 0 "closed loop, compared by order" "$HEDDLE" run order.yaml
says out "not known" "blocked flit-cycles are not claimed where they cannot be known"
exits 2 "order needs closed loop" "$HEDDLE" run order.yaml --mode decoupled
says err "closed" "the needed mode is named"
for way in any fixed moving queued reserved; do
  for level in order packets; do
    scenario barrier.yaml "switch: {vcs: 2, depth_flits: 8, barrier: $way}" \
      'software: {program: barrier, parameters: {rounds: 5, load: 0.1}}' \
      "run: {cycles: 20000, dut: model, mode: closed, compare: $level}"
    exits 0 "barriers ($way), compared by $level" "$HEDDLE" run barrier.yaml
    says out "first barriers      1: minimum" "barriers ($way), compared by $level: there were some"
  done
done
exits 0 "a run into a directory" "$HEDDLE" run -q ok.yaml --out here/there
exits 2 "a run into the same directory" "$HEDDLE" run -q ok.yaml --out here/there
says err "here/there/run.db" "the run that is there already is named"
exits 2 "a run into it on RTL that is not there" "$HEDDLE" run -q ok.yaml --rtl nowhere --out here/there
says err "here/there/run.db" "the directory is looked at before a DUT is built"
check "that run is still whole" test "$(sql here/there 'SELECT status FROM run')" = passed

# 3: divergence
exits 3 "a divergence" "$HEDDLE" run ok.yaml --dut "$fault:data,5,300"
says out "switch 5" "the divergence's switch is named"
says err "differ first in cycle" "the error says the cycle"

# 4: budgets
scenario latency.yaml 'budgets: {latency_cycles: 12}'
exits 4 "a latency budget" "$HEDDLE" run latency.yaml
says err "budgets.latency_cycles" "the missed latency budget is named"
scenario blocked.yaml 'budgets: {blocked_flit_cycles: 0}'
exits 4 "a budget of blocked flit-cycles" "$HEDDLE" run blocked.yaml
says err "budgets.blocked_flit_cycles" "the missed blocked budget is named"
check "and the link that has most of them" grep -qE "at most [0-9]+ on the link from (node|switch) [0-9]+" err
exits 4 "a latency budget, but no packet is measured" "$HEDDLE" run latency.yaml --set run.warmup_cycles=4999
says err "budgets.latency_cycles: no packet was measured" "is said"
# Packets of the lower priority wait while others go first: none of those that arrive is late.
scenario starved.yaml 'run: {cycles: 2000, dut: model}' 'budgets: {latency_cycles: 1000}' \
  'software: {program: traffic, parameters: {load: 0.9, share: 0.9 | 0.1, priority: 1 | 0}}'
exits 4 "a latency budget that only packets under way have missed" "$HEDDLE" run starved.yaml --out starved
says err "has not arrived 19" "the oldest of them is named with its age"
check "no packet that arrived has missed it" test "$(sql starved 'SELECT latency_maximum FROM run')" -le 1000
scenario barrier-budget.yaml 'budgets: {barrier_cycles: 100000}'
exits 4 "a barrier budget, but no barrier" "$HEDDLE" run barrier-budget.yaml
says err "budgets.barrier_cycles: no barrier was measured" "is said"
scenario kept.yaml 'budgets: {latency_cycles: 100000, blocked_flit_cycles: 1000000}'
exits 0 "budgets that are kept" "$HEDDLE" run kept.yaml
scenario short.yaml 'run: {cycles: 50, dut: model}' \
  'software: {program: shuffle, parameters: {sources: 6, destinations: 10}}'
exits 4 "software that does not finish in time" "$HEDDLE" run short.yaml
says err "run.cycles" "the key that was too small is named"
check "and who has waited longest" grep -qE "the longest wait is that of node [0-9]+: in receive from .* since cycle 0" err
says out "under way at the end" "packets under way are counted"
sed -i 's/dut: model/dut: model, mode: closed, compare: packets/' short.yaml
exits 4 "software that does not finish in time, and drains" "$HEDDLE" run short.yaml
says out " 50 of at most 50, and " "the cycles to drain are counted apart"
says err "in 50 cycles (run.cycles) software has not finished" "and are none of those that the key gave"
scenario phase.yaml 'run: {cycles: 5000, dut: model, measure_cycles: 50}' \
  'software: {program: shuffle, parameters: {sources: 6, destinations: 10}}'
exits 4 "software that does not finish in the measuring phase" "$HEDDLE" run phase.yaml
says err "(run.measure_cycles) software has not finished" "the key that ended the run is named"
scenario cut.yaml 'run: {cycles: 500, dut: model}'
exits 0 "open-loop traffic may be cut" "$HEDDLE" run cut.yaml
says out "under way at the end" "and what is under way is said"

# 5: deadlock
scenario stuck.yaml 'fabric: {topology: graph, file: ring.csv}' 'switch: {vcs: 1, depth_flits: 1}' \
  'routing: {algorithm: shortest, deadlock_check: false}' \
  'software: {program: uniform, parameters: {load: 1.0, flits: 8, cycles: 3000}}' \
  'run: {cycles: 100000, dut: model, watchdog_cycles: 500}'
exits 5 "a deadlock" "$HEDDLE" run stuck.yaml
says err "deadlock" "the deadlock is said"
says err "rule P16 of specification 6.7" "and that it breaks a rule"
says out "  waves of the rule   heddle wave " "with a command that shows how the circle closed"
says out "(specification 6.7) one is broken" "no rule is said to hold that is broken"
says out "these channels wait for each other in a circle" "who waits for whom is printed"
says out ", waiting for credits" "and who injects is said to wait for credits"
check "and not to compute" bash -c "! grep -q 'in computation' out"
scenario lost.yaml 'run: {cycles: 100000, dut: model, mode: closed, compare: packets, watchdog_cycles: 500}'
exits 3 "a DUT that keeps its credits, where the model goes on" "$HEDDLE" run lost.yaml --dut "$fault:credit,5,100"
says err "rule P3 of specification 6.7" "a DUT that keeps its credits breaks a rule"
exits 3 "the same, without rules" "$HEDDLE" run lost.yaml --dut "$fault:credit,5,100" --set run.rules=false
says err "was never received (lost)" "a DUT that cannot be looked into: what it owes is said"
says out "the DUT's switches cannot be looked into" "a DUT that cannot be looked into: that is said"
says out "  switch 5: " "a DUT that cannot be looked into: what its switches hold"
says out "packets under way, the oldest first" "a DUT that cannot be looked into: what is under way"
says out ", waiting for credits" "a DUT that cannot be looked into: who injects"
for cycles in 600 100000; do
  for level in order packets; do
    scenario both.yaml 'fabric: {topology: graph, file: ring.csv}' 'switch: {vcs: 1, depth_flits: 1}' \
      'routing: {algorithm: shortest, deadlock_check: false}' \
      'software: {program: uniform, parameters: {load: 1.0, flits: 8, cycles: 3000}}' \
      "run: {cycles: $cycles, dut: model, mode: closed, compare: $level, watchdog_cycles: 500}"
    exits 5 "model and DUT are stuck, compared by $level for $cycles cycles" "$HEDDLE" run both.yaml
  done
done

# 6: input and output
exits 6 "a run that is not there" "$HEDDLE" replay nothing
: >file
exits 6 "an output directory that is a file" "$HEDDLE" run ok.yaml --out file/run
says err "file" "the bad directory is named"
# A run refuses to write to anything but a regular file; it does not wait for a pipe.
mkfifo pipe
exits 6 "a file as the output directory" "$HEDDLE" run ok.yaml --out file
says err "file: cannot make this directory" "and is named"
exits 6 "a pipe as the output directory" "$HEDDLE" run ok.yaml --out pipe
says err "pipe: cannot make this directory" "and is named"
exits 2 "a pipe as a backend" "$HEDDLE" run ok.yaml --dut ./pipe
says err "./pipe: is no regular file" "and is named"
exits 6 "a pipe as a bitstream" "$HEDDLE" board flash pipe --dry-run
says err "pipe: is no regular file" "and is named"
# refuses CODE FILE NAME ARGUMENT...: if NAME is no regular file, a run ends with CODE, and FILE says so.
refuses() {
  local code=$1 file=$2 name=$3 kind
  shift 3
  for kind in pipe directory device; do
    rm -rf special
    mkdir special
    case $kind in
    pipe) mkfifo "special/$name" ;;
    directory) mkdir "special/$name" ;;
    device) ln -s /dev/null "special/$name" ;;
    esac
    exits "$code" "a $kind instead of $name" "$HEDDLE" run "$@" --out special
    says "$file" "special/$name: is no regular file; remove it" "and is named"
  done
}
refuses 6 err run.db ok.yaml
refuses 6 err packets.csv ok.yaml --csv
for name in report.html report.json report.csv results.xml latency.csv; do refuses 6 err "$name" ok.yaml; done
refuses 6 err latency.svg ok.yaml --plot
for name in waves.fst waves.gtkw flits.txt; do refuses 3 err "$name" ok.yaml --dut "$fault:data,5,300"; done
# A pipe is refused even if a process reads from it.
rm -rf special
mkdir special
mkfifo special/results.xml
exec 9<>special/results.xml
exits 6 "a pipe that is read" "$HEDDLE" run ok.yaml --out special
says err "special/results.xml: is no regular file" "and is named"
check "nothing is written into it" bash -c '! read -r -t 0 -u 9'
exec 9>&-
exits 6 "a full disk" bash -c "ulimit -f 60; exec '$HEDDLE' run ok.yaml --out full"
says err "a file may have 61440 bytes here; raise that limit (ulimit -f)" "is said to be a limit, where it is one"
says err "full/run.db" "the full disk's file is named"
check "and no report that is not there" bash -c "! grep -q report.json out"
exits 6 "few open files" bash -c "ulimit -n 7; exec '$HEDDLE' run ok.yaml --out few"
says err "a process may have 7 open files here; raise that limit (ulimit -n)" "are said"
# Room for the first part of the database only: its pages have the same size on every machine.
scenario filled.yaml 'software: {program: uniform, parameters: {load: 0.2, flits: 4, cycles: 5000}}'
exits 6 "a disk that fills up" bash -c "ulimit -f 180; exec '$HEDDLE' run filled.yaml -q --out filled"
says err "filled/run.db" "and its file is named, with -q, too"
says filled/results.xml "filled/run.db" "and in JUnit's results, which still fit"
equal "$(grep -c '<error' filled/results.xml)" 1 "which call that an error"
exits 3 "a divergence on a disk that fills up" \
  bash -c "ulimit -f 180; exec '$HEDDLE' run filled.yaml -q --dut '$fault:vc,5,4000' --out both"
says err "differ first in cycle 4000" "the divergence is said"
says err "not complete: both/run.db" "and the disk, with -q, too"
says both/results.xml "not complete: both/run.db" "and both in JUnit's results"
if [ -e /dev/full ]; then
  for words in programs --help --version --usage 'run --help' 'check --usage' 'board --help'; do
    exits 6 "output that cannot be written: $words" bash -c "'$HEDDLE' $words >/dev/full"
  done
else
  skip "output that cannot be written" "no /dev/full"
fi

# 11: nothing compared
scenario silent.yaml 'software: {program: uniform, parameters: {load: 0}}'
scenario nobody.yaml 'software: {program: uniform, parameters: {load: 0}}' \
  'run: {cycles: 500, dut: model, mode: closed, compare: packets}'
nothing() {
  exits 11 "$1" "$HEDDLE" run "${@:3}" --out "$2"
  says out ": nothing compared" "$1: the table says so"
  says err "nothing was compared in" "$1: the message, too"
  equal "$(sql "$2" 'SELECT status FROM run')" "nothing compared" "$1: and the database"
}
nothing "no load" silent silent.yaml
nothing "one cycle" first ok.yaml --cycles 1
nothing "no packet" nobody nobody.yaml
exits 0 "no load, and no DUT by wish" "$HEDDLE" run silent.yaml --dut none
says out "none: the model ran alone" "no DUT by wish: that is said"

# 7: tools
exits 3 "a run with waves" "$HEDDLE" run ok.yaml --dut "$fault:vc,5,300" --out waved
mkdir empty
exits 7 "GTKWave is missing" env DISPLAY=:0 PATH="$work/empty" "$HEDDLE" wave waved
says err "gtkwave" "the missing package is named"
# Tools on a full disk: one ends with 0 and half a file, the next one fails. The RTL is not blamed.
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=300k tmpfs small 2>/dev/null; then
  exits 6 "a build on a disk that is full" "$HEDDLE" run ok.yaml --dut verilator --cache small/c --out unbuilt
  umount small
  says err "small/c" "names the place"
  says err "No space left on device" "and says what is wrong with it"
else
  skip "a build on a disk that is full" "only root can mount a small tmpfs, and not in every container"
fi
exits 7 "Verilator is missing" env PATH="$work/empty" "$HEDDLE" run ok.yaml --dut verilator --cache c
says err "verilator" "the missing simulator is named"
mkdir shown
printf '#!/bin/sh\necho shown "$@"\n' >shown/gtkwave
chmod +x shown/gtkwave
exits 7 "no display" env -u DISPLAY -u WAYLAND_DISPLAY PATH="$work/shown:$PATH" "$HEDDLE" wave waved
says err "no display to show waved/waves.fst on" "says what to open"
says err "--png FILE" "and how to do without one"
check "and starts nothing" test ! -s out
printf '#!/bin/sh\necho "Could not initialize GTK!  Is DISPLAY env var/xhost set?"\n' >empty/gtkwave
chmod +x empty/gtkwave
exits 7 "a display that does not answer" env DISPLAY=:0 PATH="$work/empty:$PATH" "$HEDDLE" wave waved
says err "names one that does not answer" "says so"
rm empty/gtkwave
exits 7 "a picture without xvfb-run" env PATH="$work/empty" "$HEDDLE" wave --png p.png waved
says err "apt-get install xvfb" "the missing package is named"
printf '#!/bin/sh\necho "xvfb-run: error: xauth command not found"\nexit 3\n' >shown/xvfb-run
chmod +x shown/xvfb-run
exits 7 "a picture that fails" env PATH="$work/shown:$PATH" "$HEDDLE" wave --png p.png waved
says err "xauth command not found" "says what the tool said"
printf '#!/bin/sh\n' >shown/xvfb-run
exits 7 "a picture that is none" env PATH="$work/shown:$PATH" "$HEDDLE" wave --png p.png waved
check "leaves no picture" test ! -e p.png
# A window of 400 by 80 pixels: names on white below a grey head, black waves to the right.
base64 -d >window.png <<'PNG'
iVBORw0KGgoAAAANSUhEUgAAAZAAAABQCAIAAAC4QrSbAAABW0lEQVR42u3UsQ0AIAwDwew/GeOwAbT0JApIdxO48cc8DEgSUEGwECwEC8ECwUKwECzB
QrAQLAQLBAvBQrBAsBAsBAsEC8FCsECwECwEC66DtSCJZyFYCBaCJVgIFoKFYIFgIVgIFggWgoVggWAhWAgWCBaChWCBYCFYCBYIFoKFYIFgIVgIFggW
goVggWAhWAgWCBY/BqtrsxwIFoIlWAgWgiVYggWChWAhWIKFYCFYgiVY0BUsECwEC8ECwUKwECwQLAQLwQLBQrAQLBAsBAvBAsFCsBAsBAsEC8FCsAQL
wUKwECwQLAQLwQLBQrAQLBAsBAvBAsFCsBAsECwEC8ECwUKwECwQLAQLwQLBQrAQLBAsBAvBAsFCsBAsECwEC8ECwUKwECwQLAQLwQLBQrAQLBAsBAvB
AsFCsBAsECwEC8FCsECwECwES7AQLAQLwQLBQrAQLBAsHrUBUe/dgOk6ZDoAAAAASUVORK5CYII=
PNG
printf '#!/bin/sh\necho "$@" >%s/asked\ncp %s/window.png picture.png\n' "$work" "$work" >shown/xvfb-run
exits 0 "a picture" env -u DISPLAY PATH="$work/shown:$PATH" "$HEDDLE" wave --png p.png waved
check "is a picture" test "$(head -c 4 p.png | tail -c 3)" = PNG
check "is asked of GTKWave with a save file" grep -q "gtkwave -S script.tcl .*waves.gtkw$" asked
exits 6 "a picture where no file can be" env PATH="$work/shown:$PATH" "$HEDDLE" wave --png none/p.png waved
for display in DISPLAY WAYLAND_DISPLAY; do
  exits 0 "$display is a display" env -u DISPLAY -u WAYLAND_DISPLAY "$display=x" PATH="$work/shown:$PATH" \
    "$HEDDLE" wave waved
  says out "shown waved/waves.fst waved/waves.gtkw" "and GTKWave is started"
done
exits 0 "GTKWave after waves that a backend made" env DISPLAY=x PATH="$work/shown:$PATH" \
  "$HEDDLE" wave waved --switch 5 --from 50 --to 60 --dut "$fault:vc,5,300"
says out "shown waved/waves-switch-5-50-60/waves.fst" "is started and has ended well"

# A shell starts a process and then becomes the command. The command ends the processes that it has left behind, but not
# that one.
exits 0 "a command whose output goes through a child of the shell that it was" bash -c 'set -o pipefail
  bash -c "exec > >(tee log); exec \"\$@\"" - "$@" | cat' - "$HEDDLE" topo ok.yaml
says out "between switches" "the child has passed all of it on"
exits 0 "a run beside a server" bash -c 'sleep infinity & echo $! >server; exec "$@"' - "$HEDDLE" run ok.yaml
check "leaves it alone" kill "$(cat server)"
exits 0 "the command of heddle wave" "$HEDDLE" wave --print-command waved
says out "gtkwave waved/waves.fst waved/waves.gtkw" "the command names both files"
summary
