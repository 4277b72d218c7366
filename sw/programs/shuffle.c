/* Program shuffle: M-to-N personalized communication by a schedule of slots.
 * SPDX-License-Identifier: Apache-2.0
 *
 * sw/mton gives the schedule: which source sends to which destination in which slot. It is the
 * destination shuffle of the M-to-N paper (Section V, Fig. 5; its Table 1 does not wrap around, and
 * so names nodes that do not exist), or a padded or merged form of it. A source sends its messages
 * one after the other, or each when its slot begins: at a time, or after a barrier of all sources.
 * If all paths have the same number of hops, sources that begin together stay in step as long as
 * the network blocks none of them. Whether it does depends on schedule and routing
 * (docs/endpoint.md, "M-to-N communication").
 *
 * A destination receives its messages in any order, and checks each byte.
 */
#include "common.h"
#include "programs.h"

#include "../mton/mton.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TAGS = 4096 };

/* Shared by all nodes. */
struct shuffle {
  struct hd_mton mton;
  struct hd_mton_schedule schedule; /* its memory belongs to the run */
  size_t bytes;                     /* of a message */
  uint64_t rounds, slot_cycles;
  uint64_t pairs; /* records the latency of pairs (1), and of each message (2) */
  bool by_slot, by_barrier;
  bool initialised;
};

/* ── parameters ────────────────────────────────────────────────────────────── */

static double number_of_parameter(void *ep, const char *key, double fallback)
{
  return hd_ep_number(ep, key, fallback);
}

static const char *parameter_text(void *ep, const char *key, const char *fallback)
{
  return hd_ep_text(ep, key, fallback);
}

/* Reads a parameter that must be one of two words. Returns true for the second one. The first one
 * is the default. */
static bool read_choice_of_two(struct hd_ep *ep, const char *key, const char *one, const char *two)
{
  const char *given = hd_ep_text(ep, key, one);
  if (strcmp(given, one) && strcmp(given, two))
    hd_ep_reject(ep, key, "%s; legal: %s, %s", given, one, two);
  return !strcmp(given, two);
}

static const uint16_t *read_sizes(struct hd_ep *ep, const struct hd_mton_request *request)
{
  const struct hd_mton *m = &request->mton;
  struct hd_error err;
  size_t length;
  uint16_t *units = hd_ep_alloc(ep, (size_t)m->sources * m->destinations * sizeof *units);
  char *csv = hd_program_read_file(ep, "file", "matrix of sizes", request->file, &length);
  if (hd_mton_sizes(csv, length, m->sources, m->destinations, request->bytes, units, &err))
    hd_ep_reject(ep, "file", "%s: %s", request->file, err.text);
  return units;
}

/* Makes the schedule and copies it to memory of the run, because the run may end before the program
 * does. */
static void make_schedule(struct hd_ep *ep, struct shuffle *s)
{
  struct hd_mton_schedule made;
  struct hd_error err;
  if (hd_mton_schedule(&made, &s->mton, &err))
    hd_ep_reject(ep, "schedule", "%s: %s", hd_mton_kind_name(s->mton.kind), err.text);
  s->schedule = made;
  s->schedule.transactions = hd_ep_alloc(ep, made.n_transactions * sizeof *made.transactions);
  s->schedule.entries = hd_ep_alloc(ep, made.n_entries * sizeof *made.entries);
  if (made.n_transactions) /* memcpy must not be called with NULL */
    memcpy(s->schedule.transactions, made.transactions,
           made.n_transactions * sizeof *made.transactions);
  if (made.n_entries)
    memcpy(s->schedule.entries, made.entries, made.n_entries * sizeof *made.entries);
  hd_mton_schedule_fini(&made);
}

