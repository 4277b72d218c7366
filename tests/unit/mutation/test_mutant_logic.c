/* Cells are described by signals of the RTL: each lookup table is written as an equal expression, and its readers are
 * those of the netlist.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/mutation/mutant_logic.h"
#include "../lib/test.h"

/* ── tables ────────────────────────────────────────────────────────────────── */

/* The value of an expression of the nets a, b and c, whose values are the bits of `row`; *at moves past it. */
static unsigned value_of(const char **at, unsigned row)
{
  unsigned value, inverted = 0;
  while (**at == '!') {
    inverted ^= 1;
    ++*at;
  }
  if (**at >= 'a')
    value = row >> (*(*at)++ - 'a') & 1;
  else if (!strncmp(*at, "8'h", 3)) {
    char *bracket;
    const unsigned long table = strtoul(*at + 3, &bracket, 16);
    unsigned index = 0;
    *at = bracket + 2; /* "[{" */
    for (unsigned i = 0; i < 3; i++, *at += 2)
      index = index << 1 | value_of(at, row);
    value = (unsigned)(table >> index) & 1;
  } else if (**at == '(') {
    ++*at;
    value = value_of(at, row);
    const char *sign = *at + 1;
    *at += *sign == '=' ? 4 : 3;
    const unsigned other = value_of(at, row);
    if (*sign == '?') {
      *at += 3;
      const unsigned third = value_of(at, row);
      value = value ? other : third;
    } else
      value = *sign == '&'   ? value & other
              : *sign == '|' ? value | other
              : *sign == '^' ? value ^ other
                             : value == other;
    ++*at;
  } else
    value = (unsigned)(*(*at)++ - '0');
  return value ^ inverted;
}

/* All tables, with each input a net, 0 or 1. */
TEST(every_lookup_table_is_written_as_an_equal_expression)
{
  char *names[5] = {NULL, NULL, "a", "b", "c"};
  struct hd_lut lut = {.inputs = 3, .y = 5};
  const struct hd_netlist netlist = {.luts = &lut,
                                     .names = (char *[6]){NULL, NULL, "a", "b", "c", NULL},
                                     .n_luts = 1,
                                     .n_nets = 6};
  for (unsigned table = 0; table < 256; table++)
    for (unsigned inputs = 0; inputs < 27; inputs++) {
      CLEANUP(hd_text_fini) struct hd_text text = {0};
      lut.table = (uint8_t)table;
      for (unsigned i = 0, rest = inputs; i < 3; i++, rest /= 3)
        lut.a[i] = rest % 3 == 2 ? i + 2 : rest % 3;
      struct hd_logic *logic = hd_logic_create(&netlist);
      assert_non_null(logic);
      hd_logic_expression(logic, 0, &text);
      hd_logic_destroy(logic);
      for (unsigned row = 0; row < 8; row++) {
        const char *at = hd_text_chars(&text);
        unsigned index = 0;
        for (unsigned i = 0; i < 3; i++)
          index |= (lut.a[i] > HD_NET_ONE ? row >> i & 1 : lut.a[i]) << i;
        if (value_of(&at, row) != (table >> index & 1) || *at)
          fail_msg("table %02x with inputs %s, %s, %s is not %s in row %u", table,
                   names[lut.a[0]] ? names[lut.a[0]] : "constant",
                   names[lut.a[1]] ? names[lut.a[1]] : "constant",
                   names[lut.a[2]] ? names[lut.a[2]] : "constant", hd_text_chars(&text), row);
      }
    }
}

/* ── what is around a cell ─────────────────────────────────────────────────── */

static const char *expression(const struct hd_logic *logic, uint32_t cell, struct hd_text *text)
{
  hd_text_fini(text);
  hd_logic_expression(logic, cell, text);
  return hd_text_chars(text);
}

static const char *readers_of_cell(struct hd_logic *logic, uint32_t cell, struct hd_text *text)
{
  hd_text_fini(text);
  hd_logic_readers(logic, cell, text);
  return hd_text_chars(text);
}

