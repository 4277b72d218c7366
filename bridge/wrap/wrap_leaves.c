/* Writes the part of a wrapper that takes flits from one of the router's ports and gives them to Heddle.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include <inttypes.h>
#include <string.h>

/* Appends the lowest bit of a field in the flit. */
static void add_offset(const struct hd_wrap *w, uint32_t field, struct hd_text *t)
{
  const char *plus = "";
  for (uint32_t i = field + 1; i < w->n_fields; i++, plus = " + ")
    hd_text_add(t, "%s%s", plus, w->fields[i].width);
  if (!*plus)
    hd_text_add(t, "0");
}

/* Declares o_FIELD, per channel with `lane`. False: the router does not output the field. */
static bool add_seen(const struct hd_wrap *w, unsigned kind, bool lane, struct hd_text *t)
{
  const unsigned pin = HD_WRAP_SIGNALS + kind;
  if (hd_wrap_uses(w, HD_WRAP_OUT, pin)) {
    hd_text_add(t, "        wire [%s-1:0] o_%s = ", w->pin[HD_WRAP_OUT][pin].one,
                hd_wrap_pin_name(pin));
    (lane ? hd_wrap_lane_slice : hd_wrap_slice)(w, HD_WRAP_OUT, pin, t);
    hd_text_add(t, ";\n");
    return true;
  }
  for (uint32_t i = 0; hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FLIT) && i < w->n_fields; i++)
    if (w->fields[i].kind == kind) {
      hd_text_add(t, "        wire [%s-1:0] o_%s = from_flit[%s*FLIT_W+", w->fields[i].width,
                  hd_wrap_pin_name(pin), lane ? "(p*CHANNELS+v)" : "p");
      add_offset(w, i, t);
      hd_text_add(t, "+:%s];\n", w->fields[i].width);
      return true;
    }
  return false;
}

/* Declares o_head and o_tail. Returns whether the router marks heads. */
static bool add_ends(const struct hd_wrap *w, bool lane, struct hd_text *t)
{
  if (w->single) {
    hd_text_add(t, "        wire o_head = 1'b1, o_tail = 1'b1;\n");
    return true;
  }
  if (add_seen(w, HD_WRAP_FIELD_KIND, lane, t)) {
    hd_text_add(t, "        wire o_head = o_kind[1], o_tail = o_kind[0];\n");
    return true;
  }
  if (hd_wrap_types_tell(w, "tail") && add_seen(w, HD_WRAP_FIELD_TYPE, lane, t)) {
    const bool heads = hd_wrap_types_tell(w, "head");
    hd_text_add(t,
                "        wire o_head = %s;\n"
                "        wire o_tail = (o_type == TAIL) || (o_type == SINGLE);\n",
                heads ? "(o_type == HEAD) || (o_type == SINGLE)"
                      : "1'b0 /* follows from the tail before */");
    return heads;
  }
  if (!add_seen(w, HD_WRAP_FIELD_TAIL, lane, t)) {
    add_seen(w, HD_WRAP_FIELD_LENGTH, lane, t);
    hd_text_add(t,
                "        wire o_head, o_tail;\n"
                "        hd_wrap_ends #(\n            .CHANNELS(%s),\n            .VC_W    (%s),\n"
                "            .LENGTH_W(%s),\n            .REST    (%d)\n        ) "
                "u_ends (\n"
                "            .clk     (clk),\n            .rst     (rst),\n            .take_i  "
                "(o_take && go),\n            .vc_i    (%s),\n            .length_i(o_length),\n"
                "            .head_o  (o_head),\n            .tail_o  (o_tail)\n        );\n",
                lane ? "1" : "CHANNELS", lane ? "1" : "VC_W",
                hd_wrap_field_bits(w, HD_WRAP_OUT, HD_WRAP_FIELD_LENGTH), w->length_is_rest,
                lane ? "1'b0" : "o_channel");
    return true;
  }
  if (add_seen(w, HD_WRAP_FIELD_HEAD, lane, t))
    return true;
  hd_text_add(t, "        wire o_head = 1'b0;  // follows from the tail before\n");
  return false;
}

static void add_channel(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "        wire [VC_W-1:0] o_channel;\n");
  if (!hd_wrap_is_several(w))
    hd_text_add(t, "        assign o_channel = 0;\n");
  else if (w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_VALID].each_vc)
    hd_text_add(t, "        assign o_channel = number(from_valid[p*CHANNELS+:CHANNELS]);\n");
  else if (add_seen(w, HD_WRAP_FIELD_VC, false, t))
    hd_text_add(t, "        assign o_channel = o_vc;\n");
  else if (add_seen(w, HD_WRAP_FIELD_VC_ONEHOT, false, t))
    hd_text_add(t, "        assign o_channel = number(o_vc_onehot);\n");
}

