// Crossbar column: one of PORTS lanes, chosen by one bit (§2.2).
// SPDX-License-Identifier: Apache-2.0
//
// The lanes are masked and ORed, because a chain of choices would get longer with every lane.
`default_nettype none

module hd_crossbar #(
    parameter PORTS = 5,  // lanes
    parameter WIDTH = 16  // bits a lane
) (
    input  wire [      PORTS-1:0] select_i,  // at most one bit; without one, lane_o is 0
    input  wire [PORTS*WIDTH-1:0] lanes_i,
    output reg  [      WIDTH-1:0] lane_o
);

  integer i;
  always @* begin
    lane_o = {WIDTH{1'b0}};
    if (select_i != {PORTS{1'b0}})
      for (i = 0; i < PORTS; i = i + 1) lane_o = lane_o | ({WIDTH{select_i[i]}} & lanes_i[i*WIDTH+:WIDTH]);
  end

endmodule

`default_nettype wire
