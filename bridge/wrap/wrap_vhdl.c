/* Writes the entity hd_switch around a router in VHDL, as text that people can read. Counterpart of wrap_verilog.c.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Vectors to_PIN and from_PIN hold a pin of all ports, port 0 in the lowest bits: `to` goes with
 * the flits that enter the router, `from` with those that leave it. Local names of a port begin
 * with i_ (enters), o_ (leaves), s_ (fields as they leave). Expressions in a description are
 * Verilog. They are translated if VHDL has an equivalent.
 */
#include "wrap_vhdl.h"

#include "wrap_verilog.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── vectors ───────────────────────────────────────────────────────────────── */

static bool has_each_vc(const struct hd_wrap *w, unsigned side, unsigned pin)
{
  return w->pin[side][pin].each_vc;
}

#define CHANNELS_OF_P "((p + 1) * CHANNELS - 1 downto p * CHANNELS)"

/* ── entity ────────────────────────────────────────────────────────────────── */

static void add_comment(const struct hd_wrap *w, struct hd_text *t)
{
  const char *slash = strrchr(w->path, '/');
  hd_text_add(t,
              "-- The pins of Heddle's switch around %s, made by `heddle wrap` from %s.\n--\n"
              "-- Ports as in section 2.11 of Heddle's specification. to_ and from_ vectors hold a "
              "pin of the router for all\n"
              "-- ports, port 0 in the lowest bits: to_ goes with flits that enter the router, "
              "from_ with flits that leave it.\n",
              w->top, hd_quote(slash ? slash + 1 : w->path).text);
}

static void add_entity(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(
      t,
      "library ieee;\nuse ieee.std_logic_1164.all;\nuse ieee.numeric_std.all;\nuse "
      "work.hd_wrap.all;\n\n"
      "entity hd_switch is\n  generic (\n    PORTS         : positive := %" PRIu32 ";\n"
      "    VCS           : positive := %s;\n    DATA_W        : positive := 32;\n"
      "    DEPTH         : positive := 4;\n    NODES         : positive := 16;\n"
      "    ROUTE_CYCLES  : natural  := 1; -- what follows is set by every build, without a meaning "
      "here\n"
      "    ARB_CYCLES    : natural  := 1;\n    BUFFER_CYCLES : natural  := 0;\n"
      "    CUT_FLITS     : natural  := 0;\n    SOURCE_TABLE  : natural  := 0;\n"
      "    ADAPTIVE      : natural  := 0\n  );\n  port (\n"
      "    clk          : in  std_logic;\n    rst          : in  std_logic;\n"
      "    in_valid_i   : in  std_logic_vector(PORTS - 1 downto 0);\n"
      "    in_kind_i    : in  std_logic_vector(PORTS * 3 - 1 downto 0);\n"
      "    in_vc_i      : in  std_logic_vector(PORTS * width_of(VCS) - 1 downto 0);\n"
      "    in_data_i    : in  std_logic_vector(PORTS * DATA_W - 1 downto 0);\n"
      "    in_credit_o  : out std_logic_vector(PORTS * VCS - 1 downto 0);\n"
      "    out_valid_o  : out std_logic_vector(PORTS - 1 downto 0);\n"
      "    out_kind_o   : out std_logic_vector(PORTS * 3 - 1 downto 0);\n"
      "    out_vc_o     : out std_logic_vector(PORTS * width_of(VCS) - 1 downto 0);\n"
      "    out_data_o   : out std_logic_vector(PORTS * DATA_W - 1 downto 0);\n"
      "    out_credit_i : in  std_logic_vector(PORTS * VCS - 1 downto 0);\n"
      "    cfg_write_i  : in  std_logic;\n    cfg_read_i   : in  std_logic;\n"
      "    cfg_addr_i   : in  std_logic_vector(19 downto 0);\n"
      "    cfg_wdata_i  : in  std_logic_vector(15 downto 0);\n"
      "    cfg_rdata_o  : out std_logic_vector(15 downto 0);\n"
      "    quiescent_o  : out std_logic\n  );\nend entity;\n\n",
      w->count ? w->count : 5, strcmp(w->channels, "VCS") ? w->channels : "2");
}