/* Declares o_own: Heddle's data, extracted from the router's. */
static void add_own_data(const struct hd_wrap *w, bool lane, struct hd_text *t)
{
  add_seen(w, HD_WRAP_FIELD_DATA, lane, t);
  if (!hd_wrap_is_wide(w))
    hd_text_add(t, "        wire [DATA_W-1:0] o_own = o_data[DATA_W-1:0];\n");
  else
    hd_text_add(t,
                "        wire [DATA_W-1:0] o_own;  // copies of Heddle's data fill the router's\n"
                "        hd_wrap_wide #(\n            .WIDE  (%s),\n"
                "            .DATA_W(DATA_W)\n        ) u_wide (\n"
                "            .wide_i(o_data),\n            .data_o(o_own)\n        );\n",
                hd_wrap_field_bits(w, HD_WRAP_OUT, HD_WRAP_FIELD_DATA));
}

/* Declares o_carried, the data for Heddle. A head gets the destination from the router's own
 * fields. If the router changed them, the packet goes to another node, and the rules at ports
 * see that. */
static void add_carried(const struct hd_wrap *w, bool heads, bool lane, struct hd_text *t)
{
  const unsigned shown = hd_wrap_shows_dest(w);
  if (!shown) {
    hd_text_add(t, "        wire [DATA_W-1:0] o_carried = o_own;\n");
    return;
  }
  if (shown == HD_WRAP_FIELD_DEST) {
    add_seen(w, HD_WRAP_FIELD_DEST, lane, t);
    hd_text_add(t, "        wire [NODE_W-1:0] o_names = o_dest[NODE_W-1:0];\n");
  } else {
    add_seen(w, HD_WRAP_FIELD_COLUMN, lane, t);
    add_seen(w, HD_WRAP_FIELD_ROW, lane, t);
    hd_text_add(t, "        wire [NODE_W-1:0] o_names = o_y * COLUMNS + o_x;\n");
  }
  const char *of_channel = lane ? "[0]" : "[o_channel]", *channels = lane ? "1" : "CHANNELS";
  if (!heads)
    hd_text_add(t,
                "        reg [%s-1:0] o_inside;  // a packet is under way\n"
                "        always @(posedge clk)\n"
                "          if (rst) o_inside <= {%s{1'b0}};\n"
                "          else if (o_take && go) o_inside%s <= !o_tail;\n",
                channels, channels, of_channel);
  hd_text_add(
      t,
      "        // a head goes to the node that the router's own fields name\n"
      "        wire [DATA_W-1:0] o_fields = {{(DATA_W-NODE_W){1'b0}}, {NODE_W{1'b1}}} << 2;\n"
      "        wire [DATA_W-1:0] o_carried = %s%s ? (o_own & ~o_fields) |\n"
      "            ({{(DATA_W-NODE_W){1'b0}}, o_names} << 2) : o_own;\n",
      heads ? "o_head" : "!o_inside", heads ? "" : of_channel);
}

static void add_leaves_native(struct hd_text *t)
{
  hd_text_add(t, "        assign out_valid_o[p] = o_valid;\n"
                 "        assign out_kind_o[p*3+:3] = {1'b0, o_head, o_tail};\n"
                 "        assign out_vc_o[p*VC_W+:VC_W] = o_channel;\n"
                 "        assign out_data_o[p*DATA_W+:DATA_W] = o_own;\n"
                 "        assign from_credit[p*CHANNELS+:CHANNELS] = out_credit_i[p*VCS+:VCS];\n");
}

static void add_out(bool heads, const char *valid, const char *prefix, const char *data,
                    struct hd_text *t)
{
  hd_text_add(
      t,
      "        hd_wrap_out #(\n            .CHANNELS(CHANNELS),\n            .VC_W    (VC_W),\n"
      "            .DATA_W  (DATA_W),\n            .DEPTH   (DEPTH),\n            .HEADS   (%d)\n  "
      "      ) u_out (\n"
      "            .clk     (clk),\n            .rst     (rst),\n            .go_i    (go),\n"
      "            .valid_i (%s),\n            .head_i  (%s_head),\n            .tail_i  "
      "(%s_tail),\n"
      "            .vc_i    (%s_channel),\n            .data_i  (%s),\n           "
      " .ready_o (o_ready),\n"
      "            .valid_o (out_valid_o[p]),\n            .kind_o  (out_kind_o[p*3+:3]),\n"
      "            .vc_o    (out_vc_o[p*VC_W+:VC_W]),\n            .data_o  "
      "(out_data_o[p*DATA_W+:DATA_W]),\n"
      "            .credit_i(out_credit_i[p*VCS+:VCS])\n        );\n",
      !heads, valid, prefix, prefix, prefix, data);
}

