// Barrier side of an input port: queue, halves of messages, preemptions, errors (§7.3-7.5).
// SPDX-License-Identifier: Apache-2.0
//
// Any flits at the pins (beside) or at the channels' fronts (through), legal or not; what must
// follow is worked out from §7.4 and §7.5 with a list of messages.
module tb_barrier_in;
  parameter VCS = 2, DATA_W = 16, BARRIER = 1, VALUES = 0;
  localparam MESSAGE_W = VALUES ? 64 : 32;
  localparam VC_W = VCS > 1 ? $clog2(VCS) : 1, TWO = DATA_W == 16, BESIDE = BARRIER <= 2;
  localparam FIRST = 4, LAST = 5, PADDING = 6;
`include "check.svh"
  logic valid = 0, some, pop = 0, credit, busy;
  logic [2:0] kind = 0;
  logic [VC_W-1:0] vc = 0;
  logic [DATA_W-1:0] data = 0;
  logic [VCS-1:0] front = 0, take, preempted;
  logic [VCS*3-1:0] front_kind = 0;
  logic [VCS*DATA_W-1:0] front_data = 0;
  logic [MESSAGE_W-1:0] message;
  logic [1:0] clear = 0, errors, queued;
  hd_barrier_in #(.VCS(VCS), .VC_W(VC_W), .DATA_W(DATA_W), .BARRIER(BARRIER), .VALUES(VALUES)) dut (
    .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .front_i(front),
    .front_kind_i(front_kind), .front_data_i(front_data), .take_o(take), .preempted_o(preempted), .some_o(some),
    .message_o(message), .pop_i(pop), .credit_o(credit), .clear_i(clear), .errors_o(errors),
    .busy_o(busy), .queued_o(queued));

  logic [MESSAGE_W-1:0] list[$];
  logic [15:0] low[0:VCS-1];
  logic [VCS-1:0] is_preempted = 0, taken;
  logic overflow = 0, protocol = 0, fresh_overflow, fresh_protocol, gave = 0, found;
  logic [MESSAGE_W-1:0] got, gone;
  logic got_one;
  int n_preemptions = 0, n_messages = 0, n_overflows = 0, n_wrong = 0, held;

  // one flit of kind k on channel v: what it does
  task automatic flit(input int v, input int k, input logic [DATA_W-1:0] d);
    if (k == PADDING) begin
      if (BARRIER > 3 || (BARRIER == 2 && v != 0) || is_preempted[v] == !d[0]) fresh_protocol = 1;
      else begin
        is_preempted[v] = !d[0];
        n_preemptions++;
      end
    end else if (k == FIRST) begin
      if (TWO) low[v] = d;
      else fresh_protocol = 1;
    end else if (k == LAST) begin
      if (held == 2) fresh_overflow = 1;
      else begin
        got_one = 1;
        got = TWO ? {d[15:0], low[v]} : MESSAGE_W'(d);
      end
    end
  endtask

  initial begin
    foreach (low[v]) low[v] = 0;
    step(); step();
    rst = 0;
    for (int n = 0; n < 20000; n++) begin
      valid = BESIDE ? random_below(3) != 0 : random_below(2);
      kind = random_below(4) ? 4 + random_below(4) : random_below(8);
      vc = random_below(VCS);
      data = {$random(seed), $random(seed)};
      if (BESIDE) begin
        front = $random(seed);
        front_kind = $random(seed);
      end else
        for (int v = 0; v < VCS; v++)
          if (!front[v]) begin  // a front that was not taken waits
            front[v] = random_below(3) == 0;
            front_kind[v*3+:3] = FIRST + random_below(3);
            front_data[v*DATA_W+:DATA_W] = {$random(seed), $random(seed)};
          end
      pop = list.size() > 0 && random_below(3) == 0;
      clear = random_below(8) ? 0 : random_below(4);
      #1;
      // before the edge: state at the cycle's start
      check("some", some, list.size() > 0);
      check("queued", queued, list.size());
      if (list.size() > 0) check("message", message, list[0]);
      check("preempted", preempted, is_preempted);
      check("barrier credit", credit, gave);
      check("errors", errors, {protocol, overflow});
      check("busy", busy, list.size() > 0 || is_preempted != 0 || gave);
      held = list.size();
      {fresh_overflow, fresh_protocol, got_one} = 0;
      taken = 0;
      found = 0;
      if (BESIDE) begin
        if (valid) flit(vc, kind, data);
      end else
        for (int v = 0; v < VCS; v++)
          if (front[v]) begin
            if (front_kind[v*3+:3] != LAST) taken[v] = 1;
            else if (!found) begin  // the lowest channel with a last flit goes, where there is room
              found = 1;
              taken[v] = held < 2;
            end
            if (taken[v]) flit(v, front_kind[v*3+:3], front_data[v*DATA_W+:DATA_W]);
          end
      check("take", take, taken);
      if (pop) gone = list.pop_front();
      if (got_one) list.push_back(got);
      n_messages += got_one;
      n_overflows += fresh_overflow;
      n_wrong += fresh_protocol;
      gave = pop;
      overflow = (overflow & ~clear[0]) | fresh_overflow;
      protocol = (protocol & ~clear[1]) | fresh_protocol;
      step();
      front &= ~taken;
    end
    check("messages came", n_messages > 100, 1);
    check("channels were preempted", n_preemptions > 100, BARRIER <= 3);
    check("queues were full", n_overflows > 100, BESIDE);
    check("protocol was broken", n_wrong > 100, 1);
    finish_bench($sformatf("barrier_in BARRIER=%0d VCS=%0d DATA_W=%0d VALUES=%0d", BARRIER, VCS, DATA_W, VALUES));
  end
endmodule
