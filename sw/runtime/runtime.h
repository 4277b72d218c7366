/* Inside the world of endpoint software: what world.c and endpoint.c share.
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
  HD_EP_STARTUP,    /* likewise, for the start-up cost of a call */
  HD_EP_RECEIVES,   /* waits for a request of its mailbox */
  HD_EP_WINDOW,     /* waits for room among its messages under way */
  HD_EP_AT_BARRIER, /* waits for its release, in the calendar for the time when it gives up */
  HD_EP_AWAITS_PACKET,
  HD_EP_FINISHED,
};

struct hd_ep {
  struct hd_world *world;
  struct hd_random random;
  struct hd_fiber fiber;
  uint32_t rank;
  uint32_t network;                /* virtual network of what the node sends */
  uint8_t traffic_class, priority; /* class and priority of what the node sends */
  uint8_t state;                   /* enum hd_ep_state */
  uint32_t wait_request;           /* HD_EP_RECEIVES */
  bool wait_any; /* HD_EP_RECEIVES: waits for any of several requests; wait_request is the first */
  uint32_t wait_node;                       /* HD_EP_WINDOW */
  uint32_t under_way, bytes_under_way;      /* messages that it has sent */
  const struct hd_ep_barrier *wait_barrier; /* HD_EP_AT_BARRIER */
  uint64_t since, until; /* cycles: state entered; HD_EP_SLEEPS and STARTUP: end */
  struct hd_mailbox mailbox;
  struct hd_bare_packet *packets_first,
      *packets_last;                   /* received, not taken; last: if there is a first */
  struct hd_bare_packet *packet_taken; /* software may still look at it */
};

/** Memory of the run, hd_ep_alloc and hd_ep_shared. */
struct hd_block {
  struct hd_block *next, *next_shared;
  char *key; /* hd_ep_shared; in the same allocation */
  size_t bytes;
  _Alignas(max_align_t) unsigned char data[];
};

enum { HD_GROUP_NUMBERS = 32 }; /* specification §8.1 */

enum hd_barrier_part { HD_PART_IDLE, HD_PART_ARRIVED, HD_PART_RELEASED, HD_PART_BROKEN };

/** A member's part of a barrier group. */
struct hd_ep_barrier {
  struct hd_barrier_group *group;
  uint8_t state; /* enum hd_barrier_part */
  uint8_t why;   /* enum hd_ep_barrier_status, where broken */
  bool joined, left;
  bool passed;              /* released since the switches have the group */
  uint64_t visible;         /* cycle in which software sees a release or failure */
  uint64_t since, deadline; /* of an arrival: its cycle, its deadline */
  bool has_result;
  uint32_t result; /* result of the last release */
};

/** A barrier group, in the order of creation. */
struct hd_barrier_group {
  struct hd_barrier_group *next;
  struct hd_ep_barrier_options options;
  uint8_t status; /* enum hd_ep_barrier_status of the creation */
  uint8_t number; /* valid where `status` is PASSED */
  bool broken;
  uint8_t ended;   /* enum hd_ep_barrier_status: why a fault ended it; PASSED: it did not */
  uint32_t center; /* rank */
  uint32_t n, n_joined, n_left;
  uint32_t n_released;          /* members that the round under way has released */
  uint32_t n_passed;            /* parts that are so */
  uint64_t ready;               /* first cycle in which a member may arrive */
  uint32_t *members;            /* [n] ranks, ascending; in the same allocation */
  struct hd_ep_barrier parts[]; /* [n] */
};

/** Values under a name, in the order in which they came. */
struct hd_statistic {
  char *name;
  struct hd_world_value *values;
  size_t n, capacity;
};

