/* A failing stream is recorded, shrunk, written to a file and read back, and still shows its difference.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/backends/backend.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/check/streams/stream_tape.h"
#include "../lib/test.h"

CLEANUP_OF(struct hd_tape, hd_tape_destroy)

enum { SEED = 1, SECONDS = 600 };

/* ── a DUT that is the model but for one thing ─────────────────────────────── */

static enum hd_stream_difference lie;
static struct hd_dut_ops lying_ops;

/* In windows of any length: input 2 gives no credit of channel 1; a body flit of output 3 has a flipped bit; the
 * assertion fails when flits come in at all ports but one. */
static int lying_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  uint32_t kept = 0;
  for (uint32_t i = 0; lie == HD_STREAM_CREDIT && i < jobs->n_credits_out; i++) {
    struct hd_credit_event e = jobs->credits_out[i];
    if (e.port == 2)
      e.vcs &= 0xfd;
    if (hd_credit_set(&e))
      jobs->credits_out[kept++] = e;
  }
  if (lie == HD_STREAM_CREDIT)
    jobs->n_credits_out = kept;
  for (uint32_t i = 0; lie == HD_STREAM_FLIT && i < jobs->n_flits_out; i++)
    if (jobs->flits_out[i].port == 3 && jobs->flits_out[i].kind == HD_KIND_BODY)
      jobs->flits_out[i].data ^= 1;
  for (uint32_t i = 0; lie == HD_STREAM_ASSERTION && i + 1 < jobs->n_flits_in; i++)
    if (jobs->flits_in[i].cycle == jobs->flits_in[i + 1].cycle && !jobs->assertion.failed)
      jobs->assertion =
          (struct hd_dut_assertion){true, jobs->flits_in[i].cycle, "rtl/hd_switch.v:8"};
  return status;
}

static int lying_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                      struct hd_error *err)
{
  int status = hd_dut_model_backend()->config_read(dut, sw, addr, data, err);
  *data ^= lie == HD_STREAM_REGISTER && addr == HD_CFG_WIDTH;
  return status;
}

static const struct hd_dut_ops *lying_backend(enum hd_stream_difference about)
{
  lie = about;
  lying_ops = *hd_dut_model_backend();
  lying_ops.run = lying_run;
  lying_ops.config_read = lying_read;
  return &lying_ops;
}

/* ── one that forgets its reset, and one with a counter ────────────────────── */

static uint64_t written;            /* registers and rows */
static uint64_t cycles_played;      /* cycles */
static bool was_reset;              /* since it was made */
static uint32_t counts_to, counter; /* cycles since a reset */

static int counting_create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t n,
                           const char *options, struct hd_error *err)
{
  was_reset = false;
  counter = 0;
  counts_to = UINT32_MAX;
  return hd_dut_model_backend()->create(dut, params, n, options, err);
}

static int counting_reset(struct hd_dut *dut, struct hd_error *err)
{
  was_reset = true;
  counter = 0;
  return hd_dut_model_backend()->reset(dut, err);
}

static int counting_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                          struct hd_error *err)
{
  written++;
  if (addr == HD_CFG_IDLE)
    counts_to = data;
  return hd_dut_model_backend()->config_write(dut, sw, addr, data, err);
}

/* After a reset, input 2 gives no credits. */
static int forgetful_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                         struct hd_error *err)
{
  cycles_played += jobs->cycles;
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < jobs->n_credits_out; i++)
    if (!was_reset || jobs->credits_out[i].port != 2)
      jobs->credits_out[kept++] = jobs->credits_out[i];
  jobs->n_credits_out = kept;
  return status;
}

/* The assertion fails when the counter is at its end. */
static int counting_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  int status = hd_dut_model_backend()->run(dut, jobs, n, err);
  if (counter <= counts_to && counts_to - counter < jobs->cycles)
    jobs->assertion =
        (struct hd_dut_assertion){true, counts_to - counter, "rtl/hd_barrier_out.v:8"};
  counter += jobs->cycles;
  return status;
}

static const struct hd_dut_ops *counting_backend(int (*run)(struct hd_dut *, struct hd_dut_job *,
                                                            size_t, struct hd_error *))
{
  lying_ops = *hd_dut_model_backend();
  lying_ops.create = counting_create;
  lying_ops.reset = counting_reset;
  lying_ops.config_write = counting_write;
  lying_ops.run = run;
  return &lying_ops;
}