static void add_constants(const struct hd_wrap *w, struct hd_text *t)
{
  static const char *const keys[] = {"body", "tail", "head", "single"};
  char count[16] = "PORTS";
  if (w->count)
    snprintf(count, sizeof count, "%" PRIu32, w->count);
  hd_text_add(t,
              "  constant N        : positive := %s; -- ports of the router\n"
              "  constant CHANNELS : positive := %s;\n"
              "  constant VC_W     : positive := width_of(VCS);\n"
              "  constant NODE_W   : positive := width_of(NODES);\n",
              count, w->channels);
  if (w->columns) {
    hd_text_add(t, "  constant COLUMNS  : positive := ");
    hd_wrap_vhdl_expression(w->columns, false, t);
    hd_text_add(t, ";\n");
  }
  for (unsigned k = 0; w->type_is_used && k < 4; k++) {
    hd_text_add(t, "  constant %c%s_CODE : natural := ", toupper(keys[k][0]), keys[k] + 1);
    const char *value = (const char *[]){"0", "1", "2", "3"}[k];
    for (uint32_t i = 0; i < w->type.n; i++)
      if (!strcmp(w->type.items[i].name, keys[k]))
        value = w->type.items[i].value;
    hd_wrap_vhdl_expression(value, false, t);
    hd_text_add(t, ";\n");
  }
  for (uint32_t i = 0; i < w->n_fields; i++)
    hd_text_add(t, "%s%s%s", i ? " + " : "  constant FLIT_W   : positive := ", w->fields[i].width,
                i + 1 < w->n_fields ? "" : ";\n");
}

static void add_signals(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin))
        hd_text_add(t, "  signal %s_%s : std_logic_vector(N * (%s) - 1 downto 0);\n",
                    hd_wrap_vector(side), hd_wrap_pin_name(pin), hd_wrap_width(w, side, pin));
  hd_text_add(t, "  signal reset, go, router_reset : std_logic;\n");
  if (strcmp(w->tables, "none"))
    hd_text_add(t, "  signal hd_cfg_write : std_logic;\n"
                   "  signal hd_cfg_addr : std_logic_vector(19 downto 0);\n"
                   "  signal hd_cfg_data : std_logic_vector(15 downto 0);\n");
  if (w->has_position)
    hd_text_add(t, "  signal node_q : natural range 0 to 4095 := 0;\n"
                   "  signal hd_node : std_logic_vector(15 downto 0);\n");
  if (w->has_position && w->columns)
    hd_text_add(t, "  signal hd_x, hd_y : std_logic_vector(15 downto 0);\n");
  if (w->idle)
    hd_text_add(t, "  signal router_idle : std_logic;\n"
                   "  signal in_idle, out_idle : std_logic_vector(N - 1 downto 0);\n");
}

/* ── limits, position, reset ───────────────────────────────────────────────── */

static void add_width(const char *where, const char *field, const char *width, const char *least,
                      const char *key, struct hd_text *t)
{
  (void)where;
  hd_text_add(t,
              "  assert %s >= %s report \"the_field_%s_is_narrower_than_%s\" severity failure;\n",
              width, least + (*least == '$'), field, key);
}

static void add_limits(const struct hd_wrap *w, struct hd_text *t)
{
  if (w->count)
    hd_text_add(t,
                "  assert PORTS <= %" PRIu32 " report \"the router has %" PRIu32
                " ports, and the scenario needs more\" severity failure;\n",
                w->count, w->count);
  if (strcmp(w->channels, "VCS"))
    hd_text_add(t,
                "  assert VCS = %s report \"the router has %s channels, so switch.vcs must be %s\" "
                "severity failure;\n",
                w->channels, w->channels, w->channels);
  hd_wrap_widths(w, add_width, t);
}