struct hd_world {
  struct hd_world_params params;
  uint32_t packet_bytes; /* bytes of a message in one packet; 0: packet_flits leaves no room */
  uint64_t now;
  bool stepped; /* `now` is a cycle that was carried out */
  uint32_t n_finished;
  int status; /* once not 0, no software runs any more */
  struct hd_error error;
  bool checking; /* hd_world_check: software stops where it would send or wait */
  struct {
    void (*run)(void *argument); /* NULL: nothing */
    void *argument;
  } outside;        /* a call that the software which has just yielded wants on a larger stack */
  char culprit[64]; /* the parameter to change, as hd_world_check says it; "": not known */
  struct hd_world_counters counters;
  struct hd_calendar calendar;
  struct hd_fiber_pool stacks;
  uint64_t *words;         /* words of the packet under construction */
  struct hd_block *blocks; /* all; */
  struct hd_block *shared; /* blocks with a key: few among many */
  struct hd_barrier_group *groups;
  uint32_t group_numbers;               /* bits: taken */
  struct hd_multicast_group *multicast; /* groups (world_multicast.c) */
  uint32_t trees;                       /* bits: taken */
  uint64_t group_closed; /* cycle from which on no switch knows a group that was ended before */
  struct hd_statistic *statistics;
  uint32_t n_statistics;
  size_t cap_statistics;
  uint32_t *places; /* [cap_places], a power of two: 1 + the number of a statistic; 0: empty */
  uint32_t cap_places;
  struct hd_ep *eps;                /* [nodes] */
  const struct hd_ep *running;      /* the node whose software runs; NULL: none */
  pthread_t thread;                 /* the thread that runs it */
  const unsigned char *is_original; /* 0 in a copy of the process that fork made */
};

/** Bytes of a message that fit into the largest packet; 0: none do. */
uint32_t hd_world_packet_room(const struct hd_world_params *params);

/** A call from where ep's software does not run: from another node's, from a thread, from a handler of signals. */
void hd_ep_refuse_caller(struct hd_ep *ep);
static inline void hd_ep_check_caller(struct hd_ep *ep)
{
  if (ep->world->running != ep || !pthread_equal(ep->world->thread, pthread_self()))
    hd_ep_refuse_caller(ep);
}

/** Leaves ep's software until it is resumed. */
static inline void hd_ep_yield(struct hd_ep *ep)
{
  hd_ep_check_caller(ep);
  hd_fiber_yield(&ep->fiber);
}

/** Lets time pass until `cycle`. Inline: see fiber.h. */
static inline void hd_ep_sleep_until(struct hd_ep *ep, uint64_t cycle, enum hd_ep_state state)
{
  hd_ep_check_caller(ep);
  ep->state = (uint8_t)state;
  ep->since = ep->world->now;
  ep->until = cycle;
  hd_calendar_add(&ep->world->calendar, cycle, ep->rank);
  hd_fiber_yield(&ep->fiber);
}

/** `cycles` from now; the end of time where that is too far. */
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

/** Copies n ranks, ascending, to members. What cannot be members of a group of this kind ("barrier"), such as a rank twice, or
 *  ranks without this one, ends the run; `owned` is freed before. */
void hd_ep_sort_ranks(struct hd_ep *ep, const char *kind, const int *ranks, uint32_t n,
                      uint32_t *members, void *owned);

/** Ends the run if a message cannot have this tag and length. */
void hd_ep_check_message(struct hd_ep *ep, int tag, const void *bytes, size_t n);
/** Waits until so many bytes more may be under way. */
void hd_ep_wait_for_room(struct hd_ep *ep, uint32_t destination, uint32_t bytes);

/** The start-up cost of a call. */
void hd_ep_startup(struct hd_ep *ep);

/** Gives a packet to the network; ends the run if it is refused. */
void hd_ep_hand_over(struct hd_ep *ep, const struct hd_world_packet *packet);

void hd_ep_packets_free(struct hd_ep *ep);

/** Ends the node's software during a check, in which nothing is sent. */
void hd_ep_stop_check(struct hd_ep *ep);

void hd_world_barriers_free(struct hd_world *world);
void hd_world_multicast_free(struct hd_world *world);
void hd_world_statistics_free(struct hd_world *world);

/** From inside of ep's software: ends the run. Does not return. */
void hd_ep_fail(struct hd_ep *ep, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));

/** A message of `destination` may have become whole: hands over what has arrived, wakes who
 *  waited for it. */
void hd_world_arrivals(struct hd_world *world, struct hd_ep *destination,
                       struct hd_channel *channel, uint64_t visible);

#endif
