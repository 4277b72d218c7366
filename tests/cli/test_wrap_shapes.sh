#!/usr/bin/env bash
# Routers of further kinds with descriptions (numbers, pins for channels, lengths, wide data): each runs, and its planted bug is found.
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2016,SC2154
. "$(dirname "$0")/lib.sh" || exit
here=$root/tests/cli/wrap
if ! command -v iverilog >/dev/null; then
  skip "credits as numbers on Icarus" "iverilog is missing, install the package iverilog"
else
  for one in 0 1; do
    iverilog -g2005 -y "$root/bridge/wrap/adapters" -s numbers_tb -P numbers_tb.ONE=$one -o tb.vvp "$here/numbers_tb.v" 2>err
    vvp -n tb.vvp >out 2>>err
    if grep -q '^ok numbers' out; then ok "$(sed -n 's/^ok //p' out)"; else not_ok "numbers ONE=$one" "see below"; fi
  done
fi
if ! command -v verilator_bin >/dev/null; then
  skip "runs of wrapped routers" "verilator_bin is missing, install the package verilator"
  summary
  exit
fi
scenario one.yaml 'switch: {vcs: 1, data_bits: 32, depth_flits: 4}' 'run: {cycles: 3000, mode: closed, compare: packets, dut: verilator}' \
  'software: {program: uniform, parameters: {load: 0.5, flits: 4, cycles: 500}}'
sed 's/vcs: 1/vcs: 2/' one.yaml >two.yaml
scenario small.yaml 'fabric: {topology: mesh, dims: [2, 2]}' 'switch: {vcs: 1, data_bits: 32, depth_flits: 4}' \
  'run: {cycles: 1000, mode: closed, compare: packets, dut: verilator}' \
  'software: {program: uniform, parameters: {load: 0.5, flits: 4, cycles: 200}}'

# runs NAME SCENARIO [OPTION...]: the description NAME.yaml must pass.
runs() {
  local name=$1 scenario=$2
  shift 2
  exits 0 "$name" "$HEDDLE" run "$scenario" --rtl "$here/$name.yaml" "$@" --out "run-$name"
  says out ": passed" "passes"
}

# finds WHAT NAME SCENARIO FILE EDIT DIFFERENCE: with the edit in FILE, the description NAME.yaml must give that difference.
finds() {
  local what=$1 name=$2 scenario=$3 file=$4 edit=$5 difference=$6
  rm -rf bug && cp -r "$here" bug
  # planted: no, each edit is checked to change the file
  sed -i "$edit" "bug/$file"
  check "$what can be planted" bash -c "! cmp -s '$here/$file' 'bug/$file'"
  rm -rf run-bug
  exits 3 "$what is found" "$HEDDLE" run "$scenario" --rtl "bug/$name.yaml" --out run-bug
  equal "$(sql run-bug 'SELECT difference FROM divergences')" "$difference" "as $difference"
}

runs numbers two.yaml
rest
finds "a router that adds up its credits wrong" numbers two.yaml xy_router.v \
  's/free\[q\] + out_back\[q\*BW+:BW\];/free[q] + out_back[q*BW+:BW] + (out_back[q*BW+:BW] > 1);/' assertion
says out "the sender did not heed the flow control" "and told"
finds "a router that gives too many" numbers two.yaml xy_router.v 's/% 3 == 0) ? owed\[q\] :/% 3 == 0) ? owed[q] + (owed[q] == 2) :/' assertion
says out "a credit came for a slot that is free" "and told"
runs counts two.yaml
finds "a sender that forgets flits that are not counted yet" counts two.yaml xy_router.v \
  's/ > sent\[q\] + sent_before\[q\] + ((LATE != 0) \&\& sent_older\[q\])/ > 0/' assertion
cp -r "$here" late && sed -i 's/BW: 4/&, LATE: 1/; s/late: 0/late: 1/' late/counts.yaml
exits 0 "numbers that are a cycle late" "$HEDDLE" run two.yaml --rtl late/counts.yaml --out run-late
runs lanes two.yaml
finds "a channel that reads the other one's pins" lanes two.yaml xy_lanes.v 's/in_flit\[(2\*p+v)\*FW+:FW\]/in_flit[2*p*FW+:FW]/' "lost in switch"
finds "a flit that is lost where both channels send at once" lanes two.yaml xy_lanes.v \
  's/out_valid_1 = channel\[1\].leaves/& \& ~channel[0].leaves/' framing
