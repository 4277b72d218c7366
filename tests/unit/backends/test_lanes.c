/* Bit lanes: lookup tables as C code, memories, unsupported netlists, and many switches in one word.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=n replays random numbers. Needs Yosys.
 */
#define HD_LANES 128
#include "../../../bridge/backends/lanes/lanes_word.h"

#include "../../../bridge/backends/lanes/lanes_netlist.h"
#include "../../../bridge/backends/lanes/lanes_tables.h"
#include "../../../bridge/backends/lanes/lanes_write.h"
#include "../../../bridge/host/file.h"
#include "../lib/columns.h"
#include "../lib/lanes_fixture.h"
#include "../lib/stream_tests.h"
#include "../lib/switch_set.h"

/* ── tables ────────────────────────────────────────────────────────────────── */

static void lookup_tables_in_c_compute_all_256_functions(void **state)
{
  (void)state;
  char directory[256], path[300], command[1024];
  CLEANUP(hd_text_fini) struct hd_text code = {0};
  assert_int_equal(hd_directory_temporary("tables", directory, sizeof directory, NULL), 0);
  hd_text_add(&code, "#include <stdio.h>\n#define HD_LANES 64\n#define Z 0u\n#define O 255u\n");
  hd_lanes_tables(&code);
  hd_text_add(&code, "int main(void)\n{\n");
  for (unsigned table = 0; table < 256; table++)
    hd_text_add(&code, "  printf(\"%%u\\n\", L%02x(0xaau, 0xccu, 0xf0u) & 255u);\n", table);
  hd_text_add(&code, "}\n");
  snprintf(path, sizeof path, "%s/tables.c", directory);
  assert_int_equal(hd_file_write(path, hd_text_chars(&code), code.length, NULL), 0);
  snprintf(command, sizeof command, "gcc -O0 -o %s/tables %s && %s/tables", directory, path,
           directory);
  FILE *answers = popen(command, "r"); /* the directory's name has no blanks */
  assert_non_null(answers);
  for (unsigned table = 0; table < 256; table++) {
    unsigned got = 256;
    assert_int_equal(fscanf(answers, "%u", &got), 1);
    assert_int_equal(got, table);
  }
  assert_int_equal(pclose(answers), 0);
  hd_tree_remove(directory, NULL);
}

/* ── memories ──────────────────────────────────────────────────────────────── */

enum { WIDTH = 67, ROWS = 20, ADDRESS_BITS = 5, LANES = HD_LANES };

static const struct hd_lane_shape shape = {
    .rows = ROWS, .first_row = 3, .width = WIDTH, .row_bytes = 16};

static void draw_words(struct dice *dice, hd_word *words, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < HD_LANE_PARTS; k++)
      hd_word_put(&words[i], k,
                  (uint64_t)roll(dice, 1u << 31) << 33 ^ (uint64_t)roll(dice, 1u << 31) << 11 ^
                      roll(dice, 1u << 11));
}

static bool bit(const hd_word *words, unsigned i, unsigned lane)
{
  return hd_word_part(&words[i], lane / 64) >> lane % 64 & 1;
}

static unsigned address_of(const hd_word *address, unsigned lane)
{
  unsigned value = 0;
  for (unsigned i = 0; i < ADDRESS_BITS; i++)
    value |= (unsigned)bit(address, i, lane) << i;
  return value - shape.first_row;
}

