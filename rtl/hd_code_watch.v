// The XOR coder watches output port 0 for packets to keep and for packets that it made itself (§11.4).
// SPDX-License-Identifier: Apache-2.0
//
// The flit at the pins is seen in the same cycle. `hd_code_places` answers in this cycle whether
// the packet of a head is kept. The needed fields of the head are stored for its channel until the last flit.
//
// A complete packet takes effect CODE_CYCLES later. Its description passes through CODE_CYCLES registers in a row, so
// the delay costs no throughput.
//
// The pair of a packet that the coder made follows from its head: the place is the pair's number,
// or the number above it, as the coder says beside the flit.
`default_nettype none

module hd_code_watch #(
    parameter VCS         = 2,   // 1-8
    parameter VC_W        = 1,   // max(1, clog2(VCS))
    parameter DATA_W      = 32,  // 16, 32, 64
    parameter PLACE_W     = 3,   // bits of a place number, 1-8
    parameter CODE_CYCLES = 0    // 0-63
) (
    input  wire               clk,
    input  wire               rst,
    // the flit at output 0; 1: the coder made it; 1: its packet is for the upper place of its pair
    input  wire               valid_i,
    input  wire [        2:0] kind_i,
    input  wire [   VC_W-1:0] vc_i,
    input  wire [ DATA_W-1:0] data_i,
    input  wire               made_i,
    input  wire               upper_i,
    // question to hd_code_places: a head with a code, its place; 1: the packet ends here and its length is wrong
    output wire               ask_o,
    output wire [        1:0] ask_code_o,
    output wire [PLACE_W-1:0] ask_place_o,
    output wire               ask_wrong_o,
    // the answer in the same cycle: 1: the packet is kept
    input  wire               kept_i,
    // the place whose packet is dropped while it is being watched
    output wire               drop_o,
    output wire [PLACE_W-1:0] drop_place_o,
    // to the memory: the flit to keep
    output wire               write_o,
    output wire [PLACE_W-1:0] write_place_o,
    output wire [        3:0] write_flit_o,
    output wire               write_last_o,
    output wire [        3:0] write_length_o,
    // a packet takes effect, and its description
    output wire               done_o,
    output wire               done_made_o,
    output wire               done_upper_o,
    output wire               done_coded_o,
    output wire [PLACE_W-1:0] done_place_o,
    // error event length; 1: a complete packet has yet to take effect
    output wire               length_o,
    output wire               pending_o
);

  localparam WATCH_W = 5 + 4 + 3 + PLACE_W;
  localparam EVENT_W = 3 + PLACE_W;
  localparam [VCS-1:0] NONE = {VCS{1'b0}};
  localparam [VCS-1:0] ONE = {{(VCS - 1) {1'b0}}, 1'b1};
  localparam [1:0] MODE_SOURCE_ROUTED = 2'd2;  // §1.3

  wire seen = valid_i && !kind_i[2];
  wire head = seen && kind_i[1];
  wire tail = seen && kind_i[0];

  // the code field (§11.2)
  wire [1:0] code = data_i[DATA_W-1-:2];
  wire [PLACE_W-1:0] place = data_i[DATA_W-3-:PLACE_W];
  wire [3:0] length = data_i[DATA_W-3-PLACE_W-:4];
  wire unused_data = &{1'b0, data_i};

  // State of each channel's packet: flits seen (16 stands for 16 or more), and the fields of its head.
  reg [VCS-1:0] watched_q;
  reg [WATCH_W-1:0] watch[0:VCS-1];
  wire [WATCH_W-1:0] old = watch[vc_i];
  wire [VCS-1:0] channel = ONE << vc_i;
  wire watching = seen && ((watched_q & channel) != NONE);
  wire [4:0] old_count;
  wire [3:0] old_length;
  wire old_made, old_upper, old_coded;
  wire [PLACE_W-1:0] old_place;
  assign {old_count, old_length, old_made, old_upper, old_coded, old_place} = old;

  // the packet that this flit belongs to
  wire [4:0] count = head ? 5'd0 : old_count;
  wire [3:0] its_length = head ? length : old_length;
  wire made = head ? made_i : old_made;
  wire upper = head ? upper_i : old_upper;
  wire coded = head ? code[1] : old_coded;
  wire [PLACE_W-1:0] its_place = head ? place : old_place;
  wire its_watched = head ? made_i || kept_i : watching;
  wire wrong = tail && !made && (count[4] || (!coded && (count[3:0] != its_length)));
  wire complete = its_watched && tail && !wrong;

  assign ask_o = head && !made_i && (data_i[1:0] != MODE_SOURCE_ROUTED) && (code != 2'd0);
  assign ask_code_o = code;
  assign ask_place_o = place;
  assign ask_wrong_o = wrong;
  assign drop_o = watching && (head || wrong);
  assign drop_place_o = old_place;
  assign length_o = drop_o || (its_watched && wrong);

  assign write_o = its_watched && !count[4] && !(made && coded);
  assign write_place_o = its_place;
  assign write_flit_o = count[3:0];
  assign write_last_o = complete;
  assign write_length_o = its_length;

  always @(posedge clk)
    if (rst) watched_q <= NONE;
    else if (seen) watched_q <= (its_watched && !tail) ? watched_q | channel : watched_q & ~channel;
  always @(posedge clk)
    if (its_watched && !tail)
      watch[vc_i] <= {count[4] ? count : count + 5'd1, its_length, made, upper, coded, its_place};

  // complete packets that wait until they take effect
  generate
    if (CODE_CYCLES == 0) begin : at_once
      assign done_o = complete;
      assign {done_made_o, done_upper_o, done_coded_o, done_place_o} = {made, upper, coded, its_place};
      assign pending_o = 1'b0;
    end else begin : later
      reg [CODE_CYCLES-1:0] pending_q;
      reg [CODE_CYCLES*EVENT_W-1:0] events_q;
      wire [CODE_CYCLES*EVENT_W+EVENT_W-1:0] events = {events_q, made, upper, coded, its_place};
      wire [CODE_CYCLES:0] pending = {pending_q, complete};
      assign pending_o = pending_q != {CODE_CYCLES{1'b0}};
      always @(posedge clk)
        if (rst) pending_q <= {CODE_CYCLES{1'b0}};
        else pending_q <= pending[CODE_CYCLES-1:0];
      always @(posedge clk) if (complete || pending_o) events_q <= events[CODE_CYCLES*EVENT_W-1:0];
      assign done_o = pending[CODE_CYCLES];
      assign {done_made_o, done_upper_o, done_coded_o, done_place_o} = events[CODE_CYCLES*EVENT_W+:EVENT_W];
    end
  endgenerate

`ifdef FORMAL
  // For any channel: a packet is watched and its events follow as §11.4 says; a complete packet takes effect
  // CODE_CYCLES later.
  reg f_started = 1'b0;
  (* anyconst *) reg [2:0] f_v;
  reg f_on_q = 1'b0, f_made_q, f_upper_q;
  reg [PLACE_W-1:0] f_place_q;
  reg [1:0] f_code_q;
  reg [3:0] f_length_q;
  reg [4:0] f_count_q = 5'd0;  // flits seen; 17 stands for more than 16
  wire f_flit = valid_i && (kind_i < 3'd4) && (vc_i == f_v);
  wire f_head = f_flit && ((kind_i == 3'd2) || (kind_i == 3'd3));
  wire f_tail = f_flit && ((kind_i == 3'd1) || (kind_i == 3'd3));
  // values after rules 1 to 6
  reg f_on, f_made, f_upper;
  reg [PLACE_W-1:0] f_place;
  reg [1:0] f_code;
  reg [3:0] f_length;
  reg [4:0] f_count;
  always @* begin
    {f_on, f_made, f_upper, f_place, f_code, f_length, f_count} =
        {f_on_q, f_made_q, f_upper_q, f_place_q, f_code_q, f_length_q, f_count_q};
    if (f_head) begin
      {f_on, f_made, f_upper} = {made_i || kept_i, made_i, upper_i};
      {f_code, f_place, f_length} = data_i[DATA_W-1-:6+PLACE_W];
      f_count = 5'd0;
    end
  end
  wire f_wrong = f_tail && !f_made && ((f_count >= 5'd16) || ((f_code == 2'd1) && (f_count != f_length)));
  wire f_complete = f_on && f_tail && !f_wrong;
  always @(posedge clk) begin
    f_started <= 1'b1;
    f_on_q <= !rst && f_on && !f_tail;
    {f_made_q, f_upper_q, f_place_q, f_code_q, f_length_q} <= {f_made, f_upper, f_place, f_code, f_length};
    f_count_q <= rst ? 5'd0 : (f_flit && (f_count < 5'd17)) ? f_count + 5'd1 : f_count;
  end
  always @* begin
    if (!f_started) assume (rst);
    assume (f_v < VCS);
    if (valid_i) assume (vc_i < VCS);