static void add_position(const struct hd_wrap *w, struct hd_text *t)
{
  if (!w->has_position)
    return;
  hd_text_add(t,
              "\n  -- The node of this switch: the destination whose way, in the table of port 0, "
              "leads to port %" PRIu32 " (section\n"
              "  -- 3.2). Tables are written before the last reset.\n"
              "  process (clk)\n  begin\n    if rising_edge(clk) and rst = '0' and cfg_write_i = "
              "'1' and cfg_addr_i(19 downto 12) = x\"10\"\n"
              "       and cfg_wdata_i(12) = '1' and index(cfg_wdata_i(3 downto 0)) = %" PRIu32
              " then\n      node_q <= index(cfg_addr_i(11 downto 0));\n    end if;\n"
              "  end process;\n  hd_node <= field(node_q, 16);\n",
              w->node_port, w->node_port);
  if (w->columns)
    hd_text_add(t, "  hd_x <= field(node_q mod COLUMNS, 16);\n"
                   "  hd_y <= field(node_q / COLUMNS, 16);\n");
}

static void add_reset(const struct hd_wrap *w, struct hd_text *t)
{
  if (w->flow == HD_WRAP_NATIVE)
    hd_text_add(t, "\n  reset <= rst;\n  go <= '1';\n");
  else
    hd_text_add(t,
                "\n  resets : entity work.hd_wrap_reset\n    generic map (CYCLES => %" PRIu32
                ", SETTLE => %" PRIu32
                ")\n    port map (clk => clk, rst => rst, reset_o => reset, go_o => go);\n",
                w->reset_cycles, w->settle_cycles);
  hd_text_add(t, "  router_reset <= %sreset;\n", w->reset_low ? "not " : "");
}

/* Adds the configuration port for the router's pins. */
static void add_tables(const struct hd_wrap *w, struct hd_text *t)
{
  if (strcmp(w->tables, "none"))
    hd_text_add(t, "\n  hd_cfg_write <= cfg_write_i;\n  hd_cfg_addr <= cfg_addr_i;\n"
                   "  hd_cfg_data <= cfg_wdata_i;\n");
}

/* ── what enters the router ────────────────────────────────────────────────── */

static void add_field_value(unsigned kind, const char *width, struct hd_text *t)
{
  static const char *const values[] = {
      [HD_WRAP_FIELD_DATA] = "i_data",
      [HD_WRAP_FIELD_KIND] = "i_kind",
      [HD_WRAP_FIELD_HEAD] = "i_kind(1)",
      [HD_WRAP_FIELD_TAIL] = "i_kind(0)",
      [HD_WRAP_FIELD_TYPE] = "code(i_kind, Body_CODE, Tail_CODE, Head_CODE, Single_CODE)",
      [HD_WRAP_FIELD_VC] = "i_vc",
      [HD_WRAP_FIELD_VC_ONEHOT] = "onehot(index(i_vc), CHANNELS)",
      [HD_WRAP_FIELD_DEST] = "i_dest",
      [HD_WRAP_FIELD_COLUMN] = "index(i_dest) mod COLUMNS",
      [HD_WRAP_FIELD_ROW] = "index(i_dest) / COLUMNS",
  };
  hd_text_add(t, "field(%s, %s)", values[kind], width);
}

/* Adds signals that show which channels may send, and whether the offered flit is taken. */
static void add_go_ahead(const struct hd_wrap *w, struct hd_text *t)
{
  const bool each = has_each_vc(w, HD_WRAP_IN, HD_WRAP_SIGNAL_READY);
  if (w->flow == HD_WRAP_READY && !each)
    hd_text_add(t, "      i_may <= (others => '1');\n      i_take <= to_ready(p);\n");
  else if (w->flow == HD_WRAP_READY)
    hd_text_add(t, "      i_may <= (others => '1') when CHANNELS = 1 else to_ready" CHANNELS_OF_P
                   ";\n      i_take <= to_ready(p * CHANNELS) when CHANNELS = 1 else '1';\n");
  else if (w->flow == HD_WRAP_ONOFF)
    hd_text_add(t, "      i_may <= %sto_on" CHANNELS_OF_P ";\n      i_take <= '1';\n",
                w->on_low ? "not " : "");
  else {
    hd_text_add(t, "      i_take <= '1';\n      channel : for v in 0 to CHANNELS - 1 generate\n"
                   "        signal gain : std_logic;\n      begin\n        gain <= go and ");
    if (hd_wrap_uses(w, HD_WRAP_IN, HD_WRAP_SIGNAL_CREDIT_VC)) {
      hd_text_add(t, "to_credit(p) when index(");
      hd_wrap_vhdl_slice(w, HD_WRAP_IN, HD_WRAP_SIGNAL_CREDIT_VC, "p", false, t);
      hd_text_add(t, ") = v else '0';\n");
    } else {
      hd_text_add(t, "to_credit(p * CHANNELS + v);\n");
    }
    hd_text_add(t,
                "        credits : entity work.hd_wrap_credits\n          generic map (SLOTS => ");
    hd_wrap_vhdl_expression(w->slots, false, t);
    hd_text_add(t, ")\n          port map (clk => clk, rst => rst, spend_i => i_sent(v), gain_i => "
                   "gain, some_o => i_may(v));\n      end generate;\n");
  }
}

