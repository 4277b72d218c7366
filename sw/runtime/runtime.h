/* Shared by the files of this room: the state of nodes, barrier groups and the world.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUNTIME_H
#define HD_RUNTIME_H

#include "../user_code.h"
#include "calendar.h"
#include "fiber.h"
#include "mailbox.h"
#include "random.h"
#include "world.h"

#include <pthread.h>
#include <stdarg.h>

enum hd_ep_state {
  HD_EP_SLEEPS,     /* in the calendar */
  HD_EP_STARTUP,    /* in the calendar, for the start-up cost of a call */
  HD_EP_RECEIVES,   /* waits for a request of its mailbox */
  HD_EP_WINDOW,     /* waits for room among its messages under way */
  HD_EP_AT_BARRIER, /* waits for its release; in the calendar for the deadline */
  HD_EP_AWAITS_PACKET,
  HD_EP_FINISHED,
};

struct hd_ep {
  struct hd_world *world;
  struct hd_random random;
  struct hd_fiber fiber;
  uint32_t rank;
  uint32_t network;                /* virtual network of the packets that it sends */
  uint8_t traffic_class, priority; /* class and priority of the packets that it injects */
  uint8_t state;                   /* enum hd_ep_state */
  uint32_t wait_request;           /* HD_EP_RECEIVES */
  bool wait_any; /* HD_EP_RECEIVES: waits for any of several requests; wait_request is the first */
  uint32_t wait_node; /* HD_EP_WINDOW */
  /** its messages that are on their way, and their bytes */
  uint32_t under_way, bytes_under_way;
  const struct hd_ep_barrier *wait_barrier; /* HD_EP_AT_BARRIER */
  /** cycles: start of the state; end of HD_EP_SLEEPS, HD_EP_STARTUP and HD_EP_AT_BARRIER */
  uint64_t since, until;
  struct hd_mailbox mailbox;
  /** received packets that software has not taken; packets_last is valid if there is a first one */
  struct hd_bare_packet *packets_first, *packets_last;
  struct hd_bare_packet *packet_taken; /* the packet that software took last and may still read */
};

/** A block of memory that lives as long as the run (hd_ep_alloc, hd_ep_shared). */
struct hd_block {
  struct hd_block *next, *next_shared;
  char *key; /* of hd_ep_shared; in the same allocation */
  size_t bytes;
  _Alignas(max_align_t) unsigned char data[];
};

enum { HD_GROUP_NUMBERS = 32 }; /* specification §8.1 */

enum hd_barrier_part { HD_PART_IDLE, HD_PART_ARRIVED, HD_PART_RELEASED, HD_PART_BROKEN };

/** A member's part of a barrier group. */
struct hd_ep_barrier {
  struct hd_barrier_group *group;
  uint8_t state; /* enum hd_barrier_part */
  uint8_t why;   /* enum hd_ep_barrier_status: the reason, if the state is HD_PART_BROKEN */
  bool joined, left;
  bool passed;              /* was released since the switches have had the group */
  uint64_t visible;         /* first cycle in which software sees the release or failure */
  uint64_t since, deadline; /* cycle of the arrival, and its deadline */
  bool has_result;
  uint32_t result; /* result of the last round */
};

/** A barrier group, in a list in the order of creation. */
struct hd_barrier_group {
  struct hd_barrier_group *next;
  struct hd_ep_barrier_options options;
  uint8_t status; /* enum hd_ep_barrier_status of the creation */
  uint8_t number; /* valid if `status` is HD_EP_BARRIER_PASSED */
  bool broken;
  uint8_t ended;   /* enum hd_ep_barrier_status: why a fault ended the group; PASSED: none did */
  uint32_t center; /* rank */
  uint32_t n, n_joined, n_left;
  uint32_t n_released;          /* members released in the current round */
  uint32_t n_passed;            /* members whose `passed` is true */
  uint64_t ready;               /* first cycle in which a member may arrive */
  uint32_t *members;            /* [n] ranks, ascending; in the same allocation */
  struct hd_ep_barrier parts[]; /* [n] */
};

/** The values of a statistic, in the order in which they were recorded. */
struct hd_statistic {
  char *name;
  struct hd_world_value *values;
  size_t n, capacity;
};

