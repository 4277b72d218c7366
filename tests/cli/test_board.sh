#!/usr/bin/env bash
# heddle run --dut board and heddle board: one digest, a bug found at the same place as on other backends, the ladder.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
# ── devices that are no boards ────────────────────────────────────────────────
scenario nowhere.yaml 'fabric: {topology: mesh, dims: [2]}' 'software: {program: uniform}' 'run: {cycles: 100}'
for command in false 'sleep 0.2' 'kill -9 $$' no-such-command; do
  exits 6 "a pipe whose command ends: $command" "$HEDDLE" board check "pipe:$command"
  says out "before a board answered; try it in a shell" "is named"
  check "with no advice on serial lines" bash -c '! grep -q "baud\|usually" out'
done
exits 6 "such a pipe as the DUT" "$HEDDLE" run nowhere.yaml --dut board:pipe:false --out never
says err "pipe:false: the command ended (exit code 1) before a board answered" "is named"
exits 6 "a pipe that is silent" "$HEDDLE" board check 'pipe:exec cat >/dev/null' --patience 10
says out "no answer from a board at pipe:exec cat >/dev/null, in 8 tries" "is asked eight times"
says out "nothing came: no board is behind it" "and told"
exits 6 "a port that nobody listens at" "$HEDDLE" board check tcp:127.0.0.1:1
says out "is the program or bridge that has the board running there?" "is told"
exits 2 "no port" "$HEDDLE" board check tcp:localhost
says out "must be tcp:HOST:PORT" "is told"

if ! command -v verilator_bin >/dev/null; then
  skip "virtual boards" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
# Four boards of it are built; test_board_bad_line has the same.
small='switch: {ports: 3, vcs: 1, depth_flits: 2, nodes: 2, barrier: any, groups: 2}'
scenario two.yaml 'fabric: {topology: mesh, dims: [2]}' "$small" \
  'software: {program: barrier, parameters: {rounds: 10, load: 0.2}}' 'run: {cycles: 4000}'

exits 0 "the model" "$HEDDLE" run two.yaml --dut model --out model
exits 0 "a virtual board agrees" "$HEDDLE" run two.yaml --dut board:virtual --out board
says out "the RTL's own assertions are off" "and says that it has no assertions"
equal "$(sql board 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "one digest"
counted() {
  sed -nE "s/^    \"$2\": ([0-9]+),?\$/\1/p" "$1/report.json"
}
equal "$(counted board board_frames_good)" "$(counted board board_requests)" \
  "the board carried every good frame out"
equal "$(($(counted board bytes_out) > $(counted board bytes_in)))" 1 "more goes to the board than comes back"
exits 0 "at the baud rate that is asked for" "$HEDDLE" run two.yaml --dut board:virtual,baud=9600 --out slow
equal "$(sql slow 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "with that digest"
exits 2 "a baud rate that no line has" "$HEDDLE" run two.yaml --dut board:virtual,baud=12345 --cache none --out no
says err "no serial line has 12345 baud" "is refused"
check "before anything is built" test ! -e none
exits 0 "by events, too" "$HEDDLE" run two.yaml --dut board:virtual,events --out events
equal "$(sql events 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "and one digest"
exits 0 "in closed loop, too" "$HEDDLE" run two.yaml --dut board:virtual --mode closed --out closed
equal "$(sql closed 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "and again"

cp -r "$root/rtl" rtl
sed -i 's/assign data_o = \(.*\);/assign data_o = \1 \& ~{{(WIDTH-1){1'"'"'b0}}, \&\1[3:1]};/' rtl/hd_flit_memory.v
exits 3 "a bug on Verilator" "$HEDDLE" run two.yaml --dut verilator --rtl rtl --out bug
exits 3 "a bug on a board" "$HEDDLE" run two.yaml --dut board:virtual,rtl=rtl --out board_bug
first='SELECT cycle, switch, port FROM divergences'
equal "$(sql board_bug "$first")" "$(sql bug "$first")" "in the same cycle, switch and port"
for part in grants state packet dut; do
  equal "$(sqlite3 :memory: "SELECT json_extract(readfile('board_bug/report.json'), '$.divergence.$part')")" \
    "$(sqlite3 :memory: "SELECT json_extract(readfile('bug/report.json'), '$.divergence.$part')")" \
    "explained alike: $part"
