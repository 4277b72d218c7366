/* RTL and model of the switch with barrier messages give the same answers to every stream of events.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Parameter sets cover the five kinds of §7.1, and differ in all other parameters, too. HD_SEED=n replays one stream,
 * HD_SET=n tries one parameter set, HD_STREAMS=n sets how many streams.
 */
#include "../lib/stream_tests.h"
#include "../lib/switch_set.h"
#include "../lib/test.h"

static const struct hd_switch_params sets[] = {
    SWITCH_SET(5, 2, 16, 4, 16, 1, 1, 0, 0, 0, 0, HD_BARRIER_ANY, 3, 12),
    SWITCH_SET(4, 3, 32, 3, 9, 2, 2, 1, 2, 0, 0, HD_BARRIER_FIXED, 2, 6),
    SWITCH_SET(3, 2, 16, 5, 8, 1, 2, 0, 0, 1, 2, HD_BARRIER_MOVING, 4, 2048),
    SWITCH_SET(4, 2, 64, 2, 20, 2, 1, 1, 0, 1, 0, HD_BARRIER_QUEUED, 1, 7),
    SWITCH_SET(4, 3, 16, 4, 5, 1, 1, 0, 0, 0, 1, HD_BARRIER_RESERVED, 5, 64),
    SWITCH_SET(3, 1, 16, 2, 4, 2, 2, 1, 0, 0, 1, HD_BARRIER_ANY, 32, 100),
};
enum { N_SETS = sizeof sets / sizeof *sets };

static void print_line(void *context, const char *line)
{
  (void)context;
  print_message("%s\n", line);
}

/* Counts events of the streams, so that a test that compares nothing fails. */
struct seen {
  uint64_t events, messages, paddings, nulls, barrier_credits, toggles;
  uint64_t branches, reduces, releases, fails; /* tag 1; combined or passed on; to members */
  uint16_t errors;
};

static void count_flits(const struct stream *s, struct seen *seen)
{
  uint32_t low[HD_MAX_PORTS] = {0};
  for (uint32_t i = 0; i < s->n_flits_out; i++) {
    seen->messages += s->flits_out[i].kind == HD_KIND_BARRIER_LAST;
    seen->paddings += s->flits_out[i].kind == HD_KIND_PADDING;
    seen->nulls += s->flits_out[i].kind == HD_KIND_NULL;
    const struct hd_flit_event *e = &s->flits_out[i];
    if (e->kind == HD_KIND_BARRIER)
      low[e->port] = (uint32_t)e->data;
    if (e->kind != HD_KIND_BARRIER_LAST)
      continue;
    uint32_t m =
        s->params.data_bits == 16 ? (uint32_t)e->data << 16 | low[e->port] : (uint32_t)e->data;
    bool local = m >> 31;
    seen->branches += !local && (m & 15) == (HD_INITIAL_REDUCE | 1 << 2);
    seen->reduces += !local && (m & 3) == HD_REDUCE;
    seen->releases += local && (m & 3) == HD_DISTRIBUTE;
    seen->fails += local && (m & 3) == HD_FAIL;
  }
  for (uint32_t i = 0; i < s->n_credits_out; i++)
    seen->barrier_credits += s->credits_out[i].barrier;
  seen->toggles += s->n_toggles;
  seen->errors |= s->errors;
}

static void check_stream(const struct stream *s, const struct hd_dut_ops *ops, const char *options,
                         uint32_t window, unsigned set, uint64_t seed, struct seen *seen)
{
  struct hd_dut *dut = make_dut(ops, s, 1, options);
  CLEANUP(hd_answer_fini) struct answer answer;
  char text[600];
  uint16_t errors = 0;
  hd_answer_init(&answer, s);
  int status = hd_stream_run(s, ops, dut, 0, 0, s->cycles, window, &answer, &why);
  if (!status)
    status = ops->config_read(dut, 0, HD_CFG_ERRORS, &errors, &why);
  if (status)
    fail_msg("%s", why.text);
  seen->events += hd_stream_compare(s, &answer, 0, s->cycles, text, sizeof text);
  if (*text || errors != s->errors)
    fail_msg("%s (%s), set %u, window %u, seed %" PRIu64 ": %s; errors: want 0x%03x, got 0x%03x\n"
             "again: HD_SET=%u HD_SEED=%" PRIu64 " build/opt/unit/test_barrier_backend",
             ops->name, options, set, window, seed, text, s->errors, errors, set, seed);
  ops->destroy(dut);
}

static void check_set(unsigned set)
{
  static const uint32_t windows[] = {1, 7, 256};
  struct hd_backend_options options = {.say = print_line, .quick = true};
  struct hd_backend model = {0}, verilator = {0};
  const char *dut = getenv("HD_DUT");
  struct seen seen = {0};
  uint64_t first = first_seed(), n = n_streams(12);
  if (hd_backend_open(&model, "model", &sets[set], NULL, &why) ||
      hd_backend_open(&verilator, dut ? dut : "verilator", &sets[set], &options, &why))
    fail_msg("%s", why.text);
  for (uint64_t seed = first; seed < first + n; seed++) {
    CLEANUP(hd_stream_fini) struct stream s;
    struct stream_style style = {.load = seed % 3 == 1 ? 100 : 400, .illegal = seed % 2 ? 0 : 60};
    must(hd_stream_make(&s, &sets[set], 3000, &style, seed, &why));
    count_flits(&s, &seen);
    check_stream(&s, model.ops, "", windows[seed % 3], set, seed, &seen);
    check_stream(&s, verilator.ops, "every-cycle", windows[seed % 3], set, seed, &seen);
    check_stream(&s, verilator.ops, "", windows[(seed + 1) % 3], set, seed, &seen);
  }
  hd_backend_close(&verilator);
  hd_backend_close(&model);
  print_message("set %u, seeds from %" PRIu64 ": %" PRIu64 " events compared; seen: %" PRIu64
                " messages, %" PRIu64 " requests and ends, %" PRIu64 " null flits, %" PRIu64
                " barrier credits, %" PRIu64 " toggles, %" PRIu64 " branches, %" PRIu64
                " reductions, %" PRIu64 " releases, %" PRIu64 " refusals, errors 0x%03x\n",
                set, first, seen.events, seen.messages, seen.paddings, seen.nulls,
                seen.barrier_credits, seen.toggles, seen.branches, seen.reduces, seen.releases,
                seen.fails, seen.errors);
  if (one_seed())
    return;
  assert_true(seen.events > 0 && seen.messages > 100 && seen.toggles > 0);
  assert_true(seen.barrier_credits > 0);
  assert_true(sets[set].barrier > HD_BARRIER_MOVING || (seen.paddings > 20 && seen.nulls > 20));
  assert_true(seen.branches > 0 && seen.reduces > 0 && seen.releases > 0 && seen.fails > 0);
  /* all errors except reserved, and except channel and table if the parameters leave no room for
   * them */
  uint16_t due = sets[set].groups == HD_MAX_GROUPS ? 0xf2f : 0xfaf;
  assert_int_equal(seen.errors & due, due);
}

TEST(rtl_and_model_with_barriers_answer_every_stream_equally)
{
  const char *only = getenv("HD_SET");
  for (unsigned set = 0; set < N_SETS; set++)
    if (!only || strtoul(only, NULL, 0) == set)
      check_set(set);
}
