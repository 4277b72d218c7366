/* Plays a stream case on a DUT and on the model.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A case has several parts. Before each but the first comes a reset, while flits are under way. Most parts begin without
 * configuration: tables must survive the reset, and nothing hides state that the reset forgot. Windows have several
 * lengths. In every second part quiescent cycles are evaluated, too; in the others the DUT decides by quiescent_o.
 */
#include "streams.h"

#include "stream_config.h"
#include "stream_judge.h"
#include "stream_tape.h"

#include "../../../cmodel/switch/switch.h"

static const struct {
  bool each_port, sound_tables;
  struct stream_style style;
} plays[] = {
    [HD_STREAM_LEGAL] = {false, false, {.load = 700, .floods = 200, .keeps = 300}},
    [HD_STREAM_ILLEGAL] = {false, false, {.load = 700, .illegal = 60, .reads = 64, .floods = 200}},
    [HD_STREAM_EDGES] = {true, false, {.load = 300, .illegal = 120}},
    [HD_STREAM_ERRORS] = {true, true, {.load = 300, .illegal = 120}},
    [HD_STREAM_CLEARS] = {true, true, {.load = 300, .illegal = 250, .clears = 100, .reads = 5}},
    [HD_STREAM_NARROW] =
        {false,
         false,
         {.load = 500, .clears = 10, .reads = 32, .pauses = 500, .narrow = true, .fails = 8}},
    [HD_STREAM_WIDE] = {false,
                        false,
                        {.load = 500,
                         .clears = 60,
                         .reads = 32,
                         .pauses = 300,
                         .narrow = true,
                         .fails = 30,
                         .strays = 4,
                         .names = 1}},
    [HD_STREAM_SILENCE] = {false, false, {.load = 900, .ends = 2000, .narrow = true}},
    [HD_STREAM_CROWD] = {false, false, {.load = 300, .reads = 32, .clears = 10, .crowd = true}},
    [HD_STREAM_COUNTDOWN] = {false, false, {.load = 900, .reads = 64, .countdown = true}},
    [HD_STREAM_TREES] =
        {false,
         false,
         {.load = 400, .clears = 10, .reads = 32, .pauses = 300, .narrow = true, .trees = true}},
    [HD_STREAM_CODER] = {false, false, {.load = 700, .clears = 100, .reads = 8, .places = 2}},
    [HD_STREAM_SINKS] = {false, true, {.load = 1000, .sinks = true}},
};

enum {
  MODEL,
  DUT,
  NODE_PORTS = 0x5555,  /* coverage: a stream's neighbours are nodes as much as switches */
  TABLE_WRITES = 60000, /* most table writes of a case, so that large tables do not take all time */
  BRIEF_WRITES = 2000   /* most table writes of a short case */
};

struct play {
  const struct hd_stream_case *c;
  struct stream_side sides[2];
  struct hd_stream_result *result;
  uint32_t part, configured; /* configured: parts before which tables were written */
};

/* Plays cycles [from, to) of a part on the DUT, and reads the error register where the style says so. */
static int replay_cycles(struct play *play, const struct stream *want, uint32_t from, uint32_t to,
                         struct hd_error *err)
{
  static const uint32_t windows[] = {256, 7, 64, 1, 4096};
  const struct stream_side *side = &play->sides[DUT];
  uint32_t reads = plays[play->c->style].style.reads, end = from;
  int status = 0;
  for (; !status && from < to && !play->result->difference; from = end) {
    end = reads ? from + reads - from % reads : to;
    if (end > to)
      end = to;
    struct answer answer;
    hd_answer_init(&answer, want);
    answer.every_cycle = play->part % 2 == 0;
    status = hd_stream_run(want, side->ops, side->dut, 0, from, end, windows[play->part % 5],
                           &answer, err);
    if (!status)
      hd_stream_judge(play->result, want, &answer, from, end);
    hd_answer_fini(&answer);
    play->result->cycles += end - from;
    uint16_t got = 0;
    if (status || play->result->difference || !reads || end % reads)
      continue;
    status = side->ops->config_read(side->dut, 0, HD_CFG_ERRORS, &got, err);
    play->result->compared++;
    if (!status && got != want->reads[end / reads - 1])
      hd_stream_judge_register(play->result, end, HD_CFG_ERRORS, want->reads[end / reads - 1], got);
  }
  return status;
}

