/* Plays windows on a board's switches, and replays them when a state is lost (specification chapter
 * 9).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_play.h"

#include "board_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  TRIES = 3, /* attempts to set a board up again */
  LOST = 4,  /* flag of a run: the answer memory was too small */
};

static int fail_unsteady(uint32_t sw, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO,
                 "the board does not repeat itself: switch %u, played again from reset, showed "
                 "something else; look at its clock, its power and its timing margin",
                 sw);
}

/* Brings a switch from any state to the end of its history, by replay from reset. Each piece must
 * give the signatures that it gave before. `anew`: clear the tables first. */
static int replay_history(struct hd_board_play *play, uint32_t sw, bool anew, bool *forgotten,
                          struct hd_error *err)
{
  struct hd_board_history *history = &play->histories[sw];
  struct hd_board_answer a;
  struct hd_board_piece p;
  uint64_t at = 0;
  history->needs_replay = true;
  int status = anew || history->rewritten ? hd_board_clear_tables(play, sw, forgotten, err) : 0;
  if (!status)
    status = hd_board_reset_switch(play, sw, forgotten, err);
  pthread_mutex_lock(&play->log->walk);
  if (!status)
    status = hd_board_history_first(history, play->log, &at, err);
  for (; at && !status; at = p.next) {
    status = hd_board_history_read(play->log, at, &p, play->kept, play->about.stimulus_words, err);
    if (!status && !p.n)
      status = hd_board_reset_switch(play, sw, forgotten, err);
    else if (!status)
      status = hd_board_run(play, sw, play->kept, p.n, false, &a, forgotten, err);
    if (!status && p.n &&
        !hd_board_history_matches(&p, a.signatures, hd_board_signatures(&play->shape)))
      status = fail_unsteady(sw, err);
  }
  pthread_mutex_unlock(&play->log->walk);
  history->needs_replay = status != 0;
  return status;
}

/* Sets up all switches again on a board that was reset. */
static int recover(struct hd_board_play *play, struct hd_error *err)
{
  struct hd_board_about about;
  bool forgotten = true;
  int status = 0;
  hd_board_link_report(play->link, "it was reset, and plays again what it has played");
  for (int k = 0; k < TRIES && forgotten; k++) {
    forgotten = false;
    status = hd_board_hello(play->link, &about, err);
    if (!status && memcmp(&about, &play->about, sizeof about))
      return hd_fail(err, HD_E_INPUT, "another board is at %s now", play->link->device);
    for (uint32_t sw = 0; sw < play->count && !status; sw++)
      status = replay_history(play, sw, true, &forgotten, err);
  }
  play->recovered += !status;
  return status;
}

/* Plays words on a switch after its history. Replays the history first if
 * `needs_replay` is set, and sets up the board again if it was reset. */
static int play_words(struct hd_board_play *play, uint32_t sw, const uint16_t *words, size_t n,
                      bool events, struct hd_board_answer *a, struct hd_error *err)
{
  int status = 0;
  for (int k = 0; k < TRIES; k++) {
    bool forgotten = false;
    status =
        play->histories[sw].needs_replay ? replay_history(play, sw, false, &forgotten, err) : 0;
    if (!status) {
      play->histories[sw].needs_replay = true; /* until the words are appended to the history */
      status = hd_board_run(play, sw, words, n, events, a, &forgotten, err);
    }
    if (!forgotten)
      return status;
    status = recover(play, err);
    if (status)
      return status;
  }
  return hd_fail(err, HD_E_IO, "the board at %s was reset again and again", play->link->device);
}

/* Appends the words that were played last on a switch to its history. */
static int append_history(struct hd_board_play *play, uint32_t sw, const uint16_t *words, size_t n,
                          const struct hd_board_answer *a, struct hd_error *err)
{
  int status = hd_board_history_append(&play->histories[sw], play->log, words, n, a->signatures,
                                       hd_board_signatures(&play->shape), err);
  if (!status)
    play->histories[sw].needs_replay = false;
  return status;
}

