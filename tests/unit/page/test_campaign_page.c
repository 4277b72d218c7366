/* The page of a campaign is well-formed for any contents of its files. Its curves show points, error bars and
 * saturation.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/campaign/campaign.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/page/campaign_page.h"
#include "../../../bridge/page/page.h"
#include "../lib/well_formed.h"
#include "../lib/test.h"

#include <math.h>

#define HOSTILE "<script>x('1')</script> & \\u0001 ]]>"
static const char in_database[] = "<script>x('1')</script> & \x01 ]]>";
static const char escaped_hostile[] = "&lt;script&gt;x('1')&lt;/script&gt; &amp; ? ]]&gt;";

struct place {
  char directory[256], page[300], sweep[300], check[300];
};

static bool no_more(void *context, struct hd_task *task)
{
  (void)context;
  (void)task;
  return false;
}

static void run_nothing(void *context, const struct hd_task *task, struct hd_task_outcome *outcome)
{
  (void)context;
  (void)task;
  (void)outcome;
}

static int task_ended(void *context, const struct hd_task *task, struct hd_task_outcome *outcome,
                      struct hd_error *err)
{
  (void)context;
  (void)task;
  (void)outcome;
  (void)err;
  return HD_OK;
}

static int setup(void **state)
{
  struct place *p = calloc(1, sizeof *p);
  struct hd_campaign_result result;
  must(hd_directory_temporary("page", p->directory, sizeof p->directory, &why));
  snprintf(p->page, sizeof p->page, "%s/report.html", p->directory);
  snprintf(p->sweep, sizeof p->sweep, "%s/sweep.json", p->directory);
  snprintf(p->check, sizeof p->check, "%s/check.json", p->directory);
  const struct hd_campaign c = {
      .directory = p->directory,
      .name = in_database,
      .command = in_database,
      .definition = in_database,
      .identity = in_database,
      .workers = 1,
      .plan = {.next = no_more, .run_task = run_nothing, .ended = task_ended}};
  must(hd_campaign_run(&c, &result, &why));
  *state = p;
  return 0;
}

static int teardown(void **state)
{
  CLEANUP(free_at) struct place *p = *state;
  hd_tree_remove(p->directory, NULL);
  return 0;
}

static const char *page_of(const struct place *p)
{
  must(hd_campaign_page_write(p->directory, p->page, &why));
  return page_read(p->page);
}

#define POINT(x, algorithm, latency, error, verdict)                                            \
  "{\"load\": " x ", \"" HOSTILE "\": \"" algorithm "\", \"seeds\": 3, \"saturated\": 1"        \
  ", \"verdict\": \"" verdict "\", \"why\": \"" HOSTILE                                         \
  "\", \"failed\": 0, \"results\": {\"latency.mean\": {\"mean\": " latency ", \"ci95\": " error \
  ", \"n\": 3}, \"throughput\": {\"mean\": 0.1, \"ci95\": null, \"n\": 1}}}"
static const char hostile_sweep[] =
    "{\"name\": \"" HOSTILE "\", \"searched\": null, \"axes\": ["
    "{\"key\": \"load\", \"values\": [0.3, 0.1, 0.2]},"
    "{\"key\": \"" HOSTILE "\", \"values\": [\"" HOSTILE "\", \"b\"]}],"
    "\"runs\": [{\"dut\": \"x\", \"message\": \"" HOSTILE "\", \"signature\": \"" HOSTILE
    "\", \"command\": \"" HOSTILE "\", \"events_compared\": 7}, {\"signature\": \"" HOSTILE
    "\"}, {\"signature\": \"other\"}, {}],"
    "\"points\": [" POINT("0.3", HOSTILE, "30", "4", "saturated") "," POINT(
        "0.1", HOSTILE, "10", "null",
        "accepted") "," POINT("0.2", HOSTILE, "20", "0",
                              "open") "," POINT("0.1", "b", "null", "null",
                                                "failed") "],"
                                                          "\"saturation\": [], \"coverage\": "
                                                          "{\"runs\": 4, "
                                                          "\"reachable\": 3, \"holes\": 2, "
                                                          "\"points\": ["
                                                          "{\"section\": \"2.3\", \"point\": "
                                                          "\"" HOSTILE
                                                          "\", \"count\": 0, \"reachable\": true,"
                                                          " \"status\": \"hole\", \"about\": "
                                                          "\"" HOSTILE "\"},"
                                                          "{\"section\": \"2.3\", \"point\": "
                                                          "\"full\", \"count\": "
                                                          "5, \"reachable\": true,"
                                                          " \"status\": \"exercised\", \"about\": "
                                                          "\"\"},"
                                                          "{\"section\": \"2.4\", \"point\": "
                                                          "\"empty\", "
                                                          "\"count\": 0, \"reachable\": true,"
                                                          " \"status\": \"hole\", \"about\": "
                                                          "\"\"}]}}";

TEST_WITH(hostile_text_of_a_sweep_is_escaped, setup, teardown)
{
  const struct place *p = *state;
  static const char *const ids[] = {"verdict",        "failures",          "curves",
                                    "latency-curves", "throughput-curves", "point-table",
                                    "axis-table",     "coverage-table",    "provenance"};
  write_text(p->sweep, hostile_sweep);
  const char *page = page_of(p);
  size_t elements = page_expect_well_formed(page);
  printf("%zu elements\n", elements);
  assert_true(elements > 150);
  assert_null(strstr(page, "<script>x("));
  assert_int_equal(page_count(page, "<script>"), 1);
  assert_true(page_count(page, escaped_hostile) >= 20);
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
    char id[40];
    snprintf(id, sizeof id, " id=\"%s\"", ids[i]);
    if (page_count(page, id) != 1)
      fail_msg("%s: %zu times", ids[i], page_count(page, id));
  }
  assert_int_equal(page_count(page, "http"),
                   page_count(page, "http://www.w3.org/") + page_count(page, "http-equiv"));
  /* Two of the three runs that failed look alike. */
  assert_non_null(strstr(page, "<small>\u00d7 2</small>"));
  assert_int_equal(page_count(page, "class=\"group\""), 2);
  assert_non_null(strstr(page, "3 failed runs"));
  assert_non_null(strstr(page, "came by 1 of the 3 points"));
}

