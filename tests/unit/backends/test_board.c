/* Over good and bad lines, the host reports what a board really did, or says why it cannot.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The board is soft_board.h's. HD_SEED=n replays a seed, HD_STREAMS=n sets how many are tried.
 */
#include "../../../bridge/backends/board/board_find.h"
#include "../lib/switch_set.h"

#include "../lib/dice.h"
#include "../lib/soft_board.h"
#include "../lib/test.h"
#include "../../../bridge/check/streams/stream_replay.h"

#include <malloc.h>

static const struct hd_switch_params small = SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0);
static const struct hd_switch_params wide = SWITCH_SET(3, 3, 64, 5, 20, 2, 2, 1, 2, 1, 2, 0, 0, 0);
static const struct hd_switch_params barrier =
    SWITCH_SET(4, 2, 32, 4, 9, 1, 1, 0, 0, 0, 0, 1, 3, 6);

/* For lines that lose no bytes: the host waits for answers, however slow the machine is. */
#define PATIENT ",patience=60000"

/* Outcome of one stream on a board. */
struct outcome {
  int status;
  struct hd_error err;
  char difference[512];
  uint32_t first; /* cycle of the first differing credit; 0: none */
};

static uint32_t first_credit(const struct stream *s, const struct answer *a)
{
  for (uint32_t i = 0; i < s->n_credits_out || i < a->n_credits; i++) {
    const struct hd_credit_event *e = i < s->n_credits_out ? &s->credits_out[i] : NULL;
    const struct hd_credit_event *g = i < a->n_credits ? &a->credits[i] : NULL;
    if (!e || !g || memcmp(e, g, sizeof *e))
      return !e ? g->cycle : !g ? e->cycle : e->cycle < g->cycle ? e->cycle : g->cycle;
  }
  return 0;
}

/* Plays a stream of `cycles` in windows on switch 1 of a board of 2. */
static struct outcome play(struct soft_board *b, const struct hd_switch_params *params,
                           uint32_t cycles, uint32_t window, bool gets_expected,
                           const char *options, uint64_t seed)
{
  struct outcome o = {.status = 0};
  CLEANUP(hd_stream_fini) struct stream s;
  CLEANUP(hd_answer_fini) struct answer a;
  struct stream_style style = {.load = seed % 2 ? 300 : 3, .illegal = seed % 3 ? 0 : 30};
  struct hd_dut *dut = NULL;
  char text[256];
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  b->params = *params;
  b->switches = 2;
  b->rnd = seed;
  if (hd_stream_make(&s, params, cycles, &style, seed, &o.err))
    fail_msg("%s", o.err.text);
  hd_answer_init(&a, &s);
  a.gets_expected = gets_expected;
  soft_begin(b);
  snprintf(text, sizeof text, "%s,baud=3000000,any-build" PATIENT "%s", b->path, options);
  o.status = ops->create(&dut, params, 2, text, &o.err);
  /* tables outlive a reset, groups of barriers and generators do not */
  bool forgets = params->barrier || params->adaptive;
  if (!o.status && forgets)
    o.status = ops->reset(dut, &o.err);
  if (!o.status)
    o.status = hd_stream_configure(&s, ops, dut, 1, &o.err);
  if (!o.status && !forgets)
    o.status = ops->reset(dut, &o.err);
  if (!o.status)
    o.status = hd_stream_run(&s, ops, dut, 1, 0, cycles, window, &a, &o.err);
  if (!o.status)
    hd_stream_compare(&s, &a, 0, cycles, o.difference, sizeof o.difference);
  o.first = first_credit(&s, &a);
  uint16_t errors = 0;
  if (!o.status && !*o.difference) {
    o.status = ops->config_read(dut, 1, HD_CFG_ERRORS, &errors, &o.err);
    if (!o.status && errors != s.errors)
      snprintf(o.difference, sizeof o.difference, "errors 0x%x, want 0x%x", errors, s.errors);
  }
  if (dut)
    ops->destroy(dut);
  soft_end(b);
  return o;
}

static void must_agree(const struct outcome *o, uint64_t seed)
{
  if (o->status || *o->difference)
    fail_msg("seed %" PRIu64 " (HD_SEED=%" PRIu64 " replays): %s%s", seed, seed,
             o->status ? o->err.text : "", o->difference);
}

