// The buffer of a link: a FIFO whose valid and ready depend on registers alone.
// SPDX-License-Identifier: Apache-2.0
module mesh_fifo #(
    parameter int Width = 8,
    parameter int Depth = 4    // 2 or more
) (
    input logic clk,
    input logic rst_n,

    input  logic             in_valid,
    output logic             in_ready,
    input  logic [Width-1:0] in_flit,

    output logic             out_valid,
    input  logic             out_ready,
    output logic [Width-1:0] out_flit
);

  localparam int IndexW = $clog2(Depth);

  logic [Width-1:0] slots[Depth];
  logic [IndexW-1:0] head, tail;  // where the next flit leaves, where the next one goes
  logic [IndexW:0] held;
  logic push, pop;

  assign in_ready  = held != Depth;
  assign out_valid = held != 0;
  assign out_flit  = slots[head];
  assign push      = in_valid && in_ready;
  assign pop       = out_valid && out_ready;

  always_ff @(posedge clk)
    if (!rst_n) begin
      head <= 0;
      tail <= 0;
      held <= 0;
    end else begin
      if (push) tail <= (tail == Depth - 1) ? 0 : tail + 1;
      if (pop) head <= (head == Depth - 1) ? 0 : head + 1;
      held <= held + push - pop;
    end

  always_ff @(posedge clk) if (push) slots[tail] <= in_flit;

endmodule
