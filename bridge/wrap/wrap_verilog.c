/* Writes the module hd_switch around a router, as Verilog that people can read.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Vectors to_PIN and from_PIN hold a pin of all ports, port 0 in the lowest bits: `to` goes with
 * the flits that enter the router, `from` with those that leave it. The instance of the router
 * connects them with its own pins. Local names of a port begin with i_ (enters) and o_ (leaves).
 */
#include "wrap_files.h"
#include "wrap_verilog.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hd_wrap_vector(unsigned side)
{
  return side == HD_WRAP_IN ? "to" : "from";
}

bool hd_wrap_uses(const struct hd_wrap *w, unsigned side, unsigned pin)
{
  return w->pin[side][pin].text != NULL;
}

bool hd_wrap_is_several(const struct hd_wrap *w)
{
  return strcmp(w->channels, "1") != 0;
}

/* Tests whether the signal runs against the flits. */
bool hd_wrap_goes_back(unsigned pin)
{
  return pin >= HD_WRAP_SIGNAL_READY && pin <= HD_WRAP_SIGNAL_FREED;
}

const char *hd_wrap_width(const struct hd_wrap *w, unsigned side, unsigned pin)
{
  return w->pin[side][pin].width;
}

bool hd_wrap_has_lanes(const struct hd_wrap *w, unsigned side)
{
  for (unsigned pin = HD_WRAP_SIGNAL_FLIT; pin < HD_WRAP_PINS; pin++)
    if (w->pin[side][pin].each_vc)
      return true;
  return false;
}

bool hd_wrap_is_buffered(const struct hd_wrap *w)
{
  return w->flow == HD_WRAP_ONOFF || w->flow == HD_WRAP_CREDIT || w->flow == HD_WRAP_COUNT ||
         hd_wrap_has_lanes(w, HD_WRAP_OUT);
}

bool hd_wrap_counts_credits(const struct hd_wrap *w, unsigned side)
{
  const char *bits = w->pin[side][HD_WRAP_SIGNAL_CREDIT].bits;
  return *bits && strcmp(bits, "1") != 0;
}

/* Appends the slice of port p in the pin's vector, such as "to_data[p*(DATA_W)+:DATA_W]". */
void hd_wrap_slice(const struct hd_wrap *w, unsigned side, unsigned pin, struct hd_text *t)
{
  const char *width = hd_wrap_width(w, side, pin);
  if (!strcmp(width, "1"))
    hd_text_add(t, "%s_%s[p]", hd_wrap_vector(side), hd_wrap_pin_name(pin));
  else
    hd_text_add(t, "%s_%s[p*(%s)+:%s]", hd_wrap_vector(side), hd_wrap_pin_name(pin), width, width);
}

void hd_wrap_lane_slice(const struct hd_wrap *w, unsigned side, unsigned pin, struct hd_text *t)
{
  const char *one = w->pin[side][pin].one;
  hd_text_add(t, "%s_%s[", hd_wrap_vector(side), hd_wrap_pin_name(pin));
  if (!strcmp(one, "1"))
    hd_text_add(t, "p*CHANNELS+v]");
  else
    hd_text_add(t, "(p*CHANNELS+v)*(%s)+:%s]", one, one);
}

const char *hd_wrap_field_bits(const struct hd_wrap *w, unsigned side, unsigned field)
{
  const struct hd_wrap_pattern *pin = &w->pin[side][HD_WRAP_SIGNALS + field];
  if (pin->text)
    return pin->one;
  for (uint32_t i = 0; w->pin[side][HD_WRAP_SIGNAL_FLIT].text && i < w->n_fields; i++)
    if (w->fields[i].kind == field)
      return w->fields[i].width;
  return NULL;
}

/* Bits of the router's data, if the description says that they are not as many as Heddle's. */
static const char *wide_bits(const struct hd_wrap *w, unsigned side)
{
  const char *bits = hd_wrap_field_bits(w, side, HD_WRAP_FIELD_DATA);
  return bits && strcmp(bits, "DATA_W") ? bits : NULL;
}

bool hd_wrap_is_wide(const struct hd_wrap *w)
{
  return wide_bits(w, HD_WRAP_IN) && wide_bits(w, HD_WRAP_OUT);
}

/* Tests whether leaving flits have this field and the router must not change it. */
static bool must_keep_field(const struct hd_wrap *w, unsigned field)
{
  bool is = hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNALS + field);
  for (uint32_t i = 0; hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FLIT) && i < w->n_fields; i++)
    is |= w->fields[i].kind == field;
  for (uint32_t i = 0; i < w->changed.n; i++)
    is &= strcmp(w->changed.items[i].value, hd_wrap_pin_name(HD_WRAP_SIGNALS + field)) != 0;
  return is;
}

