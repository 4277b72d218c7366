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
#include "../../bridge/lockstep/lockstep_internal.h"
#include "../unit/lib/stream_replay.h"
#include "rig.h"

enum { WINDOW = 256 };

/* How long, and what the neighbours do. Where parts are short and one port alone is told lies, the
 * error register says which port forgets or invents an error: with sound tables, new ones in every
 * second part; with earlier errors cleared; and with entries written beyond the tables' ends. Last,
 * barrier messages of a few groups and switches, with senders that stop within packets; their
 * numbers small, or, drawn anew for each part (`names`), of all widths. There the error register is
 * read meanwhile, so that no error hides an earlier one. */
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
                      .names = 1}},
};

/* One of the three: the model, the DUT that replays, the DUT in closed loop. */
struct side {
  const struct hd_dut_ops *ops;
  struct hd_dut *dut;
};

static int open_side(struct side *side, const struct hd_dut_ops *ops, const char *options,
                     const struct rig *rig, struct hd_error *err)
{
  side->ops = ops;
  return ops->create(&side->dut, &rig->sw, 1, options ? options : "", err);
}

static void close_side(struct side *side)
{
  if (side->dut)
    side->ops->destroy(side->dut);
}

/* Where there are source tables, half of the destinations are left to them (§2.7). */
static void leave_to_source(struct stream *s, uint64_t seed)
{
  for (uint32_t i = 0; s->params.source_table && i < s->n_tables; i++)
    if (s->tables[i].addr >> 16 == HD_CFG_DESTINATION(0, 0) >> 16 && hd_mix64(seed + i) & 1)
      s->tables[i].data &= 0xefff;
}

/* The registers of §8.6, which a reset takes away; without SELF nothing is for this switch. */
static int configure_registers(const struct stream *s, const struct side *side,
                               struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; !status && i < s->n_tables; i++)
    if (s->tables[i].addr < HD_CFG_DESTINATION(0, 0))
      status = side->ops->config_write(side->dut, 0, s->tables[i].addr, s->tables[i].data, err);
  return status;
}

static int configure_row(const struct side *side, uint32_t port, uint32_t row, uint16_t entry,
                         struct hd_error *err)
{
  int status = side->ops->config_write(side->dut, 0, HD_CFG_DESTINATION(port, row), entry, err);
  return status ? status
                : side->ops->config_write(side->dut, 0, HD_CFG_SOURCE(port, row), entry, err);
}

/* The same of the barrier routing table (§8.6). */
static int configure_outside_ways(const struct side *side, const struct hd_switch_params *p,
                                  uint64_t seed, struct hd_error *err)
{
  uint32_t rows = 1u << hd_log2_ceil(p->switches), base = HD_CFG_BARRIER_WAY(0);
  uint16_t all = (uint16_t)((1u << p->ports) - 1);
  int status = 0;
  if (!p->barrier)
    return 0;
  for (uint32_t sw = p->switches; !status && sw < rows + 2 && sw < 0xfff; sw++)
    status = side->ops->config_write(side->dut, 0, base | sw, all, err);
  for (uint32_t bit = rows; !status && bit < 0x100000; bit <<= 1)
    if (!(base & bit))
      status = side->ops->config_write(side->dut, 0, base | bit | (uint32_t)(seed % p->switches), 1,
                                       err);
  return status;
}

/* Entries behind the last node and of ports that are not there, and at addresses that a table's
 * would be without one of their bits: written, but in no table (§3.2). */
static int configure_outside(const struct side *side, const struct hd_switch_params *p,
                             uint64_t seed, struct hd_error *err)
{
  uint32_t rows = 1u << hd_log2_ceil(p->nodes);
  uint16_t entry = hd_table_entry(p->ports - 1, (1u << p->vcs) - 1);
  int status = 0;
  for (uint32_t port = 0; !status && port < p->ports; port++) {
    for (uint32_t row = p->nodes; !status && row < rows + 2 && row < 0xfff; row++)
      status = configure_row(side, port, row, entry, err);
    for (uint32_t bit = rows; !status && bit < 0x1000; bit <<= 1)
      status = configure_row(side, port, bit | (uint32_t)(seed % p->nodes), entry, err);
  }
  return status ? status : configure_outside_ways(side, p, seed, err);
}

