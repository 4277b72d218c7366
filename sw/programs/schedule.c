/* Program schedule: carries out the transfers of a schedule's file, step by step.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first node that runs reads the file for all. In each step, a node sends what the file says.
 * Then it receives the messages of the step, and checks each byte. It forwards the bytes that it
 * received. A step begins after a barrier of all nodes in the network, or at a fixed time; or steps
 * are not separated, and a node sends as soon as it has the message.
 *
 * First, the transfer with the longest path is done alone, once empty and once with all bytes. This
 * measures α and β of the model in which a step takes α + β·bytes. Nodes share memory in which they
 * note when this is over, and when a step has begun and ended. Messages for that would be measured,
 * too.
 *
 * Several ranks can be the interfaces of one node. They share what they receive: one of them sends
 * what another one received.
 */
#include "common.h"
#include "programs.h"
#include "schedule_file.h"

#include <inttypes.h>
#include <string.h>

enum { TAGS = 4096, BYTES_MAX = 1 << 20, ROUNDS_MAX = 4096, GAP = 64 };

enum means { BY_NOTHING, BY_TIME, BY_BARRIER, MEANS };
static const char *const means[] = {"none", "time", "barrier"};

/* The first and last cycle of a step or a round. */
struct span {
  uint64_t begin, end;
  uint32_t begun, ended; /* nodes */
};

struct member;

/* Shared by all nodes. */
struct schedule {
  bool initialised;
  struct member **members; /* [nodes] */
  uint32_t interfaces;     /* number of ranks that are one node */
  struct hd_schedule_row *rows;
  size_t n;
  uint8_t *ports;
  /** [n] rows sorted by source and step; by destination and step */
  uint32_t *sends, *receives;
  uint32_t *first_send,
      *first_receive; /* [nodes + 1] index of each node's first row in these lists */
  uint32_t *slot;     /* [n] index of a row among the rows of its destination */
  /** widest: largest number of transfers that a node sends or receives in one step */
  uint32_t steps, widest;
  uint32_t longest; /* row with the longest path */
  enum means means;
  /** by_tables: routing tables choose the paths; own_channels: step s uses virtual network s,
   *  modulo their number */
  bool by_tables, own_channels;
  size_t bytes;
  uint64_t rounds, step_cycles, settle_cycles;
  /* measured during the run */
  /** empty, full: latency + 1 of a message without bytes, and with all; 0: not measured yet */
  uint64_t startup, empty, full, begin;
  struct span *of_step;  /* [rounds · steps] */
  struct span *of_round; /* [rounds] */
};

/* ── the file ──────────────────────────────────────────────────────────────── */

static enum means read_means(struct hd_ep *ep)
{
  const char *given = hd_ep_text(ep, "synchronise", means[BY_NOTHING]);
  unsigned i = 0;
  while (i < MEANS && strcmp(given, means[i]))
    i++;
  if (i == MEANS)
    hd_ep_reject(ep, "synchronise", "%s; legal: none, time, barrier", given);
  return (enum means)i;
}

static bool read_ways(struct hd_ep *ep)
{
  const char *given = hd_ep_text(ep, "ways", "file");
  if (strcmp(given, "file") && strcmp(given, "tables"))
    hd_ep_reject(ep, "ways", "%s; legal: file, tables", given);
  return !strcmp(given, "tables");
}

static bool read_channels(struct hd_ep *ep, bool by_tables)
{
  const char *given = hd_ep_text(ep, "channels", "shared");
  const bool own = !strcmp(given, "own");
  if (!own && strcmp(given, "shared"))
    hd_ep_reject(ep, "channels", "%s; legal: shared, own", given);
  if (own && !by_tables)
    hd_ep_reject(ep, "channels",
                 "own; packets take any channel on the ways of a file; legal: "
                 "shared, or own with ways: tables");
  if (own && hd_ep_networks(ep) == 1)
    hd_ep_reject(ep, "channels",
                 "own; there is one virtual network (routing.virtual_networks); legal: shared");
  return own;
}

