/* The world of endpoint software: its creation, the step of a cycle, and packets that come back.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/endpoint.md describes its use. endpoint.c has the functions that programs call.
 */
#include "runtime.h"

#include "envelope.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { NODES_MAX = 65536, FLITS_MAX = 65535 };

/* ── creation ─────────────────────────────────────────────────────────────── */

static bool entry_has_key(const char *entry, const char *key)
{
  size_t n = strlen(key);
  return !strncmp(entry, key, n) && entry[n] == ':';
}

static int check_parameters(const struct hd_world_params *p, struct hd_error *err)
{
  for (uint32_t i = 0; i < p->n_parameters; i++) {
    const char *const *known = p->program->parameters;
    while (known && *known && !entry_has_key(*known, p->parameters[i].key))
      known++;
    if (known && *known)
      continue;
    char list[512] = "none";
    size_t n = 0;
    for (known = p->program->parameters; known && *known && n < sizeof list; known++)
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%.*s", n ? ", " : "",
                            (int)strcspn(*known, ":"), *known);
    return hd_fail(err, HD_E_INPUT, "program %s has no parameter '%s'; its parameters: %s",
                   p->program->name, p->parameters[i].key, list);
  }
  return 0;
}

/* 0 is allowed here, because synthetic packets need no envelope. A message is refused when it is
 * sent. */
uint32_t hd_world_packet_payload_bytes(const struct hd_world_params *p)
{
  uint32_t envelope_words = 64 / p->data_bits, word_bytes = p->data_bits / 8;
  uint32_t flits = p->packet_flits ? p->packet_flits : FLITS_MAX;
  return flits > envelope_words + 1 ? (flits - 1 - envelope_words) * word_bytes : 0;
}

static int check_params(const struct hd_world_params *p, uint32_t *packet_bytes,
                        struct hd_error *err)
{
  if (p->nodes < 1 || p->nodes > NODES_MAX)
    return hd_fail(err, HD_E_INPUT, "%" PRIu32 " nodes of software; 1 to %d are possible", p->nodes,
                   NODES_MAX);
  if (p->data_bits != 16 && p->data_bits != 32 && p->data_bits != 64)
    return hd_fail(err, HD_E_INPUT, "data_bits is %" PRIu32 "; software needs 16, 32 or 64",
                   p->data_bits);
  if (p->packet_bytes < 1)
    return hd_fail(err, HD_E_INPUT, "packet_bytes is 0; a packet carries at least 1 byte");
  if (!p->program || !p->program->main || !p->send)
    return hd_fail(err, HD_E_INTERNAL, "a world needs a program and a network");
  if (p->packet_flits > FLITS_MAX)
    return hd_fail(err, HD_E_INPUT, "packets of at most %" PRIu32 " flits; at most %d are possible",
                   p->packet_flits, FLITS_MAX);
  uint32_t room = hd_world_packet_payload_bytes(p);
  if (!p->packet_flits && p->packet_bytes > room)
    return hd_fail(err, HD_E_INPUT,
                   "%" PRIu32 " bytes of a message in a packet; at most %" PRIu32
                   " fit into %d flits of %" PRIu32 " bits",
                   p->packet_bytes, room, FLITS_MAX, p->data_bits);
  *packet_bytes = p->packet_bytes < room ? p->packet_bytes : room;
  return check_parameters(p, err);
}

static void run_program(void *argument)
{
  struct hd_ep *ep = argument;
  ep->world->params.program->main(ep);
  ep->state = HD_EP_FINISHED;
  ep->since = ep->world->now;
  ep->world->n_finished++;
}

/* Returns a byte that the kernel sets to 0 in a copy of the process. Software that calls fork()
 * must not run the simulation twice. */
static const unsigned char *create_fork_mark(void)
{
  unsigned char *mark = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mark == MAP_FAILED)
    return NULL;
  *mark = 1;
  if (!madvise(mark, 1, MADV_WIPEONFORK))
    return mark;
  munmap(mark, 1);
  return NULL;
}