static struct hd_tape *record_case(uint32_t index, const struct hd_dut_ops *ops)
{
  struct hd_stream_case c;
  struct hd_tape *tape;
  hd_stream_case(index, SEED, &c);
  if (hd_tape_record(&tape, &c, ops, &why))
    fail_msg("case %u: %s", index, why.text);
  return tape;
}

TEST(a_tape_shows_the_same_difference_as_its_stream)
{
  static const enum hd_stream_difference lies[] = {HD_STREAM_FLIT, HD_STREAM_CREDIT,
                                                   HD_STREAM_REGISTER, HD_STREAM_ASSERTION};
  /* The text says what the DUT did and what was expected, and names channels instead of a mask. */
  static const char *const begins[] = {"port 3 sent a body flit, channel ", "port 2 gave ",
                                       "a read of 0x0000", "the assertion at rtl/hd_switch.v:8"};
  static const char *const ends[] = {"; expected a body flit, channel ",
                                     "; expected a credit of channel 1", "; expected 0x",
                                     " failed in cycle "};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
    const struct hd_dut_ops *ops = lying_backend(lies[i]);
    struct hd_stream_case c;
    struct hd_stream_result stream, alone;
    hd_stream_case(0, SEED, &c);
    assert_int_equal(hd_stream_play(&c, ops, "", &stream, &why), HD_E_DIVERGENCE);
    CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = record_case(0, ops);
    assert_int_equal(hd_tape_play(tape, ops, &alone, &why), HD_E_DIVERGENCE);
    assert_int_equal(alone.difference, lies[i]);
    assert_int_equal(alone.cycle, stream.cycle);
    assert_string_equal(alone.text, stream.text);
    assert_int_equal(strncmp(alone.text, begins[i], strlen(begins[i])), 0);
    assert_non_null(strstr(alone.text, ends[i]));
    must(hd_tape_play(tape, hd_dut_model_backend(), &alone, &why));
    assert_true(alone.compared > 0);
  }
}

/* The snapshot, the reads and the resets between parts are on it, too. */
TEST(a_tape_records_every_kind_of_step_of_a_stream)
{
  unsigned kinds = 0;
  struct hd_stream_result result;
  CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = record_case(1, hd_dut_model_backend());
  for (size_t i = 0; i < tape->n; i++)
    kinds |= 1u << tape->items[i].kind;
  assert_int_equal(kinds, (1u << (TAPE_RUN + 1)) - 1);
  must(hd_tape_play(tape, hd_dut_model_backend(), &result, &why));
  assert_true(result.cycles > 20000 && result.compared > 20000);
}

TEST(shrinking_keeps_only_the_inputs_that_the_difference_needs)
{
  static const struct {
    enum hd_stream_difference lie;
    uint64_t inputs, cycles; /* at most */
  } cases[] = {
      {HD_STREAM_CREDIT, 2, 20},   /* a single flit, and the row that routes it */
      {HD_STREAM_FLIT, 3, 20},     /* a head, a body flit, the row */
      {HD_STREAM_ASSERTION, 4, 1}, /* two flits, and rows where they need some */
      {HD_STREAM_REGISTER, 1, 0},  /* the read */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hd_dut_ops *ops = lying_backend(cases[i].lie);
    struct tape_outcome outcome;
    CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = record_case(0, ops);
    must(hd_tape_shrink(tape, ops, SECONDS, &why));
    struct hd_tape_size size = hd_tape_size(tape);
    print_message("%s: %u inputs, %u cycles\n", hd_stream_difference_name(cases[i].lie),
                  (unsigned)size.inputs, (unsigned)size.cycles);
    assert_true(size.inputs <= cases[i].inputs && size.cycles <= cases[i].cycles);
    must(hd_tape_try(tape, ops, 0, &outcome, &why));
    assert_int_equal(outcome.result.difference, cases[i].lie);
    assert_int_equal(outcome.errors,
                     0); /* if the tape's inputs were legal, the shrunk inputs are legal */
  }
}

