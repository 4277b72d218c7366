#!/usr/bin/env bash
# Proves that the fault suite can fail.
# SPDX-License-Identifier: Apache-2.0
#
# A change that changes nothing is a miss, one that no longer applies says so, and a list that is
# not one is refused. Faults that share a copy of the RTL are found where each by itself is found. What was tried
# is not tried again, and an interrupted suite goes on.
# usage: tests/faults/selftest.sh build/opt/faults
set -u
cd "$(dirname "$0")/../.." || exit 2
directory=build/faults-selftest
list=$directory/list.txt
mkdir -p "$directory" build/faults/dut
rm -rf "$directory"/campaign-*
# After a run of the suite, its cache has what takes longest to build: what no RTL changes.
[ -e "$directory/dut" ] || ln -s ../faults/dut "$directory/dut"
passed=0 failed=0

# verdict WHAT: counts and prints whether the last command succeeded; otherwise what $out holds.
verdict() {
  if [ "$?" = 0 ]; then
    echo "ok $1"
    passed=$((passed + 1))
  else
    echo "not ok $1"
    printf '%s\n' "$out"
    failed=$((failed + 1))
  fi
}

# suite OPTION…: its output in $out, its exit code in $rc.
suite() {
  rc=0
  out=$("$faults" --directory "$directory" "$@" 2>&1) || rc=$?
}

# expect WHAT EXIT PATTERN: runs the suite on the list.
expect() {
  suite --list "$list" --only selftest
  [ "$rc" = "$2" ] && grep -qE "$3" <<<"$out"
  verdict "$1"
}

faults=$1
cat >"$list" <<'END'
fault selftest-nothing mesh hd_output_port.v
  what nothing is wrong
  - kind_o <= kind;
  + kind_o <= kind ^ 3'd0;
END
expect "a change that changes nothing is a miss" 1 '^selftest-nothing +mesh +MISSED'
expect "and it still is when it is not tried again" 1 '^faults: 1 of 1 runs \(1 from before\)'
sed -i 's/- kind_o <= kind;/- no such text/' "$list"
expect "a fault that no longer applies says so" 1 'no longer applies to rtl/hd_output_port.v'
sed -i 's/- no such text/- clk/' "$list"
expect "a fault whose text is there twice says so" 1 'holds its text [0-9]+ times and not once'
echo 'fault selftest-next' >>"$list"
expect "a list that is not one is refused" 1 'not "fault NAME RIG FILE"'

# Planted together and each by itself; the third is a bound of a loop, and always by itself.
cat >"$list" <<'END'
fault selftest-statement small hd_output_port.v
  what a tail is lost
  - kind_o <= kind;
  + kind_o <= {kind[2:1], kind[0] && !kind[1]};
fault selftest-value small hd_input_vc.v
  what the last slot of a buffer is refused
  - assign full_o = occupancy == SLOTS[6:0];
  + assign full_o = occupancy >= SLOTS[6:0] - 7'd1;
fault selftest-elaborated small hd_switch.v
  what a grant is a cycle late
  - localparam GRANT_STAGES = BUFFER_CYCLES;
  + localparam GRANT_STAGES = 1 + BUFFER_CYCLES;