`ifdef FORMAL_hd_code_watch
    // Packets that are kept, and packets that the coder makes, have code 1 or 2.
    if (kept_i) assume (ask_o && (ask_code_o != 2'd3));
    if (made_i && head) assume ((code == 2'd1) || (code == 2'd2));
`else
    if (f_started && kept_i) assert (ask_o && (ask_code_o != 2'd3));
`endif
`ifdef FORMAL_hd_code_watch
    if (f_started) begin
      assert (watched_q[f_v] == f_on_q);
      if (f_on_q) begin
        assert (watch[f_v][WATCH_W-1-:5] == ((f_count_q > 5'd16) ? 5'd16 : f_count_q));
        assert (watch[f_v][0+:PLACE_W] == f_place_q);
        assert (watch[f_v][PLACE_W+:3] == {f_made_q, f_upper_q, f_code_q[1]});
        assert (watch[f_v][PLACE_W+3+:4] == f_length_q);
        assert ((f_code_q == 2'd1) || (f_code_q == 2'd2));
      end
      if (f_flit) begin
        assert (ask_o == (f_head && !made_i && (data_i[1:0] != 2'd2) && (f_code != 2'd0)));
        assert (drop_o == (f_on_q && (f_head || f_wrong)));
        if (drop_o) assert (drop_place_o == f_place_q);
        if (kept_i) assert (ask_wrong_o == f_wrong);
        assert (length_o == ((f_head && f_on_q) || (f_on && f_wrong)));
        assert (write_o == (f_on && (f_count < 5'd16) && !(f_made && (f_code == 2'd2))));
        if (write_o) assert ((write_place_o == f_place) && (write_flit_o == f_count));
        if (write_o && f_tail) assert ((write_last_o == f_complete) && (write_length_o == f_length));
      end
      if (!valid_i || kind_i[2]) assert (!ask_o && !drop_o && !length_o && !write_o);
    end
`endif
  end
  // the delay, with the events of all channels
  reg [64*(EVENT_W+1)-1:0] f_events = 0;
  wire [65*(EVENT_W+1)-1:0] f_row = {f_events, made, upper, coded, its_place, complete};
  always @(posedge clk) f_events <= rst ? 0 : f_row;
  wire [EVENT_W:0] f_due = f_row[CODE_CYCLES*(EVENT_W+1)+:EVENT_W+1];
  always @*
    if (f_started) begin
      assert (done_o == f_due[0]);
      if (done_o) assert ({done_made_o, done_upper_o, done_coded_o, done_place_o} == f_due[EVENT_W:1]);
    end
`endif

endmodule

`default_nettype wire