/* Plays words on a switch, asks for signatures only, then appends the words to its history. */
static int play_for_signatures(struct hd_board_play *play, uint32_t sw, const uint16_t *words,
                               size_t n, struct hd_error *err)
{
  struct hd_board_answer a;
  int status = play_words(play, sw, words, n, false, &a, err);
  return status ? status : append_history(play, sw, words, n, &a, err);
}

/* Plays a job's cycles from `from` on, up to `to` or until the stimulus memory is full. Returns the
 * cycle after the last one played, or an error. play->words[*n] are the words played; they are not
 * appended to the history. */
static int64_t play_cycles(struct hd_board_play *play, const struct hd_dut_job *job, uint32_t from,
                           uint32_t to, bool events, size_t *n, struct hd_board_answer *a,
                           struct hd_error *err)
{
  int64_t end =
      hd_board_encode(&play->shape, job, from, to, play->words, play->about.stimulus_words, n, err);
  int status = end < 0 ? (int)end : play_words(play, job->sw, play->words, *n, events, a, err);
  return status ? status : end;
}

/* ── public functions ───────────────────────────────────────────────────────── */

int hd_board_play_init(struct hd_board_play *play, struct hd_board_link *link,
                       const struct hd_board_about *about, const struct hd_switch_params *params,
                       uint32_t count, struct hd_board_log *log, struct hd_error *err)
{
  *play = (struct hd_board_play){.link = link,
                                 .log = log,
                                 .about = *about,
                                 .params = *params,
                                 .shape = {.ports = params->ports,
                                           .vcs = params->vcs,
                                           .data_bits = params->data_bits,
                                           .barrier = params->barrier,
                                           .counts = hd_switch_counts(params)},
                                 .count = count};
  uint32_t out = hd_board_words_a_cycle(&play->shape);
  if (count > about->switches)
    return hd_fail(
        err, HD_E_INPUT,
        "the fabric has %u switches, the board at %s holds %u; take a smaller fabric, or "
        "a board built for more",
        count, link->device, about->switches);
  if (about->lanes != hd_board_lanes(&play->shape))
    return hd_fail(err, HD_E_INPUT, "the board's flits have %u bits, the scenario's %u",
                   16 * about->lanes, params->data_bits);
  /* The inputs of a cycle are at most one configuration write longer than its outputs. */
  if (about->answer_words < out || about->stimulus_words < out + 4)
    return hd_fail(err, HD_E_INPUT,
                   "the board's memories of %u and %u words do not hold one cycle of such a switch",
                   about->stimulus_words, about->answer_words);
  play->histories = calloc(count ? count : 1, sizeof *play->histories);
  play->words = calloc(about->stimulus_words, sizeof *play->words);
  play->kept = calloc(about->stimulus_words, sizeof *play->kept);
  play->records = calloc(about->answer_words, sizeof *play->records);
  if (!play->histories || !play->words || !play->kept || !play->records)
    return hd_fail(err, HD_E_NOMEM, "out of memory for the board");
  return 0;
}

void hd_board_play_fini(struct hd_board_play *play)
{
  free(play->histories);
  free(play->words);
  free(play->kept);
  free(play->records);
  *play = (struct hd_board_play){0};
}

/* Plays the collected writes. */
static int play_writes(struct hd_board_play *play, uint32_t sw, struct hd_error *err)
{
  struct hd_board_history *history = &play->histories[sw];
  if (!history->n_writes)
    return 0;
  history->writes[history->n_writes++] = 0; /* end */
  int status = play_for_signatures(play, sw, history->writes, history->n_writes, err);
  history->n_writes = 0;
  return status;
}

/* Clears the switches' tables, which another user of the board may have written. */
int hd_board_play_begin(struct hd_board_play *play, struct hd_error *err)
{
  int status = 0;
  for (uint32_t sw = 0; sw < play->count && !status; sw++) {
    bool forgotten = false;
    status = replay_history(play, sw, true, &forgotten, err);
    if (forgotten)
      return recover(play, err);
  }
  return status;
}

