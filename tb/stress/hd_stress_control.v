// Control of a stress bench: configures the switches, resets them, and sets load and pace of the traffic.
// SPDX-License-Identifier: Apache-2.0
//
// After reset of the bench the switch is reset, its tables are written, and traffic begins. After a reset during traffic
// only the registers are written again, because tables keep their contents (§2.9), and traffic goes on. Most often these
// writes come some cycles later, because a write would hide what reset left in the barrier unit (§8.5). Without mixed_i
// ("saturated") the traffic never changes, so that counters which wrap late are reached. With mixed_i it changes every
// 64 to 1,024 cycles. FOREIGN = 1: resets and traffic alone, nothing is written or read.
`default_nettype none

module hd_stress_control #(
    parameter PORTS        = 5,
    parameter VCS          = 2,
    parameter NODES        = 64,
    parameter SOURCE_TABLE = 0,
    parameter ADAPTIVE     = 0,
    parameter BARRIER      = 0,
    parameter CODE_PLACES  = 0,
    parameter FOREIGN      = 0
) (
    input  wire           clk,
    input  wire           rst,
    input  wire [   63:0] seed_i,
    input  wire           mixed_i,        // profile: traffic changes
    input  wire           writes_i,       // tables and registers are written during traffic
    input  wire           resets_i,
    input  wire           illegal_i,
    // to the switches
    output reg            switch_rst_o,
    output reg            cfg_write_o,
    output reg            cfg_read_o,
    output reg  [   19:0] cfg_addr_o,
    output reg  [   15:0] cfg_wdata_o,
    // to sources and sinks
    output reg            go_o,
    output reg  [    7:0] load_o,
    output reg  [    7:0] pace_o,
    output reg  [    7:0] message_o,
    output reg  [    1:0] length_o,
    output reg  [VCS-1:0] lanes_o,
    output reg            keep_o,
    output reg            illegal_o
);

  localparam [31:0] PORTS_32 = PORTS;
  localparam VC_W = (VCS > 1) ? $clog2(VCS) : 1;
  localparam PORT_W = $clog2(PORTS);
  localparam NODE_W = $clog2(NODES);
  localparam [31:0] VCS_32 = VCS;
  // select (§3.2, §8.6, §10.2, §11.3)
  localparam [3:0] REGISTERS = 4'd0, DESTINATIONS = 4'd1, SOURCES = 4'd2, WAYS = 4'd3, SETS = 4'd4, GENERATORS = 4'd5;
  localparam [3:0] PLACE = 4'd6;
  // registers (§3.3, §8.6, §10.2)
  localparam [11:0] ERRORS = 12'd8, IDLE = 12'd9, SELF = 12'd10, LIVE = 12'd11, CENTER = 12'd12, COUNT = 12'd13;
  localparam [11:0] LOCAL = 12'd14, OPEN = 12'd15, CLOSE = 12'd16, ADAPT = 12'd17;

  wire [63:0] chance, word;
  hd_xorshift #(
      .STREAM(200)
  ) u_chance (
      .clk(clk),
      .rst(rst),
      .seed_i(seed_i),
      .word_o(chance)
  );
  hd_xorshift #(
      .STREAM(201)
  ) u_word (
      .clk(clk),
      .rst(rst),
      .seed_i(seed_i),
      .word_o(word)
  );

  // ── random contents ──────────────────────────────────────────────────────
  wire [4:0] any_port = {1'b0, word[3:0]} & ((5'd1 << PORT_W) - 5'd1);
  wire [4:0] some_port = ({27'd0, any_port} < PORTS_32) ? any_port : any_port - PORTS_32[4:0];
  wire [3:0] any_vc = {1'b0, word[6:4]} & ((4'd1 << VC_W) - 4'd1);
  wire [3:0] some_vc = ({28'd0, any_vc} < VCS_32) ? any_vc : any_vc - VCS_32[3:0];
  wire [7:0] one_vc = 8'd1 << some_vc[2:0];
  // With source tables half of the destinations have no valid entry; with a coder many packets leave by port 0.
  wire leaves = (SOURCE_TABLE != 0) && word[7];
  wire [3:0] way = ((CODE_PLACES != 0) && word[8]) ? 4'd0 : some_port[3:0];
  wire [15:0] entry = (word[12:9] == 4'd0) ? word[31:16] : {3'd0, !leaves, word[31:24] | one_vc, way};
  wire [15:0] set = word[13] ? word[47:32] : word[47:32] | 16'd1 << some_port[3:0];
  wire [15:0] generator = word[14] ? word[63:48] : 16'd1 << word[51:48];
  wire [15:0] few_cycles = word[15] ? {11'd0, word[36:32]} : {8'd0, word[39:32]};

  // ── writes before traffic ────────────────────────────────────────────────
  // step_q[9:8]: destinations, sources, port sets, then registers; [7:4]: port, or kind of register; [3:0]: node
  reg [9:0] step_q;
  reg writing_q;
  wire [NODE_W-1:0] node;
  wire [3:0] number = writing_q ? step_q[3:0] : chance[3:0];
  hd_stress_node #(
      .NODES (NODES),
      .NODE_W(NODE_W)
  ) u_node (
      .number_i(number),
      .node_o  (node)
  );
  wire [11:0] row;
  generate
    if (NODE_W == 12) begin : full
      assign row = node;
    end else begin : part
      assign row = {{(12 - NODE_W) {1'b0}}, node};
    end
  endgenerate
  wire [3:0] port = writing_q ? step_q[7:4] : some_port[3:0];
  // groups that are opened before traffic: CENTER, COUNT, LOCAL and OPEN of group step_q[5:4]
  reg [11:0] group_register;
  reg [15:0] group_value;
  always @*
    case (step_q[1:0])
      2'd0: {group_register, group_value} = {CENTER, 14'd0, word[33:32]};
      2'd1: {group_register, group_value} = {COUNT, 14'd0, word[33:32]};
      2'd2: {group_register, group_value} = {LOCAL, word[47:32] & word[63:48]};
      default: {group_register, group_value} = {OPEN, 14'd0, step_q[5:4]};
    endcase
  reg [35:0] first;  // address and value
  always @*
    case (step_q[9:8])
      2'd0: first = {DESTINATIONS, port, row, entry};
      2'd1: first = {SOURCES, port, row, entry | 16'h1000};
      2'd2: first = {SETS, port, row, set};
      default:
      case (step_q[7:4])
        4'd0: first = {WAYS, 12'd0, step_q[3:0], word[47:32] | 16'd1 << some_port[3:0]};
        4'd1: first = {PLACE, 12'd0, step_q[3:0], 14'd0, word[32] && word[33], word[34] || word[35]};
        4'd2: first = {GENERATORS, step_q[3:0], 12'd0, generator};
        4'd3: first = {REGISTERS, 4'd0, ADAPT, 8'd0, word[31:24] | one_vc};
        4'd4: first = {REGISTERS, 4'd0, SELF, 13'd0, word[34:32]};
        4'd5: first = {REGISTERS, 4'd0, IDLE, few_cycles};
        default: first = {REGISTERS, 4'd0, group_register, group_value};
      endcase
    endcase
  // Steps for ports and registers that this switch does not have are skipped.
  wire last_step = step_q == {2'd3, 8'hb3};
  wire last_row = step_q[7:0] == {PORTS_32[3:0] - 4'd1, 4'd15};
  wire short = (step_q[9:8] == 2'd3) && (step_q[7:4] > 4'd2) && (step_q[3:0] == 4'd3);
  wire [9:0] next_step = (last_row && (step_q[9:8] != 2'd3)) ? {step_q[9:8] + 2'd1, 8'd0} :
      short ? {step_q[9:8], step_q[7:4] + 4'd1, 4'd0} : step_q + 10'd1;

  // ── writes and reads during traffic ──────────────────────────────────────
  wire [11:0] anywhere = {word[31:28] & {4{word[60:59] == 2'd0}}, word[27:24] & {4{word[60]}}, word[23:20]};
  wire [3:0] no_port = word[57:54] & {4{word[62:61] == 2'd0}};  // the specification asks for 0
  // Registers of barrier hardware are written only where there is any.
  wire [3:0] which = ((BARRIER == 0) && (chance[7:4] > 4'd8) && (chance[7:4] != 4'd15)) ? chance[7:4] - 4'd6 : chance[7:4];
  reg [35:0] later;
  always @*
    case (which)
      4'd0, 4'd1, 4'd2: later = {DESTINATIONS, port, row, entry};
      4'd3: later = (SOURCE_TABLE != 0) ? {SOURCES, port, row, entry} : {DESTINATIONS, port, row, entry};
      4'd4: later = (ADAPTIVE != 0) ? {SETS, port, row, set} : {REGISTERS, 4'd0, ERRORS, word[47:32]};
      4'd5: later = (ADAPTIVE != 0) ? {GENERATORS, port, 12'd0, generator} : {DESTINATIONS, port, row, entry};
      4'd6: later = (ADAPTIVE != 0) ? {REGISTERS, 4'd0, ADAPT, 8'd0, word[31:24] | one_vc} : {DESTINATIONS, port, row, entry};
      4'd7: later = {REGISTERS, 4'd0, ERRORS, word[47:32]};
      4'd8: later = (CODE_PLACES != 0) ? {PLACE, no_port, anywhere, 14'd0, word[33:32]} : {DESTINATIONS, port, row, entry};
      4'd9: later = {WAYS, no_port, anywhere, word[47:32]};
      4'd10: later = {REGISTERS, 4'd0, IDLE, few_cycles};
      4'd11: later = {REGISTERS, 4'd0, word[58] ? SELF : LIVE, word[58] ? {13'd0, word[34:32]} : word[47:32] | word[63:48]};
      4'd12: later = {REGISTERS, 4'd0, word[58] ? CENTER : COUNT, 14'd0, word[33:32]};
      4'd13: later = {REGISTERS, 4'd0, LOCAL, word[47:32] & word[63:48]};
      4'd14: later = {REGISTERS, 4'd0, word[58] ? OPEN : CLOSE, 14'd0, word[33:32]};
      default: later = illegal_i ? word[35:0] : {REGISTERS, 4'd0, ERRORS, word[47:32]};
    endcase
  // Some writes get one wrong bit of address or data: they go to another entry, or to none (§3.1).
  wire [4:0] stray_bit = chance[43:39];
  wire [35:0] stray = (chance[45:44] == 2'd0) ? 36'h10000 << stray_bit : 36'd0;
  wire writes_now = writes_i && go_o && !waiting_q && (chance[12:8] == 5'd0);
  // ERRORS is read most often, because it shows every error at once.
  wire reads_now = (FOREIGN == 0) && (chance[16:14] == 3'd0);
  wire [19:0] read_address = chance[17] ? {8'd0, ERRORS} : chance[18] ? {15'd0, word[4:0]} : word[19:0];
  wire resets_now = resets_i && go_o && (chance[30:21] == 10'd0);
  reg [6:0] wait_q;  // cycles until the registers are written
  reg waiting_q;

  always @(posedge clk)
    if (rst) begin
      switch_rst_o <= 1'b1;
      writing_q <= FOREIGN == 0;
      waiting_q <= 1'b0;
      wait_q <= 7'd0;
      step_q <= 10'd0;
      go_o <= FOREIGN != 0;
      cfg_write_o <= 1'b0;
      cfg_read_o <= 1'b0;
      cfg_addr_o <= 20'd0;
      cfg_wdata_o <= 16'd0;
    end else begin
      switch_rst_o <= resets_now;
      wait_q <= wait_q - 7'd1;
      if (resets_now) begin
        writing_q <= 1'b0;
        waiting_q <= FOREIGN == 0;
        wait_q <= chance[37:31] & {7{chance[38]}};
        step_q <= {2'd3, 4'd1, 4'd0};
      end else if (waiting_q) begin
        waiting_q <= wait_q != 7'd0;
        writing_q <= wait_q == 7'd0;
      end else if (writing_q) begin
        step_q <= next_step;
        if (last_step) begin
          writing_q <= 1'b0;
          go_o <= 1'b1;
        end
      end
      cfg_write_o <= !resets_now && (writing_q || writes_now);
      cfg_read_o  <= !resets_now && !writing_q && !writes_now && go_o && reads_now;
      {cfg_addr_o, cfg_wdata_o} <= writing_q ? first : writes_now ? later ^ stray : {read_address, word[15:0]};
    end

  // ── traffic ──────────────────────────────────────────────────────────────
  // Saturated: full load, and sinks that return every credit at once. Mixed: loads from none to full, and sinks that
  // return all credits, some or none.
  reg [9:0] age_q;
  wire turn = age_q == 10'd0;
  wire [7:0] one_lane = 8'd1 << chance[35:33];
  wire [7:0] lanes = (chance[32:31] == 2'd0) ? one_lane | one_vc : 8'd255;
  always @(posedge clk)
    if (rst || !mixed_i) begin
      age_q <= 10'd100;
      load_o <= 8'd255;
      pace_o <= 8'd255;
      message_o <= seed_i[6] ? 8'd8 : {8{seed_i[7]}} | 8'd60;
      length_o <= seed_i[5:4];
      lanes_o <= {VCS{1'b1}};
      keep_o <= 1'b0;
      illegal_o <= !rst && illegal_i && chance[63];
    end else if (turn) begin
      age_q <= chance[45:36] | 10'd63;
      case (chance[47:46])
        2'd0: load_o <= 8'd255;
        2'd1: load_o <= 8'd64;
        2'd2: load_o <= 8'd8;
        default: load_o <= {8{chance[48]}};
      endcase
      case (chance[50:49])
        2'd0: pace_o <= 8'd255;
        2'd1: pace_o <= 8'd128;
        2'd2: pace_o <= 8'd20;
        default: pace_o <= {8{chance[51]}};
      endcase
      message_o <= chance[52] ? 8'd4 : chance[53] ? 8'd255 : 8'd40;
      length_o <= chance[55:54];
      lanes_o <= lanes[VCS-1:0];
      keep_o <= chance[57:56] == 2'd0;
      illegal_o <= illegal_i && (chance[59:58] == 2'd0);
    end else age_q <= age_q - 10'd1;

  wire unused = &{1'b0, chance, word, some_port, some_vc, lanes};

endmodule

`default_nettype wire
