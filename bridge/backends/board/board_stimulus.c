/* Encodes windows as words for a board, decodes its words, computes signatures (specification
 * §9.4–9.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_stimulus.h"

#include "../../job_cursor.h"

#include <string.h>

enum record { END, STEP, FLIT, CREDIT, WRITE, READ, QUIESCENT, VALUE };

static uint16_t record(enum record kind, uint32_t arg)
{
  return (uint16_t)((uint32_t)kind << 12 | arg);
}

/* ── to the board ───────────────────────────────────────────────────────────── */

/* Finds the index of the list's first event in cycle `from` or later. */
#define FIRST_OF(list, n, from)                           \
  __extension__({                                         \
    uint32_t first_ = 0;                                  \
    while (first_ < (n) && (list)[first_].cycle < (from)) \
      first_++;                                           \
    first_;                                               \
  })

static uint32_t bits_of(uint32_t vcs)
{
  uint32_t bits = 1;
  while (1U << bits < vcs)
    bits++;
  return bits;
}

/* Writes the records of one cycle's inputs. Returns the number of words. 0: the switch has no pins
 * for an event. */
static size_t put_cycle(const struct hd_board_shape *shape, const struct hd_dut_job *job,
                        struct hd_cursor *at, uint32_t cycle, uint16_t *words)
{
  size_t n = 0;
  uint32_t ports = 0;
  bool wrote = false;
  for (const struct hd_flit_event *e; (e = hd_cursor_flit(at, job, cycle));) {
    if (e->port >= shape->ports || e->vc >> bits_of(shape->vcs) || e->kind > 7 ||
        (ports >> e->port & 1))
      return 0;
    ports |= 1U << e->port;
    words[n++] = record(FLIT, (uint32_t)e->vc << 7 | (uint32_t)e->kind << 4 | e->port);
    for (uint32_t j = 0; j < hd_board_lanes(shape); j++)
      words[n++] = (uint16_t)(e->data >> 16 * j);
  }
  ports = 0;
  for (const struct hd_credit_event *e; (e = hd_cursor_credit(at, job, cycle));) {
    if (e->port >= shape->ports || e->vcs >> shape->vcs || e->barrier > shape->barrier ||
        (e->count && (!shape->counts || e->count / HD_COUNT_SHOWN != 1)) || (ports >> e->port & 1))
      return 0;
    ports |= 1U << e->port;
    words[n++] = record(CREDIT, e->port);
    words[n++] = hd_credit_set(e);
  }
  for (const struct hd_config_event *e; (e = hd_cursor_config(at, job, cycle));) {
    if (wrote || e->addr >> 20)
      return 0;
    wrote = true;
    words[n++] = record(WRITE, e->addr >> 16);
    words[n++] = (uint16_t)e->addr;
    words[n++] = e->data;
  }
  return n;
}

int64_t hd_board_encode(const struct hd_board_shape *shape, const struct hd_dut_job *job,
                        uint32_t from, uint32_t to, uint16_t *words, size_t room, size_t *n,
                        struct hd_error *err)
{
  uint16_t group[16 * (1 + 4 + 2) + 3];
  struct hd_cursor at = {FIRST_OF(job->flits_in, job->n_flits_in, from),
                         FIRST_OF(job->credits_in, job->n_credits_in, from),
                         FIRST_OF(job->configs_in, job->n_configs_in, from)};
  uint32_t cycle = from;
  *n = 0;
  while (cycle < to) {
    uint32_t next = hd_cursor_next(&at, job, to);
    if (next < cycle)
      return hd_fail(err, HD_E_INPUT, "switch %u: input events out of order", job->sw);
    size_t more = 0;
    if (next == cycle) {
      more = put_cycle(shape, job, &at, cycle, group);
      if (!more)
        return hd_fail(err, HD_E_INPUT, "switch %u: an input event that no pins can carry",
                       job->sw);
      next = hd_cursor_next(&at, job, to);
      if (next <= cycle)
        return hd_fail(err, HD_E_INPUT, "switch %u: input events out of order", job->sw);
    }
    uint32_t steps = next - cycle > HD_BOARD_STEP ? HD_BOARD_STEP : next - cycle;
    if (*n + more + 2 > room)
      break;
    memcpy(words + *n, group, more * sizeof *words);
    *n += more;
    words[(*n)++] = record(STEP, steps % HD_BOARD_STEP);
    cycle += steps;
  }
  if (*n < room)
    words[(*n)++] = record(END, 0);
  return cycle;
}

size_t hd_board_access(uint16_t *words, bool write, uint32_t addr, uint16_t data, uint32_t after)
{
  size_t n = 0;
  words[n++] = record(write ? WRITE : READ, addr >> 16 & 15);
  words[n++] = (uint16_t)addr;
  if (write)
    words[n++] = data;
  words[n++] = record(STEP, 1 + after);
  words[n++] = record(END, 0);
  return n;
}

