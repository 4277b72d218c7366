// Packets of several channels, interleaved, into hd_export_depacketiser: each comes out whole, in its channel's order,
// and each flit is credited once (§1.4, §4.2).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module depacketiser_tb;
  parameter VCS = 2, DEPTH = 4, HOLD = 1, SEED = 1, SOURCE_AT = 7, PACKETS = 400;  // HOLD: the stream is not always ready
  localparam NODE_W = 5, DATA_W = 32;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;

  reg clk = 0, rst = 1, valid = 0, tready = 1;
  always #5 clk = !clk;
  reg [2:0] kind = 0;
  reg [VC_W-1:0] vc = 0;
  reg [DATA_W-1:0] data = 0;
  wire [VCS-1:0] credit;
  wire tvalid, tlast;
  wire [DATA_W-1:0] tdata;
  wire [NODE_W-1:0] tid;
  hd_export_depacketiser #(
      .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODE_W(NODE_W), .SOURCE_AT(SOURCE_AT)
  ) dut (
      .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .credit_o(credit),
      .m_tvalid_o(tvalid), .m_tready_i(tready), .m_tdata_o(tdata), .m_tlast_o(tlast), .m_tid_o(tid)
  );

  // Packet n of channel c has the words word(c, n, beat), ends with beat n % 5, and comes from node (n + c) % 32. Sent: all
  // flits; beside packets there are singles, flits of reserved kind, and bodies and tails before the first head. For a
  // while many flits come, then few.
  integer seed = SEED, slots[0:VCS-1], packet[0:VCS-1], beat[0:VCS-1], came[0:VCS-1], odd, v, w, n, bad = 0;
  integer at_channel = -1, at_beat = 0, streamed = 0, total = 0, cycle = 0;
  reg [VCS-1:0] open;
  function [DATA_W-1:0] word(input integer channel, input integer number, input integer at);  // no two are equal
    reg [31:0] x;
    begin
      x = {channel[7:0], number[15:0], at[7:0]} * 32'h9e3779b1;
      word = x ^ (x >> 15);
    end
  endfunction
  // what the slots hold: kinds of flits, oldest first; and the channel of the packet that goes on (-1: none)
  reg [2:0] kinds[0:VCS*64-1], front;
  integer there[0:VCS-1], first[0:VCS-1], passed[0:VCS-1], served = -1;
  reg free = 1, due;

  task complain(input [8*24-1:0] what);
    begin
      if (bad < 5) $display("cycle %0t: %0s: data %h last %b tid %0d credit %b", $time / 10, what, tdata, tlast, tid, credit);
      bad = bad + 1;
    end
  endtask

  task send;
    begin
      v = $unsigned($random(seed)) % VCS;
      odd = $unsigned($random(seed)) % 16;
      valid <= 0;
      if (slots[v] > 0 && packet[v] < PACKETS && (packet[v][5] ? ($random(seed) & 7) == 0 : ($random(seed) & 7) != 0)) begin
        valid <= 1;
        vc <= v;
        total = total + 1;
        slots[v] = slots[v] - 1;
        n = packet[v];
        data <= $random(seed);
        if (odd == 0) kind <= 3'b100 | $unsigned($random(seed)) % 4;
        else if (!open[v] && odd == 1) kind <= 3'b011;
        else if (!open[v] && odd == 2) kind <= $unsigned($random(seed)) % 2;
        else if (!open[v]) begin
          kind <= 3'b010;
          data[SOURCE_AT+:NODE_W] <= n + v;
          open[v] = 1;
          beat[v] = 0;
        end else begin
          data <= word(v, n, beat[v]);
          kind <= (beat[v] == n % 5) ? 3'b001 : 3'b000;
          if (beat[v] == n % 5) begin
            open[v] = 0;
            packet[v] = n + 1;
          end
          beat[v] = beat[v] + 1;
        end
      end
    end
  endtask

  task take;
    begin
      if (at_channel < 0) begin
        at_beat = 0;
        for (v = 0; v < VCS; v = v + 1) if (tdata === word(v, came[v], 0)) at_channel = v;
        if (at_channel < 0) begin complain("a first word"); at_channel = 0; end
      end
      if (tdata !== word(at_channel, came[at_channel], at_beat)) complain("a word");
      if (tlast !== (at_beat == came[at_channel] % 5)) complain("an end");
      if (SOURCE_AT != 0 && tid !== ((came[at_channel] + at_channel) & 31)) complain("a source");
      if (SOURCE_AT == 0 && tid !== 0) complain("a source");
      at_beat = at_beat + 1;
      if (tlast) begin
        came[at_channel] = came[at_channel] + 1;
        streamed = streamed + 1;
        at_channel = -1;
      end
    end
  endtask

  // A flit leaves its slot as soon as it can: in a packet if the stream has room for it, or if it is of reserved kind;
  // outside of packets at once. There channels take turns: while a flit waits, each other channel comes once at most.
  task leave;
    begin
      due = 0;
      for (v = 0; v < VCS; v = v + 1) begin
        front = kinds[v*64+first[v]%64];
        if (there[v] > 0 && (served < 0 || (served == v && (free || front[2])))) due = 1;
      end
      if ((credit != 0) !== due) complain("a credit, or none");
      for (v = 0; v < VCS; v = v + 1) if (credit[v] === 1'b1) begin
        front = kinds[v*64+first[v]%64];
        if (there[v] == 0 || (credit & (credit - 1'b1)) != 0 || (served >= 0 && served != v)) complain("whose credit");
        else if (served == v) begin
          if (!front[2] && tvalid !== 1'b1) complain("no beat with a credit");
          if (front == 3'b001) served = -1;
        end else begin
          if (front == 3'b010) served = v;
          for (w = 0; w < VCS; w = w + 1) if (w != v && there[w] > 0) begin
            passed[w] = passed[w] + 1;
            if (passed[w] == VCS) complain("a turn");
          end
        end
        passed[v] = 0;
        there[v] = there[v] - 1;
        first[v] = first[v] + 1;
        slots[v] = slots[v] + 1;
      end
      free = !tvalid || tready;
      if (valid) begin
        kinds[vc*64+(first[vc]+there[vc])%64] = kind;
        there[vc] = there[vc] + 1;
      end
    end
  endtask

  task restart;
    begin
      for (v = 0; v < VCS; v = v + 1) begin
        slots[v] = DEPTH; packet[v] = 0; beat[v] = 0; came[v] = 0; there[v] = 0; first[v] = 0; passed[v] = 0;
      end
      {open, stalled, after_reset} = 1;
      {streamed, total} = 0;
      free = 1;
      {at_channel, served} = -1;
      valid <= 0;
    end
  endtask

  reg stalled, after_reset;
  reg [NODE_W+DATA_W:0] held;
  integer ends = 0;
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (rst) restart;
    else begin
      if (after_reset && (tvalid !== 1'b0 || credit !== 0)) complain("after a reset");
      after_reset = 0;
      if (stalled && (tvalid !== 1'b1 || {tid, tlast, tdata} !== held)) complain("changed while it waits");
      stalled = tvalid && !tready;
      held = {tid, tlast, tdata};
      if (tvalid !== 1'b0 && tvalid !== 1'b1) complain("tvalid");
      if (tvalid && tready) take;
      leave;
      // for a while it is ready by itself, then only after tvalid has come
      tready <= (HOLD == 0) || (($random(seed) & 3) != 0 && (streamed[4] || (tvalid && !tready)));
      send;
      ends = streamed == VCS * PACKETS ? ends + 1 : 0;
      if (ends == 20) begin
        for (v = 0; v < VCS; v = v + 1) if (slots[v] != DEPTH) complain("a credit that is missing");
        if (bad == 0) $display("ok depacketiser: %0d flits, %0d packets, VCS %0d DEPTH %0d HOLD %0d, seed %0d", total, streamed, VCS, DEPTH, HOLD, SEED);
        else $display("FAIL %0d differences, seed %0d", bad, SEED);
        $finish;
      end
    end
    rst <= cycle == 1 || cycle == 500 || cycle == 777;  // in the midst of everything, too
  end
  integer settled = 0, still = 0;
  always @(posedge clk) begin
    still = (streamed == settled) ? still + 1 : 0;
    settled = streamed;
    if (still == 2000) begin
      $display("FAIL it stands still after %0d packets", streamed);
      $finish;
    end
  end
endmodule