fault selftest-input small hd_output_port.v
  what an output port prefers its lowest input
  - .set_i(1'b1),
  + .set_i(1'b0),
fault selftest-nested small hd_input_vc.v
  what the packet behind an unroutable single is discarded, too
  - if (tail) state_kept = IDLE; else if (head) state_kept = SINK;
  + if (head) state_kept = SINK; else if (tail) state_kept = IDLE;
fault selftest-nothing small hd_input_vc.v
  what nothing is wrong
  - assign begun_port = asked_port_i;
  + assign begun_port = asked_port_i | NOWHERE;
END
# found: what came of each in the last run
found() {
  cut -d, -f1-10 "$directory/faults.csv"
}
suite --list "$list" --only selftest
together=$(found)
[ "$rc" = 1 ] && [ "$(grep -c ',found,' <<<"$together")" = 5 ] && grep -q '^"selftest-nothing".*,MISSED,' <<<"$together" &&
  [ "$(grep -hoE 'chosen_fault == [0-9]+' "$directory"/rtl/together-small/*.v | sort -u | wc -l)" = 5 ]
verdict "five faults in one copy of the RTL and one beside it are told from what is no fault"
rm -r "$directory"/campaign-*
suite --list "$list" --only selftest --alone
[ "$rc" = 1 ] && [ "$(found)" = "$together" ]
verdict "each by itself is found by the same stimulus in the same cycle"

# On two backends: a suite that says what $directory/faults-BACKEND.csv holds.
cat >"$directory/says" <<'END'
#!/bin/sh
# --directory DIR --dut BACKEND …
cp "$(dirname "$0")/faults-$4.csv" "$2/faults.csv"
END
chmod +x "$directory/says"
# beside WHAT CODE LINE OTHER PATTERN: Verilator says LINE, lanes say OTHER.
beside() {
  local head=name,rig,what,verdict,stimulus,difference,cycle,switch,closed_cycle,closed_switch,compared,seconds
  printf '%s\n' "$head" ${3:+"$3"} >"$directory/faults-verilator.csv"
  printf '%s\n' "$head" ${4:+"$4"} >"$directory/faults-lanes.csv"
  rc=0
  out=$(tests/faults/side_by_side.sh "$directory/says" "$directory/beside" lanes 2>&1) || rc=$?
  [ "$rc" = "$2" ] && grep -qE "$5" <<<"$out"
  verdict "side by side, $1"
}
one='"a",mesh,"x, ""y""",found,fabric,flit,6,1,6,1'
beside "a bug found at the same place is alike" 0 "$one,100,1.5" "$one,99,2" '^ok .* cycle 6, switch 1'
beside "another cycle is not" 1 "$one,100,1.5" "${one/flit,6/flit,7},100,1.5" '^not ok'
beside "nor another cycle in closed loop" 1 "$one,100,1.5" "${one/1,6/1,8},100,1.5" '^not ok'
beside "nor a miss" 1 "$one,100,1.5" '"a",mesh,"x",MISSED,,,,,,,100,1.5' '^not ok'
beside "nor one that Verilator has not tried" 1 "" "$one,100,1.5" '^not ok'
beside "no bug at all is a failure" 1 "" "" '^0 passed, 1 failed'

# Ctrl-C while one bug is tried, after another; what builds it does not end by itself.
cat >"$list" <<'END'
fault selftest-before small hd_output_port.v
  what a tail is lost
  - kind_o <= kind;
  + kind_o <= {kind[2:1], kind[0] && !kind[1]};
END
suite --list "$list" --only selftest
# The comment: what was built once is never built again.
cat >>"$list" <<END
fault selftest-interrupted small hd_output_port.v
  what a tail is lost, and a head
  - kind_o <= kind;
  + kind_o <= {kind[2:1], kind[0] && kind[1]}; /* $(date +%s%N) */
END
rm -f "$directory/builds"
mkdir -p "$directory/bin"
cat >"$directory/bin/verilator_bin" <<END
#!/bin/sh
[ "\$1" != --exe ] || { : >"$PWD/$directory/builds" && exec sleep infinity; }
exec "$(command -v verilator_bin)" "\$@"
END
chmod +x "$directory/bin/verilator_bin"
PATH=$PWD/$directory/bin:$PATH "$faults" --directory "$directory" --list "$list" --only selftest >"$directory/out" 2>&1 &
pid=$!
until [ -e "$directory/builds" ] || ! kill -0 $pid; do
  sleep 0.05
done
kill -INT $pid
wait $pid
rc=$?
out=$(cat "$directory/out")
[ "$rc" = 130 ] && grep -q 'the same command goes on' <<<"$out"
verdict "Ctrl-C ends it with 130"
suite --list "$list" --only selftest
[ "$rc" = 0 ] && grep -q '^faults: 2 of 2 runs (1 from before)' <<<"$out" && [ "$(found | grep -c ',found,')" = 2 ]
verdict "an interrupted suite goes on"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