static const struct shuffle *load_schedule(struct hd_ep *ep)
{
  const struct hd_mton_reader reader = {ep, number_of_parameter, parameter_text};
  struct shuffle *s = hd_ep_shared(ep, "shuffle", sizeof *s);
  struct hd_mton_request request;
  struct hd_error err;
  const char *key;
  if (s->initialised)
    return s;
  if (hd_mton_read(&request, &reader, (uint32_t)hd_ep_size(ep), &key, &err))
    hd_ep_reject(ep, key, "%s", err.text);
  s->mton = request.mton;
  s->bytes = request.bytes;
  s->rounds = hd_program_integer(ep, "rounds", 1, 1, UINT32_MAX);
  s->slot_cycles = hd_program_integer(ep, "slot_cycles", 0, 0, UINT32_MAX);
  s->by_slot = read_choice_of_two(ep, "start", "at-once", "by-slot");
  s->by_barrier = read_choice_of_two(ep, "synchronise", "time", "barrier");
  s->pairs = hd_program_integer(ep, "pairs", 0, 0, 2);
  if (s->by_slot && !s->by_barrier && !s->slot_cycles)
    hd_ep_reject(ep, "slot_cycles", "none; slots that begin by time need their length");
  if (request.file)
    s->mton.units = read_sizes(ep, &request);
  make_schedule(ep, s);
  s->initialised = true;
  return s;
}

static uint32_t units_of_pair(const struct shuffle *s, uint32_t source, uint32_t destination)
{
  return s->mton.units ? s->mton.units[(size_t)source * s->mton.destinations + destination] : 1;
}

/* ── a source ──────────────────────────────────────────────────────────────── */

struct source {
  const struct shuffle *s;
  uint32_t index;
  struct hd_ep_barrier *barrier; /* NULL: none */
  uint64_t *numbers;             /* [destinations] messages so far */
  unsigned char *bytes;
};

static void create_barrier(struct hd_ep *ep, struct source *me)
{
  const struct hd_mton *m = &me->s->mton;
  if (!me->s->by_barrier || m->sources == 1)
    return;
  int *ranks = hd_ep_alloc(ep, m->sources * sizeof *ranks);
  for (uint32_t i = 0; i < m->sources; i++)
    ranks[i] = (int)(m->first + i);
  me->barrier =
      hd_program_barrier_create(ep, "synchronise", ranks, (int)m->sources, HD_EP_CENTER_LOWEST);
}

static void run_transaction(struct hd_ep *ep, const struct source *me,
                            const struct hd_mton_transaction *t, uint64_t first_slot)
{
  const struct shuffle *s = me->s;
  /* With `at-once`, only the beginning of a transaction waits, for the barrier or for its time. */
  if (s->by_barrier && !s->by_slot)
    hd_program_barrier_wait(ep, me->barrier);
  else if (!s->by_slot)
    hd_ep_wait_until(ep, first_slot * s->slot_cycles);
  for (uint32_t slot = 0; slot < t->slots; slot++) {
    struct hd_mton_entry entry;
    if (s->by_slot && s->by_barrier)
      hd_program_barrier_wait(ep, me->barrier);
    else if (s->by_slot)
      hd_ep_wait_until(ep, (first_slot + slot) * s->slot_cycles);
    if (!hd_mton_at(&s->mton, &s->schedule, t, me->index, slot, &entry))
      continue;
    uint64_t message = me->numbers[entry.destination - s->mton.first_destination]++;
    hd_program_fill(me->bytes, s->bytes, hd_ep_rank(ep), (int)entry.destination, message);
    hd_ep_send(ep, (int)entry.destination, (int)(message % TAGS), me->bytes, s->bytes);
  }
}

static void send_all(struct hd_ep *ep, const struct shuffle *s, uint32_t index)
{
  struct source me = {.s = s,
                      .index = index,
                      .numbers = hd_ep_alloc(ep, s->mton.destinations * sizeof *me.numbers),
                      .bytes = hd_ep_alloc(ep, s->bytes)};
  create_barrier(ep, &me);
  for (uint64_t round = 0; round < s->rounds; round++)
    for (size_t i = 0; i < s->schedule.n_transactions; i++) {
      const struct hd_mton_transaction *t = &s->schedule.transactions[i];
      run_transaction(ep, &me, t, round * s->schedule.slots + t->first_slot);
    }
  if (me.barrier)
    hd_ep_barrier_destroy(ep, me.barrier);
}