static void add_enters_adapted(const struct hd_wrap *w, struct hd_text *t)
{
  const bool each = has_each_vc(w, HD_WRAP_IN, HD_WRAP_SIGNAL_READY);
  add_go_ahead(w, t);
  hd_text_add(
      t,
      "      enters : entity work.hd_wrap_in\n        generic map (CHANNELS => CHANNELS, VC_W => "
      "VC_W, DATA_W => DATA_W, DEPTH => DEPTH, NODE_W => NODE_W,\n"
      "                     HOLD => %s, SINGLE => %s)\n"
      "        port map (\n          clk => clk, rst => rst, valid_i => in_valid_i(p), kind_i => "
      "in_kind_i(3 * p + 2 downto 3 * p),\n"
      "          vc_i => in_vc_i((p + 1) * VC_W - 1 downto p * VC_W),\n"
      "          data_i => in_data_i((p + 1) * DATA_W - 1 downto p * DATA_W),\n"
      "          credit_o => in_credit_o((p + 1) * VCS - 1 downto p * VCS), go_i => go, may_i => "
      "i_may, take_i => i_take,\n"
      "          valid_o => i_valid, kind_o => i_kind, vc_o => i_vc, data_o => i_data, dest_o => "
      "i_dest, sent_o => i_sent,\n          idle_o => %s\n        );\n",
      w->flow != HD_WRAP_READY ? "false"
      : each                   ? "CHANNELS = 1"
                               : "true",
      w->single ? "true" : "false", w->idle ? "in_idle(p)" : "open");
}

static void add_enters(const struct hd_wrap *w, struct hd_text *t)
{
  if (w->flow == HD_WRAP_NATIVE)
    hd_text_add(
        t, "      i_valid <= in_valid_i(p);\n      i_kind <= in_kind_i(3 * p + 2 downto 3 * "
           "p);\n      i_vc <= in_vc_i((p + 1) * VC_W - 1 downto p * VC_W);\n"
           "      i_data <= in_data_i((p + 1) * DATA_W - 1 downto p * DATA_W);\n"
           "      in_credit_o((p + 1) * VCS - 1 downto p * VCS) <= to_credit" CHANNELS_OF_P ";\n");
  else
    add_enters_adapted(w, t);
  for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++) {
    if (!hd_wrap_uses(w, HD_WRAP_IN, pin) || hd_wrap_goes_back(pin))
      continue;
    hd_text_add(t, "      ");
    hd_wrap_vhdl_slice(w, HD_WRAP_IN, pin, "p", false, t);
    hd_text_add(t, " <= ");
    if (pin == HD_WRAP_SIGNAL_VALID && has_each_vc(w, HD_WRAP_IN, pin))
      hd_text_add(t, "onehot(index(i_vc), CHANNELS) when i_valid = '1' else (CHANNELS - 1 downto 0 "
                     "=> '0')");
    else if (pin == HD_WRAP_SIGNAL_VALID)
      hd_text_add(t, "field(i_valid, 1)");
    else if (pin != HD_WRAP_SIGNAL_FLIT)
      add_field_value(pin - HD_WRAP_SIGNALS, hd_wrap_width(w, HD_WRAP_IN, pin), t);
    else
      for (uint32_t i = 0; i < w->n_fields; i++) {
        hd_text_add(t, "%s", i ? " & " : "");
        if (w->fields[i].text)
          hd_wrap_vhdl_expression(w->fields[i].text, true, t);
        else
          add_field_value(w->fields[i].kind, w->fields[i].width, t);
      }
    hd_text_add(t, ";\n");
  }
}