static void add_leaves_ready(const struct hd_wrap *w, bool heads, struct hd_text *t)
{
  if (w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_READY].each_vc)
    hd_text_add(t, "        assign from_ready[p*CHANNELS+:CHANNELS] = o_ready;\n");
  else
    hd_text_add(t, "        assign from_ready[p] = o_ready[o_channel];\n");
  add_out(heads, "o_take", "o", "o_carried", t);
  if (w->idle)
    hd_text_add(t, "        assign out_idle[p] = !out_valid_o[p];\n");
}

/* Adds what holds the router back: a level, ready, credits, or the number of free slots. */
static void add_held_back(const struct hd_wrap *w, struct hd_text *t)
{
  const struct hd_wrap_pattern *pin = w->pin[HD_WRAP_OUT];
  if (w->flow == HD_WRAP_READY)
    hd_text_add(t, "        assign from_ready[p*CHANNELS+:CHANNELS] = b_on;\n");
  else if (w->flow == HD_WRAP_ONOFF)
    hd_text_add(t, "        assign from_on[p*CHANNELS+:CHANNELS] = %sb_on;\n",
                w->on_low ? "~" : "");
  else if (w->flow == HD_WRAP_COUNT) {
    hd_text_add(t,
                "        hd_wrap_late #(\n            .WIDTH(CHANNELS*(%s)),\n            .LATE "
                "(%" PRIu32
                ")\n        ) u_late (\n            .clk     (clk),\n            .rst    "
                " (rst),\n            .number_i(b_free),\n            .number_o(",
                pin[HD_WRAP_SIGNAL_FREE].one, w->late);
    hd_wrap_slice(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FREE, t);
    hd_text_add(t, ")\n        );\n");
  } else if (hd_wrap_counts_credits(w, HD_WRAP_OUT)) {
    const bool one = hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC);
    hd_text_add(
        t,
        "        wire [CHANNELS*(%s)-1:0] b_numbers;\n        wire [VC_W-1:0] b_turn;\n"
        "        hd_wrap_credit_numbers #(\n            .CHANNELS(CHANNELS),\n            "
        ".VC_W    (VC_W),\n            .BITS    (%s),\n            .ONE     (%d)\n        ) "
        "u_numbers (\n            .clk     (clk),\n            .rst     (rst),\n            "
        ".credit_i(b_credit),\n            .number_o(b_numbers),\n            .vc_o    "
        "(b_turn),\n            .idle_o  (b_told)\n        );\n        assign ",
        pin[HD_WRAP_SIGNAL_CREDIT].one, pin[HD_WRAP_SIGNAL_CREDIT].one, one);
    hd_wrap_slice(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT, t);
    hd_text_add(t, " = b_numbers;\n");
    if (one) {
      hd_text_add(t, "        assign ");
      hd_wrap_slice(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC, t);
      hd_text_add(t, " = b_turn;\n");
    }
  } else if (!hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC))
    hd_text_add(t, "        assign from_credit[p*CHANNELS+:CHANNELS] = b_credit;\n");
  else {
    hd_text_add(t, "        assign from_credit[p] = |b_credit;\n        assign ");
    hd_wrap_slice(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC, t);
    hd_text_add(t, " = number(b_credit);\n");
  }
}

/* Adds the wires b_… of flits that wait for Heddle's credits. b_in_… are the flits that come
 * into the buffer. */
static void add_buffer_wires(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "        wire b_valid, b_head, b_tail;\n        wire [VC_W-1:0] b_channel;\n"
                 "        wire [DATA_W-1:0] b_data;\n        wire [CHANNELS-1:0] b_on, b_credit, "
                 "b_freed;\n        wire b_idle, b_told;\n"
                 "        wire [CHANNELS-1:0] b_in_valid, b_in_head, b_in_tail;\n"
                 "        wire [CHANNELS*DATA_W-1:0] b_in_data;\n");
  if (w->flow == HD_WRAP_COUNT)
    hd_text_add(t, "        wire [CHANNELS*(%s)-1:0] b_free;\n",
                w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_FREE].one);
  if (!hd_wrap_counts_credits(w, HD_WRAP_OUT))
    hd_text_add(t, "        assign b_told = 1'b1;\n");
}

