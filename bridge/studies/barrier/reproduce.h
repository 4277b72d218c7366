/* make reproduce-barrier: the barrier paper's figures by the model, its statements beside them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sun, Cheung and Lin, "Barrier Synchronization on Wormhole-Routed Networks". Reading order:
 * config.c (one run's scenario), book.c (all runs that are wanted, and what came out),
 * run_scenarios.c (the runs as a campaign), panels.c and analytic.c (the figures),
 * statements.c and judge.h (the paper's words and whether they hold), write.c, report_md.c and
 * report_json.c (files), main.c.
 *
 * A figure is a set of panels, a panel a set of curves over one axis, a point of a curve the mean over
 * several seeds: other members and, on irregular networks, another network.
 */
#ifndef HD_REPRODUCE_H
#define HD_REPRODUCE_H

#include "../report.h"
#include "../study.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REP_MAX_SEEDS = 8, REP_MAX_XS = 16, REP_MAX_PANELS = 24 };

/* ── one run ───────────────────────────────────────────────────────────────── */

enum rep_scheme {
  REP_ANY,      /* the paper's first switch, Fig. 7 */
  REP_FIXED,    /* its second, Fig. 9 */
  REP_MOVING,   /* its third, Fig. 10 */
  REP_QUEUED,   /* barrier unit without preemption: [4], with the tree built as ours is */
  REP_RESERVED, /* a virtual channel for barrier messages alone */
  REP_STAR,     /* the rest is endpoint software on the plain switch: star */
  REP_SO_TREE,  /* switch-based ordering tree, [4] and [11] */
  REP_CS_TREE,  /* collective synchronization tree on meshes, [5] */
  REP_SCHEMES
};

enum rep_network { REP_IRREGULAR, REP_MESH };

/** Everything that a scenario depends on but the seed. No padding: compared as bytes. */
struct rep_config {
  uint32_t scheme, network;
  uint32_t switches; /* a mesh has a square number */
  uint32_t members, startup;
  uint32_t congested, congestion; /* how many members, for how many cycles */
  uint32_t load_permille, flits;  /* data flits a node and cycle; flits of a packet */
  uint32_t rounds, middle;        /* middle: the center by rule, not the lowest rank */
  uint32_t rtl;                   /* in lockstep on Verilator, not the model alone */
};

const char *rep_scheme_name(uint32_t scheme);
/** Barriers are done by the switches. */
bool rep_scheme_in_network(uint32_t scheme);
/** The scenario file's text. */
void rep_scenario(const struct rep_config *config, uint32_t seed, struct hd_text *text);

/* ── all runs ──────────────────────────────────────────────────────────────── */

struct rep_outcome {
  bool done;     /* carried out, now or in an earlier call */
  bool finished; /* all rounds were over in time */
  double first;  /* cycles of the first round */
  double later;  /* mean of the later ones */
  double most;   /* the longest later one */
  char key[17];  /* KEY.yaml is its scenario */
};

struct rep_cell {
  struct rep_config config;
  struct rep_outcome outcomes[REP_MAX_SEEDS];
};

struct rep_book {
  struct rep_cell *cells; /* owned */
  uint32_t n, seeds;
  size_t capacity;
};

/** Notes that these runs are wanted. */
void rep_book_want(struct rep_book *book, const struct rep_config *config);
/** NULL: nobody wants it. */
struct rep_cell *rep_book_find(const struct rep_book *book, const struct rep_config *config);
void rep_book_fini(struct rep_book *book);

enum rep_measure { REP_FIRST, REP_LATER, REP_MOST };

/** Over the seeds; cycles. */
struct rep_value {
  uint32_t n;       /* runs that came to an end; 0: the rest means nothing */
  uint32_t endless; /* runs that did not within their cycles */
  double mean, least, most;
};
struct rep_value rep_book_value(const struct rep_book *book, const struct rep_config *config,
                                enum rep_measure measure);

/** Runs the scenarios that have no result yet; says on stderr how far it is. HD_E_INTERRUPTED, HD_E_IO, and
 *  HD_E_TOOL where a run ended as no run should. What is done is in the book in any case. */
int rep_run_scenarios(struct rep_book *book, const struct study_arguments *how,
                      struct hd_error *err);

/* ── figures ───────────────────────────────────────────────────────────────── */

enum rep_axis { REP_BY_MEMBERS, REP_BY_CONGESTION, REP_BY_CONGESTED, REP_BY_LOAD };
/** Text at the axis, and its column's name in tables. */
const char *rep_axis_text(enum rep_axis axis);

struct rep_curve {
  enum rep_scheme scheme;
  enum rep_measure measure;
  const char *label;
};

struct rep_panel {
  const char *figure, *name, *title; /* "fig12", "a" */
  struct rep_config base;            /* what no curve and no axis says */
  enum rep_axis axis;
  bool logarithmic_x;
  uint32_t n_xs, xs[REP_MAX_XS];
  const struct rep_curve *curves;
  uint32_t n_curves;
};

/** Makes the panels, of one figure or (only is NULL) of all; quick: each with its first, middle and
 *  last x alone, and without the largest networks and RTL. Returns how many. */
uint32_t rep_panels(struct rep_panel panels[REP_MAX_PANELS], bool quick, const char *only);
struct rep_config rep_panel_config(const struct rep_panel *panel, enum rep_scheme scheme,
                                   uint32_t x);
void rep_panel_want(const struct rep_panel *panel, struct rep_book *book);
/** A place on the axis in the axis' unit. */
double rep_axis_value(const struct rep_panel *panel, uint32_t x);

/* ── the paper's formulas, Fig. 11 ─────────────────────────────────────────── */

enum { REP_ANALYTIC_CASES = 4 };
struct rep_analytic_panel {
  const char *name;
  double levels;
};
extern const struct rep_analytic_panel rep_analytic_panels[2];
enum { REP_DELTAS = 21 };
/** The congestion at place i < REP_DELTAS of the axis, cycles. */
double rep_analytic_delta(uint32_t i);
/** Cycles by formula 1 … 4 as printed, or with the distribution counted once. */
double rep_analytic(double levels, double preempt, double delta, int formula, bool once);

/* ── Theorem 2 ─────────────────────────────────────────────────────────────── */

/** Hops between the center's switch and the one that is farthest from it in the tree of a group of
 *  all nodes. HD_E_INPUT. */
int rep_distance(const struct rep_config *config, uint32_t seed, uint32_t *distance,
                 struct hd_error *err);

/* ── statements ────────────────────────────────────────────────────────────── */

struct rep_results {
  const struct rep_book *book;
  const struct rep_panel *panels;
  uint32_t n_panels;
  bool quick;
};

extern const struct study_judge rep_judges_of_congestion[], rep_judges_of_formulas[],
    rep_judges_of_size[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** FIGURE.csv and FIGURE.gp of each figure in `directory`. */
int rep_write_figures(const void *results, const char *directory, struct hd_error *err);
/** The report, with the figures as sections. */
extern const struct study_report rep_report;
/** The figures' points, for report.json. */
struct json_t *rep_json(const void *results);

#endif
