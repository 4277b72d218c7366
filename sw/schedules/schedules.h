/* Schedules of collective communication: the fewest steps without two messages on one link.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A *message* starts at one node and is for one or more other nodes. In each step nodes transfer messages; a
 * transfer takes all links of its way for the whole step (wormhole switching), and no link carries two
 * transfers in a step. A node has one link into the fabric and one out of it, so it sends one message and
 * receives one message in a step; with `all_port` these two links are not counted. A node that has received
 * a message in an earlier step may pass it on. Only destinations of a message receive it.
 *
 * From the paper on schedules for multistage networks (Jaroš et al.; charter, D2). Where that one searches by
 * evolution, hd_schedule_find takes a known construction, or asks a SAT solver. A lower bound comes with its
 * reason: counted at nodes, links and cuts of the network, or a formula that the solver has found
 * unsatisfiable, with a proof that proof.c checks. hd_schedule_evolve is the paper's evolution.
 *
 * sw/contention/schedule_check.h checks the schedules. It shares no code with this room.
 *
 * Reading order: messages.c (what is to be sent), ways.c (by which links), bound.c, construct.c (known
 * constructions), patterns.c, clos.c, greedy.c, sat.c (formula and solver), proof.c, solve.c (all of it), chromosome.h
 * and evolve.c (the evolution), write.c.
 */
#ifndef HD_SCHEDULES_H
#define HD_SCHEDULES_H

#include "../../bridge/host/text.h"
#include "../../cmodel/routing/routing.h"

/* ── what is to be sent ────────────────────────────────────────────────────── */

/** X(KIND, name, short name, help) */
#define HD_EXCHANGE_LIST(X)                                                                    \
  X(ONE_TO_ALL_BROADCAST, "one-to-all-broadcast", "oab", "the root sends one message to all")  \
  X(ONE_TO_ALL_SCATTER, "one-to-all-scatter", "oas", "the root sends another message to each") \
  X(ALL_TO_ONE_GATHER, "all-to-one-gather", "aog", "each node sends a message to the root")    \
  X(ALL_TO_ALL_BROADCAST, "all-to-all-broadcast", "aab", "each node sends one message to all") \
  X(ALL_TO_ALL_SCATTER, "all-to-all-scatter", "aas", "each node sends another message to each")

#define HD_EXCHANGE_MEMBER(KIND, name, abbreviation, help) HD_EXCHANGE_##KIND,
enum hd_exchange { HD_EXCHANGE_LIST(HD_EXCHANGE_MEMBER) HD_EXCHANGES };
#undef HD_EXCHANGE_MEMBER

/** "one-to-all-broadcast" …; NULL beyond the last. */
const char *hd_exchange_name(unsigned kind);
/** Finds an exchange by its name or short name; HD_EXCHANGES: there is none of that name. */
enum hd_exchange hd_exchange_find(const char *name);

struct hd_message {
  uint32_t source, n; /* n destinations: destinations[first] … */
  size_t first;
};

/** Zeroed is empty; freed by hd_messages_fini. */
struct hd_messages {
  struct hd_message *all;                   /* owned */
  uint32_t *destinations;                   /* owned; of a message all different, none its source */
  size_t n, n_destinations, capacity, room; /* room: of destinations */
  enum hd_exchange kind;                    /* HD_EXCHANGES: from a file */
  uint32_t root;                            /* a node */
  uint32_t *members, n_members;             /* owned; of a collective: who takes part, in order */
};

/** The messages of a collective on `nodes` nodes. HD_E_INPUT: there is no such root. */
int hd_messages_make(struct hd_messages *messages, enum hd_exchange kind, uint32_t nodes,
                     uint32_t root, struct hd_error *err);
/** Makes the messages among n different nodes; `root` is a number of this list, 0 … n − 1. Message i is that of member i where
 *  each sends one message, and likewise in their order where they send or get more. */
int hd_messages_make_among(struct hd_messages *messages, enum hd_exchange kind,
                           const uint32_t *members, uint32_t n, uint32_t root,
                           struct hd_error *err);
/** Reads CSV: a line is the source and the destinations of a message. Lines that are blank, begin with # or
 *  with "source" are skipped. A pair is a message to one node, a longer line a multicast. HD_E_INPUT, with
 *  `name` and the line. */
int hd_messages_parse(struct hd_messages *messages, const char *text, size_t length,
                      const char *name, uint32_t nodes, struct hd_error *err);
void hd_messages_fini(struct hd_messages *messages);