/* Latencies: three points of one curve, in the order of x; one of them saturated, one with a bar; the other
 * curve's point has none. */
TEST_WITH(curves_show_points_error_bars_and_saturation, setup, teardown)
{
  const struct place *p = *state;
  write_text(p->sweep, hostile_sweep);
  char *page = (char *)(uintptr_t)page_of(p), *from = strstr(page, "id=\"latency-curves\"");
  assert_non_null(from);
  char *to = strstr(from, "</svg>");
  assert_non_null(to);
  *to = '\0';
  assert_int_equal(page_count(from, "class=\"point\""), 3);
  assert_int_equal(page_count(from, "class=\"ring\""), 1);
  assert_int_equal(page_count(from, "class=\"error\""), 1);
  assert_int_equal(page_count(from, "class=\"line\""), 1);
  const char *first = strstr(from, ": 10 at 0.1<"), *second = strstr(from, ": 20 at 0.2<"),
             *third = strstr(from, ": 30 at 0.3, \u00b1 4, saturated<");
  assert_true(first && second && third && first < second && second < third);
}

TEST(a_curve_without_points_is_not_drawn)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  struct hd_page_point points[2] = {{1, NAN, 0, false}, {NAN, 3, 0, true}};
  struct hd_page_curve curves[HD_PAGE_CURVES + 4];
  const struct hd_page_plot plot = {"id", "title", "about", "x", "y", "mark", false};
  for (size_t i = 0; i < HD_PAGE_CURVES + 4; i++)
    curves[i] = (struct hd_page_curve){"name", points, 2};
  assert_false(hd_page_curves(&text, &plot, curves, HD_PAGE_CURVES + 4));
  assert_int_equal(text.length, 0);
  assert_false(hd_page_curves(&text, &plot, curves, 0));
  points[0].y = 0; /* all values alike */
  assert_true(hd_page_curves(&text, &plot, curves, HD_PAGE_CURVES + 4));
  assert_int_equal(page_count(text.chars, "class=\"point\"><title>"), HD_PAGE_CURVES);
  assert_null(strstr(text.chars, "nan"));
  assert_null(strstr(text.chars, "inf"));
}