struct hd_world {
  struct hd_world_params params;
  uint32_t packet_bytes; /* bytes of a message in one packet; 0: packet_flits leaves no room */
  uint64_t now;
  bool stepped; /* hd_world_step has run the cycle `now` */
  uint32_t n_finished;
  int status; /* if not 0, no software runs any more */
  struct hd_error error;
  bool checking; /* hd_world_check is running: software stops before it would send or wait */
  struct {
    void (*run)(void *argument); /* NULL: there is none */
    void *argument;
    /* a function that the software which has just yielded wants to run on a larger stack */
  } outside;
  char culprit[64]; /* the key to change, for hd_world_check; "": not known */
  struct hd_world_counters counters;
  struct hd_calendar calendar;
  struct hd_fiber_pool stacks;
  uint64_t *words;         /* payload of the packet that is being made */
  struct hd_block *blocks; /* all blocks */
  struct hd_block *shared; /* list of the few blocks that have a key */
  struct hd_barrier_group *groups;
  uint32_t group_numbers;               /* bits: those in use */
  struct hd_multicast_group *multicast; /* multicast groups (world_multicast.c) */
  uint32_t trees;                       /* bits: those in use */
  uint64_t group_closed; /* first cycle in which no switch has a group any more that was ended */
  struct hd_statistic *statistics;
  uint32_t n_statistics;
  size_t cap_statistics;
  /** [cap_statistic_slots] hash table, a power of two: 1 + index of a statistic; 0: empty */
  uint32_t *statistic_slots;
  uint32_t cap_statistic_slots;
  struct hd_ep *eps;                /* [nodes] */
  const struct hd_ep *running;      /* the node whose software runs; NULL: none */
  pthread_t thread;                 /* the thread that runs the software */
  const unsigned char *is_original; /* 1 in this process; 0 in a copy of it that fork() made */
};

/** Returns the bytes of a message that fit into the longest packet; 0: there is no room for any. */
uint32_t hd_world_packet_payload_bytes(const struct hd_world_params *params);

/** Ends the run, because an endpoint function was called from where ep's software does not run:
 *  from another node's software, from another thread, or from a signal handler. */
void hd_ep_refuse_caller(struct hd_ep *ep);
static inline void hd_ep_check_caller(struct hd_ep *ep)
{
  if (ep->world->running != ep || !pthread_equal(ep->world->thread, pthread_self()))
    hd_ep_refuse_caller(ep);
}

/** Suspends ep's software until it is resumed. */
static inline void hd_ep_yield(struct hd_ep *ep)
{
  hd_ep_check_caller(ep);
  hd_fiber_yield(&ep->fiber);
}

/** Suspends ep's software until `cycle`. Inline for the reason in fiber.h. */
static inline void hd_ep_sleep_until(struct hd_ep *ep, uint64_t cycle, enum hd_ep_state state)
{
  hd_ep_check_caller(ep);
  ep->state = (uint8_t)state;
  ep->since = ep->world->now;
  ep->until = cycle;
  hd_calendar_add(&ep->world->calendar, cycle, ep->rank);
  hd_fiber_yield(&ep->fiber);
}

/** Returns the cycle `cycles` from now; UINT64_MAX if that is too large. */
static inline uint64_t hd_ep_saturating_deadline(const struct hd_ep *ep, uint64_t cycles)
{
  uint64_t now = ep->world->now;
  return cycles > UINT64_MAX - now ? UINT64_MAX : now + cycles;
}

/** Compares uint32_t for qsort and bsearch. */
static inline int hd_compare_ranks(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/** Copies `n` ranks to `members`, in ascending order. Ends the run if they cannot be the members of
 *  a group: a rank is no node or is in the list twice, or this node's rank is missing. `kind`
 *  ("barrier") is for the message, and `owned` is freed before. */
void hd_ep_sort_ranks(struct hd_ep *ep, const char *kind, const int *ranks, uint32_t n,
                      uint32_t *members, void *owned);

/** Ends the run if a message cannot have this tag and length. */
void hd_ep_check_message(struct hd_ep *ep, int tag, const void *bytes, size_t n);
/** Waits until the window of this node's messages on their way has room for `bytes` more.
 *  `destination` is for explanations. */
void hd_ep_wait_for_room(struct hd_ep *ep, uint32_t destination, uint32_t bytes);

/** Lets the start-up cost of a call pass. */
void hd_ep_startup(struct hd_ep *ep);

/** Passes a packet to the network. Ends the run if the network refuses it. */
void hd_ep_pass_packet(struct hd_ep *ep, const struct hd_world_packet *packet);

void hd_ep_packets_free(struct hd_ep *ep);

/** During a check, stops the node's software for good, because it is about to send or wait.
 *  Otherwise does nothing. */
void hd_ep_stop_check(struct hd_ep *ep);

void hd_world_barriers_free(struct hd_world *world);
void hd_world_multicast_free(struct hd_world *world);
void hd_world_statistics_free(struct hd_world *world);

/** Ends the run with `status` and a message. Called by ep's software; does not return. */
void hd_ep_fail(struct hd_ep *ep, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** Matches the messages of `channel` that have arrived, and wakes a receiver and a sender that
 *  waited for that. Software sees the messages from the cycle `visible` on. */
void hd_world_match_arrivals(struct hd_world *world, struct hd_ep *destination,
                             struct hd_channel *channel, uint64_t visible);

#endif
