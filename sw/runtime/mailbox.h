/* Mailbox: the messages to one node, from their first packet to the receive that takes them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A channel is a pair of source and destination. It keeps the messages that were sent and have not
 * arrived, in the order of sending. Their packets may come in any order. A message *arrives* when
 * all its packets are there and every earlier message of its channel has arrived. So messages of a
 * pair never overtake each other, whichever virtual channels their packets take.
 *
 * Arrived messages are matched with receives as in MPI. A message goes to the oldest posted receive
 * that fits it. A receive takes the earliest arrived message that fits it. There are lists for each
 * channel and lists for the whole node, so that a receive from one source does not search the
 * messages of others.
 */
#ifndef HD_MAILBOX_H
#define HD_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_channel;

struct hd_message {
  /** list of the node's messages that arrived and were not received yet */
  struct hd_message *previous_all, *next_all;
  struct hd_message *previous, *next; /* the same list, for the channel */
  struct hd_channel *channel;
  uint64_t sent, received; /* cycles: given to the network; last packet received */
  uint64_t visible;        /* first cycle in which software sees it, once it has arrived */
  uint32_t bytes, n_packets, n_missing;
  int tag;
  uint64_t *seen;      /* a bit for each packet that came; in the same allocation */
  unsigned char *data; /* in the same allocation */
};

/** The messages of one source to this mailbox's node. */
struct hd_channel {
  uint32_t source;
  uint32_t sequence;          /* sequence number of ring[head] */
  uint32_t head, n, capacity; /* ring of messages on their way; capacity is a power of two */
  struct hd_message **ring;
  struct hd_message *first, *last;    /* arrived, not received */
  uint32_t posted_first, posted_last; /* requests that receive from this source; 0: none */
};

enum hd_request_kind { HD_REQUEST_FREE, HD_REQUEST_SEND, HD_REQUEST_RECEIVE };

struct hd_request {
  struct hd_message *message; /* the message that the receive has matched */
  void *buffer;
  size_t room;
  uint64_t order;  /* number of the request in the order of creation */
  uint64_t since;  /* cycle of creation */
  int source, tag; /* of a receive, may be HD_EP_ANY; of a send: its destination and tag */
  size_t sent_bytes;
  uint32_t next;       /* next in the list of posted receives or of free requests */
  uint16_t generation; /* distinguishes the handle of an earlier use */
  uint8_t kind;
};

struct hd_mailbox {
  /** [cap_channels] hash table by source; a channel is made when it is first used */
  struct hd_channel **channels;
  uint32_t n_channels, cap_channels;
  uint32_t posted_first, posted_last; /* requests that receive from any source; 0: none */
  struct hd_message *first, *last;    /* arrived, not received */
  struct hd_request *requests;        /* [0] is not used, since index 0 means none */
  uint32_t n_requests, free_request;
  size_t capacity_requests;
  uint64_t posted;
};

void hd_mailbox_init(struct hd_mailbox *mailbox);
void hd_mailbox_fini(struct hd_mailbox *mailbox);

/** Returns the channel from `source`; makes it if there is none. NULL: out of memory. */
struct hd_channel *hd_mailbox_channel(struct hd_mailbox *mailbox, uint32_t source);
/** Returns the channel from `source`, or NULL if there is none. */
struct hd_channel *hd_mailbox_find(const struct hd_mailbox *mailbox, uint32_t source);

/** Makes a message of `bytes` bytes in n_packets packets. NULL: out of memory. */
struct hd_message *hd_message_create(struct hd_channel *channel, int tag, uint32_t bytes,
                                     uint32_t n_packets, uint64_t sent);
void hd_message_destroy(struct hd_message *message);

/** Frees the channel's messages that are on their way. */
void hd_channel_fini(struct hd_channel *channel);

/** Adds a message that is on its way, after those that were sent before. 0, or -1: out of
 *  memory. */
int hd_channel_push(struct hd_channel *channel, struct hd_message *message);
/** Removes the oldest message on its way if all its packets are there, and returns it; otherwise
 *  NULL. */
struct hd_message *hd_channel_pop(struct hd_channel *channel);
/** Returns the message on its way that has this sequence number, or NULL. */
struct hd_message *hd_channel_find(const struct hd_channel *channel, uint32_t sequence);

/** Matches a message that has arrived. Returns the index of the receive that gets it, or 0: the
 *  message is kept. */
uint32_t hd_mailbox_arrive(struct hd_mailbox *mailbox, struct hd_message *message);

/** Makes a request and returns its index. 0: there are HD_REQUESTS_MAX already, or no memory. */
enum { HD_REQUESTS_MAX = 65535 };
uint32_t hd_mailbox_request(struct hd_mailbox *mailbox, enum hd_request_kind kind, int source,
                            int tag);
/** Matches a receive with the first kept message that fits, or else posts it. 0, or -1: out of
 *  memory. */
int hd_mailbox_post(struct hd_mailbox *mailbox, uint32_t index);
/** Counts the messages that arrived and that no receive took, and the receives that were posted and
 *  not ended by a wait or a test. Adds to both. */
void hd_mailbox_count_open(const struct hd_mailbox *mailbox, uint64_t *messages,
                           uint64_t *receives);
void hd_mailbox_release(struct hd_mailbox *mailbox, uint32_t index);

#endif