/* Sentences about all runs take all runs into account, not only the first. */
TEST_WITH(the_page_of_a_sweep_says_how_many_runs_were_compared, setup, teardown)
{
  const struct place *p = *state;
  static const char agree[] = "DUT and model agree in", alone[] = "model ran alone",
                    tile[] = "events compared";
  static const struct {
    const char *runs, *expected_message[2];
    bool tile;
  } cases[] = {
      {"{\"dut\": \"a\"}, {\"dut\": \"b\"}", {"DUT and model agree in all of them."}, true},
      {"{\"dut\": \"none\"}, {\"dut\": \"none\"}", {"The model ran alone."}, false},
      {"{\"dut\": \"a\"}, {\"dut\": \"none\"}, {\"dut\": \"none\"}",
       {"DUT and model agree in 1 of them.", "In 2 the model ran alone."},
       true},
      {"{\"dut\": \"none\"}, {\"dut\": \"a\"}",
       {"DUT and model agree in 1 of them.", "In 1 the model ran alone."},
       true},
      {"{\"dut\": \"none\"}, {\"dut\": \"a\", \"signature\": \"x\"}",
       {NULL, "In 1 the model ran alone."},
       true},
      {"{\"dut\": \"a\"}, {}", {"DUT and model agree in 1 of them."}, true},
      {"{}", {NULL}, false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_text_fini) struct hd_text json = {0};
    hd_text_add(&json, "{\"runs\": [%s]}", cases[i].runs);
    write_text(p->sweep, json.chars);
    const char *page = page_of(p), *const *expected_message = cases[i].expected_message;
    bool model = strstr(cases[i].runs, "none") != NULL;
    for (size_t k = 0; k < 2; k++)
      if (expected_message[k] && page_count(page, expected_message[k]) != 1)
        fail_msg("%s: not \"%s\"", cases[i].runs, expected_message[k]);
    assert_int_equal(page_count(page, agree),
                     expected_message[0] && strstr(expected_message[0], agree));
    assert_int_equal(page_count(page, alone), model);
    assert_int_equal(page_count(page, tile), cases[i].tile);
  }
}

TEST_WITH(hostile_text_of_a_check_is_escaped, setup, teardown)
{
  const struct place *p = *state;
  write_text(
      p->check,
      "{\"verdict\": \"different\", \"sentence\": \"" HOSTILE "\", \"runs\": 7,"
      "\"differences\": [{\"signature\": \"" HOSTILE "\", \"failures\": 3, \"example\": \"" HOSTILE
      "\", \"shrunk\": \"" HOSTILE "\", \"first_wrong_state\": \"" HOSTILE
      "\", \"command\": \"" HOSTILE "\", \"run\": \"there\", \"cause\": \"" HOSTILE
      "\", \"reason\": \"" HOSTILE "\", \"warning\": \"" HOSTILE "\", \"causes\": \"" HOSTILE
      "\", \"before_shrinking\": \"" HOSTILE "\", \"also\": [{\"signature\": \"" HOSTILE
      "\", \"example\": \"" HOSTILE "\", \"command\": \"" HOSTILE "\"}, 7]}],"
      "\"notes\": [\"" HOSTILE "\"], \"seconds\": 12.5, \"build_seconds\": 3,"
      "\"kinds\": [{\"about\": \"" HOSTILE "\", \"runs\": 7, \"failed\": 3, \"seconds\": 1.5}],"
      "\"not_exercised\": [\"" HOSTILE "\", 7], \"not_drawn\": [\"" HOSTILE "\"],"
      "\"drawn\": {\"" HOSTILE "\": {\"" HOSTILE "\": {\"scenarios\": 2}}, \"x\": 3}}");
  char there[400];
  snprintf(there, sizeof there, "%s/there", p->directory);
  const char *page = page_of(p);
  page_expect_well_formed(page);
  assert_null(strstr(page, "<script>x("));
  assert_true(page_count(page, escaped_hostile) >= 23);
  assert_null(strstr(page, "href=\"there"));
  assert_non_null(strstr(page, "verdict bad"));
  /* The link to a run's page is there as soon as the page is. */
  CLEANUP(hd_text_fini) struct hd_text path = {0};
  hd_text_add(&path, "mkdir %s && touch %s/report.html", there, there);
  assert_int_equal(system(path.chars), 0);
  assert_non_null(strstr(page_of(p), "<a href=\"there/report.html\">"));
}

/* A run's directory is in the check's: names that a browser takes for an address, or that lead out of it,
 * are no links, also where there is such a file. */