/* A difference needs only the end of a tape, so shrinking does not play all of a long one again and again. */
TEST(shrinking_tries_the_end_of_a_tape_first)
{
  const struct hd_dut_ops *ops = counting_backend(forgetful_run);
  CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = record_case(1, hd_dut_model_backend());
  const uint64_t cycles = hd_tape_size(tape).cycles;
  cycles_played = 0;
  must(hd_tape_shrink(tape, ops, SECONDS, &why));
  struct hd_tape_size size = hd_tape_size(tape);
  print_message("%u inputs, %u cycles, by %u cycles for a stream of %u\n", (unsigned)size.inputs,
                (unsigned)size.cycles, (unsigned)cycles_played, (unsigned)cycles);
  assert_true(cycles > 20000 && cycles_played < cycles / 4);
  assert_true(size.inputs <= 3 && size.cycles <= 20); /* a reset, a flit, its row */
}

/* Tables of a thousand nodes: rows that no head asks for go at once. */
TEST(shrinking_removes_all_unread_table_rows_at_once)
{
  const struct hd_dut_ops *ops = counting_backend(forgetful_run);
  struct hd_stream_case c;
  struct hd_tape *tape;
  hd_stream_case(0, SEED, &c);
  c.params.nodes = 1024;
  tape = hd_tape_create(&c.params);
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RESET});
  for (uint32_t port = 0; port < c.params.ports; port++)
    for (uint32_t node = 0; node < 1024; node++)
      hd_tape_add(tape, &(struct tape_item){.kind = TAPE_WRITE,
                                            .address = 1u << 16 | port << 12 | node,
                                            .data = 0x1000 | (port + 1) % c.params.ports});
  hd_tape_add(tape, &(struct tape_item){
                        .kind = TAPE_FLIT, .port = 2, .is = HD_KIND_SINGLE, .data = 777 << 2});
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = 20});
  written = 0;
  must(hd_tape_shrink(tape, ops, SECONDS, &why));
  print_message("%u writes\n", (unsigned)written);
  assert_true(written < 2 * 1024 * c.params.ports); /* the whole tape once, for what it shows */
  assert_true(hd_tape_size(tape).inputs <= 3);
  hd_tape_destroy(tape);
}

/* The difference needs many earlier cycles. Shrinking must not play all table rows again for each shorter end that
 * shows no difference. */
TEST(shrinking_removes_unread_table_rows_before_anything_else)
{
  enum { NODES = 1024, WAIT = 100, STEP = 2 };
  const struct hd_dut_ops *ops = counting_backend(counting_run);
  struct hd_stream_case c;
  CLEANUP(hd_tape_destroy_at) struct hd_tape *tape;
  hd_stream_case(0, SEED, &c);
  c.params.nodes = NODES;
  tape = hd_tape_create(&c.params);
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RESET});
  for (uint32_t port = 0; port < c.params.ports; port++)
    for (uint32_t node = 0; node < NODES; node++)
      hd_tape_add(tape, &(struct tape_item){.kind = TAPE_WRITE,
                                            .address = 1u << 16 | port << 12 | node,
                                            .data = 0x1000 | (port + 1) % c.params.ports});
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_WRITE, .address = HD_CFG_IDLE, .data = WAIT});
  for (uint32_t cycle = 0; cycle <= WAIT; cycle += STEP) {
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = STEP});
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_READ, .address = HD_CFG_WIDTH});
  }
  written = 0;
  must(hd_tape_shrink(tape, ops, SECONDS, &why));
  print_message("%u writes\n", (unsigned)written);
  assert_true(written < 2 * NODES * c.params.ports);
  assert_true(hd_tape_size(tape).inputs <= 1);
}

TEST(shrinking_makes_written_values_small)
{
  const struct hd_dut_ops *ops = counting_backend(counting_run);
  struct hd_stream_case c;
  CLEANUP(hd_tape_destroy_at) struct hd_tape *tape;
  hd_stream_case(0, SEED, &c);
  tape = hd_tape_create(&c.params);
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RESET});
  hd_tape_add(tape,
              &(struct tape_item){.kind = TAPE_WRITE, .address = HD_CFG_IDLE, .data = 0xffff});
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = 70000});
  must(hd_tape_shrink(tape, ops, SECONDS, &why));
  assert_int_equal(tape->n, 2);
  assert_int_equal(tape->items[0].kind, TAPE_WRITE);
  assert_int_equal(tape->items[0].data, 0);
  assert_int_equal(hd_tape_size(tape).cycles, 1);
}