/* Compares random writes and reads of lanes with those of one array for each lane. */
static void memories_of_lanes_are_independent(void **state)
{
  (void)state;
  static bool plain[LANES][ROWS][WIDTH];
  static unsigned char bytes[LANES * ROWS * 16];
  const struct hd_lane_memory memory = {.bytes = bytes, .lane_bytes = (size_t)ROWS * 16};
  hd_word address[ADDRESS_BITS], other[ADDRESS_BITS], write[WIDTH], enable[WIDTH], data[WIDTH],
      before[WIDTH], lanes[2];
  uint64_t compared = 0;
  struct dice dice = dice_begin("memories_of_lanes_are_independent", "test_lanes");
  draw_words(&dice, data, WIDTH);
  for (unsigned round = 0; round < 200; round++) {
    draw_words(&dice, address, ADDRESS_BITS);
    draw_words(&dice, other, ADDRESS_BITS);
    if (round % 3 == 0)
      memcpy(other, address, sizeof other);
    draw_words(&dice, write, WIDTH);
    draw_words(&dice, enable, WIDTH);
    draw_words(&dice, lanes, 2);
    memcpy(before, data, sizeof before);
    hd_lane_read(&memory, &shape, address, ADDRESS_BITS, lanes[0], data);
    if (round % 2)
      hd_lane_forward(address, other, ADDRESS_BITS, lanes[0], write, enable, WIDTH, data);
    hd_lane_write(&memory, &shape, other, ADDRESS_BITS, write, enable, lanes[1]);
    for (unsigned l = 0; l < LANES; l++)
      for (unsigned i = 0; i < WIDTH; i++) {
        const unsigned from = address_of(address, l), to = address_of(other, l);
        bool expected = from < ROWS && plain[l][from][i];
        if (round % 2 && from == to && bit(enable, i, l))
          expected = bit(write, i, l);
        if (!bit(lanes, 0, l))
          expected = bit(before, i, l);
        assert_int_equal(bit(data, i, l), expected);
        compared++;
        if (to < ROWS && bit(enable, i, l) && bit(lanes, 1, l))
          plain[l][to][i] = bit(write, i, l);
      }
  }
  print_message("%" PRIu64 " bits compared\n", compared);
}

/* ── rows and words ────────────────────────────────────────────────────────── */

static void rows_of_bits_are_transposed_into_columns(void **state)
{
  (void)state;
  struct dice dice = dice_begin("rows_of_bits_are_transposed_into_columns", "test_lanes");
  check_columns(&dice);
}

/* ── netlists ──────────────────────────────────────────────────────────────── */

static void assert_cells_refused(const char *cells, const char *what)
{
  CLEANUP(hd_netlist_fini) struct hd_netlist netlist;
  CLEANUP(hd_text_fini) struct hd_text code = {0};
  CLEANUP(free_at) char *json = lanes_netlist(cells);
  int status = hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", &why);
  if (!status)
    status = hd_lanes_write(&netlist, &lanes_few, 8, false, "there", &code, &why);
  assert_int_equal(status, what ? HD_E_INPUT : 0);
  if (what && !strstr(why.text, what))
    fail_msg("no '%s' in: %s", what, why.text);
}

#define LUT(name, a, b, y)                                                                     \
  "\"" name "\": {\"type\": \"$lut\", \"parameters\": {\"LUT\": \"0110\"}, \"connections\": {" \
  "\"A\": [" a ", " b "], \"Y\": [" y "]}}"
#define FLIP_FLOP(type, clock)                                                                 \
  "\"f\": {\"type\": \"" type "\", \"connections\": {\"C\": [" clock "], \"D\": [11], \"Q\": " \
  "[9]}}"

static void cells_that_lanes_do_not_support_are_named(void **state)
{
  (void)state;
  assert_cells_refused(FLIP_FLOP("$_DFF_P_", "2"), NULL);
  assert_cells_refused(FLIP_FLOP("$_DFF_P_", "11"), "another clock than clk");
  assert_cells_refused(FLIP_FLOP("$_DFF_N_", "2"), "$_DFF_N_");
  assert_cells_refused(LUT("a", "11", "12", "8") "," LUT("b", "8", "12", "9"), NULL);
  assert_cells_refused(LUT("a", "11", "9", "8") "," LUT("b", "8", "12", "9"), "depends on itself");
  assert_cells_refused(LUT("a", "11", "2", "9"), "clk as a value");
  assert_cells_refused("\"f\": {\"type\": \"$_FF_\", \"connections\": {\"D\": [11], \"Q\": [9]}}",
                       "a latch");
}

