// An input FIFO of the XY mesh router.
// SPDX-License-Identifier: Apache-2.0
//
// Valid and ready depend on registers alone, so no path leads through the FIFO within a cycle. A full
// FIFO takes nothing, also in the cycle in which its front leaves.
module xy_fifo
  import xy_pkg::*;
#(
    parameter int unsigned Depth = 4
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic  valid_i,
    output logic  ready_o,
    input  flit_t flit_i,

    output logic  valid_o,
    input  logic  ready_i,
    output flit_t flit_o
);

  localparam int unsigned IndexWidth = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int unsigned CountWidth = $clog2(Depth + 1);

  flit_t slots_q[Depth];
  logic [IndexWidth-1:0] write_q, read_q;
  logic [CountWidth-1:0] count_q;
  logic push, pop;

  function automatic logic [IndexWidth-1:0] next(logic [IndexWidth-1:0] index);
    return (index == IndexWidth'(Depth - 1)) ? '0 : index + 1'b1;
  endfunction

  assign ready_o = count_q != CountWidth'(Depth);
  assign valid_o = count_q != '0;
  assign flit_o = slots_q[read_q];
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q <= '0;
      read_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) write_q <= next(write_q);
      if (pop) read_q <= next(read_q);
      if (push && !pop) count_q <= count_q + 1'b1;
      if (pop && !push) count_q <= count_q - 1'b1;
    end
    if (push) slots_q[write_q] <= flit_i;
  end

endmodule
