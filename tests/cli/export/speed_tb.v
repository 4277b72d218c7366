// hd_speed carries out the requests of §9.7 to a fabric at speed, byte for byte, and refuses those of §9.2.
// SPDX-License-Identifier: Apache-2.0
//
// The bench puts frames together and takes answers apart by itself. The fabric is a few numbers, each of which follows from
// the one before in a cycle in which signatures step; so the bench knows the signatures of each window.
`default_nettype none

module speed_tb;
  parameter SWITCHES = 2, PORTS = 3, DATA_W = 16, WORDS = 256, CLOCK_KHZ = 12345, SEED = 1;
  parameter [63:0] BUILD = 64'h0123456789abcdef;
  localparam N = SWITCHES * (PORTS * (DATA_W / 16) + 1), MOST = 120;
  localparam HELLO = 0, START = 8, SIGNATURES = 9;
  localparam UNKNOWN_OP = 1, LENGTH = 2, EPOCH = 3, BEYOND = 5, ORDER = 6;

  reg clk = 0, rst = 1, rx_valid = 0, rx_lost = 0, tx_ready = 0, ready = 0;
  always #5 clk = !clk;
  reg [7:0] rx_byte = 0;
  wire tx_valid, fabric_rst, clear, step, busy;
  wire [7:0] tx_byte;
  reg [32*N-1:0] signatures = 0;
  hd_speed #(
      .SWITCHES(SWITCHES), .PORTS(PORTS), .DATA_W(DATA_W), .SIGNATURES(N), .WORDS(WORDS), .CLOCK_KHZ(CLOCK_KHZ), .BUILD(BUILD)
  ) dut (
      .clk(clk), .rst(rst), .rx_valid_i(rx_valid), .rx_byte_i(rx_byte), .rx_lost_i(rx_lost), .tx_valid_o(tx_valid),
      .tx_ready_i(tx_ready), .tx_byte_o(tx_byte), .fabric_rst_o(fabric_rst), .ready_i(ready), .clear_o(clear),
      .step_o(step), .signatures_i(signatures), .busy_o(busy)
  );

  integer seed = SEED, cycle = 0, bad = 0, compared = 0, resets = 0;
  task check(input [8*28-1:0] what, input [63:0] got, input [63:0] want);
    begin
      compared = compared + 1;
      if (got !== want) begin
        if (bad < 5) $display("cycle %0d: %0s: got %0h, want %0h", cycle, what, got, want);
        bad = bad + 1;
      end
    end
  endtask

  // ── the fabric ──
  function [31:0] after(input integer i, input [31:0] x);
    after = x * 32'd1664525 + 32'd1013904223 + i;
  endfunction
  integer f, load = 0;
  reg was_reset = 0;
  always @(posedge clk) begin
    cycle <= cycle + 1;
    for (f = 0; f < N; f = f + 1)
      if (clear) signatures[32*f+:32] <= 0;
      else if (step) signatures[32*f+:32] <= after(f, signatures[32*f+:32]);
    was_reset <= fabric_rst;
    if (fabric_rst && !was_reset) resets = resets + 1;
    if (fabric_rst) load <= $unsigned($random(seed)) % 9;
    else if (load > 0) load <= load - 1;
    ready <= !fabric_rst && load == 0;
  end
  // signature i after a number of steps
  reg [31:0] x;
  function [31:0] signature(input integer i, input integer steps);
    integer s;
    begin
      x = 0;
      for (s = 0; s < steps; s = s + 1) x = after(i, x);
      signature = x;
    end
  endfunction

  // ── frames ──
  function [31:0] crc_byte(input [31:0] crc, input [7:0] b);
    integer k;
    begin
      crc_byte = crc ^ b;
      for (k = 0; k < 8; k = k + 1) crc_byte = crc_byte[0] ? (crc_byte >> 1) ^ 32'hedb88320 : crc_byte >> 1;
    end
  endfunction
  reg [7:0] request[0:63], saved[0:63], answer[0:511], answered[0:511];
  integer n_request = 0, n_saved = 0, n_answer = 0, n_answered = 0, pos, k;
  reg [31:0] crc;
  task line_byte(input [7:0] b);
    begin
      rx_valid = 1;
      rx_byte = b;
      @(negedge clk) rx_valid = 0;
      rx_byte = $random(seed);
      repeat (9 + $unsigned($random(seed)) % 3) @(negedge clk);
    end
  endtask
  task stuffed(input [7:0] b);
    if (b == 8'h7e || b == 8'h7d) begin
      line_byte(8'h7d);
      line_byte(b ^ 8'h20);
    end else line_byte(b);
  endtask
  task send;
    begin
      line_byte(8'h7e);
      crc = 32'hffffffff;
      for (k = 0; k < n_request; k = k + 1) begin
        crc = crc_byte(crc, request[k]);
        stuffed(request[k]);
      end
      crc = ~crc;
      for (k = 0; k < 4; k = k + 1) stuffed(crc[8*k+:8]);
      line_byte(8'h7e);
    end
  endtask
  // answers as they come; the one who takes bytes is not always ready
  reg [7:0] came[0:1100];
  integer n_came = 0, flags_came = 0;
  always @(posedge clk)
    if (tx_valid === 1'b1 && tx_ready) begin
      if (tx_byte === 8'h7e) flags_came = flags_came + 1;
      else begin
        came[n_came] = tx_byte;
        n_came = n_came + (n_came < 1100);
      end
    end
  always @(negedge clk) tx_ready = ($random(seed) & 3) != 0;
  integer waited;
  reg escape;
  task receive;
    begin
      for (waited = 0; flags_came < 2 && waited < 30000; waited = waited + 1) @(negedge clk);
      check("flags of an answer", flags_came, 2);
      n_answer = 0;
      escape = 0;
      crc = 32'hffffffff;
      for (k = 0; k < n_came; k = k + 1)
        if (came[k] == 8'h7d) escape = 1;
        else begin
          answer[n_answer%512] = came[k] ^ (escape ? 8'h20 : 8'h00);
          crc = crc_byte(crc, answer[n_answer%512]);
          n_answer = n_answer + 1;
          escape = 0;
        end
      check("CRC", crc, 32'hdebb20e3);
      n_answer = n_answer - 4;
      n_came = 0;
      flags_came = 0;
      repeat (4) @(negedge clk);
    end
  endtask
  task silent;  // nothing is answered
    begin
      repeat (400) @(negedge clk);
      check("no answer", n_came + flags_came, 0);
    end
  endtask

  // ── requests and their answers ──
  reg [7:0] seq = 7;
  reg [15:0] epoch = 0;
  task put(input integer bytes, input [63:0] value);
    for (k = 0; k < bytes; k = k + 1) begin
      request[n_request] = value[8*k+:8];
      n_request = n_request + 1;
    end
  endtask
  task ask(input integer op);
    begin
      n_request = 0;
      put(1, seq);
      put(1, op);
      put(2, epoch);
    end
  endtask
  task said(input [8*28-1:0] what, input integer bytes, input [63:0] want);
    reg [63:0] got;
    begin
      got = 0;
      for (k = 0; k < bytes; k = k + 1) got[8*k+:8] = answer[pos+k];
      check(what, got, want);
      pos = pos + bytes;
    end
  endtask
  task carried_out;
    begin
      send;
      receive;
      pos = 0;
      said("seq", 1, request[0]);
      said("op", 1, request[1] | 8'h80);
      said("epoch", 2, epoch);
      seq = request[0] + 1;
      n_saved = n_request;
      n_answered = n_answer;
      for (k = 0; k < n_request; k = k + 1) saved[k] = request[k];
      for (k = 0; k < n_answer; k = k + 1) answered[k] = answer[k];
    end
  endtask
  task refused(input [7:0] why);
    begin
      send;
      receive;
      pos = 0;
      said("seq", 1, request[0]);
      said("a refusal", 1, 8'hff);
      said("epoch", 2, epoch);
      said("why", 1, why);
      check("length of a refusal", n_answer, pos);
    end
  endtask
  task again;  // the last request, unchanged: the same bytes
    begin
      n_request = n_saved;
      for (k = 0; k < n_saved; k = k + 1) request[k] = saved[k];
      send;
      receive;
      check("length again", n_answer, n_answered);
      for (waited = 0; waited < n_answered; waited = waited + 1) check("again", answer[waited], answered[waited]);
    end
  endtask
  task hello(input [15:0] with_epoch);
    begin
      epoch = with_epoch;
      ask(HELLO);
      carried_out;
      said("name", 3, 24'h534448);
      said("version", 1, 1);
      said("switches", 2, SWITCHES);
      said("ports", 1, PORTS);
      said("lanes", 1, DATA_W / 16);
      said("kHz", 4, CLOCK_KHZ);
      said("memory", 4, WORDS);
      said("build", 8, BUILD);
      check("length of hello", n_answer, pos);
    end
  endtask

  // ── runs ──
  integer windows, width, taken, given, were, told, i, over, runs;
  task start(input [47:0] first, input integer window_bits, input integer how_many);
    begin
      were = resets;
      ask(START);
      put(6, first);
      put(1, window_bits);
      put(4, how_many);
      carried_out;
      check("length of start", n_answer, pos);
      check("resets by a start", resets - were, 1);
      windows = how_many;
      width = window_bits;
      taken = 0;
      given = 0;
      over = 0;
    end
  endtask
  // signatures from `from` on; how many there are by now is what the answer says: more than before, not more than there can be
  task fetch(input integer from, input integer may_run);
    begin
      ask(SIGNATURES);
      put(4, from);
      carried_out;
      runs = answer[pos] & 1;
      over = answer[pos] >> 1 & 1;
      check("running", runs && !may_run, 0);
      check("upper bits of flags", answer[pos] & 8'hfc, 0);
      pos = pos + 1;
      said("zero", 3, 0);
      told = {answer[pos+3], answer[pos+2], answer[pos+1], answer[pos]};
      check("not fewer than before", told >= taken, 1);
      check("all, or windows are to come", told < N * windows, runs || over);
      taken = told;
      pos = pos + 4;
      given = from;
      told = (taken - from < MOST) ? taken - from : MOST;
      check("length of signatures", n_answer, pos + 4 * told);
      for (i = 0; i < told; i = i + 1) said("a signature", 4, signature((from + i) % N, ((from + i) / N + 1) << width));
    end
  endtask

  integer round;
  initial begin
    repeat (3) @(negedge clk);
    rst = 0;
    repeat (20) @(negedge clk);
    check("no step before a start", step, 0);
    ask(SIGNATURES); put(4, 0); carried_out;  // epoch 0 until hello
    hello(16'hbeef);
    for (round = 0; round < 4; round = round + 1) begin
      start(round * 3, 4 + 2 * round, 3 + round);
      while (busy === 1'b1 && taken < N * windows) begin  // while it runs
        fetch(given + ((taken > given) ? $unsigned($random(seed)) % (taken - given + 1) : 0), 1);
      end
      repeat (20) @(negedge clk);
      check("busy after the last window", busy, 0);
      fetch(given, 0);
      check("all are taken", taken, N * windows);
      check("no overrun", over, 0);
      fetch(taken - 1, 0);
      fetch(taken, 0);
      again;
      check("resets", resets - were, 1);
      ask(SIGNATURES); put(4, taken + 1); refused(BEYOND);
      ask(SIGNATURES); put(4, given - 1); refused(BEYOND);
      again;  // a refusal left the last answer
    end
    // more than an answer holds
    start(0, 8, 20);
    check("busy while windows are taken", busy, 1);
    while (busy === 1'b1) @(negedge clk);
    fetch(0, 0);
    check("more than an answer holds", taken > MOST, 1);
    fetch(MOST, 0);
    // nobody gives back what windows need: the ones that still fit are taken
    start(5, 4, 100);
    repeat (3000) @(negedge clk);
    fetch(0, 0);
    check("overrun", over, 1);
    check("whole windows", taken % N, 0);
    check("all that fit", taken > WORDS - 3 * N && taken <= WORDS, 1);
    // a first cycle that does not come in time; a start while it waits
    start(48'h100000000, 4, 2);
    fetch(0, 1);
    repeat (600) @(negedge clk);
    fetch(0, 1);
    check("none yet", taken, 0);
    check("busy while it waits", busy, 1);
    start(2, 5, 1);
    again;
    check("resets", resets - were, 1);
    while (busy === 1'b1) @(negedge clk);
    fetch(0, 0);
    check("one window", taken, N);
    // a start in which there are windows still, and one to which many words have been given back
    start(0, 10, 4);
    fetch(0, 1);
    start(0, 4, 2);
    repeat (200) @(negedge clk);
    fetch(2 * N, 0);
    start(0, 4, 2);
    repeat (200) @(negedge clk);
    fetch(0, 0);
    check("two windows", taken, 2 * N);

    // ── what is refused ──
    ask(1); refused(UNKNOWN_OP);
    ask(4); put(3, 0); refused(UNKNOWN_OP);
    ask(HELLO); put(1, 0); refused(LENGTH);
    ask(START); put(5, 0); put(5, 0); refused(LENGTH);
    ask(START); put(6, 0); put(6, 0); refused(LENGTH);
    ask(START); put(8, 64'h1122334455667788); put(8, 64'h99); put(8, 64'h0123456789abcdef); refused(LENGTH);  // far too long
    ask(START); put(6, 0); put(1, 48); put(4, 1); refused(BEYOND);
    ask(START); put(6, 0); put(1, 255); put(4, 1); refused(BEYOND);
    ask(SIGNATURES); put(3, 0); refused(LENGTH);
    ask(SIGNATURES); put(5, 0); refused(LENGTH);
    ask(SIGNATURES); put(4, 0); request[2] = request[2] ^ 1; refused(EPOCH);
    ask(SIGNATURES); put(4, 0); request[3] = request[3] ^ 8'h80; refused(EPOCH);
    ask(SIGNATURES); put(4, 0); request[0] = seq + 1; refused(ORDER);
    ask(START); put(6, 0); put(5, 0); request[0] = seq - 1; refused(ORDER);  // the last number, but another request
    again;
    n_request = n_saved; request[3] = request[3] ^ 1; refused(EPOCH);
    start(0, 0, 0);
    check("no windows: not busy", busy, 0);
    fetch(0, 0);
    // hello with the last number is carried out
    seq = 200;
    hello(16'h1234);
    seq = 200;
    hello(16'h5678);
    // frames that are no requests
    line_byte(8'h7e); line_byte(8'h7e); silent;
    ask(SIGNATURES); put(4, 0);
    n_request = 3; send; silent;
    ask(SIGNATURES); put(4, 0);
    line_byte(8'h7e);
    line_byte(seq);
    rx_lost = 1; @(negedge clk) rx_lost = 0;
    line_byte(8'h7e); silent;
    fetch(0, 0);
    // reset: as if nothing had been
    start(0, 10, 4);
    rst = 1;
    repeat (3) @(negedge clk);
    rst = 0;
    check("not busy after a reset", busy, 0);
    ask(SIGNATURES); put(4, 0);
    epoch = 0;
    refused(EPOCH);
    seq = 99;
    ask(SIGNATURES); put(4, 0); carried_out;
    said("flags and how many after a reset", 8, 0);
    hello(16'h0001);
    start(1, 3, 1);
    repeat (300) @(negedge clk);
    fetch(0, 0);
    if (bad == 0) $display("ok speed: %0d compared, %0d starts, SWITCHES %0d WORDS %0d, seed %0d", compared, resets, SWITCHES, WORDS, SEED);
    else $display("FAIL %0d differences, seed %0d", bad, SEED);
    $finish;
  end
  initial begin
    #100000000 $display("FAIL it does not end");
    $finish;
  end
endmodule
