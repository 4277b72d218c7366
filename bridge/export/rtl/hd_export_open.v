// Opens barrier group 0 with all nodes as members in a fabric at speed (§8.6, §9.8).
// SPDX-License-Identifier: Apache-2.0
//
// From the first cycle without rst on, a switch with members gets one write in each cycle: four at
// the center, three elsewhere. Vectors hold switch s at index s.
`default_nettype none

module hd_export_open #(
    parameter SWITCHES = 4,
    parameter PORTS    = 5,
    parameter CENTER   = 0,  // switch that is the group's center
    // number of other switches with members
    parameter COUNT    = 3,
    parameter [SWITCHES*PORTS-1:0] LOCAL = {SWITCHES * PORTS{1'b1}}  // ports with members
) (
    input  wire                   clk,
    input  wire                   rst,
    output wire [   SWITCHES-1:0] write_o,
    output wire [SWITCHES*20-1:0] addr_o,
    output wire [SWITCHES*16-1:0] data_o,
    output wire                   done_o   // all writes are done
);

  localparam [31:0] CENTER_BITS = CENTER, COUNT_BITS = COUNT;
  localparam [2:0] CENTER_WRITES = 3'd4, OTHER_WRITES = 3'd3;
  localparam [4:0] AT_CENTER = 5'd12, AT_COUNT = 5'd13, AT_LOCAL = 5'd14, AT_OPEN = 5'd15;

  reg [2:0] step_q;
  assign done_o = step_q == CENTER_WRITES;
  always @(posedge clk)
    if (rst) step_q <= 3'd0;
    else if (!done_o) step_q <= step_q + 3'd1;

  genvar s;
  generate
    for (s = 0; s < SWITCHES; s = s + 1) begin : sw
      localparam [PORTS-1:0] MEMBERS = LOCAL[s*PORTS+:PORTS];
      localparam [2:0] WRITES = (MEMBERS == {PORTS{1'b0}}) ? 3'd0 : (s == CENTER) ? CENTER_WRITES : OTHER_WRITES;
      // only the center gets the second write, COUNT
      wire [2:0] what = ((s != CENTER) && (step_q != 3'd0)) ? step_q + 3'd1 : step_q;
      assign write_o[s] = !rst && (step_q < WRITES);
      assign addr_o[s*20+:20] = {
        15'd0, (what == 3'd0) ? AT_CENTER : (what == 3'd1) ? AT_COUNT : (what == 3'd2) ? AT_LOCAL : AT_OPEN
      };
      assign data_o[s*16+:16] = (what == 3'd0) ? CENTER_BITS[15:0] : (what == 3'd1) ? COUNT_BITS[15:0] :
          (what == 3'd2) ? {{(16 - PORTS) {1'b0}}, MEMBERS} : 16'd0;
    end
  endgenerate

endmodule

`default_nettype wire