unsigned hd_wrap_shows_dest(const struct hd_wrap *w)
{
  if (must_keep_field(w, HD_WRAP_FIELD_DEST))
    return HD_WRAP_FIELD_DEST;
  return w->columns && must_keep_field(w, HD_WRAP_FIELD_COLUMN) &&
                 must_keep_field(w, HD_WRAP_FIELD_ROW)
             ? HD_WRAP_FIELD_COLUMN
             : 0;
}

/* ── head of the file and of the module ────────────────────────────────────── */

static void add_comment(const struct hd_wrap *w, struct hd_text *t)
{
  const char *slash = strrchr(w->path, '/');
  hd_text_add(t,
              "// The pins of Heddle's switch around %s, made by `heddle wrap` from %s.\n"
              "//\n"
              "// Ports as in section 2.11 of Heddle's specification. to_… and from_… hold a pin "
              "of the router for all ports,\n"
              "// port 0 in the lowest bits: to_… goes with flits that enter the router, from_… "
              "with flits that leave it.\n",
              w->top, hd_quote(slash ? slash + 1 : w->path).text);
}

static void add_sources(const struct hd_wrap *w, const struct hd_wrap_files *files,
                        struct hd_text *t)
{
  for (uint32_t i = 0; i < w->defines.n; i++)
    hd_text_add(t, "`define %s %s\n", w->defines.items[i].name, w->defines.items[i].value);
  for (size_t i = 0; i < files->n; i++)
    if (files->items[i].defines)
      hd_text_add(t, "%s", files->items[i].defines);
    else if (files->items[i].compiled)
      hd_text_add(t, "`include \"%s\"\n", files->items[i].name);
  hd_text_add(t, "`default_nettype none\n\n");
}

static void add_module(const struct hd_wrap *w, struct hd_text *t)
{
  static const char *const unused[] = {"ROUTE_CYCLES  = 1", "ARB_CYCLES    = 1",
                                       "BUFFER_CYCLES = 0", "CUT_FLITS     = 0",
                                       "SOURCE_TABLE  = 0", "ADAPTIVE      = 0"};
  const struct hd_wrap_takes takes = hd_wrap_takes(w);
  hd_text_add(t, "module hd_switch #(\n    parameter PORTS         = %" PRIu32 ",\n",
              w->count ? w->count : 5);
  hd_text_add(t, "    parameter VCS           = %s,\n",
              strcmp(w->channels, "VCS") ? w->channels : "2");
  hd_text_add(t,
              "    parameter DATA_W        = %" PRIu32 ",\n    parameter DEPTH         = 4,\n"
              "    parameter NODES         = %" PRIu32 ",\n",
              takes.data_bits && takes.data_bits < 32 ? takes.data_bits : 32,
              w->network || (takes.nodes && takes.nodes < 16) ? takes.nodes : 16);
  for (size_t i = 0; i < sizeof unused / sizeof *unused; i++)
    hd_text_add(t, "    parameter %s,  // set by every build, without a meaning here\n", unused[i]);
  hd_text_add(t, "    parameter VC_W          = (VCS > 1) ? $clog2(VCS) : 1");
  const uint32_t links = hd_wrap_count_links(w);
  if (links)
    hd_text_add(t, ",\n    parameter LINKS         = %" PRIu32 "  // inside", links);
  hd_text_add(t,
              "\n) (\n"
              "    input  wire                    clk,\n"
              "    input  wire                    rst,\n"
              "    input  wire [       PORTS-1:0] in_valid_i,\n"
              "    input  wire [     PORTS*3-1:0] in_kind_i,\n"
              "    input  wire [  PORTS*VC_W-1:0] in_vc_i,\n"
              "    input  wire [PORTS*DATA_W-1:0] in_data_i,\n"
              "    output wire [   PORTS*VCS-1:0] in_credit_o,\n"
              "    output wire [       PORTS-1:0] out_valid_o,\n"
              "    output wire [     PORTS*3-1:0] out_kind_o,\n"
              "    output wire [  PORTS*VC_W-1:0] out_vc_o,\n"
              "    output wire [PORTS*DATA_W-1:0] out_data_o,\n"
              "    input  wire [   PORTS*VCS-1:0] out_credit_i,\n"
              "    input  wire                    cfg_write_i,\n"
              "    input  wire                    cfg_read_i,\n"
              "    input  wire [            19:0] cfg_addr_i,\n"
              "    input  wire [            15:0] cfg_wdata_i,\n"
              "    output wire [            15:0] cfg_rdata_o,\n"
              "    output %s                     quiescent_o",
              w->idle ? "reg " : "wire");
  if (links)
    hd_text_add(t, ",\n    output reg  [       LINKS-1:0] link_valid_o,\n"
                   "    output reg  [       LINKS-1:0] link_ready_o,\n"
                   "    output reg  [       LINKS-1:0] link_tail_o,\n"
                   "    output reg  [LINKS*DATA_W-1:0] link_data_o");
  if (links && hd_wrap_links_have_dest(w))
    hd_text_add(t, ",\n    output reg  [    LINKS*16-1:0] link_dest_o");
  if (links && w->link_channels > 1)
    hd_text_add(t, ",\n    output reg  [     LINKS*3-1:0] link_vc_o,\n"
                   "    output wire [             3:0] link_channels_o");
  hd_text_add(t, "\n);\n\n");
}

