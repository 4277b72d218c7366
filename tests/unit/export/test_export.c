/* The ROM of an exported fabric: its rows, as the loader writes them, give the writes that the model's switches get.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/export/export_internal.h"
#include "../lib/test.h"

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

static void begin_export(struct hd_export *x, const char *fabric)
{
  static const struct hd_export_options options = {.scenario = "s.yaml"};
  struct hd_error err = {{0}};
  char text[400];
  *x = (struct hd_export){.options = &options};
  snprintf(text, sizeof text, "name: s\n%s" SOFTWARE "run: {cycles: 100}\n", fabric);
  assert_int_equal(hd_scenario_parse(&x->scenario, text, strlen(text), "s.yaml", &err), 0);
  assert_int_equal(hd_scenario_build(&x->scenario, &x->topology, &x->tables, &err), 0);
  assert_int_equal(hd_export_rows(x, &err), 0);
}

static void end(struct hd_export *x)
{
  hd_export_rows_fini(x);
  hd_tables_fini(&x->tables);
  hd_topology_fini(&x->topology);
  hd_scenario_fini(&x->scenario);
}

enum { WORDS = 0x60000 };

TEST(rows_of_the_rom_give_each_switch_the_writes_of_the_model)
{
  uint16_t *rom = malloc(WORDS * sizeof *rom), *model = malloc(WORDS * sizeof *model);
  size_t compared = 0, joined = 0;
  assert_true(rom && model);
  for (size_t i = 0; i < sizeof k_scenarios / sizeof *k_scenarios; i++) {
    struct hd_export x;
    begin_export(&x, k_scenarios[i]);
    for (uint32_t sw = 0; sw < x.topology.n_switches; sw++) {
      struct hd_table_writes walk = {.tables = &x.tables, .sw = sw};
      struct hd_config_event write;
      memset(rom, 0, WORDS * sizeof *rom);
      memset(model, 0, WORDS * sizeof *model);
      for (; hd_table_writes_next(&walk, &write); compared++)
        model[write.addr] = write.data;
      for (walk.next = 0; hd_adapt_writes_next(&walk, &write); compared++)
        model[write.addr] = write.data;
      for (size_t r = 0; r < x.n_rows; r++) {
        const struct export_row *row = &x.rows[r];
        joined += row->all;
        for (uint32_t port = 0; port < (row->all ? x.scenario.sw.ports : 1); port++)
          rom[row->addr + (port << 12)] = row->data[sw];
      }
      assert_memory_equal(rom, model, WORDS * sizeof *rom);
    }
    end(&x);
  }
  assert_true(compared > 1000 && joined > 100);
  free(rom);
  free(model);
}

/* Bit `at`, from the left, of a hexadecimal number of `n` bits. */
static unsigned bit_of(const char *hex, size_t n, size_t bit)
{
  const size_t digits = (n + 3) / 4;
  const char digit[2] = {hex[digits - 1 - bit / 4]};
  return (unsigned)(strtoul(digit, NULL, 16) >> bit % 4 & 1);
}

/* The exported module writes each row's bits: bits that differ between switches come from the ROM, the others are
 * constants. */
TEST(the_exported_module_has_the_rows_of_the_rom)
{
  for (size_t i = 0; i < sizeof k_scenarios / sizeof *k_scenarios; i++) {
    struct hd_export x;
    CLEANUP(hd_text_fini) struct hd_text text = {0};
    begin_export(&x, k_scenarios[i]);
    x.name = (char[]){"n"};
    hd_export_tables(&x, &text);
    const size_t bits = (size_t)x.topology.n_switches * 16 + 21;
    const char **bit = malloc(bits * sizeof *bit), *line = hd_text_chars(&text);
    const char *at = strchr(strstr(line, "assign {all_o"), '=');
    assert_non_null(bit);
    for (size_t b = bits; b--; at++) {
      at += strcspn(at, "w1"); /* word_q[N] or 1'bN */
      bit[b] = at;
      at += strcspn(at, ",}");
    }
    for (size_t r = 0; r < x.n_rows; r++) {
      const struct export_row *row = &x.rows[r];
      line = strstr(line + 1, ": word_q <= ");
      assert_non_null(line);
      const size_t width = strtoul(line + strlen(": word_q <= "), NULL, 10);
      const char *hex = strchr(line, '\'') + 2;
      for (size_t b = 0; b < bits; b++) {
        const unsigned got =
            *bit[b] == '1' ? (unsigned)(bit[b][3] - '0')
                           : bit_of(hex, width, strtoul(bit[b] + strlen("word_q["), NULL, 10));
        const unsigned want = b + 1 == bits    ? row->all
                              : b + 21 >= bits ? row->addr >> (b - (bits - 21)) & 1
                                               : (unsigned)row->data[b / 16] >> b % 16 & 1;
        assert_int_equal(got, want);
      }
    }
    free(bit);
    end(&x);
  }
}