int hd_board_play_reset(struct hd_board_play *play, struct hd_error *err)
{
  int status = 0;
  for (uint32_t sw = 0; sw < play->count && !status; sw++) {
    struct hd_board_history *history = &play->histories[sw];
    bool forgotten = false;
    status = play_writes(play, sw, err);
    if (!status)
      status = hd_board_history_append(history, play->log, NULL, 0, NULL, 0, err);
    history->configured = false;
    if (!status && !history->needs_replay)
      status = hd_board_reset_switch(play, sw, &forgotten, err);
    if (forgotten)
      status = recover(play, err);
  }
  return status;
}

int hd_board_play_write(struct hd_board_play *play, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct hd_board_history *history = &play->histories[sw];
  uint16_t words[6];
  size_t n = hd_board_access(words, true, addr, data, 0) - 1;
  size_t room = play->about.stimulus_words - 1 < HD_BOARD_KEPT_WRITES
                    ? play->about.stimulus_words - 1
                    : HD_BOARD_KEPT_WRITES;
  int status = history->n_writes + n + 1 > room ? play_writes(play, sw, err) : 0;
  if (status)
    return status;
  memcpy(history->writes + history->n_writes, words, n * sizeof *words);
  history->n_writes += n;
  history->configured = true;
  return 0;
}

int hd_board_play_read(struct hd_board_play *play, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  uint16_t words[6];
  struct hd_board_answer a = {0};
  int status = play_writes(play, sw, err);
  if (status)
    return status;
  /* The read is not appended to the history. So play_words leaves `needs_replay` set, and the
   * history is replayed before the next window. */
  status = play_words(play, sw, words, hd_board_access(words, false, addr, 0, 0), true, &a, err);
  for (size_t i = 0; i + 1 < a.n_records && !status; i++)
    if (play->records[i] == 7 << 12) {
      *data = play->records[i + 1];
      return 0;
    }
  return status ? status : hd_fail(err, HD_E_IO, "the board did not answer a register access");
}

/* Plays the collected writes, then an idle cycle, so that the switch can be quiescent in the
 * window's first cycle. */
static int play_pending_writes(struct hd_board_play *play, uint32_t sw, struct hd_error *err)
{
  static const uint16_t idle[] = {1 << 12 | 1, 0};
  int status = play_writes(play, sw, err);
  if (!status && play->histories[sw].configured)
    status = play_for_signatures(play, sw, idle, 2, err);
  play->histories[sw].configured = false;
  return status;
}

int hd_board_play_save(struct hd_board_play *play, uint32_t sw, struct hd_dut_buffer *buffer,
                       struct hd_error *err)
{
  int status = play_pending_writes(play, sw, err);
  return status ? status : hd_board_history_save(&play->histories[sw], play->log, buffer, err);
}

int hd_board_play_restore(struct hd_board_play *play, uint32_t sw,
                          const struct hd_dut_buffer *buffer, struct hd_error *err)
{
  return hd_board_history_restore(&play->histories[sw], play->log, buffer, err);
}

/* Copies the expected events of cycles (from, to] to the job's outputs: their signatures were
 * right. */
static void copy_expected(struct hd_dut_job *job, const struct hd_dut_expected *x, uint32_t from,
                          uint32_t to)
{
  for (uint32_t i = 0; i < x->n_flits; i++)
    if (x->flits[i].cycle > from && x->flits[i].cycle <= to)
      job->flits_out[job->n_flits_out++] = x->flits[i];
  for (uint32_t i = 0; i < x->n_credits; i++)
    if (x->credits[i].cycle > from && x->credits[i].cycle <= to)
      job->credits_out[job->n_credits_out++] = x->credits[i];
  for (uint32_t i = 0; i < x->n_toggles; i++)
    if (x->toggles[i] > from && x->toggles[i] <= to)
      job->toggles[job->n_toggles++] = x->toggles[i];
}

struct hd_dut_expected hd_board_shown(const struct hd_dut_job *before, const struct hd_dut_job *job,
                                      bool quiescent)
{
  return (struct hd_dut_expected){.flits = job->flits_out + before->n_flits_out,
                                  .credits = job->credits_out + before->n_credits_out,
                                  .toggles = job->toggles + before->n_toggles,
                                  .n_flits = job->n_flits_out - before->n_flits_out,
                                  .n_credits = job->n_credits_out - before->n_credits_out,
                                  .n_toggles = job->n_toggles - before->n_toggles,
                                  .quiescent = quiescent};
}