/* The lane code of such a netlist, for vectors of eight words. */
static void write_cells(const char *cells, struct hd_text *code)
{
  CLEANUP(hd_netlist_fini) struct hd_netlist netlist;
  CLEANUP(free_at) char *json = lanes_netlist(cells);
  assert_int_equal(hd_netlist_read(&netlist, &lanes_few, json, strlen(json), "there", NULL), 0);
  assert_int_equal(hd_lanes_write(&netlist, &lanes_few, 8, false, "there", code, NULL), 0);
}

#define TAKES(name, d, q)                                                           \
  "\"" name "\": {\"type\": \"$_DFF_P_\", \"connections\": {\"C\": [2], \"D\": [" d \
  "], \"Q\": [" q "]}}"
#define TWO_FLIP_FLOPS TAKES("f", "8", "9") "," TAKES("g", "7", "6")

/* Lookup tables of equal instances become one statement, unless one needs the other's value. Tables of different
 * instances do not. */
static void cells_of_equal_instances_are_computed_by_one_statement(void **state)
{
  (void)state;
  static const struct {
    const char *cells;
    bool at_once;
  } netlists[] = {
      {LUT("u[0].x.$abc$1$2", "11", "12", "8") "," LUT("u[1].x.$abc$3$4", "13", "14", "7"), true},
      {LUT("u[0].x.$abc$1$2", "11", "12", "8") "," LUT("u[1].y.$abc$3$4", "13", "14", "7"), false},
      {LUT("u[0].x.$abc$1$2", "11", "12", "8") "," LUT("u[1].x.$abc$3$4", "8", "14", "7"), false},
  };
  for (size_t i = 0; i < sizeof netlists / sizeof *netlists; i++) {
    CLEANUP(hd_text_fini) struct hd_text code = {0}, cells = {0};
    hd_text_add(&cells, "%s,%s", netlists[i].cells, TWO_FLIP_FLOPS);
    write_cells(hd_text_chars(&cells), &code);
    assert_int_equal(strstr(hd_text_chars(&code), "const V p0 = K(66, ") != NULL,
                     netlists[i].at_once);
    assert_int_equal(strstr(hd_text_chars(&code), "const W v0 = L66(") != NULL,
                     !netlists[i].at_once);
  }
}

/* ── switches ──────────────────────────────────────────────────────────────── */

static void print_line(void *context, const char *line)
{
  (void)context;
  print_message("%s\n", line);
}

static struct hd_backend lanes, wide_lanes; /* 64 lanes a word, and as many as this processor has */

static int open_lanes(void **state)
{
  (void)state;
  struct hd_backend_options options = {.say = print_line, .quick = true}, many = options;
  many.switches = 512;
  if (hd_backend_open(&lanes, "lanes", &lanes_whole, &options, &why) ||
      hd_backend_open(&wide_lanes, "lanes", &lanes_whole, &many, &why)) {
    print_error("%s\n", why.text);
    return -1;
  }
  print_message("%s; %s\n", lanes.ops->about, wide_lanes.ops->about);
  return 0;
}

static int close_lanes(void **state)
{
  (void)state;
  hd_backend_close(&lanes);
  hd_backend_close(&wide_lanes);
  return 0;
}

static void lanes_answer_streams_as_the_model_does(void **state)
{
  (void)state;
  static const uint32_t windows[] = {1, 7, 256};
  uint64_t compared = 0, seed = first_seed();
  for (uint32_t i = 0; i < n_streams(6); i++, seed++) {
    CLEANUP(hd_stream_fini) struct stream s;
    make_stream(&s, &lanes_whole, 1500, i % 2 ? 60 : 0, seed);
    struct hd_dut *dut = make_dut(lanes.ops, &s, 1, i % 3 ? "" : "every-cycle");
    uint16_t errors = 0;
    compared += run_and_compare(&s, lanes.ops, dut, 0, 0, s.cycles, windows[i % 3], seed);
    assert_int_equal(lanes.ops->config_read(dut, 0, HD_CFG_ERRORS, &errors, NULL), 0);
    assert_int_equal(errors, s.errors);
    lanes.ops->destroy(dut);
    if (i < 2)
      compared += snapshot_and_compare(&s, lanes.ops, 700, seed);
  }
  print_message("seeds from %" PRIu64 ", %" PRIu64 " events compared\n", first_seed(), compared);
  assert_true(compared > 0);
}

