/* A page is well-formed, texts of other people are escaped, and a run's database is enough to write the page.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/rundb_fixture.h"
#include "../lib/well_formed.h"
#include "../lib/test.h"

#include "../../../bridge/page/page.h"
#include "../../../bridge/page/run_page.h"
#include "../../../bridge/report/results.h"

static const char hostile[] = "<script>x(\"1\")</script> & 'two' \x01\xff ]]>";
static const char escaped_hostile[] =
    "&lt;script&gt;x(&quot;1&quot;)&lt;/script&gt; &amp; 'two' ?? ]]&gt;";

TEST_WITH(frame_and_tables_of_a_page_escape_their_texts, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  CLEANUP(hd_page_fini) struct hd_page page = {0};
  const struct hd_page_column columns[] = {{.name = hostile, .unit = hostile, .help = hostile},
                                           {.name = "n", .number = true}};
  const struct hd_value text = {.type = HD_VALUE_TEXT, .text = hostile}, none = {0},
                        real = {.type = HD_VALUE_REAL, .real = 1234.5678},
                        flag = {.type = HD_VALUE_FLAG, .flag = true};
  hd_page_section(&page, "one", hostile);
  hd_page_paragraph(&page.body, NULL, hostile);
  hd_page_lines(&page.body, "command", hostile);
  hd_page_tile(&page.head, hostile, hostile, hostile);
  hd_page_table(&page.body, "t", hostile, columns, 2, true);
  hd_page_row(&page.body);
  hd_page_cell_name(&page.body, hostile);
  hd_page_cell_value(&page.body, &text, NULL);
  hd_page_cell_value(&page.body, &none, hostile);
  hd_page_cell_value(&page.body, &real, NULL);
  hd_page_cell_value(&page.body, &flag, NULL);
  hd_page_row_end(&page.body);
  hd_page_table_end(&page.body);
  hd_svg_begin(&page.body, "drawing", 10, 10, hostile, hostile);
  const struct hd_svg_plot plot = {.right = 10, .bottom = 10, .x_high = 7, .y_high = 0.3};
  hd_svg_axes(&page.body, &plot, hostile, hostile, true, false);
  hd_svg_end(&page.body);
  hd_page_section_end(&page);
  must(hd_page_write(&page, hostile, f->path[1], &why));
  const char *written = page_read(f->path[1]);
  page_expect_well_formed(written);
  assert_null(strstr(written, "<script>x("));
  /* Title, contents, heading; paragraph, lines; 3 of the tile; label and caption of the table, 3 of the
   * column; name, value, two of the reason; title and description of the drawing, 2 of the axes. */
  assert_int_equal(page_count(written, escaped_hostile), 21);
  assert_non_null(strstr(written, "data-v=\"1234.5678\">1\u202f235<"));
  assert_non_null(strstr(written, "data-v=\"true\">yes<"));
}

TEST(steps_of_an_axis_are_round_numbers)
{
  for (unsigned most = 1; most < 70; most++)
    for (double span = 0.001; span < 1e12; span *= 1.37) {
      double step = hd_svg_step(span, most, false), whole = hd_svg_step(span, most, true);
      assert_true(span / step <= most * (1 + 1e-6));
      assert_true(whole >= 1 && whole >= step * (1 - 1e-9));
    }
  assert_true(hd_svg_step(0, 10, false) == 1);
}

/* A database with hostile text in every column that takes text. */
static void make_run(struct fixture *f)
{
  static char name[64], text[64], dut[64];
  snprintf(name, sizeof name, "%s", hostile);
  snprintf(text, sizeof text, "%s", hostile);
  snprintf(dut, sizeof dut, "%s", hostile);
  f->scenario.name = name;
  f->scenario.text = text;
  f->scenario.run.dut = dut;
  struct hd_rundb *db = fixture_create(f, 0);
  struct hd_divergence d = {.difference = HD_DIFF_FLIT, .cycle = 40, .sw = 2, .port = 3};
  must(hd_rundb_divergence(db, &d, &why));
  const struct hd_value words = {.type = HD_VALUE_TEXT, .text = hostile},
                        five = {.type = HD_VALUE_COUNT, .number = 5};
  static const char *const lists[][2] = {
      {"divergence", "text"},    {"divergence", "first_state"}, {"statistics", "name"},
      {"cut_off", "why"},        {"barriers", "no_bound"},      {"dut_counters", "name"},
      {"budgets", "name"},       {"faults", "switch"},          {"latency.csv", "latency_cycles"},
      {"latency.csv", "packets"}};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    must(hd_rundb_list(db, lists[i][0], 0, lists[i][1], i < 7 ? &words : &five, &why));
  const struct hd_rundb_signal signals[] = {{hostile, 38, hostile, hostile, false},
                                            {hostile, 39, hostile, hostile, true},
                                            {"port 3 out", 40, hostile, "", true}};
  for (size_t i = 0; i < 3; i++)
    must(hd_rundb_signal(db, &signals[i], &why));
  struct hd_rundb_result results[256];
  const struct hd_result_table *run = &hd_result_tables[HD_RESULTS_RUN];
  assert_true(run->n <= sizeof results / sizeof *results);
  for (size_t i = 0; i < run->n; i++)
    results[i] =
        (struct hd_rundb_result){.key = run->columns[i].key,
                                 .value = run->columns[i].type == HD_VALUE_TEXT ? words : five,
                                 .in_run = !strcmp(run->columns[i].key, "message")};
  uint64_t flits[4 * 5 * 2];
  for (size_t i = 0; i < 40; i++)
    flits[i] = i;
  const struct hd_rundb_end end = {
      .results = results, .n_results = run->n, .link_flits = flits, .blocked = flits, .vcs = 2};
  must(hd_rundb_finish(db, &f->topology, &end, &why));
  hd_rundb_close(db);
}