/* Instantiates a module that does not exist. Tools print its name, which states the mistake. */
static void add_refusal(const char *where, const char *condition, const char *name,
                        struct hd_text *t)
{
  hd_text_add(
      t,
      "  generate\n    if (%s) begin : refuse_%s\n      %s u_refused ();\n    end\n  endgenerate\n",
      condition, where, name);
}

static void check_width(unsigned kind, const char *where, const char *width, hd_wrap_add_width *add,
                        struct hd_text *t)
{
  static const struct {
    const char *least, *key;
  } k_of[HD_WRAP_FIELD_KINDS + 1] = {
      [HD_WRAP_FIELD_DATA] = {"DATA_W", "switch_data_bits"},
      [HD_WRAP_FIELD_LENGTH] = {"$clog2(LONGEST + 1)", "packet_longest"},
      [HD_WRAP_FIELD_VC] = {"VC_W", "switch_vcs"},
      [HD_WRAP_FIELD_DEST] = {"NODE_W", "switch_nodes"},
      [HD_WRAP_FIELD_COLUMN] = {"$clog2(COLUMNS)", "position_columns"},
      [HD_WRAP_FIELD_ROW] = {"$clog2((NODES + COLUMNS - 1) / COLUMNS)", "switch_nodes"},
  };
  if (k_of[kind].least && strcmp(width, k_of[kind].least))
    add(where, hd_wrap_pin_name(HD_WRAP_SIGNALS + kind), width, k_of[kind].least, k_of[kind].key,
        t);
}

void hd_wrap_widths(const struct hd_wrap *w, hd_wrap_add_width *add, struct hd_text *t)
{
  for (uint32_t i = 0; i < w->n_fields; i++)
    check_width(w->fields[i].kind, "flit", w->fields[i].width, add, t);
  for (unsigned side = 0; side < HD_WRAP_SIDES;
       side++) /* widths of destinations that leave are not checked */
    for (unsigned kind = 0; kind < (side ? HD_WRAP_FIELD_DEST : HD_WRAP_FIELD_KINDS); kind++)
      if (hd_wrap_uses(w, side, HD_WRAP_SIGNALS + kind))
        check_width(kind, side ? "out" : "in", w->pin[side][HD_WRAP_SIGNALS + kind].one, add, t);
}

static void add_width(const char *where, const char *field, const char *width, const char *least,
                      const char *key, struct hd_text *t)
{
  char condition[200], block[64], name[100];
  snprintf(condition, sizeof condition, "%s < %s", width, least);
  snprintf(block, sizeof block, "%s_%s", where, field);
  snprintf(name, sizeof name, "the_field_%s_is_narrower_than_%s", field, key);
  add_refusal(block, condition, name, t);
}

static void add_limits(const struct hd_wrap *w, struct hd_text *t)
{
  char condition[600], name[100];
  if (w->count) {
    snprintf(condition, sizeof condition, "PORTS %s %" PRIu32, w->network ? "!=" : ">", w->count);
    snprintf(name, sizeof name,
             w->network ? "the_network_has_%" PRIu32 "_endpoints_and_the_scenario_has_others"
                        : "the_router_has_%" PRIu32 "_ports_and_the_scenario_needs_more",
             w->count);
    add_refusal("ports", condition, name, t);
  }
  if (strcmp(w->channels, "VCS")) {
    snprintf(condition, sizeof condition, "VCS != %s", w->channels);
    snprintf(name, sizeof name, "the_router_has_%s_channels_so_switch_vcs_must_be_%s", w->channels,
             w->channels);
    add_refusal("channels", condition, name, t);
  }
  hd_wrap_widths(w, add_width, t);
  if (w->flow == HD_WRAP_COUNT) {
    snprintf(condition, sizeof condition, "(%" PRIu32 " >> (%s)) != 0", w->slots_out,
             w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_FREE].one);
    add_refusal("free", condition, "the_pin_free_is_too_narrow_for_flow_next_slots", t);
  }
}

