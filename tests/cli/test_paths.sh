#!/usr/bin/env bash
# Blanks and quotes in the path of the clone and of the cache.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
odd="it's a \"new\" dir"
mkdir "$odd" "$odd/cache"
(cd "$root" && cp -r Makefile mk rtl cmodel bridge sw fpga "$work/$odd")
sed 's/dims: .*/dims: [2]/' "$root/tests/scenarios/board-2x2.yaml" >two.yaml
unset MAKEFLAGS MAKELEVEL MFLAGS SAN

exits 0 "make in such a clone" make -C "$odd" CFLAGS=-O0 build/opt/libhd_cmodel.a
export HD_ROOT="$PWD/$odd"
exits 0 "the model in it" "$HEDDLE" run two.yaml --dut model --out "$odd/model"
expected=$(sql "$odd/model" "SELECT digest FROM run")
check "has a digest" test -n "$expected"

# agrees DUT [OPTION...]: heddle builds the DUT from the clone, in its cache if no other is given.
agrees() {
  exits 0 "$1" "$HEDDLE" run two.yaml --dut "$@" --out "$odd/$1"
  equal "$(sql "$odd/$1" "SELECT digest FROM run")" "$expected" "$1: digest"
}
if command -v verilator_bin >/dev/null; then
  agrees verilator
  agrees board:virtual --cache "$odd/cache"
else
  skip "simulators in such paths" "verilator_bin is missing, install the package verilator"
fi
summary
