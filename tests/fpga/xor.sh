#!/usr/bin/env bash
# A virtual board with the parameters of hx8k-xor: its coders make packets, and it has the model's digest.
# SPDX-License-Identifier: Apache-2.0
#
# usage: tests/fpga/xor.sh
# shellcheck source=tests/fpga/lib.sh
. "$(dirname "$0")/lib.sh" || exit
scenario=$work/xor-4.yaml
cp tests/fpga/xor-4.yaml "$scenario"
${CC:-gcc} -std=c11 -O2 -fPIC -shared -o "$work/xor_coder.so" docs/examples/xor_coder.c || exit 1

agrees "a virtual board has the model's digest" board:virtual "$scenario"
good=0
made=$(field run packets_made)
[ "${made:-0}" -gt 0 ] && good=1
verdict "and its coders made ${made:-no} packets" $good
as_built hx8k-xor
exit $bad