static void add_constants(const struct hd_wrap *w, struct hd_text *t)
{
  static const char *const names[] = {"BODY", "TAIL", "HEAD", "SINGLE"};
  static const char *const keys[] = {"body", "tail", "head", "single"};
  char count[16] = "PORTS";
  if (w->count)
    snprintf(count, sizeof count, "%" PRIu32, w->count);
  hd_text_add(t, "  localparam N = %s;  // ports of the router\n", count);
  hd_text_add(
      t, "  localparam CHANNELS = %s;\n  localparam NODE_W = (NODES > 1) ? $clog2(NODES) : 1;\n",
      w->channels);
  if (w->columns)
    hd_text_add(t, "  localparam COLUMNS = %s;\n", w->columns);
  if (hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_LENGTH) ||
      hd_wrap_has_field(w, HD_WRAP_OUT, HD_WRAP_FIELD_LENGTH))
    hd_text_add(t,
                "  localparam LONGEST = %" PRIu32 ";  // flits of a packet\n"
                "  localparam LENGTH_W = $clog2(LONGEST + 1);\n",
                w->longest);
  for (size_t k = 0; k < 4; k++) {
    const char *value = NULL;
    for (uint32_t i = 0; i < w->type.n; i++)
      if (!strcmp(w->type.items[i].name, keys[k]))
        value = w->type.items[i].value;
    if (value || w->type_is_used)
      hd_text_add(t, "  localparam %s = %s;\n", names[k],
                  value ? value : (const char *[]){"0", "1", "2", "3"}[k]);
  }
  if (!w->n_fields)
    return;
  hd_text_add(t, "  localparam FLIT_W = ");
  for (uint32_t i = 0; i < w->n_fields; i++)
    hd_text_add(t, "%s%s", i ? " + " : "", w->fields[i].width);
  hd_text_add(t, ";\n");
}

static void add_position(const struct hd_wrap *w, struct hd_text *t)
{
  if (!w->has_position)
    return;
  hd_text_add(t,
              "\n  // The node of this switch: the destination whose way, in the table of port 0, "
              "leads to port %" PRIu32
              " (section\n  // 3.2). Tables are written before the last reset.\n"
              "  reg [15:0] node_q;\n  initial node_q = 16'd0;\n"
              "  always @(posedge clk)\n"
              "    if (!rst && cfg_write_i && (cfg_addr_i[19:12] == 8'h10) && cfg_wdata_i[12] && "
              "(cfg_wdata_i[3:0] == 4'd%" PRIu32
              "))\n      node_q <= {4'd0, cfg_addr_i[11:0]};\n  wire [15:0] hd_node = node_q;\n",
              w->node_port, w->node_port);
  if (w->columns)
    hd_text_add(
        t, "  wire [15:0] hd_x = hd_node %% COLUMNS;\n  wire [15:0] hd_y = hd_node / COLUMNS;\n");
}

static void add_reset(const struct hd_wrap *w, struct hd_text *t)
{
  if (w->flow == HD_WRAP_NATIVE)
    return;
  hd_text_add(
      t,
      "\n  wire reset, go, calm;\n  hd_wrap_reset #(\n      .CYCLES(%" PRIu32
      "),\n      .SETTLE(%" PRIu32
      ")\n  ) u_reset (\n      .clk    (clk),\n      .rst    (rst),\n      .reset_o(reset),\n      "
      ".go_o   (calm)\n  );\n",
      w->reset_cycles, w->settle_cycles);
  if (!w->replays)
    hd_text_add(t, "  assign go = calm;\n");
}

/* Adds the configuration port for the router's pins. */
static void add_tables(const struct hd_wrap *w, struct hd_text *t)
{
  if (!strcmp(w->tables, "none"))
    return;
  hd_text_add(t,
              "\n  wire hd_cfg_write;\n  wire [19:0] hd_cfg_addr;\n  wire [15:0] hd_cfg_data;\n");
  if (w->replays)
    hd_text_add(t,
                "  wire tables_done;\n  assign go = calm && tables_done;\n"
                "  hd_wrap_tables #(\n      .PORTS(PORTS),\n      .NODES(NODES)\n  ) u_tables (\n"
                "      .clk    (clk),\n      .rst    (rst),\n      .write_i(cfg_write_i),\n"
                "      .addr_i (cfg_addr_i),\n      .data_i (cfg_wdata_i),\n      .go_i   (calm),\n"
                "      .write_o(hd_cfg_write),\n      .addr_o (hd_cfg_addr),\n      .data_o "
                "(hd_cfg_data),\n"
                "      .done_o (tables_done)\n  );\n");
  else
    hd_text_add(t, "  assign hd_cfg_write = cfg_write_i;\n  assign hd_cfg_addr = cfg_addr_i;\n"
                   "  assign hd_cfg_data = cfg_wdata_i;\n");
}

