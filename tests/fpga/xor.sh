#!/usr/bin/env bash
# Coders of hx8k-xor make packets, and have the model's digest: on a virtual board, and as gates and decompiled bits.
# SPDX-License-Identifier: Apache-2.0
#
# usage: [HD_XOR_BITS=1] tests/fpga/xor.sh DIR    DIR: where fpga/build.sh builds
#
# Synthesis, place and route, and the gates' compilation take minutes, with HD_XOR_BITS=1 alone.
# shellcheck source=tests/fpga/lib.sh
. "$(dirname "$0")/lib.sh" || exit
dir=$1 name=hx8k-xor
scenario=$work/xor-4.yaml
cp tests/fpga/xor-4.yaml "$scenario"
${CC:-gcc} -std=c11 -O2 -fPIC -shared -o "$work/xor_coder.so" docs/examples/xor_coder.c || exit 1

# coders WHAT DUT: the digest, and packets that coders made
coders() {
  local good=0 made
  agrees "$1" "$2" "$scenario"
  made=$(field run packets_made)
  [ "${made:-0}" -gt 0 ] && good=1
  verdict "and its coders made ${made:-no} packets" $good
}

coders "a virtual board has the model's digest" board:virtual
as_built $name

if [ "${HD_XOR_BITS-}" != 1 ]; then
  echo "SKIP xor: its bitstream takes minutes: HD_XOR_BITS=1 make test-fpga"
  exit $bad
fi
HEDDLE=$HEDDLE fpga/build.sh -o "$dir" $name | tee "$work/log"
[ "${PIPESTATUS[0]}" = 0 ] || bad=1
if ! grep -q "^SKIP fpga $name" "$work/log"; then
  coders "the packed file, as it is flashed, has the model's digest on four virtual boards" \
    "bitstream:$dir/$name.bin"
fi
for dut in netlist:ice40 systemc; do
  coders "$dut has the model's digest" $dut
done
exit $bad