/* Another bit of a register is another difference. */
static int counting_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                         struct hd_error *err)
{
  int status = hd_dut_model_backend()->config_read(dut, sw, addr, data, err);
  if (addr == HD_CFG_WIDTH)
    *data ^= counter ? 1 : 2;
  return status;
}

static int passing_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  counter += jobs->cycles;
  return hd_dut_model_backend()->run(dut, jobs, n, err);
}

TEST(shrinking_a_register_read_keeps_a_wrong_bit)
{
  for (unsigned late = 0; late < 2; late++) { /* bit 0 needs a cycle, bit 1 none */
    const struct hd_dut_ops *ops = counting_backend(passing_run);
    struct hd_stream_case c;
    CLEANUP(hd_tape_destroy_at) struct hd_tape *tape;
    struct tape_outcome outcome;
    lying_ops.config_read = counting_read;
    hd_stream_case(0, SEED, &c);
    tape = hd_tape_create(&c.params);
    if (late)
      hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = 9});
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_READ, .address = HD_CFG_WIDTH});
    must(hd_tape_shrink(tape, ops, SECONDS, &why));
    must(hd_tape_try(tape, ops, 0, &outcome, &why));
    assert_int_equal(outcome.result.expected.word ^ outcome.result.got.word, late ? 1 : 2);
    assert_int_equal(hd_tape_size(tape).cycles, late);
  }
}

/* A search that has no time keeps what it has. */
TEST(a_search_without_time_keeps_the_tape_as_it_is)
{
  struct tape_outcome outcome;
  const struct hd_dut_ops *ops = lying_backend(HD_STREAM_CREDIT);
  CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = record_case(0, ops);
  must(hd_tape_shrink(tape, ops, 0, &why));
  must(hd_tape_try(tape, ops, 0, &outcome, &why));
  assert_int_equal(outcome.result.difference, HD_STREAM_CREDIT);
  assert_int_equal(hd_tape_try(tape, ops, 1e-9, &outcome, &why), HD_E_INTERRUPTED);
}

/* Tries each smaller parameter alone, and all of them together. The difference depends on none of them. */
TEST(a_tape_can_be_moved_to_a_smaller_switch)
{
  enum { ALL = 99 };
  const struct hd_dut_ops *ops = lying_backend(HD_STREAM_CREDIT);
  const struct hd_tape_dut dut = {ops, ""}, honest = {hd_dut_model_backend(), ""};
  for (uint32_t index = 0; index < 2; index++) { /* ordinary, and with barriers and choice */
    const uint32_t first_of_set = index ? 6 : 0;
    struct hd_tape *tape = record_case(first_of_set, ops), *other;
    must(hd_tape_shrink(tape, ops, SECONDS, &why));
    for (uint32_t i = 0; i <= ALL; i++) {
      struct hd_switch_params params = *hd_tape_params(tape), unused = params;
      const bool all = !hd_tape_smaller_params(tape, i, &unused);
      for (uint32_t k = all ? 0 : i; hd_tape_smaller_params(tape, k, &params) && (all || k < i);
           k++)
        continue;
      must(hd_switch_params_check(&params, &why));
      other = hd_tape_refit(tape, &params);
      assert_memory_equal(hd_tape_params(other), &params, sizeof params);
      if (!hd_tape_fails_as(other, tape, &dut, &dut, 0))
        fail_msg("set of stream %u, change %u: the smaller switch does not differ", first_of_set,
                 i);
      assert_false(hd_tape_fails_as(other, tape, &honest, &dut, 0));
      hd_tape_destroy(other);
      if (!all)
        continue;
      assert_true(params.ports == 3 && params.vcs == 2 && params.data_bits == 16);
      assert_true(params.nodes <= 4 && params.depth_flits <= 2 && !params.barrier);
      i = ALL;
    }
    hd_tape_destroy(tape);
  }
}

