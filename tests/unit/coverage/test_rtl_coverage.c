/* Coverage counts of the RTL (bridge/coverage/rtl_coverage.c): memory and time are limited by the size of a file.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/coverage/rtl_coverage.h"
#include "../../../bridge/host/file.h"
#include "../lib/test.h"

static void begin_counts(struct hd_text *text)
{
  *text = (struct hd_text){0};
  hd_text_add(text, "# SystemC::Coverage-3\n");
}

/* `lines`: "" is the point's own line. */
static void add_point(struct hd_text *text, const char *file, unsigned line, unsigned column,
                      const char *page, const char *lines, unsigned count)
{
  hd_text_add(text, "C '\1f\2%s\1l\2%u\1n\2%u\1page\2%s", file, line, column, page);
  if (*lines)
    hd_text_add(text, "\1S\2%s", lines);
  hd_text_add(text, "' %u\n", count);
}

static int add_counts(struct hd_rtl_coverage *set, struct hd_text *text, struct hd_error *err)
{
  return hd_rtl_coverage_add(set, text->chars, text->length, "c.dat", err);
}

/* Status of adding and summing up the text, which is freed. */
static int status_of(struct hd_text *text, struct hd_error *err)
{
  CLEANUP(hd_rtl_coverage_fini) struct hd_rtl_coverage set = {0};
  int status = add_counts(&set, text, err);
  if (!status)
    status = hd_rtl_coverage_finish(&set, err);
  return status;
}