static void add_vectors(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "\n");
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin))
        hd_text_add(t, "  wire [N*(%s)-1:0] %s_%s;\n", hd_wrap_width(w, side, pin),
                    hd_wrap_vector(side), hd_wrap_pin_name(pin));
  if (w->idle)
    hd_text_add(t, "  wire router_idle;\n");
  if (w->idle && w->flow != HD_WRAP_NATIVE)
    hd_text_add(t, "  wire [N-1:0] in_idle, out_idle;\n");
}

/* ── what enters the router ────────────────────────────────────────────────── */

static void add_field_value(const struct hd_wrap *w, unsigned kind, struct hd_text *t)
{
  const char *bits = wide_bits(w, HD_WRAP_IN);
  if (kind == HD_WRAP_FIELD_DATA && bits && hd_wrap_is_wide(w)) { /* cut to the field's bits */
    hd_text_add(t, "{((%s) + DATA_W - 1) / DATA_W{i_data}}", bits);
    return;
  }
  if (kind == HD_WRAP_FIELD_LENGTH && w->length_is_rest) {
    hd_text_add(t, "i_length - 1'b1");
    return;
  }
  static const char *const values[] = {
      [HD_WRAP_FIELD_DATA] = "i_data",
      [HD_WRAP_FIELD_KIND] = "i_kind",
      [HD_WRAP_FIELD_HEAD] = "i_kind[1]",
      [HD_WRAP_FIELD_TAIL] = "i_kind[0]",
      [HD_WRAP_FIELD_TYPE] = "i_kind[1] ? (i_kind[0] ? SINGLE : HEAD) : i_kind[0] ? TAIL : BODY",
      [HD_WRAP_FIELD_LENGTH] = "i_length",
      [HD_WRAP_FIELD_VC] = "i_vc",
      [HD_WRAP_FIELD_VC_ONEHOT] = "1 << i_vc",
      [HD_WRAP_FIELD_DEST] = "i_dest",
      [HD_WRAP_FIELD_COLUMN] = "i_dest % COLUMNS",
      [HD_WRAP_FIELD_ROW] = "i_dest / COLUMNS",
  };
  hd_text_add(t, "%s", values[kind]);
}

static void add_enters_native(struct hd_text *t)
{
  hd_text_add(t, "        assign i_valid = in_valid_i[p];\n"
                 "        assign i_kind = in_kind_i[p*3+:3];\n"
                 "        assign i_vc = in_vc_i[p*VC_W+:VC_W];\n"
                 "        assign i_data = in_data_i[p*DATA_W+:DATA_W];\n"
                 "        assign in_credit_o[p*VCS+:VCS] = to_credit[p*CHANNELS+:CHANNELS];\n");
}

