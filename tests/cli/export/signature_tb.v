// hd_signature has the signatures of §9.6, worked out bit by bit from the polynomial.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module signature_tb;
  parameter PORTS = 3, VCS = 3, DATA_W = 32, SEED = 1;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1, LANES = DATA_W / 16, N = PORTS * LANES + 1, CYCLES = 1000;
  reg clk = 0, clear = 1, step = 0, quiet = 0;
  always #5 clk = !clk;
  reg [PORTS-1:0] valid = 0, barrier_credit = 0;
  reg [PORTS*3-1:0] kind = 0;
  reg [PORTS*VC_W-1:0] vc = 0;
  reg [PORTS*DATA_W-1:0] data = 0;
  reg [PORTS*VCS-1:0] credit = 0;
  reg [PORTS*7-1:0] count = 0;
  wire [32*N-1:0] all;
  hd_signature #(
      .PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .VC_W(VC_W)
  ) dut (
      .clk(clk), .clear_i(clear), .step_i(step), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .credit_i(credit),
      .barrier_credit_i(barrier_credit), .count_i(count), .quiescent_i(quiet), .all_o(all)
  );
  integer seed = SEED, cycle = 0, bad = 0, p, j, i, compared = 0;
  reg [31:0] s[0:N-1], w, x;
  task take(input integer n);  // s[n] * x^10 + w modulo x^32 + x^22 + x^2 + x + 1
    begin
      x = s[n];
      for (i = 0; i < 10; i = i + 1) x = x[31] ? {x[30:0], 1'b0} ^ 32'h00400007 : {x[30:0], 1'b0};
      s[n] = x ^ w;
    end
  endtask
  always @(posedge clk) begin
    if (cycle > 0)
      for (p = 0; p < N; p = p + 1) begin
        compared = compared + 1;
        if (all[32*p+:32] !== s[p]) begin
          if (bad < 5) $display("cycle %0d: signature %0d is %h, want %h", cycle, p, all[32*p+:32], s[p]);
          bad = bad + 1;
        end
      end
    if (clear) for (p = 0; p < N; p = p + 1) s[p] = 0;
    else if (step) begin
      for (p = 0; p < PORTS; p = p + 1)
        for (j = 0; j < LANES; j = j + 1) begin
          w = 0;
          if (valid[p]) w[15:0] = data[p*DATA_W+16*j+:16];
          if (j == 0) begin
            if (valid[p]) w[22:16] = {1'b1, {3{1'b0}} | vc[p*VC_W+:VC_W], kind[3*p+:3]};
            w[30:23] = credit[p*VCS+:VCS];
            w[31] = barrier_credit[p];
          end
          take(p * LANES + j);
        end
      w = quiet;
      for (p = 0; p < PORTS; p = p + 1) w = w ^ (count[7*p+:7] << (p + 1));
      take(N - 1);
    end
    cycle = cycle + 1;
    if (cycle == CYCLES) begin
      if (bad == 0) $display("ok signature: %0d compared, PORTS %0d VCS %0d DATA_W %0d, seed %0d", compared, PORTS, VCS, DATA_W, SEED);
      else $display("FAIL %0d differences, seed %0d", bad, SEED);
      $finish;
    end
  end
  always @(negedge clk) begin
    clear = cycle < 2 || $unsigned($random(seed)) % 50 == 0;
    step = $random(seed);
    for (p = 0; p < PORTS; p = p + 1) begin
      valid[p] = $random(seed);
      kind[3*p+:3] = $random(seed);
      vc[p*VC_W+:VC_W] = $random(seed);
      data[p*DATA_W+:DATA_W] = {$random(seed), $random(seed)};
      credit[p*VCS+:VCS] = $random(seed);
      barrier_credit[p] = $random(seed);
      count[7*p+:7] = $random(seed);
    end
    quiet = $random(seed);
  end
endmodule