/* Compares the records with the signatures of the same outputs. If they do not match, one of the
 * board's two units is broken, and nothing can be said about the switch. */
static int units_differ(const struct hd_board_play *play, const struct hd_dut_job *job,
                        uint32_t from, uint32_t to, const uint32_t *records,
                        const uint32_t *signatures, const uint32_t *model, struct hd_error *err)
{
  const uint32_t lanes = hd_board_lanes(&play->shape), n = hd_board_signatures(&play->shape);
  uint32_t i = 0;
  char where[32] = "quiescent_o and counts";
  while (records[i] == signatures[i])
    i++;
  if (i < n - 1)
    snprintf(where, sizeof where, "port %u, lane %u", i / lanes, i % lanes);
  const char *which = model && !memcmp(model, records, n * sizeof *model)
                          ? "its signature unit is broken: its records are what the model shows"
                      : model && !memcmp(model, signatures, n * sizeof *model)
                          ? "its output records are broken: its signatures are the model's"
                          : "its signature unit or its output records are broken";
  return hd_fail(err, HD_E_IO,
                 "the board contradicts itself in cycles %llu to %llu of switch %u, %s: the "
                 "signature is 0x%08x, its own records come to 0x%08x; %s, and this is no "
                 "divergence of the switch (specification 9.6)",
                 (unsigned long long)(job->start + from), (unsigned long long)(job->start + to),
                 job->sw, where, signatures[i], records[i], which);
}

/* Plays cycles [from, to) and records their events, or as many cycles as the memories hold: up to
 * *done. `x`: the model's events, with which they are compared; *differ: the result. Both may be
 * NULL. */
static int play_events(struct hd_board_play *play, struct hd_dut_job *job, uint32_t from,
                       uint32_t to, uint32_t *done, const struct hd_dut_expected *x, bool *differ,
                       struct hd_error *err)
{
  const struct hd_dut_job before = *job;
  const size_t size = hd_board_signatures(&play->shape) * sizeof(uint32_t);
  uint32_t records[HD_BOARD_SIGNATURES], model[HD_BOARD_SIGNATURES];
  struct hd_board_answer a;
  size_t n;
  uint32_t most = play->about.answer_words / hd_board_words_a_cycle(&play->shape);
  if (to - from > most)
    to = from + most;
  int64_t end = play_cycles(play, job, from, to, true, &n, &a, err);
  int status = end < 0 ? (int)end : append_history(play, job->sw, play->words, n, &a, err);
  if (status)
    return status;
  *done = (uint32_t)end;
  if (!from)
    job->quiescent = a.flags & 1;
  if (a.flags & LOST ||
      !hd_board_decode(&play->shape, play->records, a.n_records, from, *done, job))
    return hd_fail(err, HD_E_IO, "the board's records of switch %u cannot be read", job->sw);
  const struct hd_dut_expected shown = hd_board_shown(&before, job, a.flags & 1);
  hd_board_sign(&play->shape, &shown, from, *done, records);
  if (x)
    *differ = hd_board_sign(&play->shape, x, from, *done, model) != shown.quiescent ||
              memcmp(records, model, size) || job->lost;
  /* If the job's arrays were full, the dropped events are missing from `records`. */
  if (!play->unsigned_answers && !job->lost && memcmp(records, a.signatures, size))
    return units_differ(play, job, from, *done, records, a.signatures, x ? model : NULL, err);
  return 0;
}

/* Tests whether a run of cycles [from, to) gave the signatures that the model's events have. */
static bool signatures_agree(const struct hd_board_play *play, const struct hd_board_answer *a,
                             const struct hd_dut_expected *x, uint32_t from, uint32_t to)
{
  uint32_t signatures[HD_BOARD_SIGNATURES];
  bool quiescent = hd_board_sign(&play->shape, x, from, to, signatures);
  return (a->flags & 1) == quiescent &&
         !memcmp(a->signatures, signatures, hd_board_signatures(&play->shape) * sizeof *signatures);
}