/* ── what leaves the router ────────────────────────────────────────────────── */

/* Declares s_FIELD and assigns it. False: the router does not output the field. */
static bool add_seen(const struct hd_wrap *w, unsigned kind, struct hd_text *declared,
                     struct hd_text *t)
{
  const unsigned pin = HD_WRAP_SIGNALS + kind;
  const char *name = hd_wrap_pin_name(pin), *declare =
                                                "      signal s_%s : std_logic_vector(%s - 1 "
                                                "downto 0);\n";
  if (hd_wrap_uses(w, HD_WRAP_OUT, pin)) {
    hd_text_add(declared, declare, name, hd_wrap_width(w, HD_WRAP_OUT, pin));
    hd_text_add(t, "      s_%s <= ", name);
    hd_wrap_vhdl_slice(w, HD_WRAP_OUT, pin, "p", false, t);
    hd_text_add(t, ";\n");
    return true;
  }
  for (uint32_t i = 0; hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_FLIT) && i < w->n_fields; i++)
    if (w->fields[i].kind == kind) {
      struct hd_text offset = {0};
      for (uint32_t below = i + 1; below < w->n_fields; below++)
        hd_text_add(&offset, " + %s", w->fields[below].width);
      hd_text_add(declared, declare, name, w->fields[i].width);
      hd_text_add(t, "      s_%s <= from_flit(p * FLIT_W%s + %s - 1 downto p * FLIT_W%s);\n", name,
                  hd_text_chars(&offset), w->fields[i].width, hd_text_chars(&offset));
      hd_text_fini(&offset);
      return true;
    }
  return false;
}

/* Assigns o_head and o_tail. Returns whether the router marks heads. */
static bool add_ends(const struct hd_wrap *w, struct hd_text *declared, struct hd_text *t)
{
  if (w->single) {
    hd_text_add(t, "      o_head <= '1';\n      o_tail <= '1';\n");
    return true;
  }
  if (add_seen(w, HD_WRAP_FIELD_KIND, declared, t)) {
    hd_text_add(t, "      o_head <= s_kind(1);\n      o_tail <= s_kind(0);\n");
    return true;
  }
  if (hd_wrap_types_tell(w, "tail") && add_seen(w, HD_WRAP_FIELD_TYPE, declared, t)) {
    const bool marked = hd_wrap_types_tell(w, "head");
    hd_text_add(t,
                "      o_head <= '%s;\n"
                "      o_tail <= '1' when index(s_type) = Tail_CODE or index(s_type) = "
                "Single_CODE else '0';\n",
                marked ? "1' when index(s_type) = Head_CODE or index(s_type) = Single_CODE else '0'"
                       : "0'");
    return marked;
  }
  add_seen(w, HD_WRAP_FIELD_TAIL, declared, t);
  hd_text_add(t, "      o_tail <= s_tail(0);\n");
  const bool heads = add_seen(w, HD_WRAP_FIELD_HEAD, declared, t);
  hd_text_add(t, heads ? "      o_head <= s_head(0);\n"
                       : "      o_head <= '0'; -- follows from the tail before\n");
  return heads;
}

static void add_channel(const struct hd_wrap *w, struct hd_text *declared, struct hd_text *t)
{
  if (!hd_wrap_is_several(w))
    hd_text_add(t, "      o_channel <= (others => '0');\n");
  else if (has_each_vc(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_VALID))
    hd_text_add(t, "      o_channel <= field(number(from_valid" CHANNELS_OF_P "), VC_W);\n");
  else if (add_seen(w, HD_WRAP_FIELD_VC, declared, t))
    hd_text_add(t, "      o_channel <= field(s_vc, VC_W);\n");
  else if (add_seen(w, HD_WRAP_FIELD_VC_ONEHOT, declared, t))
    hd_text_add(t, "      o_channel <= field(number(s_vc_onehot), VC_W);\n");
}