TEST(a_tape_is_explained_with_title_packet_and_waves)
{
  static const struct {
    enum hd_stream_difference lie;
    const char *title, *packet; /* the latter in the explanation */
  } cases[] = {
      {HD_STREAM_FLIT, "-cycle %u, switch 0, port 3, vc",
       "its head was granted output port 3, vc "},
      {HD_STREAM_CREDIT, "model 0x2, rtl 0", "came in by port 2 in cycle "},
      {HD_STREAM_ASSERTION, "an assertion of", NULL},
  };
  char directory[] = "/tmp/hd_tape_XXXXXX", path[64], *text;
  size_t length;
  assert_non_null(mkdtemp(directory));
  snprintf(path, sizeof path, "%s/waves.gtkw", directory);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct hd_dut_ops *ops = lying_backend(cases[i].lie);
    struct hd_explanation e = {.n_hops = 0};
    struct hd_stream_result result;
    char wanted[64];
    CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = record_case(0, ops);
    must(hd_tape_shrink(tape, ops, SECONDS, &why));
    assert_int_equal(hd_tape_play(tape, ops, &result, &why), HD_E_DIVERGENCE);
    must(hd_tape_show(tape, &(struct hd_tape_dut){ops, ""}, "a stream", directory, NULL, &e, &why));
    assert_int_equal(e.divergence.cycle, result.cycle);
    assert_false(e.inside.known); /* the model behind the contract shows no state, and says why */
    assert_non_null(strstr(e.inside.why, "ports alone"));
    must(hd_file_read(path, &text, &length, &why));
    snprintf(wanted, sizeof wanted, cases[i].title, result.cycle);
    if (!strstr(text, wanted))
      fail_msg("no '%s' in\n%s", wanted, text);
    free(text);
    CLEANUP(hd_text_fini) struct hd_text told = {0};
    hd_explain_divergence(&e, &told);
    assert_int_equal(e.way.known, cases[i].packet != NULL);
    if (cases[i].packet && !strstr(hd_text_chars(&told), cases[i].packet))
      fail_msg("no '%s' in\n%s", cases[i].packet, hd_text_chars(&told));
    assert_true(!e.way.known || e.way.granted >= e.way.came);
    hd_explanation_fini(&e);
    assert_int_equal(hd_tape_show(tape, &(struct hd_tape_dut){hd_dut_model_backend(), ""},
                                  "a stream", directory, NULL, &e, &why),
                     HD_E_NOTHING);
  }
  assert_int_equal(hd_tree_remove(directory, NULL), 0);
}

enum { GREEDY_CYCLE = 40, GREEDY_OUTPUT = 1 };

/* The switch uses a credit of output 1 that nobody gave. */
static int credit_without_giver_run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n,
                                    struct hd_error *err)
{
  struct hd_credit_event credits[80];
  struct hd_dut_job job = *jobs;
  uint32_t k = 0;
  (void)n;
  assert_true(job.n_credits_in + 1 < sizeof credits / sizeof *credits);
  if (job.start <= GREEDY_CYCLE && GREEDY_CYCLE < job.start + job.cycles) {
    credits[k++] = hd_credit_of_set((uint32_t)(GREEDY_CYCLE - job.start), GREEDY_OUTPUT, 1);
    job.credits_in = credits;
    job.n_credits_in = k;
  }
  int status = hd_dut_model_backend()->run(dut, &job, 1, err);
  job.credits_in = jobs->credits_in;
  job.n_credits_in = jobs->n_credits_in;
  *jobs = job;
  return status;
}

