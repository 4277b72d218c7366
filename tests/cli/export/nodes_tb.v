// hd_export_nodes has a source, a sink and a member of a barrier group at each node, as §9.8 says, and puts their flits on one link.
// SPDX-License-Identifier: Apache-2.0
//
// The parts have benches of their own. Here they stand once more, for each node, and the bench joins them: a message goes
// first, and in its cycles the packet waits (§7.10). The bench gives credits late, and flits of all kinds on all channels.
`default_nettype none

module nodes_tb;
  parameter NODE_COUNT = 3, VCS = 2, DATA_W = 16, DEPTH = 4, NODE_W = 2, LOAD = 100, BARRIER = 1, GAP = 3, SEED = 1;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1, CYCLES = 6000;

  reg clk = 0, rst = 1;
  always #5 clk = !clk;
  reg [NODE_COUNT-1:0] in_valid = 0, barrier_back = 0;
  reg [NODE_COUNT*3-1:0] in_kind = 0;
  reg [NODE_COUNT*VC_W-1:0] in_vc = 0;
  reg [NODE_COUNT*DATA_W-1:0] in_data = 0;
  reg [NODE_COUNT*VCS-1:0] back = 0;
  wire [NODE_COUNT-1:0] valid, barrier_credit;
  wire [NODE_COUNT*3-1:0] kind;
  wire [NODE_COUNT*VC_W-1:0] vc;
  wire [NODE_COUNT*DATA_W-1:0] data;
  wire [NODE_COUNT*VCS-1:0] credit;
  hd_export_nodes #(
      .NODE_COUNT(NODE_COUNT), .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODE_W(NODE_W), .LOAD(LOAD), .BARRIER(BARRIER),
      .GAP(GAP)
  ) dut (
      .clk(clk), .rst(rst), .valid_o(valid), .kind_o(kind), .vc_o(vc), .data_o(data), .credit_i(back),
      .barrier_credit_i(barrier_back), .valid_i(in_valid), .kind_i(in_kind), .vc_i(in_vc), .data_i(in_data),
      .credit_o(credit), .barrier_credit_o(barrier_credit)
  );

  // ── each node alone ──
  wire [NODE_COUNT-1:0] has, takes, last, packet, message, sends, member_credit;
  wire [NODE_COUNT*DATA_W-1:0] beat, packet_data, message_data;
  wire [NODE_COUNT*NODE_W-1:0] dest;
  wire [NODE_COUNT*3-1:0] packet_kind, message_kind;
  wire [NODE_COUNT*VC_W-1:0] packet_vc;
  wire [NODE_COUNT*VCS-1:0] slot_credit;
  reg [NODE_COUNT-1:0] in_slot = 0;  // what comes takes a slot
  wire [NODE_COUNT-1:0] has_now = has & ~sends, takes_now = takes & ~sends;
  genvar g;
  generate
    for (g = 0; g < NODE_COUNT; g = g + 1) begin : alone
      wire [31:0] count, sum;
      wire done;
      hd_export_source #(
          .DATA_W(DATA_W), .NODE_W(NODE_W), .NODES(NODE_COUNT), .NODE(g), .LOAD(LOAD)
      ) u_source (
          .clk(clk), .rst(rst), .go_i(1'b1), .tvalid_o(has[g]), .tready_i(takes_now[g]), .tdata_o(beat[g*DATA_W+:DATA_W]),
          .tlast_o(last[g]), .tdest_o(dest[g*NODE_W+:NODE_W]), .count_o(count), .sum_o(sum), .done_o(done)
      );
      hd_export_packetiser #(
          .VCS(VCS), .DATA_W(DATA_W), .DEPTH(DEPTH), .NODE_W(NODE_W), .NODES(NODE_COUNT), .NODE(g)
      ) u_packetiser (
          .clk(clk), .rst(rst), .go_i(1'b1), .s_tvalid_i(has_now[g]), .s_tready_o(takes[g]),
          .s_tdata_i(beat[g*DATA_W+:DATA_W]), .s_tlast_i(last[g]), .s_tdest_i(dest[g*NODE_W+:NODE_W]), .valid_o(packet[g]),
          .kind_o(packet_kind[3*g+:3]), .vc_o(packet_vc[g*VC_W+:VC_W]), .data_o(packet_data[g*DATA_W+:DATA_W]),
          .credit_i(back[g*VCS+:VCS])
      );
      hd_export_drain #(.VCS(VCS)) u_drain (
          .clk(clk), .rst(rst), .valid_i(in_slot[g]), .vc_i(in_vc[g*VC_W+:VC_W]), .credit_o(slot_credit[g*VCS+:VCS])
      );
      if (BARRIER != 0) begin : member
        hd_export_barrier #(.VCS(VCS), .DATA_W(DATA_W), .NODE(g), .GAP(GAP)) u_member (
            .clk(clk), .rst(rst), .valid_i(in_valid[g]), .kind_i(in_kind[3*g+:3]), .vc_i(in_vc[g*VC_W+:VC_W]),
            .data_i(in_data[g*DATA_W+:DATA_W]), .credit_o(member_credit[g]), .sends_o(sends[g]), .valid_o(message[g]),
            .kind_o(message_kind[3*g+:3]), .data_o(message_data[g*DATA_W+:DATA_W]), .credit_i(barrier_back[g])
        );
      end else begin : no_member
        assign member_credit[g] = 1'b0;
        assign sends[g] = 1'b0;
        assign message[g] = 1'b0;
        assign message_kind[3*g+:3] = 3'd0;
        assign message_data[g*DATA_W+:DATA_W] = {DATA_W{1'b0}};
      end
    end
  endgenerate

  integer seed = SEED, cycle = 0, bad = 0, flits = 0, messages = 0, waits = 0, n, v, owed[0:NODE_COUNT*VCS-1], barrier_owed[0:NODE_COUNT-1];
  task complain(input [8*20-1:0] what);
    begin
      if (bad < 5) $display("cycle %0d, node %0d: %0s", cycle, n, what);
      bad = bad + 1;
    end
  endtask
  always @(posedge clk) begin
    cycle = cycle + 1;
    for (n = 0; n < NODE_COUNT; n = n + 1) begin
      if (cycle > 2) begin
        if (packet[n] && message[n]) complain("two flits at once");
        if (valid[n] !== (packet[n] | message[n])) complain("a flit, or none");
        else if (message[n]) begin
          if (vc[n*VC_W+:VC_W] !== 0 || kind[3*n+:3] !== message_kind[3*n+:3] || data[n*DATA_W+:DATA_W] !== message_data[n*DATA_W+:DATA_W])
            complain("a message");
        end else if (packet[n])
          if (vc[n*VC_W+:VC_W] !== packet_vc[n*VC_W+:VC_W] || kind[3*n+:3] !== packet_kind[3*n+:3] ||
              data[n*DATA_W+:DATA_W] !== packet_data[n*DATA_W+:DATA_W]) complain("a flit of a packet");
        if (credit[n*VCS+:VCS] !== slot_credit[n*VCS+:VCS]) complain("credits");
        if (barrier_credit[n] !== member_credit[n]) complain("barrier credits");
      end
      if (rst) begin
        for (v = 0; v < VCS; v = v + 1) owed[n*VCS+v] = 0;
        barrier_owed[n] = 0;
      end else begin
        flits = flits + packet[n];
        messages = messages + message[n];
        waits = waits + (has[n] && sends[n]);
        if (packet[n]) owed[n*VCS+packet_vc[n*VC_W+:VC_W]] = owed[n*VCS+packet_vc[n*VC_W+:VC_W]] + 1;
        if (message[n] && message_kind[3*n+:3] == 3'b101) barrier_owed[n] = barrier_owed[n] + 1;
      end
    end
    if (cycle == CYCLES) begin
      if (flits < 1000 || (BARRIER != 0 && (messages < 300 || waits < 100))) complain("too little happens");
      if (bad == 0) $display("ok nodes: %0d flits, %0d of messages, NODE_COUNT %0d BARRIER %0d, seed %0d", flits, messages, NODE_COUNT, BARRIER, SEED);
      else $display("FAIL %0d differences, seed %0d", bad, SEED);
      $finish;
    end
  end
  // Inputs change between the edges. Half of the messages are releases.
  reg [NODE_COUNT-1:0] half = 0;
  reg [VC_W-1:0] half_vc[0:NODE_COUNT-1];
  always @(negedge clk) begin
    rst = cycle < 2 || cycle == 1000 || cycle == 1503;
    for (n = 0; n < NODE_COUNT; n = n + 1) begin
      for (v = 0; v < VCS; v = v + 1) begin
        back[n*VCS+v] = owed[n*VCS+v] > 0 && $unsigned($random(seed)) % 3 == 0;
        owed[n*VCS+v] = owed[n*VCS+v] - back[n*VCS+v];
      end
      barrier_back[n] = barrier_owed[n] > 0 && $unsigned($random(seed)) % 3 == 0;
      barrier_owed[n] = barrier_owed[n] - barrier_back[n];
      in_valid[n] = $random(seed);
      in_kind[3*n+:3] = $random(seed);
      in_vc[n*VC_W+:VC_W] = $unsigned($random(seed)) % VCS;
      in_data[n*DATA_W+:DATA_W] = {$random(seed), $random(seed)};
      if (in_kind[3*n+1+:2] == 2'b10) begin  // both halves of a message come on one channel
        in_kind[3*n] = half[n];
        if (half[n]) in_vc[n*VC_W+:VC_W] = half_vc[n];
        half_vc[n] = in_vc[n*VC_W+:VC_W];
        half[n] = half[n] ^ in_valid[n];
        if ($random(seed) & 1) in_data[n*DATA_W+:DATA_W] = (DATA_W == 16 && in_kind[3*n]) ? 16'h8000 : 64'h80000001;
      end
      in_slot[n] = in_valid[n] && (BARRIER == 0 || in_kind[3*n+:3] < 4 || in_kind[3*n+:3] == 7);
    end
    if (rst) {in_valid, in_slot} = 0;
  end
endmodule