static void add_leaves_native(struct hd_text *t)
{
  hd_text_add(
      t, "      out_valid_o(p) <= o_valid;\n"
         "      out_kind_o(3 * p + 2 downto 3 * p) <= '0' & o_head & o_tail;\n"
         "      out_vc_o((p + 1) * VC_W - 1 downto p * VC_W) <= o_channel;\n"
         "      out_data_o((p + 1) * DATA_W - 1 downto p * DATA_W) <= field(s_data, DATA_W);\n"
         "      from_credit" CHANNELS_OF_P " <= out_credit_i((p + 1) * VCS - 1 downto p * VCS);\n");
}

static void add_out(bool heads, const char *prefix, const char *valid, const char *data,
                    struct hd_text *t)
{
  hd_text_add(t,
              "      leaves : entity work.hd_wrap_out\n        generic map (CHANNELS => CHANNELS, "
              "VC_W => VC_W, DATA_W => DATA_W, DEPTH => DEPTH, HEADS => %s)\n"
              "        port map (\n          clk => clk, rst => rst, go_i => go, valid_i => %s, "
              "head_i => %s_head, tail_i => %s_tail,\n"
              "          vc_i => %s_channel, data_i => %s, ready_o => o_ready, valid_o => "
              "out_valid_o(p),\n"
              "          kind_o => out_kind_o(3 * p + 2 downto 3 * p), vc_o => out_vc_o((p + 1) * "
              "VC_W - 1 downto p * VC_W),\n"
              "          data_o => out_data_o((p + 1) * DATA_W - 1 downto p * DATA_W),\n"
              "          credit_i => out_credit_i((p + 1) * VCS - 1 downto p * VCS)\n        );\n",
              heads ? "false" : "true", valid, prefix, prefix, prefix, data);
}

static void add_leaves_ready(const struct hd_wrap *w, bool heads, struct hd_text *t)
{
  if (has_each_vc(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_READY))
    hd_text_add(t, "      from_ready" CHANNELS_OF_P " <= o_ready;\n");
  else
    hd_text_add(t, "      from_ready(p) <= bit_at(o_ready, index(o_channel));\n");
  hd_text_add(t, "      o_offered <= o_valid and bit_at(o_ready, index(o_channel));\n");
  add_out(heads, "o", "o_offered", "o_data", t);
  if (w->idle)
    hd_text_add(t, "      out_idle(p) <= not out_valid_o(p);\n");
}

static void add_leaves_buffered(const struct hd_wrap *w, bool heads, struct hd_text *t)
{
  const bool onoff = w->flow == HD_WRAP_ONOFF;
  hd_text_add(t,
              "      kept : entity work.hd_wrap_out_buffer\n        generic map (CHANNELS => "
              "CHANNELS, VC_W => VC_W, DATA_W => DATA_W, SLOTS => %" PRIu32
              ", DEPTH => %s, SLACK => %" PRIu32
              ")\n        port map (\n          clk => clk, rst => rst, go_i => go, valid_i => "
              "o_valid, head_i => o_head, tail_i => o_tail, vc_i => o_channel,\n"
              "          data_i => o_data, on_o => b_on, credit_o => b_credit, ready_i => o_ready, "
              "gain_i => out_credit_i((p + 1) * VCS - 1 downto p * VCS), valid_o => b_valid,\n"
              "          head_o => b_head, tail_o => b_tail, vc_o => b_channel, data_o => b_data, "
              "idle_o => b_idle\n        );\n",
              onoff ? 2 * w->slack + 2 : w->slots_out, onoff ? "0" : "DEPTH", onoff ? w->slack : 0);
  if (onoff)
    hd_text_add(t, "      from_on" CHANNELS_OF_P " <= %sb_on;\n", w->on_low ? "not " : "");
  else if (!hd_wrap_uses(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC))
    hd_text_add(t, "      from_credit" CHANNELS_OF_P " <= b_credit;\n");
  else {
    hd_text_add(t, "      from_credit(p) <= or b_credit;\n      ");
    hd_wrap_vhdl_slice(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC, "p", false, t);
    hd_text_add(t, " <= field(number(b_credit), %s);\n",
                hd_wrap_width(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_CREDIT_VC));
  }
  add_out(heads, "b", "b_valid", "b_data", t);
  if (w->idle)
    hd_text_add(t, "      out_idle(p) <= b_idle and not out_valid_o(p);\n");
}