TEST(frames_are_received_whole_and_damaged_ones_are_dropped)
{
  uint64_t rnd = first_seed();
  struct hd_frame_reader reader = {.length = 0};
  uint32_t good = 0, damaged = 0;
  for (int k = 0; k < 3000; k++) {
    uint8_t content[HD_FRAME_CONTENT], wire[HD_FRAME_WIRE];
    size_t n = 4 + below(&rnd, k % 10 ? 30 : HD_FRAME_CONTENT - 3), got = 0;
    for (size_t i = 0; i < n; i++)
      content[i] = (uint8_t)(chance(&rnd, 200) ? 0x7d + below(&rnd, 2) : below(&rnd, 256));
    size_t length = hd_frame_put(wire, content, n);
    assert_true(length <= sizeof wire);
    uint64_t bad = reader.bad;
    bool damage = chance(&rnd, 500), came = false;
    if (damage)
      wire[1 + below(&rnd, (uint32_t)length - 2)] ^= (uint8_t)(1u << below(&rnd, 8));
    for (size_t i = 0; i < length; i++)
      if (hd_frame_take(&reader, wire[i], &got)) {
        came = true;
        assert_int_equal(got, n);
        assert_memory_equal(reader.content, content, n);
      }
    assert_int_equal(came, !damage);
    assert_true(damage == (reader.bad > bad));
    good += came;
    damaged += damage;
  }
  assert_true(good > 1000 && damaged > 1000);
}

TEST(runs_over_a_good_line_agree_with_the_model)
{
  static const struct hd_switch_params *const params[] = {&small, &wide, &barrier};
  static const uint32_t windows[] = {1, 7, 256, 4096};
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(24); i++, seed++) {
    struct soft_board b = {.build = 1};
    struct outcome o = play(&b, params[seed % 3], seed % 4 ? 2500 : 150,
                            windows[seed % 4 ? 1 + seed % 3 : 0], seed / 4 % 2, "", seed);
    must_agree(&o, seed);
  }
}

TEST(runs_over_a_line_that_damages_bytes_agree_with_the_model)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(6); i++, seed++) {
    struct outcome o = {.status = HD_E_IO, .err = {"no answer"}};
    /* only a timeout shows that bytes were lost, so a slow machine gets more patience */
    for (unsigned patience_ms = 40;
         o.status && strstr(o.err.text, "no answer") && patience_ms <= 40000; patience_ms *= 10) {
      struct soft_board b = {.dropped = 60, .flipped = 60, .doubled = 60};
      char options[32];
      snprintf(options, sizeof options, ",patience=%u", patience_ms);
      o = play(&b, &small, 1500, 256, seed % 2, options, seed);
    }
    must_agree(&o, seed);
  }
}

TEST(a_board_that_was_reset_gets_its_state_back)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(6); i++, seed++) {
    struct soft_board b = {.forget_at = 20 + 3 * (uint32_t)(seed % 8)};
    struct outcome o = play(&b, &small, 1500, 256, seed % 2, "", seed);
    must_agree(&o, seed);
    assert_true(b.forgot > 0);
  }
}

/* Requests have only 256 numbers, so the epoch must say to whom an answer belongs. */
TEST(answers_to_another_host_are_ignored)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(6); i++, seed++) {
    struct soft_board b = {.stale = true, .forget_at = seed % 2 ? 30 : 0};
    struct outcome o = play(&b, &small, 1500, 256, seed % 4 < 2, "", seed);
    must_agree(&o, seed);
  }
}

TEST(answers_of_another_epoch_are_ignored_and_counted)
{
  bool came = false; /* the board's answers; a slow machine gets more patience */
  for (unsigned patience_ms = 5; !came && patience_ms <= 50000; patience_ms *= 10) {
    struct soft_board b = {.wrong_epoch = true};
    char options[32];
    snprintf(options, sizeof options, ",patience=%u", patience_ms);
    struct outcome o = play(&b, &small, 100, 256, true, options, first_seed());
    assert_int_equal(o.status, HD_E_IO);
    assert_non_null(strstr(o.err.text, "of another request or epoch"));
    came = !strstr(o.err.text, " 0 of another");
  }
  assert_true(came);
}

TEST(a_run_continues_after_an_unplugged_cable_is_back)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(4); i++, seed++) {
    struct soft_board b = {.unplug_every = 15 + (uint32_t)seed % 5};
    struct outcome o = play(&b, &small, 1500, 256, seed % 2, "", seed);
    must_agree(&o, seed);
    assert_true(b.unplugged > 0);
  }
}

struct interruption {
  struct soft_board *board;
  struct hd_dut *dut;
};