TEST_WITH(hostile_text_of_a_run_is_escaped, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  make_run(f);
  must(hd_run_page_write(f->path[0], f->path[1], &why));
  const char *page = page_read(f->path[1]);
  size_t elements = page_expect_well_formed(page);
  printf("%zu elements\n", elements);
  assert_true(elements > 500);
  assert_null(strstr(page, "<script>x("));
  assert_int_equal(page_count(page, "<script>"), 1);
  assert_true(page_count(page, escaped_hostile) >= 20);
  /* Every result has its row, every section is there. */
  const struct hd_result_table *run = &hd_result_tables[HD_RESULTS_RUN];
  for (size_t i = 0; i < run->n; i++) {
    char row[80];
    snprintf(row, sizeof row, "<tr data-key=\"%s\">", run->columns[i].key);
    if (!strstr(page, row))
      fail_msg("%s has no row", run->columns[i].key);
  }
  static const char *const ids[] = {
      "divergence", "timeline", "fabric", "latency", "links",   "blocked-drawing", "blocked-table",
      "statistics", "barriers", "faults", "budgets", "results", "provenance",      "vc-table"};
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    char id[32];
    snprintf(id, sizeof id, " id=\"%s\"", ids[i]);
    assert_int_equal(page_count(page, id), 1);
  }
  /* Nothing is fetched: the only addresses are names of XML. */
  assert_int_equal(page_count(page, "http"),
                   page_count(page, "http://www.w3.org/") + page_count(page, "http-equiv"));
}

/* A database may hold anything. */
TEST_WITH(a_damaged_database_makes_a_page_or_an_error, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  static const char *const damages[] = {
      "DROP TABLE lists",
      "DROP TABLE links; DROP TABLE link_vcs",
      "DROP TABLE inputs",
      "UPDATE inputs SET vc = vc + 70, switch = switch + 1000000",
      "UPDATE inputs SET blocked_flit_cycles = -1",
      "DROP TABLE signals; DROP TABLE results; DROP TABLE tools",
      "UPDATE links SET switch = switch + 1000000",
      "UPDATE links SET peer = -1, flits = -1",
      "UPDATE link_vcs SET vc = vc + 70",
      "UPDATE run SET switches = 99999999",
      "UPDATE run SET switches = 1, nodes = 1",
      "UPDATE run SET switches = 'many', cycles_compared = NULL, message = NULL",
      "UPDATE parameters SET value = 0",
      "UPDATE parameters SET value = 'tree' WHERE key = 'fabric.topology'",
      "UPDATE parameters SET value = 'graph' WHERE key = 'fabric.topology'",
      "UPDATE lists SET row = 9223372036854775807 WHERE list = 'budgets'",
      "UPDATE lists SET value = 9223372036854775807 WHERE list = 'latency.csv'",
      "UPDATE lists SET value = -1 WHERE list = 'latency.csv'",
      "UPDATE divergences SET cycle = 9223372036854775807, switch = -1, port = -1",
      "UPDATE signals SET cycle = cycle + 9223372036854000000",
      "UPDATE OR REPLACE signals SET cycle = 0",
  };
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    struct hd_error err = {0};
    sqlite3 *sqlite;
    unlink(f->path[0]);
    make_run(f);
    assert_int_equal(sqlite3_open(f->path[0], &sqlite), SQLITE_OK);
    sqlite3_exec(sqlite, damages[i], NULL, NULL, NULL);
    assert_int_equal(sqlite3_errcode(sqlite), SQLITE_OK);
    sqlite3_close(sqlite);
    int status = hd_run_page_write(f->path[0], f->path[1], &err);
    if (status)
      fail_msg("%s: %s", damages[i], err.text);
    page_expect_well_formed(page_read(f->path[1]));
  }
}