/* Notes the addresses of the stacks, for the explanation of a fault. */
static void note_stacks(const struct hd_world *w)
{
  struct hd_user_code *code = w->params.user_code;
  if (!code)
    return;
  code->stacks = (uintptr_t)w->stacks.base;
  code->stack_stride = w->stacks.bytes / w->stacks.count;
  code->stack_guard = code->stack_stride - w->eps[0].fiber.stack_bytes;
  code->n_stacks = w->stacks.count;
}

int hd_world_create(struct hd_world **world, const struct hd_world_params *params,
                    struct hd_error *err)
{
  *world = NULL;
  uint32_t packet_bytes = 0;
  int status = check_params(params, &packet_bytes, err);
  if (status)
    return status;
  struct hd_world *w = calloc(1, sizeof *w);
  if (!w)
    return hd_fail(err, HD_E_NOMEM, "no memory for the software's world");
  w->params = *params;
  w->packet_bytes = packet_bytes;
  w->eps = calloc(params->nodes, sizeof *w->eps);
  w->words = calloc(hd_packet_words(params->data_bits, packet_bytes), sizeof *w->words);
  if (!w->eps || !w->words || hd_calendar_init(&w->calendar, params->nodes)) {
    hd_world_destroy(w);
    return hd_fail(err, HD_E_NOMEM, "no memory for the software of %" PRIu32 " nodes",
                   params->nodes);
  }
  if (hd_fiber_pool_init(&w->stacks, params->nodes)) {
    status = hd_fail(err, HD_E_NOMEM, "no stacks for the software of %" PRIu32 " nodes: %s",
                     params->nodes, strerror(errno));
    hd_world_destroy(w);
    return status;
  }
  for (uint32_t i = 0; i < params->nodes; i++) {
    struct hd_ep *ep = &w->eps[i];
    ep->world = w;
    ep->rank = i;
    hd_random_seed(&ep->random, params->seed, i);
    hd_mailbox_init(&ep->mailbox);
    hd_fiber_init(&ep->fiber, &w->stacks, i, run_program, ep);
    hd_calendar_add(&w->calendar, 0, i);
  }
  w->is_original = create_fork_mark();
  if (!w->is_original) {
    hd_world_destroy(w);
    return hd_fail(err, HD_E_NOMEM, "no memory for the software's world");
  }
  note_stacks(w);
  *world = w;
  return 0;
}