/* Assigns o_data. A head gets the destination from the router's own fields, as in add_carried of
 * wrap_leaves.c. */
static void add_carried(const struct hd_wrap *w, bool heads, struct hd_text *declared,
                        struct hd_text *t)
{
  const unsigned shown = hd_wrap_shows_dest(w);
  if (!shown) {
    hd_text_add(t, "      o_data <= field(s_data, DATA_W);\n");
    return;
  }
  add_seen(w, shown, declared, t);
  if (shown == HD_WRAP_FIELD_COLUMN)
    add_seen(w, HD_WRAP_FIELD_ROW, declared, t);
  hd_text_add(declared, "      signal o_first : std_logic;\n");
  if (heads) {
    hd_text_add(t, "      o_first <= o_head;\n");
  } else {
    hd_text_add(declared, "      signal o_inside : std_logic_vector(CHANNELS - 1 downto 0);\n");
    hd_text_add(t,
                "      o_first <= not bit_at(o_inside, index(o_channel));\n"
                "      process (clk)\n      begin\n        if rising_edge(clk) then\n"
                "          if rst = '1' then\n            o_inside <= (others => '0');\n"
                "          elsif %s = '1' and go = '1' then\n"
                "            o_inside(index(o_channel)) <= not o_tail;\n          end if;\n"
                "        end if;\n      end process;\n",
                w->flow == HD_WRAP_READY ? "o_offered" : "o_valid");
  }
  hd_text_add(
      t,
      "      o_data(1 downto 0) <= s_data(1 downto 0);\n"
      "      o_data(NODE_W + 1 downto 2) <= %s when o_first = '1'\n"
      "        else s_data(NODE_W + 1 downto 2);\n"
      "      o_data(DATA_W - 1 downto NODE_W + 2) <= s_data(DATA_W - 1 downto NODE_W + 2);\n",
      shown == HD_WRAP_FIELD_DEST ? "field(s_dest, NODE_W)"
                                  : "field(index(s_y) * COLUMNS + index(s_x), NODE_W)");
}

static void add_leaves(const struct hd_wrap *w, struct hd_text *declared, struct hd_text *t)
{
  hd_text_add(t, has_each_vc(w, HD_WRAP_OUT, HD_WRAP_SIGNAL_VALID)
                     ? "      o_valid <= or from_valid" CHANNELS_OF_P ";\n"
                     : "      o_valid <= from_valid(p);\n");
  add_seen(w, HD_WRAP_FIELD_DATA, declared, t);
  const bool heads = add_ends(w, declared, t);
  add_channel(w, declared, t);
  if (w->flow == HD_WRAP_NATIVE) {
    add_leaves_native(t);
    return;
  }
  add_carried(w, heads, declared, t);
  if (w->flow == HD_WRAP_READY)
    add_leaves_ready(w, heads, t);
  else
    add_leaves_buffered(w, heads, t);
}

/* ── ports ─────────────────────────────────────────────────────────────────── */

/* Adds ports of the router that the fabric does not use: no flit enters, and leaving flits are
 * lost. */
static void add_spare(const struct hd_wrap *w, struct hd_text *t)
{
  for (unsigned side = 0; side < HD_WRAP_SIDES; side++)
    for (unsigned pin = 0; pin < HD_WRAP_PINS; pin++)
      if (hd_wrap_uses(w, side, pin) && hd_wrap_goes_back(pin) == (side == HD_WRAP_OUT)) {
        const bool ones = pin == HD_WRAP_SIGNAL_READY || (pin == HD_WRAP_SIGNAL_ON && !w->on_low);
        hd_text_add(t, "      ");
        hd_wrap_vhdl_slice(w, side, pin, "p", false, t);
        hd_text_add(t, " <= (others => '%d');\n", ones);
      }
  if (w->idle)
    hd_text_add(t, "      in_idle(p) <= '1';\n      out_idle(p) <= '1';\n");
}

