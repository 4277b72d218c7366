/* Study of the barrier paper (make reproduce-barrier): its figures and statements, by model and RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Sun, Cheung and Lin, "Barrier Synchronization on Wormhole-Routed Networks". Reading order:
 * config.c (one run's scenario), book.c (all runs that are wanted, and what came out),
 * run_scenarios.c (the runs as a campaign), panels.c and analytic.c (the figures),
 * statements.txt and judge.h (the paper's words and whether they hold), write.c, report_md.c and
 * report_json.c (files), program.c (the command).
 *
 * A figure consists of panels, and a panel of curves over one axis. A point of a curve is the mean
 * over several seeds. Each seed has other members and, among irregular networks, another network.
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
  BARRIER_FIXED,    /* the paper's second switch, Fig. 9 */
  BARRIER_MOVING,   /* the paper's third switch, Fig. 10 */
  BARRIER_QUEUED,   /* barrier unit without preemption, as in [4]; its tree is built as ours is */
  BARRIER_RESERVED, /* one virtual channel carries barrier messages only */
  BARRIER_STAR,     /* from here on endpoint software on the plain switch: a star */
  BARRIER_SO_TREE,  /* switch-based ordering tree, [4] and [11] */
  BARRIER_CS_TREE,  /* collective synchronization tree on meshes, [5] */
  BARRIER_SCHEMES
};

enum barrier_network { BARRIER_IRREGULAR, BARRIER_MESH };

/** All values that a scenario depends on, except the seed. There is no padding, because
 *  configurations are compared as bytes. */
struct barrier_config {
  uint32_t scheme, network;
  uint32_t switches; /* a square number in meshes */
  uint32_t members, startup;
  uint32_t congested, congestion; /* congested members; cycles of their congestion */
  uint32_t load_permille, flits;  /* data flits a node and 1000 cycles; flits of a packet */
  uint32_t rounds, middle;        /* middle: the rule chooses the center, not the lowest rank */
  uint32_t rtl;    /* 1: RTL runs in lockstep with the model, with the first seed only */
  uint32_t faults; /* 1: links of an 8x8 mesh fail after the tree is built */
};

const char *barrier_scheme_name(uint32_t scheme);
/** Tests whether the switches carry out the barriers. */
bool barrier_scheme_in_network(uint32_t scheme);
/** Adds the text of the scenario file. */
void barrier_scenario(const struct barrier_config *config, uint32_t seed, struct hd_text *text);

/* ── all runs ──────────────────────────────────────────────────────────────── */

struct barrier_outcome {
  bool done;      /* the run has ended, in this call or in an earlier one */
  bool finished;  /* all rounds ended in time */
  double first;   /* cycles of the first round */
  double later;   /* mean cycles of the later rounds */
  double most;    /* cycles of the longest later round */
  double renewed; /* groups that were created anew after a fault */
  double data;    /* mean latency of data packets in cycles; 0 without data */
  char key[17];   /* KEY.yaml is the run's scenario */
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

/** Adds a cell for a configuration, unless there is one. */
void barrier_book_want(struct barrier_book *book, const struct barrier_config *config);
/** Finds the cell of a configuration; NULL: it is not in the book. */
struct barrier_cell *barrier_book_find(const struct barrier_book *book,
                                       const struct barrier_config *config);
void barrier_book_fini(struct barrier_book *book);

enum barrier_measure { BARRIER_FIRST, BARRIER_LATER, BARRIER_MOST, BARRIER_RENEWED, BARRIER_DATA };

/** Returns the measured value of one finished run, in cycles. */
double barrier_outcome_value(const struct barrier_outcome *outcome, enum barrier_measure measure);

/** A measured value over all seeds, in cycles. */
struct barrier_value {
  uint32_t n;       /* finished runs; if 0, the other members mean nothing */
  uint32_t endless; /* runs that did not end within their cycles */
  double mean, least, most;
};
struct barrier_value barrier_book_value(const struct barrier_book *book,
                                        const struct barrier_config *config,
                                        enum barrier_measure measure);

/** Runs the scenarios that have no result yet, and shows the progress on stderr. Results are in
 *  the book even after an error. Errors: HD_E_INTERRUPTED; HD_E_IO; HD_E_TOOL if a run ended
 *  with a status that is no result. */
int barrier_run_scenarios(struct barrier_book *book, const struct hd_study_arguments *how,
                          struct hd_error *err);

/* ── figures ───────────────────────────────────────────────────────────────── */

enum barrier_axis {
  BARRIER_BY_MEMBERS,
  BARRIER_BY_CONGESTION,
  BARRIER_BY_CONGESTED,
  BARRIER_BY_LOAD
};
/** Returns the axis' label, which is also the name of its column in tables. */
const char *barrier_axis_text(enum barrier_axis axis);

struct barrier_curve {
  enum barrier_scheme scheme;
  enum barrier_measure measure;
  const char *label;
};

struct barrier_panel {
  const char *figure, *name, *title; /* such as "fig12", "a" */
  struct barrier_config base;        /* values that neither curve nor axis sets */
  enum barrier_axis axis;
  bool logarithmic_x;
  uint32_t paper;         /* x value that the paper's text names; 0: none */
  const char *paper_says; /* what the paper says about that x value */
  double paper_first;     /* the paper's limit for first rounds over later ones; 0: none */
  uint32_t n_xs, xs[BARRIER_MAX_XS];
  const struct barrier_curve *curves;
  uint32_t n_curves;
};

/** Fills `panels` with the panels of one figure, or of all figures if `only` is NULL. A quick
 *  run has no RTL and no largest networks, and each panel keeps its first, middle and last x
 *  value. Returns the number of panels. */
uint32_t barrier_panels(struct barrier_panel panels[BARRIER_MAX_PANELS], bool quick,
                        const char *only);
struct barrier_config barrier_panel_config(const struct barrier_panel *panel,
                                           enum barrier_scheme scheme, uint32_t x);
void barrier_panel_want(const struct barrier_panel *panel, struct barrier_book *book);
/** Tests whether the panel's points run on RTL with this scheme, too. The schemes of its curves
 *  do. In Figs. 12 to 15 all schemes with barriers in the network do. */
bool barrier_panel_on_rtl(const struct barrier_panel *panel, uint32_t scheme);
/** Adds cells for the points on RTL, and for the same points on the model. */
void barrier_panel_want_rtl(const struct barrier_panel *panel, struct barrier_book *book);
/** Returns an x value in the unit of the axis. */
double barrier_axis_value(const struct barrier_panel *panel, uint32_t x);

/* ── the paper's formulas, Fig. 11 ─────────────────────────────────────────── */

enum { BARRIER_ANALYTIC_CASES = 4 };
struct barrier_analytic_panel {
  const char *name;
  double levels;
};
extern const struct barrier_analytic_panel barrier_analytic_panels[2];
enum { BARRIER_DELTAS = 21 };
/** Returns the congestion of point i < BARRIER_DELTAS on the axis, in cycles. */
double barrier_analytic_delta(uint32_t i);
/** Returns the cycles by formula 1 … 4, as printed or with the distribution counted once. */
double barrier_analytic(double levels, double preempt, double delta, int formula, bool once);

/* ── Theorem 2 ─────────────────────────────────────────────────────────────── */

/** Counts the hops from the center's switch to the farthest switch of the tree, for a group of
 *  all nodes. Errors: HD_E_INPUT. */
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
/** Report whose sections are the figures. */
extern const struct hd_study_report barrier_report;
/** Returns the figures' points as JSON, for report.json. */
struct json_t *barrier_json(const void *results);

#endif