void hd_world_destroy(struct hd_world *world)
{
  if (!world)
    return;
  for (uint32_t i = 0; world->eps && i < world->params.nodes; i++) {
    hd_mailbox_fini(&world->eps[i].mailbox);
    hd_ep_packets_free(&world->eps[i]);
  }
  for (struct hd_block *block = world->blocks, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  hd_world_barriers_free(world);
  hd_world_multicast_free(world);
  hd_world_statistics_free(world);
  if (world->is_original)
    munmap((void *)(uintptr_t)world->is_original, 1);
  hd_fiber_pool_fini(&world->stacks);
  hd_calendar_fini(&world->calendar);
  free(world->words);
  free(world->eps);
  free(world);
}

/* ── the step ─────────────────────────────────────────────────────────────── */

static void run_outside(struct hd_world *world, struct hd_ep *ep)
{
  void (*run)(void *) = world->outside.run;
  world->outside.run = NULL;
  run(world->outside.argument);
  hd_fiber_resume(&ep->fiber);
}

static void resume_node(struct hd_world *world, struct hd_ep *ep)
{
  struct hd_user_code *code = world->params.user_code;
  world->running = ep;
  if (code)
    atomic_store_explicit(&code->software.place, ep->rank, memory_order_relaxed);
  hd_fiber_resume(&ep->fiber);
  while (world->outside.run)
    run_outside(world, ep);
  if (!*world->is_original)
    _exit(EXIT_FAILURE);
  if (__builtin_expect(world->stacks.unguarded, 0) && !hd_fiber_is_intact(&ep->fiber))
    world->status =
        hd_fail(&world->error, HD_E_INPUT,
                "the software of node %" PRIu32 " needs more than its stack of %zu bytes", ep->rank,
                ep->fiber.stack_bytes);
}

static void run_due_nodes(struct hd_world *world)
{
  struct hd_calendar *calendar = &world->calendar;
  for (uint32_t word = 0; word < calendar->words && !world->status; word++) {
    uint64_t bits = hd_calendar_pop_word(calendar, word);
    for (; bits && !world->status; bits &= bits - 1)
      resume_node(world, &world->eps[word * 64 + (uint32_t)__builtin_ctzll(bits)]);
  }
}

/* Runs the software of one cycle. If the supervisor has given it up meanwhile, waits, because the
 * supervisor reads the run. */
static void run_cycle(struct hd_world *world)
{
  struct hd_user_code *code = world->params.user_code;
  world->thread = pthread_self();
  if (code)
    hd_user_call_enter(&code->software, "main", 0, world->now, 0);
  run_due_nodes(world);
  world->running = NULL;
  if (!code)
    return;
  hd_user_call_leave(&code->software);
  while (code->software_is_given_up)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

int hd_world_step(struct hd_world *world, uint64_t cycle, struct hd_error *err)
{
  if (!world->status && world->stepped && cycle < world->now)
    return hd_fail(err, HD_E_INTERNAL,
                   "software was at cycle %" PRIu64 " and is asked for %" PRIu64, world->now,
                   cycle);
  if (!world->status) {
    world->now = cycle;
    world->stepped = true;
  }
  if (cycle == world->calendar.base + 1 && !hd_calendar_is_due(&world->calendar))
    hd_calendar_advance(&world->calendar, cycle); /* as a rule */
  /* Runs the software that was due in cycles for which the caller made no step. */
  for (uint64_t due; !world->status && world->calendar.base < cycle;) {
    due = hd_calendar_next(&world->calendar);
    hd_calendar_advance(&world->calendar, due < cycle ? due : cycle);
    if (due < cycle)
      run_cycle(world);
  }
  if (!world->status && hd_calendar_is_due(&world->calendar))
    run_cycle(world);
  if (world->status) {
    if (err)
      *err = world->error;
    return world->status;
  }
  return 0;
}

uint64_t hd_world_next_cycle(const struct hd_world *world)
{
  uint64_t next = hd_calendar_next(&world->calendar);
  return world->stepped && next <= world->now ? world->now + 1 : next;
}

bool hd_world_finished(const struct hd_world *world)
{
  return world->n_finished == world->params.nodes;
}

void hd_world_counters(const struct hd_world *world, struct hd_world_counters *counters)
{
  *counters = world->counters;
}

void hd_world_open_operations(const struct hd_world *world, uint64_t *messages, uint64_t *receives)
{
  *messages = *receives = 0;
  for (uint32_t i = 0; i < world->params.nodes; i++)
    if (world->eps[i].state == HD_EP_FINISHED)
      hd_mailbox_count_open(&world->eps[i].mailbox, messages, receives);
}

/* ── packets that come back ───────────────────────────────────────────────── */

void hd_world_match_arrivals(struct hd_world *world, struct hd_ep *destination,
                             struct hd_channel *channel, uint64_t visible)
{
  struct hd_ep *sender = &world->eps[channel->source];
  for (struct hd_message *m; (m = hd_channel_pop(channel));) {
    m->visible = visible;
    if (sender != destination) {
      sender->under_way--;
      sender->bytes_under_way -= m->bytes;
    }
    uint32_t request = hd_mailbox_arrive(&destination->mailbox, m);
    if (request && destination->state == HD_EP_RECEIVES &&
        (destination->wait_any || destination->wait_request == request)) {
      destination->state = HD_EP_SLEEPS;
      destination->since = world->now;
      destination->until = visible;
      hd_calendar_add(&world->calendar, visible, destination->rank);
    }
  }
  if (sender->state == HD_EP_WINDOW) {
    sender->state = HD_EP_SLEEPS;
    sender->since = world->now;
    sender->until = visible;
    hd_calendar_add(&world->calendar, visible, sender->rank);
  }
}

int hd_world_deliver(struct hd_world *world, uint32_t node, const uint64_t *payload,
                     uint32_t n_words, uint64_t cycle, struct hd_error *err)
{
  const struct hd_world_params *p = &world->params;
  if (node >= p->nodes)
    return hd_fail(err, HD_E_INPUT, "a packet for node %" PRIu32 "; there are %" PRIu32 " nodes",
                   node, p->nodes);
  struct hd_envelope e;
  uint32_t n = 0;
  switch (hd_packet_read(payload, n_words, p->data_bits, &e, &n)) {
  case HD_PACKET_SHORT:
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": a packet with %" PRIu32
                   " payload flits is too short for its envelope and padding",
                   node, cycle, n_words);
  case HD_PACKET_WIDE:
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": a packet has data above bit %" PRIu32,
                   node, cycle, p->data_bits - 1);
  case HD_PACKET_PADDING:
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": a packet said to be of node %" PRIu32
                   " has padding that is not 0",
                   node, cycle, e.source);
  case HD_PACKET_FINE:
    break;
  }
  struct hd_channel *channel = NULL;
  struct hd_message *m = NULL;
  if (e.source < p->nodes && (channel = hd_mailbox_find(&world->eps[node].mailbox, e.source)))
    m = hd_channel_find(channel, e.sequence);
  if (!m)
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": no message number %" PRIu32
                   " of node %" PRIu32 " is under way",
                   node, cycle, e.sequence, e.source);
  uint64_t first = (uint64_t)e.packet * world->packet_bytes;
  bool last = e.packet + 1 == m->n_packets;
  if (e.packet >= m->n_packets || (int)e.tag != m->tag || e.last != last ||
      n != (last ? m->bytes - first : world->packet_bytes))
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": packet %" PRIu32
                   "%s with %s and tag %" PRIu32 " does not belong to message %" PRIu32
                   " of node %" PRIu32 ", which has %s in %s and tag %d",
                   node, cycle, e.packet, e.last ? " (last)" : "", hd_count(n, "byte").text, e.tag,
                   e.sequence, e.source, hd_count(m->bytes, "byte").text,
                   hd_count(m->n_packets, "packet").text, m->tag);
  uint64_t *seen = &m->seen[e.packet / 64], bit = UINT64_C(1) << (e.packet % 64);
  if (*seen & bit)
    return hd_fail(err, HD_E_INPUT,
                   "node %" PRIu32 ", cycle %" PRIu64 ": packet %" PRIu32 " of message %" PRIu32
                   " of node %" PRIu32 " came twice",
                   node, cycle, e.packet, e.sequence, e.source);
  *seen |= bit;
  hd_packet_bytes(payload, p->data_bits, m->data + first, n);
  if (--m->n_missing)
    return 0;
  m->received = cycle;
  world->counters.messages_received++;
  hd_world_match_arrivals(world, &world->eps[node], channel, cycle + 1);
  return 0;
}