/* Adds signals that show which channels may send, and whether the offered flit is taken. */
static void add_go_ahead(const struct hd_wrap *w, struct hd_text *t)
{
  struct hd_text credit = {0};
  const bool numbers = hd_wrap_counts_credits(w, HD_WRAP_IN);
  const bool names = hd_wrap_uses(w, HD_WRAP_IN, HD_WRAP_SIGNAL_CREDIT_VC);
  if (numbers)
    hd_text_add(&credit, "go%s", names ? " && (" : " ? ");
  else
    hd_text_add(&credit, names ? "to_credit[p] && (" : "to_credit[p*CHANNELS+v]");
  if (names) {
    hd_wrap_slice(w, HD_WRAP_IN, HD_WRAP_SIGNAL_CREDIT_VC, &credit);
    hd_text_add(&credit, " == v)%s", numbers ? " ? " : "");
  }
  if (numbers) {
    (w->pin[HD_WRAP_IN][HD_WRAP_SIGNAL_CREDIT].each_vc ? hd_wrap_lane_slice : hd_wrap_slice)(
        w, HD_WRAP_IN, HD_WRAP_SIGNAL_CREDIT, &credit);
    hd_text_add(&credit, " : 0");
  } else {
    hd_text_add(&credit, " && go");
  }
  const bool each = w->pin[HD_WRAP_IN][HD_WRAP_SIGNAL_READY].each_vc;
  const char *all = "{CHANNELS{1'b1}}";
  if (w->flow == HD_WRAP_READY && !each)
    hd_text_add(t, "        assign i_may = %s;\n        assign i_take = to_ready[p];\n", all);
  else if (w->flow == HD_WRAP_READY)
    hd_text_add(t,
                "        assign i_may = (CHANNELS == 1) ? %s : to_ready[p*CHANNELS+:CHANNELS];\n"
                "        assign i_take = (CHANNELS != 1) || to_ready[p*CHANNELS];\n",
                all);
  else if (w->flow == HD_WRAP_ONOFF)
    hd_text_add(
        t, "        assign i_may = %sto_on[p*CHANNELS+:CHANNELS];\n        assign i_take = 1'b1;\n",
        w->on_low ? "~" : "");
  else if (w->flow == HD_WRAP_COUNT) {
    const struct hd_wrap_pattern *pin = &w->pin[HD_WRAP_IN][HD_WRAP_SIGNAL_FREE];
    hd_text_add(t,
                "        assign i_take = 1'b1;\n"
                "        for (v = 0; v < CHANNELS; v = v + 1) begin : channel\n"
                "          hd_wrap_free #(\n              .BITS(%s),\n              .LATE(%" PRIu32
                ")\n          ) u_free (\n"
                "              .clk    (clk),\n              .rst    (rst),\n              .free_i "
                "(",
                pin->one, w->late);
    (pin->each_vc ? hd_wrap_lane_slice : hd_wrap_slice)(w, HD_WRAP_IN, HD_WRAP_SIGNAL_FREE, t);
    hd_text_add(t, "),\n              .spend_i(i_sent[v]),\n              .some_o (i_may[v])\n"
                   "          );\n        end\n");
  } else
    hd_text_add(t,
                "        assign i_take = 1'b1;\n"
                "        for (v = 0; v < CHANNELS; v = v + 1) begin : channel\n"
                "          hd_wrap_credits #(\n              .SLOTS(%s)%s%s%s\n          ) "
                "u_credits (\n"
                "              .clk    (clk),\n              .rst    (rst),\n              "
                ".spend_i(i_sent[v]),\n"
                "              .gain_i (%s),\n              .some_o "
                "(i_may[v])\n          );\n"
                "        end\n",
                w->slots, numbers ? ",\n              .GAIN_W(" : "",
                numbers ? w->pin[HD_WRAP_IN][HD_WRAP_SIGNAL_CREDIT].one : "", numbers ? ")" : "",
                hd_text_chars(&credit));
  hd_text_fini(&credit);
}

static void add_enters_adapted(const struct hd_wrap *w, struct hd_text *t)
{
  const bool each = w->pin[HD_WRAP_IN][HD_WRAP_SIGNAL_READY].each_vc;
  const bool freed = hd_wrap_uses(w, HD_WRAP_IN, HD_WRAP_SIGNAL_FREED);
  const bool length = hd_wrap_has_field(w, HD_WRAP_IN, HD_WRAP_FIELD_LENGTH);
  hd_text_add(t, "        wire [CHANNELS-1:0] i_may, i_sent;\n        wire i_take;\n");
  add_go_ahead(w, t);
  if (length)
    hd_text_add(
        t, "        wire [CHANNELS-1:0] i_whole;\n        wire [LENGTH_W-1:0] i_length;\n"
           "        hd_wrap_lengths #(\n            .CHANNELS(CHANNELS),\n            .VC_W    "
           "(VC_W),\n"
           "            .LONGEST (LONGEST),\n            .ROOM    ((LONGEST > DEPTH) ? LONGEST : "
           "DEPTH)\n        ) u_lengths (\n"
           "            .clk     (clk),\n            .rst     (rst),\n"
           "            .valid_i (in_valid_i[p]),\n            .tail_i  (in_kind_i[p*3]),\n"
           "            .vc_i    (in_vc_i[p*VC_W+:VC_W]),\n            .done_i  (i_sent & "
           "{CHANNELS{i_kind[0]}}),\n"
           "            .asked_i (i_vc),\n            .whole_o (i_whole),\n            .length_o"
           "(i_length)\n        );\n");
  hd_text_add(
      t,
      "        hd_wrap_in #(\n            .CHANNELS(CHANNELS),\n            .VC_W    (VC_W),\n"
      "            .DATA_W  (DATA_W),\n            .DEPTH   (DEPTH),\n            .NODE_W  "
      "(NODE_W),\n"
      "            .HOLD    (%s),\n%s            .SINGLE  (%d),\n            .FREED   (%d)\n      "
      "  ) u_in (\n"
      "            .clk     (clk),\n            .rst     (rst),\n"
      "            .valid_i (in_valid_i[p]),\n            .kind_i  (in_kind_i[p*3+:3]),\n"
      "            .vc_i    (in_vc_i[p*VC_W+:VC_W]),\n            .data_i  "
      "(in_data_i[p*DATA_W+:DATA_W]),\n"
      "            .credit_o(in_credit_o[p*VCS+:VCS]),\n            .go_i    (go),\n"
      "            .may_i   (i_may%s),\n            .take_i  (i_take),\n            .freed_i "
      "(%s),\n "
      "           .valid_o "
      "(i_valid),\n"
      "            .kind_o  (i_kind),\n            .vc_o    (i_vc),\n            .data_o  "
      "(i_data),\n"
      "            .dest_o  (i_dest),\n            .sent_o  (i_sent),\n            .idle_o  (%s)\n "
      "       );\n",
      w->flow != HD_WRAP_READY ? "0"
      : each                   ? "CHANNELS == 1"
                               : "1",
      length ? "            .ROOM    ((LONGEST > DEPTH) ? LONGEST : DEPTH),\n" : "", w->single,
      freed, length ? " & i_whole" : "",
      freed ? "to_freed[p*CHANNELS+:CHANNELS]" : "{CHANNELS{1'b0}}", w->idle ? "in_idle[p]" : "");
}

