/* Mailbox: the messages of one node, from the first packet to the receive that takes them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A channel is a pair of source and destination. It keeps the messages that were sent and
 * have not arrived, in the order of sending; packets fill them in any order. A
 * message *arrives* when it is whole and every earlier one of its channel has arrived. So
 * messages of a pair never overtake one another, whatever the virtual channels do.
 *
 * Arrived messages are matched with receives as in MPI: a message goes to the receive that
 * was posted first of those it fits; a receive takes the message that arrived first of those
 * that fit it. Lists are kept a channel and a node, so that receiving from a named
 * source does not look at what others sent.
 */
#ifndef HD_MAILBOX_H
#define HD_MAILBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_channel;

struct hd_message {
  struct hd_message *previous_all, *next_all; /* arrived, untaken messages of the node */
  struct hd_message *previous, *next;         /* and of the channel */
  struct hd_channel *channel;
  uint64_t sent, received; /* cycles: handed to the network, last packet received */
  uint64_t visible;        /* cycle from which software sees it, once it arrived */
  uint32_t bytes, n_packets, n_missing;
  int tag;
  uint64_t *seen;      /* bit a packet; in the same block */
  unsigned char *data; /* likewise */
};

/** The messages of one source to this mailbox's node. */
struct hd_channel {
  uint32_t source;
  uint32_t sequence;          /* sequence number of ring[head] */
  uint32_t head, n, capacity; /* ring of messages under way; capacity a power of two */
  struct hd_message **ring;
  struct hd_message *first, *last;    /* arrived, untaken */
  uint32_t posted_first, posted_last; /* receives that name this source; 0: none */
};

enum hd_request_kind { HD_REQUEST_FREE, HD_REQUEST_SEND, HD_REQUEST_RECEIVE };

struct hd_request {
  struct hd_message *message; /* the message that the receive has matched */
  void *buffer;
  size_t room;
  uint64_t order;  /* in which order receives were posted */
  uint64_t since;  /* cycle of posting */
  int source, tag; /* HD_EP_ANY; of a send: destination, tag */
  size_t sent_bytes;
  uint32_t next;       /* in a list of posted receives, or of free requests */
  uint16_t generation; /* tells a stale handle */
  uint8_t kind;
};

struct hd_mailbox {
  struct hd_channel **channels; /* [cap_channels] by source, a hash table; made when first used */
  uint32_t n_channels, cap_channels;
  uint32_t posted_first, posted_last; /* receives from any source */
  struct hd_message *first, *last;    /* arrived, untaken */
  struct hd_request *requests;        /* [0] is not used */
  uint32_t n_requests, free_request;
  size_t capacity_requests;
  uint64_t posted;
};

void hd_mailbox_init(struct hd_mailbox *mailbox);
void hd_mailbox_fini(struct hd_mailbox *mailbox);

/** The channel from `source`, made at first use. NULL: out of memory. */
struct hd_channel *hd_mailbox_channel(struct hd_mailbox *mailbox, uint32_t source);
/** Finds the channel of a source without making it; NULL: nothing ever came from there. */
struct hd_channel *hd_mailbox_find(const struct hd_mailbox *mailbox, uint32_t source);

/** A message of `bytes` bytes in n_packets packets. NULL: out of memory. */
struct hd_message *hd_message_create(struct hd_channel *channel, int tag, uint32_t bytes,
                                     uint32_t n_packets, uint64_t sent);
void hd_message_destroy(struct hd_message *message);

/** Frees the messages that are under way. */
void hd_channel_fini(struct hd_channel *channel);

/** The message is under way behind the others of its channel. 0, or -1: out of memory. */
int hd_channel_push(struct hd_channel *channel, struct hd_message *message);
/** Takes the oldest message under way off the ring when it is whole; NULL otherwise. */
struct hd_message *hd_channel_pop(struct hd_channel *channel);
/** The message under way with this sequence number, or NULL. */
struct hd_message *hd_channel_under_way(const struct hd_channel *channel, uint32_t sequence);

/** A message arrived: it goes to a posted receive, whose index is returned, or is kept (0). */
uint32_t hd_mailbox_arrive(struct hd_mailbox *mailbox, struct hd_message *message);

/** A new request; 0: too many (HD_REQUESTS_MAX) or out of memory. */
enum { HD_REQUESTS_MAX = 65535 };
uint32_t hd_mailbox_request(struct hd_mailbox *mailbox, enum hd_request_kind kind, int source,
                            int tag);
/** Gives a receive the first message that fits, or posts it. */
int hd_mailbox_post(struct hd_mailbox *mailbox, uint32_t index);
void hd_mailbox_release(struct hd_mailbox *mailbox, uint32_t index);

#endif
