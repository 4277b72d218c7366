// Round-robin arbiter against a search from the pointer on (§2.5).
// SPDX-License-Identifier: Apache-2.0
module tb_rr_arbiter;
  parameter N = 5, SETS = 1;
`include "check.svh"
  logic [SETS*N-1:0] req = 0, pick, want;
  logic [SETS-1:0] set = 1;
  logic advance = 0;
  localparam NEXT_W = N > 16 ? 8 : 4;
  logic [NEXT_W-1:0] next;
  hd_rr_arbiter #(.N(N), .NEXT_W(NEXT_W), .SETS(SETS)) dut (
    .clk(clk), .rst(rst), .req_i(req), .pick_o(pick), .advance_i(advance), .set_i(set), .next_o(next));
  int pointer = 0, choice, moved;
  logic [N-1:0] ask;
  initial begin
    step(); step();
    rst = 0;
    for (int n = 0; n < 5000; n++) begin
      want = 0;
      moved = -1;
      for (int i = 0; i < SETS; i++) begin
        for (int k = 0; k < N; k++) ask[k] = random_below(2);
        if (N > 20 && random_below(2)) ask &= {N{1'b1}} << random_below(N);
        if (N > 20 && random_below(2)) ask &= {N{1'b1}} >> random_below(N);
        if (random_below(4) == 0) ask = 0;
        req[i*N+:N] = ask;
        choice = -1;
        for (int k = 0; k < N && choice < 0; k++) if (ask[(pointer + k) % N]) choice = (pointer + k) % N;
        if (choice >= 0) want[i*N+choice] = 1;
        if (choice >= 0 && (moved < 0 || random_below(2))) begin
          moved = choice;
          set = 1 << i;
        end
      end
      advance = moved >= 0 && random_below(3) != 0;
      #1 check("pick is the wanted one", pick === want, 1);
      check("next", next, pointer);
      if (advance) pointer = (moved + 1) % N;
      step();
    end
    finish_bench($sformatf("rr_arbiter N=%0d SETS=%0d", N, SETS));
  end
endmodule
