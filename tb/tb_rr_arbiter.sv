// Round-robin arbiter against a search from the pointer on (§2.5).
// SPDX-License-Identifier: Apache-2.0
module tb_rr_arbiter;
  parameter N = 5;
`include "check.svh"
  logic [N-1:0] req = 0, pick, want;
  logic advance = 0;
  localparam NEXT_W = N > 16 ? 8 : 4;
  logic [NEXT_W-1:0] next;
  hd_rr_arbiter #(.N(N), .NEXT_W(NEXT_W)) dut (.clk(clk), .rst(rst), .req_i(req), .pick_o(pick), .advance_i(advance), .next_o(next));
  int pointer = 0, choice;
  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 5000; n++) begin
      for (int k = 0; k < N; k++) req[k] = random_below(2);
      if (N > 20 && random_below(2)) req &= {N{1'b1}} << random_below(N);
      if (N > 20 && random_below(2)) req &= {N{1'b1}} >> random_below(N);
      if (random_below(4) == 0) req = 0;
      #1 choice = -1;
      for (int k = 0; k < N; k++) if (choice < 0 && req[(pointer + k) % N]) choice = (pointer + k) % N;
      advance = choice >= 0 && random_below(3) != 0;
      want = 0;
      if (choice >= 0) want[choice] = 1;
      #1 check("pick is the wanted one", pick === want, 1);
      check("next", next, pointer);
      if (advance) pointer = (choice + 1) % N;
      step();
    end
    finish_bench($sformatf("rr_arbiter N=%0d", N));
  end
endmodule
