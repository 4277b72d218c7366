/* A sweep's points, as its plan and its tables see them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWEEP_INTERNAL_H
#define HD_SWEEP_INTERNAL_H

#include "../../cmodel/switch/params.h"
#include "../render/render.h"
#include "sweep.h"

enum {
  HD_SWEEP_STEPS = 40, /* most steps of a search for saturation: both ends, then halves */
  HD_SWEEP_LEAST = 3,  /* seeds before precision counts */
};

/** A point: a combination of the axes' values and, in a search, a value of the searched key. */
struct hd_point {
  uint32_t combination, step;
  uint64_t place;        /* in a search: number of steps from the lower end of the range */
  double searched;       /* the key's value there */
  uint32_t given, ended; /* seeds */
  uint32_t accepted, saturated, failed;
  double *latencies;   /* [seeds]: mean latency, by seed */
  double *half_widths; /* [seeds]: of its interval within the run; NaN: not known */
  char *why;           /* owned; its verdict in words; NULL: its runs have not been read */
  uint32_t group; /* in hd_sweep.groups; HD_SWEEP_NO_GROUP: not known yet, or its DUT is not free */
  uint32_t switches; /* of its fabric, where it has a group */
};
enum { HD_SWEEP_NO_GROUP = UINT32_MAX };

/** Verdict of all runs of a point on its load. */
enum hd_point_verdict {
  HD_POINT_OPEN, /* undecided, or the runs have no load that is judged */
  HD_POINT_ACCEPTED,
  HD_POINT_SATURATED,
  HD_POINT_FAILED,
};

/* ── which backend runs have where nobody asked for one (lanes.c) ──────────── */

#define HD_SWEEP_LANES "lanes" /* --dut lanes */
enum { HD_SWEEP_PACE = 8 };

/** Seconds of the last runs on a backend, without those in which it was opened and built. */
struct hd_sweep_pace {
  double seconds[HD_SWEEP_PACE];
  uint64_t n; /* number of all runs */
};

enum hd_sweep_group_state {
  HD_SWEEP_ON_VERILATOR, /* lanes are not worth their build so far, or that is not known yet */
  HD_SWEEP_LOOKING,      /* checks whether lanes are built already */
  HD_SWEEP_BUILDING,
  HD_SWEEP_IN_LANES,
  HD_SWEEP_SLOWER,  /* runs have shown that lanes are slower */
  HD_SWEEP_REFUSED, /* by lanes, or by what builds them */
};

/** Points whose runs could have one DUT. */
struct hd_sweep_group {
  struct hd_switch_params sw;
  uint32_t switches; /* of a DUT, as the width of a word depends on it */
  enum hd_sweep_group_state state;
  bool looked;
  double build_seconds; /* of lanes; < 0: not built here */
  struct hd_sweep_pace verilator, lanes;
  char *refusal; /* owned */
};

/** Seconds by which `left` runs end sooner if lanes are built beside them and then take the rest; <
 *  0: they end later. verilator, lanes: seconds of a run. */
double hd_sweep_gain(uint64_t left, uint32_t workers, double verilator, double lanes, double build);

struct hd_sweep_build;

struct hd_sweep {
  const struct hd_sweep_params *params;
  char *text, *name; /* text and name of the scenario */
  uint64_t first_seed;
  uint32_t together; /* runs that share a DUT; 0 or 1: none do */
  uint32_t combinations;
  struct hd_point *points; /* [n], in order of their creation */
  size_t n, capacity;
  struct hd_text files; /* contents of the files that the first point names */
  struct hd_text definition, identity;
  /* Seeds to be handed out: those of each new point, in turn, and then one by one. */
  size_t next_point;
  uint32_t next_seed;
  size_t *wanting; /* [n_wanting] points that want one more seed */
  size_t n_wanting, capacity_wanting;
  char *task_text;               /* text of the task handed out last */
  size_t task_point;             /* point of that task */
  struct hd_sweep_group *groups; /* [n_groups] */
  size_t n_groups, capacity_groups;
  size_t grouped; /* number of points, from the first on, that have a group */
  uint32_t workers;
  double build_seconds;         /* estimate for a build of lanes */
  double least_gain_seconds;    /* a smaller gain is not worth a build */
  bool waits_for_lanes;         /* runs are handed out when a build has ended */
  struct hd_sweep_build *build; /* under way or looked for; NULL: never was one */
};

/** The scenario of a point and a seed; to be freed. */
int hd_sweep_point_text(struct hd_sweep *sweep, const struct hd_point *point, uint32_t seed,
                        char **text, struct hd_error *err);
/** Seeds that a point gets in any case. */
uint32_t hd_sweep_sure_seeds(const struct hd_sweep *sweep);

void hd_sweep_lanes_begin(struct hd_sweep *sweep, const struct hd_campaign *campaign);
/** Decides whether lanes are worth building, starts a build if they are, and notices builds that
 *  have ended. Returns how many runs, from the one handed out last on, go side by side. */
uint32_t hd_sweep_together(void *sweep);
/** Tests whether the runs of a point have lanes now. False if `point` is NULL. */
bool hd_sweep_has_lanes(const struct hd_sweep *sweep, const struct hd_point *point);
/** Notes the time of a run. */
void hd_sweep_lanes_ended(struct hd_sweep *sweep, struct hd_point *point,
                          const struct hd_task_outcome *outcome);
void hd_sweep_lanes_fini(struct hd_sweep *sweep);
/** The reason why the runs of a group have their backend, in words that do not depend on the
 *  machine's speed. */
const char *hd_sweep_lanes_why(const struct hd_sweep_group *group);
/** Adds the group's switch in a few words. */
void hd_sweep_lanes_switch(const struct hd_sweep_group *group, struct hd_text *text);

/** The key of an outcome's hd_coverage_word. */
#define HD_SWEEP_COVERAGE "coverage"
/** The key of the seconds in which its backend was opened and built. */
#define HD_SWEEP_OPENED "opened"

/** The place of a run in the order of content: its point's combination and step, then its seed. */
void hd_sweep_place(uint64_t order, uint32_t *combination, uint32_t *step, uint32_t *seed);
/** The value of an axis in a combination. */
const char *hd_sweep_value(const struct hd_sweep *sweep, uint32_t combination, uint32_t axis);
/** The point that has been created; NULL: none has. */
struct hd_point *hd_sweep_find(struct hd_sweep *sweep, uint32_t combination, uint32_t step);
/** Returns the verdict on a point: failed if one run has failed, otherwise the verdict of more than
 * half of its runs. */
enum hd_point_verdict hd_point_verdict(const struct hd_point *point);
/** Returns "mean" or "ci95" of a result of a point; NaN: there is no value. */
double hd_sweep_result(const json_t *point, const char *key, const char *member);
/** A searched value as text. */
void hd_sweep_number(double value, char text[40]);

#endif
