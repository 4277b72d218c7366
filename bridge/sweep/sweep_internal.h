/* Types and functions that the files of this room share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWEEP_INTERNAL_H
#define HD_SWEEP_INTERNAL_H

#include "../../cmodel/switch/params.h"
#include "../render/render.h"
#include "sweep.h"

enum {
  HD_SWEEP_STEPS = 40, /* largest number of steps of a search: both ends, then halves */
  HD_SWEEP_LEAST = 3,  /* seeds of a point before `precision` counts */
};

/** A point: a combination of the axes' values and, in a search, a value of the searched key. */
struct hd_point {
  uint32_t combination, step;
  uint64_t index;          /* in a search: steps of the range from its lower end */
  double searched;         /* value of the searched key */
  uint32_t started, ended; /* seeds handed out; seeds that have ended */
  uint32_t accepted, saturated, failed;
  double *latencies;   /* [seeds]: mean latency of each seed */
  double *half_widths; /* [seeds]: half width of its interval within the run; NaN: not known */
  char *why;           /* owned; the reason of its verdict; NULL: its runs have not been read */
  /* Index into hd_sweep.groups. HD_SWEEP_NO_GROUP: not known yet, or the user has named a DUT. */
  uint32_t group;
  uint32_t switches; /* switches of its fabric, if it has a group */
};
enum { HD_SWEEP_NO_GROUP = UINT32_MAX };

/** The verdict of all runs of a point on its load. */
enum hd_point_verdict {
  HD_POINT_OPEN, /* undecided, or the runs have no load to judge */
  HD_POINT_ACCEPTED,
  HD_POINT_SATURATED,
  HD_POINT_FAILED,
};

/* ── backend of runs whose backend the user has not named (lanes.c) ────────── */

#define HD_SWEEP_LANES "lanes" /* as in --dut lanes */
enum { HD_SWEEP_PACE = 8 };

/** Seconds of the last runs on a backend. The time to open and build it is not included. */
struct hd_sweep_pace {
  double seconds[HD_SWEEP_PACE];
  uint64_t n; /* number of all runs */
};

enum hd_sweep_group_state {
  HD_SWEEP_ON_VERILATOR,   /* lanes are not worth their build so far, or it is not known yet */
  HD_SWEEP_CHECKING_CACHE, /* a process checks whether lanes are built already */
  HD_SWEEP_BUILDING,
  HD_SWEEP_IN_LANES,
  HD_SWEEP_SLOWER,  /* runs have shown that lanes are slower */
  HD_SWEEP_REFUSED, /* lanes refuse the switch, or their build failed */
};

/** Points whose runs can share one DUT. */
struct hd_sweep_group {
  struct hd_switch_params sw;
  uint32_t switches; /* of a DUT; the width of a machine word depends on it */
  enum hd_sweep_group_state state;
  bool cache_checked;
  double build_seconds; /* build time of lanes; < 0: not built here */
  struct hd_sweep_pace verilator, lanes;
  char *refusal; /* owned */
};

/** Returns by how many seconds `left` runs end sooner if lanes are built beside them and then
 *  take the remaining runs; < 0: they end later. verilator, lanes: seconds of a run. */
double hd_sweep_gain(uint64_t left, uint32_t workers, double verilator, double lanes, double build);

struct hd_sweep_build;

struct hd_sweep {
  const struct hd_sweep_params *params;
  char *text, *name; /* text and name of the scenario */
  uint64_t first_seed;
  uint32_t runs_a_dut; /* runs that share a DUT; 0 or 1: no runs do */
  uint32_t combinations;
  struct hd_point *points; /* [n], in order of their creation */
  size_t n, capacity;
  struct hd_text files; /* contents of the files that the first point names */
  struct hd_text definition, identity;
  /* Seeds to hand out: first those of each new point in turn, then further ones of single
   * points. */
  size_t next_point;
  uint32_t next_seed;
  size_t *extra_seeds; /* [n_extra_seeds] points that get one more seed */
  size_t n_extra_seeds, capacity_extra_seeds;
  char *task_text;               /* text of the task handed out last */
  size_t task_point;             /* point of that task */
  struct hd_sweep_group *groups; /* [n_groups] */
  size_t n_groups, capacity_groups;
  size_t grouped; /* points, from the first on, whose group has been looked for */
  uint32_t workers;
  double build_seconds;         /* estimated time of a build of lanes */
  double least_gain_seconds;    /* a smaller gain is not worth a build */
  bool waits_for_lanes;         /* runs are handed out only when a build has ended */
  struct hd_sweep_build *build; /* NULL: no build has begun */
};

/** Writes the scenario of a point and a seed to *text, which the caller frees. */
int hd_sweep_point_text(struct hd_sweep *sweep, const struct hd_point *point, uint32_t seed,
                        char **text, struct hd_error *err);
/** Returns the number of seeds that each point gets. */
uint32_t hd_sweep_least_seeds(const struct hd_sweep *sweep);

void hd_sweep_lanes_begin(struct hd_sweep *sweep, const struct hd_campaign *campaign);
/** Decides whether lanes are worth building, starts a build if they are, and notices builds that
 *  have ended. Returns how many runs a process carries out together, the run that was handed out
 *  last included. */
uint32_t hd_sweep_batch_size(void *sweep);
/** Tests whether the runs of a point have lanes now. False if `point` is NULL. */
bool hd_sweep_has_lanes(const struct hd_sweep *sweep, const struct hd_point *point);
/** Adds the time of a run to the times of its backend. */
void hd_sweep_lanes_ended(struct hd_sweep *sweep, struct hd_point *point,
                          const struct hd_task_outcome *outcome);
void hd_sweep_lanes_fini(struct hd_sweep *sweep);
/** Returns the reason why the runs of a group have their backend. Its words do not depend on the
 *  machine's speed. */
const char *hd_sweep_lanes_why(const struct hd_sweep_group *group);
/** Adds a short description of the group's switch. */
void hd_sweep_lanes_switch(const struct hd_sweep_group *group, struct hd_text *text);

/** Key of an outcome's coverage, an hd_coverage_word. */
#define HD_SWEEP_COVERAGE "coverage"
/** Key of the seconds in which the run's backend was opened and built. */
#define HD_SWEEP_OPENED "opened"

/** Splits a run's order into its point's combination and step, and its seed. */
void hd_sweep_split_order(uint64_t order, uint32_t *combination, uint32_t *step, uint32_t *seed);
/** Returns the value of an axis in a combination. */
const char *hd_sweep_value(const struct hd_sweep *sweep, uint32_t combination, uint32_t axis);
/** Finds a point; NULL: it has not been created. */
struct hd_point *hd_sweep_find(struct hd_sweep *sweep, uint32_t combination, uint32_t step);
/** Returns the verdict on a point: failed if one run has failed, otherwise the verdict of more
 *  than half of its runs. */
enum hd_point_verdict hd_point_verdict(const struct hd_point *point);
/** Returns "mean" or "ci95" of a result of a point; NaN: there is no value. */
double hd_sweep_result(const json_t *point, const char *key, const char *member);
/** Writes a searched value as text. */
void hd_sweep_number(double value, char text[40]);

#endif