/* A switch of a batch, with its own stream. */
struct played {
  struct stream stream;
  struct stream_expected expected;
  struct answer answer;
};

static void job_of(struct played *p, uint32_t sw, struct hd_dut_job *job)
{
  const struct stream *s = &p->stream;
  *job = (struct hd_dut_job){.sw = sw,
                             .cycles = s->cycles,
                             .flits_in = s->flits_in,
                             .credits_in = s->credits_in,
                             .configs_in = s->configs_in,
                             .n_flits_in = s->n_flits_in,
                             .n_credits_in = s->n_credits_in,
                             .n_configs_in = s->n_configs_in,
                             .flits_out = p->answer.flits,
                             .credits_out = p->answer.credits,
                             .toggles = p->answer.toggles,
                             .cap_flits_out = s->cycles * lanes_whole.ports,
                             .cap_credits_out = s->cycles * lanes_whole.ports,
                             .cap_toggles = s->cycles,
                             .expected = sw % 3 ? &p->expected.expected : NULL};
}

/* Makes one expected event wrong: changes a flit, removes one, adds a credit, or delays a change of quiescent_o. If
 * the stream has no event of that kind, delays the change. */
static void spoil_expectation(struct played *p, unsigned how)
{
  struct hd_dut_expected *x = &p->expected.expected;
  if (how < 3 && !(how < 2 ? x->n_flits : x->n_credits))
    how = 3;
  assert_true(how < 3 || x->n_toggles > 0);
  if (how == 0)
    p->expected.flits[x->n_flits / 2].data ^= 1u << 31;
  else if (how == 1)
    x->n_flits--;
  else if (how == 2)
    p->expected.credits[x->n_credits / 2].vcs ^= 2;
  else
    p->expected.toggles[x->n_toggles - 1]++;
}

/* 140 switches: all words but the last are full. All streams end at different times; each switch is in one of two
 * batches; some have no expectation, and some a wrong one. */
static void check_batches(const struct hd_dut_ops *ops)
{
  enum { SWITCHES = 140 };
  CLEANUP(free_at) struct played *played = calloc(SWITCHES, sizeof *played);
  struct hd_dut *dut = NULL;
  uint64_t compared = 0, seed = first_seed();
  must(ops->create(&dut, &lanes_whole, SWITCHES, "", &why));
  for (uint32_t sw = 0; sw < SWITCHES; sw++) {
    struct played *p = &played[sw];
    make_stream(&p->stream, &lanes_whole, 200 + sw, sw % 2 ? 60 : 0, seed + sw);
    hd_stream_expect(&p->stream, 0, p->stream.cycles, &p->expected);
    hd_answer_init(&p->answer, &p->stream);
    if (sw % 5 == 0)
      spoil_expectation(p, sw / 5 % 4);
    must(hd_stream_configure(&p->stream, ops, dut, sw, &why));
  }
  for (uint32_t batch = 0; batch < 2; batch++) {
    struct hd_dut_job jobs[SWITCHES];
    uint32_t n = 0;
    for (uint32_t sw = 0; sw < SWITCHES; sw++)
      if (sw / 2 % 2 == batch)
        job_of(&played[sw], sw, &jobs[n++]);
    must(ops->run(dut, jobs, n, &why));
    for (uint32_t i = 0; i < n; i++) {
      struct played *p = &played[jobs[i].sw];
      char text[600];
      const bool agrees = jobs[i].expected && jobs[i].sw % 5;
      assert_int_equal(jobs[i].agrees, agrees);
      if (agrees) {
        compared += p->expected.expected.n_flits + p->expected.expected.n_credits;
        continue;
      }
      p->answer.n_flits = jobs[i].n_flits_out;
      p->answer.n_credits = jobs[i].n_credits_out;
      p->answer.n_toggles = jobs[i].n_toggles;
      p->answer.some = true;
      p->answer.quiescent = jobs[i].quiescent;
      assert_int_equal(jobs[i].lost, 0);
      compared += hd_stream_compare(&p->stream, &p->answer, 0, p->stream.cycles, text, sizeof text);
      if (*text)
        fail_msg("switch %u, seed %" PRIu64 ": %s", jobs[i].sw, seed, text);
    }
  }
  for (uint32_t sw = 0; sw < SWITCHES; sw++) {
    uint16_t errors = 0;
    assert_int_equal(ops->config_read(dut, sw, HD_CFG_ERRORS, &errors, NULL), 0);
    assert_int_equal(errors, played[sw].stream.errors);
    hd_stream_fini(&played[sw].stream);
    hd_stream_expected_fini(&played[sw].expected);
    hd_answer_fini(&played[sw].answer);
  }
  ops->destroy(dut);
  print_message("%" PRIu64 " events compared\n", compared);
  assert_true(compared > 0);
}