/* The channel's own pins show the flit. The other channels' pins show it inverted. They are not
 * valid, so the router must ignore them. */
static void add_lane_pins(const struct hd_wrap *w, unsigned pin, struct hd_text *t)
{
  const char *name = hd_wrap_pin_name(pin);
  hd_text_add(t,
              "        for (v = 0; v < CHANNELS; v = v + 1) begin : lane_%s  // others than the "
              "flit's must not be read\n          assign ",
              name);
  hd_wrap_lane_slice(w, HD_WRAP_IN, pin, t);
  hd_text_add(t, " = (i_vc == v) ? i_lane_%s : ~i_lane_%s;\n        end\n", name, name);
}

/* Connects the router's input pins with the local names. */
static void add_enters_pins(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++) {
    if (!hd_wrap_uses(w, HD_WRAP_IN, pin) || hd_wrap_goes_back(pin))
      continue;
    if (pin == HD_WRAP_SIGNAL_FLIT)
      for (uint32_t i = 0; i < w->n_fields; i++)
        if (w->fields[i].kind != HD_WRAP_FIELD_CONSTANT) {
          hd_text_add(t, "        wire [%s-1:0] i_flit_%s = ", w->fields[i].width,
                      hd_wrap_pin_name(HD_WRAP_SIGNALS + w->fields[i].kind));
          add_field_value(w, w->fields[i].kind, t);
          hd_text_add(t, ";\n");
        }
    const bool lanes = pin >= HD_WRAP_SIGNAL_FLIT && w->pin[HD_WRAP_IN][pin].each_vc;
    if (lanes)
      hd_text_add(t, "        wire [%s-1:0] i_lane_%s", w->pin[HD_WRAP_IN][pin].one,
                  hd_wrap_pin_name(pin));
    else {
      hd_text_add(t, "        assign ");
      hd_wrap_slice(w, HD_WRAP_IN, pin, t);
    }
    hd_text_add(t, " = ");
    if (pin == HD_WRAP_SIGNAL_VALID) {
      hd_text_add(t, "%s", w->pin[HD_WRAP_IN][pin].each_vc ? "i_valid ? 1 << i_vc : 0" : "i_valid");
    } else if (pin == HD_WRAP_SIGNAL_FLIT) {
      for (uint32_t i = 0; i < w->n_fields; i++)
        hd_text_add(t, "%s%s%s", i ? ", " : "{", w->fields[i].text ? "" : "i_flit_",
                    w->fields[i].text ? w->fields[i].text
                                      : hd_wrap_pin_name(HD_WRAP_SIGNALS + w->fields[i].kind));
      hd_text_add(t, "}");
    } else {
      add_field_value(w, pin - HD_WRAP_SIGNALS, t);
    }
    hd_text_add(t, ";\n");
    if (lanes)
      add_lane_pins(w, pin, t);
  }
}

