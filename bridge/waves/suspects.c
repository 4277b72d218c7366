/* Finds the origin of a difference among all signals that differ from the original's.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The origins are the candidates that differ first. A register that the original resets is a
 * candidate. Another signal is one if no signal that it depends on differs by then; for a register,
 * by the time before. Registers without a reset, and signals that depend on them, may differ from
 * the start. So such signals are no candidates in the first cycle.
 */
#include "suspects.h"

#include "../host/memory.h"
#include "waves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_suspect_sources_read(struct hd_suspect_sources *s, const char *rtl, const char *original,
                            struct hd_error *err)
{
  *s = (struct hd_suspect_sources){NULL, NULL};
  int status = hd_rtl_source_read(&s->rtl, rtl, err);
  return status ? status : hd_rtl_source_read(&s->original, original, err);
}

void hd_suspect_sources_free(struct hd_suspect_sources *s)
{
  hd_rtl_source_free(s->rtl);
  hd_rtl_source_free(s->original);
}

/* ── candidates ────────────────────────────────────────────────────────────── */

/* A signal that differs between two waves. `known`: the RTL source declares it. */
struct differing {
  const struct hd_wave_difference *wave;
  struct hd_rtl_signal signal;
  bool known;
};

struct search {
  const struct hd_suspect_sources *sources;
  const struct hd_wave_diff *diff;
  struct differing *all; /* [diff->n] */
  uint64_t ticks, first;
};

static bool same_instance(const struct hd_rtl_signal *a, const struct hd_rtl_signal *b)
{
  return !strcmp(a->instance, b->instance);
}

/* True if no signal that this one depends on differs by then. A register depends on signals of
 * the cycle before. */
static bool is_root(const struct search *s, const struct differing *d)
{
  const uint64_t by = d->wave->time - d->signal.is_register;
  for (size_t i = 0; i < s->diff->n && s->all[i].wave->time <= by; i++) {
    const struct differing *other = &s->all[i];
    if (other->known && !other->signal.is_integer && same_instance(&other->signal, &d->signal) &&
        hd_rtl_reads(s->sources->rtl, &d->signal, other->signal.name))
      return false;
  }
  return true;
}

/* True if the original resets the signal. */
static bool original_resets(const struct search *s, const char *path)
{
  struct hd_rtl_signal signal;
  return hd_rtl_find(s->sources->original, path, &signal) && signal.is_reset;
}

/* True if the signal may be an origin. A constant cannot differ unless it was changed: in
 * another generated branch an instance drives it. */
static bool may_differ(const struct search *s, const struct differing *d)
{
  struct hd_rtl_signal signal = d->signal;
  return !signal.is_constant ||
         hd_rtl_changed(s->sources->rtl, s->sources->original, d->wave->a, &signal);
}

static bool is_cause(const struct search *s, const struct differing *d)
{
  if (!d->known || !d->signal.driven || d->signal.is_integer)
    return false;
  if (d->signal.is_register && original_resets(s, d->wave->a))
    return true;
  return d->wave->time >= (s->first + 1) * s->ticks && is_root(s, d) && may_differ(s, d);
}

/* ── values ────────────────────────────────────────────────────────────────── */

static bool is_number(const char *bits, uint64_t *number)
{
  *number = 0;
  if (strlen(bits) > 64)
    return false;
  for (; *bits; bits++) {
    if (*bits != '0' && *bits != '1')
      return false;
    *number = *number << 1 | (*bits == '1');
  }
  return true;
}

static void value_text(const char *bits, char *text, size_t size)
{
  uint64_t number;
  if (!is_number(bits, &number))
    snprintf(text, size,
             strspn(bits, "x") == strlen(bits) ? "x"
             : strlen(bits) > 20               ? "other"
                                               : "%.20s",
             bits);
  else
    snprintf(text, size, strlen(bits) > 12 ? "0x%" PRIx64 : "%" PRIu64, number);
}

/* True if all bits are 1 while the original has a small number: a counter was 0 and went down. */
static bool went_below(const struct hd_wave_difference *d)
{
  uint64_t rtl, original;
  const size_t bits = strlen(d->value_a);
  return bits > 1 && is_number(d->value_a, &rtl) && is_number(d->value_b, &original) &&
         rtl == (bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1) && original <= 1;
}

/* ── order ─────────────────────────────────────────────────────────────────── */

/* True if the name is that of a counter. Counters follow from arbiters and outputs, so they are
 * worse suspects. */
static bool is_counter(const struct hd_rtl_signal *s)
{
  static const char *const parts[] = {"count",  "credit", "fill",  "occupancy", "head_",
                                      "tail_q", "idle",   "burst", "rest",      "timer"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(s->name, parts[i]))
      return true;
  return false;
}

static int likelier(const void *a, const void *b)
{
  const struct hd_suspect *x = a, *y = b;
  if (x->unproved != y->unproved)
    return x->unproved ? -1 : 1;
  if (x->changed != y->changed)
    return x->changed ? -1 : 1;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  if (is_counter(&x->signal) != is_counter(&y->signal))
    return is_counter(&x->signal) ? 1 : -1;
  return strcmp(x->path, y->path);
}

void hd_suspects_sort(struct hd_suspects *cause)
{
  qsort(cause->suspects, cause->n, sizeof *cause->suspects, likelier);
}

/* True if the list has this signal already, at another port. One port is enough. */
static bool is_there(const struct hd_suspects *cause, const struct hd_rtl_signal *signal)
{
  for (uint32_t i = 0; i < cause->n; i++)
    if (!strcmp(cause->suspects[i].signal.module, signal->module) &&
        !strcmp(cause->suspects[i].signal.name, signal->name))
      return true;
  return false;
}