TEST(an_expression_ends_at_named_nets)
{
  enum { IN = 2, ASKED, PLAIN, BUSY, NEXT, Q, DATA, NETS };
  char *names[NETS] = {
      [IN] = "in", [ASKED] = "asked", [BUSY] = "unit.busy", [Q] = "count[3]", [NEXT] = NULL};
  struct hd_lut luts[] = {
      {.a = {IN, ASKED, 0}, .inputs = 2, .y = PLAIN, .table = 0x88},  /* no name */
      {.a = {PLAIN, DATA, 0}, .inputs = 2, .y = BUSY, .table = 0xee}, /* which a memory reads */
      {.a = {PLAIN, BUSY, Q}, .inputs = 3, .y = NEXT, .table = 0xca},
  };
  struct hd_flip_flop counter = {.d = NEXT, .q = Q};
  hd_net address[] = {BUSY}, data[] = {DATA};
  struct hd_read_port port = {.address = address, .data = data};
  struct hd_memory memory = {
      .width = 1, .rows = 2, .address_bits = 1, .n_reads = 1, .reads = &port};
  const struct hd_netlist netlist = {.luts = luts,
                                     .registers = &counter,
                                     .memories = &memory,
                                     .names = names,
                                     .n_luts = 3,
                                     .n_registers = 1,
                                     .n_memories = 1,
                                     .n_nets = NETS};
  struct hd_logic *logic = hd_logic_create(&netlist);
  struct hd_text text = {0};
  assert_non_null(logic);
  assert_string_equal(expression(logic, 0, &text), "(in & asked)");
  assert_string_equal(expression(logic, 1, &text), "((in & asked) | a memory)");
  assert_string_equal(expression(logic, 2, &text), "(count[3] ? unit.busy : (in & asked))");
  assert_string_equal(expression(logic, 3, &text), "(count[3] ? unit.busy : (in & asked))");
  assert_string_equal(readers_of_cell(logic, 0, &text), "unit.busy; count[3]");
  assert_string_equal(readers_of_cell(logic, 1, &text), "count[3]; a memory");
  assert_string_equal(readers_of_cell(logic, 2, &text), "count[3]");
  assert_string_equal(readers_of_cell(logic, 3, &text), "count[3]");
  hd_text_fini(&text);
  hd_logic_destroy(logic);
}

/* A chain of inverters, and at its end a combinational loop, which correct RTL does not have. */
TEST(an_expression_leaves_out_distant_gates)
{
  enum { GATES = 100000, NETS = GATES + 4 };
  char **names = calloc(NETS, sizeof *names);
  struct hd_lut *luts = calloc(GATES + 1, sizeof *luts);
  struct hd_text text = {0};
  assert_non_null(names);
  assert_non_null(luts);
  names[2] = "in";
  for (uint32_t i = 0; i < GATES; i++)
    luts[i] = (struct hd_lut){.a = {i + 2}, .inputs = 1, .y = i + 3, .table = 0x55};
  luts[GATES] = (struct hd_lut){.a = {NETS - 1}, .inputs = 1, .y = NETS - 1, .table = 0x55};
  const struct hd_netlist netlist = {
      .luts = luts, .names = names, .n_luts = GATES + 1, .n_nets = NETS};
  struct hd_logic *logic = hd_logic_create(&netlist);
  assert_non_null(logic);
  assert_string_equal(expression(logic, 2, &text), "!!!in");
  assert_string_equal(expression(logic, GATES - 1, &text), "!!!!!!…");
  assert_string_equal(readers_of_cell(logic, 0, &text), "…");
  assert_string_equal(readers_of_cell(logic, GATES - 1, &text), "");
  assert_string_equal(expression(logic, GATES, &text), "!!!!!!…");
  assert_string_equal(readers_of_cell(logic, GATES, &text), "");
  hd_text_fini(&text);
  hd_logic_destroy(logic);
  free(luts);
  free(names);
}
