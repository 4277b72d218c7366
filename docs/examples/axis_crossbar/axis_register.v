// A register slice of an AXI stream: no path leads through it within a cycle, in either direction.
// SPDX-License-Identifier: Apache-2.0
//
// Two beats fit in. The second place catches the beat that comes in the cycle in which the receiver stops.
`default_nettype none

module axis_register #(
    parameter WIDTH = 16
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             s_tvalid,
    output wire             s_tready,
    input  wire [WIDTH-1:0] s_beat,
    output wire             m_tvalid,
    input  wire             m_tready,
    output wire [WIDTH-1:0] m_beat
);

  reg [WIDTH-1:0] beat_reg, spare_reg;
  reg valid_reg, spare_valid_reg;

  assign s_tready = !spare_valid_reg;
  assign m_tvalid = valid_reg;
  assign m_beat   = beat_reg;

  always @(posedge clk) begin
    if (m_tready || !valid_reg) begin
      valid_reg <= s_tvalid || spare_valid_reg;
      beat_reg <= spare_valid_reg ? spare_reg : s_beat;
      spare_valid_reg <= 1'b0;
    end else if (s_tvalid && s_tready) begin
      spare_reg <= s_beat;
      spare_valid_reg <= 1'b1;
    end
    if (rst) begin
      valid_reg <= 1'b0;
      spare_valid_reg <= 1'b0;
    end
  end

endmodule

`default_nettype wire