/* ── a destination ─────────────────────────────────────────────────────────── */

struct pair {
  uint64_t messages, shortest, longest; /* number of messages; latencies in cycles */
};

static void record_latency(struct hd_ep *ep, struct pair *pair, const struct hd_ep_status *status,
                           bool each)
{
  char name[64];
  uint64_t latency = status->received - status->sent;
  pair->shortest = pair->messages && pair->shortest < latency ? pair->shortest : latency;
  pair->longest = pair->longest > latency ? pair->longest : latency;
  snprintf(name, sizeof name, "latency %d to %d", status->source, hd_ep_rank(ep));
  hd_ep_statistic(ep, name, latency);
  if (!each)
    return;
  snprintf(name, sizeof name, "message %" PRIu64 " of %d to %d", pair->messages, status->source,
           hd_ep_rank(ep));
  hd_ep_statistic(ep, name, latency);
}

static void receive_all(struct hd_ep *ep, const struct shuffle *s, uint32_t index)
{
  unsigned char *bytes = hd_ep_alloc(ep, s->bytes);
  struct pair *pairs = hd_ep_alloc(ep, s->mton.sources * sizeof *pairs);
  uint64_t expected = 0;
  for (uint32_t i = 0; i < s->mton.sources; i++)
    expected += s->rounds * units_of_pair(s, i, index);
  for (uint64_t i = 0; i < expected; i++) {
    struct hd_ep_status status;
    hd_ep_receive(ep, HD_EP_ANY, HD_EP_ANY, bytes, s->bytes, &status);
    uint32_t source = (uint32_t)status.source - s->mton.first;
    if (source >= s->mton.sources)
      hd_ep_abort(ep, "a message from node %d, which is no source", status.source);
    struct pair *pair = &pairs[source];
    if (pair->messages >= s->rounds * units_of_pair(s, source, index) ||
        status.tag != (int)(pair->messages % TAGS))
      hd_ep_abort(ep, "message %" PRIu64 " from node %d has tag %d", pair->messages, status.source,
                  status.tag);
    if (status.bytes != s->bytes)
      hd_ep_abort(ep, "%zu of %zu bytes of a message from node %d", status.bytes, s->bytes,
                  status.source);
    hd_program_verify(ep, bytes, s->bytes, status.source, hd_ep_rank(ep), pair->messages);
    if (s->pairs)
      record_latency(ep, pair, &status, s->pairs > 1);
    pair->messages++;
  }
  for (uint32_t i = 0; s->pairs && i < s->mton.sources; i++)
    if (pairs[i].messages)
      hd_ep_statistic(ep, "jitter of pairs", pairs[i].longest - pairs[i].shortest);
}

static void run(struct hd_ep *ep)
{
  const struct shuffle *s = load_schedule(ep);
  uint32_t rank = (uint32_t)hd_ep_rank(ep);
  if (rank >= s->mton.first && rank - s->mton.first < s->mton.sources)
    send_all(ep, s, rank - s->mton.first);
  if (rank >= s->mton.first_destination && rank - s->mton.first_destination < s->mton.destinations)
    receive_all(ep, s, rank - s->mton.first_destination);
}

static const char *const parameters[] = {
    HD_MTON_PARAMETERS,
    "rounds: how often the schedule is carried out (1)",
    "start: at-once, message after message; or by-slot, each when its slot begins (at-once)",
    "slot_cycles: cycles from the beginning of a slot to that of the next (0)",
    "synchronise: slots begin by time or after a barrier; if messages start at once, transactions "
    "do (time)",
    "pairs: 1 records the latency of each pair's messages, and its jitter; 2 that of each message, "
    "too (0)",
    NULL,
};

const struct hd_program hd_program_shuffle = {
    .name = "shuffle",
    .about =
        "M-to-N personalized communication by a schedule of slots; parameters sources, "
        "destinations, first, first_destination, bytes, file, schedule, k, n, routing, rounds, "
        "start, slot_cycles, synchronise, pairs",
    .main = run,
    .parameters = parameters,
};
