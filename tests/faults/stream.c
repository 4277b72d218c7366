/* Stimuli: one switch between random neighbours; the configuration port's registers.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Decoupled: the stream is made with the model and replayed on the DUT in long windows. Closed
 * loop: the same stream is made anew, cycle by cycle, with the DUT's outputs answered by the
 * neighbours. A stream has several parts with a reset between them, which comes while flits are
 * under way; most parts are not preceded by configuration, so that tables must outlive reset and
 * nothing hides what reset forgot. Every cycle is evaluated, quiescent or not, where the
 * fabric's runs take the switch's word for it.
 */
#include "../../bridge/host/memory.h"
#include "../../bridge/lockstep/lockstep_internal.h"
#include "../../bridge/check/streams/stream_config.h"
#include "../../bridge/check/streams/stream_replay.h"
#include "rig.h"

enum { WINDOW = 256 };

/* How long, and what the neighbours do. Where parts are short and one port alone is told lies, the
 * error register says which port forgets or invents an error: with sound tables, new ones in every
 * second part; with earlier errors cleared; and with entries written beyond the tables' ends. Last,
 * barrier messages of a few groups and switches, with senders that stop within packets; their
 * numbers small, or, drawn anew for each part (`names`), of all widths. There the error register is
 * read meanwhile, so that no error hides an earlier one. Likewise two places of an XOR coder, others in each part,
 * which are written again and again: also while a pair of them is made, and then they get new packets before that ends.
 * Where barriers reduce values, neighbours also send what rounds of whole trees need, because only there values meet. */
static const struct schedule {
  uint32_t parts, cycles;
  bool each_port, sound_tables;
  struct stream_style style;
} schedules[] = {
    [STREAM_LEGAL] = {8, 768, false, false, {.load = 700}},
    [STREAM_ILLEGAL] = {40, 768, false, false, {.load = 700, .illegal = 60}},
    [STREAM_ERRORS] = {480, 40, true, true, {.load = 300, .illegal = 120}},
    [STREAM_CLEARS] = {600, 40, true, true, {.load = 300, .illegal = 250, .clears = 100}},
    [STREAM_EDGES] = {600, 40, true, false, {.load = 300, .illegal = 120}},
    [STREAM_NARROW] =
        {576,
         512,
         false,
         false,
         {.load = 500, .clears = 10, .reads = 32, .pauses = 500, .narrow = true, .fails = 8}},
    [STREAM_WIDE] = {288,
                     512,
                     false,
                     false,
                     {.load = 500,
                      .clears = 60,
                      .reads = 32,
                      .pauses = 300,
                      .narrow = true,
                      .fails = 30,
                      .strays = 4,
                      .names = 1}},
    [STREAM_SINKS] = {24, 768, false, true, {.load = 1000, .sinks = true}},
    [STREAM_TREES] =
        {96,
         512,
         false,
         false,
         {.load = 400, .clears = 10, .reads = 32, .pauses = 300, .narrow = true, .trees = true}},
    [STREAM_CODER] = {96, 512, false, false, {.load = 700, .clears = 100, .reads = 8, .places = 2}},
};

static int open_side(struct stream_side *side, const struct hd_dut_ops *ops, const char *options,
                     const struct rig *rig, struct hd_error *err)
{
  side->ops = ops;
  return ops->create(&side->dut, &rig->sw, 1, options ? options : "", err);
}

static void close_side(struct stream_side *side)
{
  if (side->dut)
    side->ops->destroy(side->dut);
}

/* The first difference of ports or, before it, of what was read of the error register. */
static void compare(const struct stream *want, const struct hd_dut_job *got, uint16_t errors,
                    const uint16_t *reads, const struct schedule *schedule, uint64_t start,
                    struct place *place)
{
  uint32_t *tags = hd_xcalloc((size_t)want->n_flits_out + 1, sizeof *tags);
  struct hd_divergence first = {.difference = HD_DIFF_NONE};
  struct hd_switch_record record = {.flits_out = want->flits_out,
                                    .credits_out = want->credits_out,
                                    .toggles = want->toggles,
                                    .tags_out = tags,
                                    .n_flits_out = want->n_flits_out,
                                    .n_credits_out = want->n_credits_out,
                                    .n_toggles = want->n_toggles,
                                    .quiescent_at_start = want->quiescent};
  hd_compare_job(got, &record, true, &first);
  for (uint32_t i = 0; i <= want->n_reads; i++) {
    bool last = i == want->n_reads;
    uint32_t cycle = last ? want->cycles : (i + 1) * schedule->style.reads;
    if (first.difference && cycle > first.cycle)
      break;
    if (last ? errors == want->errors : reads[i] == want->reads[i])
      continue;
    first.difference = HD_DIFF_ERRORS;
    first.cycle = cycle;
    break;
  }
  *place = (struct place){.difference = first.difference,
                          .cycle = first.difference ? start + first.cycle : 0};
  free(tags);
}

