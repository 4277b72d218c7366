// Effects of a barrier message: one case a line of §8.3, with its value (§8.14), in random surroundings.
// SPDX-License-Identifier: Apache-2.0
//
// Each case makes an entry and a message for which its line holds and no line before it, and says
// what must be done, sent, recorded and changed. What the line does not look at is random, and
// unknown (X) where it is no part of the entry. tb_barrier_unit plays whole sequences.
module tb_barrier_decide;
  parameter PORTS = 5, ROUNDS = 200, VALUES = 0;
  localparam RECORD_W = 17 + 6 * PORTS + 68 * VALUES, MESSAGE_W = VALUES ? 64 : 32;
  localparam [1:0] REDUCE = 0, DISTRIBUTE = 1, INITIAL = 2, FAIL = 3;
  localparam TABLE = 1, GROUP = 2, DUPLICATE = 4, PROTOCOL = 8, UNREACHABLE = 16;
  localparam CASES = VALUES ? 49 : 48;
`include "check.svh"
  logic [MESSAGE_W-1:0] message, sent, want_sent;
  logic [PORTS-1:0] port, first, any, open, put, want_put;
  logic [10:0] self;
  logic [RECORD_W-1:0] record, next;
  logic hit, place, reachable, done, adopt, follow, goes_first, goes_any, back, want_done, want_change, want_adopt, want_follow;
  logic [4:0] errors, want_errors;
  hd_barrier_decide #(.PORTS(PORTS), .VALUES(VALUES)) dut (
    .message_i(message), .port_i(port), .self_i(self), .here_i(message[19:9] == self), .record_i(record), .hit_i(hit),
    .free_i(place), .named_i(named), .by_parent_i(from == parent), .reachable_i(reachable), .first_fits_i(first != 0),
    .any_fits_i(any != 0), .back_fits_i((port & open) != 0), .done_o(done), .record_o(next), .adopt_o(adopt),
    .follow_o(follow), .first_o(goes_first), .any_o(goes_any), .back_o(back), .message_o(sent), .errors_o(errors));
  // the slot into which it is put
  assign put = goes_first ? first : goes_any ? any : back ? port & open : 0;

  // the entry, field by field (§8.2), and what it must be afterwards; the port as a number
  logic [4:0] group;
  logic bsr, root, built, has_failed, up;
  logic [10:0] parent, address[0:PORTS-1];
  logic [11:0] count;
  logic [PORTS-1:0] child, child_in, members, local_in, to_local, to_child, named;
  logic [1:0] kind, tag;
  logic [10:0] from;
  // values: of the entry, and of the message
  logic [1:0] op, result_op, with_op;
  logic [31:0] value, result, brings;
  logic differs;
  int p, q, seen[0:CASES-1];

  task automatic pack(output logic [RECORD_W-1:0] r);
    r = RECORD_W'({result, result_op, value, op, to_child, to_local, local_in, members, child_in, child, count, up, has_failed, built, root, bsr});
  endtask

  function automatic logic [PORTS-1:0] one_port(input logic [PORTS-1:0] among);
    int i;
    i = random_below(PORTS);
    if (among == 0) return 0;
    while (!among[i]) i = (i + 1) % PORTS;
    return 1 << i;
  endfunction

  // any entry of a BSR node in which everything may happen, and any way
  task automatic surroundings;
    {group, parent, count} = {$random(seed), $random(seed)};
    if (count < 2) count = 2;
    for (int i = 0; i < PORTS; i++) address[i] = i << 7 | random_below(128);  // no two alike
    {child, child_in, members, local_in, to_local, to_child} = {$random(seed), $random(seed), $random(seed)};
    p = random_below(PORTS);
    port = 1 << p;
    members |= port;
    child_in &= child;
    local_in &= members;
    to_local &= members;
    to_child &= child;
    {bsr, root, built, has_failed, up} = {1'b1, 2'($random(seed)), 2'd0};
    self = $random(seed);
    from = $random(seed);
    {kind, tag} = $random(seed);
    hit = 1;
    {place, reachable} = $random(seed);
    open = $random(seed);
    first = one_port(open);
    any = one_port(open);
    {op, result_op, with_op} = $random(seed);
    {value, result} = {$random(seed), $random(seed)};
    brings = random_below(2) ? value + 3 - random_below(7) : $random(seed);
    if (random_below(2)) with_op = op;
    if (op == 0) value = 0;
    if (with_op == 0) brings = 'x;
    if (VALUES) tag = with_op;
    differs = 0;
    {want_errors, want_put} = 0;
    want_done = 1;
    want_sent = 'x;
  endtask
  task automatic no_entry;
    {hit, record, bsr, root, built, has_failed, up, parent, count} = 0;
    {op, value, result_op, result} = 0;
    {child, child_in, members, local_in, to_local, to_child} = 0;
    for (int i = 0; i < PORTS; i++) address[i] = 0;
  endtask
  // no member, or child, but `who` is missing
  task automatic members_missing(input logic [PORTS-1:0] who);
    members |= who;
    local_in = members & ~who;
  endtask
  task automatic children_missing(input logic [PORTS-1:0] who);
    child |= who;
    child_in = child & ~who;
    to_child &= child;
  endtask

  // what must come of it
  task automatic drops(input int error);
    want_errors = error;
  endtask
  task automatic fails_back(input int error);
    want_sent = MESSAGE_W'({1'b1, 22'd0, group, 2'd0, FAIL});
    want_put = port & open;
    want_done = open[p];
    want_errors = want_done ? error : 0;
  endtask
  task automatic goes_on(input logic [PORTS-1:0] way);
    want_put = way;
    want_done = way != 0;
  endtask
  task automatic releases;
    built = 1;
    to_local = members;
    to_child = child;
    {local_in, child_in} = 0;
  endtask
  // before the tree is built members bring no value
  task automatic no_value_yet;
    if (!built) {with_op, brings} = {2'd0, 32'bx};
  endtask
  // the value joins, before a release
  task automatic joins;
    if (VALUES != 0 && (local_in | child_in) != 0 && with_op != op) begin
      {op, value} = 0;
      differs = 1;
    end else if ((local_in | child_in) == 0) {op, value} = {with_op, with_op == 0 ? 32'd0 : brings};
    else if (op == 1) value += brings;
    else if (op == 2) value = brings < value ? brings : value;
    else if (op == 3) value = brings > value ? brings : value;
  endtask
  task automatic result_is(input logic [1:0] o, input logic [31:0] v);
    {result_op, result} = {o, o == 0 ? 32'd0 : v};
  endtask
  task automatic adopts;
    child |= port;
    want_adopt = 1;
  endtask

  // the message that bits and fields make; what is not looked at is X
  task automatic local_message(input logic [1:0] k);
    if (!VALUES) with_op = 'x;
    message = MESSAGE_W'({brings, 1'b1, 22'bx, group, with_op, k});
    {first, any, reachable, place} = 'x;
  endtask
  task automatic transit(input logic [1:0] k, input logic [1:0] t);
    message = MESSAGE_W'({brings, 1'b0, from, self ^ 11'(1 << random_below(11)), group, t, k});
    want_sent = message;
    reachable = 1;
    if (k == INITIAL) any = 'x;
    else first = 'x;
  endtask
  task automatic for_us(input logic [1:0] k, input logic [1:0] t);
    message = MESSAGE_W'({t == 0 || k == INITIAL ? 32'bx : brings, 1'b0, from, self, group, t, k});
    {first, any, reachable, place, open} = 'x;
  endtask

  // case c: before; then, with the entry as it is, after
  task automatic situation(input int c);
    case (c)
      // local
      0: begin local_message(1 + random_below(3)); drops(PROTOCOL); end
      1: begin no_entry(); local_message(REDUCE); fails_back(GROUP); end
      2: begin {members, local_in, to_local} = {3{~port}} & {members, local_in, to_local}; has_failed = place; local_message(REDUCE); fails_back(GROUP); end
      3: begin has_failed = 1; local_message(REDUCE); fails_back(0); end
      4: begin local_in |= port; local_message(REDUCE); fails_back(DUPLICATE); end
      5: begin members_missing(port | 1 << (p + 1) % PORTS); no_value_yet(); local_message(REDUCE); end
      6: begin members_missing(port); {root, built} = 0; no_value_yet(); local_message(REDUCE); end
      7: begin members_missing(port); {root, built} = 2; count = 0; no_value_yet(); local_message(REDUCE); end
      8: begin members_missing(port); {root, built} = 2; no_value_yet(); local_message(REDUCE); end
      9: begin members_missing(port); children_missing(one_port(-1)); built = 1; no_value_yet(); local_message(REDUCE); end
      10: begin members_missing(port); children_missing(0); {root, built} = 3; no_value_yet(); local_message(REDUCE); end
      11: begin members_missing(port); children_missing(0); {root, built} = 1; no_value_yet(); local_message(REDUCE); end
      // in transit
      12: begin built = 1; transit(INITIAL, random_below(2)); reachable = 'x; drops(GROUP); end
      13: begin built = 0; child |= port; transit(INITIAL, 0); reachable = 'x; drops(DUPLICATE); end
      14: begin transit(INITIAL, 3); reachable = 'x; drops(PROTOCOL); end
      15: begin transit(kind, 2); {first, any, reachable} = 0; drops(UNREACHABLE); end
      16: begin no_entry(); transit(INITIAL, random_below(2)); place = 1; goes_on(first); end
      17: begin no_entry(); transit(INITIAL, random_below(2)); place = 0; want_sent[1:0] = FAIL; goes_on(first); if (want_done) drops(TABLE); end
      18: begin {bsr, root, built, members, local_in, to_local} = 0; child = (child | 1 << (p + 1) % PORTS) & ~port; {child_in, to_child} = 0; transit(INITIAL, 0); goes_on(first); end
      19: begin built = 0; {child, child_in, to_child} = {3{~port}} & {child, child_in, to_child}; transit(INITIAL, random_below(2)); goes_on(first); end
      20: begin {bsr, root, built} = 0; transit(INITIAL, 1); goes_on(first); end
      21: begin transit(INITIAL, 2); goes_on(first); end
      22: begin kind = kind == INITIAL ? REDUCE : kind; transit(kind, tag); goes_on(any); end
      23: begin transit(INITIAL, 2); first = 0; goes_on(first); end
      // for this switch
      24: begin no_entry(); for_us(kind, tag); drops(GROUP); end
      25: begin bsr = 0; for_us(kind, tag); drops(GROUP); end
      26: begin root = 0; for_us(INITIAL, tag); drops(GROUP); end
      27: begin {root, built} = 3; for_us(INITIAL, tag); drops(GROUP); end
      28: begin {root, built} = 2; count = 0; for_us(INITIAL, tag); drops(DUPLICATE); end
      29: begin {root, built} = 2; for_us(INITIAL, 3); drops(PROTOCOL); end
      30: begin {root, built} = 2; child |= port; for_us(INITIAL, 0); drops(DUPLICATE); end
      31: begin {root, built} = 2; tag = random_below(3); if (tag == 0) {child, child_in, to_child} = {3{~port}} & {child, child_in, to_child}; for_us(INITIAL, tag); end
      32: begin {root, built} = 2; members_missing(0); count = 1; for_us(INITIAL, 1 + random_below(2)); end
      33: begin {root, built} = 2; members_missing(port); count = 1; for_us(INITIAL, 1 + random_below(2)); end
      34: begin built = 0; from = address[p]; for_us(REDUCE, tag); drops(GROUP); end
      35: begin built = 1; child &= ~port; child_in &= child; to_child &= child; from = address[p]; for_us(REDUCE, tag); drops(GROUP); end
      36: begin built = 1; child |= port; child_in |= port; from = address[p]; for_us(REDUCE, tag); drops(DUPLICATE); end
      37: begin built = 1; children_missing(port | 1 << (p + 1) % PORTS); from = address[p]; for_us(REDUCE, tag); end
      38: begin built = 1; children_missing(port); members_missing(one_port(-1)); from = address[p]; for_us(REDUCE, tag); end
      39: begin built = 1; children_missing(port); members_missing(0); from = address[p]; for_us(REDUCE, tag); end
      40: begin built = 1; children_missing(3); {address[1], from} = {2{address[0]}}; for_us(REDUCE, tag); end
      41: begin root = 1; for_us(DISTRIBUTE, tag); drops(GROUP); end
      42: begin root = 0; up = 1; for_us(DISTRIBUTE, tag); drops(DUPLICATE); end
      43: begin root = 0; members_missing(port); for_us(DISTRIBUTE, tag); drops(DUPLICATE); end
      44: begin {root, built} = 1; members_missing(0); children_missing(port); from = parent; for_us(DISTRIBUTE, tag); drops(DUPLICATE); end
      45: begin {root, built} = 1; members_missing(0); children_missing(0); from = parent ^ (1 << random_below(11)); for_us(DISTRIBUTE, tag); drops(DUPLICATE); end
      46: begin root = 0; members_missing(0); if (built) begin children_missing(0); from = parent; end for_us(DISTRIBUTE, tag); end
      47: begin for_us(FAIL, tag); end
      // a value in the first round
      48: begin members_missing(port); built = 0; with_op = 1 + random_below(3); local_message(REDUCE); fails_back(PROTOCOL); end
    endcase
    pack(record);
    for (int i = 0; i < PORTS; i++) named[i] = child[i] && address[i] == from;
    want_change = want_done && want_errors == 0;
    {want_adopt, want_follow} = 0;
    if (want_change) case (c)
      5, 8, 9: begin joins(); local_in |= port; end
      6, 11: begin joins(); local_in |= port; up = 1; end
      7, 10: begin joins(); result_is(op, value); releases(); end
      16, 20: adopts();
      18: begin adopts(); bsr = 1; {want_sent[30:20], want_sent[3:2]} = {self, 2'd1}; end
      19: begin adopts(); want_sent[3:2] = 2; end
      31, 33: begin count--; if (message[3:2] <= 1) adopts(); end
      32: begin count--; if (message[3:2] <= 1) adopts(); result_is(op, value); releases(); end
      37, 38: begin joins(); child_in |= port; end
      39: begin joins(); if (root) begin result_is(op, value); releases(); end else begin child_in |= port; up = 1; end end
      40: begin joins(); child_in |= 1; end
      46: begin want_follow = !built; result_is(tag, brings); releases(); end
      47: begin has_failed = 1; to_local |= local_in; end
      default: ;
    endcase
    if (differs) drops(PROTOCOL);
  endtask

  logic [RECORD_W-1:0] want;
  initial begin
    foreach (seen[i]) seen[i] = 0;
    for (int n = 0; n < ROUNDS * CASES; n++) begin
      surroundings();
      situation(n % CASES);
      #1;
      // whether arrivals stand after a failure, only tb_barrier_unit looks at
      if (n % CASES == 47) local_in = next[17+3*PORTS+:PORTS];
      pack(want);
      check($sformatf("case %0d: done", n % CASES), done, want_done);
      check($sformatf("case %0d: errors", n % CASES), done ? errors : 5'd0, want_errors);
      check($sformatf("case %0d: put", n % CASES), put, want_put);
      if (put != 0) check($sformatf("case %0d: message", n % CASES), sent, want_sent);
      for (int i = 0; i < RECORD_W; i += 64)
        check($sformatf("case %0d: record from bit %0d on", n % CASES, i), 64'(next >> i), 64'(want >> i));
      check($sformatf("case %0d: adopt", n % CASES), adopt, want_adopt);
      check($sformatf("case %0d: follow", n % CASES), follow, want_follow);
      seen[n%CASES] += done;
    end
    for (int i = 0; i < CASES; i++) check($sformatf("case %0d came", i), seen[i] > 0, i != 23);
    finish_bench($sformatf("barrier_decide PORTS=%0d VALUES=%0d", PORTS, VALUES));
  end
endmodule