runs length one.yaml
cp -r "$here" rest && sed -i 's/REST: 0/REST: 1/; s/length: whole/length: rest/' rest/length.yaml
exits 0 "a length without the head" "$HEDDLE" run one.yaml --rtl rest/length.yaml --out run-rest
finds "a length that is changed" length one.yaml xy_length.v 's/out\[W+:6\] :/out[W+:6] + out[W+6] :/' damaged
exits 3 "a packet that is too long" "$HEDDLE" run one.yaml --rtl "$here/length.yaml" --set software.parameters.flits=14 --out run-long
says out "a packet is longer than packet.longest, 12 flits" "is told"
sed 's/length:6/length:3/' "$here/length.yaml" >narrow.yaml && cp "$here"/xy_*.v .
exits 7 "a field that has no room for the length" "$HEDDLE" run one.yaml --rtl narrow.yaml --out none
says err "the_field_length_is_narrower_than_packet_longest" "is refused by name"

# codes KIND...: makes ready.yaml with a type field that has these codes for head and tail.
codes() {
  sed "s/head, tail, \"3'd0\"/type, \"3'd0\"/; s/^packet: {/&type: {$1}, /" "$here/ready.yaml" >codes.yaml
}
cp "$here/xy_router.v" .
codes "head: 0, body: 0, tail: 1, single: 1"
exits 0 "a single with the code of a tail" "$HEDDLE" run one.yaml --rtl codes.yaml --set software.parameters.flits=3 --out run-codes
says out ": passed" "passes"
exits 0 "and packets of one flit" "$HEDDLE" run one.yaml --rtl codes.yaml --set software.parameters.flits=1 --out run-singles
# planted: no, this test says what it changes
sed "s/out_flit\[o\*FW+:FW\] <= flit;/out_flit[o*FW+:FW] <= flit \& ~((turn == 8'd3) \&\& flit[0] ? 1 << (FW-2) : 0);/" "$here/xy_router.v" >xy_router.v
check "a tail is cut off" bash -c "! cmp -s '$here/xy_router.v' xy_router.v"
exits 3 "a tail without its code is found" "$HEDDLE" run one.yaml --rtl codes.yaml --set software.parameters.flits=3 --out run-codes-bug
cp "$here/xy_router.v" .
codes "head: 2, body: 0, tail: 1, single: 2"
exits 2 "a single with the code of a head" "$HEDDLE" run one.yaml --rtl codes.yaml --out none
says err "codes.yaml:8: packet.type: a last flit has the code of one that is not the last: give tail or length, too" \
  "is refused, as no end is marked"


# Flags of a FIFO: empty means not valid, full means not ready.
cat >flags.v <<'END'
module flags #(parameter W = 32, parameter FW = W + 13) (
    input wire clk, input wire rst_n, input wire [3:0] my_x, input wire [3:0] my_y,
    input wire [4:0] in_empty, input wire [5*FW-1:0] in_flit, output wire in_full_0, in_full_1, in_full_2, in_full_3, in_full_4,
    output wire [4:0] out_empty, output wire [5*FW-1:0] out_flit, input wire [4:0] out_stop);
  wire [4:0] back, valid;
  assign {in_full_4, in_full_3, in_full_2, in_full_1, in_full_0} = ~back;
  assign out_empty = ~valid;
  xy_router #(.W(W), .FLOW(0)) u_router (.clk(clk), .rst_n(rst_n), .my_x(my_x), .my_y(my_y), .in_valid(~in_empty), .in_flit(in_flit),
    .in_back(back), .out_valid(valid), .out_flit(out_flit), .out_back(~out_stop), .empty());
endmodule
END
sed -e 's/^top:.*/top: flags/; s/^files:.*/files: [xy_router.v, flags.v]/; s/, FLOW: 0//' \
  -e 's/valid: in_valid, ready: in_back/valid: "~in_empty", ready: "~in_full_{port}"/' \
  -e 's/valid: out_valid, ready: out_back/valid: "~out_empty[{port}]", ready: "~out_stop"/' "$here/ready.yaml" >flags.yaml
exits 0 "pins with the other level" "$HEDDLE" run one.yaml --rtl flags.yaml --out run-flags
says out ": passed" "pass"
sed -i 's/"~out_stop"/out_stop/' flags.yaml
exits 3 "a level that is wrong" "$HEDDLE" run one.yaml --rtl flags.yaml --out run-wrong-level


# Structs at ports: one pin has valid, the flit, and ready of the other direction.
cat >structs.v <<'END'
module structs #(parameter W = 32, parameter FW = W + 13, parameter LW = FW + 4) (
    input wire clk, input wire rst_n, input wire [3:0] my_x, input wire [3:0] my_y,
    input wire [5*LW-1:0] link_i, output wire [LW-1:0] link_o_0, link_o_1, link_o_2, link_o_3, link_o_4);
  wire [4:0] valid_i, ready_i, valid_o, ready_o;
  wire [5*FW-1:0] flit_i, flit_o;
  wire [5*LW-1:0] link_o;
  assign {link_o_4, link_o_3, link_o_2, link_o_1, link_o_0} = link_o;
  genvar p;
  generate for (p = 0; p < 5; p = p + 1) begin : port
    wire [1:0] two;
    assign {valid_i[p], ready_i[p], two, flit_i[p*FW+:FW]} = link_i[p*LW+:LW];
    assign link_o[p*LW+:LW] = {!valid_o[p], ready_o[p], 2'b10, flit_o[p*FW+:FW]};
    always @(posedge clk) if (rst_n && two != 2'd1) $stop;
  end endgenerate
  reg [7:0] known;  // nothing is known before the reset
  always @(posedge clk) if (!rst_n) known <= 8'h5a; else if (known != 8'h5a) $stop;
  xy_router #(.W(W), .FLOW(0)) u_router (.clk(clk), .rst_n(rst_n), .my_x(my_x), .my_y(my_y), .in_valid(valid_i), .in_flit(flit_i),
    .in_back(ready_o), .out_valid(valid_o), .out_flit(flit_o), .out_back(ready_i), .empty());
