// The XOR coder against chapter 11, cycle by cycle, and what it makes against what was encoded.
// SPDX-License-Identifier: Apache-2.0
//
// The bench is output port 0: it has packets of its own, grants the coder or does not, and shows every flit
// 2 + D cycles after its grant. Its reference knows places as numbers, complete packets as a queue of
// events with the cycle in which they take effect, and rules one after the other, as §11.8 orders them.
//
// In regular rounds chains of random lengths encode or decode packets of random lengths in random order, and
// every made packet is compared with what it must be (§11.7, §11.12). Between them comes misuse of all kinds:
// there only the reference counts.
module tb_coder;
  parameter CODE_PLACES = 8, CODE_CYCLES = 0, VCS = 2, DATA_W = 32, HEADER_W = 8, GRANT_STAGES = 0, BARRIER = 0;
  parameter ROUNDS = 10;
  localparam N = CODE_PLACES, PLACE_W = N > 1 ? $clog2(N) : 1, VC_W = VCS > 1 ? $clog2(VCS) : 1, D = GRANT_STAGES;
  localparam LENGTH_AT = DATA_W - 6 - PLACE_W;
  localparam EMPTY = 0, FILLING = 1, NATIVE = 2, CODED = 3;
  localparam BODY = 0, TAIL = 1, HEAD = 2, SINGLE = 3, SLOTS = 5;
