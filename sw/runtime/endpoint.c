/* The endpoint API: errors, messages, requests, parameters and memory (endpoint.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../endpoint.h"

#include "envelope.h"
#include "runtime.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PACKET_FLITS_MAX = 65535, HANDLE_SHIFT = 16 };

/* ── errors ──────────────────────────────────────────────────────────────── */

/* Ends the run. The software is never resumed, so its stack is not unwound. */
static void end_run(struct hd_ep *ep, int status, const char *format, va_list args)
    __attribute__((noreturn, format(printf, 3, 0)));
static void end_run(struct hd_ep *ep, int status, const char *format, va_list args)
{
  struct hd_world *world = ep->world;
  int n = 0;
  world->status = status;
  if (!world->checking)
    n = snprintf(world->error.text, sizeof world->error.text,
                 "node %" PRIu32 " at cycle %" PRIu64 ": ", ep->rank, world->now);
  vsnprintf(world->error.text + n, sizeof world->error.text - (size_t)n, format, args);
  for (;;)
    hd_ep_yield(ep);
}

/* Aborts the process: another thread cannot stop the node's software in order, and must not go
 * on. */
static void refuse_thread(const struct hd_world *world)
{
  struct hd_user_code *code = world->params.user_code;
  if (code)
    snprintf(
        code->misuse, sizeof code->misuse,
        "a thread or handler that is not the node's main function called an endpoint function");
  abort();
}

void hd_ep_refuse_caller(struct hd_ep *ep)
{
  struct hd_world *world = ep->world;
  struct hd_ep *caller = world->running ? &world->eps[world->running->rank] : NULL;
  if (!caller || !pthread_equal(world->thread, pthread_self()))
    refuse_thread(world);
  else
    hd_ep_abort(caller,
                "it called an endpoint function for node %" PRIu32 ", whose software does not run",
                ep->rank);
}

void hd_ep_fail(struct hd_ep *ep, int status, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  end_run(ep, status, format, args);
}

void hd_ep_abort(struct hd_ep *ep, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  end_run(ep, HD_E_SOFTWARE, format, args);
}

