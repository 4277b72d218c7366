/* The endpoint API: links, coordinates and schedules of the network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * These calls are for software that plans its messages by the network's links, or that causes
 * congestion in it. Like a send, they work only in a run, not while parameters are checked. So a
 * program must call hd_ep_reject before them.
 *
 * sw/endpoint.h includes this header.
 */
#ifndef HD_ENDPOINT_NETWORK_H
#define HD_ENDPOINT_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_ep;         /* this node (endpoint.h) */
struct hd_ep_barrier; /* a group (endpoint_barrier.h) */

/** A link by which messages of a node leave its switch, and what fills it. */
struct hd_ep_link {
  int links; /* number of links that these messages can take; 0: they stay in the switch */
  /** a node at the other end of one of these links, to which packets of the sender take this link
   *  only; −1: there is none */
  int node;
  uint32_t channels;    /* number of virtual channels of the link that packets may use */
  uint32_t depth_flits; /* buffer of each channel, in flits */
  /** `channels` packets of 2·depth_flits flits, sent at once in an idle network, have arrived at
   *  `node` or are blocked after so many cycles */
  uint64_t pass_cycles;
};

/** Returns the link that packets from `source` to `destination` take out of the source's switch. */
struct hd_ep_link hd_ep_link(struct hd_ep *ep, int source, int destination);
/** Returns the link that reductions of a member of the group take, from the second round on
 *  (specification §8.4). */
struct hd_ep_link hd_ep_barrier_link(struct hd_ep *ep, const struct hd_ep_barrier *barrier,
                                     int member);
/** Returns the middle of `n` different ranks: the one with the shortest distance, in links, to the
 *  rank farthest from it. Of several such ranks, returns the lowest. */
int hd_ep_middle(struct hd_ep *ep, const int *ranks, int n);
/** Writes all ranks to order[hd_ep_size(ep)], in the order of a depth-first walk of the
 *  breadth-first tree from switch 0. Lower numbers come first. */
void hd_ep_order(struct hd_ep *ep, int *order);

/** The shape of a mesh, torus or hypercube. The coordinate in dimension 0 changes fastest with the
 *  rank (specification §5.1). */
struct hd_ep_grid {
  int n_dims, dims[8];
  bool torus; /* the two ends of each dimension are linked */
};
/** Writes the shape of the network. Returns false if its nodes have no coordinates, or more than 8
 *  dimensions. */
bool hd_ep_grid(struct hd_ep *ep, struct hd_ep_grid *grid);

/** A pattern of messages among the members of a list of ranks, for which a schedule can be
 *  searched. */
enum hd_ep_exchange {
  HD_EP_BROADCAST, /* one message of the root to all */
  HD_EP_SCATTER,   /* a different message of the root to each */
  HD_EP_GATHER,    /* one message of each to the root */
  HD_EP_ALLGATHER, /* one message of each to all */
  HD_EP_ALLTOALL,  /* a different message of each to each */
};

/** One transfer of a schedule. Its members are indices into the request's list of ranks. */
struct hd_ep_transfer {
  uint32_t step, from, to;
  /** the member whose message it is; differs from `from` if that member forwards it */
  uint32_t origin;
};

/** A schedule: in each step, a member sends at most one message and receives at most one. If
 *  packets follow the routing tables, no two messages of a step share a link. */
struct hd_ep_schedule {
  uint32_t steps; /* 0: there is no schedule; `why` has the reason */
  uint32_t least; /* lower bound: no schedule has fewer steps */
  uint32_t n;
  const struct hd_ep_transfer *transfers; /* [n], sorted by step; the run owns them */
  /** how it was found, or why the least number of steps is not known */
  char why[256];
};

struct hd_ep_schedule_request {
  enum hd_ep_exchange exchange;
  const int *ranks; /* [n], n ≥ 2 different ranks */
  int n, root;      /* root: an index into the list */
  /* Real time, in seconds, that a SAT solver may take to find a schedule with the fewest steps.
   * With 0, the schedule comes from a known construction, or else from a list scheduler and may
   * have more steps than `least`. The time decides only whether the solver finishes: if it does,
   * every machine finds the same schedule. */
  double seconds;
};

/** Searches for a schedule. The search takes real time, but no simulated time, so nodes should
 *  share one result (hd_ep_shared). If a fault changes routes afterwards, messages of one step may
 *  share links. */
void hd_ep_schedule(struct hd_ep *ep, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *schedule);

#endif