endmodule
END
sed -e 's/^top:.*/top: structs/; s/^files:.*/files: [xy_router.v, structs.v]/; s/, FLOW: 0//; /^  out:/d' \
  -e "s/^  in:.*/  bundles:\n    - \"link_i[{port}] = in.valid, out.ready, 2'd1, in.flit\"\n    - \"link_o_{port} = ~out.valid, in.ready, 2'd0, out.flit\"/" \
  "$here/ready.yaml" >structs.yaml
exits 0 "several signals in one pin" "$HEDDLE" run one.yaml --rtl structs.yaml --out run-structs
says out ": passed" "pass"
sed "s/out.ready, 2'd1/out.ready, 3'd1/" structs.yaml >wide-structs.yaml
exits 7 "a bundle that is too wide" "$HEDDLE" run one.yaml --rtl wide-structs.yaml --out none
says err "pin link_i of structs has 245 bits, its description asks for 250" "is refused by its bits"
sed "s/2'd1, in.flit/in.flit/; s/link_i.{port}. = /&in.ready, /; s/ in.ready, 2'd0/ 1'd0, 2'd0/" structs.yaml >wrong.yaml
exits 2 "a bundle with pins of both directions" "$HEDDLE" run one.yaml --rtl wrong.yaml --out none
says err "ports.bundles[0]: in.valid: the router drives it, or does not, unlike the parts before" "is refused"

mkdir -p headers && echo '`define WIDTH 32' >headers/width.h && echo '`define SLOT_COUNT 8' >headers/slots.inc
sed -e '/^module/i `include "width.h"\n`include "slots.inc"' -e 's/parameter W = 32/parameter W = `WIDTH/; s/SLOTS = 8/SLOTS = `SLOT_COUNT/' \
  "$here/xy_router.v" >xy_router.v
sed 's/^files:.*/&\ninclude: headers/; s/parameters: {W: DATA_W, /parameters: {/' "$here/ready.yaml" >headers.yaml
exits 0 "a router that includes headers" "$HEDDLE" wrap headers.yaml --out wrapped-headers
says out "verilator  reads it" "is read by Verilator"
says out "icarus     reads it" "by Icarus"
says out "yosys      reads it" "and by Yosys"
exits 0 "its headers are found in a run" "$HEDDLE" run one.yaml --rtl headers.yaml --out run-headers
cp "$here/xy_router.v" .

# The router is as narrow as a 2x2 mesh allows, so the check needs no more.
sed "s/\"3'd0\", \"x:4\", \"y:4\", data/\"3'd0\", \"3'd0\", \"x:1\", \"3'd0\", \"y:1\", \"data:22\"/; s/columns: 4/columns: 2/; s/W: DATA_W/W: 22/" \
  "$here/ready.yaml" >narrow-all.yaml
exits 0 "a router with narrow fields" "$HEDDLE" wrap narrow-all.yaml
says out "verilator  reads it" "is not refused for a scenario that nobody asked for"
exits 0 "it is checked" "$HEDDLE" check narrow-all.yaml --runs 3 --workers 1 --out check-narrow
says out "no rule broken in 3 runs" "in fabrics that fit"
check "and nothing is refused" bash -c '! grep -q "refuses" out'

sed 's/columns: 4/columns: 2/' "$here/wide.yaml" >wide.yaml
cp "$here/xy_router.v" .
exits 0 "512 bits of data" "$HEDDLE" run small.yaml --rtl wide.yaml --out run-wide
says out ": passed" "passes"
# planted: no, this test says what it changes
sed -i "s/out_flit\[o\*FW+:FW\] <= flit;/out_flit[o*FW+:FW] <= flit ^ ({{(FW-1){1'b0}}, flit[9]} << 300);/" xy_router.v
check "bit 300 is changed" bash -c "! cmp -s '$here/xy_router.v' xy_router.v"
exits 3 "a bit above Heddle's data that is damaged is found" "$HEDDLE" run small.yaml --rtl wide.yaml --out run-wide-bug
equal "$(sql run-wide-bug 'SELECT difference FROM divergences')" "damaged" "as damaged"
summary
