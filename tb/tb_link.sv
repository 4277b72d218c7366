// Link: flits and credits arrive LINK - 1 cycles after the sender's output shows them (§1.5).
// SPDX-License-Identifier: Apache-2.0
module tb_link;
  parameter LINK = 2;
`include "check.svh"
  logic vi = 0, vo;
  logic [19:0] fi = 0, fo;
  logic [1:0] ci = 0, co;
  hd_link #(.LINK(LINK)) dut (.clk(clk), .rst(rst), .valid_i(vi), .flit_i(fi), .credit_o(co),
    .valid_o(vo), .flit_o(fo), .credit_i(ci));
  logic v[0:15];
  logic [19:0] f[0:15];
  logic [1:0] c[0:15];
  initial begin
    foreach (v[i]) begin
      v[i] = 0;
      c[i] = 0;
    end
    step(); step();
    rst = 0;
    for (int n = 0; n < 2000; n++) begin
      for (int i = 15; i > 0; i--) begin
        v[i] = v[i-1];
        f[i] = f[i-1];
        c[i] = c[i-1];
      end
      vi = random_below(2);
      fi = $random(seed);
      ci = random_below(4);
      v[0] = vi;
      f[0] = fi;
      c[0] = ci;
      #1 check("valid", vo, v[LINK-1]);
      check("credit", co, c[LINK-1]);
      if (vo) check("flit", fo, f[LINK-1]);
      step();
    end
    finish_bench($sformatf("link LINK=%0d", LINK));
  end
endmodule
