// Packets of several channels, interleaved, into hd_export_depacketiser: each comes out whole, in its channel's order,
// and each flit is credited once (§1.4, §4.2).
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module depacketiser_tb;
  parameter VCS = 2, DEPTH = 4, HOLD = 1, SEED = 1, SOURCE_AT = 7;  // HOLD: the stream is not always ready
  localparam NODE_W = 5, DATA_W = 32, PACKETS = 400;
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

  // Packet n of channel c has the words {c, n, beat}, ends with beat n % 5, and comes from node (n + c) % 32. Sent: all
  // flits; beside packets there are singles, flits of reserved kind, and a body and a tail before the first head.
  integer seed = SEED, slots[0:VCS-1], packet[0:VCS-1], beat[0:VCS-1], came[0:VCS-1], odd, v, n, bad = 0;
  integer at_channel = -1, at_beat = 0, streamed = 0, total = 0;
  reg [VCS-1:0] sent_last, open;

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
      if (slots[v] > 0 && packet[v] < PACKETS && ($random(seed) & 7) != 0) begin
        valid <= 1;
        vc <= v;
        total = total + 1;
        slots[v] = slots[v] - 1;
        n = packet[v];
        data <= $random(seed);
        if (odd == 0) kind <= 3'b100 | $unsigned($random(seed)) % 4;
        else if (!open[v] && odd == 1) kind <= 3'b011;
        else if (!open[v] && odd == 2 && VCS == 1) kind <= $unsigned($random(seed)) % 2;
        else if (!open[v]) begin
          kind <= 3'b010;
          data[SOURCE_AT+:NODE_W] <= n + v;
          open[v] = 1;
          beat[v] = 0;
        end else begin
          data <= {v[7:0], n[15:0], beat[v][7:0]};
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
        at_channel = tdata[31:24];
        at_beat = 0;
        if (at_channel >= VCS) begin complain("a channel"); at_channel = 0; end
      end
      if (tdata !== {at_channel[7:0], came[at_channel][15:0], at_beat[7:0]}) complain("a word");
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

  reg stalled = 0;
  reg [DATA_W:0] held;
  integer ends = 0;
  initial for (v = 0; v < VCS; v = v + 1) begin
    slots[v] = DEPTH; packet[v] = 0; beat[v] = 0; came[v] = 0;
  end
  initial open = 0;
  always @(posedge clk) begin
    if (!rst) begin
      if (stalled && (!tvalid || {tlast, tdata} !== held)) complain("changed while it waits");
      stalled = tvalid && !tready;
      held = {tlast, tdata};
      if (tvalid && tready) take;
      for (v = 0; v < VCS; v = v + 1) if (credit[v]) begin
        slots[v] = slots[v] + 1;
        if (slots[v] > DEPTH) complain("a credit too many");
      end
      // one channel and a stream that is always ready: the credit comes in the next cycle
      if (VCS == 1 && HOLD == 0 && credit !== sent_last) complain("a credit at another time");
      sent_last = valid ? 1 << vc : 0;
      tready <= (HOLD == 0) || ($random(seed) & 3) != 0;
      send;
      ends = streamed == VCS * PACKETS ? ends + 1 : 0;
      if (ends == 20) begin
        for (v = 0; v < VCS; v = v + 1) if (slots[v] != DEPTH) complain("a credit that is missing");
        if (bad == 0) $display("ok depacketiser: %0d flits, %0d packets, VCS %0d DEPTH %0d HOLD %0d, seed %0d", total, streamed, VCS, DEPTH, HOLD, SEED);
        else $display("FAIL %0d differences, seed %0d", bad, SEED);
        $finish;
      end
    end else sent_last = 0;
    rst <= 0;
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
