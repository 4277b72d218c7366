#!/usr/bin/env bash
# heddle run --dut systemc: exit codes, Ctrl-C, kills, crashes and a missing SystemC.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
. "$root/tests/cli/remote.sh" || exit
if ! pkg-config --exists systemc; then
  skip "SystemC" "SystemC is missing, install the package libsystemc-dev"
  summary
  exit
fi
# The switch of tests/backends, so that one build does for all.
switch='switch: {ports: 3, vcs: 2, data_bits: 16, depth_flits: 4, nodes: 16, barrier: any, groups: 2, switches: 16}'
fabric='fabric: {topology: irregular, switches: 16, degree: 2}'
scenario x.yaml "$fabric" "$switch" 'routing: {algorithm: up-down}' 'run: {cycles: 200, dut: systemc}' \
  'trace: {waves: true}'

exits 0 "sound RTL agrees" "$HEDDLE" run x.yaml --out good
says out "systemc: SystemC" "and the report says on what"
exits 0 "the model" "$HEDDLE" run x.yaml --dut model --out model
equal "$(sql good 'SELECT digest FROM run')" "$(sql model 'SELECT digest FROM run')" "one digest"
exits 0 "waves of a switch" "$HEDDLE" wave good --switch 3 --from 20 --to 60 -p
check "are there" test -s good/waves-switch-3-20-60/waves.fst
exits 7 "a missing SystemC" env PKG_CONFIG_LIBDIR=/nonexistent "$HEDDLE" run x.yaml --out missing
says err "apt-get install libsystemc-dev" "names its package"
exits 2 "an unknown option" "$HEDDLE" run x.yaml --dut systemc:nonsense --out bad
says err "every-cycle" "is answered with those there are"
cp -r "$root/rtl" chatty
# shellcheck disable=SC2016 # Verilog
sed -i 's/^endmodule.*/integer n = 0; always @(posedge clk) begin n = n + 1; if (n == 50) $display("fifty"); end\nendmodule/' chatty/hd_switch.v
exits 0 "RTL that prints" "$HEDDLE" run x.yaml --rtl chatty --out chatty-run
says out "chatty-run/rtl.log" "is said where"
equal "$(grep -c fifty chatty-run/rtl.log)" 16 "and each switch's line is there"
fails_assertion systemc "$fabric" "$switch" 'routing: {algorithm: up-down}'
ends_well 'fabric: {topology: mesh, dims: [4]}' systemc "$switch"
summary