static void switches_of_a_batch_are_independent(void **state)
{
  (void)state;
  check_batches(lanes.ops);
  check_batches(wide_lanes.ops);
}

static void save(const struct hd_dut_ops *ops, struct hd_dut *dut, uint32_t n,
                 struct hd_dut_buffer *states)
{
  states->length = 0;
  for (uint32_t sw = 0; sw < n; sw++)
    assert_int_equal(ops->snapshot_save(dut, sw, states, NULL), 0);
}

/* Reads registers of many switches in one call, some of the same switch, after writes that are not yet applied, and
 * then in the middle of windows. All values must be the model's, and reading must change nothing. */
static void check_reads(const struct hd_dut_ops *ops)
{
  enum { SWITCHES = 140, READS = 1000 };
  static const uint32_t known[] = {HD_CFG_ERRORS, HD_CFG_IDLE, HD_CFG_SELF, HD_CFG_LIVE, 0, 2};
  const struct hd_dut_ops *both[] = {ops, hd_dut_model_backend()};
  struct dice dice = dice_begin("several_registers_can_be_read_in_one_call", "test_lanes");
  struct hd_dut *duts[2];
  struct hd_dut_buffer before = {0}, after = {0};
  CLEANUP(free_at) struct hd_dut_read *reads = calloc(READS, sizeof *reads);
  static struct stream streams[SWITCHES]; /* a window for each switch */
  uint32_t busy = 0, various = 0;
  assert_true(ops->capabilities & HD_DUT_READS);
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    make_stream(&streams[sw], &lanes_whole, 20 + sw, 60, first_seed() + sw);
  for (unsigned i = 0; i < 2; i++)
    duts[i] = make_dut(both[i], &streams[0], SWITCHES, "");
  for (unsigned round = 0; round < 2; round++) {
    for (uint32_t sw = 0; sw < SWITCHES && !round; sw += 1 + roll(&dice, 3)) {
      const uint32_t addr = roll(&dice, 2) ? HD_CFG_IDLE : HD_CFG_SELF;
      const uint16_t data = (uint16_t)(1 + roll(&dice, 15));
      for (unsigned i = 0; i < 2; i++)
        assert_int_equal(both[i]->config_write(duts[i], sw, addr, data, NULL), 0);
    }
    for (unsigned i = 0; i < 2 && round; i++) {
      struct hd_dut_job jobs[SWITCHES];
      for (uint32_t sw = 0; sw < SWITCHES; sw++)
        jobs[sw] = (struct hd_dut_job){.sw = sw,
                                       .cycles = streams[sw].cycles,
                                       .flits_in = streams[sw].flits_in,
                                       .credits_in = streams[sw].credits_in,
                                       .configs_in = streams[sw].configs_in,
                                       .n_flits_in = streams[sw].n_flits_in,
                                       .n_credits_in = streams[sw].n_credits_in,
                                       .n_configs_in = streams[sw].n_configs_in};
      assert_int_equal(both[i]->run(duts[i], jobs, SWITCHES, NULL), 0);
      for (uint32_t sw = 0; sw < SWITCHES; sw++)
        busy += jobs[sw].lost > 2; /* it takes no answers */
    }
    for (uint32_t i = 0; i < READS; i++) {
      reads[i] = (struct hd_dut_read){.sw = roll(&dice, i % 2 ? SWITCHES : 40),
                                      .addr = known[roll(&dice, 6)]};
      reads[i].data = (uint16_t)roll(&dice, 1u << 16);
    }
    assert_int_equal(ops->extension->config_reads(duts[0], reads, READS, NULL), 0);
    save(ops, duts[0], SWITCHES, &before);
    for (uint32_t i = 0; i < READS; i++) {
      uint16_t want = 0, alone = 0;
      assert_int_equal(both[1]->config_read(duts[1], reads[i].sw, reads[i].addr, &want, NULL), 0);
      if (i % 16 == 0) {
        assert_int_equal(ops->config_read(duts[0], reads[i].sw, reads[i].addr, &alone, NULL), 0);
        assert_int_equal(alone, want);
      }
      if (reads[i].data != want)
        fail_msg("switch %u, register 0x%05x: %04x, not %04x", reads[i].sw, reads[i].addr,
                 reads[i].data, want);
      various += want > 1;
    }
    save(ops, duts[0], SWITCHES, &after);
    assert_int_equal(before.length, after.length);
    assert_memory_equal(before.bytes, after.bytes, before.length);
  }
  assert_true(busy > SWITCHES && various > READS / 2);
  print_message("%u registers compared\n", 2 * READS);
  for (unsigned i = 0; i < 2; i++)
    both[i]->destroy(duts[i]);
  for (uint32_t sw = 0; sw < SWITCHES; sw++)
    hd_stream_fini(&streams[sw]);
  free(before.bytes);
  free(after.bytes);
}