/* ── explanations ────────────────────────────────────────────────────────── */

/* Writes which packets the node's interface still has to send. */
static size_t explain_sending(const struct hd_ep *ep, char *buf, size_t size)
{
  const struct hd_world_params *p = &ep->world->params;
  struct hd_world_sending s;
  char behind[48] = "";
  if (!p->sending || !p->sending(p->context, ep->rank, &s))
    return 0;
  if (s.packets > 1)
    snprintf(behind, sizeof behind, "; %" PRIu32 " packet%s behind it", s.packets - 1,
             s.packets == 2 ? "" : "s");
  return (size_t)snprintf(buf, size, "node %" PRIu32 ": injecting packet to node %" PRIu32 "%s%s\n",
                          ep->rank, s.destination, s.starved ? ", waiting for credits" : "",
                          behind);
}

static size_t explain_state(const struct hd_ep *ep, char *buf, size_t size)
{
  switch ((enum hd_ep_state)ep->state) {
  case HD_EP_SLEEPS:
  case HD_EP_STARTUP:
    return (size_t)snprintf(
        buf, size, "node %" PRIu32 ": in %s until cycle %" PRIu64 "\n", ep->rank,
        ep->state == HD_EP_SLEEPS ? "computation" : "start-up of a call", ep->until);
  case HD_EP_WINDOW:
    return (size_t)snprintf(buf, size,
                            "node %" PRIu32 ": in send to %" PRIu32 " since cycle %" PRIu64
                            ", %" PRIu32 " of its messages are under way\n",
                            ep->rank, ep->wait_node, ep->since, ep->under_way);
  case HD_EP_RECEIVES: {
    const struct hd_request *r = &ep->mailbox.requests[ep->wait_request];
    char source[16] = "any node", tag[16] = "any";
    if (r->source != HD_EP_ANY)
      snprintf(source, sizeof source, "%d", r->source);
    if (r->tag != HD_EP_ANY)
      snprintf(tag, sizeof tag, "%d", r->tag);
    return (size_t)snprintf(buf, size,
                            "node %" PRIu32 ": in receive from %s tag %s since cycle %" PRIu64 "\n",
                            ep->rank, source, tag, ep->since);
  }
  case HD_EP_AT_BARRIER:
    return (size_t)snprintf(buf, size,
                            "node %" PRIu32 ": at barrier of group %u since cycle %" PRIu64 "\n",
                            ep->rank, ep->wait_barrier->group->number, ep->wait_barrier->since);
  case HD_EP_AWAITS_PACKET:
    return (size_t)snprintf(buf, size,
                            "node %" PRIu32 ": in receive of a packet since cycle %" PRIu64 "\n",
                            ep->rank, ep->since);
  case HD_EP_FINISHED:
    break;
  }
  return 0;
}

