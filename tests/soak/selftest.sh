#!/usr/bin/env bash
# The soak finds bugs that are planted in copies of the RTL, shrinks them and says how to replay them.
# SPDX-License-Identifier: Apache-2.0
#
# One is in the arbiters, which all switches have, one in the barrier unit. The soak's results do not
# depend on workers or interruptions.
# usage: tests/soak/selftest.sh BUILD        (BUILD: where soak/soak and heddle are)
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$1
work=build/soak-selftest
status=0

# says NAME CODE: 0 is success.
says() {
  if [ "$2" = 0 ]; then
    echo "ok $1"
  else
    echo "not ok $1"
    status=1
  fi
}

# finds WHAT FILE SED PROGRAM SECONDS OPTION…: soaks a copy of the RTL in which SED has changed FILE,
# then the RTL as it is. PROGRAM: what the small scenario must still run; empty: anything. Switches are
# small, as each is built anew; one failure is enough.
finds() {
  local what=$1 file=$2 change=$3 program=$4 seconds=$5 dir=$work/$1 log=$work/$1.log code n command
  local arguments=("${@:6}" --heddle "$build/heddle")
  mkdir -p "$dir/rtl"
  cp rtl/*.v "$dir/rtl/"
  sed -i "$change" "$dir/rtl/$file"
  ! cmp -s "rtl/$file" "$dir/rtl/$file"
  says "the bug is planted ($what)" $?

  "$build/soak/soak" "${arguments[@]}" --out "$dir/broken" --rtl "$dir/rtl" --failures 1 \
    --shrink-seconds "$seconds" >"$log" 2>&1
  [ $? = 1 ]
  says "a broken RTL fails the soak ($what)" $?
  grep -q '^not ok scenario .*: RTL and model differ: ' "$log"
  says "the failure is a divergence ($what)" $?
  grep -qx '[0-9]* passed, 1 failed, 0 skipped' "$log"
  says "the last line counts it ($what)" $?

  # shrunk: A switches to B, A nodes to B, A cycles to B, A channels to B: ...
  grep '^shrunk: ' "$log"
  read -ra n < <(grep '^shrunk: ' "$log" | tr -cd '0-9 \n')
  [ "${#n[@]}" -ge 6 ] && [ "${n[1]}" -le "${n[0]}" ] && [ "${n[3]}" -le "${n[2]}" ] &&
    [ "${n[5]}" -lt $((n[4] / 2)) ]
  says "the small scenario is smaller ($what)" $?

  # Runs the command that the soak prints for the user.
  read -ra command < <(awk 'show { print; exit } /^replay the small one/ { show = 1 }' "$log")
  [ "${#command[@]}" -ge 5 ]
  says "a command is printed ($what)" $?
  grep -q "program: $program" "${command[2]:-none}"
  says "what is needed for it is still there ($what)" $?
  "${command[@]}" --out "$dir/replay" >"$dir/replay.log" 2>&1
  [ $? = 3 ]
  says "the command shows the divergence again ($what)" $?
  grep -q 'RTL and model differ' "$dir/replay.log"
  says "it explains it ($what)" $?
  "$build/heddle" run "${command[2]:-none}" --out "$dir/sound" >"$dir/sound.log" 2>&1
  code=$? # 4: the few cycles that are left do not end the software; 9: a fault is to blame for that
  [ $code = 0 ] || [ $code = 4 ] || [ $code = 9 ]
  says "the same scenario passes on the RTL as it is ($what)" $?

  "$build/soak/soak" "${arguments[@]}" --out "$dir/sound-soak" >"$dir/sound-soak.log" 2>&1
  says "the same soak passes on the RTL as it is ($what)" $?
  [ $status = 0 ] || tail -n 40 "$log" "$dir"/*.log
}

# Results are the same with one worker and with two, and after an interruption.
same() {
  local arguments=(--seed 5 --first-set 7 --sets 1 --channels 8 --large 0 --heddle "$build/heddle") pid code
  "$build/soak/soak" "${arguments[@]}" --count 12 --jobs 1 --out "$work/one" >"$work/one.log" 2>&1
  says "a small soak passes" $?
  "$build/soak/soak" "${arguments[@]}" --count 12 --jobs 2 --out "$work/two" >"$work/two.log" 2>&1
  says "it passes with two workers" $?
  [ "$(wc -l <"$work/one/results.csv")" -gt 12 ] && cmp "$work"/{one,two}/results.csv &&
    cmp "$work"/{one,two}/summary.json
  says "the number of workers changes nothing" $?

  # More than it can do; once results are there, Ctrl-C.
  "$build/soak/soak" "${arguments[@]}" --count 1000000 --out "$work/stopped" >"$work/stopped.log" 2>&1 &
  pid=$!
  until [ "$(sqlite3 "$work/stopped/campaign.db" "SELECT count(*) > 2 FROM tasks" 2>/dev/null)" = 1 ]; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.2
  done
  kill -INT "$pid"
  wait "$pid"
  code=$?
  [ $code = 1 ] && grep -q '^interrupted; go on: .*--continue' "$work/stopped.log"
  says "Ctrl-C ends a soak and says how to go on" $?
  "$build/soak/soak" "${arguments[@]}" --count 12 --continue --out "$work/stopped" \
    >"$work/continued.log" 2>&1
  says "it goes on" $?
  cmp "$work"/{one,stopped}/results.csv
  says "an interruption changes nothing" $?
  "$build/soak/soak" "${arguments[@]}" --seed 6 --count 1 --continue --out "$work/stopped" \
    >"$work/other.log" 2>&1
  [ $? = 1 ] && grep -q "is another campaign's" "$work/other.log"
  says "it does not go on with another seed" $?
  [ $status = 0 ] || tail -n 20 "$work"/*.log
}

# beside WHAT CODE VERILATOR LANES PATTERN: the lines of results.csv that a soak on each would have written.
beside() {
  local out code
  printf '%s\n' scenario,outcome,evaluated_cycles,digest ${3:+"$3"} >"$work/results-verilator.csv"
  printf '%s\n' scenario,outcome,evaluated_cycles,digest ${4:+"$4"} >"$work/results-lanes.csv"
  out=$(tests/soak/side_by_side.sh "$work/writes" "$work/beside" lanes 2>&1)
  code=$?
  [ "$code" = "$2" ] && grep -q "$5" <<<"$out"
  says "side by side, $1" $?
}

# On two backends: a soak that writes what $work/results-BACKEND.csv holds.
on_two_backends() {
  cat >"$work/writes" <<'END'
#!/bin/sh
# --dut BACKEND --out DIR
cp "$(dirname "$0")/results-$2.csv" "$4/results.csv"
END
  chmod +x "$work/writes"
  beside "other cycles evaluated are alike" 0 1,agreed,70,0a 1,agreed,60,0a '^side by side: 1 passed, 0 failed'
  beside "another digest is not" 1 1,agreed,70,0a 1,agreed,70,0b '^not ok scenario 1'
  beside "nor another verdict" 1 1,agreed,70,0a 1,stuck,70,0a '^not ok scenario 1'
  beside "nor a scenario that one has not carried out" 1 1,agreed,70,0a "" 'lanes: not carried out'
  beside "no scenario at all is a failure" 1 "" "" '^side by side: 0 passed, 1 failed'
}

rm -rf "$work"
mkdir -p "$work"
on_two_backends
same
# The pointer stays on the choice instead of moving behind it (§2.5).
finds arbiter hd_rr_arbiter.v 's/(after(pick_o\[c\*N+:N\]) ^ from_q)/((after(pick_o[c*N+:N]) | pick_o[c*N+:N]) ^ from_q)/' \
  "" 150 --count 20 --seed 5 --sets 2 --channels 8 --large 0
# The center releases before the last of its children has reported (§8.3).
finds barrier hd_barrier_decide.v \
  "s/(!built || ((child & ~next_child_in) == NOBODY));/1'b1;/" \
  barrier 60 --count 10 --seed 5 --first-set 8 --sets 1 --channels 8 --large 0
exit $status
