/* The ROM of an exported fabric: written out by its loader, its rows are what the model's switches get.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/export/export_internal.h"
#include "../lib/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOFTWARE "software: {program: uniform, parameters: {load: 0.2, flits: 2}}\n"
static const char *const k_scenarios[] = {
    "fabric: {topology: mesh, dims: [3, 3]}\n",
    "fabric: {topology: mesh, dims: [2]}\n",
    "fabric: {topology: tree, k: 2, n: 3}\nrouting: {algorithm: s-mod-k}\n",
    "fabric: {topology: omega, k: 2, n: 3}\n",
    "fabric: {topology: mesh, dims: [3, 2]}\nrouting: {algorithm: adaptive}\nswitch: {vcs: 3, "
    "cut_flits: 2}\n",
    "fabric: {topology: irregular, switches: 7, degree: 3}\n",
    "fabric: {topology: mesh, dims: [3, 2]}\nrouting: {algorithm: valiant}\nswitch: {vcs: 4}\n",
};

static void begin(struct hd_export *x, const char *fabric)
{
  static const struct hd_export_options options = {.scenario = "s.yaml"};
  struct hd_error err = {{0}};
  char text[400];
  *x = (struct hd_export){.options = &options};
  snprintf(text, sizeof text, "name: s\n%s" SOFTWARE "run: {cycles: 100}\n", fabric);
  assert_int_equal(hd_scenario_parse(&x->scenario, text, strlen(text), "s.yaml", &err), 0);
  assert_int_equal(hd_scenario_build(&x->scenario, &x->topology, &x->tables, &err), 0);
  hd_export_rows(x);
}

static void end(struct hd_export *x)
{
  free(x->rows);
  hd_tables_fini(&x->tables);
  hd_topology_fini(&x->topology);
  hd_scenario_fini(&x->scenario);
}

enum { WORDS = 0x60000 };

/* What a switch holds after writes, by address. */
static void put(uint16_t *held, uint32_t addr, uint16_t data)
{
  assert_true(addr < WORDS);
  held[addr] = data;
}

TEST(rows_give_each_switch_the_writes_of_the_model)
{
  uint16_t *rom = malloc(WORDS * sizeof *rom), *model = malloc(WORDS * sizeof *model);
  size_t compared = 0, joined = 0;
  assert_true(rom && model);
  for (size_t i = 0; i < sizeof k_scenarios / sizeof *k_scenarios; i++) {
    struct hd_export x;
    begin(&x, k_scenarios[i]);
    size_t row = 0;
    for (uint32_t sw = 0; sw < x.topology.n_switches; sw++) {
      struct hd_table_writes walk = {.tables = &x.tables, .sw = sw};
      struct hd_config_event write;
      memset(rom, 0, WORDS * sizeof *rom);
      memset(model, 0, WORDS * sizeof *model);
      while (hd_table_writes_next(&walk, &write))
        put(model, write.addr, write.data), compared++;
      walk.next = 0;
      while (hd_adapt_writes_next(&walk, &write))
        put(model, write.addr, write.data), compared++;
      bool last = false;
      for (; !last; row++) {
        const struct export_row *r = &x.rows[row];
        assert_true(row < x.n_rows);
        last = r->last;
        joined += r->all;
        for (uint32_t port = 0; port < (r->all ? x.scenario.sw.ports : 1); port++)
          put(rom, r->addr + (port << 12), r->data);
      }
      assert_memory_equal(rom, model, WORDS * sizeof *rom);
    }
    assert_int_equal(row, x.n_rows);
    end(&x);
  }
  assert_true(compared > 1000 && joined > 100);
  free(rom);
  free(model);
}

/* The module says row by row what the rows say: bits that differ from the ROM, the others as constants. */
TEST(the_rom_spreads_its_words_into_rows)
{
  for (size_t i = 0; i < sizeof k_scenarios / sizeof *k_scenarios; i++) {
    struct hd_export x;
    struct hd_text text = {0};
    begin(&x, k_scenarios[i]);
    x.name = (char[]){"n"};
    hd_export_tables(&x, &text);
    const char *chars = hd_text_chars(&text), *at = strstr(chars, "assign {last_o");
    assert_non_null(at);
    at = strchr(strchr(at, '=') + 1, '{') + 1;
    const char *bit[38];
    for (size_t b = 38; b--; at = strpbrk(at, ",}") + 2)
      bit[b] = at;
    const char *line = chars;
    for (size_t r = 0; r < x.n_rows; r++) {
      uint64_t got = 0;
      line = strstr(line + 1, ": word_q <= ");
      assert_non_null(line);
      const uint64_t word = strtoull(strchr(line, '\'') + 2, NULL, 16);
      for (size_t b = 0; b < 38; b++)
        got |= (*bit[b] == '1' ? (uint64_t)(bit[b][3] - '0')
                               : word >> strtoul(bit[b] + strlen("word_q["), NULL, 10) & 1)
               << b;
      const struct export_row *row = &x.rows[r];
      assert_int_equal(got, (uint64_t)row->last << 37 | (uint64_t)row->all << 36 |
                                (uint64_t)row->addr << 16 | row->data);
    }
    hd_text_fini(&text);
    end(&x);
  }
}