/* Plays a part, and its second half once more from a snapshot. */
static int replay_twice(struct play *play, const struct stream *want, struct hd_error *err)
{
  const struct stream_side *side = &play->sides[DUT];
  struct hd_dut_buffer buffer = {0};
  uint32_t half = want->cycles / 2 + play->part;
  int status = replay_cycles(play, want, 0, half, err);
  if (!status)
    status = side->ops->snapshot_save(side->dut, 0, &buffer, err);
  if (!status)
    status = replay_cycles(play, want, half, want->cycles, err);
  if (!status)
    status = side->ops->snapshot_restore(side->dut, 0, &buffer, err);
  if (!status && !play->result->difference)
    status = replay_cycles(play, want, half, want->cycles, err);
  free(buffer.bytes);
  return status;
}

static int read_registers(struct play *play, uint32_t cycle, bool all, struct hd_error *err)
{
  struct stream_register first = {.differs = false};
  int status = 0;
  for (uint32_t i = 0; !all && !status && i < HD_REGISTERS && !first.differs; i++) {
    uint16_t words[2] = {0, 0};
    for (unsigned k = 0; !status && k < 2; k++)
      status = play->sides[k].ops->config_read(play->sides[k].dut, 0, i, &words[k], err);
    play->result->compared++;
    if (words[MODEL] != words[DUT])
      first = (struct stream_register){true, i, words[MODEL], words[DUT]};
  }
  if (all)
    status = hd_stream_compare_registers(play->sides, &play->c->params, &play->result->compared,
                                         &first, err);
  if (!status && first.differs)
    hd_stream_judge_register(play->result, cycle, first.address, first.want, first.got);
  return status;
}

static int written_registers(struct play *play, struct hd_error *err)
{
  struct stream_register first = {.differs = false};
  int status = hd_stream_compare_written_registers(play->sides, &play->c->params, play->c->brief,
                                                   &play->result->compared, &first, err);
  if (!status && first.differs)
    hd_stream_judge_register(play->result, 0, first.address, first.want, first.got);
  return status;
}

static int configure_part(struct play *play, const struct stream *want, uint64_t seed,
                          struct hd_error *err)
{
  const struct hd_stream_case *c = play->c;
  bool sound = plays[c->style].sound_tables, due = !play->part || (sound && play->part % 2 == 0);
  int status = 0;
  if (play->part && (play->configured + 1) * want->n_tables >
                        (c->brief ? (uint32_t)BRIEF_WRITES : (uint32_t)TABLE_WRITES))
    due = false;
  play->configured += due;
  for (unsigned i = 0; !status && i < 2; i++) {
    struct stream_side *side = &play->sides[i];
    if (play->part)
      status = side->ops->reset(side->dut, err);
    if (!status && due)
      status = hd_stream_configure(want, side->ops, side->dut, 0, err);
    else if (!status && play->part % 4 != 3)
      status = hd_stream_configure_registers(want, side, err);
    if (!status && c->style == HD_STREAM_SILENCE) /* so that the idle counter reaches its end */
      status = side->ops->config_write(side->dut, 0, HD_CFG_IDLE, UINT16_MAX, err);
    if (!status && c->style == HD_STREAM_COUNTDOWN)
      status = hd_stream_configure_countdown(side, play->part, err);
    if (!status && !sound && play->part % 2 == 0 && play->part < 8)
      status = hd_stream_configure_outside(side, &c->params, seed, err);
  }
  return status;
}

