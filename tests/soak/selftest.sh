#!/usr/bin/env bash
# The soak finds a bug that is planted in a copy of the RTL, shrinks it and says how to replay it.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/soak/selftest.sh BUILD        (BUILD: where soak/soak and heddle are)
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$1
work=build/soak-selftest
log=$work/broken.log
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

rm -rf "$work"
mkdir -p "$work/rtl"
cp rtl/*.v "$work/rtl/"
# The arbiters' pointer stays on the choice instead of moving behind it (§2.5).
sed -i 's/from_q <= ~(pick_o | (pick_o - ONE));/from_q <= ~(pick_o - ONE);/' "$work/rtl/hd_rr_arbiter.v"
! cmp -s rtl/hd_rr_arbiter.v "$work/rtl/hd_rr_arbiter.v"
says 'the bug is planted' $?

# Small switches, as each is built anew; one failure is enough.
arguments=(--count 20 --seed 5 --sets 2 --channels 8 --heddle "$build/heddle")
"$build/soak/soak" "${arguments[@]}" --out "$work/broken" --rtl "$work/rtl" --failures 1 \
  --shrink-seconds 150 >"$log" 2>&1
[ $? = 1 ]
says 'a broken RTL fails the soak' $?
grep -q '^not ok scenario .*: RTL and model differ: ' "$log"
says 'the failure is a divergence' $?
grep -qx '[0-9]* passed, 1 failed, 0 skipped' "$log"
says 'the last line counts it' $?

# shrunk: A switches to B, A nodes to B, A cycles to B, A channels to B: ...
grep '^shrunk: ' "$log"
read -ra n < <(grep '^shrunk: ' "$log" | tr -cd '0-9 \n')
[ "${#n[@]}" -ge 6 ] && [ "${n[1]}" -le "${n[0]}" ] && [ "${n[3]}" -le "${n[2]}" ] &&
  [ "${n[5]}" -lt $((n[4] / 2)) ]
says 'the small scenario is smaller' $?

# What a user would type.
read -ra command < <(awk 'show { print; exit } /^replay the small one/ { show = 1 }' "$log")
[ "${#command[@]}" -ge 5 ]
says 'a command is printed' $?
"${command[@]}" --out "$work/replay" >"$work/replay.log" 2>&1
[ $? = 3 ]
says 'the command shows the divergence again' $?
grep -q 'RTL and model differ' "$work/replay.log"
says 'it explains it' $?
"$build/heddle" run "${command[2]:-none}" --out "$work/sound" >"$work/sound.log" 2>&1
code=$? # 4: the few cycles that are left do not end the software
[ $code = 0 ] || [ $code = 4 ]
says 'the same scenario passes on the RTL as it is' $?

"$build/soak/soak" "${arguments[@]}" --out "$work/sound-soak" >"$work/sound-soak.log" 2>&1
says 'the same soak passes on the RTL as it is' $?
[ $status = 0 ] || tail -n 40 "$log" "$work"/*.log
exit $status
