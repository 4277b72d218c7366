/* make reproduce-barrier: the barrier paper's figures by model and RTL, its statements beside them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sun, Cheung and Lin, "Barrier Synchronization on Wormhole-Routed Networks". Reading order:
 * config.c (one run's scenario), book.c (all runs that are wanted, and what came out),
 * run_scenarios.c (the runs as a campaign), panels.c and analytic.c (the figures),
 * statements.txt and judge.h (the paper's words and whether they hold), write.c, report_md.c and
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

enum { BARRIER_MAX_SEEDS = 8, BARRIER_MAX_XS = 16, BARRIER_MAX_PANELS = 24 };

/* ── one run ───────────────────────────────────────────────────────────────── */

enum barrier_scheme {
  BARRIER_ANY,      /* the paper's first switch, Fig. 7 */
  BARRIER_FIXED,    /* its second, Fig. 9 */
  BARRIER_MOVING,   /* its third, Fig. 10 */
  BARRIER_QUEUED,   /* barrier unit without preemption: [4], with the tree built as ours is */
  BARRIER_RESERVED, /* a virtual channel for barrier messages alone */
  BARRIER_STAR,     /* the rest is endpoint software on the plain switch: star */
  BARRIER_SO_TREE,  /* switch-based ordering tree, [4] and [11] */
  BARRIER_CS_TREE,  /* collective synchronization tree on meshes, [5] */
  BARRIER_SCHEMES
};

enum barrier_network { BARRIER_IRREGULAR, BARRIER_MESH };

/** Everything that a scenario depends on but the seed. No padding: compared as bytes. */
struct barrier_config {
  uint32_t scheme, network;
  uint32_t switches; /* a mesh has a square number */
  uint32_t members, startup;
  uint32_t congested, congestion; /* how many members, for how many cycles */
  uint32_t load_permille, flits;  /* data flits a node and cycle; flits of a packet */
  uint32_t rounds, middle;        /* middle: the center by rule, not the lowest rank */
  uint32_t rtl;                   /* RTL in lockstep with the model; the first seed alone */
  uint32_t faults;                /* links of an 8x8 mesh fail after the tree is built */
};

const char *barrier_scheme_name(uint32_t scheme);
/** Tests whether the switches do the barriers. */
bool barrier_scheme_in_network(uint32_t scheme);
/** The scenario file's text. */
void barrier_scenario(const struct barrier_config *config, uint32_t seed, struct hd_text *text);

/* ── all runs ──────────────────────────────────────────────────────────────── */

struct barrier_outcome {
  bool done;      /* carried out, now or in an earlier call */
  bool finished;  /* all rounds were over in time */
  double first;   /* cycles of the first round */
  double later;   /* mean cycles of the later rounds */
  double most;    /* longest of the later rounds */
  double renewed; /* groups created anew after a fault */
  double data;    /* mean latency of data packets; 0: there were none */
  char key[17];   /* KEY.yaml is its scenario */
};

struct barrier_cell {
  struct barrier_config config;
  struct barrier_outcome outcomes[BARRIER_MAX_SEEDS];
};

struct barrier_book {
  struct barrier_cell *cells; /* owned */
  uint32_t n, seeds;
  size_t capacity;
};

/** Notes that these runs are wanted. */
void barrier_book_want(struct barrier_book *book, const struct barrier_config *config);
/** Finds the cell of a configuration; NULL: it is not in the book. */
struct barrier_cell *barrier_book_find(const struct barrier_book *book,
                                       const struct barrier_config *config);
void barrier_book_fini(struct barrier_book *book);

enum barrier_measure { BARRIER_FIRST, BARRIER_LATER, BARRIER_MOST, BARRIER_RENEWED, BARRIER_DATA };

/** The measured value of one run that came to an end, in cycles. */
double barrier_outcome_value(const struct barrier_outcome *outcome, enum barrier_measure measure);

/** A value over the seeds, in cycles. */
struct barrier_value {
  uint32_t n;       /* runs that came to an end; 0: the rest means nothing */
  uint32_t endless; /* runs that did not within their cycles */
  double mean, least, most;
};
struct barrier_value barrier_book_value(const struct barrier_book *book,
                                        const struct barrier_config *config,
                                        enum barrier_measure measure);