void hd_ep_reject(struct hd_ep *ep, const char *key, const char *format, ...)
{
  struct hd_world *world = ep->world;
  char text[sizeof world->error.text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (key)
    snprintf(world->culprit, sizeof world->culprit, "parameters.%s", key);
  if (world->checking || !key)
    hd_ep_fail(ep, HD_E_INPUT, "%s", text);
  hd_ep_fail(ep, HD_E_INPUT, "parameter %s: %s", key, text);
}

void hd_ep_stop_check(struct hd_ep *ep)
{
  hd_ep_check_caller(ep);
  while (ep->world->checking)
    hd_ep_yield(ep);
}

/* ── ranks and time ──────────────────────────────────────────────────────── */

int hd_ep_rank(const struct hd_ep *ep)
{
  return (int)ep->rank;
}

int hd_ep_size(const struct hd_ep *ep)
{
  return (int)ep->world->params.nodes;
}

uint32_t hd_ep_packet_flits(const struct hd_ep *ep)
{
  uint32_t most = ep->world->params.packet_flits;
  return most ? most : PACKET_FLITS_MAX;
}

uint64_t hd_ep_time(const struct hd_ep *ep)
{
  return ep->world->now;
}

void hd_ep_delay(struct hd_ep *ep, uint64_t cycles)
{
  if (cycles)
    hd_ep_sleep_until(ep, hd_ep_saturating_deadline(ep, cycles), HD_EP_SLEEPS);
}

void hd_ep_wait_until(struct hd_ep *ep, uint64_t cycle)
{
  if (cycle > ep->world->now)
    hd_ep_sleep_until(ep, cycle, HD_EP_SLEEPS);
}

void hd_ep_startup(struct hd_ep *ep)
{
  if (ep->world->params.startup_cycles)
    hd_ep_sleep_until(ep, hd_ep_saturating_deadline(ep, ep->world->params.startup_cycles),
                      HD_EP_STARTUP);
}

/* ── sending ──────────────────────────────────────────────────────────────── */

void hd_ep_pass_packet(struct hd_ep *ep, const struct hd_world_packet *packet)
{
  const struct hd_world_params *p = &ep->world->params;
  struct hd_world_packet sent = *packet;
  sent.network = ep->network;
  int status = p->send(p->context, &sent);
  if (status)
    hd_ep_fail(ep, status, "the network refused a packet of %s to node %" PRIu32 ": %s",
               hd_count(packet->flits, "flit").text, packet->destination, hd_status_text(status));
}

void hd_ep_check_message(struct hd_ep *ep, int tag, const void *bytes, size_t n)
{
  if (tag < 0 || tag >= HD_MESSAGE_TAGS)
    hd_ep_abort(ep, "send with tag %d; tags are 0 to %d", tag, HD_MESSAGE_TAGS - 1);
  if (n > HD_MESSAGE_MAX_BYTES)
    hd_ep_abort(ep, "send of %s; a message has at most %d", hd_count(n, "byte").text,
                HD_MESSAGE_MAX_BYTES);
  if (n && !bytes)
    hd_ep_abort(ep, "send of %s with NULL as the buffer", hd_count(n, "byte").text);
  hd_ep_stop_check(ep);
}

static void check_send(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n)
{
  int size = hd_ep_size(ep);
  if (destination < 0 || destination >= size)
    hd_ep_abort(ep, "send to node %d; nodes are 0 to %d", destination, size - 1);
  if (size > HD_MESSAGE_NODES)
    hd_ep_abort(ep,
                "send of a message among %d nodes; messages are for at most %d, more can send "
                "packets (programs traffic and coding)",
                size, HD_MESSAGE_NODES);
  if (!ep->world->packet_bytes) {
    snprintf(ep->world->culprit, sizeof ep->world->culprit, "packet_flits");
    hd_ep_abort(ep,
                "packets of at most %s hold no message; it takes %" PRIu32
                " (header, envelope, 1 of payload)",
                hd_count(ep->world->params.packet_flits, "flit").text,
                2 + 64 / ep->world->params.data_bits);
  }
  hd_ep_check_message(ep, tag, bytes, n);
}

static struct hd_message *new_message(struct hd_ep *ep, struct hd_channel *channel, int tag,
                                      uint32_t n)
{
  uint32_t share = ep->world->packet_bytes, packets = n ? (n + share - 1) / share : 1;
  struct hd_message *m = hd_message_create(channel, tag, n, packets, ep->world->now);
  if (!m || hd_channel_push(channel, m)) {
    hd_message_destroy(m);
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for a message of %" PRIu32 " bytes", n);
  }
  ep->world->counters.messages_sent++;
  return m;
}

/* hd_world_match_arrivals wakes it. */
void hd_ep_wait_for_room(struct hd_ep *ep, uint32_t destination, uint32_t bytes)
{
  const uint64_t since = ep->world->now;
  while (ep->under_way >= HD_MESSAGE_WINDOW ||
         (ep->under_way && ep->bytes_under_way + bytes > HD_MESSAGE_WINDOW_BYTES)) {
    ep->state = HD_EP_WINDOW;
    ep->since = since;
    ep->wait_node = destination;
    hd_ep_yield(ep);
  }
}

static void send(struct hd_ep *ep, int destination, const struct hd_ep_way *way, int tag,
                 const void *bytes, size_t n)
{
  check_send(ep, destination, tag, bytes, n);
  hd_ep_startup(ep);
  struct hd_world *world = ep->world;
  struct hd_ep *to = &world->eps[destination];
  struct hd_channel *channel = hd_mailbox_channel(&to->mailbox, ep->rank);
  if (!channel)
    hd_ep_fail(ep, HD_E_NOMEM, "no memory to send to node %d", destination);
  if (to == ep) { /* a message to itself does not enter the network */
    struct hd_message *m = new_message(ep, channel, tag, (uint32_t)n);
    if (n)
      memcpy(m->data, bytes, n);
    m->n_missing = 0;
    m->received = world->now;
    world->counters.messages_received++;
    hd_world_match_arrivals(world, ep, channel, world->now + 1);
    return;
  }
  hd_ep_wait_for_room(ep, (uint32_t)destination, (uint32_t)n);
  struct hd_envelope e = {.source = ep->rank,
                          .tag = (uint32_t)tag,
                          .sequence = (channel->sequence + channel->n) % HD_MESSAGE_SEQUENCES};
  uint32_t n_packets = new_message(ep, channel, tag, (uint32_t)n)->n_packets;
  ep->under_way++;
  ep->bytes_under_way += (uint32_t)n;
  const unsigned char *from = bytes;
  uint32_t left = (uint32_t)n, bits = world->params.data_bits;
  for (; e.packet < n_packets; e.packet++) {
    uint32_t share = left < world->packet_bytes ? left : world->packet_bytes;
    e.last = e.packet + 1 == n_packets;
    hd_packet_write(world->words, bits, e, from, share);
    hd_ep_pass_packet(ep, &(struct hd_world_packet){.source = ep->rank,
                                                    .destination = (uint32_t)destination,
                                                    .flits = 1 + hd_packet_words(bits, share),
                                                    .payload = world->words,
                                                    .way = way});
    from = share ? from + share : from;
    left -= share;
  }
}

void hd_ep_send(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n)
{
  send(ep, destination, NULL, tag, bytes, n);
}

void hd_ep_send_by(struct hd_ep *ep, int destination, const struct hd_ep_way *way, int tag,
                   const void *bytes, size_t n)
{
  send(ep, destination, way, tag, bytes, n);
}

void hd_ep_inject(struct hd_ep *ep, int destination, uint32_t flits)
{
  if (destination < 0 || destination >= hd_ep_size(ep))
    hd_ep_abort(ep, "packet to node %d; nodes are 0 to %d", destination, hd_ep_size(ep) - 1);
  if (flits < 1 || flits > PACKET_FLITS_MAX)
    hd_ep_abort(ep, "packet of %s; packets have 1 to %d", hd_count(flits, "flit").text,
                PACKET_FLITS_MAX);
  hd_ep_stop_check(ep);
  hd_ep_pass_packet(ep, &(struct hd_world_packet){.source = ep->rank,
                                                  .destination = (uint32_t)destination,
                                                  .traffic_class = ep->traffic_class,
                                                  .priority = ep->priority,
                                                  .flits = flits});
}

void hd_ep_use_class(struct hd_ep *ep, uint32_t traffic_class)
{
  if (traffic_class >= HD_EP_CLASSES)
    hd_ep_abort(ep, "packets of class %" PRIu32 "; classes are 0 to %d", traffic_class,
                HD_EP_CLASSES - 1);
  ep->traffic_class = (uint8_t)traffic_class;
}

void hd_ep_use_priority(struct hd_ep *ep, uint32_t priority)
{
  if (priority >= HD_EP_PRIORITIES)
    hd_ep_abort(ep, "packets of priority %" PRIu32 "; priorities are 0 to %d", priority,
                HD_EP_PRIORITIES - 1);
  ep->priority = (uint8_t)priority;
}

uint32_t hd_ep_networks(const struct hd_ep *ep)
{
  const uint32_t n = ep->world->params.networks;
  return n ? n : 1;
}

void hd_ep_use_network(struct hd_ep *ep, uint32_t network)
{
  if (network >= hd_ep_networks(ep))
    hd_ep_abort(ep,
                "sends in virtual network %" PRIu32 "; there are %" PRIu32
                " (key routing.virtual_networks)",
                network, hd_ep_networks(ep));
  ep->network = network;
}

void hd_ep_hold(struct hd_ep *ep, uint64_t cycles)
{
  const struct hd_world_params *p = &ep->world->params;
  hd_ep_stop_check(ep);
  if (!cycles)
    return;
  int status = p->hold ? p->hold(p->context, ep->rank, cycles) : HD_E_INPUT;
  if (status)
    hd_ep_fail(ep, status, "the network refused to hold this node's interface: %s",
               hd_status_text(status));
}

/* ── requests ─────────────────────────────────────────────────────────────── */

static uint32_t new_request(struct hd_ep *ep, enum hd_request_kind kind, int node, int tag)
{
  uint32_t index = hd_mailbox_request(&ep->mailbox, kind, node, tag);
  if (!index)
    hd_ep_abort(ep, "more than %d operations under way; wait for some or test them",
                HD_REQUESTS_MAX);
  ep->mailbox.requests[index].since = ep->world->now;
  return index;
}

static hd_ep_request handle_of(const struct hd_ep *ep, uint32_t index)
{
  return (uint32_t)ep->mailbox.requests[index].generation << HANDLE_SHIFT | index;
}

static uint32_t index_of(struct hd_ep *ep, hd_ep_request handle)
{
  const struct hd_mailbox *mailbox = &ep->mailbox;
  uint32_t index = handle & ((1u << HANDLE_SHIFT) - 1);
  if (!index || index >= mailbox->n_requests || mailbox->requests[index].kind == HD_REQUEST_FREE ||
      mailbox->requests[index].generation != handle >> HANDLE_SHIFT)
    hd_ep_abort(ep, "request 0x%08" PRIx32 " is not under way; was it waited for before?", handle);
  return index;
}

static uint32_t post_receive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n)
{
  int size = hd_ep_size(ep);
  hd_ep_check_caller(ep);
  if (source != HD_EP_ANY && (source < 0 || source >= size))
    hd_ep_abort(ep, "receive from node %d; nodes are 0 to %d, or HD_EP_ANY", source, size - 1);
  if (tag != HD_EP_ANY && (tag < 0 || tag >= HD_MESSAGE_TAGS))
    hd_ep_abort(ep, "receive of tag %d; tags are 0 to %d, or HD_EP_ANY", tag, HD_MESSAGE_TAGS - 1);
  if (n && !bytes)
    hd_ep_abort(ep, "receive of %s with NULL as the buffer", hd_count(n, "byte").text);
  hd_ep_startup(ep);
  uint32_t index = new_request(ep, HD_REQUEST_RECEIVE, source, tag);
  struct hd_request *request = &ep->mailbox.requests[index];
  request->buffer = bytes;
  request->room = n;
  if (hd_mailbox_post(&ep->mailbox, index))
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for a receive");
  return index;
}

