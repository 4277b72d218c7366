/* make reproduce-coding: what the paper on network coding says, held against counted hops and runs on RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shalaby et al., hierarchical network coding for collective communication. A *plan* is an all-to-all broadcast by one
 * scheme (sw/coding): its hops are counted by formula and send by send. A *run* is a plan carried out by program coding
 * on RTL in lockstep: its cycles, and the hops that its switches counted.
 *
 * Reading order: plans.c, runs.c, judge_hops.c, judge_time.c and judge_variants.c (statements), statements.txt (their
 * words), figures.c and report.c (files), main.c.
 */
#ifndef HD_CODING_STUDY_H
#define HD_CODING_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../../sw/coding/coding.h"

enum coding_sources { CODING_ALL_NODES, CODING_SPREAD, CODING_TOGETHER };

/** A k-ary 2-mesh or 2-torus, and how all its nodes get every datum. All members are 32 bits wide, so that two of them
 *  are compared as bytes. */
struct coding_config {
  uint32_t k, torus, scheme, multicast;
  uint32_t group[2], inner[2]; /* 0: none */
  uint32_t sources, placed;    /* how many, unless all (enum coding_sources) */
};

struct coding_plan {
  struct coding_config config;
  bool done, counted; /* counted: send by send, too */
  struct hd_coding_hops formula, count;
};

/** The settings of a run that carries out a plan. */
struct coding_run_config {
  struct coding_config plan;
  uint32_t flits, sequential;
  uint32_t software;       /* the program encodes, */
  uint32_t restores;       /* or decodes */
  uint32_t xor_cycles;     /* of the encoder: CODE_CYCLES, or the program's */
  uint32_t own_channels;   /* each step has a virtual channel of its own */
  uint32_t cut_flits;      /* of the switches: room that a packet waits for */
  uint32_t combined_flits; /* of the longest packet of a combined message; 0: there is none */
};

struct coding_run {
  struct coding_run_config config;
  bool done;
  uint64_t cycles;    /* until the last node has the last datum */
  uint64_t flit_hops; /* that switches counted */
  uint64_t packets;   /* received, and made by coders */
  char key[17];       /* KEY.yaml is its scenario */
};

struct coding_results {
  struct coding_plan *plans; /* owned */
  struct coding_run *runs;   /* owned */
  size_t n_plans, plans_capacity, n_runs, runs_capacity;
  bool quick, no_runs;
};

/* ── plans ─────────────────────────────────────────────────────────────────── */

/** FLAT. */
struct coding_config coding_flat(uint32_t k, enum hd_coding_multicast multicast);
/** Groups of `members`, a power of 2, as square as they can be (Section 4.3), the longer side in dimension 0. */
struct coding_config coding_grouped(uint32_t k, enum hd_coding_scheme scheme,
                                    enum hd_coding_multicast multicast, uint32_t members);
/** Counts all plans that the statements and figures need. Errors are those of hd_study_run. */
int coding_count_plans(struct coding_results *results, const struct hd_study_arguments *how,
                       struct hd_error *err);
/** A plan's hops, as `counted` says. False: it is not done. */
bool coding_hops(const struct coding_results *results, const struct coding_config *config,
                 enum hd_coding_counted counted, double *hops);
/** The fewest among groups of 2 to half of the nodes; *members of the best group, may be NULL. */
bool coding_best(const struct coding_results *results, uint32_t k, enum hd_coding_scheme scheme,
                 enum hd_coding_multicast multicast, bool torus, double *hops, uint32_t *members);
/** The percentage of the hops without groups that the best group saves. */
bool coding_saved(const struct coding_results *results, uint32_t k,
                  enum hd_coding_multicast multicast, bool torus, double *percent);
/** The recursive form, all-at-once, with the fewest hops; *config may be NULL. */
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
/** A number of the paper counts as ours up to this share of it. */
#define CODING_TENTH 0.1
/** Groups of the paper's best size, 32, or half of the nodes where these are fewer. */
uint32_t coding_paper_members(uint32_t k);

/* ── runs ──────────────────────────────────────────────────────────────────── */

/** One flit, encoded by coders with the paper's one cycle. */
struct coding_run_config coding_run_of(struct coding_config plan, bool sequential);
/** The runs of Fig. 9 (groups as in coding_paper_members), of Fig. 18, and of Fig. 19, where both forms decode in software. */
struct coding_run_config coding_torus_run(uint32_t k, bool torus, enum hd_coding_scheme scheme);
struct coding_run_config coding_sources_run(uint32_t sources, enum coding_sources placed,
                                            enum hd_coding_scheme scheme);
struct coding_run_config coding_recursive_run(struct coding_config plan, bool sequential);
/** The run of Fig. 14: coders take `cycles` to encode, programs take none to decode. */
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

/** Percent of what the multicast without groups takes: hops that the switches of runs counted, and cycles. Of Figs. 9
 *  (or a mesh beside it), 18, and 19 with steps overlapping. False: not all of it ran. */
bool coding_torus_ratio(const struct coding_results *r, uint32_t k, bool torus, double *hops,
                        double *cycles);
bool coding_sources_ratio(const struct coding_results *r, uint32_t sources,
                          enum coding_sources placed, double *hops, double *cycles);
bool coding_form_ratio(const struct coding_results *r, uint32_t k, bool recursive, double *hops,
                       double *cycles);

extern const struct hd_study_judge coding_judges_of_hops[], coding_judges_of_time[],
    coding_judges_of_variants[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** The report, with sections counts, groups, variants and runs. */
extern const struct hd_study_report coding_report;
/** Writes plans.csv, runs.csv, and the figures hops, groups, variants and times. */
int coding_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