/* The switch sends more flits than the neighbour has slots, and gets no credits. */
TEST(an_explanation_says_which_rule_the_switch_broke)
{
  struct hd_explanation e = {.n_hops = 0};
  struct hd_stream_case c;
  struct hd_tape *tape;
  struct hd_text reason = {0}, text = {0};
  char directory[] = "/tmp/hd_tape_XXXXXX";
  assert_non_null(mkdtemp(directory));
  hd_stream_case(0, SEED, &c);
  tape = hd_tape_create(&c.params);
  for (uint32_t port = 0; port < 2; port++)
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_WRITE,
                                          .address = 1u << 16 | port << 12,
                                          .data = 0x1010 | GREEDY_OUTPUT});
  for (uint32_t i = 0; i <= c.params.depth_flits; i++) {
    hd_tape_add(tape, &(struct tape_item){
                          .kind = TAPE_FLIT, .port = (uint8_t)(i & 1), .is = HD_KIND_SINGLE});
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = i ? 5 : 4});
  }
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = 60});
  const struct hd_dut_ops *ops = counting_backend(credit_without_giver_run);
  must(hd_tape_show(tape, &(struct hd_tape_dut){ops, ""}, "a stream", directory, NULL, &e, &why));
  hd_explain_reason(&e, &reason);
  assert_string_equal(hd_text_chars(&reason), "output 1 sent a flit of channel 0 with 0 credits");
  hd_explain_divergence(&e, &text);
  assert_non_null(
      strstr(text.chars, "\n  reason  output 1 sent a flit of channel 0 with 0 credits\n"));
  hd_text_fini(&reason);
  hd_text_fini(&text);
  hd_explanation_fini(&e);
  hd_tape_destroy(tape);
  assert_int_equal(hd_tree_remove(directory, NULL), 0);
}

static unsigned waves_opened;

static int count_trace(struct hd_dut *dut, uint32_t sw, const char *path, struct hd_error *err)
{
  (void)dut, (void)sw, (void)path, (void)err;
  waves_opened++;
  return 0;
}

static int close_trace(struct hd_dut *dut, struct hd_error *err)
{
  (void)dut, (void)err;
  return 0;
}

/* The stream of a file may continue after its difference, with a reset and the same cycles again. */
TEST(waves_show_the_part_of_the_tape_with_the_difference)
{
  CLEANUP(hd_explanation_fini) struct hd_explanation e = {.n_hops = 0};
  char directory[] = "/tmp/hd_tape_XXXXXX";
  uint64_t first;
  assert_non_null(mkdtemp(directory));
  const struct hd_dut_ops *ops = lying_backend(HD_STREAM_FLIT);
  struct hd_tape *tape = record_case(0, ops);
  must(hd_tape_shrink(tape, ops, SECONDS, &why));
  const size_t n = tape->n;
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RESET});
  for (size_t i = 0; i < n; i++) {
    const struct tape_item item = tape->items[i];
    hd_tape_add(tape, &item);
  }
  lying_ops.capabilities |= HD_DUT_WAVES;
  const struct hd_dut_extension traces = {.trace_open = count_trace, .trace_close = close_trace};
  lying_ops.extension = &traces;
  const struct hd_tape_dut both[] = {{ops, ""}, {ops, ""}};
  const char *const paths[] = {"a", "b"};
  waves_opened = 0;
  must(hd_tape_trace(tape, both, paths, &first, &why));
  assert_int_equal(waves_opened, 2);
  waves_opened = 0;
  must(hd_tape_show(tape, &(struct hd_tape_dut){ops, ""}, "a stream", directory, NULL, &e, &why));
  assert_int_equal(waves_opened, 2); /* for the first wrong state, and for the waves */
  hd_tape_destroy(tape);
  assert_int_equal(hd_tree_remove(directory, NULL), 0);
}

TEST(a_tape_without_a_difference_is_not_shrunk)
{
  CLEANUP(hd_tape_destroy_at)
  struct hd_tape *tape = record_case(0, lying_backend(HD_STREAM_CREDIT));
  assert_int_equal(hd_tape_shrink(tape, hd_dut_model_backend(), SECONDS, &why), HD_E_NOTHING);
}

TEST(a_tape_is_read_back_from_its_file_unchanged)
{
  char path[] = "/tmp/hd_tape_XXXXXX", *first, *second;
  size_t n_first, n_second;
  struct hd_stream_result result;
  const struct hd_dut_ops *ops = lying_backend(HD_STREAM_FLIT);
  close(mkstemp(path));
  for (uint32_t index = 0; index < 9; index += 8) { /* a plain switch; one with barrier messages */
    struct hd_tape *tape = record_case(index, ops), *again = NULL;
    must(hd_tape_write(tape, path, &why));
    must(hd_file_read(path, &first, &n_first, &why));
    must(hd_tape_read(&again, path, &why));
    assert_memory_equal(hd_tape_params(tape), hd_tape_params(again),
                        sizeof(struct hd_switch_params));
    assert_int_equal(hd_tape_play(again, ops, &result, &why), HD_E_DIVERGENCE);
    must(hd_tape_write(again, path, &why));
    must(hd_file_read(path, &second, &n_second, &why));
    assert_int_equal(n_first, n_second);
    assert_memory_equal(first, second, n_first);
    free(first);
    free(second);
    hd_tape_destroy(tape);
    hd_tape_destroy(again);
  }
  unlink(path);
}

