// Random streams into hd_export_packetiser, and random credits: each flit is the one that §4.1 asks for.
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module packetiser_tb;
  parameter VCS = 2, DEPTH = 4, CUT_FLITS = 0, MODE = 0, SOURCE = 1, DATA_W = 32, SEED = 1;
  localparam NODE_W = 5, NODES = 20, NODE = 13, PACKETS = 300;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  localparam ROOM = (CUT_FLITS > 1) ? CUT_FLITS : 1;

  reg clk = 0, rst = 1, go = 0, tvalid = 0, tlast = 0;
  always #5 clk = !clk;
  reg [DATA_W-1:0] tdata = 0;
  reg [NODE_W-1:0] tdest = 0;
  reg [VCS-1:0] credit = 0;
  wire tready, valid;
  wire [2:0] kind;
  wire [VC_W-1:0] vc;
  wire [DATA_W-1:0] data;
  hd_export_packetiser #(
      .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .CUT_FLITS(CUT_FLITS), .NODE_W(NODE_W), .MODE(MODE), .NODES(NODES),
      .NODE(NODE), .SOURCE(SOURCE)
  ) dut (
      .clk(clk), .rst(rst), .go_i(go), .s_tvalid_i(tvalid), .s_tready_o(tready), .s_tdata_i(tdata), .s_tlast_i(tlast),
      .s_tdest_i(tdest), .valid_o(valid), .kind_o(kind), .vc_o(vc), .data_o(data), .credit_i(credit)
  );

  // what §4.1 says, with its own counts
  integer seed = SEED, count[0:VCS-1], owed[0:VCS-1], vc_next = 0, channel = 0, flits = 0, packets = 0, bad = 0, v, found, k;
  integer vias = 0, first_via = -1;
  reg busy = 0, want = 0, is_head;
  reg [2:0] want_kind;
  reg [VC_W-1:0] want_vc;
  reg [DATA_W-1:0] want_data;
  reg [15:0] random = NODE + 1;  // §10.3, a step a cycle
  reg [NODE_W-1:0] want_via;
  wire [NODE_W-1:0] field1 = data[2+NODE_W+:NODE_W], field2 = data[2+2*NODE_W+:NODE_W];

  task complain(input [8*20-1:0] what);
    begin
      if (bad < 5) $display("cycle %0t: %0s: valid %b kind %b vc %0d data %h", $time / 10, what, valid, kind, vc, data);
      bad = bad + 1;
    end
  endtask

  task compare;  // the flit of the cycle before
    begin
      if (valid !== want) complain("a flit, or none");
      else if (valid) begin
        if (kind !== want_kind || vc !== want_vc) complain("kind or channel");
        if (!is_head && data !== want_data) complain("payload");
        if (is_head) begin
          if (data[1:0] !== MODE || data[2+:NODE_W] !== want_data[NODE_W-1:0]) complain("mode or destination");
          if (MODE == 3) begin
            if (field1 !== want_via) complain("a node to go by");
            if (first_via < 0) first_via = field1;
            if (field1 != first_via) vias = vias + 1;
          end else if (field1 !== ((MODE == 1 || SOURCE) ? NODE : 0)) complain("source");
          if (MODE == 3 && field2 !== (SOURCE ? NODE : 0)) complain("source after it");
        end
      end
    end
  endtask

  task decide;  // the flit of this cycle
    begin
      want = 0;
      if (busy) begin
        if (tready !== (count[channel] >= 1)) complain("tready");
        if (tvalid && count[channel] >= 1) begin
          want = 1; is_head = 0; want_kind = tlast ? 3'b001 : 3'b000; want_data = tdata; want_vc = channel;
          busy = !tlast;
          if (tlast) packets = packets + 1;
        end
      end else begin
        if (tready !== 1'b0) complain("tready outside");
        found = -1;
        for (k = VCS - 1; k >= 0; k = k - 1) if (count[(vc_next + k) % VCS] >= ROOM) found = (vc_next + k) % VCS;
        if (go && tvalid && found >= 0) begin
          want_via = ({16'd0, random} * NODES) >> 16;
          want = 1; is_head = 1; want_kind = 3'b010; want_data = tdest; want_vc = found;
          channel = found; vc_next = (found + 1) % VCS; busy = 1;
        end
      end
      if (want) begin
        flits = flits + 1;
        count[channel] = count[channel] - 1;
        owed[channel] = owed[channel] + 1;
      end
    end
  endtask

  task restart;
    begin
      for (v = 0; v < VCS; v = v + 1) begin count[v] = DEPTH; owed[v] = 0; end
      {busy, want} = 0;
      vc_next = 0;
      random = NODE + 1;
      credit <= 0;
    end
  endtask

  reg taken;
  integer cycle = 0;
  always @(posedge clk) begin
    cycle = cycle + 1;
    if (rst) restart;
    else begin
      compare;
      taken = tvalid && tready;
      decide;
      random = random[0] ? (random >> 1) ^ 16'hB400 : random >> 1;
      for (v = 0; v < VCS; v = v + 1) if (credit[v]) count[v] = count[v] + 1;
      for (v = 0; v < VCS; v = v + 1) begin
        // for a while they come at once, then late
        credit[v] <= owed[v] > 0 && (packets[4] ? ($random(seed) & 15) == 0 : ($random(seed) & 3) != 0);
      end
      if (!tvalid || taken) begin
        tvalid <= ($random(seed) & 7) < 6;
        tdata <= $random(seed);
        tlast <= ($random(seed) & 3) == 0;
        if (!tvalid || tlast) tdest <= $unsigned($random(seed)) % NODES;
      end
      go <= ($random(seed) & 15) != 0;
      if (packets == PACKETS) begin
        if (MODE == 3 && vias == 0) complain("one node to go by");
        if (bad == 0) $display("ok packetiser: %0d flits of %0d packets, VCS %0d DEPTH %0d CUT_FLITS %0d MODE %0d, seed %0d", flits, packets, VCS, DEPTH, CUT_FLITS, MODE, SEED);
        else $display("FAIL %0d differences, seed %0d", bad, SEED);
        $finish;
      end
    end
    rst <= cycle == 1 || cycle == 500 || cycle == 777;  // in the midst of everything, too
  end
  // a credit that is shown is no longer owed
  always @(negedge clk) for (v = 0; v < VCS; v = v + 1) if (credit[v]) owed[v] = owed[v] - 1;
  integer settled = 0, still = 0;
  always @(posedge clk) begin
    still = (packets == settled) ? still + 1 : 0;
    settled = packets;
    if (still == 2000) begin
      $display("FAIL it stands still after %0d packets", packets);
      $finish;
    end
  end
endmodule