static void *interrupt_when_unplugged(void *context)
{
  const struct interruption *i = context;
  while (!i->board->unplugged)
    usleep(1000);
  hd_dut_board_backend()->extension->interrupt(i->dut);
  return NULL;
}

/* A cable may be unplugged for a day. The user can interrupt the wait. */
TEST(waiting_for_an_unplugged_cable_can_be_interrupted)
{
  struct soft_board b = {
      .params = small, .switches = 2, .unplug_every = 60, .unplug_for_good = true};
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  struct interruption i = {.board = &b};
  pthread_t thread;
  char text[256];
  int status = 0;
  soft_begin(&b);
  snprintf(text, sizeof text, "%s,baud=3000000,any-build,wait=86400" PATIENT, b.path);
  must(ops->create(&i.dut, &small, 2, text, &why));
  assert_int_equal(b.unplugged, 0);
  assert_int_equal(pthread_create(&thread, NULL, interrupt_when_unplugged, &i), 0);
  for (uint16_t value; !status;)
    status = ops->config_read(i.dut, 1, HD_CFG_ERRORS, &value, &why);
  pthread_join(thread, NULL);
  assert_int_equal(status, HD_E_INTERRUPTED);
  assert_non_null(strstr(why.text, "interrupted while waiting for the board"));
  assert_true(b.unplugged == 1);
  ops->destroy(i.dut);
  soft_end(&b);
}

TEST(the_cycle_of_a_boards_wrong_answer_is_found)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(12); i++, seed++) {
    struct soft_board b = {.lie_switch = 1, .lie_cycle = 40 + (uint32_t)(seed * 191) % 2400};
    struct outcome o = play(&b, &small, 2500, 1024, seed % 2, "", seed);
    if (o.status || o.first != b.lie_cycle)
      fail_msg("seed %" PRIu64 ": lied in cycle %u, found %u: %s%s", seed, b.lie_cycle, o.first,
               o.status ? o.err.text : "", o.difference);
  }
}

/* The board's signature unit is broken. The switch and its records are right. */
TEST(a_broken_signature_unit_is_not_reported_as_a_divergence)
{
  static const struct {
    uint32_t above;
    bool gets_expected;
    const char *expected_message;
  } cases[] = {{0, true, "its records are what the model shows"},
               {0, false, "its signature unit or its output records are broken"},
               {200, true, "but those of each part are right"}};
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(6); i++, seed++) {
    size_t k = seed % 3;
    struct soft_board b = {.missigns = true, .missigns_above = cases[k].above};
    struct outcome o = play(&b, &small, 2500, 1024, cases[k].gets_expected, "", seed);
    if (o.status != HD_E_IO || !strstr(o.err.text, cases[k].expected_message))
      fail_msg("seed %" PRIu64 ": status %d: %s", seed, o.status, o.err.text);
  }
  struct soft_board b = {.missigns = true};
  struct outcome o = play(&b, &small, 2500, 1024, true, ",events", first_seed());
  must_agree(&o, first_seed());
}

TEST(wrong_records_of_a_board_are_not_reported_as_a_divergence)
{
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(4); i++, seed++) {
    struct soft_board b = {.misrecords = true, .lie_switch = 1};
    b.lie_cycle = seed % 2 ? 0 : 1000;
    struct outcome o = play(&b, &small, 2500, 1024, !b.lie_cycle || seed % 4 < 2, "", seed);
    if (!b.lie_cycle) /* no signature differs, so the host asks for no records */
      must_agree(&o, seed);
    else if (o.status != HD_E_IO || !strstr(o.err.text, "the board contradicts itself"))
      fail_msg("seed %" PRIu64 ": status %d: %s", seed, o.status, o.err.text);
  }
}

TEST(a_board_that_answers_a_repeated_window_differently_is_reported)
{
  struct soft_board b = {.lie_switch = 1, .lie_cycle = 700, .lie_once = true};
  struct outcome o = play(&b, &small, 1500, 512, true, "", 3);
  assert_int_equal(o.status, HD_E_IO);
  assert_non_null(strstr(o.err.text, "does not repeat itself"));
}