/** Runs the scenarios that have no result yet; says on stderr how far it is. HD_E_INTERRUPTED, HD_E_IO, and
 *  HD_E_TOOL where a run ended as no run should. What is done is in the book in any case. */
int barrier_run_scenarios(struct barrier_book *book, const struct hd_study_arguments *how,
                          struct hd_error *err);

/* ── figures ───────────────────────────────────────────────────────────────── */

enum barrier_axis {
  BARRIER_BY_MEMBERS,
  BARRIER_BY_CONGESTION,
  BARRIER_BY_CONGESTED,
  BARRIER_BY_LOAD
};
/** The text at the axis, which also names its column in tables. */
const char *barrier_axis_text(enum barrier_axis axis);

struct barrier_curve {
  enum barrier_scheme scheme;
  enum barrier_measure measure;
  const char *label;
};

struct barrier_panel {
  const char *figure, *name, *title; /* "fig12", "a" */
  struct barrier_config base;        /* values that neither curve nor axis sets */
  enum barrier_axis axis;
  bool logarithmic_x;
  uint32_t paper;         /* a place on the axis that the paper's text names; 0: none … */
  const char *paper_says; /* … and what it says of it */
  double paper_first;     /* first rounds over later ones, at most, by its text; 0: not said */
  uint32_t n_xs, xs[BARRIER_MAX_XS];
  const struct barrier_curve *curves;
  uint32_t n_curves;
};

/** Makes the panels, of one figure or (only is NULL) of all; quick: each with its first, middle and
 *  last x alone, and without the largest networks and RTL. Returns how many. */
uint32_t barrier_panels(struct barrier_panel panels[BARRIER_MAX_PANELS], bool quick,
                        const char *only);
struct barrier_config barrier_panel_config(const struct barrier_panel *panel,
                                           enum barrier_scheme scheme, uint32_t x);
void barrier_panel_want(const struct barrier_panel *panel, struct barrier_book *book);
/** Do the panel's places run on RTL with this kind of switch, too? Those of its curves do. In Figs. 12 to 15 all do that
 *  have barriers in the network. */
bool barrier_panel_on_rtl(const struct barrier_panel *panel, uint32_t scheme);
/** Notes that these runs are wanted, and the model's beside them. */
void barrier_panel_want_rtl(const struct barrier_panel *panel, struct barrier_book *book);
/** A place on the axis in the axis' unit. */
double barrier_axis_value(const struct barrier_panel *panel, uint32_t x);

/* ── the paper's formulas, Fig. 11 ─────────────────────────────────────────── */

enum { BARRIER_ANALYTIC_CASES = 4 };
struct barrier_analytic_panel {
  const char *name;
  double levels;
};
extern const struct barrier_analytic_panel barrier_analytic_panels[2];
enum { BARRIER_DELTAS = 21 };
/** The congestion at place i < BARRIER_DELTAS of the axis, cycles. */
double barrier_analytic_delta(uint32_t i);
/** Cycles by formula 1 … 4 as printed, or with the distribution counted once. */
double barrier_analytic(double levels, double preempt, double delta, int formula, bool once);

/* ── Theorem 2 ─────────────────────────────────────────────────────────────── */

/** Hops between the center's switch and the one that is farthest from it in the tree of a group of
 *  all nodes. HD_E_INPUT. */
int barrier_distance(const struct barrier_config *config, uint32_t seed, uint32_t *distance,
                     struct hd_error *err);

/* ── statements ────────────────────────────────────────────────────────────── */

struct barrier_results {
  const struct barrier_book *book;
  const struct barrier_panel *panels;
  uint32_t n_panels;
  bool quick;
};

extern const struct hd_study_judge barrier_judges_of_congestion[], barrier_judges_of_formulas[],
    barrier_judges_of_size[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Writes FIGURE.csv and FIGURE.gp of each figure into `directory`. */
int barrier_write_figures(const void *results, const char *directory, struct hd_error *err);
/** The report, with the figures as sections. */
extern const struct hd_study_report barrier_report;
/** The figures' points, for report.json. */
struct json_t *barrier_json(const void *results);

#endif