static void add_leaves_buffered(const struct hd_wrap *w, bool heads, struct hd_text *t)
{
  const bool onoff = w->flow == HD_WRAP_ONOFF, count = w->flow == HD_WRAP_COUNT;
  const uint32_t slots = onoff ? 2 * w->slack + 2 : w->flow == HD_WRAP_READY ? 2 : w->slots_out;
  hd_text_add(
      t,
      "        hd_wrap_out_buffer #(\n            .CHANNELS(CHANNELS),\n            .VC_W    "
      "(VC_W),\n"
      "            .DATA_W  (DATA_W),\n            .SLOTS   (%" PRIu32
      "),\n            .DEPTH   (%s),\n            .SLACK   (%" PRIu32
      ")%s%s%s\n        ) u_buffer (\n"
      "            .clk     (clk),\n            .rst     (rst),\n            .go_i    (go),\n"
      "            .valid_i (b_in_valid),\n            .head_i  (b_in_head),\n            .tail_i  "
      "(b_in_tail),\n"
      "            .data_i  (b_in_data),\n            .on_o    (b_on),\n            .free_o  "
      "(%s),\n"
      "            .credit_o(b_credit),\n            .freed_o (b_freed),\n            .ready_i "
      "(o_ready),\n            .gain_i  (out_credit_i[p*VCS+:VCS]),\n            .valid_o "
      "(b_valid),\n"
      "            .head_o  (b_head),\n            .tail_o  (b_tail),\n            .vc_o    "
      "(b_channel),\n"
      "            .data_o  (b_data),\n            .idle_o  (b_idle)\n        );\n",
      slots, w->flow == HD_WRAP_CREDIT ? "DEPTH" : "0", onoff ? w->slack : 0,
      count ? ",\n            .FREE_W  (" : "",
      count ? w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_FREE].one : "", count ? ")" : "",
      count ? "b_free" : "");
  add_held_back(w, t);
  if (hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FREED))
    hd_text_add(t, "        assign from_freed[p*CHANNELS+:CHANNELS] = b_freed;\n");
  add_out(heads, "b_valid", "b", "b_data", t);
  if (w->idle)
    hd_text_add(t, "        assign out_idle[p] = b_idle && b_told && !out_valid_o[p];\n");
}

/* Adds the logic for routers whose channels have separate pins, so that several may send in one
 * cycle. */
static void add_lanes(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "        // flits that leave, each channel by itself\n"
                 "        wire [CHANNELS-1:0] o_ready;\n");
  add_buffer_wires(w, t);
  hd_text_add(
      t,
      "        for (v = 0; v < CHANNELS; v = v + 1) begin : lane\n"
      "        wire o_valid = from_valid[p*CHANNELS+v];\n        wire o_take = o_valid%s;\n",
      w->flow == HD_WRAP_READY ? " && b_on[v]" : "");
  const bool heads = add_ends(w, true, t);
  add_own_data(w, true, t);
  add_carried(w, heads, true, t);
  hd_text_add(t, "        assign b_in_valid[v] = o_take;\n        assign b_in_head[v] = o_head;\n"
                 "        assign b_in_tail[v] = o_tail;\n"
                 "        assign b_in_data[v*DATA_W+:DATA_W] = o_carried;\n        end\n");
  add_leaves_buffered(w, heads, t);
}

void hd_wrap_leaves(const struct hd_wrap *w, struct hd_text *t)
{
  if (hd_wrap_has_lanes(w, HD_WRAP_OUT)) {
    add_lanes(w, t);
    return;
  }
  hd_text_add(t, "        // flits that leave\n        wire o_valid = %s;\n",
              w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_VALID].each_vc
                  ? "|from_valid[p*CHANNELS+:CHANNELS]"
                  : "from_valid[p]");
  add_own_data(w, false, t);
  add_channel(w, t);
  if (w->flow != HD_WRAP_NATIVE)
    hd_text_add(t, "        wire [CHANNELS-1:0] o_ready;\n        wire o_take = o_valid%s;\n",
                w->flow == HD_WRAP_READY ? " && o_ready[o_channel]" : "");
  const bool heads = add_ends(w, false, t);
  if (w->flow == HD_WRAP_NATIVE) {
    add_leaves_native(t);
    return;
  }
  add_carried(w, heads, false, t);
  if (w->flow == HD_WRAP_READY) {
    add_leaves_ready(w, heads, t);
    return;
  }
  add_buffer_wires(w, t);
  hd_text_add(t, "        assign b_in_valid = o_take ? 1 << o_channel : 0;\n"
                 "        assign b_in_head = {CHANNELS{o_head}};\n"
                 "        assign b_in_tail = {CHANNELS{o_tail}};\n"
                 "        assign b_in_data = {CHANNELS{o_carried}};\n");
  add_leaves_buffered(w, heads, t);
}
