// XOR coder next to the node of port 0 (§11): keeps packets that leave by output port 0, makes new packets
// from pairs of them, and sends these by the same port.
// SPDX-License-Identifier: Apache-2.0
//
//   output 0 ──▶ hd_code_watch ──▶ hd_code_places ──▶ picked ──▶ sending ──▶ request
//                      └─────────▶ hd_code_memory ─────────────────────▶ crossbar
//
// The coder reads the registered output, so it is not part of any path from input to output. For output port 0 it is one
// more input port: its request comes from registers, and a flit that is granted in cycle s is at `cross_*` in
// s + 1 + D.
//
// The memory is read in the cycle of a request, granted or not. The flit is made in the next cycle, from the
// memory's answer.
`default_nettype none

module hd_coder #(
    parameter CODE_PLACES  = 8,   // 1-256
    parameter CODE_CYCLES  = 0,   // 0-63
    parameter VCS          = 2,   // 1-8
    parameter VC_W         = 1,   // max(1, clog2(VCS))
    parameter DATA_W       = 32,  // 16, 32, 64; at least HEADER_W + 6 + PLACE_W
    parameter HEADER_W     = 8,   // lowest bits of a head, which are not coded
    parameter GRANT_STAGES = 0,   // D of §2.1, 0-1
    parameter BARRIER      = 0    // 0-5
) (
    input  wire              clk,
    input  wire              rst,
    // the flit at output 0
    input  wire              valid_i,
    input  wire [       2:0] kind_i,
    input  wire [  VC_W-1:0] vc_i,
    input  wire [DATA_W-1:0] data_i,
    // virtual channels of output 0: with a credit; free for a new packet
    input  wire [   VCS-1:0] credit_i,
    input  wire [   VCS-1:0] free_i,
    // request to output 0: channels that fit, first and last flit of a packet
    output wire              request_o,
    output wire [   VCS-1:0] fit_o,
    output wire              starts_o,
    output wire              tail_o,
    // answer of output 0
    input  wire              grant_i,
    input  wire [   VCS-1:0] taken_i,
    // the channel of output 0 that the coder's packet owns
    output wire [   VCS-1:0] owned_o,
    // to the crossbar
    output wire [       2:0] cross_kind_o,
    output wire [DATA_W-1:0] cross_data_o,
    // configuration bus; clear_i 1 clears an error bit
    input  wire              cfg_write_i,
    input  wire [      19:0] cfg_addr_i,
    input  wire [       1:0] cfg_wdata_i,
    input  wire [       3:0] clear_i,
    // error bits incomplete, length, occupied, closed (§11.9)
    output wire [       3:0] errors_o,
    // 1: the coder has work left that needs no further input (§11.11)
    output wire              busy_o,
    // §11.14
    output wire [       8:0] waiting_o,
    output wire [       7:0] next_o,
    output wire              picked_o,
    output wire              sending_o,
    output wire [       3:0] flit_o
);

  localparam PLACE_W = (CODE_PLACES > 1) ? $clog2(CODE_PLACES) : 1;
  localparam BARRIER_RESERVED = 5;  // §7.1
  localparam STAGES = GRANT_STAGES + 2;  // cycles from the grant to the pins
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [PLACE_W-1:0] ABOVE = 1;

  // observation of output 0 (§11.4)
  reg [STAGES-1:0] made_q, upper_q;  // for each of the last 2 + D cycles: 1: the coder was granted; 1: for an upper place
  wire ask, ask_wrong, kept, drop, write, write_last, done, done_made, done_upper, done_coded;
  wire [1:0] ask_code;
  wire [PLACE_W-1:0] ask_place, drop_place, write_place, done_place;
  wire [3:0] write_flit, write_length;
  wire length_wrong, pending;
  hd_code_watch #(
      .VCS(VCS),
      .VC_W(VC_W),
      .DATA_W(DATA_W),
      .PLACE_W(PLACE_W),
      .CODE_CYCLES(CODE_CYCLES)
  ) u_watch (
      .clk(clk),
      .rst(rst),
      .valid_i(valid_i),
      .kind_i(kind_i),
      .vc_i(vc_i),
      .data_i(data_i),
      .made_i(made_q[STAGES-1]),
      .upper_i(upper_q[STAGES-1]),
      .ask_o(ask),
      .ask_code_o(ask_code),
      .ask_place_o(ask_place),
      .ask_wrong_o(ask_wrong),
      .kept_i(kept),
      .drop_o(drop),
      .drop_place_o(drop_place),
      .write_o(write),
      .write_place_o(write_place),
      .write_flit_o(write_flit),
      .write_last_o(write_last),
      .write_length_o(write_length),
      .done_o(done),
      .done_made_o(done_made),
      .done_upper_o(done_upper),
      .done_coded_o(done_coded),
      .done_place_o(done_place),
      .length_o(length_wrong),
      .pending_o(pending)
  );

  // places and pairs (§11.3, §11.5)
  wire ready, ready_coded, ready_upper, pick, closed, occupied, incomplete, places_busy;
  wire [PLACE_W-1:0] ready_pair;
  hd_code_places #(
      .CODE_PLACES(CODE_PLACES),
      .PLACE_W(PLACE_W)
  ) u_places (
      .clk(clk),
      .rst(rst),
      .ask_i(ask),
      .ask_code_i(ask_code),
      .ask_place_i(ask_place),
      .ask_wrong_i(ask_wrong),
      .kept_o(kept),
      .drop_i(drop),
      .drop_place_i(drop_place),
      .done_i(done),
      .done_made_i(done_made),
      .done_upper_i(done_upper),
      .done_coded_i(done_coded),
      .done_place_i(done_place),
      .ready_o(ready),
      .pair_o(ready_pair),
      .coded_o(ready_coded),
      .upper_o(ready_upper),
      .pick_i(pick),
      .cfg_write_i(cfg_write_i),
      .cfg_addr_i(cfg_addr_i),
      .cfg_wdata_i(cfg_wdata_i),
      .closed_o(closed),
      .occupied_o(occupied),
      .incomplete_o(incomplete),
      .busy_o(places_busy),
      .waiting_o(waiting_o),
      .next_o(next_o)
  );

  // picked and sending (§11.5)
  reg picked_q, picked_coded_q, picked_upper_q;
  reg [PLACE_W-1:0] picked_pair_q;
  reg sending_q, coded_q, above_q;
  reg [PLACE_W-1:0] pair_q, place_q;
  reg [3:0] even_flits_q, odd_flits_q, last_q, flit_q;
  wire [3:0] even_flits, odd_flits, even_length, odd_length;
  wire [DATA_W-1:0] even_data, odd_data;
  hd_code_memory #(
      .PLACE_W(PLACE_W),
      .DATA_W (DATA_W)
  ) u_memory (
      .clk(clk),
      .write_i(write),
      .place_i(write_place),
      .flit_i(write_flit),
      .data_i(data_i),
      .last_i(write_last),
      .length_i(write_length),
      .size_read_i(pick),
      .size_pair_i(ready_pair),
      .even_flits_o(even_flits),
      .even_length_o(even_length),
      .odd_flits_o(odd_flits),
      .odd_length_o(odd_length),
      .read_i(sending_q),
      .read_pair_i(pair_q),
      .read_flit_i(flit_q),
      .even_data_o(even_data),
      .odd_data_o(odd_data)
  );

  wire ends = grant_i && tail_o;
  wire move = picked_q && (!sending_q || ends);
  assign pick = ready && (!picked_q || move);
  wire [3:0] most_flits = (even_flits > odd_flits) ? even_flits : odd_flits;
  always @(posedge clk)
    if (rst) begin
      picked_q  <= 1'b0;
      sending_q <= 1'b0;
      flit_q    <= 4'd0;
    end else begin
      picked_q  <= pick || (picked_q && !move);
      sending_q <= move || (sending_q && !ends);
      if (grant_i) flit_q <= ends ? 4'd0 : flit_q + 4'd1;
    end
  always @(posedge clk)
    if (pick) begin
      picked_pair_q  <= ready_pair;
      picked_coded_q <= ready_coded;
      picked_upper_q <= ready_upper;
    end
  always @(posedge clk)
    if (move) begin
      pair_q <= picked_pair_q;
      place_q <= picked_upper_q ? picked_pair_q + ABOVE : picked_pair_q;
      coded_q <= picked_coded_q;
      above_q <= picked_upper_q;
      even_flits_q <= even_flits;
      odd_flits_q <= odd_flits;
      last_q <= picked_coded_q ? most_flits : even_length ^ odd_length;
    end

  // request to output 0 (§11.6)
  reg [VCS-1:0] vc_q;
  wire [VCS-1:0] start_fit;
  generate
    if (BARRIER == BARRIER_RESERVED) begin : reserved
      assign start_fit = {1'b0, free_i[VCS-2:0]};  // §7.7
    end else begin : all
      assign start_fit = free_i;
    end
  endgenerate
  wire unused_free = &{1'b0, free_i};
  assign starts_o  = flit_q == 4'd0;
  assign tail_o    = flit_q == last_q;
  assign fit_o     = (starts_o ? start_fit : credit_i & owned_o) & {VCS{sending_q}};
  assign request_o = fit_o != NONE;
  always @(posedge clk) if (grant_i && starts_o) vc_q <= taken_i;
  assign owned_o = vc_q & {VCS{!starts_o}};

  // the flit (§11.7)
  // its fields for the cycle after the grant, in which the memory answers
  reg even_in_q, odd_in_q, pair_odd_q, starts_q, tail_q, its_coded_q;
  reg [PLACE_W-1:0] its_place_q;
  always @(posedge clk)
    if (sending_q) begin
      even_in_q <= flit_q <= even_flits_q;
      odd_in_q <= flit_q <= odd_flits_q;
      pair_odd_q <= pair_q[0];
      starts_q <= starts_o;
      tail_q <= tail_o;
      its_coded_q <= coded_q;
      its_place_q <= place_q;
    end
  wire [DATA_W-1:0] even = even_data & {DATA_W{even_in_q}};
  wire [DATA_W-1:0] odd = odd_data & {DATA_W{odd_in_q}};
  reg [DATA_W-1:0] data;
  always @* begin
    data = even ^ odd;
    if (starts_q) begin
      data[HEADER_W-1:0] = pair_odd_q ? odd[HEADER_W-1:0] : even[HEADER_W-1:0];
      data[DATA_W-1-:2+PLACE_W] = {its_coded_q, !its_coded_q, its_place_q};
    end
  end

  // a granted flit on its way to the crossbar and on to the pins
  genvar d;
  generate
    for (d = 0; d <= GRANT_STAGES; d = d + 1) begin : stage
      wire [2:0] kind;
      wire [DATA_W-1:0] flit;
      if (d == 0) begin : first
        assign kind = {1'b0, starts_q, tail_q};
        assign flit = data;
      end else begin : later
        reg [2:0] kind_q;
        reg [DATA_W-1:0] data_q;
        always @(posedge clk)
          if (made_q[d-1]) begin
            kind_q <= stage[d-1].kind;
            data_q <= stage[d-1].flit;
          end
        assign kind = kind_q;
        assign flit = data_q;
      end
    end
  endgenerate
  assign cross_kind_o = stage[GRANT_STAGES].kind;
  assign cross_data_o = stage[GRANT_STAGES].flit;
  always @(posedge clk)
    if (rst) begin
      made_q  <= {STAGES{1'b0}};
      upper_q <= {STAGES{1'b0}};
    end else begin
      made_q  <= {made_q[STAGES-2:0], grant_i};
      upper_q <= {upper_q[STAGES-2:0], grant_i && above_q};
    end

  // errors (§11.9), observed state (§11.14)
  reg [3:0] errors_q;
  assign errors_o = errors_q;
  always @(posedge clk)
    if (rst) errors_q <= 4'd0;
    else errors_q <= (errors_q & ~clear_i) | {incomplete, length_wrong, occupied, closed};

  assign busy_o = picked_q || sending_q || pending || places_busy;
  assign picked_o = picked_q;
  assign sending_o = sending_q;
  assign flit_o = flit_q;

`ifdef FORMAL
  // 1 §11.5: picked and sending; a pair that is picked is sent whole, and flits are counted from 0
  // 2 §11.6: the coder asks for free channels with a head, and then for the one that it got
  // 3 §2.2: a flit that is granted is at the crossbar 1 + D cycles later, and known as its own 2 + D cycles later
  reg f_started = 1'b0;
  reg f_sending_q = 1'b0, f_asked_q = 1'b0;
  reg [3:0] f_flit_q = 4'd0;
  reg [VCS-1:0] f_owned_q = NONE;
  reg [STAGES-1:0] f_way = {STAGES{1'b0}};
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_way <= rst ? 0 : {f_way, grant_i};
    f_owned_q <= rst ? NONE : !grant_i ? f_owned_q : tail_o ? NONE : (f_owned_q | taken_i);
    f_flit_q <= rst ? 4'd0 : (grant_i && !tail_o) ? flit_q + 4'd1 : grant_i ? 4'd0 : flit_q;
    f_sending_q <= !rst && ((picked_q && (!sending_q || ends)) || (sending_q && !ends));
  end
  always @* begin
    if (!f_started) assume (rst);
`ifdef FORMAL_hd_coder
    assume (!grant_i || (request_o && ((taken_i & fit_o) == taken_i) && (taken_i != NONE)));
    assume ((taken_i & (taken_i - 1'b1)) == NONE);
`endif
    if (f_started) begin
      assert (sending_q == f_sending_q && flit_q == f_flit_q);
      assert (!sending_q || (flit_q <= last_q));
      if (!sending_q) assert ((flit_q == 4'd0) && !request_o);
      assert (owned_o == f_owned_q);
      assert ((owned_o & (owned_o - 1'b1)) == NONE);
      assert ((owned_o != NONE) == (flit_q != 4'd0));
      if (owned_o != NONE) assert (fit_o == (credit_i & owned_o));
      else if (sending_q && (BARRIER != BARRIER_RESERVED)) assert (fit_o == free_i);
      assert (made_q == f_way && (upper_q & ~made_q) == 0);
      if (picked_q || sending_q) assert (busy_o);
    end
  end
`endif

endmodule

`default_nettype wire
