/* A sweep's points, as its plan and its tables see them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWEEP_INTERNAL_H
#define HD_SWEEP_INTERNAL_H

#include "sweep.h"

enum {
  HD_SWEEP_STEPS = 40, /* of a search for saturation: both ends, then halves */
  HD_SWEEP_LEAST = 3,  /* seeds before precision counts */
};

/** A point: a combination of the axes' values and, in a search, a value of the searched key. */
struct hd_point {
  uint32_t combination, step;
  uint64_t place;        /* where the sweep searches: of the steps from its lower end on */
  double searched;       /* the key's value there */
  uint32_t given, ended; /* seeds */
  uint32_t accepted, saturated, failed;
  double *latencies;   /* [seeds]: mean latency, by seed */
  double *half_widths; /* [seeds]: of its interval within the run; NaN: not known */
  char *why;           /* owned; its verdict in words; NULL: its runs have not been read */
};

/** Verdict of all runs of a point on its load. */
enum hd_point_verdict {
  HD_POINT_OPEN, /* nothing for sure, or they ran without a load that is judged */
  HD_POINT_ACCEPTED,
  HD_POINT_SATURATED,
  HD_POINT_FAILED,
};

struct hd_sweep {
  const struct hd_sweep_params *params;
  char *text, *name; /* of the scenario */
  uint64_t first_seed;
  uint32_t together; /* runs that share a DUT; 0 or 1: none do */
  uint32_t combinations;
  struct hd_point *points; /* [n], in order of their creation */
  size_t n, capacity;
  struct hd_text files; /* what is in those that the first point names */
  struct hd_text definition, identity;
  /* Seeds to be handed out: those of each new point, in turn, and then one by one. */
  size_t next_point;
  uint32_t next_seed;
  size_t *wanting; /* [n_wanting] points that want one more seed */
  size_t n_wanting, capacity_wanting;
  char *task_text; /* of the task handed out last */
};

/** The key of an outcome's hd_coverage_word. */
#define HD_SWEEP_COVERAGE "coverage"

/** Where a run stands in the order of content: its point's combination and step, then its seed. */
void hd_sweep_place(uint64_t order, uint32_t *combination, uint32_t *step, uint32_t *seed);
/** The value of an axis in a combination. */
const char *hd_sweep_value(const struct hd_sweep *sweep, uint32_t combination, uint32_t axis);
/** The point that has been created; NULL: none has. */
struct hd_point *hd_sweep_find(struct hd_sweep *sweep, uint32_t combination, uint32_t step);
/** Failed: a run has. Otherwise what more than half of its runs are. */
enum hd_point_verdict hd_point_verdict(const struct hd_point *point);
/** A searched value as text. */
void hd_sweep_number(double value, char text[40]);

#endif