/* Reports the error of a board that contradicts itself: the signatures of [from, to) in one run
 * differ from the model's, but all parts agree with it. Takes the switch back to the piece `mark`
 * and repeats the run. If it gives other signatures now, the board is unsteady. */
static int fail_contradiction(struct hd_board_play *play, const struct hd_dut_job *job,
                              uint64_t mark, uint32_t from, uint32_t to,
                              const struct hd_board_answer *first, struct hd_error *err)
{
  struct hd_board_answer a;
  size_t n;
  play->histories[job->sw].last = mark;
  play->histories[job->sw].needs_replay = true;
  int64_t end = play_cycles(play, job, from, to, false, &n, &a, err);
  if (end < 0)
    return (int)end;
  if ((a.flags & 1) != (first->flags & 1) ||
      memcmp(a.signatures, first->signatures,
             hd_board_signatures(&play->shape) * sizeof *a.signatures))
    return fail_unsteady(job->sw, err);
  return hd_fail(
      err, HD_E_IO,
      "the board contradicts itself in cycles %llu to %llu of switch %u: its signatures "
      "of all these cycles are wrong, twice the same, but those of each part are right; its "
      "signature unit is broken, or the switch has no timing margin at full clock "
      "(specification 9.5, 9.6)",
      (unsigned long long)(job->start + from), (unsigned long long)(job->start + to), job->sw);
}

/* Finds the first differing cycle of [from, to), whose signatures `whole` differ from the model's.
 * Halves the range until its events fit into the answer memory, and records them (§9.6). */
static int bisect(struct hd_board_play *play, struct hd_dut_job *job,
                  const struct hd_dut_expected *x, uint32_t from, uint32_t to,
                  const struct hd_board_answer *whole, struct hd_error *err)
{
  const uint32_t most = play->about.answer_words / hd_board_words_a_cycle(&play->shape);
  const uint32_t begin = from, end = to;
  const uint64_t mark = play->histories[job->sw].last;
  while (to - from > most) {
    struct hd_board_answer a;
    uint32_t middle = from + (to - from) / 2;
    size_t n;
    int64_t next_cycle = play_cycles(play, job, from, middle, false, &n, &a, err);
    if (next_cycle < 0)
      return (int)next_cycle;
    if (!signatures_agree(play, &a, x, from, (uint32_t)next_cycle)) {
      to = (uint32_t)next_cycle;
      continue;
    }
    int status = append_history(play, job->sw, play->words, n, &a, err);
    if (status)
      return status;
    copy_expected(job, x, from, (uint32_t)next_cycle);
    from = (uint32_t)next_cycle;
  }
  for (bool differ = false; from < to;) {
    int status = play_events(play, job, from, to, &from, x, &differ, err);
    if (status || differ)
      return status;
  }
  return fail_contradiction(play, job, mark, begin, end, whole, err);
}

static int play_signed(struct hd_board_play *play, struct hd_dut_job *job,
                       const struct hd_dut_expected *x, struct hd_error *err)
{
  for (uint32_t from = 0; from < job->cycles;) {
    struct hd_board_answer a;
    size_t n;
    int64_t end = play_cycles(play, job, from, job->cycles, false, &n, &a, err);
    if (end < 0)
      return (int)end;
    uint32_t to = (uint32_t)end;
    if (!from)
      job->quiescent = a.flags & 1;
    if (!signatures_agree(play, &a, x, from, to))
      return bisect(play, job, x, from, to, &a, err);
    int status = append_history(play, job->sw, play->words, n, &a, err);
    if (status)
      return status;
    copy_expected(job, x, from, to);
    from = to;
  }
  return 0;
}

int hd_board_play_window(struct hd_board_play *play, struct hd_dut_job *job,
                         const struct hd_dut_expected *expected, struct hd_error *err)
{
  int status = play_pending_writes(play, job->sw, err);
  for (uint32_t i = 0; i < job->n_configs_in; i++)
    play->histories[job->sw].rewritten |= job->configs_in[i].addr >> 16;
  if (status || expected)
    return status ? status : play_signed(play, job, expected, err);
  for (uint32_t from = 0; from < job->cycles && !status;)
    status = play_events(play, job, from, job->cycles, &from, NULL, NULL, err);
  return status;
}