/* The first difference of ports or, before it, of what was read of the error register. */
static int compare(const struct stream *want, const struct hd_dut_job *got, uint16_t errors,
                   const uint16_t *reads, const struct schedule *schedule, uint64_t start,
                   struct place *place, struct hd_error *err)
{
  uint32_t *tags = calloc((size_t)want->n_flits_out + 1, sizeof *tags);
  struct hd_divergence first = {.difference = HD_DIFF_NONE};
  struct hd_switch_record record = {.flits_out = want->flits_out,
                                    .credits_out = want->credits_out,
                                    .toggles = want->toggles,
                                    .tags_out = tags,
                                    .n_flits_out = want->n_flits_out,
                                    .n_credits_out = want->n_credits_out,
                                    .n_toggles = want->n_toggles,
                                    .quiescent_at_start = want->quiescent};
  if (!tags)
    return hd_fail(err, HD_E_NOMEM, "no memory to compare a stream");
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
  return 0;
}

static int replay(const struct stream *want, const struct side *side,
                  const struct schedule *schedule, uint64_t start, struct finding *finding,
                  struct hd_error *err)
{
  struct answer answer;
  uint16_t errors = 0, *reads = calloc((size_t)want->n_reads + 1, sizeof *reads);
  uint32_t step = schedule->style.reads ? schedule->style.reads : want->cycles;
  int status = reads ? 0 : hd_fail(err, HD_E_NOMEM, "no memory to replay a stream");
  answer_init(&answer, want);
  for (uint32_t i = 0, c = 0; !status && c < want->cycles; i++, c += step) {
    uint32_t end = want->cycles - c < step ? want->cycles : c + step;
    status = stream_run(want, side->ops, side->dut, 0, c, end, WINDOW, &answer, err);
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
    status = compare(want, &job, errors, reads, schedule, start, &finding->decoupled, err);
  finding->compared += answer.n_flits + answer.n_credits + answer.n_toggles + want->n_reads + 1;
  answer_fini(&answer);
  free(reads);
  return status;
}

/* One part of the stream on all three. */
static int part(const struct rig *rig, struct side sides[3], const struct schedule *schedule,
                unsigned number, uint64_t seed, struct finding *finding, struct hd_error *err)
{
  struct stream_style style = schedule->style;
  uint64_t start = (uint64_t)number * schedule->cycles;
  if (schedule->each_port)
    style.only = 1 + number % rig->sw.ports;
  if (number % 4 == 1) /* groups that fail while they are built, and after */
    style.fails += 90;
  if (style.names)
    style.names = (uint32_t)(hd_mix64(~seed) >> 32) | 1;
  struct stream want, got;
  uint64_t tables = seed, random_want = hd_mix64(seed), random_got = random_want;
  int status = 0;
  struct stream_style at_first = style;
  if (schedule->sound_tables)
    at_first.illegal = 0;
  stream_begin(&want, &rig->sw, schedule->cycles, &at_first, &tables);
  tables = seed;
  stream_begin(&got, &rig->sw, schedule->cycles, &at_first, &tables);
  if (!schedule->sound_tables)
    leave_to_source(&want, seed);
  for (unsigned i = 0; !status && i < 3; i++) {
    if (number)
      status = sides[i].ops->reset(sides[i].dut, err);
    if (!status && (!number || (schedule->sound_tables && number % 2 == 0)))
      status = stream_configure(&want, sides[i].ops, sides[i].dut, 0, err);
    else if (!status && number % 4 != 3)
      status = configure_registers(&want, &sides[i], err);
    if (!status && !schedule->sound_tables && number % 2 == 0)
      status = configure_outside(&sides[i], &rig->sw, seed, err);
  }
  if (!status)
    status = stream_drive(&want, sides[0].ops, sides[0].dut, &style, &random_want, err);
  if (!status)
    status = replay(&want, &sides[1], schedule, start, finding, err);
  if (!status)
    status = stream_drive(&got, sides[2].ops, sides[2].dut, &style, &random_got, err);
  struct hd_dut_job job = {.flits_out = got.flits_out,
                           .credits_out = got.credits_out,
                           .toggles = got.toggles,
                           .n_flits_out = got.n_flits_out,
                           .n_credits_out = got.n_credits_out,
                           .n_toggles = got.n_toggles,
                           .quiescent = got.quiescent};
  if (!status)
    status = compare(&want, &job, got.errors, got.reads, schedule, start, &finding->closed, err);
  stream_fini(&want);
  stream_fini(&got);
  return status;
}

int stream_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
               uint64_t seed, enum stream_kind kind, struct finding *finding, struct hd_error *err)
{
  const struct schedule *schedule = &schedules[kind];
  struct side sides[3] = {{0}, {0}, {0}};
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

/* Reads what is mapped and what is not; with barrier hardware, which has registers that are written,
 * more of it. */
static int compare_registers(const struct side sides[2], const struct hd_switch_params *p,
                             struct finding *finding, struct hd_error *err)
{
  uint32_t selects = p->barrier ? 4 : 3, low = p->barrier ? 32 : 16;
  int status = 0;
  for (uint32_t select = 0; select < selects; select++)
    for (uint32_t port = 0; port < 2; port++)
      for (uint32_t index = 0; !status && index < low + 2; index++) {
        uint32_t addr = select << 16 | port << 12 | (index < low ? index : 0x80u << (index - low));
        uint16_t want = 0, got = 0;
        status = sides[0].ops->config_read(sides[0].dut, 0, addr, &want, err);
        if (!status)
          status = sides[1].ops->config_read(sides[1].dut, 0, addr, &got, err);
        finding->compared++;
        if (want != got) /* outside of any cycle, so the same in both modes */
          finding->decoupled.difference = finding->closed.difference = HD_DIFF_ERRORS;
      }
  return status;
}

/* Writes to the registers of barrier hardware, and to where they would be without one bit of the
 * address; then a reset. */
static int compare_written_registers(const struct side sides[2], const struct hd_switch_params *p,
                                     struct finding *finding, struct hd_error *err)
{
  static const uint16_t words[] = {0, 0x5a5a, 0xa5a5, 0xffff};
  enum { BITS = 15, WORDS = sizeof words / sizeof *words };
  int status = 0;
  for (uint32_t i = 0; !status && i < (BITS + 1) * WORDS; i++) {
    uint32_t bit = i / WORDS < BITS ? 32u << i / WORDS : 0;
    for (uint32_t index = HD_CFG_IDLE; !status && index <= HD_CFG_CLOSE; index++)
      for (unsigned k = 0; !status && k < 2; k++)
        status = sides[k].ops->config_write(sides[k].dut, 0, bit | index,
                                            (uint16_t)(words[i % WORDS] ^ index), err);
    if (!status)
      status = compare_registers(sides, p, finding, err);
  }
  for (unsigned k = 0; !status && k < 2; k++)
    status = sides[k].ops->reset(sides[k].dut, err);
  return status ? status : compare_registers(sides, p, finding, err);
}

int registers_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
                  struct finding *finding, struct hd_error *err)
{
  struct side sides[2] = {{0}, {0}};
  int status = open_side(&sides[0], hd_dut_model_backend(), "", rig, err);
  if (!status)
    status = open_side(&sides[1], dut, options, rig, err);
  if (!status)
    status = compare_registers(sides, &rig->sw, finding, err);
  if (!status && rig->sw.barrier)
    status = compare_written_registers(sides, &rig->sw, finding, err);
  close_side(&sides[0]);
  close_side(&sides[1]);
  return status;
}
