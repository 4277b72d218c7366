// Chooses one of several AXI streams in turn and keeps it until its packet has ended.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module axis_arbiter #(
    parameter PORTS = 4
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [PORTS-1:0] request,  // streams with a beat
    input  wire             beat,     // the chosen beat goes on
    input  wire             last,     // and is the last one of its packet
    output wire [PORTS-1:0] chosen    // one-hot; 0: none
);

  reg [PORTS-1:0] owner_reg;  // of the last beat
  reg locked_reg;

  // requests above the last owner, and the lowest of these or of all
  wire [PORTS-1:0] above = request & ~(owner_reg | (owner_reg - 1'b1));
  wire [PORTS-1:0] fair = (above != 0) ? above : request;
  wire [PORTS-1:0] first = fair & (~fair + 1'b1);

  assign chosen = locked_reg ? owner_reg & request : first;

  always @(posedge clk)
    if (rst) begin
      owner_reg  <= {1'b1, {PORTS - 1{1'b0}}};
      locked_reg <= 1'b0;
    end else if (beat) begin
      owner_reg  <= chosen;
      locked_reg <= !last;
    end

endmodule

`default_nettype wire
