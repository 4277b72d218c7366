/* Schedules of collective communication: the fewest steps in which no two messages share a link.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A *message* starts at one node and is for one or more other nodes. In each step, nodes transfer
 * messages. A transfer takes all links of its path for the whole step (wormhole switching), and no
 * link carries two transfers in a step. A node has one link into the fabric and one out of it, so
 * in a step it sends at most one message and receives at most one. With `all_port`, these two links
 * do not count. A node that has received a message in an earlier step may forward it. Only a
 * message's destinations receive it.
 *
 * The problem is that of the paper on schedules for multistage networks (Jaroš et al.). The paper
 * searches by evolution. hd_schedule_find uses known constructions, or a SAT solver. It gives a
 * lower bound with the reason: a count at nodes, links and cuts of the network, or a formula that
 * the solver has found unsatisfiable, with a proof that proof.c checks. hd_schedule_evolve is the
 * paper's evolution.
 *
 * sw/contention/schedule_check.h checks the schedules. It shares no code with this room.
 *
 * Reading order: messages.c (messages to send), ways.c (their paths), bound.c, construct.c (known
 * constructions), patterns.c, clos.c, greedy.c, sat.c (formula and solver), proof.c, solve.c (how
 * these are combined), chromosome.h and evolve.c (the evolution), write.c.
 */
#ifndef HD_SCHEDULES_H
#define HD_SCHEDULES_H

#include "../../bridge/host/text.h"
#include "../../cmodel/routing/routing.h"

/* ── messages ────────────────────────────────────────────────────────────── */

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

/** Returns the name of an exchange, "one-to-all-broadcast" …; NULL if there is no such number. */
const char *hd_exchange_name(unsigned kind);
/** Finds an exchange by its name or short name. HD_EXCHANGES: there is none of that name. */
enum hd_exchange hd_exchange_find(const char *name);

struct hd_message {
  uint32_t source, n; /* n: number of destinations, which begin at destinations[first] */
  size_t first;
};

/** A list of messages. It is empty if zeroed; freed by hd_messages_fini. */
struct hd_messages {
  struct hd_message *all; /* owned */
  /** owned; those of a message differ from each other and from its source */
  uint32_t *destinations;
  size_t n, n_destinations, capacity, room; /* room: capacity of destinations */
  enum hd_exchange kind;                    /* HD_EXCHANGES: the messages are from a file */
  uint32_t root;                            /* a node */
  /** owned; the nodes that take part in a collective, in order */
  uint32_t *members, n_members;
};

/** Makes the messages of a collective on `nodes` nodes. Returns HD_E_INPUT if there is no such
 *  root. */
int hd_messages_make(struct hd_messages *messages, enum hd_exchange kind, uint32_t nodes,
                     uint32_t root, struct hd_error *err);
/** Makes the messages among `n` different nodes; `root` is an index into the list, 0 … n − 1.
 *  Messages are in the order of the members that send them, and then of those that receive them. */
int hd_messages_make_among(struct hd_messages *messages, enum hd_exchange kind,
                           const uint32_t *members, uint32_t n, uint32_t root,
                           struct hd_error *err);
/** Reads CSV: a line has the source and the destinations of a message; several destinations are a
 *  multicast. Blank lines, and lines that begin with # or with "source", are skipped. Returns
 *  HD_E_INPUT, with `name` and the line. */
int hd_messages_parse(struct hd_messages *messages, const char *text, size_t length,
                      const char *name, uint32_t nodes, struct hd_error *err);
void hd_messages_fini(struct hd_messages *messages);

/* ── the network ───────────────────────────────────────────────────────────── */

/** The network. Links are numbered: switch · ports + port is the output of a switch, and n_switches
 *  · ports + node is the link from a node into the fabric. */
struct hd_schedule_network {
  const struct hd_topology *topology;
  const struct hd_tables *tables; /* paths are those of these tables; NULL: any shortest path */
  /** [links] links that have failed; NULL: none. Only without tables */
  const bool *failed;
  bool all_port;
};

