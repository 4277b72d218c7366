// xy_router whose flits are {length[5:0], x[3:0], y[3:0], data}: the length of a packet, in its head, says where it ends.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module xy_length #(
    parameter W  = 32,
    parameter REST = 0,  // 1: the length is without the head
    parameter FW = W + 14
) (
    input  wire            clk,
    input  wire            rst_n,
    input  wire [     3:0] my_x,
    input  wire [     3:0] my_y,
    input  wire [     4:0] in_valid,
    input  wire [5*FW-1:0] in_flit,
    output wire [     4:0] in_ready,
    output wire [     4:0] out_valid,
    output wire [5*FW-1:0] out_flit,
    input  wire [     4:0] out_ready
);

  localparam IW = W + 6 + 13;  // of a flit inside: its data has the length above
  wire [5*IW-1:0] enters, leaves;
  genvar p;
  generate
    for (p = 0; p < 5; p = p + 1) begin : port
      wire [FW-1:0] flit = in_flit[p*FW+:FW];
      reg [5:0] left;  // flits of the packet after the last one
      wire [5:0] length = flit[FW-1-:6];
      wire [5:0] after = (left != 6'd0) ? left - 6'd1 : (REST != 0) ? length : length - 6'd1;
      assign enters[p*IW+:IW] = {left == 6'd0, after == 6'd0, 3'd0, flit[W+:8], length, flit[W-1:0]};
      wire [IW-1:0] out = leaves[p*IW+:IW];
      assign out_flit[p*FW+:FW] = {out[IW-1] ? out[W+:6] : ~6'd0, out[W+6+:8], out[W-1:0]};
      always @(posedge clk)
        if (!rst_n) left <= 6'd0;
        else if (in_valid[p] && in_ready[p]) left <= after;
    end
  endgenerate

  xy_router #(
      .W   (W + 6),
      .FLOW(0)
  ) u_router (
      .clk      (clk),
      .rst_n    (rst_n),
      .my_x     (my_x),
      .my_y     (my_y),
      .in_valid (in_valid),
      .in_flit  (enters),
      .in_back  (in_ready),
      .out_valid(out_valid),
      .out_flit (leaves),
      .out_back (out_ready),
      .empty    ()
  );

endmodule

`default_nettype wire