static bool is_complete(const struct hd_ep *ep, uint32_t index)
{
  const struct hd_request *request = &ep->mailbox.requests[index];
  return request->kind == HD_REQUEST_SEND ||
         (request->message && request->message->visible <= ep->world->now);
}

/* Ends a complete request: copies the message to the program's buffer. The buffer is not written
 * earlier, because the program may have returned and the buffer with it. */
static void complete_request(struct hd_ep *ep, uint32_t index, struct hd_ep_status *status)
{
  const struct hd_request *request = &ep->mailbox.requests[index];
  const struct hd_message *m = request->message;
  if (m) {
    size_t n = m->bytes < request->room ? m->bytes : request->room;
    if (n)
      memcpy(request->buffer, m->data, n);
    if (status)
      *status = (struct hd_ep_status){.source = (int)m->channel->source,
                                      .tag = m->tag,
                                      .bytes = m->bytes,
                                      .sent = m->sent,
                                      .received = m->received};
  } else if (status) {
    *status = (struct hd_ep_status){.source = (int)ep->rank,
                                    .tag = request->tag,
                                    .bytes = request->sent_bytes,
                                    .sent = request->since,
                                    .received = request->since};
  }
  hd_mailbox_release(&ep->mailbox, index);
}

/* hd_world_match_arrivals wakes it. */
static void await_arrival(struct hd_ep *ep, uint32_t index, bool any)
{
  ep->state = HD_EP_RECEIVES;
  ep->since = ep->world->now;
  ep->wait_request = index;
  ep->wait_any = any;
  hd_ep_yield(ep);
}