size_t hd_schedule_links(const struct hd_topology *topology);
/** Writes the name of a link: "n4" for a node's link, "s3:1" for a switch's port. */
void hd_schedule_link_name(const struct hd_topology *topology, uint32_t link, char *text,
                           size_t size);

/* ── schedules ─────────────────────────────────────────────────────────────── */

struct hd_transfer {
  uint32_t step, message, from, to; /* the first step is 0 */
  uint32_t n_links;
  size_t first_link; /* index in links[] */
};

struct hd_schedule {
  struct hd_transfer *transfers; /* owned, sorted by step */
  uint32_t *links;               /* owned */
  size_t n, n_links, capacity, room;
  uint32_t steps;   /* 0: no schedule was found */
  uint32_t bound;   /* lower bound of the steps */
  char how[128];    /* how the schedule was found: "in step t, node i sends to i + t" */
  char reason[512]; /* of the bound */
  char open[512];   /* what was not tried or not proved, and why; "" if steps = bound */
  bool by_solver;   /* the solver has found the bound */
  uint64_t lemmas;  /* lemmas of the proof that was checked; 0: no proof was checked */
};

struct hd_schedule_options {
  double seconds; /* real time for the search; 0: no search, only constructions */
  bool solver;    /* the SAT solver may be used */
  /* The result depends only on network and messages. Time decides only whether there is a result: a
   * search that runs out of time has no schedule that is proved to have the fewest steps. */
  bool repeatable;
  /** formulas and proofs are written to this directory; NULL: they are not written */
  const char *proof_directory;
  bool (*stop)(void *context);                  /* may be NULL */
  void (*say)(void *context, const char *text); /* reports progress; may be NULL */
  void *context;
};

enum { HD_SCHEDULE_NODES = 1024 }; /* largest number of nodes */

/** Finds a schedule, and the best lower bound that it can. If time runs out, or if it is stopped
 *  (HD_E_INTERRUPTED), *schedule is the best so far. Returns HD_E_INPUT if a message has no path or
 *  the problem is too large; also HD_E_TOOL and HD_E_IO. The caller calls hd_schedule_fini in all
 *  cases. */
int hd_schedule_find(struct hd_schedule *schedule, const struct hd_schedule_network *network,
                     const struct hd_messages *messages, const struct hd_schedule_options *options,
                     struct hd_error *err);

/** The paper's evolution (evolve.c, chromosome.h). */
struct hd_evolution {
  uint64_t seed, evaluations; /* evaluations of the fitness for each number of steps, at least 1 */
  uint32_t steps;             /* only this number of steps; 0: from the bound upwards */
};

/** The effort of an evolution. */
struct hd_evolved {
  /** evaluations of all attempts; fewest conflicts of the last attempt that failed */
  uint64_t evaluations, conflicts;
  /** numbers of steps that were tried; the last one that failed, 0: none */
  uint32_t attempts, failed_steps;
};

/** Finds a schedule by evolution. Seed, evaluations and steps decide the result. If
 *  options->seconds is not 0, it may end earlier; so may options->stop. The bound is the counted
 *  one. If conflicts are left, steps are split, so *schedule is always a schedule. Returns
 *  HD_E_INTERRUPTED if it was stopped (*schedule is complete if its steps are not 0), or HD_E_INPUT
 *  if a message has no path, or there are too many transfers or steps. The caller calls
 *  hd_schedule_fini in all cases. */
int hd_schedule_evolve(struct hd_schedule *schedule, const struct hd_schedule_network *network,
                       const struct hd_messages *messages,
                       const struct hd_schedule_options *options,
                       const struct hd_evolution *evolution, struct hd_evolved *evolved,
                       struct hd_error *err);
void hd_schedule_fini(struct hd_schedule *schedule);

/** Writes CSV of step,message,source,destination,links. The first step is 1; links are names with
 *  blanks between them. */
void hd_schedule_csv(const struct hd_schedule *schedule, const struct hd_topology *topology,
                     struct hd_text *text);
/** Draws a schedule as SVG: a column for each step, a row for each link, a colour for the source of
 *  each message. */
void hd_schedule_svg(const struct hd_schedule *schedule, const struct hd_topology *topology,
                     const struct hd_messages *messages, const char *title, struct hd_text *text);

#endif
