/* Messages of one node: channels, matching, requests.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mailbox.h"

#include "../../cmodel/grow.h"
#include "../endpoint.h"
#include "envelope.h"

#include <stdlib.h>
#include <string.h>

void hd_mailbox_init(struct hd_mailbox *mailbox)
{
  memset(mailbox, 0, sizeof *mailbox);
}

void hd_channel_fini(struct hd_channel *channel)
{
  for (uint32_t j = 0; j < channel->n; j++)
    hd_message_destroy(channel->ring[(channel->head + j) & (channel->capacity - 1)]);
  free(channel->ring);
}

void hd_mailbox_fini(struct hd_mailbox *mailbox)
{
  for (struct hd_message *m = mailbox->first, *next; m; m = next) {
    next = m->next_all;
    hd_message_destroy(m);
  }
  for (uint32_t i = 1; i < mailbox->n_requests; i++)
    hd_message_destroy(mailbox->requests[i].message);
  for (uint32_t i = 0; i < mailbox->cap_channels; i++) {
    struct hd_channel *channel = mailbox->channels[i];
    if (!channel)
      continue;
    hd_channel_fini(channel);
    free(channel);
  }
  free(mailbox->channels);
  free(mailbox->requests);
  hd_mailbox_init(mailbox);
}

/* ── channels and messages under way ──────────────────────────────────────── */

/* Returns the slot of a source's channel in the hash table; it is NULL if there is no such channel.
 * `capacity` is a power of two. */
static struct hd_channel **slot_of(struct hd_channel **channels, uint32_t capacity, uint32_t source)
{
  uint32_t at = source * UINT32_C(0x9e3779b1) >> 7 & (capacity - 1);
  while (channels[at] && channels[at]->source != source)
    at = (at + 1) & (capacity - 1);
  return &channels[at];
}

/* Doubles the table. It begins small, because most nodes receive from few sources. */
static bool grow_table(struct hd_mailbox *mailbox)
{
  const uint32_t capacity = mailbox->cap_channels ? 2 * mailbox->cap_channels : 8;
  struct hd_channel **channels = calloc(capacity, sizeof(struct hd_channel *));
  if (!channels)
    return false;
  for (uint32_t i = 0; i < mailbox->cap_channels; i++)
    if (mailbox->channels[i])
      *slot_of(channels, capacity, mailbox->channels[i]->source) = mailbox->channels[i];
  free(mailbox->channels);
  mailbox->channels = channels;
  mailbox->cap_channels = capacity;
  return true;
}

struct hd_channel *hd_mailbox_find(const struct hd_mailbox *mailbox, uint32_t source)
{
  return mailbox->channels ? *slot_of(mailbox->channels, mailbox->cap_channels, source) : NULL;
}

struct hd_channel *hd_mailbox_channel(struct hd_mailbox *mailbox, uint32_t source)
{
  struct hd_channel *channel = hd_mailbox_find(mailbox, source);
  if (channel)
    return channel;
  if (2 * mailbox->n_channels >= mailbox->cap_channels && !grow_table(mailbox))
    return NULL;
  channel = calloc(1, sizeof *channel);
  if (!channel)
    return NULL;
  channel->source = source;
  *slot_of(mailbox->channels, mailbox->cap_channels, source) = channel;
  mailbox->n_channels++;
  return channel;
}

struct hd_message *hd_message_create(struct hd_channel *channel, int tag, uint32_t bytes,
                                     uint32_t n_packets, uint64_t sent)
{
  size_t seen_words = ((size_t)n_packets + 63) / 64;
  struct hd_message *m = malloc(sizeof *m + seen_words * sizeof(uint64_t) + bytes);
  if (!m)
    return NULL;
  *m = (struct hd_message){.channel = channel,
                           .sent = sent,
                           .bytes = bytes,
                           .n_packets = n_packets,
                           .n_missing = n_packets,
                           .tag = tag};
  m->seen = (uint64_t *)(m + 1);
  memset(m->seen, 0, seen_words * sizeof(uint64_t));
  m->data = (unsigned char *)(m->seen + seen_words);
  return m;
}

void hd_message_destroy(struct hd_message *message)
{
  free(message);
}

int hd_channel_push(struct hd_channel *channel, struct hd_message *message)
{
  if (channel->n == channel->capacity) {
    uint32_t capacity = channel->capacity ? 2 * channel->capacity : 4;
    struct hd_message **ring = malloc(capacity * sizeof(struct hd_message *));
    if (!ring)
      return -1;
    for (uint32_t i = 0; i < channel->n; i++)
      ring[i] = channel->ring[(channel->head + i) & (channel->capacity - 1)];
    free(channel->ring);
    channel->ring = ring;
    channel->capacity = capacity;
    channel->head = 0;
  }
  channel->ring[(channel->head + channel->n++) & (channel->capacity - 1)] = message;
  return 0;
}

struct hd_message *hd_channel_pop(struct hd_channel *channel)
{
  if (!channel->n || channel->ring[channel->head]->n_missing)
    return NULL;
  struct hd_message *m = channel->ring[channel->head];
  channel->head = (channel->head + 1) & (channel->capacity - 1);
  channel->n--;
  channel->sequence = (channel->sequence + 1) % HD_MESSAGE_SEQUENCES;
  return m;
}

struct hd_message *hd_channel_find(const struct hd_channel *channel, uint32_t sequence)
{
  uint32_t ahead = (sequence - channel->sequence) % HD_MESSAGE_SEQUENCES;
  return ahead < channel->n ? channel->ring[(channel->head + ahead) & (channel->capacity - 1)]
                            : NULL;
}