static int replay(const struct stream *want, const struct stream_side *side,
                  const struct schedule *schedule, uint64_t start, struct finding *finding,
                  struct hd_error *err)
{
  struct answer answer;
  uint16_t errors = 0, *reads = hd_xcalloc((size_t)want->n_reads + 1, sizeof *reads);
  uint32_t step = schedule->style.reads ? schedule->style.reads : want->cycles;
  int status = 0;
  hd_answer_init(&answer, want);
  for (uint32_t i = 0, c = 0; !status && c < want->cycles; i++, c += step) {
    uint32_t end = want->cycles - c < step ? want->cycles : c + step;
    status = hd_stream_run(want, side->ops, side->dut, 0, c, end, WINDOW, &answer, err);
    if (!status && i < want->n_reads)
      status = side->ops->config_read(side->dut, 0, HD_CFG_ERRORS, &reads[i], err);
  }
  if (!status)
    status = side->ops->config_read(side->dut, 0, HD_CFG_ERRORS, &errors, err);
  struct hd_dut_job job = {.flits_out = answer.flits,
                           .credits_out = answer.credits,
                           .toggles = answer.toggles,
                           .n_flits_out = answer.n_flits,
                           .n_credits_out = answer.n_credits,
                           .n_toggles = answer.n_toggles,
                           .quiescent = answer.quiescent};
  if (!status)
    compare(want, &job, errors, reads, schedule, start, &finding->decoupled);
  finding->compared += answer.n_flits + answer.n_credits + answer.n_toggles + want->n_reads + 1;
  hd_answer_fini(&answer);
  free(reads);
  return status;
}

/* One part of the stream on all three. */
static int part(const struct rig *rig, struct stream_side sides[3], const struct schedule *schedule,
                unsigned number, uint64_t seed, struct finding *finding, struct hd_error *err)
{
  struct stream_style style = schedule->style;
  uint64_t start = (uint64_t)number * schedule->cycles;
  if (schedule->each_port)
    style.only = 1 + number % rig->sw.ports;
  if (number % 4 == 1) /* groups that fail while they are built, and after */
    style.fails += 90;
  if (style.places)
    stream_name_places(&style, &rig->sw, number);
  if (style.names)
    style.names = (uint32_t)(hd_mix64(~seed) >> 32) | 1;
  struct stream want, got;
  uint64_t tables = seed, random_want = hd_mix64(seed), random_got = random_want;
  int status = 0;
  struct stream_style at_first = style;
  if (schedule->sound_tables)
    at_first.illegal = 0;
  hd_stream_begin(&want, &rig->sw, schedule->cycles, &at_first, &tables);
  tables = seed;
  hd_stream_begin(&got, &rig->sw, schedule->cycles, &at_first, &tables);
  if (!schedule->sound_tables)
    hd_stream_leave_to_source(&want, seed);
  for (unsigned i = 0; !status && i < 3; i++) {
    if (number)
      status = sides[i].ops->reset(sides[i].dut, err);
    if (!status && (!number || (schedule->sound_tables && number % 2 == 0)))
      status = hd_stream_configure(&want, sides[i].ops, sides[i].dut, 0, err);
    else if (!status && number % 4 != 3)
      status = hd_stream_configure_registers(&want, &sides[i], err);
    if (!status && !schedule->sound_tables && number % 2 == 0)
      status = hd_stream_configure_outside(&sides[i], &rig->sw, seed, err);
  }
  if (!status)
    status = hd_stream_drive(&want, sides[0].ops, sides[0].dut, &style, &random_want, err);
  if (!status)
    status = replay(&want, &sides[1], schedule, start, finding, err);
  if (!status)
    status = hd_stream_drive(&got, sides[2].ops, sides[2].dut, &style, &random_got, err);
  struct hd_dut_job job = {.flits_out = got.flits_out,
                           .credits_out = got.credits_out,
                           .toggles = got.toggles,
                           .n_flits_out = got.n_flits_out,
                           .n_credits_out = got.n_credits_out,
                           .n_toggles = got.n_toggles,
                           .quiescent = got.quiescent};
  if (!status)
    compare(&want, &job, got.errors, got.reads, schedule, start, &finding->closed);
  hd_stream_fini(&want);
  hd_stream_fini(&got);
  return status;
}

int stream_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
               uint64_t seed, enum stream_kind kind, struct finding *finding, struct hd_error *err)
{
  const struct schedule *schedule = &schedules[kind];
  struct stream_side sides[3] = {{0}, {0}, {0}};
  char all[128];
  snprintf(all, sizeof all, "every-cycle%s%s", options && *options ? "," : "",
           options ? options : "");
  int status = open_side(&sides[0], hd_dut_model_backend(), "every-cycle", rig, err);
  for (unsigned i = 1; !status && i < 3; i++)
    status = open_side(&sides[i], dut, all, rig, err);
  for (unsigned i = 0; !status && i < schedule->parts; i++) {
    status = part(rig, sides, schedule, i, hd_mix64(seed + i), finding, err);
    if (finding->decoupled.difference || finding->closed.difference)
      break;
  }
  for (unsigned i = 0; i < 3; i++)
    close_side(&sides[i]);
  return status;
}

int registers_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
                  struct finding *finding, struct hd_error *err)
{
  struct stream_side sides[2] = {{0}, {0}};
  struct stream_register first = {.differs = false};
  int status = open_side(&sides[0], hd_dut_model_backend(), "", rig, err);
  if (!status)
    status = open_side(&sides[1], dut, options, rig, err);
  if (!status)
    status = hd_stream_compare_registers(sides, &rig->sw, &finding->compared, &first, err);
  if (!status && (rig->sw.barrier || rig->sw.trees))
    status = hd_stream_compare_written_registers(sides, &rig->sw, false, &finding->compared, &first,
                                                 err);
  if (first.differs) /* outside of any cycle, so the same in both modes */
    finding->decoupled.difference = finding->closed.difference = HD_DIFF_ERRORS;
  close_side(&sides[0]);
  close_side(&sides[1]);
  return status;
}