static size_t explain_node(const struct hd_ep *ep, char *buf, size_t size)
{
  size_t length = explain_sending(ep, buf, size);
  /* Open-loop software sleeps from packet to packet. Then the packets that wait are the
   * explanation. */
  if (length && ep->state == HD_EP_SLEEPS)
    return length;
  bool room = length < size;
  return length + explain_state(ep, room ? buf + length : NULL, room ? size - length : 0);
}

size_t hd_world_explain_wait(const struct hd_world *world, char *buf, size_t size)
{
  size_t length = 0;
  if (size)
    *buf = '\0';
  for (uint32_t i = 0; i < world->params.nodes; i++) {
    bool room = length < size;
    length += explain_node(&world->eps[i], room ? buf + length : NULL, room ? size - length : 0);
  }
  return length;
}

/* The cycle since which the node waits in a call; UINT64_MAX: it does not. */
static uint64_t waits_since(const struct hd_ep *ep)
{
  switch ((enum hd_ep_state)ep->state) {
  case HD_EP_WINDOW:
  case HD_EP_RECEIVES:
  case HD_EP_AWAITS_PACKET:
    return ep->since;
  case HD_EP_AT_BARRIER:
    return ep->wait_barrier->since;
  case HD_EP_SLEEPS:
  case HD_EP_STARTUP:
  case HD_EP_FINISHED:
    break;
  }
  return UINT64_MAX;
}

void hd_world_longest_wait(const struct hd_world *world, char *buf, size_t size)
{
  uint64_t since = UINT64_MAX;
  if (size)
    *buf = '\0';
  for (uint32_t i = 0; i < world->params.nodes; i++)
    if (waits_since(&world->eps[i]) < since) {
      since = waits_since(&world->eps[i]);
      explain_state(&world->eps[i], buf, size);
    }
  buf[strcspn(buf, "\n")] = '\0';
}
