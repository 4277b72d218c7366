/* Inside the world of endpoint software: what world.c and endpoint.c share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUNTIME_H
#define HD_RUNTIME_H

#include "calendar.h"
#include "fiber.h"
#include "mailbox.h"
#include "random.h"
#include "world.h"

#include <stdarg.h>

enum hd_ep_state {
  HD_EP_SLEEPS,   /* in the calendar */
  HD_EP_STARTUP,  /* likewise, for the start-up cost of a call */
  HD_EP_RECEIVES, /* waits for a request of its mailbox */
  HD_EP_WINDOW,   /* waits for room among the messages under way to a node */
  HD_EP_FINISHED,
};

struct hd_ep {
  struct hd_world *world;
  struct hd_random random;
  struct hd_fiber fiber;
  uint32_t rank;
  uint8_t state;         /* enum hd_ep_state */
  uint32_t wait_request; /* HD_EP_RECEIVES */
  uint32_t wait_node;    /* HD_EP_WINDOW */
  uint64_t since, until; /* cycles: state entered; HD_EP_SLEEPS and STARTUP: end */
  struct hd_mailbox mailbox;
};

/** Memory of the run, hd_ep_alloc and hd_ep_shared. */
struct hd_block {
  struct hd_block *next;
  char *key; /* hd_ep_shared; in the same allocation */
  size_t bytes;
  _Alignas(max_align_t) unsigned char data[];
};

struct hd_world {
  struct hd_world_params params;
  uint32_t packet_bytes; /* of message in a packet, as packet_flits allows; 0: no message fits */
  uint64_t now;
  bool stepped; /* `now` is a cycle that was carried out */
  uint32_t n_finished;
  int status; /* once not 0, no software runs any more */
  struct hd_error error;
  bool checking;    /* hd_world_check: software stops where it would send or wait */
  char culprit[64]; /* what is to be changed, as hd_world_check says it; "": not known */
  struct hd_world_counters counters;
  struct hd_calendar calendar;
  struct hd_fiber_pool stacks;
  uint64_t *words; /* of a packet under construction */
  struct hd_block *blocks;
  struct hd_ep *eps; /* [nodes] */
};

/** Bytes of a message that fit into the largest packet; 0: none do. */
uint32_t hd_world_packet_room(const struct hd_world_params *params);

/** From inside of ep's software: ends the run. Does not return. */
void hd_ep_fail(struct hd_ep *ep, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** A message of `destination` may have become whole: hands over what has arrived, wakes who
 *  waited for it. */
void hd_world_arrivals(struct hd_world *world, struct hd_ep *destination,
                       struct hd_channel *channel, uint64_t visible);

#endif
