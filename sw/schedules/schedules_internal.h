/* Types and functions that the files of this room share: ways, a problem, candidates for schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SCHEDULES_INTERNAL_H
#define HD_SCHEDULES_INTERNAL_H

#include "schedules.h"

#include "../../cmodel/grow.h"

/* ── ways ──────────────────────────────────────────────────────────────────── */

enum { MOST_WAYS = 64 }; /* of a pair of nodes that are listed */

struct way {
  size_t first; /* of ways->links */
  uint32_t n;
};

/** Ways of all pairs that were asked for. */
struct ways {
  const struct hd_schedule_network *network;
  struct way *all;
  uint32_t *links;
  size_t n, n_links, capacity, room;
  struct {
    size_t first;
    uint32_t n;
    bool known, cut;   /* cut: it has more than MOST_WAYS */
  } * pairs;           /* [nodes][nodes] */
  uint16_t **distance; /* [nodes]: of each switch to that node; NULL: not known yet */
  uint32_t **counts;   /* [nodes]: of ways from each switch to that node; likewise */
};

void hd_ways_open(struct ways *ways, const struct hd_schedule_network *network);
void hd_ways_close(struct ways *ways);
/** Finds the ways of a pair and returns their number; *first is the number of the first one.
 *  Negative: HD_E_INPUT. */
int hd_ways_of(struct ways *ways, uint32_t from, uint32_t to, size_t *first, struct hd_error *err);
/** After hd_ways_of: are these not all of its ways? Then nothing can be said of what all have in common. */
bool hd_ways_are_cut(const struct ways *ways, uint32_t from, uint32_t to);
/** After hd_ways_of a pair with free routes: is this link of a switch on a shortest way from there to node `to`? */
bool hd_ways_lead(const struct ways *ways, uint32_t link, uint32_t to);
/** With free routes: the number of routes of a pair, listed or not. hd_ways_add_numbered adds one
 *  of them to ways->all, by its number from 0 in the order of the list. */
uint32_t hd_ways_count(struct ways *ways, uint32_t from, uint32_t to);
size_t hd_ways_add_numbered(struct ways *ways, uint32_t from, uint32_t to, uint32_t number);
/** One more way, of n links, that no list has: its number in ways->all. */
size_t hd_ways_add(struct ways *ways, const uint32_t *links, uint32_t n);
/** Returns true if the link carries only one transfer a step. */
bool hd_way_link_counts(const struct hd_schedule_network *network, uint32_t link);

/* ── the problem ───────────────────────────────────────────────────────────── */

struct problem {
  const struct hd_schedule_network *network;
  const struct hd_messages *messages;
  struct ways ways;
  const struct hd_schedule_options *options;
  double deadline;    /* seconds of the monotonic clock */
  uint32_t conflicts; /* after which the solver gives up; 0: only time counts */
  bool *taken;        /* [links]: scratch, all false between uses */
};

/** Begins *schedule and *p: the network's ways, which are there for all messages, and the counted bound.
 *  hd_problem_close after failures, too. HD_E_INPUT. */
int hd_problem_open(struct problem *p, struct hd_schedule *schedule,
                    const struct hd_schedule_network *network, const struct hd_messages *messages,
                    const struct hd_schedule_options *options, struct hd_error *err);
void hd_problem_close(struct problem *p);
double hd_schedule_clock(void);
bool hd_problem_stopped(const struct problem *p);
/** Returns true if all nodes take part, in the order of their numbers. */
bool hd_problem_is_of_all(const struct problem *p);
/** Returns true if the search must end: it was stopped, or is out of time. */
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

/** Raises schedule->bound by what is counted. */
int hd_bound_count(struct problem *p, struct hd_schedule *schedule, struct hd_error *err);
/** Takes `plan`, whose moves have their ways, as the schedule if it has fewer steps. */
void hd_schedule_take_ways(struct problem *p, struct hd_schedule *schedule, struct plan *plan);
/** The plans of patterns.c, one after the other: false when there are no more. */
bool hd_pattern_make(const struct problem *p, unsigned number, struct plan *plan);
/** Messages to one node each on a Clos network with free routes: takes the fewest steps; nothing on others. */
int hd_plan_clos(struct problem *p, struct hd_schedule *schedule, struct hd_error *err);
/** All known constructions, until one meets the bound. */
int hd_plan_construct(struct problem *p, struct hd_schedule *schedule, struct hd_error *err);
/** List schedules by random order, until one meets the bound or `tries` are made. */
int hd_plan_greedy(struct problem *p, struct hd_schedule *schedule, uint32_t tries,
                   struct hd_error *err);

enum answer { ANSWER_OPEN, ANSWER_YES, ANSWER_NO, ANSWER_TOO_LARGE };

/** Is there a schedule of so many steps? OPEN: out of time, or of conflicts. YES: it was taken. NO: *lemmas of the
 *  proof are checked (0: it is too long, or the check ran out of time). `alike`: by message, those of one number in one
 *  step (only messages to one node each); NO then says nothing of other schedules. NULL: any steps. */
int hd_solver_ask(struct problem *p, struct hd_schedule *schedule, uint32_t steps,
                  const uint32_t *alike, enum answer *answer, uint64_t *lemmas,
                  struct hd_error *err);

#endif
