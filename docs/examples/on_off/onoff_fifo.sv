// The buffer of a virtual channel. Nobody may push into a full one: the on/off signal sees to that.
// SPDX-License-Identifier: Apache-2.0
module onoff_fifo #(
    parameter int WIDTH   = 18,
    parameter int SLOTS   = 8,
    parameter int COUNT_W = $clog2(SLOTS + 1)
) (
    input  logic               clk_i,
    input  logic               rst_i,
    input  logic               push_i,
    input  logic [  WIDTH-1:0] flit_i,
    input  logic               pop_i,
    output logic [  WIDTH-1:0] flit_o,
    output logic [COUNT_W-1:0] count_o
);

  localparam int INDEX_W = (SLOTS > 1) ? $clog2(SLOTS) : 1;

  logic [WIDTH-1:0] slots_q[0:SLOTS-1];
  logic [INDEX_W-1:0] write_q, read_q;
  logic [COUNT_W-1:0] count_q;

  assign flit_o = slots_q[read_q];
  assign count_o = count_q;

  always_ff @(posedge clk_i) begin
    if (push_i) slots_q[write_q] <= flit_i;
    if (push_i) write_q <= (write_q == INDEX_W'(SLOTS - 1)) ? '0 : write_q + 1'b1;
    if (pop_i) read_q <= (read_q == INDEX_W'(SLOTS - 1)) ? '0 : read_q + 1'b1;
    count_q <= count_q + COUNT_W'(push_i) - COUNT_W'(pop_i);
    if (rst_i) begin
      write_q <= '0;
      read_q  <= '0;
      count_q <= '0;
    end
  end

endmodule
