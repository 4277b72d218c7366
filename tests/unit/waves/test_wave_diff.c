/* Comparing wave files: planted differences are found where they are, and nothing else is.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The expected differences of random waves are computed time by time, not by walking over changes. Seed: HD_SEED.
 */
#include "../../../bridge/host/file.h"
#include "../../../bridge/waves/fst.h"
#include "../../../bridge/waves/wave_diff.h"
#include "../../../bridge/waves/wave_name.h"
#include "../lib/dice.h"
#include "../lib/test.h"

static char directory[] = "/tmp/hd_wave_diffXXXXXX";
static char path_a[64], path_b[64];

/* The comparison of both texts, which must be possible. */
static void compare(struct hd_wave_diff *d, const char *a, const char *b,
                    const struct hd_wave_map *maps, size_t n)
{
  write_text(path_a, a);
  write_text(path_b, b);
  must(hd_wave_diff(d, path_a, path_b, maps, n, &why));
}

static void expect(const struct hd_wave_diff *d, size_t i, const char *a, uint64_t time,
                   const char *value_a, const char *value_b)
{
  assert_true(i < d->n);
  assert_string_equal(d->differences[i].a, a);
  assert_int_equal(d->differences[i].time, time);
  assert_string_equal(d->differences[i].value_a, value_a);
  assert_string_equal(d->differences[i].value_b, value_b);
}

#define HEAD                                                                                 \
  "$date today $end\n$timescale 1 ns $end\n$scope module top $end\n"                         \
  "$var wire 1 ! clk $end\n$var wire 4 # data [3:0] $end\n$var real 64 r temperature $end\n" \
  "$var wire 1 % flag [3] $end\n$upscope $end\n$enddefinitions $end\n"

TEST(the_first_difference_of_each_signal_is_reported)
{
  CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;

  compare(&d, HEAD "#0 $dumpvars 0! b0 # r1.5 r x% $end #10 1! b101 # #20 0! #30 1! 1% #40",
          HEAD "#0 $dumpvars 0! b0000 # r2.5 r X% $end #10 1! b0101 # #20 0! b1x # #30 0! 1% #50",
          NULL, 0);
  assert_int_equal(d.compared, 3);
  assert_int_equal(d.not_comparable, 1); /* the signal of type real */
  assert_int_equal(d.n, 2);
  expect(&d, 0, "top.data", 20, "0101", "001x");
  expect(&d, 1, "top.clk", 30, "1", "0");
  assert_true(d.first == 0 && d.last == 40 && d.last_a == 40 && d.last_b == 50);
  assert_int_equal(d.exponent, -9);
  assert_false(hd_wave_diff_is_whole(&d));
}

TEST(of_several_changes_at_one_time_the_last_is_compared)
{
  CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;

  compare(&d, HEAD "#0 0! b0 # 0% #5 1! #5 0! #7", HEAD "#0 1! 0! b0 # 0% #5 b1 # b0 # #7 1!", NULL,
          0);
  assert_int_equal(d.n, 1); /* what is there at the last time counts */
  expect(&d, 0, "top.clk", 7, "0", "1");
}

TEST(only_times_that_both_files_cover_are_compared)
{
  CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;

  /* before 10 and after 30 one of them has nothing */
  compare(&d, HEAD "#0 1! b1 # 1% #10 0! b0 # 0% #30", HEAD "#10 0! b0 # 0% #30 #31 1!", NULL, 0);
  assert_int_equal(d.n, 0);
  assert_true(d.first == 10 && d.last == 30);
  assert_false(hd_wave_diff_is_whole(&d));
}

TEST(files_with_different_time_units_are_compared)
{
  CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;

  compare(&d, HEAD "#0 0! b0 # 0% #3 1! #9",
          "$timescale 10ps $end $scope module top $end $var reg 1 a clk $end $upscope $end "
          "$enddefinitions $end #0 0a #300 1a #700 0a #900",
          NULL, 0);
  assert_int_equal(d.exponent, -12);
  assert_int_equal(d.n, 1);
  expect(&d, 0, "top.clk", 7000, "1", "0");
  assert_int_equal(d.last, 9000);
  assert_int_equal(d.only_a, 3);
}