static uint32_t read_interfaces(struct hd_ep *ep, uint64_t rounds)
{
  const uint32_t nodes = (uint32_t)hd_ep_size(ep);
  const uint32_t n = (uint32_t)hd_program_integer(ep, "interfaces", 1, 1, nodes);
  if (nodes % n)
    hd_ep_reject(ep, "interfaces", "%" PRIu32 "; they must divide the %" PRIu32 " nodes", n, nodes);
  if (n > 1 && rounds > 1)
    hd_ep_reject(ep, "interfaces", "%" PRIu32 " with %" PRIu64 " rounds; legal: one round", n,
                 rounds);
  return n;
}

/* Returns the rows sorted by node, then step. Sets (*first)[node] to the index of the node's first
 * row. */
static uint32_t *sort_rows_by_node(struct hd_ep *ep, const struct schedule *s,
                                   const uint32_t *by_step, bool sends, uint32_t **first)
{
  uint32_t nodes = (uint32_t)hd_ep_size(ep);
  uint32_t *all = hd_ep_alloc(ep, s->n * sizeof *all);
  uint32_t *next = *first = hd_ep_alloc(ep, (nodes + 2) * sizeof **first);
  for (size_t i = 0; i < s->n; i++)
    next[(sends ? s->rows[i].source : s->rows[i].destination) + 2]++;
  for (uint32_t node = 2; node <= nodes + 1; node++)
    next[node] += next[node - 1];
  for (size_t i = 0; i < s->n; i++) {
    const struct hd_schedule_row *row = &s->rows[by_step[i]];
    all[next[(sends ? row->source : row->destination) + 1]++] = by_step[i];
  }
  return all;
}

static uint32_t *order_by_step(struct hd_ep *ep, const struct schedule *s)
{
  uint32_t *order = hd_ep_alloc(ep, s->n * sizeof *order);
  uint32_t *next = hd_ep_alloc(ep, (s->steps + 1) * sizeof *next);
  for (size_t i = 0; i < s->n; i++)
    next[s->rows[i].step + 1]++;
  for (uint32_t step = 0; step < s->steps; step++)
    next[step + 1] += next[step];
  for (uint32_t i = 0; i < s->n; i++)
    order[next[s->rows[i].step]++] = i;
  return order;
}

/* Returns the largest number of rows of one node in one step. */
static uint32_t most_rows_in_step(const struct schedule *s, const uint32_t *rows,
                                  const uint32_t *first, uint32_t nodes)
{
  uint32_t most = 0;
  for (uint32_t node = 0; node < nodes; node++)
    for (uint32_t i = first[node], begin = i; i < first[node + 1]; i++) {
      if (s->rows[rows[i]].step != s->rows[rows[begin]].step)
        begin = i;
      most = i - begin + 1 > most ? i - begin + 1 : most;
    }
  return most;
}

static void index_rows(struct hd_ep *ep, struct schedule *s)
{
  uint32_t nodes = (uint32_t)hd_ep_size(ep);
  for (uint32_t i = 0; i < s->n; i++) {
    s->steps = s->rows[i].step >= s->steps ? s->rows[i].step + 1 : s->steps;
    if (s->rows[i].n_ports > s->rows[s->longest].n_ports)
      s->longest = i;
  }
  const uint32_t *by_step = order_by_step(ep, s);
  s->sends = sort_rows_by_node(ep, s, by_step, true, &s->first_send);
  s->receives = sort_rows_by_node(ep, s, by_step, false, &s->first_receive);
  s->slot = hd_ep_alloc(ep, s->n * sizeof *s->slot);
  for (uint32_t node = 0; node < nodes; node++)
    for (uint32_t i = s->first_receive[node]; i < s->first_receive[node + 1]; i++)
      s->slot[s->receives[i]] = i - s->first_receive[node];
  uint32_t sent = most_rows_in_step(s, s->sends, s->first_send, nodes);
  uint32_t taken = most_rows_in_step(s, s->receives, s->first_receive, nodes);
  s->widest = sent > taken ? sent : taken;
}

