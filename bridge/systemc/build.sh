#!/usr/bin/env bash
# Builds a SystemC program with a fabric of Heddle switches in it.
# SPDX-License-Identifier: Apache-2.0
#
# usage: bridge/systemc/build.sh [-q] [-r RTL] [-o PROGRAM] SCENARIO.yaml SOURCE.cpp ... [-- FLAG ...]
# The switch is built from the Verilog in RTL (default rtl/) with the scenario's parameters. The
# sources include heddle_fabric.h and define sc_main. FLAGs go to the compiler. -q builds faster,
# and the program runs slower. Needs Verilator and SystemC.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
rtl=$root/rtl program=build/systemc/platform fast="-O2 -march=native" global=-O1
usage() {
  sed -n 's/^# usage: /usage: /p' "$0" >&2
  exit 2
}
while getopts qr:o: option; do
  case $option in
    q) fast=-O0 global=-O0 ;;
    r) rtl=$(cd "$OPTARG" && pwd) ;;
    o) program=$OPTARG ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || usage
scenario=$1
shift
sources=() flags=(-std=gnu++17 "-I$root/bridge/systemc")
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  sources+=("$(realpath "$1")")
  shift
done
[ $# -eq 0 ] || shift
flags+=("$@")
for need in verilator_bin:verilator pkg-config:pkg-config; do
  command -v "${need%:*}" >/dev/null || {
    echo "${need%:*} is missing; on Debian: apt-get install ${need#*:}" >&2
    exit 7
  }
done
pkg-config --exists systemc || {
  echo "SystemC is not installed, or pkg-config does not find it; on Debian: apt-get install libsystemc-dev" >&2
  exit 7
}
O=$root/build/opt
[ -x "$O/heddle" ] || {
  echo "$O/heddle is not built yet: run make first" >&2
  exit 7
}
parameters=$("$O/heddle" topo "$scenario" --parameters)
arguments=()
for p in $parameters; do
  arguments+=("-G$p")
  flags+=("-DHD_$p")
done
mkdir -p "$(dirname "$program")"
work=$program.obj
rm -rf "$work"
verilator_bin --sc --exe --top-module hd_switch --prefix Vhd_switch --Mdir "$work" -o program -O3 \
  --x-assign fast --x-initial unique --noassert --no-timing -Wno-lint -Wno-style -Wno-fatal \
  "${arguments[@]}" -CFLAGS "${flags[*]}" -y "$rtl" "-I$rtl" \
  -LDFLAGS "-Wl,--start-group $O/libhd_bridge.a $O/libhd_sw.a $O/libhd_cmodel.a -Wl,--end-group" \
  -LDFLAGS "-lyaml -lsqlite3 -ljansson -lboost_context -lz -ldl -lpthread -lm" \
  "$rtl/hd_switch.v" "${sources[@]}"
# shellcheck disable=SC2016 # for make
make -s -C "$work" -f Vhd_switch.mk -j2 OPT_FAST="$fast" OPT_SLOW=-O0 OPT_GLOBAL="$global" \
  LIBS='$(LDFLAGS)' program >"$work/make.log" 2>&1 || {
  grep -E 'error|undefined' "$work/make.log" | head -20 >&2
  echo "the whole log: $work/make.log" >&2
  exit 7
}
mv "$work/program" "$program"