done
check "with waves" test -s board_bug/waves.fst
exits 0 "waves of other cycles" "$HEDDLE" wave -p board_bug --switch 0 --from 10 --to 60
check "of the board's ports" grep -q '^+{rtl port0 out_flit} rtl.port0.out_flit' board_bug/waves-switch-0-10-60/waves.gtkw
exits 2 "another RTL than the board's" "$HEDDLE" run two.yaml --dut board:virtual --rtl rtl --out no
says err "board:virtual,rtl=" "is answered with the right words"

# Tools that fail: a failed build leaves its log where virtual boards are built.
mkdir fake
cat >fake/verilator_bin <<'END'
#!/bin/bash
echo 1
[[ $1 = --version || $1 = -V ]]
END
chmod +x fake/verilator_bin
cp fake/verilator_bin fake/yosys
cp fake/verilator_bin fake/sh
printf 'heddle name=x clocks_per_bit=4\n' | tee bits.asc >bits.pcf
printf 'heddle name=x clocks_per_bit=4 baud=3000000\n' | tee fast.asc >fast.pcf
exits 2 "another baud rate than a bitstream's" "$HEDDLE" run two.yaml --dut bitstream:fast.asc,baud=115200 --out no
says err "was built for 3000000 baud" "is refused in words"
for dut in board:virtual board:virtual:bits.asc; do
  exits 7 "a build of $dut that fails" env PATH="$work/fake:$PATH" "$HEDDLE" run two.yaml --dut "$dut" --cache "kept/$dut" --out no
  check "is where --cache says" test -s "$(echo "kept/$dut"/*.log)"
  check "and was announced" grep -q '^building .* virtual board' err
done
cat >>fake/verilator_bin <<END
[[ \$1 = --version ]] || { touch "$work/began"; sleep 1000; }
END
PATH="$work/fake:$PATH" env --default-signal "$HEDDLE" run two.yaml --dut board:virtual --cache kept \
  --progress --out no >out 2>err </dev/null &
pid=$!
wait_until "$pid" test -e began
wait_until "$pid" grep -q "^building the virtual board, [0-9]* s$" err
kill -INT "$pid"
rc=0
wait "$pid" || rc=$?
equal "$rc" 130 "Ctrl-C ends a build"
says err "interrupted while verilator_bin ran" "and that is said"
check "a long build tells how long it takes" grep -q "^building the virtual board, [0-9]* s$" err
check "and no run was begun" test ! -e no
exits 2 "a cache directory that cannot be told" "$HEDDLE" run two.yaml --dut board:virtual --cache a,b --out no
says err "no comma" "says why"

"$HEDDLE" board virtual two.yaml --baud 1000000 >device 2>virtual_err </dev/null &
pid=$!
wait_until "$pid" test -s device
line=$(cat device),baud=1000000,patience=20000 # the machine may be busy
exits 0 "the ladder" "$HEDDLE" board check "$(cat device)" --baud 1000000 --patience 20000 --soak 2
says out "ok    soak" "up to the soak"
says out "2 switches" "and it says what the board holds"
check "and leaves nothing behind" test ! -e runs
exits 0 "a run on that board" "$HEDDLE" run two.yaml --dut "board:$line" --out by_device
equal "$(sql by_device 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "one digest"
exits 2 "more switches than the board's" "$HEDDLE" run "$root/tests/scenarios/mesh-8x8-uniform.yaml" \
  --dut "board:$line" --out other
exits 2 "other parameters than the board's" "$HEDDLE" run two.yaml --set switch.groups=4 --dut "board:$line" --out other
says err "switch.groups is 2, needed is 4" "are refused with both values"
check "and no run was begun for them" test ! -e other
exits 6 "another baud rate than the board's" "$HEDDLE" run two.yaml --dut "board:$(cat device),patience=10" --out gone
says err "no answer from a board at $(cat device), 115200 baud" "is not understood, as over a cable"
says err "its line has another baud rate" "and that is said"
scenario long.yaml 'fabric: {topology: mesh, dims: [2]}' "$small" \
  'software: {program: uniform, parameters: {load: 0.2, cycles: 1000000000}}' 'run: {cycles: 1000000000}'