static struct schedule *load_schedule(struct hd_ep *ep)
{
  struct schedule *s = hd_ep_shared(ep, "schedule", sizeof *s);
  struct hd_csv_error error;
  size_t length;
  if (s->initialised)
    return s;
  const char *path = hd_ep_text(ep, "file", NULL);
  if (!path)
    hd_ep_reject(ep, "file", "none; program schedule needs a schedule");
  s->means = read_means(ep);
  s->by_tables = read_ways(ep);
  s->own_channels = read_channels(ep, s->by_tables);
  s->bytes = hd_program_integer(ep, "bytes", 256, 0, BYTES_MAX);
  s->rounds = hd_program_integer(ep, "rounds", 1, 1, ROUNDS_MAX);
  s->interfaces = read_interfaces(ep, s->rounds);
  s->members = hd_ep_alloc(ep, (size_t)hd_ep_size(ep) * sizeof *s->members);
  s->step_cycles = hd_program_integer(ep, "step_cycles", 0, 0, UINT32_MAX);
  s->settle_cycles = hd_program_integer(ep, "settle_cycles", 0, 0, UINT32_MAX);
  if (s->settle_cycles && s->means != BY_BARRIER)
    hd_ep_reject(ep, "settle_cycles", "not with synchronise %s; legal with barrier",
                 means[s->means]);
  if (s->step_cycles && s->means != BY_TIME && !s->settle_cycles)
    hd_ep_reject(ep, "step_cycles",
                 "not with synchronise %s; legal with time, and with barrier and settle_cycles",
                 means[s->means]);
  char *text = hd_program_read_file(ep, "file", "schedule", path, &length);
  s->rows = hd_ep_alloc(ep, hd_csv_lines_max(text, length) * sizeof *s->rows);
  s->ports = hd_ep_alloc(ep, length + 1);
  if (hd_schedule_rows(text, length, (uint32_t)hd_ep_size(ep), s->interfaces, s->rows, &s->n,
                       s->ports, &error))
    hd_ep_reject(ep, "file", "%s:%" PRIu32 ": %s", path, error.line, error.text);
  index_rows(ep, s);
  s->of_step = hd_ep_alloc(ep, s->rounds * s->steps * sizeof *s->of_step);
  s->of_round = hd_ep_alloc(ep, s->rounds * sizeof *s->of_round);
  s->initialised = true;
  return s;
}

/* ── transfers ─────────────────────────────────────────────────────────────── */

struct member {
  struct schedule *s;
  uint32_t rank;
  uint32_t n_received; /* transfers to this node that it has received in this round */
  struct hd_ep_barrier *barrier;
  /** cycle of the release from the barrier of the step before; 0: there was none */
  uint64_t released;
  unsigned char *received_data; /* [transfers to this node · bytes] */
  unsigned char *sent_data;     /* [bytes] */
};

static void send(struct hd_ep *ep, const struct schedule *s, const struct hd_schedule_row *row,
                 const unsigned char *bytes, size_t n)
{
  const struct hd_ep_way way = {s->ports + row->first_port, row->n_ports};
  int to = (int)row->destination, tag = (int)(row->message % TAGS);
  if (s->own_channels)
    hd_ep_use_network(ep, row->step % hd_ep_networks(ep));
  if (s->by_tables)
    hd_ep_send(ep, to, tag, bytes, n);
  else
    hd_ep_send_by(ep, to, &way, tag, bytes, n);
}

/* Receives the transfers to this node in the order of steps, up to `slot`, included. */
static void receive_until(struct hd_ep *ep, struct member *m, uint32_t slot, uint64_t round)
{
  const struct schedule *s = m->s;
  for (; m->n_received <= slot; m->n_received++) {
    const struct hd_schedule_row *row =
        &s->rows[s->receives[s->first_receive[m->rank] + m->n_received]];
    unsigned char *to = m->received_data + m->n_received * s->bytes;
    struct hd_ep_status status;
    hd_ep_receive(ep, (int)row->source, (int)(row->message % TAGS), to, s->bytes, &status);
    if (status.bytes != s->bytes)
      hd_ep_abort(ep, "%zu of %zu bytes of message %" PRIu32 " from node %" PRIu32, status.bytes,
                  s->bytes, row->message, row->source);
    hd_program_verify(ep, to, s->bytes, (int)row->origin, (int)row->message, round);
  }
}

/* Returns the message that a row brought to this node, at this interface or another one. Waits
 * until it has arrived. */
static const unsigned char *received_bytes(struct hd_ep *ep, struct member *m, uint32_t number,
                                           uint64_t round)
{
  const struct schedule *s = m->s;
  const struct member *by = s->members[s->rows[number].destination];
  const uint32_t slot = s->slot[number];
  if (by == m)
    receive_until(ep, m, slot, round);
  while (by->n_received <= slot)
    hd_ep_delay(ep, 1);
  return by->received_data + slot * s->bytes;
}

