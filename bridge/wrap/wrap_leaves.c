/* The part of a wrapper that takes flits from the router and gives them to Heddle, for one port.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include <inttypes.h>
#include <string.h>

/* The lowest bit of a field in the flit. */
static void add_offset(const struct hd_wrap *w, uint32_t field, struct hd_text *t)
{
  const char *plus = "";
  for (uint32_t i = field + 1; i < w->n_fields; i++, plus = " + ")
    hd_text_add(t, "%s%s", plus, w->fields[i].width);
  if (!*plus)
    hd_text_add(t, "0");
}

/* Declares o_FIELD. False: the router does not show it. */
static bool add_seen(const struct hd_wrap *w, unsigned kind, struct hd_text *t)
{
  const unsigned pin = HD_WRAP_SIGNALS + kind;
  if (hd_wrap_uses(w, HD_WRAP_OUT, pin)) {
    hd_text_add(t, "        wire [%s-1:0] o_%s = ", hd_wrap_width(w, HD_WRAP_OUT, pin),
                hd_wrap_pin_name(pin));
    hd_wrap_slice(w, HD_WRAP_OUT, pin, t);
    hd_text_add(t, ";\n");
    return true;
  }
  for (uint32_t i = 0; hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FLIT) && i < w->n_fields; i++)
    if (w->fields[i].kind == kind) {
      hd_text_add(t, "        wire [%s-1:0] o_%s = from_flit[p*FLIT_W+", w->fields[i].width,
                  hd_wrap_pin_name(pin));
      add_offset(w, i, t);
      hd_text_add(t, "+:%s];\n", w->fields[i].width);
      return true;
    }
  return false;
}

/* Declares o_head and o_tail. Returns whether heads are marked. */
static bool add_ends(const struct hd_wrap *w, struct hd_text *t)
{
  if (w->single) {
    hd_text_add(t, "        wire o_head = 1'b1, o_tail = 1'b1;\n");
    return true;
  }
  if (add_seen(w, HD_WRAP_FIELD_KIND, t)) {
    hd_text_add(t, "        wire o_head = o_kind[1], o_tail = o_kind[0];\n");
    return true;
  }
  if (add_seen(w, HD_WRAP_FIELD_TYPE, t)) {
    hd_text_add(t, "        wire o_head = (o_type == HEAD) || (o_type == SINGLE);\n"
                   "        wire o_tail = (o_type == TAIL) || (o_type == SINGLE);\n");
    return true;
  }
  add_seen(w, HD_WRAP_FIELD_TAIL, t);
  if (add_seen(w, HD_WRAP_FIELD_HEAD, t))
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
  else if (add_seen(w, HD_WRAP_FIELD_VC, t))
    hd_text_add(t, "        assign o_channel = o_vc;\n");
  else if (add_seen(w, HD_WRAP_FIELD_VC_ONEHOT, t))
    hd_text_add(t, "        assign o_channel = number(o_vc_onehot);\n");
}

/* o_carried is data for Heddle. A head has the destination that the router's own fields name: where the router has changed
 * them, the packet goes to another node, which the rules at ports see. */
static void add_carried(const struct hd_wrap *w, bool heads, struct hd_text *t)
{
  const unsigned shown = hd_wrap_shows_dest(w);
  if (!shown) {
    hd_text_add(t, "        wire [DATA_W-1:0] o_carried = o_data[DATA_W-1:0];\n");
    return;
  }
  if (shown == HD_WRAP_FIELD_DEST) {
    add_seen(w, HD_WRAP_FIELD_DEST, t);
    hd_text_add(t, "        wire [NODE_W-1:0] o_names = o_dest[NODE_W-1:0];\n");
  } else {
    add_seen(w, HD_WRAP_FIELD_COLUMN, t);
    add_seen(w, HD_WRAP_FIELD_ROW, t);
    hd_text_add(t, "        wire [NODE_W-1:0] o_names = o_y * COLUMNS + o_x;\n");
  }
  if (!heads)
    hd_text_add(t,
                "        reg [CHANNELS-1:0] o_inside;  // a packet is under way\n"
                "        always @(posedge clk)\n"
                "          if (rst) o_inside <= {CHANNELS{1'b0}};\n"
                "          else if (o_valid && go%s) o_inside[o_channel] <= !o_tail;\n",
                w->flow == HD_WRAP_READY ? " && o_ready[o_channel]" : "");
  hd_text_add(
      t,
      "        // a head goes to the node that the router's own fields name\n"
      "        wire [DATA_W-1:0] o_fields = {{(DATA_W-NODE_W){1'b0}}, {NODE_W{1'b1}}} << 2;\n"
      "        wire [DATA_W-1:0] o_carried = %s ? (o_data[DATA_W-1:0] & ~o_fields) |\n"
      "            ({{(DATA_W-NODE_W){1'b0}}, o_names} << 2) : o_data[DATA_W-1:0];\n",
      heads ? "o_head" : "!o_inside[o_channel]");
}

