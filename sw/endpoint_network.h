/* The endpoint API: links, order of nodes, and schedules.
 * SPDX-License-Identifier: Apache-2.0
 *
 * For software that chooses its messages by the network's links, or causes congestion in it. These
 * calls need the network, as a send does; so hd_ep_reject must be called before them.
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

/** A link over which messages of a node leave its switch, and what it takes to fill it. */
struct hd_ep_link {
  int links;         /* number of links by which they may go; 0: they do not leave the switch */
  int node;          /* a node on the switch at the end of one of these links, to which packets of
                            the sender go by this link only; −1: there is none */
  uint32_t channels; /* virtual channels of a link that packets may take */
  uint32_t depth_flits; /* flits of each channel's buffer */
  uint64_t pass_cycles; /* after which `channels` packets of 2·depth_flits flits, handed over at
                            once, have arrived at `node` or are blocked, if nothing else is under way */
};

/** The link for packets from rank to rank. */
struct hd_ep_link hd_ep_link(struct hd_ep *ep, int source, int destination);
/** The link for reductions of a member of a group, from its second round on (specification §8.4). */
struct hd_ep_link hd_ep_barrier_link(struct hd_ep *ep, const struct hd_ep_barrier *barrier,
                                     int member);
/** Finds, of n different ranks, the one with the shortest distance in links to the farthest of them; the lowest rank
 *  among equals. */
int hd_ep_middle(struct hd_ep *ep, const int *ranks, int n);
/** All ranks in the order of a depth-first walk along the breadth-first tree from switch 0, lower numbers
 *  first. order[hd_ep_size(ep)]. */
void hd_ep_order(struct hd_ep *ep, int *order);

/** Coordinates of nodes, where the network is a mesh, a torus or a hypercube: the coordinate in dimension 0 counts
 *  first in a rank (specification §5.1). */
struct hd_ep_grid {
  int n_dims, dims[8];
  bool torus; /* the ends of each dimension are linked, too */
};
/** False: the network has no coordinates, or more dimensions. */
bool hd_ep_grid(struct hd_ep *ep, struct hd_ep_grid *grid);

/** Exchanges among the members of a list of ranks for which a schedule can be found. */
enum hd_ep_exchange {
  HD_EP_BROADCAST, /* the root's message to all */
  HD_EP_SCATTER,   /* the root's messages, another one to each */
  HD_EP_GATHER,    /* a message of each to the root */
  HD_EP_ALLGATHER, /* each one's message to all */
  HD_EP_ALLTOALL,  /* from each another message to each */
};

/** A transfer of a schedule; members by their numbers in the request. */
struct hd_ep_transfer {
  uint32_t step, from, to;
  uint32_t
      origin; /* the node whose message it is; not `from` where that one got it in an earlier step */
};

/** Steps in which no two messages share a link, if all go by the routing tables. A member sends one message and
 *  receives one in a step. */
struct hd_ep_schedule {
  uint32_t steps; /* 0: there is none, and `why` says why */
  uint32_t least; /* no schedule has fewer */
  uint32_t n;
  const struct hd_ep_transfer *transfers; /* [n], in order of step; the run's */
  char why[256];                          /* how it was found, or why the fewest are not known */
};

struct hd_ep_schedule_request {
  enum hd_ep_exchange exchange;
  const int *ranks; /* n ≥ 2 different ones */
  int n, root;      /* root: a number in the list */
  /* The time in which a SAT solver may look for a schedule with the fewest steps. 0: only known
   * constructions, or else a list schedule, which may have more steps than `least`. Time decides
   * only whether the fewest are proved: if they are, every machine finds the same schedule. */
  double seconds;
};

/** Looks for a schedule. The search takes no simulated time but real time, so nodes should share one (hd_ep_shared).
 *  After a fault that changes ways, messages of a step may share links. */
void hd_ep_schedule(struct hd_ep *ep, const struct hd_ep_schedule_request *request,
                    struct hd_ep_schedule *schedule);

#endif