static void add(struct hd_suspects *cause, const struct search *s, const struct differing *d)
{
  if (cause->n == HD_SUSPECTS || is_there(cause, &d->signal))
    return;
  struct hd_suspect *suspect = &cause->suspects[cause->n++];
  *suspect = (struct hd_suspect){.signal = d->signal, .cycle = d->wave->time / s->ticks};
  snprintf(suspect->path, sizeof suspect->path, "%s", d->wave->a);
  value_text(d->wave->value_a, suspect->rtl, sizeof suspect->rtl);
  value_text(d->wave->value_b, suspect->original, sizeof suspect->original);
  suspect->changed =
      hd_rtl_changed(s->sources->rtl, s->sources->original, suspect->path, &suspect->signal);
  suspect->not_reset =
      d->signal.is_register && !d->signal.is_reset && original_resets(s, suspect->path);
  suspect->at_reset = d->signal.is_register && d->signal.is_reset && !suspect->cycle;
  if (suspect->at_reset && !suspect->changed)
    suspect->signal.line = hd_rtl_reset_line(s->sources->rtl, &d->signal);
  suspect->below = d->signal.is_register && went_below(d->wave);
}

int hd_suspects_find(struct hd_suspects *cause, const struct hd_suspect_sources *sources,
                     const struct hd_wave_diff *diff, uint64_t ticks, uint64_t first,
                     struct hd_error *err)
{
  struct search s = {.sources = sources, .diff = diff, .ticks = ticks, .first = first};
  *cause = (struct hd_suspects){.compared = diff->compared};
  s.all = hd_xcalloc(diff->n + 1, sizeof *s.all);
  for (size_t i = 0; i < diff->n; i++) {
    s.all[i].wave = &diff->differences[i];
    s.all[i].known = hd_rtl_find(sources->rtl, diff->differences[i].a, &s.all[i].signal);
  }
  for (size_t i = 0; i < diff->n; i++) {
    const uint64_t cycle = s.all[i].wave->time / ticks;
    if (cause->n && cycle > cause->suspects[0].cycle)
      break; /* all further differences are later, so they follow from earlier ones */
    if (is_cause(&s, &s.all[i]))
      add(cause, &s, &s.all[i]);
  }
  free(s.all);
  hd_suspects_sort(cause);
  return cause->n ? HD_OK
                  : hd_fail(err, HD_E_NOTHING,
                            "of %zu signals beside the original's %zu differ, and none says where "
                            "it comes from",
                            diff->compared, diff->n);
}

/* ── in words ──────────────────────────────────────────────────────────────── */

void hd_suspect_text(const struct hd_suspect *s, bool with_cycle, struct hd_text *text)
{
  hd_text_add(text, "%s of %s (%s:%u)", s->signal.name, s->signal.module, s->signal.file,
              s->signal.line);
  if (s->not_reset)
    hd_text_add(text, " keeps its value over reset: %s, in the original %s", s->rtl, s->original);
  else if (s->at_reset)
    hd_text_add(text, " is %s after reset, in the original %s", s->rtl, s->original);
  else if (s->below)
    hd_text_add(text, " goes below 0: %s, in the original %s", s->rtl, s->original);
  else
    hd_text_add(text, ": %s, in the original %s", s->rtl, s->original);
  if (with_cycle)
    hd_text_add(text, ", in cycle %" PRIu64, s->cycle);
  if (s->unproved)
    hd_text_add(text, "; it was not proved equal to the original's, either");
}

/* ── after a divergence from an original ───────────────────────────────────── */

static int note_first(void *first, const struct hd_replay_cycle *cycle)
{
  uint64_t *begin = first;
  *begin = cycle->cycle < *begin ? cycle->cycle : *begin;
  return HD_OK;
}

/* Replays both sides and writes their waves to these files. */
static int replay(struct hd_lockstep *lockstep, const struct hd_replay_waves *waves,
                  uint64_t *first, struct hd_error *err)
{
  *first = UINT64_MAX;
  unlink(waves->dut);
  unlink(waves->original);
  int status = hd_lockstep_replay(lockstep, HD_WAVES_BACK_CYCLES, 0, waves, note_first, first, err);
  if (!status && (access(waves->dut, R_OK) || access(waves->original, R_OK)))
    status = hd_fail(err, HD_E_UNSUPPORTED, "the %s shows its ports alone",
                     access(waves->dut, R_OK) ? "DUT" : "original");
  return status;
}

int hd_waves_find_suspect(struct hd_lockstep *lockstep, const char *rtl, const char *original,
                          const char *dir, struct hd_text *sentence, struct hd_error *err)
{
  enum { TICKS = 2 }; /* time units of a cycle in a DUT's waves */
  char paths[2][4200];
  const struct hd_replay_waves waves = {paths[0], paths[1]};
  struct hd_suspect_sources sources = {NULL, NULL};
  struct hd_wave_diff diff = {0};
  struct hd_suspects cause;
  uint64_t first;
  snprintf(paths[0], sizeof paths[0], "%s/dut.fst", dir);
  snprintf(paths[1], sizeof paths[1], "%s/original.fst", dir);
  int status = replay(lockstep, &waves, &first, err);
  if (!status)
    status = hd_suspect_sources_read(&sources, rtl, original, err);
  if (!status)
    status = hd_wave_diff(&diff, paths[0], paths[1], NULL, 0, err);
  if (!status)
    status = hd_suspects_find(&cause, &sources, &diff, TICKS, first, err);
  if (!status)
    hd_suspect_text(&cause.suspects[0], true, sentence);
  hd_wave_diff_fini(&diff);
  hd_suspect_sources_free(&sources);
  unlink(paths[0]);
  unlink(paths[1]);
  return status;
}
