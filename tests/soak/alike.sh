#!/usr/bin/env bash
# A mistake that RTL and model share is found by the check of the tree protocol's rules alone.
# SPDX-License-Identifier: Apache-2.0
#
# Each mistake is planted in a copy of the RTL and, alike, in a copy of the model's barrier unit, as a wrong
# sentence in section 8.3 would do it. RTL and model then agree in every event. The RTL so broken against the
# right model diverges, so the mistake is one.
# usage: tests/soak/alike.sh BUILD   (environment: LINK_HEDDLE, a command that lacks -o FILE and LIBRARIES;
#        LIBRARIES, in which BUILD/libhd_cmodel.a is replaced)
set -u
cd "$(dirname "$0")/../.." || exit 2
build=$1
work=build/alike
status=0
rm -rf "$work"
mkdir -p "$work"

# says WHAT CODE: 0 is success.
says() {
  if [ "$2" = 0 ]; then
    echo "ok $1"
  else
    echo "not ok $1"
    status=1
  fi
}

cat >"$work/scenario.yaml" <<'END'
name: alike
fabric: {topology: irregular, switches: 16, degree: 3, graph_seed: 5}
switch: {barrier: any, data_bits: 32}
software: {program: barrier, parameters: {members: 9, rounds: 20, compute: 40, timeout: 5000}}
END

# planted NAME RTL-SED MODEL-SED RULES
planted() {
  local name=$1 rtl=$work/$1/rtl heddle=$build/heddle-alike rc
  mkdir -p "$rtl"
  cp rtl/*.v "$rtl/"
  sed -i "$2" "$rtl/hd_barrier_decide.v"
  sed "$3" cmodel/switch/barrier_unit.c >"$work/$1/barrier_unit.c"
  ! cmp -s rtl/hd_barrier_decide.v "$rtl/hd_barrier_decide.v" &&
    ! cmp -s cmodel/switch/barrier_unit.c "$work/$1/barrier_unit.c"
  says "the mistake is planted in both ($name)" $?
  cp "$build/libhd_cmodel.a" "$work/$1/"
  # shellcheck disable=SC2046,SC2086 # lists of words
  $(cat "$build/flags") -Icmodel/switch -c "$work/$1/barrier_unit.c" -o "$work/$1/barrier_unit.o" &&
    ar r "$work/$1/libhd_cmodel.a" "$work/$1/barrier_unit.o" &&
    $LINK_HEDDLE -o "$heddle" ${LIBRARIES//$build\/libhd_cmodel.a/$work/$1/libhd_cmodel.a}
  says "the model is built ($name)" $?

  "$build/heddle" run "$work/scenario.yaml" --rtl "$rtl" --out "$work/$name/right" \
    >"$work/$name/right.log" 2>&1
  [ $? = 3 ]
  says "against the right model it diverges ($name)" $?
  "$heddle" run "$work/scenario.yaml" --rtl "$rtl" --out "$work/$name/alike" \
    >"$work/$name/alike.log" 2>&1
  rc=$?
  [ $rc = 12 ] && grep -qE "rule ($4) \(specification 8.13\)" "$work/$name/alike.log"
  says "against the model that has it too, a rule names it ($name)" $?
  grep -h '^heddle: rule' "$work/$name/alike.log" || cat "$work/$name/right.log" "$work/$name/alike.log"
  rm -f "$heddle"
}

"$build/heddle" run "$work/scenario.yaml" --out "$work/unchanged" >"$work/unchanged.log" 2>&1
says "RTL and model as they are break no rule" $?
grep -q 'rules T1 to T9 .* hold for [0-9]* messages at ports, 20 rounds' "$work/unchanged.log"
says "the report says so" $?

planted center-counts-nobody "s/next_count == 12'd0)) release_ = 1'b1/1'b1)) release_ = 1'b1/" \
  's/: e->root && e->count)/: 0)/' T1
planted reports-before-children \
  "s/(!built || ((child & ~next_child_in) == NOBODY))/1'b1/" \
  's/if (e->built ? e->child & ~e->child_in : e->root && e->count)/if (!e->built \&\& e->root \&\& e->count)/' 'T1|T4'
planted member-joins-nobody "s/if (bsr) message_o\[MESSAGE_TAG+:2\] = 2'd2;/if (1'b0) message_o = 32'd0;/" \
  's/^  if (e->bsr)$/  if (0)/' 'T5|T6'
exit $status
