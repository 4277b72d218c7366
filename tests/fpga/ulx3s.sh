#!/usr/bin/env bash
# The ULX3S: a virtual board with its parameters, its switches as ECP5 cells, its bitstream.
# SPDX-License-Identifier: Apache-2.0
#
# usage: [HD_ECP5=1] tests/fpga/ulx3s.sh DIR    DIR: where fpga/build.sh builds
#
# Synthesis, place and route take minutes, with HD_ECP5=1 alone. There is no way back from an ECP5's
# bitstream to Verilog here, so what runs is the netlist of the switch, made as fpga/build.sh makes it.
# shellcheck source=tests/fpga/lib.sh
. "$(dirname "$0")/lib.sh" || exit
dir=$1 name=ulx3s-2x2
scenario=tests/fpga/$name.yaml

agrees "a virtual board has the model's digest" board:virtual $scenario

as_built $name

# A small switch as ECP5 cells: a minute less than that of the board.
cat >"$work/two.yaml" <<'END'
name: two
fabric: {topology: mesh, dims: [2]}
switch: {vcs: 1, depth_flits: 2}
software: {program: uniform, parameters: {load: 0.2, flits: 4}}
run: {cycles: 2000}
END
if command -v yosys >/dev/null; then
  agrees "a switch as ECP5 cells has the model's digest" netlist:ecp5 "$work/two.yaml"
else
  echo "SKIP ulx3s: ECP5 cells: yosys is missing (package yosys)"
fi

if [ "${HD_ECP5-}" != 1 ]; then
  echo "SKIP ulx3s: synthesis, place and route take minutes: make fpga-tools, then HD_ECP5=1 make test-ulx3s"
  exit $bad
fi
HEDDLE=$HEDDLE fpga/build.sh -o "$dir" $name ulx3s-speed ulx3s-speed-barrier | tee "$work/log"
[ "${PIPESTATUS[0]}" = 0 ] || bad=1
if ! grep -q "^SKIP fpga $name" "$work/log"; then
  for build in $name ulx3s-speed ulx3s-speed-barrier; do
    good=0
    # an ECP5 bitstream begins with a comment, then its preamble
    head -c 4096 "$dir/$build.bin" | od -An -v -tx1 | tr -d ' \n' | grep -q 'ffffbdb3' && good=1
    verdict "$build.bin is a bitstream" $good
  done
fi
agrees "the board's switches as ECP5 cells have the model's digest" netlist:ecp5 $scenario
exit $bad
