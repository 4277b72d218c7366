// A member of a barrier group on chip, hd_export_barrier, arrives when §9.8 says, and sends and takes messages as §7.9 and
// §7.10 say.
// SPDX-License-Identifier: Apache-2.0
//
// It gets messages in flits of any channel, with other flits between them. Half of those that may come while it waits for a
// release are releases; in the others one bit differs. Resets come in the midst of everything. At the end no release comes
// any more, for longer than its counter takes to wrap: it must not arrive again.
`default_nettype none

module barrier_tb;
  parameter VCS = 2, DATA_W = 16, NODE = 5, GAP = 4, SEED = 1, LONGEST = 1 << 16;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1, TWO = DATA_W == 16, CYCLES = 20000;
  localparam [2:0] FIRST = 3'b100, LAST = 3'b101;

  reg clk = 0, rst = 1, valid = 0, back = 0;
  always #5 clk = !clk;
  reg [2:0] kind = 0;
  reg [VC_W-1:0] vc = 0;
  reg [DATA_W-1:0] data = 0;
  wire credit, sends, sent;
  wire [2:0] sent_kind;
  wire [DATA_W-1:0] sent_data;
  hd_export_barrier #(
      .VCS(VCS), .DATA_W(DATA_W), .NODE(NODE), .GAP(GAP)
  ) dut (
      .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .credit_o(credit), .sends_o(sends),
      .valid_o(sent), .kind_o(sent_kind), .data_o(sent_data), .credit_i(back)
  );

  integer seed = SEED, cycle = 0, bad = 0, v, arrivals = 0, releases = 0, credits = 2, dry = 0, resets = 0;
  task complain(input [8*24-1:0] what);
    begin
      if (bad < 5) $display("cycle %0d: %0s", cycle, what);
      bad = bad + 1;
    end
  endtask

  // ── what it must do ──
  reg [31:0] random, message;
  reg [15:0] left;
  reg draw, waits, pending, second, start, want, want_credit, arrives, released = 0;
  reg [2:0] want_kind;
  reg [DATA_W-1:0] want_data;
  reg [VCS-1:0] began;  // channels on which the first of two flits has come
  reg [15:0] halves[0:VCS-1];
  task judge;
    begin
      if (credit !== want_credit) complain("credit");
      if (sent !== want || (sent && (sent_kind !== want_kind || sent_data !== want_data))) complain("what it sends");
      arrives = waits && left == 0;
      if (arrives) begin
        pending = 1;
        waits = 0;
        arrivals = arrivals + 1;
      end else left = left - 1;
      if (draw) begin
        waits = 1;
        left = (GAP == 0) ? 0 : random >> (32 - GAP);
      end
      start = pending && !second && credits > 0;
      if (pending && credits == 0) dry = dry + 1;
      if (sends !== (start || second)) complain("sends_o");
      want = start || second;
      want_kind = (start && TWO) ? FIRST : LAST;
      want_data = 0;
      if (TWO) want_data[15] = second;
      else want_data[31] = 1;
      second = start && TWO;
      if (start) pending = 0;
      credits = credits - start + back;
      random = random ^ (random << 13);
      random = random ^ (random >> 17);
      random = random ^ (random << 5);
      draw = released;
      want_credit = valid && kind == LAST;
    end
  endtask

  // ── what it gets: released says of the flit that is put at the pins whether it ends a release ──
  task give;
    begin
      vc = $unsigned($random(seed)) % VCS;
      valid = ($random(seed) & 3) != 0;
      kind = $random(seed);
      data = {$random(seed), $random(seed)};
      released = 0;
      if (valid && kind == FIRST && !TWO) kind = 0;
      if (valid && (kind == FIRST || kind == LAST)) begin
        // bits 30 to 9 of a message may be anything
        message = {1'b1, 31'd1} | ($random(seed) & 32'h7ffffe00);
        if (draw || waits || pending || second || want || cycle > CYCLES || $random(seed) & 1) begin
          v = $unsigned($random(seed)) % 10;
          message[v == 9 ? 31 : v] = !message[v == 9 ? 31 : v];
        end
        if (!TWO) begin
          data[31:0] = message;
          released = message[31] && message[8:0] == 1;
        end else if (kind == FIRST) begin
          data = message[15:0];
          began[vc] = 1;
          halves[vc] = data;
        end else if (!began[vc]) kind = 0;
        else begin
          data = message[31:16];
          began[vc] = 0;
          released = data[15] && halves[vc][8:0] == 1;
          // it has not arrived again yet: no group says so now
          if (released && (draw || waits || pending || second || want || cycle > CYCLES)) begin
            data[15] = 0;
            released = 0;
          end
        end
      end
      if (released) releases = releases + 1;
      back = credits < 2 && $unsigned($random(seed)) % (cycle & 256 ? 60 : 4) == 0;
    end
  endtask

  always @(posedge clk) begin
    cycle = cycle + 1;
    if (rst) begin
      random = (NODE + 1) * 32'h85ebca6b;
      {waits, pending, second, want, want_credit, began} = 0;
      draw = 1;
      credits = 2;
    end else judge;
  end
  always @(negedge clk) begin
    rst = cycle < 2 || (cycle < CYCLES / 2 && $unsigned($random(seed)) % 100 == 0);
    resets = resets + rst;
    give;
    if (rst) released = 0;
    if (cycle == CYCLES + LONGEST + 2 * (1 << GAP)) begin
      if (arrivals < 200 || releases < 200 || dry < 20 || resets < 20) complain("too little happens");
      if (bad == 0)
        $display("ok barrier: %0d arrivals, %0d releases, %0d cycles without a credit, VCS %0d DATA_W %0d GAP %0d, seed %0d", arrivals, releases, dry, VCS, DATA_W, GAP, SEED);
      else $display("FAIL %0d differences, seed %0d", bad, SEED);
      $finish;
    end
  end
endmodule