static void send_row(struct hd_ep *ep, struct member *m, uint32_t number, uint64_t round)
{
  const struct schedule *s = m->s;
  const struct hd_schedule_row *row = &s->rows[number];
  const unsigned char *bytes = m->sent_data;
  if (row->before == UINT32_MAX) {
    hd_program_fill(m->sent_data, s->bytes, (int)row->origin, (int)row->message, round);
  } else {
    bytes = received_bytes(ep, m, row->before, round);
  }
  send(ep, s, row, bytes, s->bytes);
}

/* ── α and β ───────────────────────────────────────────────────────────────── */

static uint64_t receive_latency(struct hd_ep *ep, const struct schedule *s, unsigned char *bytes,
                                size_t n)
{
  const struct hd_schedule_row *row = &s->rows[s->longest];
  struct hd_ep_status status;
  hd_ep_receive(ep, (int)row->source, (int)(row->message % TAGS), bytes, n, &status);
  return status.received - status.sent + 1; /* + 1: the cycle in which software sees it */
}

static void measure_costs(struct hd_ep *ep, struct member *m)
{
  struct schedule *s = m->s;
  const struct hd_schedule_row *row = &s->rows[s->longest];
  if (m->rank == row->source) {
    uint64_t begin = hd_ep_time(ep);
    send(ep, s, row, m->sent_data, 0);
    s->startup = hd_ep_time(ep) - begin;
    while (!s->empty)
      hd_ep_delay(ep, GAP);
    send(ep, s, row, m->sent_data, s->bytes);
  } else if (m->rank == row->destination) {
    s->empty = receive_latency(ep, s, m->sent_data, 0);
    s->full = receive_latency(ep, s, m->sent_data, s->bytes);
    s->begin = hd_ep_time(ep) + 2 * GAP;
    hd_ep_statistic(ep, "alpha", s->startup + s->empty);
    hd_ep_statistic(ep, "alpha + beta bytes", s->startup + s->full);
    /* long enough for all transfers and calls of a step, one after the other */
    if (!s->step_cycles)
      s->step_cycles = s->widest * (2 * s->startup + s->full);
  }
  while (!s->begin)
    hd_ep_delay(ep, GAP);
}

/* ── steps ─────────────────────────────────────────────────────────────────── */

static void begin_span(struct hd_ep *ep, struct span *span)
{
  if (!span->begun++)
    span->begin = hd_ep_time(ep);
}

/* Notes the end. Returns true for the last node. */
static bool end_span(struct hd_ep *ep, struct span *span)
{
  span->end = hd_ep_time(ep);
  return ++span->ended == (uint32_t)hd_ep_size(ep);
}

/* Waits for the barrier before a step. Barrier messages could meet messages of a step in two ways.
 * Nodes that are released first could send before others are released. And nodes that have nothing
 * to do in a step could arrive at the next barrier early. The first does not happen if all nodes
 * are released within settle_cycles, because a node sends only settle_cycles after its release. Nor
 * does the second: a node arrives at the next barrier only 2·settle_cycles + step_cycles after its
 * release, and by then the last node has finished the step. */
static void wait_for_step(struct hd_ep *ep, struct member *m)
{
  const struct schedule *s = m->s;
  if (s->settle_cycles && m->released)
    hd_ep_wait_until(ep, m->released + 2 * s->settle_cycles + s->step_cycles);
  hd_program_barrier_wait(ep, m->barrier);
  m->released = hd_ep_time(ep);
  hd_ep_delay(ep, s->settle_cycles);
}

