#!/usr/bin/env bash
# HEDDLE_UNOPTIMISED: quickly built switches have other entries in the cache, and do the same.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
cat >small.yaml <<'YAML'
name: small
fabric: {topology: mesh, dims: [2]}
switch: {vcs: 1, data_bits: 16, depth_flits: 3}
routing: {algorithm: dimension-order}
software: {program: uniform, parameters: {load: 0.3, flits: 2}}
seed: 1
run: {cycles: 400, dut: none}
YAML

# same DUT TOOL CACHE LEVEL OPTIMISED-LEVEL: the key of the compiled switch has the two levels.
same() {
  local dut=$1 cache=$3 want value
  if ! command -v "$2" >/dev/null; then
    skip "$dut" "$2 is missing"
    return
  fi
  exits 0 "$dut, optimised" env -u HEDDLE_UNOPTIMISED "$HEDDLE" run small.yaml --dut "$dut" --cache "$cache" --out "$dut"
  want=$(sql "$dut" "SELECT digest FROM run")
  check "$dut: has a digest" test -n "$want"
  exits 0 "$dut, not optimised" env HEDDLE_UNOPTIMISED=1 "$HEDDLE" run small.yaml --dut "$dut" --cache "$cache" --out "quick-$dut"
  equal "$(sql "quick-$dut" "SELECT digest FROM run")" "$want" "$dut: does the same"
  for value in "$4" "$5"; do
    check "$dut: there is one with $value" grep -qFe "$value" "$cache"/*/key.txt
  done
  for value in 0 ''; do
    exits 0 "$dut, HEDDLE_UNOPTIMISED='$value'" env HEDDLE_UNOPTIMISED="$value" "$HEDDLE" run small.yaml --dut "$dut" \
      --cache "$cache" --out "$dut-$value"
    check "$dut: that is the optimised one" test "$(grep -c building err)" = 0
  done
}
same verilator verilator_bin "$root/build/dut" OPT_FAST=-O0 OPT_FAST=-O1
same lanes yosys lanes -O0 -O2
summary