TEST(line_ranges_must_be_ascending_and_disjoint)
{
  static const struct {
    const char *lines;
    int status;
  } cases[] = {
      {"1-3,4,7-9", HD_OK}, {"5", HD_OK},        {"1-3,3", HD_E_INPUT},   {"1-3,2-4", HD_E_INPUT},
      {"4,4", HD_E_INPUT},  {"5,2", HD_E_INPUT}, {"1-9,1-9", HD_E_INPUT}, {"3-2", HD_E_INPUT},
      {"0-2", HD_E_INPUT},  {"1-100000", HD_OK}, {"1,", HD_E_INPUT},      {"1-100001", HD_E_INPUT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_text text;
    struct hd_error err = {""};
    begin_counts(&text);
    add_point(&text, "a.v", 1, 1, "v_line", cases[i].lines, 1);
    if (status_of(&text, &err) != cases[i].status)
      fail_msg("%s: %s", cases[i].lines, err.text);
    assert_true(!cases[i].status || strstr(err.text, "c.dat:2: "));
  }
}

/* A few bytes of a file ask for a table of many lines, again and again. */
TEST(the_lines_of_all_files_together_are_limited)
{
  enum { FIT = HD_RTL_LINES_ALL / HD_RTL_LINES };
  for (unsigned files = FIT; files <= FIT + 1; files++) {
    struct hd_text text;
    struct hd_error err = {""};
    char name[16];
    begin_counts(&text);
    for (unsigned i = 0; i < files; i++) {
      snprintf(name, sizeof name, "%u.v", i);
      add_point(&text, name, HD_RTL_LINES, 1, "v_line", "", 1);
    }
    assert_int_equal(status_of(&text, &err), files == FIT ? HD_OK : HD_E_INPUT);
    assert_true(files == FIT || strstr(err.text, "more than 2000000 lines"));
  }
}

/* The lines of all points are limited, too. */
TEST(the_lines_of_all_points_together_are_limited)
{
  enum { FIT = HD_RTL_LINES_ALL / HD_RTL_LINES - 1 }; /* and the table */
  for (unsigned points = FIT; points <= FIT + 1; points++) {
    struct hd_text text;
    struct hd_error err = {""};
    begin_counts(&text);
    for (unsigned i = 0; i < points; i++)
      add_point(&text, "a.v", 1, i, "v_line", "1-100000", 1);
    assert_int_equal(status_of(&text, &err), points == FIT ? HD_OK : HD_E_INPUT);
    assert_true(points == FIT || strstr(err.text, "a.v"));
  }
}

TEST(the_number_of_files_is_limited)
{
  CLEANUP(hd_rtl_coverage_fini) struct hd_rtl_coverage set = {0};
  char name[16];
  for (unsigned files = HD_RTL_FILES; files <= HD_RTL_FILES + 1; files++) {
    struct hd_text text;
    begin_counts(&text);
    for (unsigned i = 0; i < files; i++) {
      snprintf(name, sizeof name, "%u.v", i);
      add_point(&text, name, 1, 1, "v_line", "", 1);
    }
    assert_int_equal(status_of(&text, &why), files == HD_RTL_FILES ? HD_OK : HD_E_INPUT);
  }
  assert_non_null(strstr(why.text, "more than 4096 files"));
  for (unsigned i = 0; i < HD_RTL_FILES; i++) {
    snprintf(name, sizeof name, "%u.v", i);
    must(hd_rtl_coverage_source(&set, name, 1, "run", &why));
  }
  must(hd_rtl_coverage_source(&set, "7.v", 1, "run", &why));
  assert_int_equal(hd_rtl_coverage_source(&set, "new.v", 1, "run", &why), HD_E_INPUT);
}

/* Tables are as wide as the longest name. */
TEST(the_length_of_file_names_is_limited)
{
  static char name[HD_RTL_NAME_BYTES + 2];
  for (size_t n = HD_RTL_NAME_BYTES; n <= HD_RTL_NAME_BYTES + 1; n++) {
    struct hd_text text;
    memset(name, 'a', n);
    begin_counts(&text);
    add_point(&text, name, 1, 1, "v_line", "", 1);
    assert_int_equal(status_of(&text, NULL), n == HD_RTL_NAME_BYTES ? HD_OK : HD_E_INPUT);
  }
}

TEST(the_size_of_a_file_of_counts_is_limited)
{
  CLEANUP(hd_rtl_coverage_fini) struct hd_rtl_coverage set = {0};
  char path[] = "/tmp/heddle-coverage-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(ftruncate(fd, HD_RTL_COVERAGE_BYTES + 1), 0);
  close(fd);
  must_fail(hd_rtl_coverage_read(&set, path, &why), HD_E_INPUT, "at most");
  assert_int_equal(set.runs, 0);
  unlink(path);
}

/* Every line with three branches, one side of each never taken, and a bit. The writer must not search all points and
 * lines of the file for each line. */
TEST(a_file_with_as_many_lines_as_allowed_is_shown)
{
  enum { LINES = HD_RTL_LINES, SIDES = 6 };
  CLEANUP(hd_rtl_coverage_fini) struct hd_rtl_coverage set = {0};
  struct hd_text counts, source = {0}, text = {0}, path = {0};
  char directory[256];
  size_t length;
  begin_counts(&counts);
  for (unsigned i = 1; i <= LINES; i++) {
    hd_text_add(&source, "  line %u\r\n", i);
    for (unsigned k = 0; k < SIDES; k++)
      add_point(&counts, "a.v", i, k, "v_branch", "", k % 2);
    add_point(&counts, "a.v", i, SIDES, "v_toggle", "", 0);
  }
  must(hd_directory_temporary("coverage", directory, sizeof directory, &why));
  hd_text_add(&path, "%s/a.v", directory);
  must(hd_file_write(path.chars, source.chars, source.length, &why));
  must(add_counts(&set, &counts, &why));
  must(hd_rtl_coverage_source(&set, "a.v", hd_hash_bytes(source.chars, source.length, 0), "run",
                              &why));
  must(hd_rtl_coverage_finish(&set, &why));
  hd_rtl_coverage_read_sources(&set, directory);
  const struct hd_rtl_file *file = &set.files[0];
  assert_int_equal(file->sums.branches, LINES * SIDES);
  assert_int_equal(file->sums.branches_hit, LINES * SIDES / 2);
  for (unsigned i = 1; i <= LINES; i++) {
    size_t at = 0;
    for (unsigned k = 0; k < SIDES; k += 2) {
      const struct hd_rtl_point *p = hd_rtl_next_unexecuted_point(&set, file, i, &at);
      assert_true(p && p->line == i && p->column == k);
    }
    assert_null(hd_rtl_next_unexecuted_point(&set, file, i, &at));
    assert_int_equal(at, i * (SIDES + 1));
    assert_ptr_equal(hd_rtl_source_line(file, i, &length), file->lines[i].source);
    assert_int_equal(file->lines[i].source[-(i > 1)], i > 1 ? '\n' : ' ');
  }
  assert_memory_equal(hd_rtl_source_line(file, LINES, &length), "  line 100000", 13);
  assert_int_equal(length, 13);
  hd_rtl_source_line(file, LINES + 1, &length);
  assert_int_equal(length, 0);
  hd_rtl_source_line(file, 0, &length);
  assert_int_equal(length, 0);
  hd_rtl_coverage_table(&set, true, &text);
  hd_json_add(hd_rtl_coverage_json(&set), 0, &text, NULL);
  hd_rtl_coverage_annotate(&set, file, &text);
  assert_non_null(strstr(text.chars, "a.v:100000 (block never taken): line 100000\n"));
  hd_text_fini(&text);
  hd_text_fini(&source);
  hd_text_fini(&path);
  hd_tree_remove(directory, NULL);
}
