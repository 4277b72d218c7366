// hd_windows takes the signatures of each window of §9.7 once, and says when it cannot.
// SPDX-License-Identifier: Apache-2.0
//
// The fabric is a few numbers, each of which follows from the one before in a cycle in which signatures step. The bench works
// out in which cycles that must be, which words the memory must hold, and from when on there is no room or no time.
`default_nettype none

module windows_tb;
  parameter SIGNATURES = 3, WORDS = 32, RUNS = 150, SEED = 1;
  localparam ADDR_W = $clog2(WORDS), FULL = WORDS - 2 * SIGNATURES;
  reg clk = 0, rst = 1, start = 0, ready = 0;
  always #5 clk = !clk;
  reg [47:0] first = 0;
  reg [5:0] k = 0;
  reg [31:0] windows = 0, given = 0;
  reg [ADDR_W-1:0] addr = 0;
  reg [32*SIGNATURES-1:0] signatures = 0;
  wire running, fabric_rst, clear, step, overrun;
  wire [31:0] complete, word;
  hd_windows #(
      .SIGNATURES(SIGNATURES), .WORDS(WORDS)
  ) dut (
      .clk(clk), .rst(rst), .start_i(start), .first_i(first), .k_i(k), .windows_i(windows), .running_o(running),
      .fabric_rst_o(fabric_rst), .ready_i(ready), .clear_o(clear), .step_o(step), .signatures_i(signatures),
      .given_i(given), .complete_o(complete), .overrun_o(overrun), .addr_i(addr), .word_o(word)
  );

  integer seed = SEED, cycle = 0, bad = 0, run = 0, i, taken = 0, overruns = 0, late = 0, words = 0;
  task complain(input [8*28-1:0] what);
    begin
      if (bad < 5) $display("run %0d, cycle %0d: %0s", run, cycle, what);
      bad = bad + 1;
    end
  endtask

  // ── the fabric: pins show what its cycle `shown` made visible, from -1 on ──
  integer in_reset = 0, load = 0, shown = -1;
  reg going = 0, was_reset = 0;
  reg [31:0] value;
  always @(posedge clk) begin
    for (i = 0; i < SIGNATURES; i = i + 1) begin
      value = signatures[32*i+:32];
      if (clear) signatures[32*i+:32] <= 0;
      else if (step) signatures[32*i+:32] <= value * 32'd1664525 + 32'd1013904223 + i;
    end
  end
  // signature i after n steps, for windows one after another
  reg [31:0] after[0:SIGNATURES-1];
  integer steps;
  reg [31:0] want[0:1023];
  integer want_n, left, back;
  reg over, ends, is_full, was_full;  // is there room: it is seen a cycle late
  reg [31:0] told;  // how many words there are

  task begin_run;
    begin
      shown = -1;
      steps = 0;
      {over, ends} = 0;
      want_n = 0;
      left = 0;
      told = 0;
      for (i = 0; i < SIGNATURES; i = i + 1) after[i] = 0;
    end
  endtask
  // the words that the memory holds and nobody has given back
  reg ask = 0, asked = 0;
  reg [31:0] asked_word;
  integer asked_n = 0;
  reg step_due;
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (!rst && !start && going) begin
      if (shown == 0 && in_reset == 0) complain("the fabric is not reset");
      step_due = shown >= 0 && shown >= first && !over && steps < windows * (1 << k);
      if (step !== step_due) complain("a step, or none");
      if (shown < first && shown >= 0 && clear !== 1'b1) complain("signatures begin before");
      if (shown >= 0 && shown >= first && clear !== 1'b0) complain("signatures are cleared");
      if (complete !== told) complain("how many there are");
      if (overrun !== over) complain("overrun");
      if (running !== (!over && steps < windows * (1 << k) || ends || left > 0)) complain("running");
      if (asked && word !== asked_word) complain("a word");
      words = words + asked;
    end
    asked = ask;  // the word is there in the next cycle
    asked_word = want[asked_n%1024];
  end
  // what the next cycle must show
  always @(posedge clk) begin
    #1;
    was_full = is_full;
    is_full = told - given > FULL;
    if (rst || start) begin_run;
    else if (going) begin
      // a window has ended in the last cycle: it is copied, unless there is no time or no room
      if (ends) begin
        if (left > 1 || was_full) begin
          over = 1;
          overruns = overruns + 1;
          late = late + (left > 1);
          if (left > 0) begin left = left - 1; told = told + 1; end
        end else begin
          if (left > 0) told = told + 1;
          left = SIGNATURES;
          taken = taken + 1;
          for (i = 0; i < SIGNATURES; i = i + 1) want[(want_n+i)%1024] = after[i];
          want_n = want_n + SIGNATURES;
        end
      end else if (left > 0) begin
        left = left - 1;
        told = told + 1;
      end
      ends = 0;
      if (step_due) begin
        steps = steps + 1;
        for (i = 0; i < SIGNATURES; i = i + 1) after[i] = after[i] * 32'd1664525 + 32'd1013904223 + i;
        ends = steps % (1 << k) == 0;
      end
      if (shown >= 0 || (ready && !fabric_rst)) shown = shown + 1;
    end
  end
  integer pause, quiet = 0;
  always @(negedge clk) begin
    rst = cycle < 2;
    start = 0;
    quiet = quiet + 1;
    ask = 0;
    if (!rst) begin
      // the tables of a fabric are loaded after its reset, which its loader sees a cycle late
      if (fabric_rst) begin
        in_reset = in_reset + 1;
        load = $unsigned($random(seed)) % 4;
        if (was_reset) ready = 0;
      end else if (load > 0) load = load - 1;
      else ready = 1;
      was_reset = fabric_rst;
    end
    if (!rst && (!going || quiet > pause)) begin
      if (run == RUNS) begin
        if (taken < RUNS || overruns < RUNS / 10 || late < 3 || words < RUNS) complain("too little happens");
        if (bad == 0) $display("ok windows: %0d windows, %0d words, %0d overruns, SIGNATURES %0d, seed %0d", taken, words, overruns, SIGNATURES, SEED);
        else $display("FAIL %0d differences, seed %0d", bad, SEED);
        $finish;
      end
      run = run + 1;
      quiet = 0;
      pause = 20 + $unsigned($random(seed)) % (100 * SIGNATURES);  // some end in the midst
      start = 1;
      going = 1;
      in_reset = 0;
      first = $unsigned($random(seed)) % ((run & 1) ? 3 : 40);
      k = $unsigned($random(seed)) % ((run & 7) ? 5 : 2);
      windows = 1 + $unsigned($random(seed)) % 30;
      given = 0;
    end else if (going && !rst) begin
      if ((run & 2) && given < complete && ($random(seed) & 1)) given = given + 1;
      if (complete > given) begin
        asked_n = given + $unsigned($random(seed)) % (complete - given);
        addr = asked_n;
        ask = 1;
      end
    end
  end
endmodule