/* ── matching ─────────────────────────────────────────────────────────────── */

static bool tag_fits(int wanted, int tag)
{
  return wanted == HD_EP_ANY || wanted == tag;
}

/* Returns the index of the first receive in the list that takes `tag`, or 0. Sets *before to its
 * predecessor, or 0. */
static uint32_t first_posted(const struct hd_mailbox *mailbox, uint32_t index, int tag,
                             uint32_t *before)
{
  for (*before = 0; index; *before = index, index = mailbox->requests[index].next)
    if (tag_fits(mailbox->requests[index].tag, tag))
      return index;
  return 0;
}

static void remove_posted(struct hd_mailbox *mailbox, uint32_t *first, uint32_t *last,
                          uint32_t index, uint32_t before)
{
  uint32_t next = mailbox->requests[index].next;
  if (before)
    mailbox->requests[before].next = next;
  else
    *first = next;
  if (*last == index)
    *last = before;
  mailbox->requests[index].next = 0;
}

static void add_kept(struct hd_mailbox *mailbox, struct hd_message *m)
{
  struct hd_channel *channel = m->channel;
  m->previous = channel->last;
  m->previous_all = mailbox->last;
  if (channel->last)
    channel->last->next = m;
  else
    channel->first = m;
  channel->last = m;
  if (mailbox->last)
    mailbox->last->next_all = m;
  else
    mailbox->first = m;
  mailbox->last = m;
}

static void remove_kept(struct hd_mailbox *mailbox, struct hd_message *m)
{
  struct hd_channel *channel = m->channel;
  *(m->previous ? &m->previous->next : &channel->first) = m->next;
  *(m->next ? &m->next->previous : &channel->last) = m->previous;
  *(m->previous_all ? &m->previous_all->next_all : &mailbox->first) = m->next_all;
  *(m->next_all ? &m->next_all->previous_all : &mailbox->last) = m->previous_all;
}

uint32_t hd_mailbox_arrive(struct hd_mailbox *mailbox, struct hd_message *message)
{
  struct hd_channel *channel = message->channel;
  uint32_t before_named, before_any;
  uint32_t named = first_posted(mailbox, channel->posted_first, message->tag, &before_named);
  uint32_t any = first_posted(mailbox, mailbox->posted_first, message->tag, &before_any);
  if (named && any) {
    if (mailbox->requests[named].order < mailbox->requests[any].order)
      any = 0;
    else
      named = 0;
  }
  if (named)
    remove_posted(mailbox, &channel->posted_first, &channel->posted_last, named, before_named);
  else if (any)
    remove_posted(mailbox, &mailbox->posted_first, &mailbox->posted_last, any, before_any);
  else
    add_kept(mailbox, message);
  uint32_t index = named ? named : any;
  if (index)
    mailbox->requests[index].message = message;
  return index;
}

/* ── requests ─────────────────────────────────────────────────────────────── */

uint32_t hd_mailbox_request(struct hd_mailbox *mailbox, enum hd_request_kind kind, int source,
                            int tag)
{
  uint32_t index = mailbox->free_request;
  if (index) {
    mailbox->free_request = mailbox->requests[index].next;
  } else {
    if (!mailbox->n_requests)
      mailbox->n_requests = 1; /* index 0 means none */
    if (mailbox->n_requests > HD_REQUESTS_MAX)
      return 0;
    if (!HD_ROOM(mailbox->requests, mailbox->capacity_requests, mailbox->n_requests, 1))
      return 0;
    index = mailbox->n_requests++;
    mailbox->requests[index].generation = 0;
  }
  struct hd_request *request = &mailbox->requests[index];
  *request = (struct hd_request){.order = mailbox->posted++,
                                 .source = source,
                                 .tag = tag,
                                 .generation = request->generation,
                                 .kind = (uint8_t)kind};
  return index;
}

int hd_mailbox_post(struct hd_mailbox *mailbox, uint32_t index)
{
  struct hd_request *request = &mailbox->requests[index];
  bool any = request->source == HD_EP_ANY;
  struct hd_channel *channel = any ? NULL : hd_mailbox_channel(mailbox, (uint32_t)request->source);
  if (!any && !channel)
    return -1;
  struct hd_message *m = any ? mailbox->first : channel->first;
  while (m && !tag_fits(request->tag, m->tag))
    m = any ? m->next_all : m->next;
  if (m) {
    remove_kept(mailbox, m);
    request->message = m;
    return 0;
  }
  uint32_t *first = any ? &mailbox->posted_first : &channel->posted_first;
  uint32_t *last = any ? &mailbox->posted_last : &channel->posted_last;
  if (*last)
    mailbox->requests[*last].next = index;
  else
    *first = index;
  *last = index;
  return 0;
}

void hd_mailbox_count_open(const struct hd_mailbox *mailbox, uint64_t *messages, uint64_t *receives)
{
  for (const struct hd_message *m = mailbox->first; m; m = m->next_all)
    (*messages)++;
  for (uint32_t i = 1; i < mailbox->n_requests; i++)
    *receives += mailbox->requests[i].kind == HD_REQUEST_RECEIVE;
}

void hd_mailbox_release(struct hd_mailbox *mailbox, uint32_t index)
{
  struct hd_request *request = &mailbox->requests[index];
  hd_message_destroy(request->message);
  uint16_t generation = (uint16_t)(request->generation + 1);
  *request = (struct hd_request){.generation = generation, .next = mailbox->free_request};
  mailbox->free_request = index;
}