TEST(malformed_lines_of_a_tape_file_are_named)
{
  static const char *const lines[] = {"flit port 5 vc 0 kind 2 data 0x1",
                                      "flit port 1 vc 4 kind 2 data 0x1",
                                      "flit port 1 vc 0 kind 8 data 0x1",
                                      "flit port 1 vc 0 kind 2 data 0x100000000",
                                      "flit port 1 vc 0 kind 2",
                                      "credit port 1 channels 0x8",
                                      "credit port 1 channels 0x100",
                                      "write 0x100000 0x0",
                                      "write 0x1 0x10000",
                                      "run 0",
                                      "run 3 4",
                                      "resets",
                                      "ports"};
  char path[] = "/tmp/hd_tape_XXXXXX", *text;
  size_t length;
  struct hd_tape *tape = record_case(0, lying_backend(HD_STREAM_REGISTER)), *again;
  close(mkstemp(path));
  must(hd_tape_write(tape, path, &why));
  must(hd_file_read(path, &text, &length, &why));
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    CLEANUP(free_at) char *broken;
    assert_true(asprintf(&broken, "%s%s\n", text, lines[i]) > 0);
    must(hd_file_write(path, broken, strlen(broken), &why));
    assert_int_equal(hd_tape_read(&again, path, &why), HD_E_INPUT);
    assert_null(again);
    if (!strstr(why.text, lines[i]))
      fail_msg("%s: %s", lines[i], why.text);
  }
  must(hd_file_write(path, "ports 5\n", 8, &why));
  must_fail(hd_tape_read(&again, path, &why), HD_E_INPUT, "no stream");
  assert_non_null(
      strstr(why.text, "\n# A stream into one switch: ")); /* the line that would be right */
  free(text);
  unlink(path);
  hd_tape_destroy(tape);
}

/* Editors may end lines with \r\n. */
TEST(lines_of_a_tape_file_may_end_with_cr_lf)
{
  char path[] = "/tmp/hd_tape_XXXXXX", *text, *again_text;
  size_t length, n = 0, n_again;
  struct hd_tape *tape = record_case(0, lying_backend(HD_STREAM_REGISTER)), *again;
  close(mkstemp(path));
  must(hd_tape_write(tape, path, &why));
  must(hd_file_read(path, &text, &length, &why));
  CLEANUP(free_at) char *crlf = malloc(2 * length);
  assert_non_null(crlf);
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '\n')
      crlf[n++] = '\r';
    crlf[n++] = text[i];
  }
  must(hd_file_write(path, crlf, n, &why));
  must(hd_tape_read(&again, path, &why));
  must(hd_tape_write(again, path, &why));
  must(hd_file_read(path, &again_text, &n_again, &why));
  assert_int_equal(n_again, length);
  assert_memory_equal(again_text, text, length);
  free(text);
  free(again_text);
  unlink(path);
  hd_tape_destroy(tape);
  hd_tape_destroy(again);
}

/* docs/check.md shows a file that somebody may copy. */
TEST(the_tape_file_shown_in_docs_check_md_can_be_read)
{
  static const char first[] = "# A stream into one switch";
  char *page, path[] = "/tmp/heddle-tape-XXXXXX";
  size_t length;
  CLEANUP(hd_tape_destroy_at) struct hd_tape *tape = NULL;
  must(hd_file_read("docs/check.md", &page, &length, &why));
  const char *begin = strstr(page, first);
  assert_non_null(begin);
  const char *end = strstr(begin, "```");
  assert_non_null(end);
  close(mkstemp(path));
  must(hd_file_write(path, begin, (size_t)(end - begin), &why));
  must(hd_tape_read(&tape, path, &why));
  unlink(path);
  free(page);
}
