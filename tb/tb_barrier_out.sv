// Barrier side of an output port: the rules and the table of §7.6, barrier credits (§7.3).
// SPDX-License-Identifier: Apache-2.0
//
// Owners and credit counts are any; the five rules are worked out for the state at the start of
// each cycle, and what is sent is looked for D + 1 cycles later at the crossbar. The count of a
// channel that is preempted or has sent half a message follows what is sent on it, so that a flit
// without a credit would show.
module tb_barrier_out;
  parameter VCS = 2, DATA_W = 16, BARRIER = 1, GRANT_STAGES = 0, VALUES = 0;
  localparam M = DATA_W == 16 ? 2 : 1, BESIDE = BARRIER <= 2, D = GRANT_STAGES, MESSAGE_W = VALUES ? 64 : 32;
`include "check.svh"
  logic put = 0, slot, may_start, credit = 0, send, late, clear = 0, error, busy, second, preempting;
  logic [MESSAGE_W-1:0] message = 0;
  logic [VCS-1:0] owned = 0, send_vc, spend, shut_next, first_next, shut = 0, first = 0;
  logic [7*VCS-1:0] count = 0;
  logic [15:0] idle_limit = 0, idle_next = 0;
  logic [2:0] lane_kind, preempt_vc;
  logic [2:0] preempt_next;
  logic [2:0] burst;
  logic [4:0] rest;
  logic [1:0] barrier_credit;
  logic [DATA_W-1:0] lane_data;
  hd_barrier_out #(.VCS(VCS), .DATA_W(DATA_W), .BARRIER(BARRIER), .GRANT_STAGES(D), .VALUES(VALUES)) dut (
    .clk(clk), .rst(rst), .put_i(put), .message_i(message), .slot_o(slot), .may_start_o(may_start),
    .owned_i(owned), .count_i(count), .credit_i(credit), .idle_next_i(idle_next), .send_o(send),
    .send_vc_o(send_vc), .spend_o(spend), .shut_next_o(shut_next), .first_next_o(first_next), .late_o(late), .lane_kind_o(lane_kind),
    .lane_data_o(lane_data), .clear_i(clear), .error_o(error), .busy_o(busy), .second_o(second),
    .preempting_o(preempting), .preempt_vc_o(preempt_vc), .preempt_next_o(preempt_next), .burst_o(burst), .rest_o(rest),
    .barrier_credit_o(barrier_credit));

  // state of §7.6
  logic holds = 0, is_second = 0, is_preempting = 0, bad = 0;
  logic [MESSAGE_W-1:0] held = 0;
  int use_vc = 0, at_vc = 0, next = 0, idle = 0, credits = 2, c[0:VCS-1], of_preemption = 0, resting = 0;
  // of one cycle
  int start, may_preempt, w, k, rule, seen[0:5];
  logic [DATA_W-1:0] d;
  logic initial_reduce;
  // what must hold whatever the rules are: messages since the request, cycle of the early end
  int since_request = 0, taken_back = -100, n_initial = 0, n_one_left = 0, n_full = 0, n_late = 0;
  // on the way to the crossbar
  logic was[0:3];
  logic [2:0] was_kind[0:3];
  logic [DATA_W-1:0] was_data[0:3];

  // an initial reduce of BARRIER 3 and 4 knows channel 0 alone
  function automatic logic allowed(input int v);
    return v == 0 || !initial_reduce || BARRIER < 3 || BARRIER > 4;
  endfunction
  function automatic int lowest_free(input int need);
    for (int v = 0; v < VCS; v++) if (!owned[v] && c[v] >= need && allowed(v)) return v;
    return -1;
  endfunction

  task automatic conditions;
    int v;
    start = -1;
    may_preempt = -1;
    initial_reduce = holds && held[1:0] == 2 && !held[31];
    if (credits > 0) begin
      case (BARRIER)
        1: begin
          start = is_preempting ? at_vc : lowest_free(0);
          if (&owned) may_preempt = next;
        end
        2: if (is_preempting || !owned[0]) start = 0;
        else may_preempt = 0;
        3: if (is_preempting) begin
          if (c[at_vc] >= M + 1 && allowed(at_vc)) start = at_vc;
        end else begin
          start = lowest_free(M);
          for (int i = VCS - 1; start < 0 && i >= 0; i--) begin
            v = (next + i) % VCS;
            if (owned[v] && c[v] >= M + 2 && allowed(v)) may_preempt = v;
          end
        end
        4: start = lowest_free(M);
        default: if (c[VCS-1] >= M) start = VCS - 1;
      endcase
      if (is_preempting) may_preempt = -1;
    end
    if (is_preempting && of_preemption == 4) start = -1;
  endtask

  initial begin
    foreach (was[i]) was[i] = 0;
    foreach (seen[i]) seen[i] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 16384; n++) begin
      idle_limit = idle_next;
      if (n % 512 == 0) idle_next = n % 1024 ? random_below(4) : 4 + random_below(20);
      if (random_below(3) == 0) owned = random_below(2) ? {VCS{1'b1}} : $random(seed);
      for (int v = 0; v < VCS; v++) begin
        if (!(is_preempting && v == at_vc) && !(is_second && v == use_vc)) c[v] = random_below(2) ? random_below(5) : random_below(65);
        else if (random_below(6) == 0 && c[v] < 64) c[v] += 1;
        count[v*7+:7] = c[v];
      end
      put = !holds && random_below(n / 4096 % 2 ? 3 : 40) == 0;
      message = {$random(seed), $random(seed)};
      if (random_below(3) == 0) {message[31], message[1:0]} = 2;
      credit = random_below(n / 2048 % 2 ? 2 : 8) == 0;
      clear = random_below(10) == 0;
      #1;
      conditions();
      rule = is_second ? 1 : holds && start >= 0 ? 2 : holds && resting == 0 && may_preempt >= 0 ? 3
           : is_preempting && !holds && idle >= idle_limit ? 4
           : is_preempting && holds && (of_preemption == 4 || BARRIER == 3) ? 5 : 0;
      seen[rule]++;
      w = rule == 1 ? use_vc : rule == 2 ? start : rule == 3 ? may_preempt : at_vc;
      k = rule == 1 || (rule == 2 && M == 1) ? 5 : rule == 2 ? 4 : 6;
      d = rule == 1 ? DATA_W'(held[31:16]) : rule == 2 ? (M == 1 ? DATA_W'(held) : DATA_W'(held[15:0])) : DATA_W'(rule >= 4);
      check("slot", slot, holds);
      check("may start", may_start, start >= 0);
      check("second", second, is_second);
      check("preempting", preempting, is_preempting);
      check("preempt_vc", preempt_vc, at_vc);
      check("preempt_next", preempt_next, next);
      check("shut", shut | {VCS{late}}, rule != 0 ? {VCS{1'b1}} : is_preempting ? 1 << at_vc : 0);
      n_late += late;
      check("burst", burst, of_preemption);
      check("rest", rest, resting);
      for (int v = 0; v < VCS; v++)
        check("new packets wait", first[v], (BARRIER == 3 || BARRIER == 4) && holds && credits > 0 && allowed(v));
      check("barrier credit", barrier_credit, credits);
      check("error", error, bad);
      check("busy", busy, holds || is_preempting || resting > 0);
      check("send", send, rule != 0);
      if (rule != 0) check("send_vc", send_vc, 1 << w);
      check("spend", spend, BESIDE || rule == 0 ? 0 : 1 << w);
      if (was[D]) begin
        check("kind at the crossbar", lane_kind, was_kind[D]);
        check("data at the crossbar", lane_data, was_data[D]);
      end
      // by what is seen alone: four messages a preemption, sixteen cycles between, order, credits
      if (rule == 2 && is_preempting) since_request++;
      check("messages of one preemption", since_request <= 4, 1);
      if (rule == 3) begin
        check("the packet had its cycles", n - taken_back > 16, 1);
        since_request = 0;
      end
      if (rule == 5) begin
        taken_back = n;
        n_full += of_preemption == 4;
        n_one_left += BARRIER == 3 && of_preemption < 4;
      end
      if (rule == 2 && initial_reduce && (BARRIER == 3 || BARRIER == 4)) begin
        check("initial reduces keep their order", send_vc, 1);
        n_initial++;
      end
      if (rule != 0 && !BESIDE) begin
        check("a credit for what is sent", c[w] > 0, 1);
        c[w] -= 1;
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
      idle = !is_preempting || holds || rule >= 4 ? 0 : idle < 65535 ? idle + 1 : idle;
      if (rule == 3) next = (may_preempt + 1) % VCS;
      if (rule == 3) at_vc = may_preempt;
      if (rule == 2) use_vc = start;
      if (rule == 2 && is_preempting) of_preemption++;
      if (rule == 3) of_preemption = 0;
      resting = rule == 5 ? 16 : resting > 0 ? resting - 1 : 0;
      if (rule >= 3) is_preempting = rule == 3;
      if (rule == 1 || (rule == 2 && M == 1)) holds = 0;
      is_second = rule == 2 && M == 2;
      if (put) begin
        holds = 1;
        held  = message;
      end
      if (clear) bad = 0;
      credits += credit - (rule == 2);
      if (credits == 3) begin
        credits = 2;
        bad = 1;
      end
      shut = shut_next;
      first = first_next;
      step();
    end
    check("messages were sent", seen[2] > 100 && (M == 1 || seen[1] > 100), 1);
    check("what was not known came late", n_late > 50, 1);
    check("channels were preempted", seen[3] > 50 && seen[4] > 50, BARRIER <= 3);
    check("preemptions ended after four messages", n_full > 10, BARRIER <= 3);
    check("preemptions ended before they had to wait", n_one_left > 50, BARRIER == 3);
    check("initial reduces were sent", n_initial > 50, BARRIER == 3 || BARRIER == 4);
    finish_bench($sformatf("barrier_out BARRIER=%0d VCS=%0d DATA_W=%0d D=%0d VALUES=%0d", BARRIER, VCS, DATA_W, D, VALUES));
  end
endmodule