static void several_registers_can_be_read_in_one_call(void **state)
{
  (void)state;
  check_reads(lanes.ops);
  check_reads(wide_lanes.ops);
}

static void events_that_pins_cannot_carry_are_refused(void **state)
{
  (void)state;
  struct hd_flit_event twice[] = {{.port = 1, .cycle = 3, .kind = HD_KIND_SINGLE},
                                  {.port = 1, .cycle = 3, .kind = HD_KIND_SINGLE}};
  struct hd_flit_event late = {.port = 1, .cycle = 10, .kind = HD_KIND_SINGLE};
  struct hd_dut_job job = {.cycles = 10, .flits_in = twice, .n_flits_in = 2};
  struct hd_dut *dut = NULL;
  must(lanes.ops->create(&dut, &lanes_whole, 1, "", &why));
  must_fail(lanes.ops->run(dut, &job, 1, &why), HD_E_INPUT, "that no pins can carry");
  job.flits_in = &late;
  job.n_flits_in = 1;
  must_fail(lanes.ops->run(dut, &job, 1, &why), HD_E_INPUT, "behind the window");
  lanes.ops->destroy(dut);
  assert_int_equal(lanes.ops->create(&dut, &lanes_whole, 1, "fast", &why), HD_E_INPUT);
}

int main(void)
{
  const struct CMUnitTest of_parts[] = {
      cmocka_unit_test(lookup_tables_in_c_compute_all_256_functions),
      cmocka_unit_test(memories_of_lanes_are_independent),
      cmocka_unit_test(rows_of_bits_are_transposed_into_columns),
      cmocka_unit_test(cells_that_lanes_do_not_support_are_named),
      cmocka_unit_test(cells_of_equal_instances_are_computed_by_one_statement),
  };
  const struct CMUnitTest of_switches[] = {
      cmocka_unit_test(lanes_answer_streams_as_the_model_does),
      cmocka_unit_test(switches_of_a_batch_are_independent),
      cmocka_unit_test(several_registers_can_be_read_in_one_call),
      cmocka_unit_test(events_that_pins_cannot_carry_are_refused),
  };
  int failed = cmocka_run_group_tests(of_parts, NULL, NULL);
  return failed + cmocka_run_group_tests(of_switches, open_lanes, close_lanes);
}
