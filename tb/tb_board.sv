// The board: requests and answers over the line, played against switches that the bench clocks itself (§9).
// SPDX-License-Identifier: Apache-2.0
//
// Each run's stimulus is random records. The bench carries them out on switches of its own, pin by pin,
// and works out records and signatures from chapter 9; the answer must be these bytes. Without LINE there is no serial
// line: bytes go in and out of hd_board_core, which takes far less time.
module tb_board;
  parameter PORTS = 3, VCS = 2, DATA_W = 16, BARRIER = 0, ADAPTIVE = 0, SWITCHES_ON_BOARD = 2, RUNS = 25, LINE = 1;
  localparam CLOCKS_PER_BIT = 4, IN_WORDS = 1024, OUT_WORDS = 256, LANES = DATA_W / 16;
  localparam VC_W = VCS > 1 ? $clog2(VCS) : 1, S = SWITCHES_ON_BOARD, SIGNATURES = PORTS * LANES + 1;
  localparam [63:0] BUILD = 64'h0123456789abcdef;
`include "check.svh"
  logic to_board = 1, rx_valid = 0, rx_lost = 0, tx_ready = 0;
  logic [7:0] rx_byte = 0;
  wire from_board, busy, tx_valid, player_clk;
  wire [7:0] tx_byte;
  wire [4:0] chosen;
  if (LINE) begin : line
    hd_board #(.CLOCK_KHZ(12345), .CLOCKS_PER_BIT(CLOCKS_PER_BIT), .SWITCHES_ON_BOARD(S), .IN_WORDS(IN_WORDS),
      .OUT_WORDS(OUT_WORDS), .BUILD(BUILD), .PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .BARRIER(BARRIER),
      .ADAPTIVE(ADAPTIVE)) dut (
      .clk(clk), .rst(rst), .line_i(to_board), .line_o(from_board), .busy_o(busy));
    assign chosen = dut.u_core.which;
    assign player_clk = dut.u_core.player.clk_q;
    assign tx_valid = 0;
  end else begin : core
    hd_board_core #(.CLOCK_KHZ(12345), .SWITCHES_ON_BOARD(S), .IN_WORDS(IN_WORDS), .OUT_WORDS(OUT_WORDS), .BUILD(BUILD),
      .PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .BARRIER(BARRIER), .ADAPTIVE(ADAPTIVE)) dut (
      .clk(clk), .rst(rst), .rx_valid_i(rx_valid), .rx_byte_i(rx_byte), .rx_lost_i(rx_lost), .tx_valid_o(tx_valid),
      .tx_ready_i(tx_ready), .tx_byte_o(tx_byte), .busy_o(busy));
    assign chosen = dut.which;
    assign player_clk = dut.player.clk_q;
    assign from_board = 1;
  end

  // ── the bench's own switches ──
  logic [S-1:0] own_clk = 0;
  logic own_rst = 1;
  logic [PORTS-1:0] in_valid = 0, out_barrier_credit = 0;
  logic [PORTS*3-1:0] in_kind = 0;
  logic [PORTS*VC_W-1:0] in_vc = 0;
  logic [PORTS*DATA_W-1:0] in_data = 0;
  logic [PORTS*VCS-1:0] out_credit = 0;
  logic [PORTS*7-1:0] out_count = 0;
  logic cfg_write = 0, cfg_read = 0;
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0;
  wire [PORTS-1:0] out_valid[0:S-1], barrier_credit[0:S-1];
  wire [PORTS*3-1:0] out_kind[0:S-1];
  wire [PORTS*VC_W-1:0] out_vc[0:S-1];
  wire [PORTS*DATA_W-1:0] out_data[0:S-1];
  wire [PORTS*VCS-1:0] in_credit[0:S-1];
  wire [PORTS*7-1:0] in_count[0:S-1];
  wire [15:0] rdata[0:S-1];
  wire quiet[0:S-1];
  for (genvar s = 0; s < S; s++) begin : own
    hd_switch #(.PORTS(PORTS), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(4), .NODES(4), .BARRIER(BARRIER), .GROUPS(1),
      .SWITCHES(2), .ADAPTIVE(ADAPTIVE)) sw (.clk(own_clk[s]), .rst(own_rst), .in_valid_i(in_valid), .in_kind_i(in_kind),
      .in_vc_i(in_vc), .in_data_i(in_data), .in_credit_o(in_credit[s]), .in_barrier_credit_o(barrier_credit[s]),
      .in_count_o(in_count[s]), .out_count_i(out_count), .out_valid_o(out_valid[s]), .out_kind_o(out_kind[s]), .out_vc_o(out_vc[s]), .out_data_o(out_data[s]),
      .out_credit_i(out_credit), .out_barrier_credit_i(out_barrier_credit), .cfg_write_i(cfg_write),
      .cfg_read_i(cfg_read), .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(rdata[s]),
      .quiescent_o(quiet[s]));
  end

  // ── line ──
  logic [7:0] request[0:511], answer[0:511];
  int n_request, n_answer;
  function automatic logic [31:0] crc32_byte(input logic [31:0] crc, input logic [7:0] b);
    crc ^= b;
    repeat (8) crc = crc[0] ? crc >> 1 ^ 32'hedb88320 : crc >> 1;
    return crc;
  endfunction

  task automatic line_byte(input logic [7:0] b);
    logic [9:0] bits = {1'b1, b, 1'b0};
    if (LINE)
      for (int i = 0; i < 10; i++) begin
        to_board = bits[i];
        repeat (CLOCKS_PER_BIT) step();
      end
    else begin
      @(negedge clk) rx_byte = b;  // one_cycle() ends anywhere in a cycle
      rx_valid = 1;
      step();
      rx_valid = 0;
      repeat (8 + random_below(3)) step();
    end
  endtask
  task automatic stuffed(input logic [7:0] b);
    if (b == 8'h7e || b == 8'h7d) line_byte(8'h7d);
    line_byte(b == 8'h7e || b == 8'h7d ? b ^ 8'h20 : b);
  endtask
  // what the board must have counted (§9.3)
  logic [31:0] good = 0, bad = 0, done = 0, resent = 0, lost = 0, ran = 0;
  task automatic send;
    logic [31:0] crc = '1;
    good++;
    for (int i = 0; i < n_request; i++) crc = crc32_byte(crc, request[i]);
    crc = ~crc;
    line_byte(8'h7e);
    for (int i = 0; i < n_request; i++) stuffed(request[i]);
    for (int i = 0; i < 4; i++) stuffed(crc[8*i+:8]);
    line_byte(8'h7e);
  endtask

  // answers as they come
  logic [7:0] came[0:1023];
  int n_came = 0, flags_came = 0;
  initial forever begin
    logic [7:0] b;
    @(negedge from_board);
    repeat (CLOCKS_PER_BIT + CLOCKS_PER_BIT / 2) @(posedge clk);
    for (int k = 0; k < 8; k++) begin
      b[k] = from_board;
      repeat (CLOCKS_PER_BIT) @(posedge clk);
    end
    if (b == 8'h7e) flags_came++;
    else came[n_came++] = b;
  end
  always @(posedge clk) if (!LINE) begin
    if (tx_valid && tx_ready && tx_byte == 8'h7e) flags_came++;
    else if (tx_valid && tx_ready) came[n_came++] = tx_byte;
    tx_ready <= random_below(4) != 0;
  end
  task automatic receive;
    logic [31:0] crc = '1;
    logic escape = 0;
    for (int wait_for = 0; flags_came < 2 && wait_for < 400000; wait_for++) step();
    check("an answer", flags_came, 2);
    n_answer = 0;
    for (int i = 0; i < n_came; i++)
      if (came[i] == 8'h7d) escape = 1;
      else begin
        answer[n_answer++] = escape ? came[i] ^ 8'h20 : came[i];
        escape = 0;
      end
    for (int i = 0; i < n_answer; i++) crc = crc32_byte(crc, answer[i]);
    check("CRC", crc, 32'hdebb20e3);
    n_answer -= 4;
    n_came = 0;
    flags_came = 0;
    repeat (20) step();
  endtask

  // ── requests ──
  int seq = 0, which;
  logic [15:0] epoch = 0;
  task automatic begin_request(input int op);
    request[0] = seq;
    request[1] = op;
    request[2] = epoch[7:0];
    request[3] = epoch[15:8];
    n_request = 4;
  endtask
  task automatic put8(input int b);
    request[n_request++] = b;
  endtask
  task automatic put16(input int w);
    put8(w & 255);
    put8(w >> 8 & 255);
  endtask
  // By a variable, as in count().
  task automatic change_request(input int i, input int by);
    request[i] = request[i] + 8'(by);
  endtask
  int at;  // in the answer
  task automatic said8(input string what, input logic [7:0] want);
    check(what, answer[at], want);
    at++;
  endtask
  task automatic said(input string what, input int bytes, input logic [63:0] want);
    for (int i = 0; i < bytes; i++) said8(what, want[8*i+:8]);
  endtask
  task automatic answered(input int op);
    at = 0;
    said8("seq", seq);
    said8("op", op | 'h80);
    said("epoch", 2, epoch);
  endtask
  task automatic ask;  // next request, answer in `answer`
    send();
    receive();
    answered(request[1]);
    seq = seq + 1 & 255;
    done++;
  endtask
  task automatic refused(input int code);
    send();
    receive();
    at = 0;
    said8("seq", request[0]);
    said8("refused", 'hff);
    said("epoch", 2, epoch);
    said8("why", code);
    check("length of a refusal", n_answer, at);
  endtask

  // ── runs ──
  logic [15:0] words[0:IN_WORDS-1], records[0:4095];
  logic [31:0] signatures[0:SIGNATURES-1];
  int n_words, n_fetch, n_records, cycles, since, seen[0:7];
  logic was_quiet, quiet_before, asked;

  // By a variable: with a constant index Icarus 11 takes the word for one out of bounds where the
  // index before it was.
  task automatic count(input int i, input int by);
    seen[i] = seen[i] + by;
  endtask

  task automatic one_cycle(input int s);
    logic any;
    #1 own_clk[s] = 1;
    #1 own_clk[s] = 0;
    #1;
    cycles++;
    since++;
    asked = cfg_read;
    any = asked || out_valid[s] != 0 || in_credit[s] != 0 || barrier_credit[s] != 0 || in_count[s] != 0 ||
      quiet[s] != was_quiet;
    for (int p = 0; p < PORTS; p++)
      for (int j = 0; j < LANES; j++) begin
        logic [31:0] w = 0, h;
        if (out_valid[s][p]) begin
          w[15:0] = out_data[s][p*DATA_W+16*j+:16];
          if (j == 0) w[22:16] = {1'b1, 3'(out_vc[s][p*VC_W+:VC_W]), out_kind[s][3*p+:3]};
        end
        if (j == 0) w[31:23] = {barrier_credit[s][p], 8'(in_credit[s][p*VCS+:VCS])};
        h = signatures[p*LANES+j] >> 22;
        signatures[p*LANES+j] = signatures[p*LANES+j] << 10 ^ h << 22 ^ h << 2 ^ h << 1 ^ h ^ w;
      end
    begin : quiescent_signature
      logic [31:0] w, h = signatures[SIGNATURES-1] >> 22;
      w = 32'(quiet[s]);
      for (int p = 0; p < PORTS; p++) w ^= 32'(in_count[s][7*p+:7]) << (p + 1);
      signatures[SIGNATURES-1] = signatures[SIGNATURES-1] << 10 ^ h << 22 ^ h << 2 ^ h << 1 ^ h ^ w;
    end
    if (any || since == 4096) begin
      records[n_records++] = {4'd1, since[11:0]};
      since = 0;
    end
    if (asked) begin
      records[n_records++] = 16'h7000;
      records[n_records++] = rdata[s];
    end
    for (int p = 0; p < PORTS; p++) begin
      if (out_valid[s][p]) begin
        records[n_records++] = {6'd8, 3'(out_vc[s][p*VC_W+:VC_W]), out_kind[s][3*p+:3], 4'(p)};
        for (int j = 0; j < LANES; j++) records[n_records++] = out_data[s][p*DATA_W+16*j+:16];
        count(0, 1);
      end
      if (in_credit[s][p*VCS+:VCS] != 0 || barrier_credit[s][p] || in_count[s][7*p+:7] != 0) begin
        records[n_records++] = {4'd3, 8'd0, 4'(p)};
        records[n_records++] = {in_count[s][7*p+:7], barrier_credit[s][p], 8'(in_credit[s][p*VCS+:VCS])};
        count(5, int'(in_count[s][7*p+:7] != 0));
        count(1, 1);
      end
    end
    if (quiet[s] != was_quiet) records[n_records++] = {4'd6, 11'd0, quiet[s]};
    was_quiet = quiet[s];
    in_valid = 0;
    out_credit = 0;
    out_barrier_credit = 0;
    out_count = 0;
    cfg_write = 0;
    cfg_read = 0;
  endtask

  task automatic steps(input int s, input int n);
    words[n_words++] = {4'd1, n[11:0]};
    repeat (n) one_cycle(s);
  endtask
  task automatic flit(input int p, input int kind, input int vc, input logic [63:0] data);
    words[n_words++] = {6'd8, vc[2:0], kind[2:0], p[3:0]};
    for (int j = 0; j < LANES; j++) words[n_words++] = data[16*j+:16];
    in_valid[p] = 1;
    in_kind[3*p+:3] = kind;
    in_vc[p*VC_W+:VC_W] = vc;
    in_data[p*DATA_W+:DATA_W] = data;
  endtask
  task automatic credit(input int p, input int set, input int barrier);
    words[n_words++] = {4'd3, 8'd0, p[3:0]};
    out_count[7*p+:7] = {n_words[1], n_words[7:2]};  // a neighbour's count, whatever it is
    words[n_words++] = {out_count[7*p+:7], barrier[0], set[7:0]};
    out_credit[p*VCS+:VCS] = set;
    out_barrier_credit[p] = barrier;
  endtask
  task automatic access(input int write, input logic [19:0] a, input int data);
    words[n_words++] = {write ? 4'd4 : 4'd5, 8'd0, a[19:16]};
    words[n_words++] = a[15:0];
    if (write) words[n_words++] = data;
    cfg_write |= write;
    cfg_read |= !write;
    cfg_addr = a;
    if (write) cfg_wdata = data;
  endtask

  function automatic logic [19:0] some_address;
    return random_below(3) ? {4'd1, 4'(random_below(PORTS)), 12'(random_below(4))} : 20'(random_below(18));
  endfunction

  task automatic random_records(input int s, input int most);
    while (n_words < most - 8 - 5 * LANES) begin
      for (int p = 0; p < PORTS; p++) begin
        if (random_below(3) == 0) flit(p, random_below(8) ? random_below(4) : random_below(8), random_below(1 << VC_W),
          {$random(seed), $random(seed)} << 5 | random_below(4) << 2 | (random_below(3) ? 0 : random_below(4)));
        if (n_words < most - 12 && random_below(3) == 0) credit(p, random_below(1 << VCS), BARRIER != 0 && random_below(4) == 0);
        if (n_words < most - 12 && random_below(9) == 0) credit(p, random_below(1 << VCS), BARRIER != 0 && random_below(4) == 0);
      end
      if (random_below(6) == 0 && n_words < most - 6) access(1, some_address(), 16'h1ff0 | random_below(PORTS));
      if (random_below(6) == 0 && n_words < most - 6) access(0, some_address(), 0);  // beside a write, too
      steps(s, random_below(5) ? 1 : 1 + random_below(random_below(8) ? 9 : 4096));
    end
  endtask

  int broken = 0;
  task automatic run(input int s, input int recorded, input int ends, input int quiet_end);
    int told, left;
    n_words = 0;
    n_records = 0;
    cycles = 0;
    since = 0;
    was_quiet = quiet[s];
    quiet_before = quiet[s];
    foreach (signatures[i]) signatures[i] = 0;
    random_records(s, ends == 2 ? IN_WORDS : 40 + random_below(random_below(6) ? 120 : 900));
    if (quiet_end) begin  // long enough for a record without events
      steps(s, 4096);
      steps(s, 100);
    end
    if (ends == 1) begin
      broken++;
      words[n_words++] = broken % 3 == 1 ? 16'h6000 + random_below(16'h2000) : broken % 3 == 2 ? 16'h2000 + PORTS :
        16'h8000 + random_below(16'h8000);
    end
    if (ends == 0) words[n_words++] = 0;
    while (ends == 2 && n_words < IN_WORDS) steps(s, 1);
    // the greater part by load, the rest with the request
    left = n_words > 100 ? 60 : n_words;
    for (int from = left; from < n_words; from += 240) begin
      begin_request(3);
      put16(from);
      for (int i = from; i < n_words && i < from + 240; i++) put16(words[i]);
      ask();
    end
    begin_request(4);
    put8(s);
    put8(recorded | random_below(128) << 1);
    for (int i = 0; i < left; i++) put16(words[i]);
    ask();
    ran += cycles;
    if (!recorded) n_records = 0;
    said8("flags", quiet_before | (ends != 0) << 1 | (n_records > OUT_WORDS) << 2);
    said8("zero", 0);
    said("words", 2, n_records < OUT_WORDS ? n_records : OUT_WORDS);
    said("cycles", 4, cycles);
    for (int i = 0; i < SIGNATURES; i++) said("signature", 4, signatures[i]);
    count(2, int'(n_records > OUT_WORDS));
    count(3, int'(n_records > 0 && n_records < OUT_WORDS));
    if (n_records > OUT_WORDS) n_records = OUT_WORDS;
    told = (504 - 12 - 4 * SIGNATURES) / 2;
    if (told > n_records) told = n_records;
    for (int i = 0; i < told; i++) said("record", 2, records[i]);
    check("length of the answer", n_answer, at);
    for (int from = told; from < n_records; from += 250) begin
      n_fetch = n_records - from < 250 ? n_records - from : 250;
      count(4, 1);
      begin_request(5);
      put16(from);
      put8(n_fetch);
      ask();
      for (int i = 0; i < n_fetch; i++) said("record", 2, records[from+i]);
      check("length of the words", n_answer, at);
    end
  endtask

  task automatic own_reset(input int s);
    own_rst = 1;
    for (int i = 0; i < S; i++)
      if (s == i || s == 255) begin
        #1 own_clk[i] = 1;
        #1 own_clk[i] = 0;
      end
    own_rst = 0;
  endtask

  task automatic hello(input int with_epoch);
    epoch = with_epoch;
    begin_request(0);
    ask();
    said("name", 3, 24'h4c4448);
    said8("version", 1);
    said8("switches", S);
    said("kHz", 4, 12345);
    said("memory", 4, {16'(OUT_WORDS), 16'(IN_WORDS)});
    said8("lanes", LANES);
    said("zero", 2, 0);
    said("build", 8, BUILD);
    check("length of hello", n_answer, at);
  endtask

  task automatic what_is_refused;
    keep_last();
    begin_request(7); refused(1);
    begin_request(200); refused(1);
    begin_request(2); refused(2);
    begin_request(3); put16(0); put8(0); refused(2);
    begin_request(4); put8(0); refused(2);
    begin_request(5); put16(0); refused(2);
    begin_request(6); put8(0); refused(2);
    begin_request(2); put8(S); refused(4);
    begin_request(4); put8(S); put8(0); refused(4);
    begin_request(4); put8(255); put8(0); refused(4);
    begin_request(3); put16(IN_WORDS); put16(1); refused(5);
    begin_request(3); put16(16'hffff); put16(1); refused(5);
    begin_request(5); put16(OUT_WORDS - 3); put8(4); refused(5);
    begin_request(5); put16(0); put8(251); refused(5);
    begin_request(2); put8(0); request[3] ^= 1; refused(3);
    begin_request(2); put8(0); change_request(0, 1); refused(6);
    begin_request(2); put8(0); change_request(0, -2); refused(6);
    begin_request(6); change_request(0, -1); refused(6);  // the last number, but another request
    last_again();
  endtask

  // the last request that was carried out, and its answer: refusals leave both
  logic [7:0] last_request[0:511], last_answer[0:511];
  int n_last_request, n_last_answer;
  task automatic keep_last;
    n_last_request = n_request;
    n_last_answer = n_answer;
    for (int i = 0; i < n_request; i++) last_request[i] = request[i];
    for (int i = 0; i < n_answer; i++) last_answer[i] = answer[i];
  endtask
  task automatic last_again;
    n_request = n_last_request;
    n_answer = n_last_answer;
    for (int i = 0; i < n_request; i++) request[i] = last_request[i];
    for (int i = 0; i < n_answer; i++) answer[i] = last_answer[i];
    again();
  endtask

  task automatic again;  // the last request once more, unchanged: the same bytes, nothing done
    logic [7:0] was[0:511];
    int n_was = n_answer;
    for (int i = 0; i < n_was; i++) was[i] = answer[i];
    resent++;
    send();
    receive();
    check("length again", n_answer, n_was);
    for (int i = 0; i < n_was; i++) check("again", answer[i], was[i]);
  endtask

  task automatic while_busy;  // a request that comes before the last one is answered is ignored
    logic [7:0] kept[0:511];
    int n_kept;
    begin_request(1); repeat (100) put8($random(seed));
    send();
    n_kept = n_request;
    for (int i = 0; i < n_kept; i++) kept[i] = request[i];
    begin_request(2); put8(255); change_request(0, 1);
    send();
    good--;
    n_request = n_kept;
    for (int i = 0; i < n_kept; i++) request[i] = kept[i];
    receive();
    answered(1);
    for (int i = 4; i < n_kept; i++) said8("echo", kept[i]);
    check("length of an echo", n_answer, at);
    seq = seq + 1 & 255;
    done++;
  endtask

  task automatic spoilt(input int bytes);  // a frame of bytes without stop bit
    line_byte(8'h7e);
    repeat (bytes)
      if (LINE) begin
        to_board = 0;
        repeat (10 * CLOCKS_PER_BIT) step();
        to_board = 1;
        repeat (2 * CLOCKS_PER_BIT) step();
      end else begin
        @(negedge clk) rx_lost = 1;
        step();
        rx_lost = 0;
        repeat (10) step();
      end
    line_byte(8'h7e);
    bad += bytes > 0;  // an empty frame is nothing
    lost += bytes;
  endtask

  task automatic counters;
    begin_request(6); ask();
    said("good", 4, good);
    said("bad", 4, bad);
    said("done", 4, done);
    said("sent again", 4, resent);
    said("lost", 4, lost);
    said("cycles", 4, ran);
    check("length of counters", n_answer, at);
  endtask

  // The choice of a switch's clock changes only while the clock is low, before and after the
  // change, since otherwise there could be a pulse of any width.
  logic [4:0] which_was;
  logic clk_was;
  always @(posedge clk) begin
    if (cycle > 3 && chosen !== which_was) check("clocks when another switch is chosen", {clk_was, player_clk}, 0);
    which_was <= chosen;
    clk_was <= player_clk;
  end
  task automatic reset_in_a_run;
    begin_request(4); put8(S - 1); put8(0); repeat (8) put16(16'h1000); put16(0);
    send();
    for (int wait_for = 0; !player_clk && wait_for < 1000; wait_for++) step();
    rst = 1;
    repeat (3) step();
    own_reset(255);
    rst = 0;
    {good, bad, done, resent, lost, ran} = 0;
    repeat (50) step();
    hello(random_below(65535) + 1);
  endtask

  initial begin
    foreach (seen[i]) seen[i] = 0;
    repeat (3) step();
    own_reset(255);
    rst = 0;
    repeat (50) step();
    seq = 77;
    begin_request(2); put8(255); epoch = 0; ask();  // epoch 0 until hello
    hello(16'hb00c);
    begin_request(1); for (int i = 0; i < 500; i++) put8(i * 7); ask();
    for (int i = 0; i < 500; i++) said8("echo", i * 7);
    begin_request(1); put8(5); change_request(2, 1); ask();  // of another epoch: the answer has the board's
    said8("echo", 5);
    hello(16'hb00d);
    seq = seq - 1 & 255;
    hello(16'hb00c);  // with the last number it is carried out, too
    seq = seq - 1 & 255;
    hello(16'hb00c);  // unchanged, too
    counters();
    for (int n = 0; n < RUNS; n++) begin
      run(random_below(S), n % 3 != 0, n > 0 && n % 5 == 0 ? 1 : n % 10 == 8 ? 2 : 0, n == 1);
      if (n % 7 == 0) again();
      if (n % 20 == 11) what_is_refused();
      if (n % 9 == 4) spoilt(n % 4);
      if (n % 8 == 2) while_busy();
      if (n % 25 == 24) counters();
      if (n % 20 == 9) reset_in_a_run();
      if (n % 15 == 3) begin
        which = random_below(2) ? 255 : random_below(S);
        begin_request(2); put8(which); ask();
        own_reset(which);
      end
      if (n % 30 == 17) begin
        seq = random_below(256);
        hello(random_below(65535) + 1);
      end
    end
    counters();
    check("sent again", resent > 0, 1);
    for (int i = 0; i < (ADAPTIVE == 2 ? 6 : 5); i++) check($sformatf("case %0d came: %0d", i, seen[i]), seen[i] > 0, 1);
    finish_bench($sformatf("board PORTS=%0d VCS=%0d DATA_W=%0d BARRIER=%0d ADAPTIVE=%0d LINE=%0d", PORTS, VCS, DATA_W,
      BARRIER, ADAPTIVE, LINE));
  end
endmodule