static void wait_for(struct hd_ep *ep, uint32_t index, struct hd_ep_status *status)
{
  if (!is_complete(ep, index)) {
    const struct hd_message *m = ep->mailbox.requests[index].message;
    if (m) {
      hd_ep_sleep_until(ep, m->visible, HD_EP_SLEEPS);
    } else {
      await_arrival(ep, index, false);
    }
  }
  complete_request(ep, index, status);
}

hd_ep_request hd_ep_isend(struct hd_ep *ep, int destination, int tag, const void *bytes, size_t n)
{
  hd_ep_send(ep, destination, tag, bytes, n);
  uint32_t index = new_request(ep, HD_REQUEST_SEND, destination, tag);
  ep->mailbox.requests[index].sent_bytes = n;
  return handle_of(ep, index);
}

hd_ep_request hd_ep_ireceive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n)
{
  return handle_of(ep, post_receive(ep, source, tag, bytes, n));
}

void hd_ep_receive(struct hd_ep *ep, int source, int tag, void *bytes, size_t n,
                   struct hd_ep_status *status)
{
  wait_for(ep, post_receive(ep, source, tag, bytes, n), status);
}

void hd_ep_wait(struct hd_ep *ep, hd_ep_request request, struct hd_ep_status *status)
{
  if (request)
    wait_for(ep, index_of(ep, request), status);
}