TEST(maps_select_the_scopes_and_signals_that_are_compared)
{
  static const char two[] =
      "$scope module t $end $scope module x $end $var wire 1 a n $end "
      "$var wire 1 b m $end $upscope $end $scope module y $end "
      "$var wire 1 c n $end $upscope $end $scope module yy $end "
      "$var wire 1 d n $end $upscope $end $upscope $end $var wire 1 e top $end "
      "$enddefinitions $end #0 0a 0b 0c 1d 0e #4 1a #6 1c 1e #9";
  static const struct hd_wave_map scopes[] = {{"t.x", "t.y"}, {"t.yy", "t.yy"}};
  static const struct hd_wave_map signal[] = {{"t.x.n", "top"}};
  static const struct hd_wave_map up[] = {{"t", ""}}, down[] = {{"", "t.y"}};
  struct hd_wave_diff d;

  compare(&d, two, two, NULL, 0);
  assert_true(d.n == 0 && d.compared == 5 && hd_wave_diff_is_whole(&d));
  hd_wave_diff_fini(&d);
  compare(&d, two, two, scopes, 2);
  assert_true(d.compared == 2 && d.only_a == 1 && d.n == 1 && !hd_wave_diff_is_whole(&d));
  expect(&d, 0, "t.x.n", 4, "1", "0");
  assert_string_equal(d.differences[0].b, "t.y.n");
  hd_wave_diff_fini(&d);
  compare(&d, two, two, signal, 1);
  assert_true(d.compared == 1 && d.n == 1);
  assert_string_equal(d.differences[0].b, "top");
  hd_wave_diff_fini(&d);
  must_fail(hd_wave_diff(&d, path_a, path_b, up, 1, &why), HD_E_INPUT, "--map");
  hd_wave_diff_fini(&d);
  compare(&d, "$var wire 1 a n $end $enddefinitions $end #0 0a #6 1a #9", two, down, 1);
  assert_true(d.compared == 1 && d.n == 0);
  hd_wave_diff_fini(&d);
}

/* ── random waves, as VCD and as FST ───────────────────────────────────────── */

enum { SIGNALS = 6, TIMES = 40 };
static uint8_t values[2][SIGNALS][TIMES]; /* 0, 1, 2: x */

static uint32_t bits_of(unsigned s)
{
  return s % 3 * 4 + 1;
}

static void bits(char *text, unsigned s, uint8_t v)
{
  memset(text, v == 2 ? 'x' : '0', bits_of(s));
  text[bits_of(s)] = '\0';
  if (v == 1)
    text[bits_of(s) - 1] = '1';
}

static void write_vcd(const char *path, unsigned side)
{
  FILE *f = fopen(path, "w");
  char text[16];
  assert_non_null(f);
  fputs("$timescale 1 ps $end $scope module m $end\n", f);
  for (unsigned s = 0; s < SIGNALS; s++)
    fprintf(f, "$var wire %u c%u s%u $end\n", bits_of(s), s, s);
  fputs("$upscope $end $enddefinitions $end\n", f);
  for (unsigned t = 0; t < TIMES; t++) {
    fprintf(f, "#%u\n", t);
    for (unsigned s = 0; s < SIGNALS; s++) {
      if (t > 0 && values[side][s][t] == values[side][s][t - 1])
        continue;
      bits(text, s, values[side][s][t]);
      fprintf(f, bits_of(s) == 1 ? "%sc%u\n" : "b%s c%u\n", text, s);
    }
  }
  assert_int_equal(fclose(f), 0);
}

static void write_fst(const char *path, unsigned side)
{
  struct hd_fst_writer *w = NULL;
  struct hd_fst_signal signals[SIGNALS];
  char text[HD_FST_MAX_BITS];
  assert_int_equal(hd_fst_writer_create(&w, path, NULL), 0);
  hd_fst_scope_begin(w, "m");
  for (unsigned s = 0; s < SIGNALS; s++) {
    snprintf(text, sizeof text, "s%u", s);
    hd_fst_signal_add(w, &signals[s], text, bits_of(s));
  }
  hd_fst_scope_end(w);
  for (unsigned t = 0; t < TIMES; t++) {
    hd_fst_time(w, t);
    for (unsigned s = 0; s < SIGNALS; s++) {
      bits(text, s, values[side][s][t]);
      hd_fst_put_text(w, &signals[s], text);
    }
  }
  assert_int_equal(hd_fst_writer_close(w, NULL), 0);
}