/* The board must answer cycles [from, to) of a stream as the model does. */
static void must_answer(const struct stream *s, struct hd_dut *dut, uint32_t sw, uint32_t from,
                        uint32_t to, bool gets_expected, uint64_t seed)
{
  struct outcome o = {.status = 0};
  CLEANUP(hd_answer_fini) struct answer a;
  hd_answer_init(&a, s);
  a.gets_expected = gets_expected;
  o.status = hd_stream_run(s, hd_dut_board_backend(), dut, sw, from, to, 256, &a, &o.err);
  if (!o.status)
    hd_stream_compare(s, &a, from, to, o.difference, sizeof o.difference);
  must_agree(&o, seed);
}

TEST(a_restored_snapshot_continues_like_the_saved_run)
{
  enum { MIDDLE = 601, CYCLES = 1500 };
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  for (uint64_t seed = first_seed(), i = 0; i < n_streams(6); i++, seed++) {
    CLEANUP(soft_end)
    struct soft_board b = {.params = seed % 2 ? small : wide, .switches = 2, .rnd = seed};
    struct stream_style style = {.load = 300};
    struct hd_dut_buffer buffer = {0};
    struct hd_dut *dut = NULL;
    struct hd_error err = {.text = ""};
    CLEANUP(hd_stream_fini) struct stream s;
    char text[256];
    if (hd_stream_make(&s, &b.params, CYCLES, &style, seed, &err))
      fail_msg("%s", err.text);
    soft_begin(&b);
    snprintf(text, sizeof text, "%s,baud=3000000,any-build" PATIENT, b.path);
    if (ops->create(&dut, &b.params, 2, text, &err) || hd_stream_configure(&s, ops, dut, 1, &err))
      fail_msg("%s", err.text);
    must_answer(&s, dut, 1, 0, MIDDLE, true, seed);
    if (ops->snapshot_save(dut, 1, &buffer, &err))
      fail_msg("%s", err.text);
    must_answer(&s, dut, 1, MIDDLE, CYCLES, true, seed);
    for (uint32_t sw = 0; sw < 2; sw++) { /* in another switch, and back in the same one */
      assert_int_equal(ops->snapshot_restore(dut, sw, &buffer, &err), 0);
      must_answer(&s, dut, sw, MIDDLE, CYCLES, sw, seed);
    }
    buffer.length--;
    assert_int_equal(ops->snapshot_restore(dut, 0, &buffer, &err), HD_E_INPUT);
    free(buffer.bytes);
    ops->destroy(dut);
  }
}

#if defined(__SANITIZE_ADDRESS__)
size_t __sanitizer_get_current_allocated_bytes(void);
#endif

/* Bytes that this process has allocated now. */
static size_t bytes_held(void)
{
#if defined(__SANITIZE_ADDRESS__)
  return __sanitizer_get_current_allocated_bytes();
#else
  struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
#endif
}

/* A switch's stimuli are kept in a file. So memory and snapshots do not grow with cycles, and the board can still be
 * brought back to any earlier cycle. */
TEST(memory_and_snapshots_do_not_grow_with_the_cycles_of_a_run)
{
  enum { SHORT = 1000, LONG = 10000, SLACK = 8192 };
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  const uint64_t seed = first_seed();
  CLEANUP(soft_end) struct soft_board b = {.params = small, .switches = 1, .rnd = seed};
  struct stream_style style = {.load = 300};
  struct hd_dut_buffer early = {0}, late = {0};
  struct hd_dut *dut = NULL;
  CLEANUP(hd_stream_fini) struct stream s;
  char text[256];
  must(hd_stream_make(&s, &small, LONG, &style, seed, &why));
  soft_begin(&b);
  snprintf(text, sizeof text, "%s,baud=3000000,any-build" PATIENT, b.path);
  if (ops->create(&dut, &small, 1, text, &why) || hd_stream_configure(&s, ops, dut, 0, &why))
    fail_msg("%s", why.text);
  must_answer(&s, dut, 0, 0, SHORT, true, seed);
  must(ops->snapshot_save(dut, 0, &early, &why));
  const size_t before = bytes_held();
  assert_true(before > 0);
  must_answer(&s, dut, 0, SHORT, LONG, true, seed);
  must(ops->snapshot_save(dut, 0, &late, &why));
  const size_t after = bytes_held();
  print_message("seed %" PRIu64 ": %zu bytes after %d cycles, %zu after %d\n", seed, before, SHORT,
                after, LONG);
  if (after > before + SLACK)
    fail_msg("%zu bytes more after %d cycles than after %d", after - before, LONG, SHORT);
  assert_int_equal(late.length, early.length);
  must(ops->snapshot_restore(dut, 0, &early, &why));
  must_answer(&s, dut, 0, SHORT, LONG, true, seed);
  free(early.bytes);
  free(late.bytes);
  ops->destroy(dut);
}

