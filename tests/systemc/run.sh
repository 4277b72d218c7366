#!/usr/bin/env bash
# SystemC: scenarios through the backend, and the example platform on sound and on broken RTL.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/systemc/run.sh [-o DIR]
set -u
cd "$(dirname "$0")/../.." || exit 2
out=build/systemc
while getopts o: option; do
  case $option in
    o) out=$OPTARG ;;
    *) exit 2 ;;
  esac
done
HEDDLE=${HEDDLE:-build/opt/heddle}
status=0
if ! pkg-config --exists systemc; then
  echo "SKIP systemc: SystemC is missing, install the package libsystemc-dev"
  exit 0
fi
mkdir -p "$out"

# verdict NAME RC [LOG]
verdict() {
  if [ "$2" = 0 ]; then
    echo "ok systemc: $1"
  else
    echo "not ok systemc: $1"
    [ -z "${3-}" ] || sed 's/^/  | /' "$3" | tail -15
    status=1
  fi
}

# Open loop, traffic and barriers; a planted bug is found where Verilator finds it.
tests/backends/run.sh -p -n 9 -o "$out/backends" verilator systemc || status=1
# Repeats this in bit lanes, since everything that Verilator needs is built by now.
tests/backends/run.sh -p -n 1 -o "$out/lanes" verilator lanes || status=1

# digest RUN
digest() {
  sed -nE 's/^  "digest": "?([^",]*)"?,?$/\1/p' "$1/report.json" 2>/dev/null
}
for name in closed faults; do
  for dut in model systemc; do
    rm -rf "$out/$name-$dut"
    "$HEDDLE" run --quiet "tests/systemc/$name.yaml" --dut $dut --out "$out/$name-$dut" \
      >"$out/$name-$dut.log" 2>&1 </dev/null
    verdict "$name on $dut ends well" $? "$out/$name-$dut.log"
  done
  [ -n "$(digest "$out/$name-model")" ] && [ "$(digest "$out/$name-model")" = "$(digest "$out/$name-systemc")" ]
  verdict "$name: one digest" $?
done

# platform NAME RTL: builds and runs it; its exit code.
platform() {
  bridge/systemc/build.sh -q -r "$2" -o "$out/$1" tb/systemc/mesh-3x3.yaml tb/systemc/two_initiators.cpp \
    >"$out/$1.log" 2>&1 || return 7
  SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 timeout 600 "$out/$1" tb/systemc/mesh-3x3.yaml >"$out/$1.log" 2>&1
}
platform two_initiators rtl
rc=$?
sed 's/^ok /ok systemc platform: /; s/^not ok /not ok systemc platform: /' "$out/two_initiators.log"
verdict "the example platform" $rc

# broken NAME PATTERN FILE FROM TO: the platform must fail on that RTL, and say PATTERN.
broken() {
  rm -rf "$out/rtl"
  cp -r rtl "$out/rtl"
  sed -i "s/$4/$5/" "$out/rtl/$3"
  if cmp -s "rtl/$3" "$out/rtl/$3"; then
    verdict "$1 was planted" 1
    return
  fi
  platform broken "$out/rtl"
  rc=$?
  [ $rc = 1 ] && grep -q "$2" "$out/broken.log"
  verdict "$1 is found by the platform" $? "$out/broken.log"
}
broken "an arbiter that never moves on" 'cycle [0-9]*: .*model' hd_rr_arbiter.v \
  'from_q ^ turned;' 'from_q;'
exit $status