TEST(differences_of_random_waves_are_found_exactly)
{
  const uint64_t seed = first_seed();
  uint64_t random = seed;
  size_t differences = 0, equal = 0;

  print_message("seed %" PRIu64 "; again: HD_SEED=%" PRIu64 " make unit\n", seed, seed);
  for (unsigned round = 0; round < 60; round++) {
    CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;
    unsigned first[SIGNALS];
    size_t expected = 0;
    for (unsigned s = 0; s < SIGNALS; s++) {
      first[s] = TIMES;
      for (unsigned t = 0; t < TIMES; t++) {
        const bool keeps = t > 0 && next_random(&random) % 3 != 0;
        values[0][s][t] = keeps ? values[0][s][t - 1] : (uint8_t)(next_random(&random) % 3);
        values[1][s][t] = values[0][s][t];
        if (next_random(&random) % 80 == 0) /* a planted difference */
          values[1][s][t] = (uint8_t)(next_random(&random) % 3);
        if (values[1][s][t] != values[0][s][t] && first[s] == TIMES)
          first[s] = t;
      }
      expected += first[s] != TIMES;
    }
    (round & 1 ? write_fst : write_vcd)(path_a, 0);
    (round & 2 ? write_fst : write_vcd)(path_b, 1);
    must(hd_wave_diff(&d, path_a, path_b, NULL, 0, &why));
    assert_int_equal(d.compared, SIGNALS);
    assert_int_equal(d.n, expected);
    for (size_t i = 0; i < d.n; i++) {
      char a[16], b[16];
      const unsigned s = (unsigned)(d.differences[i].a[3] - '0'), t = first[s];
      assert_true(i == 0 || d.differences[i - 1].time <= d.differences[i].time);
      bits(a, s, values[0][s][t]);
      bits(b, s, values[1][s][t]);
      expect(&d, i, d.differences[i].b, t, a, b);
    }
    differences += d.n;
    equal += d.compared - d.n;
  }
  print_message("%zu signals differed, %zu did not\n", differences, equal);
  assert_true(differences > 50 && equal > 50);
}

/* ── what is refused ───────────────────────────────────────────────────────── */

TEST(bad_files_are_refused_with_their_line)
{
  static const struct {
    const char *text, *expected_message;
  } bad[] = {
      {"", "the file is empty"},
      {"no waves", ":1: no VCD file"},
      {"$var wire 1 ! a $end", "$enddefinitions is missing"},
      {"$enddefinitions $end", "no variable"},
      {"$timescale 3 ns $end", "$timescale must be"},
      {"$scope module", "has no name"},
      {"$upscope $end", "without a scope"},
      {"\n$var wire 0 ! a $end", ":2: a width"},
      {"$var wire 99999 ! a $end", "a width"},
      {"$var wire 1 ! $end", "must be: type"},
      {"$var wire 1 ! a $end $var wire 2 ! b $end $enddefinitions $end", "different widths"},
      {HEAD "#0\n1$\n", ":11: a change of a code"},
      {HEAD "#0 b10101 #", "wider"},
      {HEAD "#0 b1?01 #", "bits of a value"},
      {HEAD "#9 #8", "time goes back"},
      {HEAD "#-9", "a time is"},
      {HEAD "#0 r1.5 !", "a real"},
      {HEAD "#0 $what", "a command that is none"},
  };
  struct hd_wave_diff d;

  write_text(path_b, HEAD "#0 0! #1");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct hd_error err = {""};
    write_text(path_a, bad[i].text);
    assert_int_equal(hd_wave_diff(&d, path_a, path_b, NULL, 0, &err), HD_E_INPUT);
    if (strstr(err.text, bad[i].expected_message) == NULL || strstr(err.text, path_a) == NULL)
      fail_msg("'%s' does not say '%s'", err.text, bad[i].expected_message);
    hd_wave_diff_fini(&d);
  }
  must_fail(hd_wave_diff(&d, "/nonexistent.vcd", path_b, NULL, 0, &why), HD_E_IO,
            "/nonexistent.vcd");
  hd_wave_diff_fini(&d);
  write_text(path_a, HEAD "#5 0!");
  must_fail(hd_wave_diff(&d, path_a, path_b, NULL, 0, &why), HD_E_INPUT, "no time in common");
  hd_wave_diff_fini(&d);
  static const char garbage[] = "\0this begins as an FST file does";
  assert_int_equal(hd_file_write(path_a, garbage, sizeof garbage, NULL), 0);
  assert_int_equal(hd_wave_diff(&d, path_a, path_b, NULL, 0, &why), HD_E_INPUT);
  hd_wave_diff_fini(&d);
}