/* The directory for the file of stimuli does not exist. */
TEST(a_run_that_cannot_create_its_file_of_stimuli_is_refused)
{
  struct soft_board b = {.params = small, .switches = 1, .rnd = 1};
  struct hd_dut *dut = NULL;
  char text[256];
  soft_begin(&b);
  snprintf(text, sizeof text, "%s,baud=3000000,any-build" PATIENT, b.path);
  setenv("TMPDIR", "/tmp/hd-not-there", 1);
  assert_int_equal(hd_dut_board_backend()->create(&dut, &small, 1, text, &why), HD_E_IO);
  unsetenv("TMPDIR");
  soft_end(&b);
  assert_non_null(strstr(why.text, "/tmp/hd-not-there (TMPDIR)"));
}

#define TEN(x) x x x x x x x x x x

TEST(devices_that_are_no_boards_are_refused)
{
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  static const struct {
    const char *options, *expected_message;
    int status;
  } cases[] = {
      {"", "needs a device", HD_E_INPUT},
      {"/dev/null", "no serial device", HD_E_IO},
      {"/dev/hd-not-there", "cannot open", HD_E_IO},
      {"/dev/hd-not-there", "heddle board list", HD_E_IO},
      {"/dev/null,baud=12345", "no serial line has 12345 baud", HD_E_INPUT},
      {"/dev/null,speed=9600", "no option 'speed=9600'", HD_E_INPUT},
      {"virtual,rtl=/none" TEN(TEN("/" TEN("a"))), "cannot read the RTL directory", HD_E_INPUT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_dut *dut = NULL;
    struct hd_error err = {.text = ""};
    assert_int_equal(ops->create(&dut, &small, 1, cases[i].options, &err), cases[i].status);
    if (!strstr(err.text, cases[i].expected_message))
      fail_msg("%s says: %s", cases[i].options, err.text);
    assert_null(dut);
  }
}

TEST(a_board_with_another_switch_or_build_is_refused)
{
  const struct hd_dut_ops *ops = hd_dut_board_backend();
  static const struct {
    struct hd_switch_params board;
    uint32_t count;
    const char *options, *expected_message;
  } cases[] = {
      {SWITCH_SET(5, 2, 16, 5, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0), 1, ",any-build",
       "register SHAPE reads 0x0a45, needed is 0x0845 (switch.depth_flits is 5, needed is 4) "
       "(spec"},
      {SWITCH_SET(3, 3, 16, 4, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0), 1, ",any-build",
       "(switch.ports is 3, needed is 5; switch.vcs is 3, needed is 2) (spec"},
      {SWITCH_SET(6, 2, 16, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0), 1, ",any-build",
       "(switch.ports is 6, needed is 5); register NODES reads 0x0004, needed is 0x0010 "
       "(switch.nodes is 4, needed is 16) (spec"},
      {SWITCH_SET(5, 2, 32, 4, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0), 1, ",any-build", "register WIDTH"},
      {SWITCH_SET(5, 2, 16, 4, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0), 1, ",any-build", "register NODES"},
      {SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 1, 0, 0, 0, 0), 1, ",any-build",
       "(source_table is 1, needed is 0)"},
      {SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 1, 0, 0, 0), 1, ",any-build",
       "(adaptive is 1, needed is 0)"},
      {SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 1, 3, 6), 1, ",any-build",
       "(switch.barrier is any, needed is none)"},
      {SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0), 3, ",any-build", "holds 2"},
      {SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, 0, 0, 0), 1, "", "built from other sources"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(soft_end) struct soft_board b = {.params = cases[i].board, .switches = 2, .rnd = 1};
    struct hd_dut *dut = NULL;
    char text[256];
    soft_begin(&b);
    snprintf(text, sizeof text, "%s" PATIENT "%s", b.path, cases[i].options);
    must_fail(ops->create(&dut, &small, cases[i].count, text, &why), HD_E_INPUT,
              cases[i].expected_message);
  }
}

