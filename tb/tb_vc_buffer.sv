// Buffer of a virtual channel against a queue (§2.3).
// SPDX-License-Identifier: Apache-2.0
module tb_vc_buffer;
  parameter DEPTH = 4;
  localparam WIDTH = 24;
`include "check.svh"
  localparam ROW_W = DEPTH > 1 ? $clog2(DEPTH) : 1;
  logic push = 0, pop = 0, early = 0, some, more;
  logic [ROW_W-1:0] front_row, push_row;
  int front_at = 0, push_at = 0;
  logic [WIDTH-1:0] in = 0, out, next;
  logic [$clog2(DEPTH+1)-1:0] fill;
  hd_vc_buffer #(.WIDTH(WIDTH), .DEPTH(DEPTH)) dut (
    .clk(clk), .rst(rst), .push_i(push), .data_i(in), .pop_i(pop && !early), .early_pop_i(pop && early),
    .some_o(some), .data_o(out), .next_o(next),
    .more_o(more), .fill_o(fill), .front_row_o(front_row), .push_row_o(push_row));
  logic [WIDTH-1:0] list[$], gone;
  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 5000; n++) begin
      check("fill", fill, list.size());
      check("some", some, list.size() > 0);
      check("more", more, list.size() > 1);
      if (list.size() > 0) check("front", out, list[0]);
      check("row of the front", front_row, front_at);
      check("row of the next push", push_row, push_at);
      early = random_below(2);
      pop  = list.size() > 0 && random_below(2) != 0;
      push = (list.size() < DEPTH || pop) && random_below(3) != 0;
      in   = $random(seed);
      if (pop) gone = list.pop_front();
      if (push) list.push_back(in);
      front_at = (front_at + pop) % DEPTH;
      push_at = (push_at + push) % DEPTH;
      #1;
      if ((pop && list.size() > 0) || (push && list.size() == 1)) check("next", next, list[0]);
      step();
    end
    finish_bench($sformatf("vc_buffer DEPTH=%0d", DEPTH));
  end
endmodule