/* ── the network ───────────────────────────────────────────────────────────── */

/** Links are numbered: switch · ports + port for a switch's output, then n_switches · ports + node for a
 *  node's way into the fabric. */
struct hd_schedule_network {
  const struct hd_topology *topology;
  const struct hd_tables *tables; /* ways of these tables; NULL: any shortest way */
  const bool *failed;             /* by link; NULL: none. Only without tables */
  bool all_port;
};

size_t hd_schedule_links(const struct hd_topology *topology);
/** "n4", "s3:1": a node's link, and a switch's port. */
void hd_schedule_link_name(const struct hd_topology *topology, uint32_t link, char *text,
                           size_t size);

/* ── schedules ─────────────────────────────────────────────────────────────── */

struct hd_transfer {
  uint32_t step, message, from, to; /* steps from 0 */
  uint32_t n_links;
  size_t first_link; /* of links[] */
};

struct hd_schedule {
  struct hd_transfer *transfers; /* owned, in order of step */
  uint32_t *links;               /* owned */
  size_t n, n_links, capacity, room;
  uint32_t steps;   /* 0: none was found */
  uint32_t bound;   /* no schedule has fewer */
  char how[128];    /* "shifts: in step t, node i sends to i + t" */
  char reason[512]; /* of the bound */
  char open[512];   /* says what was not tried or proved, and why; "" when steps = bound */
  bool by_solver;   /* the bound is the solver's */
  uint64_t lemmas;  /* lemmas of the checked proof; 0: no proof was checked */
};

struct hd_schedule_options {
  double seconds; /* for the search; 0: constructions alone, no search */
  bool solver;    /* the SAT solver may be asked */
  /* The result depends on network and messages alone. Time decides only whether it is found: a search that ends
   * for lack of time has no schedule that is proved to have the fewest steps. */
  bool repeatable;
  const char *proof_directory; /* formulas and proofs are written there; NULL: nowhere */
  bool (*stop)(void *context); /* may be NULL */
  void (*say)(void *context, const char *text); /* progress, may be NULL */
  void *context;
};

enum { HD_SCHEDULE_NODES = 1024 }; /* of a network, at most */

/** Finds a schedule, and the largest lower bound that it can. The best so far stays when time is over, or
 *  when it is stopped (HD_E_INTERRUPTED, and *schedule is whole). HD_E_INPUT: a message has no way, or the
 *  problem is too large; HD_E_TOOL, HD_E_IO. hd_schedule_fini frees it after all of these. */
int hd_schedule_find(struct hd_schedule *schedule, const struct hd_schedule_network *network,
                     const struct hd_messages *messages, const struct hd_schedule_options *options,
                     struct hd_error *err);

/** The paper's way (evolve.c, chromosome.h). */
struct hd_evolution {
  uint64_t seed, evaluations; /* evaluations of the fitness for each number of steps, at least 1 */
  uint32_t steps;             /* this number of steps alone; 0: from the bound upwards */
};

/** Effort of an evolution. */
struct hd_evolved {
  uint64_t evaluations, conflicts; /* of all attempts; the fewest of the last one that failed */
  uint32_t attempts, failed_steps; /* numbers of steps; that of the last one that failed, 0: none */
};

/** Finds a schedule by evolution. Seed, evaluations and steps decide the result; options->seconds, if it is not 0,
 *  ends it earlier, as options->stop does. The bound is that of counting. If conflicts are left, steps are split,
 *  so that *schedule is one nevertheless. HD_E_INTERRUPTED: stopped, *schedule is whole if steps is not 0;
 *  HD_E_INPUT: a message has no way, or there are too many transfers or steps. hd_schedule_fini frees
 *  it after all of these. */
int hd_schedule_evolve(struct hd_schedule *schedule, const struct hd_schedule_network *network,
                       const struct hd_messages *messages,
                       const struct hd_schedule_options *options,
                       const struct hd_evolution *evolution, struct hd_evolved *evolved,
                       struct hd_error *err);
void hd_schedule_fini(struct hd_schedule *schedule);

/** CSV of step,message,source,destination,links: steps from 1, `links` by name with blanks between. */
void hd_schedule_csv(const struct hd_schedule *schedule, const struct hd_topology *topology,
                     struct hd_text *text);
/** A picture: a column a step, a row a link, a colour a message's source. */
void hd_schedule_svg(const struct hd_schedule *schedule, const struct hd_topology *topology,
                     const struct hd_messages *messages, const char *title, struct hd_text *text);

#endif