TEST_WITH(only_run_directories_inside_the_check_are_linked, setup, teardown)
{
  const struct place *p = *state;
  static const struct {
    const char *run;
    bool linked;
  } cases[] = {
      {"small-1_75.run", true},
      {"javascript:alert(1)", false},
      {"javascript:alert(1)//x", false},
      {"data:text,x", false},
      {"a/../b", false},
      {".", false},
      {"", false},
      {"a/b", false},
      {"a b", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_text_fini) struct hd_text json = {0}, command = {0};
    hd_text_add(&json,
                "{\"verdict\": \"different\", \"sentence\": \"x\", \"differences\": "
                "[{\"signature\": \"x\", \"command\": \"x\", \"run\": \"%s\"}]}",
                cases[i].run);
    write_text(p->check, json.chars);
    hd_text_add(&command, "mkdir -p '%s/%s' && touch '%s/%s/report.html'", p->directory,
                cases[i].run, p->directory, cases[i].run);
    assert_int_equal(system(command.chars), 0);
    const char *page = page_of(p);
    page_expect_well_formed(page);
    assert_int_equal(page_count(page, "class=\"group\""), 1);
    if (page_count(page, "/report.html\">The page of this failure") != cases[i].linked)
      fail_msg("%s: %s linked", cases[i].run, cases[i].linked ? "not" : "is");
  }
}

TEST_WITH(damaged_files_make_a_page_or_an_error, setup, teardown)
{
  const struct place *p = *state;
  static const struct {
    const char *text;
    int status;
  } cases[] = {
      {"{}", HD_OK},
      {"{\"points\": 3, \"axes\": {}, \"runs\": \"x\", \"coverage\": []}", HD_OK},
      {"{\"axes\": [3, {\"key\": 3, \"values\": 3}, {\"values\": [1, 2]}, {\"key\": \"a\"}]}",
       HD_OK},
      {"{\"searched\": \"load\", \"points\": [3, {\"load\": \"x\"}, {\"load\": 1e308, \"results\":"
       " {\"latency.mean\": {\"mean\": 1e308, \"ci95\": -1e308}}}, {\"load\": -1e308}]}",
       HD_OK},
      {"{\"coverage\": {\"points\": [3, {\"section\": 3}, {\"section\": \"2\"}]}}", HD_OK},
      {"[]", HD_E_INPUT},
      {"{", HD_E_INPUT},
      {"", HD_E_INPUT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_error err = {""};
    write_text(p->sweep, cases[i].text);
    int status = hd_campaign_page_write(p->directory, p->page, &err);
    if (status != cases[i].status)
      fail_msg("%s: %d, %s", cases[i].text, status, err.text);
    if (!status)
      page_expect_well_formed(page_read(p->page));
  }
}

TEST_WITH(a_page_without_tables_names_the_command_that_writes_them, setup, teardown)
{
  const struct place *p = *state;
  must_fail(hd_campaign_page_write(p->directory, p->page, &why), HD_E_INPUT, in_database);
  assert_true(hd_is_campaign(p->directory));
  assert_false(hd_is_campaign("/"));
}

/* The axis ends above the point beyond saturation, or at twice the highest other point. Then the drawing says that
 * the point is cut off. */
TEST(a_latency_beyond_saturation_is_clipped_in_the_drawing)
{
  struct hd_page_point points[3] = {{1, 20, 1, false}, {2, 40, 1, false}, {3, 4000, 900, true}};
  struct hd_page_curve curve = {"name", points, 3};
  for (int cut = 0; cut < 2; cut++) {
    CLEANUP(hd_text_fini) struct hd_text text = {0};
    const struct hd_page_plot plot = {"id", "title", "about", "x", "cycles", "mark", cut != 0};
    assert_true(hd_page_curves(&text, &plot, &curve, 1));
    assert_int_equal(page_count(text.chars, "cycles, cut off"), cut);
    assert_int_equal(page_count(text.chars, "clip-path=\"url(#id-in)\""), cut);
    assert_int_equal(page_count(text.chars, ">80</text>"), cut);
    assert_int_equal(page_count(text.chars, "class=\"error\""), cut ? 2 : 3);
    assert_int_equal(page_count(text.chars, "class=\"point\"><title>"), 3);
  }
  /* A high point that is not marked is no saturation. */
  struct hd_text text = {0};
  const struct hd_page_plot plot = {"id", "title", "about", "x", "cycles", "mark", true};
  points[2].marked = false;
  assert_true(hd_page_curves(&text, &plot, &curve, 1));
  assert_null(strstr(text.chars, "cut off"));
  hd_text_fini(&text);
}
