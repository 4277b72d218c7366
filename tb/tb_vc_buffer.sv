// Buffer of a virtual channel against a queue (§2.3).
// SPDX-License-Identifier: Apache-2.0
module tb_vc_buffer;
  parameter DEPTH = 4;
  localparam WIDTH = 24;
`include "check.svh"
  logic push = 0, pop = 0, some, more;
  logic [WIDTH-1:0] in = 0, out, next;
  logic [$clog2(DEPTH+1)-1:0] fill;
  hd_vc_buffer #(.WIDTH(WIDTH), .DEPTH(DEPTH)) dut (
    .clk(clk), .rst(rst), .push_i(push), .data_i(in), .pop_i(pop), .some_o(some), .data_o(out), .next_o(next),
    .more_o(more), .fill_o(fill));
  logic [WIDTH-1:0] list[$], gone;
  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 5000; n++) begin
      check("fill", fill, list.size());
      check("some", some, list.size() > 0);
      check("more", more, list.size() > 1);
      if (list.size() > 0) check("front", out, list[0]);
      pop  = list.size() > 0 && random_below(2) != 0;
      push = (list.size() < DEPTH || pop) && random_below(3) != 0;
      in   = $random(seed);
      if (pop) gone = list.pop_front();
      if (push) list.push_back(in);
      #1;
      if ((pop && list.size() > 0) || (push && list.size() == 1)) check("next", next, list[0]);
      step();
    end
    finish_bench($sformatf("vc_buffer DEPTH=%0d", DEPTH));
  end
endmodule