env --default-signal "$HEDDLE" run long.yaml --dut "board:$line,wait=86400" --out pulled >out 2>err </dev/null &
run=$!
has_packets() { [ "$(sql pulled 'SELECT count(*) > 0 FROM packets' 2>/dev/null)" = 1 ]; }
wait_until "$run" has_packets
kill -9 "$(pgrep -P "$pid")"
wait_until "$run" grep -q "line gone" err
says err "board $(cat device): line gone, waiting 86400 s for it" "a board that is gone is told at once"
kill -INT "$run"
rc=0
wait "$run" || rc=$?
equal "$rc" 130 "Ctrl-C while a board is gone ends the run"
says err "interrupted at cycle" "and it is said where"
check "which comes back by itself" bash -c "! grep -q 'given up' out err pulled/results.xml"
exits 6 "a board whose device is gone" "$HEDDLE" run two.yaml --dut "board:$(cat device),wait=1,patience=20" --out gone
exits 7 "the command of a virtual board that died" wait "$pid"
says virtual_err "ended by itself (signal 9)" "says so"
exits 6 "no device" "$HEDDLE" board check /dev/hd-not-there
says out "FAIL  link" "ends the ladder at its first rung"
says out "usually: the board is not plugged in" "with what that means"
for device in /dev/null "$PWD" two.yaml; do
  exits 6 "$device is no line" "$HEDDLE" board check "$device"
  check "of which no hint speaks that does not fit" test "$(wc -l <out)" = 1
done
exits 6 "no directory to work in" env TMPDIR="$PWD/none" "$HEDDLE" board check /dev/null
says err "no directory under $PWD/none" "is said"
exits 0 "list" "$HEDDLE" board list
exits 2 "no action" "$HEDDLE" board climb

# Programmers: one that records its arguments, one that fails, and none.
printf '.comment\nheddle name=x board=hx8k clocks_per_bit=4 baud=3000000\n.device 8k\n' >board.asc
printf '\377\000heddle name=x board=hx8k clocks_per_bit=4 baud=3000000\000\000\377' >board.bin
printf '\377\000Part: LFE5U-85F-6CABGA381\000\377' >ulx3s.bin
printf '// heddle name=x board=tangnano9k clocks_per_bit=9 baud=3000000\n1111\n' >tang.bin
mkdir -p tools fails
printf '#!/bin/sh\necho "$@" >%s/asked\n' "$PWD" >tools/iceprog
printf '#!/bin/sh\nexit 3\n' >fails/iceprog
chmod +x tools/iceprog fails/iceprog
exits 0 "flash, dry run" "$HEDDLE" board flash board.bin --dry-run
says out "iceprog board.bin" "prints the command"
exits 0 "for an ULX3S" "$HEDDLE" board flash ulx3s.bin --dry-run
says out "openFPGALoader -b ulx3s -f ulx3s.bin" "another one"
exits 0 "for a Tang Nano 9K" "$HEDDLE" board flash tang.bin --dry-run
says out "openFPGALoader -b tangnano9k --file-type fs -f tang.bin" "with the type of its bitstream"
exits 0 "flash" env PATH="$PWD/tools" "$HEDDLE" board flash board.bin i:0x0403:0x6010:1
equal "$(cat asked)" "-d i:0x0403:0x6010:1 board.bin" "the programmer is told which board"
exits 7 "a programmer that fails" env PATH="$PWD/fails" "$HEDDLE" board flash board.bin
exits 7 "no programmer" env PATH="$PWD" "$HEDDLE" board flash board.bin
says err "fpga-icestorm" "is named with its package"
exits 2 "no bitstream" "$HEDDLE" board flash two.yaml
exits 2 "a bitstream as text" "$HEDDLE" board flash board.asc
exits 6 "no file" "$HEDDLE" board flash none.bin
summary