static void run_step(struct hd_ep *ep, struct member *m, uint32_t *next, uint64_t round,
                     uint32_t step)
{
  const struct schedule *s = m->s;
  const uint32_t last_send = s->first_send[m->rank + 1];
  const uint32_t first = s->first_receive[m->rank], takes = s->first_receive[m->rank + 1] - first;
  struct span *span = &s->of_step[round * s->steps + step];
  if (s->means == BY_BARRIER)
    wait_for_step(ep, m);
  if (s->means == BY_TIME) {
    uint64_t at = s->begin + (round * s->steps + step) * s->step_cycles;
    if (hd_ep_time(ep) > at)
      hd_ep_statistic(ep, "late for a step", hd_ep_time(ep) - at);
    hd_ep_wait_until(ep, at);
  }
  begin_span(ep, span);
  /* The interfaces of a node could wait for each other in a circle. So messages of earlier steps
   * are received first. */
  while (s->interfaces > 1 && m->n_received < takes &&
         s->rows[s->receives[first + m->n_received]].step < step)
    receive_until(ep, m, m->n_received, round);
  for (; *next < last_send && s->rows[s->sends[*next]].step == step; ++*next)
    send_row(ep, m, s->sends[*next], round);
  if (s->means == BY_NOTHING)
    return;
  while (m->n_received < takes && s->rows[s->receives[first + m->n_received]].step == step)
    receive_until(ep, m, m->n_received, round);
  if (end_span(ep, span))
    hd_ep_statistic(ep, "step", span->end - span->begin);
}

static void run_round(struct hd_ep *ep, struct member *m, uint64_t round)
{
  struct schedule *s = m->s;
  uint32_t next = s->first_send[m->rank];
  uint32_t takes = s->first_receive[m->rank + 1] - s->first_receive[m->rank];
  m->n_received = 0;
  begin_span(ep, &s->of_round[round]);
  for (uint32_t step = 0; step < s->steps; step++)
    run_step(ep, m, &next, round, step);
  if (takes)
    receive_until(ep, m, takes - 1, round);
  if (!end_span(ep, &s->of_round[round]))
    return;
  hd_ep_statistic(ep, "schedule", s->of_round[round].end - s->of_round[round].begin);
  hd_ep_statistic(ep, "alpha-beta model", s->steps * (s->startup + s->full));
}

static struct hd_ep_barrier *create_barrier(struct hd_ep *ep)
{
  int nodes = hd_ep_size(ep), *ranks = hd_ep_alloc(ep, (size_t)nodes * sizeof *ranks);
  for (int i = 0; i < nodes; i++)
    ranks[i] = i;
  return hd_program_barrier_create(ep, "synchronise", ranks, nodes, HD_EP_CENTER_LOWEST);
}

static void run(struct hd_ep *ep)
{
  struct schedule *s = load_schedule(ep);
  /** not on the stack: other interfaces may read it after this node has ended */
  struct member *m = hd_ep_alloc(ep, sizeof *m);
  m->s = s;
  m->rank = (uint32_t)hd_ep_rank(ep);
  uint32_t takes = s->first_receive[m->rank + 1] - s->first_receive[m->rank];
  m->sent_data = hd_ep_alloc(ep, s->bytes);
  m->received_data = hd_ep_alloc(ep, takes * s->bytes);
  s->members[m->rank] = m;
  if (s->means == BY_BARRIER)
    m->barrier = create_barrier(ep);
  measure_costs(ep, m);
  hd_ep_wait_until(ep, s->begin);
  for (uint64_t round = 0; round < s->rounds; round++)
    run_round(ep, m, round);
  if (m->barrier)
    hd_ep_barrier_destroy(ep, m->barrier);
}

static const char *const parameters[] = {
    "file: the schedule, CSV of step,message,source,destination,links (none, must be given)",
    "bytes: length of a message (256)",
    "ways: file, the paths of the file; or tables, those of the routing tables (file)",
    "channels: shared; or own, with ways: tables: steps use the virtual networks in turn (shared)",
    "synchronise: none; time, steps begin at fixed times; or barrier, each begins after a barrier "
    "(none)",
    "step_cycles: with time, cycles from the beginning of a step to that of the next; with "
    "settle_cycles, the longest step (long enough for the longest path)",
    "settle_cycles: with barrier, cycles within which all nodes are released; messages of barriers "
    "and steps then do not meet (0: they may)",
    "interfaces: number of consecutive ranks that are the interfaces of one node, and share what "
    "they receive (1)",
    "rounds: how often the schedule is carried out (1)",
    NULL,
};

const struct hd_program hd_program_schedule = {
    .name = "schedule",
    .about =
        "the transfers of a schedule, step by step, on the paths of its file; parameters file, "
        "bytes, ways, channels, synchronise, step_cycles, settle_cycles, interfaces, rounds",
    .main = run,
    .parameters = parameters,
};
