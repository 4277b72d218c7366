/* Options after the colon of --dut are handed on, or refused before anything is built.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/backends.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

static const struct hd_switch_params params =
    SWITCH_SET(5, 2, 16, 4, 64, 1, 1, 0, 0, 0, 0, 0, 0, 0);

TEST(text_after_the_colon_of_dut_becomes_options)
{
  struct hd_backend backend;
  struct hd_backend_options options = {.dut_options = "given"};
  must(hd_backend_open(&backend, "model:a,b:c", &params, NULL, &why));
  assert_string_equal(backend.options, "a,b:c");
  must(hd_backend_open(&backend, "model", &params, NULL, &why));
  assert_string_equal(backend.options, "");
  must(hd_backend_open(&backend, "model", &params, &options, &why));
  assert_string_equal(backend.options, "given");
}

static bool build_asked(void *context)
{
  *(bool *)context = true;
  return true;
}

static void note_build(void *context, const char *line)
{
  (void)line;
  *(bool *)context = true;
}

/* If nothing is built, the cache directory is not made, either. */
TEST(wrong_options_are_refused_before_anything_is_built)
{
  static const char cache[] = "build/test_dut_options";
  static const struct {
    const char *name, *expected_message;
  } cases[] = {
      {"verilator:foo", "every-cycle"},
      {"verilator:patience=3", "no option 'patience=3'"},
      {"verilator:every-cycle,two-state", "no option 'two-state'"},
      {"verilator:every-cycle,,+a", "no option ''"},
      {"verilator:all-signals,foo", "all-signals"},
      {"verilator:foo", "zeros"},
      {"icarus:zeros", "no option 'zeros'"},
      {"netlist:generic,all-signals", "no option 'all-signals'"},
      {"icarus:all-signals", "no option 'all-signals'"},
      {"netlist:generic,foo", "netlist backend has no option 'foo'"},
      {"netlist:every-cycle,foo", "netlist backend has no option 'foo'"},
      {"systemc:foo", "patience=SECONDS"},
      {"systemc:+a,two-state", "no option 'two-state'"},
      {"systemc:patience=-1", "no option 'patience=-1'"},
      {"icarus:foo", "FILE.v"},
      {"icarus:two-state,patience=x", "no option 'patience=x'"},
      {"ghdl:two-state", "no option 'two-state'"},
      {"ghdl:every-cycle", "give --rtl DIR, a directory with hd_switch.vhd"},
      {"bitstream:board.asc,foo", "no option 'foo'"},
      {"bitstream:board.asc,baud=0", "no option 'baud=0'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bool building = false;
    struct hd_backend_options options = {
        .cache_dir = cache, .say = note_build, .stop = build_asked, .context = &building};
    struct hd_backend backend;
    struct hd_error err = {.text = ""};
    assert_int_equal(hd_backend_open(&backend, cases[i].name, &params, &options, &err), HD_E_INPUT);
    if (building || !strstr(err.text, cases[i].expected_message))
      fail_msg("%s%s says: %s", cases[i].name, building ? " builds," : "", err.text);
  }
  assert_int_not_equal(access(cache, F_OK), 0);
}

/* More plusargs than the compiled program has room for. */
TEST(too_many_plusargs_are_refused)
{
  char name[1024] = "systemc:+0";
  struct hd_backend backend;
  for (int i = 1; i < 33; i++)
    sprintf(name + strlen(name), ",+%d", i);
  must_fail(hd_backend_open(&backend, name, &params, NULL, &why), HD_E_INPUT, "no option '+32'");
  assert_non_null(strstr(why.text, "at most 32"));
}

/* ── the list ──────────────────────────────────────────────────────────────── */

/* docs/backends.md has a row of its table for each backend, and a word in code for each option; a backend that plays
 * Heddle's own switch has an example, which is its own. */
TEST(the_page_names_every_backend_and_option)
{
  size_t kinds = 0, options = 0;
  char *page = calloc(1, 1 << 16), words[128];
  FILE *file = fopen("docs/backends.md", "r");
  assert_non_null(page);
  assert_non_null(file);
  assert_true(fread(page, 1, (1 << 16) - 1, file) > 1000);
  fclose(file);
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++, kinds++) {
    struct hd_backend_option option;
    snprintf(words, sizeof words, "\n| `%s%s%s", (*k)->name, (*k)->argument ? ":" : "`",
             (*k)->argument ? (*k)->argument : "");
    if (!strstr(page, words))
      fail_msg("docs/backends.md has no row of %s", (*k)->name);
    snprintf(words, sizeof words, "%.*s", (int)strcspn((*k)->examples, " "), (*k)->examples);
    assert_true(!*words || hd_backend_kind(words) == *k);
    for (size_t i = 0; hd_backend_option(*k, i, &option); i++, options++) {
      snprintf(words, sizeof words, "%s`", option.name);
      if (!strstr(page, words))
        fail_msg("docs/backends.md says nothing of %s, an option of %s", option.name, (*k)->name);
      assert_true(strlen(option.help) > 5);
    }
  }
  free(page);
  printf("%zu backends, %zu options\n", kinds, options);
  assert_true(kinds >= 7 && options >= 20);
}

/* Messages name all backends of the list. */
TEST(an_unknown_backend_is_refused_with_a_list_of_all_backends)
{
  struct hd_backend backend;
  assert_int_equal(hd_backend_open(&backend, "verilatr:foo", &params, NULL, &why), HD_E_INPUT);
  assert_non_null(strstr(
      why.text,
      "no backend is called verilatr; did you mean verilator?; there are model, verilator, "));
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++)
    assert_non_null(strstr(why.text, (*k)->name));
  const struct hd_backend_options options = {.rtl_dir = "rtl"};
  must_fail(hd_backend_open(&backend, "model", &params, &options, &why), HD_E_INPUT,
            "choose --dut verilator, icarus, ghdl, ");
  for (const struct hd_backend_kind *const *k = hd_backend_kinds; *k; k++)
    if ((*k)->builds_rtl)
      assert_non_null(strstr(why.text, (*k)->name));
  must_fail(hd_backend_open(&backend, "board:virtual", &params, &options, &why), HD_E_INPUT,
            "--dut board:virtual,rtl=rtl");
}
