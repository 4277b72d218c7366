// hd_export_source sends what §9.8 says, and hd_export_sink complains of what it says not, and of nothing else.
// SPDX-License-Identifier: Apache-2.0
//
// The bench works out packets by itself. The source gets a stream that is not always ready, and a reset in its midst. The
// sink gets packets of the bench: some have a wrong bit, end, sender or destination.
`default_nettype none

module traffic_tb;
  parameter DATA_W = 16, NODE_W = 4, NODES = 11, NODE = 6, BEATS = 4, LOAD = 100, PAUSES = 0, HAS_ID = 1, SEED = 1, PACKETS = 100;
  localparam RESETS = 120, NUMBER_W = (DATA_W == 16) ? 16 - NODE_W : 16;

  reg clk = 0, rst = 1, go = 0, ready = 0;
  always #5 clk = !clk;
  integer seed = SEED, bad = 0, cycle = 0;
  task complain(input [8*24-1:0] what);
    begin
      if (bad < 5) $display("cycle %0d: %0s", cycle, what);
      bad = bad + 1;
    end
  endtask
  function [31:0] step(input [31:0] x);
    reg [31:0] y;
    begin
      y = x ^ (x << 13);
      y = y ^ (y >> 17);
      step = y ^ (y << 5);
    end
  endfunction
  function [31:0] word(input [31:0] x);
    reg [31:0] b;
    begin
      b = x + 32'h9e3779b9;
      b = b ^ (b << 7);
      word = b ^ (b >> 9);
    end
  endfunction
  function [31:0] seed_of(input [31:0] s, input [31:0] d, input [31:0] m);
    seed_of = step((s << 16) ^ (d << 5) ^ m ^ 32'h5bd1e995);
  endfunction
  function integer last_of(input [31:0] x);
    last_of = (x % 4 < BEATS) ? x % 4 : BEATS - 1;
  endfunction
  // beat `at` of a packet; x is x[at]
  function [DATA_W-1:0] beat_of(input integer at, input [31:0] s, input [31:0] m, input [31:0] x);
    beat_of = (at == 0) ? s + (m << NODE_W) : {x, x};
  endfunction

  // ── source ──
  wire tvalid, tlast, done;
  wire [DATA_W-1:0] tdata;
  wire [NODE_W-1:0] tdest;
  wire [31:0] count, sum;
  hd_export_source #(
      .DATA_W(DATA_W), .NODE_W(NODE_W), .NODES(NODES), .NODE(NODE), .BEATS(BEATS), .LOAD(LOAD), .PACKETS(PACKETS),
      .PAUSES(PAUSES)
  ) u_source (
      .clk(clk), .rst(rst), .go_i(go), .tvalid_o(tvalid), .tready_i(ready), .tdata_o(tdata), .tlast_o(tlast),
      .tdest_o(tdest), .count_o(count), .sum_o(sum), .done_o(done)
  );
  reg [31:0] random, want_seed, x, number, want_sum;
  reg busy = 0, shown = 0, beaten = 0;
  integer at, want_dest, packets = 0, pauses = 0, longest = 0, paused = 0;
  task source_cycle;
    begin
      if (count !== packets || sum !== want_sum) complain("count or sum sent");
      if (done !== (packets == PACKETS && !busy)) complain("done");
      if (tvalid !== busy && !(PAUSES && busy && beaten)) complain("tvalid");
      if (shown && tvalid !== 1'b1) complain("tvalid falls");
      if (tvalid === 1'b1 && (tdata !== beat_of(at, NODE, number, x) || tlast !== (at == last_of(want_seed)))) complain("a beat");
      if (tvalid === 1'b1 && tdest !== want_dest) complain("tdest");
      paused = (busy && !tvalid) ? paused + 1 : 0;
      pauses = pauses + (paused == 1);
      if (paused > longest) longest = paused;
      shown = tvalid && !ready;
      beaten = (tvalid && ready) || (beaten && !tvalid);
      if (tvalid && ready) begin
        if (at == last_of(want_seed)) begin
          busy = 0;
          packets = packets + 1;
          want_sum = want_sum + want_seed;
        end
        at = at + 1;
        x = word(x);
      end else if (!busy && go && packets < PACKETS && random % 256 < LOAD) begin
        busy = 1;
        at = 0;
        want_dest = ((random >> 16) * NODES) >> 16;
        number = packets % (1 << NUMBER_W);
        want_seed = seed_of(NODE, want_dest, number);
        x = want_seed;
      end
      random = step(random);
    end
  endtask

  // ── sink ──
  reg valid = 0, last = 0;
  reg [DATA_W-1:0] data = 0;
  reg [NODE_W-1:0] id = 0;
  wire tready, wrong;
  wire [31:0] came, came_sum;
  hd_export_sink #(
      .DATA_W(DATA_W), .NODE_W(NODE_W), .NODE(NODE), .BEATS(BEATS), .HAS_ID(HAS_ID), .PAUSES(PAUSES)
  ) u_sink (
      .clk(clk), .rst(rst), .tvalid_i(valid), .tready_o(tready), .tdata_i(data), .tlast_i(last), .tid_i(id),
      .count_o(came), .sum_o(came_sum), .wrong_o(wrong)
  );
  // what is sent, and what the sink must make of it
  integer s, m, d, sent_at = 0, sent_last = 0, got_at = 0, got = 0, is_wrong = 0, waits = 0, wrongs = 0, errors = 0, bit_at;
  reg [31:0] sent_x, got_x, got_seed, got_sum = 0;
  task next_beat;
    begin
      valid = ($random(seed) & 7) != 0;
      if (valid) begin
        if (sent_at == 0) begin
          s = $unsigned($random(seed)) % (1 << NODE_W);
          m = $unsigned($random(seed)) % (1 << NUMBER_W);
          d = (errors && $unsigned($random(seed)) % 60 == 0) ? NODE ^ 1 : NODE;
          sent_x = seed_of(s, d, m);
          sent_last = last_of(sent_x);
          if (errors && $unsigned($random(seed)) % 60 == 0) sent_last = $unsigned($random(seed)) % BEATS;
          id = (!HAS_ID || (errors && $unsigned($random(seed)) % 60 == 0)) ? $random(seed) : s;
        end
        data = beat_of(sent_at, s, m, sent_x);
        bit_at = $unsigned($random(seed)) % DATA_W;
        if (errors && sent_at > 0 && $unsigned($random(seed)) % 60 == 0) data[bit_at] = !data[bit_at];
        last = sent_at == sent_last;
        sent_x = word(sent_x);
        sent_at = last ? 0 : sent_at + 1;
      end
    end
  endtask
  task sink_cycle;
    begin
      if (came !== got || came_sum !== got_sum || wrong !== (is_wrong != 0)) complain("what came, or wrong");
      if (tready !== 1'b1 && !(PAUSES && tready === 1'b0)) complain("tready");
      waits = waits + !tready;
      if (valid && tready) begin
        if (got_at == 0) begin
          got_seed = seed_of(data % (1 << NODE_W), NODE, (data >> NODE_W) % (1 << NUMBER_W));
          got_x = got_seed;
          if (HAS_ID && id != data % (1 << NODE_W)) is_wrong = 1;
        end else if (data != beat_of(1, 0, 0, got_x)) is_wrong = 1;
        if (last != (got_at == last_of(got_seed))) is_wrong = 1;
        if (last) begin
          got = got + 1;
          got_sum = got_sum + got_seed;
        end
        got_at = last ? 0 : got_at + 1;
        got_x = word(got_x);
      end
      if (!valid || tready) next_beat;
    end
  endtask

  integer part = 0, resets = 0, done_for = 0;
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (rst) begin
      {busy, shown, beaten} = 0;
      packets = 0;
      want_sum = 0;
      random = (NODE + 1) * 32'h9e3779b1;
      {got, got_sum, got_at, is_wrong, sent_at} = 0;
      valid <= 0;
      errors = resets & 1;
    end else begin
      source_cycle;
      sink_cycle;
    end
  end
  // inputs change between the edges
  reg v, l;
  always @(negedge clk) begin
    go = ($random(seed) & 15) != 0;
    ready = ($random(seed) & 3) != 0;
    part = part + 1;
    rst = 0;
    // a part ends some cycles after an error, or in the midst of everything; the last one when all is sent
    if (resets < RESETS && ((is_wrong != 0 && part > 40) || part > 300)) begin
      wrongs = wrongs + (is_wrong != 0);
      rst = 1;
      resets = resets + 1;
      part = 0;
    end
    done_for = done ? done_for + 1 : 0;
    if (resets == RESETS && part > 2000 && (done_for > 100 || part > 40 * PACKETS)) begin
      if (!done || (BEATS > 1 && wrongs < RESETS / 4) || (PAUSES && (!pauses || !waits || longest > 40))) complain("too little happens");
      if (bad == 0)
        $display("ok traffic: %0d packets, %0d wrong ones, DATA_W %0d NODE_W %0d PAUSES %0d, seed %0d", got, wrongs, DATA_W, NODE_W, PAUSES, SEED);
      else $display("FAIL %0d differences, seed %0d", bad, SEED);
      $finish;
    end
  end
endmodule