static void add_ports(const struct hd_wrap *w, struct hd_text *t)
{
  struct hd_text declared = {0}, in = {0}, out = {0};
  add_enters(w, &in);
  add_leaves(w, &declared, &out);
  hd_text_add(t,
              "\n  router_ports : for p in 0 to N - 1 generate\n    used : if p < PORTS generate\n"
              "      signal i_valid, o_valid, o_head, o_tail : std_logic;\n"
              "      signal i_kind : std_logic_vector(2 downto 0);\n"
              "      signal i_vc, o_channel : std_logic_vector(VC_W - 1 downto 0);\n"
              "      signal i_data : std_logic_vector(DATA_W - 1 downto 0);\n");
  if (w->flow != HD_WRAP_NATIVE)
    hd_text_add(t,
                "      signal i_dest : std_logic_vector(NODE_W - 1 downto 0);\n"
                "      signal i_may, i_sent, o_ready : std_logic_vector(CHANNELS - 1 downto 0);\n"
                "      signal i_take, o_offered : std_logic;\n"
                "      signal o_data : std_logic_vector(DATA_W - 1 downto 0);\n");
  if (w->flow == HD_WRAP_ONOFF || w->flow == HD_WRAP_CREDIT)
    hd_text_add(t, "      signal b_valid, b_head, b_tail, b_idle : std_logic;\n"
                   "      signal b_channel : std_logic_vector(VC_W - 1 downto 0);\n"
                   "      signal b_data : std_logic_vector(DATA_W - 1 downto 0);\n"
                   "      signal b_on, b_credit : std_logic_vector(CHANNELS - 1 downto 0);\n");
  hd_text_add(t, "%s    begin\n      -- flits that enter\n%s      -- flits that leave\n%s",
              hd_text_chars(&declared), hd_text_chars(&in), hd_text_chars(&out));
  if (w->idle && w->flow == HD_WRAP_NATIVE)
    hd_text_add(t, "      in_idle(p) <= '1';\n      out_idle(p) <= '1';\n");
  hd_text_add(t, "    end generate;\n");
  if (w->count) {
    hd_text_add(t, "    spare : if p >= PORTS generate -- the fabric has no such port\n");
    add_spare(w, t);
    hd_text_add(t, "    end generate;\n");
  }
  hd_text_add(t, "  end generate;\n");
  hd_text_fini(&declared);
  hd_text_fini(&in);
  hd_text_fini(&out);
}

/* ── end ───────────────────────────────────────────────────────────────────── */

static void add_end(const struct hd_wrap *w, struct hd_text *t)
{
  hd_text_add(t, "\n  cfg_rdata_o <= (others => '0'); -- it has no registers to be read\n");
  if (!w->idle)
    hd_text_add(t,
                "  quiescent_o <= '0'; -- evaluated in every cycle: nothing says when the router "
                "is idle\n");
  else
    hd_text_add(t,
                "  -- 1 promises that nothing changes until an input is active (section 2.10)\n"
                "  process (clk)\n  begin\n    if rising_edge(clk) then\n"
                "      quiescent_o <= '1' when rst = '%s (router_idle = '1' and go = '1' and "
                "(and in_idle) = '1' and (and out_idle) = '1'\n"
                "                              and (or in_valid_i) = '0' and (or out_credit_i) = "
                "'0' and cfg_write_i = '0' and cfg_read_i = '0')\n"
                "                     else '0';\n    end if;\n  end process;\n",
                w->flow == HD_WRAP_NATIVE ? "1' or"
                                          : "0' and"); /* a longer reset is counted after rst */
  hd_text_add(t, "end architecture;\n");
}

void hd_wrap_entity(const struct hd_wrap *w, struct hd_text *t)
{
  if (!w->vhdl)
    return;
  add_comment(w, t);
  add_entity(w, t);
  hd_text_add(t, "architecture wrapped of hd_switch is\n");
  add_constants(w, t);
  add_signals(w, t);
  hd_text_add(t, "begin\n");
  add_limits(w, t);
  add_position(w, t);
  add_reset(w, t);
  add_tables(w, t);
  add_ports(w, t);
  hd_wrap_vhdl_router(w, t);
  add_end(w, t);
}
