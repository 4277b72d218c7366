/* Writes all look-up tables of three inputs as C macros.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The search for expressions begins with the constants and inputs. It joins known expressions by
 * and, or, exclusive or and and-not, and keeps the one with the fewest operators for each table,
 * until no table gets a better one. And-not counts as one operator, because processors have an
 * instruction for it.
 */
#include "lanes_tables.h"

#include <stdbool.h>
#include <string.h>

enum { TABLES = 256, A = 0xaa, B = 0xcc, C = 0xf0, UNKNOWN = 255 };
enum join { LEAF, AND, OR, XOR, AND_NOT, NOT };

struct expression {
  uint8_t operators; /* number of operators; UNKNOWN: no expression was found yet */
  uint8_t join, left, right;
};

static void add_expression(struct expression *list, unsigned table, unsigned operators,
                           enum join join, unsigned left, unsigned right)
{
  table &= TABLES - 1;
  if (operators < list[table].operators)
    list[table] =
        (struct expression){(uint8_t)operators, (uint8_t)join, (uint8_t)left, (uint8_t)right};
}

static void join_all(struct expression *list, unsigned f, unsigned g)
{
  const unsigned operators = list[f].operators + list[g].operators + 1u;
  add_expression(list, f & g, operators, AND, f, g);
  add_expression(list, f | g, operators, OR, f, g);
  add_expression(list, f ^ g, operators, XOR, f, g);
  add_expression(list, f & ~g, operators, AND_NOT, f, g);
}

static void find_expressions(struct expression *list)
{
  const unsigned leaves[] = {0, TABLES - 1, A, B, C};
  struct expression before[TABLES];
  memset(list, UNKNOWN, TABLES * sizeof *list);
  for (unsigned i = 0; i < sizeof leaves / sizeof *leaves; i++)
    list[leaves[i]] = (struct expression){.join = LEAF};
  do {
    memcpy(before, list, sizeof before);
    for (unsigned f = 0; f < TABLES; f++) {
      if (list[f].operators == UNKNOWN)
        continue;
      add_expression(list, ~f, list[f].operators + 1u, NOT, f, f);
      for (unsigned g = 0; g < TABLES; g++)
        if (list[g].operators != UNKNOWN)
          join_all(list, f, g);
    }
  } while (memcmp(before, list, sizeof before) != 0);
}

static void write_expression(struct hd_text *code, const struct expression *list, unsigned table)
{
  static const char *const between[] = {
      [AND] = " & ", [OR] = " | ", [XOR] = " ^ ", [AND_NOT] = " & ~"};
  const struct expression *e = &list[table];
  if (e->join == LEAF) {
    hd_text_add(code, "%s",
                table == A   ? "(a)"
                : table == B ? "(b)"
                : table == C ? "(c)"
                : table      ? "O"
                             : "Z");
    return;
  }
  hd_text_add(code, e->join == NOT ? "(~" : "(");
  write_expression(code, list, e->left);
  if (e->join != NOT) {
    hd_text_add(code, "%s", between[e->join]);
    write_expression(code, list, e->right);
  }
  hd_text_add(code, ")");
}

/* AVX-512 has an instruction that takes the number of a table. Its inputs are in the opposite
 * order. */
static const char k_instruction[] =
    "#if HD_LANES > 64 && defined __AVX512VL__\n"
    "#include <immintrin.h>\n"
    "#if HD_LANES == 512\n"
    "#define T(n, a, b, c) ((W)_mm512_ternarylogic_epi64((__m512i)(c), (__m512i)(b), (__m512i)(a), "
    "n))\n"
    "#elif HD_LANES == 256\n"
    "#define T(n, a, b, c) ((W)_mm256_ternarylogic_epi64((__m256i)(c), (__m256i)(b), (__m256i)(a), "
    "n))\n"
    "#else\n"
    "#define T(n, a, b, c) ((W)_mm_ternarylogic_epi64((__m128i)(c), (__m128i)(b), (__m128i)(a), "
    "n))\n"
    "#endif\n";

void hd_lanes_tables(struct hd_text *code)
{
  struct expression list[TABLES];
  find_expressions(list);
  hd_text_add(code, "%s", k_instruction);
  for (unsigned table = 0; table < TABLES; table++)
    hd_text_add(code, "#define L%02x(a, b, c) T(0x%02x, a, b, c)\n", table, table);
  hd_text_add(code, "#else\n");
  for (unsigned table = 0; table < TABLES; table++) {
    hd_text_add(code, "#define L%02x(a, b, c) ", table);
    write_expression(code, list, table);
    hd_text_add(code, "\n");
  }
  hd_text_add(code, "#endif\n\n");
}