`include "check.svh"
  typedef logic [DATA_W-1:0] word_t;

  logic valid = 0, request, starts, tail, grant = 0, cfg_write = 0, busy, picked, sending;
  logic [2:0] kind = 0, cross_kind;
  logic [VC_W-1:0] vc = 0;
  word_t data = 0, cross_data;
  logic [VCS-1:0] credits = 0, frees = 0, fit, taken = 0;
  logic [19:0] cfg_addr = 0;
  logic [1:0] cfg_wdata = 0;
  logic [3:0] clear = 0, errors, flit;
  logic [8:0] waiting;
  logic [7:0] next;
  hd_coder #(.CODE_PLACES(N), .CODE_CYCLES(CODE_CYCLES), .VCS(VCS), .VC_W(VC_W), .DATA_W(DATA_W), .HEADER_W(HEADER_W),
    .GRANT_STAGES(D), .BARRIER(BARRIER)) dut (
    .clk(clk), .rst(rst), .valid_i(valid), .kind_i(kind), .vc_i(vc), .data_i(data), .credit_i(credits), .free_i(frees),
    .request_o(request), .fit_o(fit), .starts_o(starts), .tail_o(tail), .grant_i(grant), .taken_i(taken),
    .cross_kind_o(cross_kind), .cross_data_o(cross_data), .cfg_write_i(cfg_write), .cfg_addr_i(cfg_addr),
    .cfg_wdata_i(cfg_wdata), .clear_i(clear), .errors_o(errors), .busy_o(busy), .waiting_o(waiting), .next_o(next),
    .picked_o(picked), .sending_o(sending), .flit_o(flit));

  // ── reference (§11.3 to §11.9) ──────────────────────────────────────────────────
  int state[N], flits[N], lengths[N];
  bit open[N], last[N], low[N], high[N], work[N], was_spent[N];
  int was[N];
  word_t memory[N][16];
  bit watched[VCS], w_made[VCS];
  int w_place[VCS], w_code[VCS], w_length[VCS], w_seen[VCS], w_pair[VCS];
  int due[$], due_made[$], due_pair[$], due_code[$], due_place[$];
  int picked_pair, picked_place, picked_code, picked_flits[2], picked_lengths[2];  // pair -1: nothing
  int sent_pair, sent_place, sent_code, sent_flits[2], sent_n, sent_flit, pointer;
  logic [3:0] recorded;

  function automatic bit is_last(input int k);
    return last[k] || k == N - 1;
  endfunction
  function automatic bit is_spent(input int k);
    return (state[k] == NATIVE || state[k] == CODED) && (low[k] || k == 0 || is_last(k - 1)) && (high[k] || is_last(k));
  endfunction
  // what is made of pair q: 0 nothing, 1 native, 2 coded; for which of its places
  function automatic bit is_upper(input int q);
    return state[q] == NATIVE && state[q+1] == CODED;
  endfunction
  function automatic int makes(input int q);
    if (is_last(q) || work[q] || high[q] || low[q+1]) return 0;
    if (state[q] == NATIVE && state[q+1] == NATIVE) return 2;
    return is_upper(q) || (state[q] == CODED && state[q+1] == NATIVE);
  endfunction
  function automatic word_t x(input int k, input int n_flits, input int f);
    return f <= n_flits ? memory[k][f] : 0;
  endfunction

  // flits on their way to the pins; the last is there now. Data of the coder's are there with the crossbar.
  localparam WAY = D + 2;
  bit on_way[WAY+1], way_made[WAY+1];
  int way_kind[WAY+1], way_vc[WAY+1], way_pair[WAY+1];
  word_t way_data[WAY+1];

  int v, m, code, place, q, best, closed = 0, occupied = 0, wrong = 0, incomplete = 0, made_coded = 0, made_native = 0;
  int refused = 0, regular = 0, brevity = 5;
  bit moves, ends, its;
  word_t word;
  task automatic reference_reset;
    for (int k = 0; k < N; k++) begin
      state[k] = EMPTY;
      {open[k], last[k], low[k], high[k], work[k]} = 0;
    end
    for (int c = 0; c < VCS; c++) watched[c] = 0;
    due = {}; due_made = {}; due_pair = {}; due_code = {}; due_place = {};
    picked_pair = -1;
    sent_pair = -1;
    sent_flit = 0;
    pointer = 0;
    recorded = 0;
  endtask

  // all that a cycle does, by the state at its start; the inputs are set
  task automatic reference_step;
    automatic logic [3:0] now = 0;
    automatic int pick = -1, pick_code = 0, pick_place = 0, a_flits[2], a_lengths[2];
    for (int k = 0; k < N; k++) begin
      was[k] = state[k];
      was_spent[k] = is_spent(k);
    end
    ends = grant && sent_flit == sent_n - 1;
    moves = picked_pair >= 0 && (sent_pair < 0 || ends);
    if (picked_pair < 0 || moves)
      for (int k = 0; k < N && pick < 0; k++) begin
        pick_code = makes((pointer + k) % N);
        if (pick_code != 0) pick = (pointer + k) % N;
      end
    if (pick >= 0) pick_place = pick + is_upper(pick);
    if (pick >= 0)
      for (int k = 0; k < 2; k++) begin
        a_flits[k] = flits[pick+k];
        a_lengths[k] = lengths[pick+k];
      end
    for (int k = 0; k < N; k++) if (was_spent[k]) state[k] = EMPTY;
    // what is seen
    if (on_way[WAY] && way_kind[WAY] < 4) begin
      v = way_vc[WAY];
      word = way_data[WAY];
      if (way_kind[WAY] == HEAD || way_kind[WAY] == SINGLE) begin
        code = word[DATA_W-1-:2];
        place = word[DATA_W-3-:PLACE_W];
        if (watched[v]) begin
          state[w_place[v]] = EMPTY;
          now[2] = 1;
        end
        watched[v] = 0;
        w_made[v] = way_made[WAY];
        w_code[v] = code;
        w_place[v] = place;
        w_length[v] = word[LENGTH_AT+:4];
        w_seen[v] = 0;
        w_pair[v] = way_pair[WAY];
        if (way_made[WAY]) watched[v] = 1;
        else if (word[1:0] == 2 || code == 0) watched[v] = 0;
        else if (code == 3 || place >= N || !open[place < N ? place : 0]) now[0] = 1;
        else if (was[place] != EMPTY) now[1] = 1;
        else begin
          watched[v] = 1;
          state[place] = FILLING;
          low[place] = 0;
          high[place] = 0;
        end
      end
      if (watched[v]) begin
        if (w_seen[v] < 16 && !(w_made[v] && w_code[v] == 2)) memory[w_place[v]][w_seen[v]] = word;
        w_seen[v]++;
        if (way_kind[WAY] == TAIL || way_kind[WAY] == SINGLE) begin
          watched[v] = 0;
          if (!w_made[v] && (w_seen[v] > 16 || (w_code[v] == 1 && w_seen[v] - 1 != w_length[v]))) begin
            now[2] = 1;
            state[w_place[v]] = EMPTY;
          end else begin
            if (!(w_made[v] && w_code[v] == 2)) begin
              flits[w_place[v]] = w_seen[v] - 1;
              lengths[w_place[v]] = w_length[v];
            end
            due.push_back(cycle + CODE_CYCLES);
            due_made.push_back(w_made[v]);
            due_pair.push_back(w_pair[v]);
            due_code.push_back(w_code[v]);
            due_place.push_back(w_place[v]);
          end
        end
      end
    end
    // what takes effect
    m = -1;
    if (due.size() > 0) m = due[0];
    if (m == cycle) begin
      m = due.pop_front();
      m = due_made.pop_front();
      q = due_pair.pop_front();
      code = due_code.pop_front();
      place = due_place.pop_front();
      if (m) begin
        high[q] = 1;
        low[q+1] = 1;
        work[q] = 0;
        if (code == 1) state[place] = NATIVE;
        if (code == 1) made_native++;
        else made_coded++;
      end else state[place] = code == 1 ? NATIVE : CODED;
    end
    if (cfg_write && cfg_addr[19:12] == 8'h60 && cfg_addr[11:0] < N) begin
      place = cfg_addr[11:0];
      now[3] = was[place] != EMPTY;
      state[place] = EMPTY;
      low[place] = 0;
      high[place] = 0;
      open[place] = cfg_wdata[0];
      last[place] = cfg_wdata[1];
    end
    // pairs
    if (grant) sent_flit = ends ? 0 : sent_flit + 1;
    if (ends) sent_pair = -1;
    if (moves) begin
      sent_pair = picked_pair;
      sent_place = picked_place;
      sent_code = picked_code;
      for (int k = 0; k < 2; k++) sent_flits[k] = picked_flits[k];
      sent_n = (picked_code == 2 ? (picked_flits[0] > picked_flits[1] ? picked_flits[0] : picked_flits[1]) :
        picked_lengths[0] ^ picked_lengths[1]) + 1;
      picked_pair = -1;
    end
    if (pick >= 0) begin
      picked_pair = pick;
      picked_place = pick_place;
      picked_code = pick_code;
      for (int k = 0; k < 2; k++) begin
        picked_flits[k] = a_flits[k];
        picked_lengths[k] = a_lengths[k];
      end
      work[pick] = 1;
      pointer = (pick + 1) % N;
    end
    if (now[0]) closed++;
    if (now[1]) occupied++;
    if (now[2]) wrong++;
    if (now[3]) incomplete++;
    recorded = (recorded & ~clear) | now;
  endtask

  // the flit that is granted, by the memory at the start of the cycle
  function automatic word_t made_flit;
    made_flit = x(sent_pair, sent_flits[0], sent_flit) ^ x(sent_pair + 1, sent_flits[1], sent_flit);
    if (sent_flit == 0) begin
      word = memory[sent_pair][0];
      made_flit[HEADER_W-1:0] = word[HEADER_W-1:0];
      made_flit[DATA_W-1-:2] = sent_code;
      made_flit[DATA_W-3-:PLACE_W] = sent_place;
    end
  endfunction

  // ── packets of others ──────────────────────────────────────────────────────────────────────────
  // of a regular round: what was encoded, what is to be sent and in which order, what must be made
  word_t native[N][16], pool[2*N][16];
  int native_n[N], first_of[N], known[N], pool_n[2*N], order[2*N], pooled, sent_off;
  bit decodes[N], wanted[N];
  int now_of[VCS], at_of[VCS];      // packet that is under way on a channel, -1 none; its next flit
  int credit_of[VCS], flow, grants;  // chances in 16 of a credit, of a grant
  bit owned[VCS], by_coder[VCS];
  word_t got[VCS][16];
  int got_n[VCS];

  function automatic word_t random_word;
    return {$random(seed), $random(seed)};
  endfunction
  function automatic word_t head_of(input int c, input int p, input int l);
    head_of = random_word();
    if (head_of[1:0] == 2) head_of[1] = 0;
    head_of[DATA_W-1-:2] = c;
    head_of[DATA_W-3-:PLACE_W] = p;
    head_of[LENGTH_AT+:4] = l;
  endfunction
  function automatic int most(input int a, input int b);
    return a > b ? a : b;
  endfunction
  function automatic word_t padded(input int k, input int f);
    return f < native_n[k] ? native[k][f] : 0;
  endfunction

  // chains over all places: some encode, some decode; packets in random order; open places are written
  task automatic plan(input bit write_places);
    int k, other, between;
    pooled = 0;
    sent_off = 0;
    if (write_places)
      for (k = 0; k < N; k++) begin
        cfg_write = 1;
        cfg_addr = 20'h60000 | k;
        cfg_wdata = {random_below(5) == 0, 1'b1};
        tick();
      end
    for (k = 0; k < N; k++) begin
      first_of[k] = (k == 0 || is_last(k - 1)) ? k : first_of[k-1];
      native_n[k] = random_below(3) ? 1 + random_below(16) : 1 + random_below(2);
      native[k][0] = head_of(1, k, native_n[k] - 1);
      for (int f = 1; f < native_n[k]; f++) native[k][f] = random_word();
      if (first_of[k] == k) begin
        decodes[k] = random_below(2);
        known[k] = k;
      end
      decodes[k] = decodes[first_of[k]];
      known[k] = known[first_of[k]];
      if (decodes[k] && random_below(2)) for (int j = first_of[k]; j <= k; j++) known[j] = k;
    end
    for (k = N - 1; k >= 0; k--) if (k + 1 < N && first_of[k+1] == first_of[k]) known[k] = known[k+1];
    for (k = 0; k < N; k++) begin
      wanted[k] = decodes[k] ? known[k] != k : !is_last(k);
      if (!decodes[k] || known[k] == k) begin
        pool_n[pooled] = native_n[k];
        for (int f = 0; f < native_n[k]; f++) pool[pooled][f] = native[k][f];
        pooled++;
      end
      if (decodes[k] && !is_last(k)) begin
        pool_n[pooled] = most(native_n[k], native_n[k+1]);
        for (int f = 0; f < pool_n[pooled]; f++) pool[pooled][f] = padded(k, f) ^ padded(k + 1, f);
        word = native[k][0] ^ native[k+1][0];
        pool[pooled][0][DATA_W-1:HEADER_W] = word[DATA_W-1:HEADER_W];
        pool[pooled][0][HEADER_W-1:0] = {random_word(), 2'd0};
        pool[pooled][0][DATA_W-1-:2] = 2;
        pool[pooled][0][DATA_W-3-:PLACE_W] = k < known[k] ? k : k + 1;
        pooled++;
      end
    end
    for (k = 0; k < pooled; k++) order[k] = k;
    for (k = pooled - 1; k > 0; k--) begin
      other = random_below(k + 1);
      between = order[k];
      order[k] = order[other];
      order[other] = between;
    end
    regular = 1;
  endtask

  // a made packet of a regular round
  task automatic whole(input int c);
    int k, n_wanted;
    logic [1:0] its_code;
    word_t head, flit_wanted;
    head = got[c][0];
    k = head[DATA_W-3-:PLACE_W];
    its_code = head[DATA_W-1-:2];
    check("a made packet was wanted", wanted[k], 1);
    wanted[k] = 0;
    n_wanted = decodes[k] ? native_n[k] : most(native_n[k], native_n[k+1]);
    check("code", its_code, decodes[k] ? 1 : 2);
    check("flits", got_n[c], n_wanted);
    for (int f = 0; f < n_wanted && f < got_n[c]; f++) begin
      flit_wanted = decodes[k] ? padded(k, f) : padded(k, f) ^ padded(k + 1, f);
      word = got[c][f];
      if (f > 0) check("flit", word, flit_wanted);
      else check("length and data of the head", word[DATA_W-3-PLACE_W:HEADER_W], flit_wanted[DATA_W-3-PLACE_W:HEADER_W]);
    end
    flit_wanted = native[k][0];
    if (!decodes[k]) check("header", head[HEADER_W-1:0], flit_wanted[HEADER_W-1:0]);
  endtask

  // the next flit of others on channel c; misuse: any
  task automatic foreign(input int c, input bit misuse);
    int f;
    if (misuse) begin
      on_way[0] = 1;
      way_kind[0] = owned[c] ? (random_below(3 * brevity) == 0 ? HEAD + random_below(2) : random_below(brevity) == 0 ? TAIL : BODY) :
        random_below(2) ? HEAD : SINGLE;
      way_data[0] = random_word();
      if (way_kind[0] & 2) begin
        if (random_below(3)) way_data[0][DATA_W-1-:2] = 1 + random_below(2);
        if (random_below(3)) way_data[0][LENGTH_AT+:4] = way_kind[0] == SINGLE ? 0 : random_below(4);
      end
    end else begin
      if (now_of[c] < 0) begin
        now_of[c] = order[sent_off];
        sent_off++;
        at_of[c] = 0;
      end
      f = at_of[c];
      on_way[0] = 1;
      way_data[0] = pool[now_of[c]][f];
      at_of[c]++;
      way_kind[0] = (f == 0 ? 2 : 0) | (at_of[c] == pool_n[now_of[c]]);
      if (way_kind[0] & 1) now_of[c] = -1;
    end
    way_vc[0] = c;
    owned[c] = !(way_kind[0] & 1);
    credit_of[c]--;
  endtask

  // one cycle: the coder or others get the port, everything is compared, the reference makes its step
  bit misuse = 0, quiet, closing = 0, shut, ready_now;
  task automatic tick;
    int c;
    shut = random_below(12) == 0;
    for (c = 0; c < VCS; c++) begin
      credits[c] = credit_of[c] > 0 && !shut;
      frees[c] = credit_of[c] > 0 && !owned[c] && !shut;
    end
    grant = 0;
    taken = 0;
    #1;
    check("request", request, sent_pair >= 0 && fit != 0);
    if (sent_pair < 0) check("nothing fits", fit, 0);
    else if (sent_flit == 0) check("free channels fit", fit, BARRIER == 5 ? frees & ~(1 << (VCS - 1)) : frees);
    else for (c = 0; c < VCS; c++) check("its channel fits", fit[c], by_coder[c] && credits[c]);
    check("errors", errors, recorded);
    check("picked", picked, picked_pair >= 0);
    check("sending", sending, sent_pair >= 0);
    check("flit", flit, sent_flit);
    check("next", next, pointer);
    m = 0;
    ready_now = 0;
    for (c = 0; c < N; c++) begin
      m += state[c] != EMPTY;
      ready_now |= is_spent(c) || makes(c) != 0;
    end
    check("waiting", waiting, m);
    if (picked_pair >= 0 || sent_pair >= 0 || due.size() > 0) ready_now = 1;
    check("busy", busy, ready_now);
    if (on_way[D+1] && way_made[D+1]) begin
      check("kind at the crossbar", cross_kind, way_kind[D+1]);
      word = way_data[D+1];
      check("data at the crossbar", cross_data, word);
    end
    on_way[0] = 0;
    way_made[0] = 0;
    if (request) begin
      check("starts", starts, sent_flit == 0);
      check("tail", tail, sent_flit == sent_n - 1);
      grant = random_below(16) < grants;
      if (!grant) refused++;
    end
    if (grant) begin
      c = random_below(VCS);
      while (!fit[c]) c = (c + 1) % VCS;
      taken[c] = 1;
      on_way[0] = 1;
      way_made[0] = 1;
      way_kind[0] = {starts, tail};
      way_vc[0] = c;
      way_pair[0] = sent_pair;
      way_data[0] = made_flit();
      owned[c] = !tail;
      by_coder[c] = !tail;
      credit_of[c]--;
    end else if (closing && !shut) begin
      // the packets that misuse left open end
      for (c = 0; c < VCS; c++)
        if (owned[c] && !by_coder[c] && credit_of[c] > 0 && !on_way[0]) begin
          foreign(c, 1);
          way_kind[0] = TAIL;
          owned[c] = 0;
        end
    end else if (!quiet && !shut && random_below(4) != 0) begin
      c = random_below(VCS);
      if (!by_coder[c] && credit_of[c] > 0 && (misuse || now_of[c] >= 0 || (!owned[c] && sent_off < pooled))) foreign(c, misuse);
      else if (misuse && random_below(4) == 0) begin
        // barrier flits take no part (§11.4)
        on_way[0] = 1;
        way_kind[0] = 4 + random_below(4);
        way_vc[0] = c;
        way_data[0] = random_word();
      end
    end
    if (misuse && random_below(30) == 0) begin
      cfg_write = 1;
      cfg_addr = {random_below(8) ? 4'd6 : 4'd5, random_below(8) ? 4'd0 : 4'd1, 12'(random_below(8) ? random_below(N + 2) : $random(seed))};
      cfg_wdata = {random_below(4) == 0, random_below(6) != 0};
    end
    if (random_below(4) == 0) clear = $random(seed);
    for (c = 0; c < VCS; c++) if (random_below(16) < flow && credit_of[c] < SLOTS) credit_of[c]++;
    #1;
    if (rst) reference_reset();
    else reference_step();
    for (c = WAY; c > 0; c--) begin
      on_way[c] = on_way[c-1] && !rst;
      {way_made[c], way_kind[c], way_vc[c], way_pair[c], way_data[c]} =
        {way_made[c-1], way_kind[c-1], way_vc[c-1], way_pair[c-1], way_data[c-1]};
    end
    step();
    cfg_write = 0;
    clear = 0;
    valid = on_way[WAY];
    kind = 3'bx;
    vc = {VC_W{1'bx}};
    data = {DATA_W{1'bx}};
    if (valid) begin
      kind = way_kind[WAY];
      vc = way_vc[WAY];
      data = way_data[WAY];
      if (regular != 0 && way_made[WAY]) begin
        if (way_kind[WAY] & 2) got_n[vc] = 0;
        if (got_n[vc] < 16) got[vc][got_n[vc]] = data;
        got_n[vc]++;
        if (way_kind[WAY] & 1) whole(vc);
      end
    end
  endtask

  // until nothing moves
  task automatic drain(input string what);
    int idle = 0, left = 0;
    while (idle < 2 * D + 8 && left < 20000) begin
      tick();
      left++;
      ready_now = busy || (regular != 0 && sent_off < pooled);
      for (int c = 0; c <= WAY; c++) ready_now |= on_way[c];
      for (int c = 0; c < VCS; c++) ready_now |= (regular != 0 && now_of[c] >= 0) || (closing && owned[c]);
      idle = ready_now ? 0 : idle + 1;
    end
    check({what, ": it comes to rest"}, left < 20000, 1);
  endtask

  task automatic reset;
    rst = 1;
    quiet = 1;
    repeat (2) tick();
    for (int c = 0; c < VCS; c++) begin
      {owned[c], by_coder[c]} = 0;
      now_of[c] = -1;
      credit_of[c] = SLOTS;
    end
    rst = 0;
    tick();
  endtask

  int errors_before;
  initial begin
    reference_reset();
    for (int c = 0; c <= WAY; c++) on_way[c] = 0;
    quiet = 1;
    flow = 16;
    grants = 16;
    step();
    reset();
    for (int round = 0; round < ROUNDS; round++) begin
      flow = 1 + random_below(16);
      grants = 1 + random_below(16);
      if (random_below(4) == 0) begin
        flow = 16;
        grants = 16;
      end
      // regular: twice in the same places, the second time without a write
      errors_before = closed + occupied + wrong + incomplete;
      quiet = 1;
      plan(1);
      quiet = 0;
      drain("first round");
      for (int k = 0; k < N; k++) check("what was wanted was made", wanted[k], 0);
      quiet = 1;
      plan(0);
      quiet = 0;
      drain("second round");
      for (int k = 0; k < N; k++) check("what was wanted was made", wanted[k], 0);
      quiet = 1;
      for (int k = 0; k < N; k++) check("all places are empty", state[k] == EMPTY || (first_of[k] == k && is_last(k)), 1);
      check("no error in regular use", closed + occupied + wrong + incomplete, errors_before);
      regular = 0;
      // misuse
      misuse = 1;
      brevity = random_below(3) ? 5 : 40;  // long packets, too
      quiet = 0;
      repeat (400) tick();
      quiet = 1;
      misuse = 0;
      closing = 1;
      drain("misuse");
      closing = 0;
      // a write of every place says what is left, and forgets it
      for (int k = 0; k < N; k++) begin
        cfg_write = 1;
        cfg_addr = 20'h60000 | k;
        cfg_wdata = 0;
        tick();
      end
      check("nothing waits", waiting, 0);
      if (random_below(2)) reset();
    end
    check("errors of all kinds", closed > 2 && occupied > 2 && wrong > 2 && incomplete > 2, 1);
    if (N > 1) check("packets were made, grants refused", made_coded > 10 && made_native > 10 && refused > 20, 1);
    finish_bench($sformatf("coder CODE_PLACES=%0d CODE_CYCLES=%0d VCS=%0d DATA_W=%0d D=%0d BARRIER=%0d, %0d packets made",
      N, CODE_CYCLES, VCS, DATA_W, D, BARRIER, made_coded + made_native));
  end
endmodule