static void add_leaves_native(struct hd_text *t)
{
  hd_text_add(t, "        assign out_valid_o[p] = o_valid;\n"
                 "        assign out_kind_o[p*3+:3] = {1'b0, o_head, o_tail};\n"
                 "        assign out_vc_o[p*VC_W+:VC_W] = o_channel;\n"
                 "        assign out_data_o[p*DATA_W+:DATA_W] = o_data;\n"
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
  add_out(heads, "o_valid && o_ready[o_channel]", "o", "o_carried", t);
  if (w->idle)
    hd_text_add(t, "        assign out_idle[p] = !out_valid_o[p];\n");
}

static void add_leaves_buffered(const struct hd_wrap *w, bool heads, struct hd_text *t)
{
  const bool onoff = w->flow == HD_WRAP_ONOFF;
  const uint32_t slots = onoff ? 2 * w->slack + 2 : w->slots_out, slack = onoff ? w->slack : 0;
  hd_text_add(
      t,
      "        wire b_valid, b_head, b_tail;\n        wire [VC_W-1:0] b_channel;\n"
      "        wire [DATA_W-1:0] b_data;\n        wire [CHANNELS-1:0] b_on, b_credit, b_freed;\n   "
      "     "
      "wire b_idle;\n"
      "        hd_wrap_out_buffer #(\n            .CHANNELS(CHANNELS),\n            .VC_W    "
      "(VC_W),\n"
      "            .DATA_W  (DATA_W),\n            .SLOTS   (%" PRIu32
      "),\n            .SLACK   (%" PRIu32 ")\n        ) u_buffer (\n"
      "            .clk     (clk),\n            .rst     (rst),\n            .go_i    (go),\n"
      "            .valid_i (o_valid),\n            .head_i  (o_head),\n            .tail_i  "
      "(o_tail),\n"
      "            .vc_i    (o_channel),\n            .data_i  (o_carried),\n            "
      ".on_o    (b_on),\n"
      "            .credit_o(b_credit),\n            .freed_o (b_freed),\n            .ready_i "
      "(o_ready),\n            .valid_o "
      "(b_valid),\n"
      "            .head_o  (b_head),\n            .tail_o  (b_tail),\n            .vc_o    "
      "(b_channel),\n"
      "            .data_o  (b_data),\n            .idle_o  (b_idle)\n        );\n",
      slots, slack);
  if (onoff)
    hd_text_add(t, "        assign from_on[p*CHANNELS+:CHANNELS] = %sb_on;\n",
                w->on_low ? "~" : "");
  else if (!hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC))
    hd_text_add(t, "        assign from_credit[p*CHANNELS+:CHANNELS] = b_credit;\n");
  else {
    hd_text_add(t, "        assign from_credit[p] = |b_credit;\n        assign ");
    hd_wrap_slice(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC, t);
    hd_text_add(t, " = number(b_credit);\n");
  }
  if (hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FREED))
    hd_text_add(t, "        assign from_freed[p*CHANNELS+:CHANNELS] = b_freed;\n");
  add_out(heads, "b_valid", "b", "b_data", t);
  if (w->idle)
    hd_text_add(t, "        assign out_idle[p] = b_idle && !out_valid_o[p];\n");
}

void hd_wrap_leaves(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "        // flits that leave\n        wire o_valid = %s;\n",
              w->pin[HD_WRAP_OUT][HD_WRAP_SIGNAL_VALID].each_vc
                  ? "|from_valid[p*CHANNELS+:CHANNELS]"
                  : "from_valid[p]");
  add_seen(w, HD_WRAP_FIELD_DATA, t);
  const bool heads = add_ends(w, t);
  add_channel(w, t);
  if (w->flow != HD_WRAP_NATIVE)
    hd_text_add(t, "        wire [CHANNELS-1:0] o_ready;\n");
  if (w->flow != HD_WRAP_NATIVE)
    add_carried(w, heads, t);
  if (w->flow == HD_WRAP_NATIVE)
    add_leaves_native(t);
  else if (w->flow == HD_WRAP_READY)
    add_leaves_ready(w, heads, t);
  else
    add_leaves_buffered(w, heads, t);
}
