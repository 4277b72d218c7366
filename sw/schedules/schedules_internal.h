/* Shared by the files of this room: ways, the problem, and plans that become schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCHEDULES_INTERNAL_H
#define HD_SCHEDULES_INTERNAL_H

#include "schedules.h"

#include "../../cmodel/grow.h"

/* ── ways ──────────────────────────────────────────────────────────────────── */

enum { MOST_WAYS = 64 }; /* most ways of a pair of nodes that are listed */

struct way {
  size_t first; /* index in ways->links */
  uint32_t n;
};

/** Ways, the paths of transfers, for all pairs of nodes that were asked for. */
struct ways {
  const struct hd_schedule_network *network;
  struct way *all;
  uint32_t *links;
  size_t n, n_links, capacity, room;
  struct {
    size_t first;
    uint32_t n;
    bool known, cut;   /* cut: there are more than MOST_WAYS */
  } * pairs;           /* [nodes][nodes] */
  uint16_t **distance; /* [nodes] distances of the switches to a node; NULL: not computed yet */
  /** [nodes] number of ways from each switch to a node; NULL: not computed yet */
  uint32_t **counts;
};

void hd_ways_open(struct ways *ways, const struct hd_schedule_network *network);
void hd_ways_close(struct ways *ways);
/** Finds the ways of a pair and returns their number; *first is the index of the first one.
 *  Negative: HD_E_INPUT. */
int hd_ways_of(struct ways *ways, uint32_t from, uint32_t to, size_t *first, struct hd_error *err);
/** Returns true if hd_ways_of did not list all ways of the pair. Then it is not known what all of
 *  them have in common. */
bool hd_ways_are_cut(const struct ways *ways, uint32_t from, uint32_t to);
/** Returns true if a link of a switch is on a shortest way to node `to`. Only with free routes, and
 *  after hd_ways_of to that node. */
bool hd_ways_lead(const struct ways *ways, uint32_t link, uint32_t to);
/** hd_ways_count returns the number of ways of a pair with free routes, listed or not.
 *  hd_ways_add_numbered adds one of them to ways->all, by its number from 0 in the order of the
 *  list. */
uint32_t hd_ways_count(struct ways *ways, uint32_t from, uint32_t to);
size_t hd_ways_add_numbered(struct ways *ways, uint32_t from, uint32_t to, uint32_t number);
/** Adds a way of `n` links that is not listed. Returns its index in ways->all. */
size_t hd_ways_add(struct ways *ways, const uint32_t *links, uint32_t n);
/** Returns true if the link carries only one transfer a step. */
bool hd_way_link_counts(const struct hd_schedule_network *network, uint32_t link);

/* ── the problem ───────────────────────────────────────────────────────────── */

struct problem {
  const struct hd_schedule_network *network;
  const struct hd_messages *messages;
  struct ways ways;
  const struct hd_schedule_options *options;
  double deadline;    /* in seconds of the monotonic clock */
  uint32_t conflicts; /* number of conflicts after which the solver gives up; 0: only time counts */
  bool *taken;        /* [links] scratch memory, all false between uses */
};

/** Prepares *p and *schedule: finds the ways of all messages, and counts the lower bound. Call
 *  hd_problem_close even if it fails. Returns HD_E_INPUT. */
int hd_problem_open(struct problem *p, struct hd_schedule *schedule,
                    const struct hd_schedule_network *network, const struct hd_messages *messages,
                    const struct hd_schedule_options *options, struct hd_error *err);
void hd_problem_close(struct problem *p);
/** Returns true if no link of a way is taken. */
bool hd_way_is_free(const struct problem *p, size_t way);
/** Marks the links of a way that count as taken, or as free. */
void hd_way_mark(struct problem *p, size_t way, bool taken);
bool hd_problem_stopped(const struct problem *p);
/** Returns true if all nodes take part, in the order of their numbers. */
bool hd_problem_is_of_all(const struct problem *p);
/** Returns true if the search must end, because it was stopped or is out of time. */
bool hd_problem_over(const struct problem *p);
void hd_problem_say(const struct problem *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline const uint32_t *problem_to(const struct problem *p, size_t message)
{
  return p->messages->destinations + p->messages->all[message].first;
}

/* ── candidates ────────────────────────────────────────────────────────────── */

struct move {
  uint32_t step, message, from, to;
  size_t way;
};

struct plan {
  struct move *moves;
  size_t n, capacity;
  uint32_t steps;
  char how[128];
};

void hd_plan_add(struct plan *plan, uint32_t step, uint32_t message, uint32_t from, uint32_t to);

/** Raises schedule->bound by counting. */
int hd_bound_count(struct problem *p, struct hd_schedule *schedule, struct hd_error *err);
/** Makes `plan`, whose moves have their ways, the schedule if it has fewer steps. */
void hd_schedule_take_ways(struct problem *p, struct hd_schedule *schedule, struct plan *plan);
/** Makes plan number `number` of patterns.c. Returns false if there are not so many. */
bool hd_pattern_make(const struct problem *p, unsigned number, struct plan *plan);
/** Plans messages to one node each on a Clos network with free routes, with the fewest steps. Does
 *  nothing for other problems. */
int hd_plan_clos(struct problem *p, struct hd_schedule *schedule, struct hd_error *err);
/** Tries all known constructions, until one meets the bound. */
int hd_plan_construct(struct problem *p, struct hd_schedule *schedule, struct hd_error *err);
/** Makes list schedules in random order, until one meets the bound or there were `tries`. */
int hd_plan_greedy(struct problem *p, struct hd_schedule *schedule, uint32_t tries,
                   struct hd_error *err);

enum answer { ANSWER_OPEN, ANSWER_YES, ANSWER_NO, ANSWER_TOO_LARGE };

/** Asks the solver for a schedule with `steps` steps. ANSWER_OPEN: it ran out of time or conflicts.
 *  ANSWER_YES: *schedule is it. ANSWER_NO: there is none; *lemmas lemmas of the proof were checked
 *  (0: the proof is too long, or the check ran out of time). `alike` gives each message a number,
 *  and messages with the same number must be in the same step (only messages to one node each);
 *  ANSWER_NO then says nothing about other schedules. NULL: no such condition. */
int hd_solver_ask(struct problem *p, struct hd_schedule *schedule, uint32_t steps,
                  const uint32_t *alike, enum answer *answer, uint64_t *lemmas,
                  struct hd_error *err);

#endif