bool hd_ep_test(struct hd_ep *ep, hd_ep_request request, struct hd_ep_status *status)
{
  if (!request)
    return true;
  uint32_t index = index_of(ep, request);
  if (is_complete(ep, index)) {
    complete_request(ep, index, status);
    return true;
  }
  hd_ep_delay(ep, 1); /* otherwise a loop of tests would never end */
  return false;
}

size_t hd_ep_wait_any(struct hd_ep *ep, const hd_ep_request *requests, size_t n, bool wait,
                      struct hd_ep_status *status)
{
  if (!n && wait)
    hd_ep_abort(ep, "hd_ep_wait_any waits without a request");
  for (;;) {
    uint64_t visible = UINT64_MAX; /* the cycle in which software sees a message that has arrived */
    for (size_t i = 0; i < n; i++) {
      uint32_t index = index_of(ep, requests[i]);
      const struct hd_message *m = ep->mailbox.requests[index].message;
      if (is_complete(ep, index)) {
        complete_request(ep, index, status);
        return i;
      }
      if (m && m->visible < visible)
        visible = m->visible;
    }
    if (!wait)
      return n;
    if (visible != UINT64_MAX)
      hd_ep_sleep_until(ep, visible, HD_EP_SLEEPS);
    else
      await_arrival(ep, index_of(ep, requests[0]), true);
  }
}

/* ── random numbers, parameters, memory ───────────────────────────────────── */

uint64_t hd_ep_random(struct hd_ep *ep)
{
  return hd_random_next(&ep->random);
}

double hd_ep_random_unit(struct hd_ep *ep)
{
  return (double)(hd_random_next(&ep->random) >> 11) * 0x1p-53;
}

static const struct hd_parameter *find_parameter(const struct hd_ep *ep, const char *key)
{
  const struct hd_world_params *p = &ep->world->params;
  for (uint32_t i = 0; i < p->n_parameters; i++)
    if (!strcmp(p->parameters[i].key, key))
      return &p->parameters[i];
  return NULL;
}

double hd_ep_number(const struct hd_ep *ep, const char *key, double fallback)
{
  const struct hd_parameter *p = find_parameter(ep, key);
  if (p && p->text) /* hd_ep_reject ends the run, which is the only way in which it changes `ep` */
    hd_ep_reject((struct hd_ep *)ep, key, "'%s'; it must be a number", p->text);
  return p ? p->number : fallback;
}

const char *hd_ep_text(const struct hd_ep *ep, const char *key, const char *fallback)
{
  const struct hd_parameter *p = find_parameter(ep, key);
  if (p && !p->text)
    hd_ep_reject((struct hd_ep *)ep, key, "the number %.16g; it must be text", p->number);
  return p ? p->text : fallback;
}

bool hd_ep_is_number(const struct hd_ep *ep, const char *key)
{
  const struct hd_parameter *p = find_parameter(ep, key);
  return p && !p->text;
}

static struct hd_block *new_block(struct hd_ep *ep, const char *key, size_t bytes)
{
  size_t key_bytes = key ? strlen(key) + 1 : 0;
  hd_ep_check_caller(ep);
  struct hd_block *block = NULL;
  if (bytes <= SIZE_MAX / 2)
    block = calloc(1, sizeof *block + bytes + key_bytes);
  if (!block)
    hd_ep_fail(ep, HD_E_NOMEM, "no memory: %zu bytes", bytes);
  block->bytes = bytes;
  if (key) {
    block->key = memcpy(block->data + bytes, key, key_bytes);
    block->next_shared = ep->world->shared;
    ep->world->shared = block;
  }
  block->next = ep->world->blocks;
  ep->world->blocks = block;
  return block;
}

void *hd_ep_alloc(struct hd_ep *ep, size_t bytes)
{
  return new_block(ep, NULL, bytes)->data;
}

void *hd_ep_shared(struct hd_ep *ep, const char *key, size_t bytes)
{
  for (struct hd_block *block = ep->world->shared; block; block = block->next_shared)
    if (!strcmp(block->key, key)) {
      if (block->bytes != bytes)
        hd_ep_abort(ep, "shared memory '%s' has %zu bytes and is asked for with %zu", key,
                    block->bytes, bytes);
      return block->data;
    }
  return new_block(ep, key, bytes)->data;
}
