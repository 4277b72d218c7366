// The switch with an XOR coder: the tables of §11.10, its requests among others, errors and registers.
// SPDX-License-Identifier: Apache-2.0
//
// The two examples are those of the specification, flit by flit; where the switch is slower, D and CODE_CYCLES
// move them as §11.10 says. Then a long chain is encoded in one switch and decoded again, and output 0 must
// have a flit in every cycle in which it could.
module tb_coder_switch;
  parameter CODE_CYCLES = 0, ARB_CYCLES = 1, BUFFER_CYCLES = 0;
  localparam PORTS = 3, DATA_W = 32, DEPTH = 64, PLACES = 8, D = BUFFER_CYCLES;
  localparam TURN = ARB_CYCLES - 1;  // a channel that was owned rests for a cycle (§2.5)
  localparam BODY = 0, TAIL = 1, HEAD = 2, SINGLE = 3;
`include "check.svh"
  logic [PORTS-1:0] in_valid = 0, out_valid, in_credit, out_credit = 0, in_vc = 0, out_vc;
  logic [PORTS*3-1:0] in_kind = 0, out_kind;
  logic [PORTS*DATA_W-1:0] in_data = 0, out_data;
  logic cfg_write = 0, cfg_read = 0, quiescent;
  logic [19:0] cfg_addr = 0;
  logic [15:0] cfg_wdata = 0, cfg_rdata;
  hd_switch #(.PORTS(PORTS), .VCS(1), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODES(16), .ARB_CYCLES(ARB_CYCLES),
    .BUFFER_CYCLES(BUFFER_CYCLES), .CODE_PLACES(PLACES), .CODE_CYCLES(CODE_CYCLES)) dut (
    .clk(clk), .rst(rst), .in_valid_i(in_valid), .in_kind_i(in_kind), .in_vc_i(in_vc), .in_data_i(in_data),
    .in_credit_o(in_credit), .out_valid_o(out_valid), .out_kind_o(out_kind), .out_vc_o(out_vc),
    .out_data_o(out_data), .out_credit_i(out_credit), .cfg_write_i(cfg_write), .cfg_read_i(cfg_read),
    .cfg_addr_i(cfg_addr), .cfg_wdata_i(cfg_wdata), .cfg_rdata_o(cfg_rdata), .quiescent_o(quiescent));

  // what was at output 0, and when; the node gives every credit at once
  int seen_at[$], seen_kind[$], quiet_from = 0;
  logic [DATA_W-1:0] seen_data[$];
  logic hold = 0;
  int owed = 0;
  task automatic tick;
    step();
    in_valid = 0;
    cfg_write = 0;
    cfg_read = 0;
    out_credit = 0;
    if (out_valid[0] !== 0) begin
      seen_at.push_back(cycle);
      seen_kind.push_back(out_kind[2:0]);
      seen_data.push_back(out_data[DATA_W-1:0]);
      owed++;
    end
    if (owed > 0 && !hold) begin
      out_credit[0] = 1;
      owed--;
    end
    if (quiescent === 0) quiet_from = cycle + 1;
  endtask
  task automatic flit(input int p, input int k, input logic [DATA_W-1:0] d);
    in_valid[p] = 1;
    in_kind[p*3+:3] = k;
    in_data[p*DATA_W+:DATA_W] = d;
  endtask
  task automatic write(input logic [19:0] a, input logic [15:0] d);
    cfg_write = 1;
    cfg_addr = a;
    cfg_wdata = d;
    tick();
  endtask
  task automatic read_is(input string what, input logic [19:0] a, input logic [15:0] want);
    cfg_read = 1;
    cfg_addr = a;
    tick();
    check(what, cfg_rdata, want);
  endtask
  task automatic forget;
    seen_at = {};
    seen_kind = {};
    seen_data = {};
  endtask
  // flits come in consecutive cycles from `at` on
  int next_at;
  task automatic want(input int at, input int k, input logic [DATA_W-1:0] d);
    if (seen_at.size() == 0) check("a flit came", 0, 1);
    else begin
      next_at = seen_at.pop_front();
      check("cycle", next_at, at);
      next_at = seen_kind.pop_front();
      check("kind", next_at, k);
      in_data[DATA_W-1:0] = seen_data.pop_front();
      check("data", in_data[DATA_W-1:0], d);
    end
  endtask
  task automatic setup(input int chain);
    rst = 1;
    tick();
    tick();
    rst = 0;
    for (int p = 0; p < PORTS; p++) write({4'd1, 4'(p), 12'd1}, 16'h1010);  // node 1 by port 0
    for (int k = 0; k < chain; k++) write(20'h60000 | k, k == chain - 1 ? 3 : 1);
    forget();
  endtask

  // head of a packet for node 1 (§11.2), place in a switch of 8 places
  function automatic logic [DATA_W-1:0] head(input int c, input int p, input int l, input int d);
    return c << 30 | p << 27 | l << 23 | (d & 17'h1ffff) << 6 | 1 << 2;
  endfunction

  // the six flits of an example come in a row; the first is visible in cycle `first` of the table, that is 2
  int zero, late, a, f, made, total;
  logic [DATA_W-1:0] word;
  logic [DATA_W-1:0] coded[$];
  initial begin
    // §11.10, encoding. Made packets come later by CODE_CYCLES, and once more by D (§11.10).
    setup(3);
    read_is("CODER", 18, CODE_CYCLES << 9 | PLACES);
    read_is("no CODER elsewhere", 20'h01012, 0);
    flit(2, SINGLE, head(1, 5, 0, 0)); tick();
    repeat (12) tick();
    read_is("places are closed after reset", 8, 16'h1000);
    write(8, 16'h1000);
    forget();
    for (int example = 0; example < 2; example++) begin
      a = cycle;
      if (example == 0) begin
        flit(1, HEAD, 32'h40800284); tick();
        flit(1, TAIL, 32'h11111111); tick();
        flit(1, SINGLE, 32'h480002c4); tick();
        flit(1, HEAD, 32'h51000704); tick();
      end else begin
        flit(1, HEAD, 32'h80800044); tick();
        flit(1, TAIL, 32'h11111111); tick();
        flit(1, SINGLE, 32'h480002c4); tick();
        flit(1, HEAD, 32'h910005c4); tick();
      end
      flit(1, BODY, 32'h22222222); tick();
      flit(1, TAIL, 32'h33333333); tick();
      repeat (40 + 3 * CODE_CYCLES) tick();
      // a head that comes in a is visible in a + R + ARB_CYCLES + 2 + D: cycle 2 of the table
      zero = a + ARB_CYCLES + 3 + D - 2;
      late = CODE_CYCLES + D + TURN;
      if (example == 0) begin
        want(zero + 2, HEAD, 32'h40800284);
        want(zero + 3, TAIL, 32'h11111111);
        want(zero + 4 + TURN, SINGLE, 32'h480002c4);
        want(zero + 5 + TURN, HEAD, 32'h51000704);
        want(zero + 6 + TURN, BODY, 32'h22222222);
        want(zero + 7 + TURN, TAIL, 32'h33333333);
        want(zero + 9 + late, HEAD, 32'h80800044);
        want(zero + 10 + late, TAIL, 32'h11111111);
        want(zero + 12 + late, HEAD, 32'h890005c4);
        want(zero + 13 + late, BODY, 32'h22222222);
        want(zero + 14 + late, TAIL, 32'h33333333);
      end else begin
        want(zero + 2, HEAD, 32'h80800044);
        want(zero + 3, TAIL, 32'h11111111);
        want(zero + 4 + TURN, SINGLE, 32'h480002c4);
        want(zero + 5 + TURN, HEAD, 32'h910005c4);
        want(zero + 6 + TURN, BODY, 32'h22222222);
        want(zero + 7 + TURN, TAIL, 32'h33333333);
        want(zero + 9 + late, HEAD, 32'h40800284);
        want(zero + 10 + late, TAIL, 32'h11111111);
        want(zero + 12 + late, HEAD, 32'h51000704);
        want(zero + 13 + late, BODY, 32'h22222222);
        want(zero + 14 + late, TAIL, 32'h33333333);
      end
      check("nothing more", seen_at.size(), 0);
      check("quiescent", quiescent, 1);
      // the last credit is at the pins with the last flit; the coder's last work comes after it
      check("quiescent not before the places are spent", quiet_from,
        zero + 14 + late + CODE_CYCLES + 3);
      forget();
    end
    read_is("no errors", 8, 0);

    // requests among others (§11.6): while inputs 1 and 2 ask for output 0 in every cycle, the coder has a third
    setup(2);
    for (int i = 0; i < 60; i++) begin
      for (int p = 1; p < 3; p++) flit(p, SINGLE, i < 1 ? head(1, p - 1, 0, i) : head(0, 0, 0, i * 2 + p));
      tick();
    end
    repeat (80) tick();
    made = -1;
    total = seen_at.size();
    a = seen_at[0];
    for (int i = 0; i < total; i++) begin
      check("one flit a cycle", seen_at[i], a + i);
      word = seen_data[i];
      if (word[31:30] == 2) made = i;
    end
    check("all came, and the coded one", total, 121);
    // tails of both are visible in a, a + 1; it asks in a + 1 + 3 + CODE_CYCLES, and waits for two others at most
    check("its turn", made >= 6 + CODE_CYCLES + D && made <= 8 + CODE_CYCLES + D, 1);

    // one flit a cycle (§11.10): eight packets of four flits, seven coded ones
    setup(8);
    coded = {};
    for (int i = 0; i < 8; i++)
      for (int j = 0; j < 4; j++) begin
        flit(2, j == 0 ? HEAD : j == 3 ? TAIL : BODY, j == 0 ? head(1, i, 3, i * 1001) : i * 12345 + j);
        tick();
      end
    repeat (120 + CODE_CYCLES) tick();
    check("flits of all packets", seen_at.size(), 15 * 4);
    a = seen_at[0];
    if (CODE_CYCLES == 0) for (int i = 0; i < seen_at.size(); i++) check("one flit a cycle", seen_at[i], a + i);
    // by place: what is coded
    made = 0;
    while (seen_data.size() > 0) begin
      word = seen_data.pop_front();
      f = seen_kind.pop_front();
      if (f == HEAD) made = word[31:30] == 2;
      if (made) coded.push_back(word);
    end
    check("coded flits", coded.size(), 28);
    forget();
    read_is("no errors", 8, 0);

    // decoding: the packets of before from the coded ones and number 5, with places as §11.12 says
    setup(8);
    for (int i = 0; i < 7; i++)
      for (int j = 0; j < 4; j++) begin
        word = coded.pop_front();
        if (j == 0 && word[29:27] >= 5) word = word + (1 << 27);
        flit(0, j == 0 ? HEAD : j == 3 ? TAIL : BODY, word);
        tick();
      end
    for (int j = 0; j < 4; j++) begin
      flit(0, j == 0 ? HEAD : j == 3 ? TAIL : BODY, j == 0 ? head(1, 5, 3, 5 * 1001) : 5 * 12345 + j);
      tick();
    end
    repeat (200 + 8 * CODE_CYCLES) tick();
    check("flits of all packets", seen_at.size(), 15 * 4);
    made = 0;
    total = 0;
    f = 0;
    while (seen_data.size() > 0) begin
      word = seen_data.pop_front();
      a = seen_kind.pop_front();
      if (a == HEAD) begin
        made = word[31:30] == 1 ? word[29:27] : -1;
        f = 0;
      end
      if (made >= 0) begin
        if (f == 0) check("head restored", word >> 6, head(1, made, 3, made * 1001) >> 6);
        else check("flit restored", word, made * 12345 + f);
        total++;
      end
      f++;
    end
    check("flits restored", total, 8 * 4);
    read_is("no errors", 8, 0);
    forget();

    // errors (§11.9), one by one, each with the packet at the output all the same
    flit(1, SINGLE, head(3, 0, 0, 1)); tick();
    repeat (12) tick();
    read_is("code 3: closed", 8, 16'h1000);
    write(8, 16'h1000);
    read_is("cleared", 8, 0);
    write(20'h60003, 0);
    flit(1, SINGLE, head(1, 3, 0, 2)); tick();
    repeat (12) tick();
    read_is("closed", 8, 16'h1000);
    write(8, 16'hffff);
    flit(1, SINGLE, head(2, 1, 9, 3)); tick();
    flit(2, SINGLE, head(2, 1, 9, 4)); tick();
    repeat (12) tick();
    read_is("occupied", 8, 16'h2000);
    write(20'h60001, 1);
    read_is("incomplete beside occupied", 8, 16'ha000);
    write(8, 16'h8000);
    read_is("a written 1 clears", 8, 16'h2000);
    write(8, 16'h2000);
    flit(1, SINGLE, head(1, 2, 1, 5)); tick();
    repeat (12) tick();
    read_is("length", 8, 16'h4000);
    check("they all left", seen_at.size(), 5);
    // a write of another port, or of another table, is none of a place
    write(20'h61002, 0);
    write(20'h50002, 0);
    write(20'h60008, 0);
    write(8, 16'hffff);
    flit(1, SINGLE, head(1, 2, 0, 6)); tick();
    repeat (12) tick();
    read_is("the place is open still", 8, 0);
    // the mode 2 has no code field; it goes by port 0
    flit(1, SINGLE, head(3, 0, 0, 7) & ~32'h3f | 2); tick();
    repeat (12) tick();
    read_is("source-routed packets are not for the coder", 8, 0);
    check("it left, too", seen_at.size(), 7);
    // more than 16 flits are counted as more than 16, however many
    flit(1, HEAD, head(2, 4, 0, 8)); tick();
    for (int i = 0; i < 33; i++) begin
      flit(1, i == 32 ? TAIL : BODY, i);
      tick();
    end
    repeat (12) tick();
    read_is("a coded packet of 34 flits", 8, 16'h4000);
    // a place is written while its packet comes; then a head without the tail before it (§11.4, 1)
    write(8, 16'hffff);
    flit(1, HEAD, head(1, 6, 1, 9)); tick();
    repeat (12) tick();
    write(20'h60006, 1);
    read_is("a filling place is written: incomplete", 8, 16'h8000);
    flit(1, SINGLE, head(1, 6, 0, 10)); tick();
    repeat (12) tick();
    read_is("nested, and a tail that never came; the place was empty", 8, 16'hc008);
    finish_bench($sformatf("coder_switch CODE_CYCLES=%0d D=%0d", CODE_CYCLES, D));
  end
endmodule