/* ── from the board ─────────────────────────────────────────────────────────── */

uint32_t hd_board_words_a_cycle(const struct hd_board_shape *shape)
{
  return 1 + 2 + shape->ports * (1 + hd_board_lanes(shape) + 2) + 1;
}

bool hd_board_decode(const struct hd_board_shape *shape, const uint16_t *words, size_t n,
                     uint32_t from, uint32_t to, struct hd_dut_job *job)
{
  uint32_t cycle = from, lanes = hd_board_lanes(shape);
  for (size_t i = 0; i < n;) {
    uint32_t kind = words[i] >> 12, arg = words[i] & 0xfff, port = arg & 15;
    i++;
    if (kind == STEP) {
      uint32_t steps = arg ? arg : HD_BOARD_STEP;
      if (steps > to - cycle)
        return false;
      cycle += steps;
      continue;
    }
    if (cycle == from)
      return false; /* nothing is visible before the first step */
    if (kind == FLIT && port < shape->ports && n - i >= lanes) {
      struct hd_flit_event e = {.cycle = cycle,
                                .port = (uint8_t)port,
                                .vc = (uint8_t)(arg >> 7 & 7),
                                .kind = (uint8_t)(arg >> 4 & 7)};
      for (uint32_t j = 0; j < lanes; j++)
        e.data |= (uint64_t)words[i++] << 16 * j;
      if (job->n_flits_out < job->cap_flits_out)
        job->flits_out[job->n_flits_out++] = e;
      else
        job->lost++;
    } else if (kind == CREDIT && port < shape->ports && i < n) {
      struct hd_credit_event e = hd_credit_of_set(cycle, (uint8_t)port, words[i++]);
      if (job->n_credits_out < job->cap_credits_out)
        job->credits_out[job->n_credits_out++] = e;
      else
        job->lost++;
    } else if (kind == QUIESCENT) {
      if (job->n_toggles < job->cap_toggles)
        job->toggles[job->n_toggles++] = cycle;
      else
        job->lost++;
    } else {
      return false;
    }
  }
  return true;
}

/* ── signatures ─────────────────────────────────────────────────────────────── */

static uint32_t add_to_signature(uint32_t s, uint32_t word)
{
  uint32_t h = s >> 22;
  return s << 10 ^ h << 22 ^ h << 2 ^ h << 1 ^ h ^ word;
}

bool hd_board_sign(const struct hd_board_shape *shape, const struct hd_dut_expected *x,
                   uint32_t from, uint32_t to, uint32_t *signatures)
{
  memset(signatures, 0, hd_board_signatures(shape) * sizeof *signatures);
  return hd_board_sign_continue(shape, x, from, to, signatures);
}

bool hd_board_sign_continue(const struct hd_board_shape *shape, const struct hd_dut_expected *x,
                            uint32_t from, uint32_t to, uint32_t *signatures)
{
  const uint32_t lanes = hd_board_lanes(shape), last = hd_board_signatures(shape) - 1;
  uint32_t flit = FIRST_OF(x->flits, x->n_flits, from + 1);
  uint32_t credit = FIRST_OF(x->credits, x->n_credits, from + 1);
  uint32_t toggle = 0;
  bool quiescent = x->quiescent;
  for (; toggle < x->n_toggles && x->toggles[toggle] <= from; toggle++)
    quiescent = !quiescent;
  const bool before = quiescent;
  for (uint32_t cycle = from + 1; cycle <= to; cycle++) {
    uint32_t words[HD_BOARD_SIGNATURES] = {0}, counts = 0;
    for (; flit < x->n_flits && x->flits[flit].cycle == cycle; flit++) {
      const struct hd_flit_event *e = &x->flits[flit];
      words[e->port * lanes] |= 1U << 22 | (uint32_t)e->vc << 19 | (uint32_t)e->kind << 16;
      for (uint32_t j = 0; j < lanes; j++)
        words[e->port * lanes + j] |= (uint32_t)(e->data >> 16 * j) & 0xffff;
    }
    for (; credit < x->n_credits && x->credits[credit].cycle == cycle; credit++) {
      const struct hd_credit_event *e = &x->credits[credit];
      words[e->port * lanes] |= (uint32_t)e->vcs << 23 | (uint32_t)e->barrier << 31;
      counts ^= (uint32_t)e->count << (e->port + 1);
    }
    for (; toggle < x->n_toggles && x->toggles[toggle] == cycle; toggle++)
      quiescent = !quiescent;
    words[last] = quiescent ^ counts;
    for (uint32_t i = 0; i <= last; i++)
      signatures[i] = add_to_signature(signatures[i], words[i]);
  }
  return before;
}