TEST(a_board_that_does_not_answer_ends_the_run_with_a_reason)
{
  static const struct {
    struct soft_board board;
    const char *expected_message;
  } cases[] = {{{.dropped = 1000000}, "nothing came: the FPGA is not configured"},
               {{.garbled = true}, "what came is no frame: the line has another baud rate"},
               {{.wrong_epoch = true}, "does somebody else use the board"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_error err = {.text = ""};
    bool said = false; /* a slow machine gets more time */
    for (unsigned ms = 5; !said && ms <= 50000; ms *= 10) {
      struct soft_board b = cases[i].board;
      struct hd_dut *dut = NULL;
      char text[256];
      b.params = small;
      b.switches = 1;
      b.rnd = 1;
      soft_begin(&b);
      snprintf(text, sizeof text, "%s,baud=3000000,patience=%u", b.path, ms);
      assert_int_equal(hd_dut_board_backend()->create(&dut, &small, 1, text, &err), HD_E_IO);
      soft_end(&b);
      assert_non_null(strstr(err.text, "no answer from a board"));
      said = strstr(err.text, cases[i].expected_message);
    }
    if (!said)
      fail_msg("case %zu says: %s", i, err.text);
  }
}

/* Checks the lines of news during the wait and after it, for an unplugged cable and for a board that also lost its
 * power. */
TEST(an_unplugged_cable_and_its_return_are_reported)
{
  for (unsigned forgets = 0; forgets < 2; forgets++) {
    CLEANUP(soft_end)
    struct soft_board b = {.params = small, .switches = 2, .rnd = 1, .unplug_every = 60};
    const struct hd_dut_ops *ops = hd_dut_board_backend();
    struct hd_dut *dut = NULL;
    char text[256], line[300] = "", want[200];
    uint16_t value;
    b.forget_at = forgets ? 70 : 0;
    soft_begin(&b);
    snprintf(text, sizeof text, "%s,baud=3000000,any-build" PATIENT, b.path);
    must(ops->create(&dut, &small, 2, text, &why));
    assert_int_equal(b.unplugged, 0);
    assert_false(ops->extension->news(dut, line, sizeof line));
    while (!b.unplugged || b.forgot < forgets)
      must(ops->config_read(dut, 1, HD_CFG_ERRORS, &value, &why));
    must(ops->config_read(dut, 1, HD_CFG_ERRORS, &value, &why));
    snprintf(want, sizeof want, "board %s: line gone, waiting 10 s for it", b.path);
    assert_true(ops->extension->news(dut, line, sizeof line));
    assert_string_equal(line, want);
    assert_true(ops->extension->news(dut, line, sizeof line));
    assert_non_null(strstr(line, ": line back after "));
    bool reset = false;
    while (ops->extension->news(dut, line, sizeof line))
      reset |= strstr(line, ": it was reset, and plays again what it has played") != NULL;
    assert_int_equal(reset, forgets);
    ops->destroy(dut);
  }
}

TEST(boards_are_found_at_every_baud_rate_of_the_builds)
{
  static const struct {
    unsigned baud;
    speed_t speed;
  } cases[] = {{3000000, B3000000}, {1000000, B1000000}, {115200, B115200}, {9600, B9600}};
  unsigned bauds[HD_BOARD_BAUDS], baud = 0;
  size_t n = hd_board_bauds(bauds);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct soft_board b = {.params = small, .switches = 2, .rnd = 1, .speed = cases[i].speed};
    struct hd_board_about about = {.switches = 0};
    struct hd_error err = {.text = ""};
    soft_begin(&b);
    int status = HD_E_IO;
    for (int ms = 50; status == HD_E_IO && ms <= 20000; ms *= 20) /* as long as it takes */
      status = cases[i].baud == 9600 ? 0 : hd_board_find(b.path, bauds, n, ms, &baud, &about, &err);
    if (cases[i].baud == 9600) { /* no build has this rate */
      assert_int_equal(hd_board_find(b.path, bauds, n, 50, &baud, &about, &err), HD_E_IO);
      assert_non_null(strstr(err.text, " or 115200 baud"));
      status = hd_board_find(b.path, &cases[i].baud, 1, 20000, &baud, &about, &err);
    }
    soft_end(&b);
    if (status || baud != cases[i].baud || about.switches != 2)
      fail_msg("%u baud: found %u switches at %u, %s", cases[i].baud, about.switches, baud,
               err.text);
  }
}

TEST(a_device_that_cannot_be_opened_is_tried_once)
{
  static const unsigned bauds[] = {3000000, 115200};
  struct hd_board_about about;
  unsigned baud = 0;
  assert_int_equal(hd_board_find("/dev/hd-not-there", bauds, 2, 0, &baud, &about, &why), HD_E_IO);
  assert_int_equal(baud, 3000000);
  assert_non_null(strstr(why.text, "cannot open"));
}
