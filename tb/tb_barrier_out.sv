// Barrier side of an output port: the rules and the table of §7.6, barrier credits (§7.3).
// SPDX-License-Identifier: Apache-2.0
//
// Owners and credit counts are any; the four rules are worked out for the state at the start of
// each cycle, and what is sent is looked for D + 1 cycles later at the crossbar.
module tb_barrier_out;
  parameter VCS = 2, DATA_W = 16, BARRIER = 1, GRANT_STAGES = 0;
  localparam M = DATA_W == 16 ? 2 : 1, BESIDE = BARRIER <= 2, D = GRANT_STAGES;
`include "check.svh"
  logic put = 0, slot, may_start, credit = 0, send, clear = 0, error, busy, second, cutting;
  logic [31:0] message = 0;
  logic [VCS-1:0] owned = 0, send_vc, spend, cut;
  logic [7*VCS-1:0] count = 0;
  logic [15:0] idle_limit = 0;
  logic [2:0] lane_kind, cut_vc;
  logic [3:0] cut_next;
  logic [1:0] barrier_credit;
  logic [DATA_W-1:0] lane_data;
  hd_barrier_out #(.VCS(VCS), .DATA_W(DATA_W), .BARRIER(BARRIER), .GRANT_STAGES(D)) dut (
    .clk(clk), .rst(rst), .put_i(put), .message_i(message), .slot_o(slot), .may_start_o(may_start),
    .owned_i(owned), .count_i(count), .credit_i(credit), .idle_i(idle_limit), .send_o(send),
    .send_vc_o(send_vc), .spend_o(spend), .cut_o(cut), .lane_kind_o(lane_kind),
    .lane_data_o(lane_data), .clear_i(clear), .error_o(error), .busy_o(busy), .second_o(second),
    .cutting_o(cutting), .cut_vc_o(cut_vc), .cut_next_o(cut_next), .barrier_credit_o(barrier_credit));

  // state of §7.6
  logic holds = 0, is_second = 0, is_cutting = 0, bad = 0;
  logic [31:0] held = 0;
  int use_vc = 0, at_vc = 0, next = 0, idle = 0, credits = 2, c[0:VCS-1];
  // of one cycle
  int start, may_cut, w, k, rule, seen[0:4];
  logic [DATA_W-1:0] d;
  logic all_owned;
  // on the way to the crossbar
  logic was[0:3];
  logic [2:0] was_kind[0:3];
  logic [DATA_W-1:0] was_data[0:3];

  function automatic int lowest_free(input int need);
    for (int v = 0; v < VCS; v++) if (!owned[v] && c[v] >= need) return v;
    return -1;
  endfunction

  task automatic conditions;
    start = -1;
    may_cut = -1;
    all_owned = &owned;
    case (BARRIER)
      1: if (credits > 0) begin
        start = is_cutting ? at_vc : lowest_free(0);
        if (!is_cutting && all_owned) may_cut = next;
      end
      2: if (credits > 0) begin
        if (is_cutting || !owned[0]) start = 0;
        if (!is_cutting && owned[0]) may_cut = 0;
      end
      3: if (is_cutting) begin
        if (c[at_vc] >= M) start = at_vc;
      end else begin
        start = lowest_free(M);
        for (int i = 0; i < VCS; i++)
          if (start < 0 && may_cut < 0 && owned[(next+i)%VCS] && c[(next+i)%VCS] >= M + 1)
            may_cut = (next + i) % VCS;
      end
      4: start = lowest_free(M);
      default: if (c[VCS-1] >= M) start = VCS - 1;
    endcase
  endtask

  initial begin
    foreach (was[i]) was[i] = 0;
    foreach (seen[i]) seen[i] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 40000; n++) begin
      if (n % 512 == 0) idle_limit = n % 1024 ? random_below(4) : 4 + random_below(20);
      if (random_below(3) == 0) owned = random_below(2) ? {VCS{1'b1}} : $random(seed);
      for (int v = 0; v < VCS; v++) begin
        c[v] = random_below(2) ? random_below(4) : random_below(65);
        count[v*7+:7] = c[v];
      end
      put = !holds && random_below(n / 4096 % 2 ? 3 : 40) == 0;
      message = $random(seed);
      credit = random_below(6) == 0;
      clear = random_below(10) == 0;
      #1;
      conditions();
      rule = is_second ? 1 : holds && start >= 0 ? 2 : holds && may_cut >= 0 ? 3
           : is_cutting && !holds && idle >= idle_limit && (BARRIER != 3 || c[at_vc] >= 1) ? 4 : 0;
      seen[rule]++;
      w = rule == 1 ? use_vc : rule == 2 ? start : rule == 3 ? may_cut : at_vc;
      k = rule == 1 || (rule == 2 && M == 1) ? 5 : rule == 2 ? 4 : 6;
      d = rule == 1 ? DATA_W'(held[31:16]) : rule == 2 ? (M == 1 ? DATA_W'(held) : DATA_W'(held[15:0])) : DATA_W'(rule == 4);
      check("slot", slot, holds);
      check("may start", may_start, start >= 0);
      check("second", second, is_second);
      check("cutting", cutting, is_cutting);
      check("cut_vc", cut_vc, at_vc);
      check("cut_next", cut_next, next);
      check("cut", cut, is_cutting ? 1 << at_vc : 0);
      check("barrier credit", barrier_credit, BESIDE ? credits : 0);
      check("error", error, bad);
      check("busy", busy, holds || is_cutting);
      check("send", send, rule != 0);
      if (rule != 0) check("send_vc", send_vc, 1 << w);
      check("spend", spend, BESIDE || rule == 0 ? 0 : 1 << w);
      if (was[D]) begin
        check("kind at the crossbar", lane_kind, was_kind[D]);
        check("data at the crossbar", lane_data, was_data[D]);
      end
      // what the cycle leaves
      for (int i = 3; i > 0; i--) begin
        was[i] = was[i-1];
        was_kind[i] = was_kind[i-1];
        was_data[i] = was_data[i-1];
      end
      was[0] = rule != 0;
      was_kind[0] = k;
      was_data[0] = d;
      idle = !is_cutting || holds || rule == 4 ? 0 : idle < 65535 ? idle + 1 : idle;
      if (rule == 3) next = (may_cut + 1) % VCS;
      if (rule == 3) at_vc = may_cut;
      if (rule == 2) use_vc = start;
      if (rule == 3 || rule == 4) is_cutting = rule == 3;
      if (rule == 1 || (rule == 2 && M == 1)) holds = 0;
      is_second = rule == 2 && M == 2;
      if (put) begin
        holds = 1;
        held  = message;
      end
      if (clear) bad = 0;
      if (BESIDE) begin
        credits += credit - (rule == 2);
        if (credits == 3) begin
          credits = 2;
          bad = 1;
        end
      end
      step();
    end
    check("messages were sent", seen[2] > 100 && (M == 1 || seen[1] > 100), 1);
    check("channels were cut", seen[3] > 50 && seen[4] > 50, BARRIER <= 3);
    finish_bench($sformatf("barrier_out BARRIER=%0d VCS=%0d DATA_W=%0d D=%0d", BARRIER, VCS, DATA_W, D));
  end
endmodule