static void add_enters(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "        // flits that enter\n        wire i_valid;\n        wire [2:0] i_kind;\n"
                 "        wire [VC_W-1:0] i_vc;\n        wire [DATA_W-1:0] i_data;\n");
  if (w->flow == HD_WRAP_NATIVE) {
    add_enters_native(t);
  } else {
    hd_text_add(t, "        wire [NODE_W-1:0] i_dest;\n");
    add_enters_adapted(w, t);
  }
  add_enters_pins(w, t);
}

/* ── ports ─────────────────────────────────────────────────────────────────── */

/* Adds ports of the router that the fabric does not use: no flit enters, and leaving flits are
 * lost. */
static void add_spare(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin) && hd_wrap_goes_back(pin) == (side == HD_WRAP_OUT)) {
        const bool ones = pin == HD_WRAP_SIGNAL_READY || pin == HD_WRAP_SIGNAL_FREE ||
                          (pin == HD_WRAP_SIGNAL_ON && !w->on_low);
        hd_text_add(t, "        assign ");
        hd_wrap_slice(w, side, pin, t);
        hd_text_add(t, " = {%s{1'b%d}};\n", hd_wrap_width(w, side, pin), ones);
      }
  if (w->idle && w->flow != HD_WRAP_NATIVE)
    hd_text_add(t, "        assign in_idle[p] = 1'b1;\n        assign out_idle[p] = 1'b1;\n");
}

static bool needs_number(const struct hd_wrap *w)
{
  const bool by_valid = w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_VALID].each_vc;
  bool onehot = hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNALS + HD_WRAP_FIELD_VC_ONEHOT);
  for (uint32_t i = 0; i < w->n_fields; i++)
    onehot |= w->fields[i].kind == HD_WRAP_FIELD_VC_ONEHOT;
  return hd_wrap_is_several(w) &&
         (by_valid || onehot || hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC));
}

static void add_ports(const struct hd_wrap *w, struct hd_text *t)
{
  if (needs_number(w))
    hd_text_add(
        t,
        "\n  function [VC_W-1:0] number;  // of the channel whose bit is 1\n"
        "    input [CHANNELS-1:0] bits;\n    integer k;\n    begin\n      number = 0;\n"
        "      for (k = 0; k < CHANNELS; k = k + 1) if (bits[k]) number = number | k[VC_W-1:0];\n"
        "    end\n  endfunction\n");
  hd_text_add(t,
              "\n  genvar p%s;\n  generate\n    for (p = 0; p < N; p = p + 1) begin : port\n"
              "      if (p < PORTS) begin : used\n",
              w->flow == HD_WRAP_CREDIT || w->flow == HD_WRAP_COUNT ||
                      hd_wrap_has_lanes(w, HD_WRAP_IN) || hd_wrap_has_lanes(w, HD_WRAP_OUT)
                  ? ", v"
                  : "");
  add_enters(w, t);
  hd_wrap_leaves(w, t);
  if (w->count) {
    hd_text_add(t, "      end else begin : spare  // the fabric has no such port\n");
    add_spare(w, t);
  }
  hd_text_add(t, "      end\n    end\n  endgenerate\n");
}

static void add_end(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "\n  assign cfg_rdata_o = 16'd0;  // it has no registers to be read\n");
  if (!w->idle) {
    hd_text_add(t, "  assign quiescent_o = 1'b0;  // evaluated in every cycle: nothing says when "
                   "the router is idle\n");
  } else {
    hd_text_add(
        t,
        "  // 1 promises that nothing changes until an input is active (section 2.10)\n"
        "  always @(posedge clk)\n    quiescent_o <= %s(router_idle%s && (in_valid_i == 0) && "
        "(out_credit_i == 0) && !cfg_write_i && !cfg_read_i);\n",
        /* a longer reset is counted after rst */
        w->flow == HD_WRAP_NATIVE ? "rst || " : "!rst && ",
        w->flow == HD_WRAP_NATIVE ? "" : " && go && (&in_idle) && (&out_idle)");
  }
  hd_text_add(t, "\nendmodule\n");
}

void hd_wrap_verilog(const struct hd_wrap *w, const struct hd_wrap_files *files, struct hd_text *t)
{
  add_comment(w, t);
  add_sources(w, files, t);
  hd_wrap_module(w, t);
  hd_text_add(t, "\n`default_nettype wire\n");
}

void hd_wrap_module(const struct hd_wrap *w, struct hd_text *t)
{
  add_module(w, t);
  add_constants(w, t);
  add_limits(w, t);
  add_position(w, t);
  add_reset(w, t);
  add_tables(w, t);
  add_vectors(w, t);
  add_ports(w, t);
  hd_wrap_router(w, t);
  hd_wrap_add_links(w, t);
  add_end(w, t);
}