static int play_part(struct play *play, struct hd_error *err)
{
  const struct hd_stream_case *c = play->c;
  uint64_t seed = hd_mix64(c->seed + play->part), tables = seed, rnd = hd_mix64(seed);
  struct stream_style style = plays[c->style].style, at_first;
  struct stream want;
  if (plays[c->style].each_port)
    style.only = 1 + play->part % c->params.ports;
  if (play->part % 4 == 1 &&
      style.narrow) /* more groups fail, while they are built and afterwards */
    style.fails += 90;
  style.waits = c->style == HD_STREAM_SILENCE && play->part % 2; /* IDLE gets each of its bits */
  style.target = play->part / 2;
  if (style.places)
    stream_name_places(&style, &c->params, play->part);
  if (style.names)
    style.names = (uint32_t)(hd_mix64(~seed) >> 32) | 1;
  at_first = style;
  if (plays[c->style].sound_tables)
    at_first.illegal = 0;
  hd_stream_begin(&want, &c->params, c->cycles, &at_first, &tables);
  if (!plays[c->style].sound_tables && c->style != HD_STREAM_LEGAL)
    hd_stream_leave_to_source(&want, seed);
  int status = configure_part(play, &want, seed, err);
  if (!status)
    status =
        hd_stream_drive(&want, play->sides[MODEL].ops, play->sides[MODEL].dut, &style, &rnd, err);
  bool twice = play->part == 2 && play->sides[DUT].ops->capabilities & HD_DUT_SNAPSHOT;
  if (!status)
    status =
        twice ? replay_twice(play, &want, err) : replay_cycles(play, &want, 0, want.cycles, err);
  if (!status && !play->result->difference)
    status = read_registers(play, want.cycles, play->part % 32 == 1, err);
  play->result->part = play->part;
  hd_stream_fini(&want);
  return status;
}

/* Plays a case, and records the DUT's inputs in `tape`, which may be NULL. */
static int play_case(const struct hd_stream_case *c, const struct hd_dut_ops *ops,
                     const char *options, struct hd_tape *tape, struct hd_stream_result *result,
                     struct hd_error *err)
{
  struct play play = {.c = c, .sides = {{hd_dut_model_backend(), NULL}, {ops, NULL}}};
  *result = (struct hd_stream_result){.port = 0xff, .vc = 0xff};
  play.result = result;
  int status =
      play.sides[MODEL].ops->create(&play.sides[MODEL].dut, &c->params, 1, "every-cycle", err);
  if (!status)
    hd_switch_cover(hd_dut_model_switch(play.sides[MODEL].dut, 0), &result->coverage, NULL,
                    NODE_PORTS);
  if (!status)
    status = ops->create(&play.sides[DUT].dut, &c->params, 1, options ? options : "", err);
  if (!status && tape)
    hd_tape_recorder(tape, &play.sides[DUT]);
  if (!status && c->style == HD_STREAM_LEGAL) {
    status = read_registers(&play, 0, true, err);
    if (!status &&
        (c->params.barrier || c->params.adaptive || c->params.code_places || c->params.route ||
         c->params.trees) &&
        !result->difference)
      status = written_registers(&play, err);
  }
  for (; !status && !result->difference && play.part < c->parts; play.part++)
    status = play_part(&play, err);
  for (unsigned k = 0; k < 2; k++)
    if (play.sides[k].dut)
      play.sides[k].ops->destroy(play.sides[k].dut);
  if (status)
    return status;
  if (result->difference)
    return hd_fail(err, HD_E_DIVERGENCE, "stream set %u, %s, seed 0x%llx, reset %u: %s", c->set,
                   hd_stream_style_about(c->style), (unsigned long long)c->seed, result->part,
                   result->text);
  if (!result->compared)
    return hd_fail(err, HD_E_NOTHING, "a stream of %u parts compared nothing", c->parts);
  return 0;
}

int hd_stream_play(const struct hd_stream_case *c, const struct hd_dut_ops *ops,
                   const char *options, struct hd_stream_result *result, struct hd_error *err)
{
  return play_case(c, ops, options, NULL, result, err);
}

int hd_tape_record(struct hd_tape **tape, const struct hd_stream_case *c,
                   const struct hd_dut_ops *ops, struct hd_error *err)
{
  struct hd_stream_result result;
  *tape = hd_tape_create(&c->params);
  int status = play_case(c, ops, "", *tape, &result, err);
  if (status == HD_E_DIVERGENCE)
    status = HD_OK;
  if (status) {
    hd_tape_destroy(*tape);
    *tape = NULL;
  }
  return status;
}
