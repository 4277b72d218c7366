/* Study of the paper on network coding (make reproduce-coding), by counted hops and runs on RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shalaby et al., hierarchical network coding for collective communication. A *plan* is an
 * all-to-all broadcast by one scheme (sw/coding). Its hops are counted by formula and send by
 * send. A *run* carries out a plan by program coding, on RTL in lockstep. It gives cycles, and the
 * hops that its switches counted.
 *
 * Reading order: plans.c, runs.c, judge_hops.c, judge_time.c and judge_variants.c (statements),
 * statements.txt (their words), figures.c and report.c (files), program.c (the command).
 */
#ifndef HD_CODING_STUDY_H
#define HD_CODING_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../../sw/coding/coding.h"

enum coding_sources { CODING_ALL_NODES, CODING_SPREAD, CODING_TOGETHER };

/** A k-ary 2-mesh or 2-torus, and the plan by which all its nodes get every datum. All members
 *  have 32 bits, so there is no padding and configurations are compared as bytes. */
struct coding_config {
  uint32_t k, torus, scheme, multicast;
  uint32_t group[2], inner[2]; /* sides of groups and of groups inside groups; 0: none */
  uint32_t sources, placed; /* sources: 0 if all nodes are sources; placed: enum coding_sources */
};

struct coding_plan {
  struct coding_config config;
  bool done, counted; /* counted: the hops were also counted send by send */
  struct hd_coding_hops formula, count;
};

/** The settings of a run that carries out a plan. */
struct coding_run_config {
  struct coding_config plan;
  uint32_t flits, sequential;
  uint32_t software;       /* 1: the program encodes, not a coder */
  uint32_t restores;       /* 1: the program decodes, not a coder */
  uint32_t xor_cycles;     /* cycles to encode: CODE_CYCLES of coders, or the program's */
  uint32_t own_channels;   /* 1: each step has a virtual channel of its own */
  uint32_t cut_flits;      /* free buffer space, in flits, that a packet's head waits for */
  uint32_t combined_flits; /* longest packet of a combined message; 0: messages are not combined */
};

struct coding_run {
  struct coding_run_config config;
  bool done;
  uint64_t cycles;    /* until the last node has the last datum */
  uint64_t flit_hops; /* counted by the switches */
  uint64_t packets;   /* received by nodes, and created by coders */
  char key[17];       /* KEY.yaml is the run's scenario */
};

struct coding_results {
  struct coding_plan *plans; /* owned */
  struct coding_run *runs;   /* owned */
  size_t n_plans, plans_capacity, n_runs, runs_capacity;
  bool quick, no_runs;
};

/* ── plans ─────────────────────────────────────────────────────────────────── */

/** Returns the plan without groups. */
struct coding_config coding_flat(uint32_t k, enum hd_coding_multicast multicast);
/** Returns the plan with groups of `members`, a power of 2. Groups are as square as they can be
 *  (Section 4.3); dimension 0 has the longer side. */
struct coding_config coding_grouped(uint32_t k, enum hd_coding_scheme scheme,
                                    enum hd_coding_multicast multicast, uint32_t members);
/** Counts the hops of all plans that the statements and figures need. Errors are those of
 *  hd_study_run. */
int coding_count_plans(struct coding_results *results, const struct hd_study_arguments *how,
                       struct hd_error *err);
/** Gives a plan's hops, of the steps that `counted` names. Returns false if they have not been
 *  counted. */
bool coding_hops(const struct coding_results *results, const struct coding_config *config,
                 enum hd_coding_counted counted, double *hops);
/** Gives the fewest hops of all group sizes from 2 to half of the nodes, and the size of the
 *  best group in *members, which may be NULL. Returns false if a plan has not been counted. */
bool coding_best(const struct coding_results *results, uint32_t k, enum hd_coding_scheme scheme,
                 enum hd_coding_multicast multicast, bool torus, double *hops, uint32_t *members);
/** Gives the percentage of hops that the best group saves against the plan without groups. */
bool coding_saved(const struct coding_results *results, uint32_t k,
                  enum hd_coding_multicast multicast, bool torus, double *percent);
/** Gives the fewest hops of the recursive form with all-at-once multicast; its plan in *config,
 *  which may be NULL. */
bool coding_best_recursive(const struct coding_results *results, uint32_t k, double *hops,
                           struct coding_config *config);
const struct coding_plan *coding_find_plan(const struct coding_results *results,
                                           const struct coding_config *config);

enum {
  CODING_SMALLEST = 4,
  CODING_LARGEST = 256,
  CODING_LARGEST_TREE = 64,
  CODING_LARGEST_RUN = 32
};
/** A measured number agrees with the paper's number if it differs by at most this share of it. */
#define CODING_TENTH 0.1
/** Returns the paper's best group size, 32, or half of the nodes if these are fewer. */
uint32_t coding_paper_members(uint32_t k);

/* ── runs ──────────────────────────────────────────────────────────────────── */

/** Returns the run of a plan with packets of one flit. Coders take one cycle to encode, as in
 *  the paper. */
struct coding_run_config coding_run_of(struct coding_config plan, bool sequential);
/** Returns the runs of Fig. 9 (groups as in coding_paper_members), of Fig. 18, and of Fig. 19,
 *  where programs decode in both forms. */
struct coding_run_config coding_torus_run(uint32_t k, bool torus, enum hd_coding_scheme scheme);
struct coding_run_config coding_sources_run(uint32_t sources, enum coding_sources placed,
                                            enum hd_coding_scheme scheme);
struct coding_run_config coding_recursive_run(struct coding_config plan, bool sequential);
/** Returns the run of Fig. 14: coders take `cycles` to encode, programs decode in no time. */
struct coding_run_config coding_xor_run(uint32_t cycles, bool sequential);
int coding_carry_out(struct coding_results *results, const struct hd_study_arguments *how,
                     struct hd_error *err);
const struct coding_run *coding_find_run(const struct coding_results *results,
                                         const struct coding_run_config *config);
bool coding_cycles(const struct coding_results *results, const struct coding_run_config *config,
                   double *cycles);
void coding_name(const struct coding_config *config, char *text, size_t size);
void coding_fini(struct coding_results *results);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

/** Gives hops, as switches counted them, and cycles in percent of those of the multicast without
 *  groups: of Fig. 9 (torus, or the mesh beside it), of Fig. 18, and of Fig. 19 with overlapping
 *  steps. Returns false if a run is missing. */
bool coding_torus_ratio(const struct coding_results *r, uint32_t k, bool torus, double *hops,
                        double *cycles);
bool coding_sources_ratio(const struct coding_results *r, uint32_t sources,
                          enum coding_sources placed, double *hops, double *cycles);
bool coding_form_ratio(const struct coding_results *r, uint32_t k, bool recursive, double *hops,
                       double *cycles);

extern const struct hd_study_judge coding_judges_of_hops[], coding_judges_of_time[],
    coding_judges_of_variants[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Report with the sections counts, groups, variants and runs. */
extern const struct hd_study_report coding_report;
/** Writes plans.csv, runs.csv, and the figures hops, groups, variants and times. */
int coding_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