/* Returns the bytes of a whole file, which are the caller's. Tests cut them as a killed simulator would. */
static char *bytes_of_file(void (*write)(const char *path, unsigned side), size_t *length)
{
  char *bytes = NULL;
  for (unsigned s = 0; s < SIGNALS; s++)
    for (unsigned t = 0; t < TIMES; t++)
      values[0][s][t] = (uint8_t)(t / (s + 1) % 3);
  write(path_b, 0);
  assert_int_equal(hd_file_read(path_b, &bytes, length, NULL), 0);
  return bytes;
}

TEST(a_truncated_file_is_never_reported_as_equal)
{
  static void (*const writers[])(const char *, unsigned) = {write_fst, write_vcd};

  for (unsigned w = 0; w < 2; w++) {
    size_t length = 0, refused = 0, shorter = 0;
    CLEANUP(free_at) char *bytes = bytes_of_file(writers[w], &length);
    for (size_t n = 0; n + 1 < length; n += n + 40 < length ? 10 : 1) {
      CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;
      struct hd_error err = {""};
      assert_int_equal(hd_file_write(path_a, bytes, n, NULL), 0);
      const int status = hd_wave_diff(&d, path_a, path_b, NULL, 0, &err);
      if (status == HD_OK ? w == 0 || (d.n == 0 && hd_wave_diff_is_whole(&d))
                          : status != HD_E_INPUT || strstr(err.text, path_a) == NULL)
        fail_msg("%zu of %zu bytes: %d %s", n, length, status, err.text);
      *(status == HD_OK ? &shorter : &refused) += 1;
    }
    print_message("%s of %zu bytes: %zu cuts refused, %zu differ\n", w ? "VCD" : "FST", length,
                  refused, shorter);
    assert_true(refused > 50 && (shorter > 10) == (w == 1));
  }
}

TEST(a_file_that_the_library_cannot_read_is_reported_as_damaged)
{
  /* In these places, bytes that are all ones would make it crash, end the process or read for ever. */
  static const struct {
    size_t from_end, length;
  } damages[] = {{301, 4}, {262, 4}, {13, 4}};
  enum { FOR_EVER = 2 };
  size_t length = 0;
  char *bytes = bytes_of_file(write_fst, &length), *damaged = malloc(length);

  assert_non_null(damaged);
  for (unsigned i = 0; i < 2 * FOR_EVER + 1; i++) { /* as the first file, as the second one */
    const char *a = i % 2 ? path_b : path_a, *b = i % 2 ? path_a : path_b;
    CLEANUP(hd_wave_diff_fini) struct hd_wave_diff d;
    struct hd_error err = {""};
    memcpy(damaged, bytes, length);
    memset(damaged + length - damages[i / 2].from_end, 0xff, damages[i / 2].length);
    assert_int_equal(hd_file_write(path_a, damaged, length, NULL), 0);
    assert_int_equal(hd_wave_diff(&d, a, b, NULL, 0, &err), HD_E_INPUT);
    if (strstr(err.text, path_a) == NULL || strstr(err.text, "the file is damaged") == NULL)
      fail_msg("damage %u: %s", i, err.text);
  }
  free(damaged);
  free(bytes);
}

TEST(signal_names_are_written_in_one_form)
{
  static const char *const names[][2] = {
      {"data [7:0]", "data"},     {"data[7:0]", "data"}, {"mem[3] [7:0]", "mem[3]"},
      {"bit [3]", "bit[3]"},      {"bit[3]", "bit[3]"},  {"\\odd[x]", "\\odd[x]"},
      {"a.in[0].v", "a.in[0].v"}, {"[3]", "[3]"},        {"", ""},
      {"v [-1:-4]", "v"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s", names[i][0]);
    hd_wave_name_tidy(name);
    assert_string_equal(name, names[i][1]);
  }
}

static int make_directory(void **state)
{
  (void)state;
  if (mkdtemp(directory) == NULL)
    return -1;
  snprintf(path_a, sizeof path_a, "%s/a", directory);
  snprintf(path_b, sizeof path_b, "%s/b", directory);
  return 0;
}

static int remove_directory(void **state)
{
  (void)state;
  return hd_tree_remove(directory, NULL);
}

int main(void)
{
  return tests_run(make_directory, remove_directory);
}
