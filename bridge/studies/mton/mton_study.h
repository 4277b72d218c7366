/* Study of the M-to-N paper (make reproduce-m-to-n): its statements, judged by checker and RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shu et al., "Optimal Many-to-Many Personalized Concurrent Communication in RapidIO-based
 * Fat-trees". Reading order: runs.c (the runs, their scenarios, their results), judge_contention.c
 * and judge_experiments.c (statements), statements.txt (their words), report.c and figures.c
 * (files), program.c (the command).
 *
 * RapidIO's numbers on our switches: a cycle is 4 ns and a flit has 64 bits, so a link has 16 Gb/s.
 * Our switches take fewer cycles a hop than the paper's. A constant time a hop delays all packets
 * alike, and does not change which packet waits for which. So a latency here is
 *
 *     608 ns of processors + 170 ns for each of 5 hops + cycles of waiting, 4 ns each
 *
 * A message's cycles of waiting are those that it takes longer than in an idle network.
 */
#ifndef HD_MTON_STUDY_H
#define HD_MTON_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../../sw/mton/mton.h"

enum { SIDE = 16, MTON_DOUBLED = 12 };

/* The paper's numbers for RapidIO. */
static const double cycle_ns = 4, link_gbps = 16, hop_ns = 170, processors_ns = 608;
enum { HOPS = 5, PACKET_BYTES = 256 };
enum { MTON_SERIES = 64 }; /* largest number of packets of a source, or of destinations */

/** One run of program shuffle on a tree. There is no padding, because configurations are
 *  compared as bytes. */
struct mton_config {
  uint32_t k, n, extended, by_destination;
  uint32_t sources, destinations, first_destination;
  uint32_t schedule; /* enum hd_mton_kind */
  uint32_t bytes, rounds;
  uint32_t slot_cycles; /* 0: all messages are handed over at the start */
  uint32_t
      doubled; /* Experiment 2: chooses the 18 destinations that get twice as much, from 1; 0: none */
  uint32_t rtl; /* 1: on Verilator in lockstep with the model; 0: on the model only */
};

struct mton_run {
  struct mton_config config;
  /* Computed by the checker, before the run. */
  uint32_t slots;
  uint64_t messages, contention; /* contention: links that messages of one slot share */
  /* Measured by the run. */
  bool done;
  uint64_t packets, blocked, cycles; /* blocked: flit-cycles; cycles: until all have arrived */
  double least, mean, most;          /* latency of messages in cycles */
  /* Latencies of an experiment, in cycles. Experiment 1: series[s][i] is the latency of packet i
   * of source s. Experiment 2: series[0][i] is the smallest and series[1][i] the largest latency
   * of packets to destination i. */
  double series[2][MTON_SERIES];
  char key[17]; /* KEY.yaml is the run's scenario */
};

struct mton_results {
  struct mton_run *runs; /* owned */
  size_t n, capacity;
  bool quick;
};

/** Adds all runs. A quick run has only some cases of contention, and the experiments on the
 *  model. */
void mton_plan(struct mton_results *results, bool quick);
/** Runs the checker on all schedules, then runs the scenarios that have no result yet. */
int mton_run_all(struct mton_results *results, const struct hd_study_arguments *how,
                 struct hd_error *err);
void mton_fini(struct mton_results *results);

/* ── the runs ──────────────────────────────────────────────────────────────── */

/** Computes slots, messages and contention of a run by the checker. Errors: HD_E_INPUT. */
int mton_check(struct mton_run *run, struct hd_error *err);
/** Returns the case with a message from each of M sources to each of N destinations. */
struct mton_config mton_case(uint32_t m, uint32_t n, uint32_t by_destination,
                             enum hd_mton_kind schedule);
/** Tests whether a run is a case: M to N on the extended 2-ary 3-tree, with one message from
 *  each source to each destination. */
bool mton_is_case(const struct mton_config *config);
/** Tests whether the closed form applies. It does if no node is both source and destination, and
 *  the destinations begin at a multiple of kⁿ⁻¹. */
bool mton_closed_form_applies(const struct mton_config *config);

/** Runs of the experiments. */
enum mton_experiment {
  MTON_SINGLE,        /* one pair, all packets at the start */
  MTON_SINGLE_PACED,  /* one pair, a packet every 36 cycles */
  MTON_HOT_SPOT,      /* two sources to one destination, all packets at the start */
  MTON_HOT_SPOT_SLOW, /* two sources to one destination, 2.4967 Gb/s each */
  MTON_2_TO_2,        /* both sources to the first destination, then to the second */
  MTON_2_TO_2_SHUFFLED,
  MTON_2_TO_4, /* two sources to four destinations, likewise */
  MTON_2_TO_4_SHUFFLED,
  MTON_UNSCHEDULED, /* Experiment 2 */
  MTON_VIRTUAL,
  MTON_PAPER,
  MTON_PADDED,
  MTON_MERGED,
  MTON_EXPERIMENTS
};
struct mton_config mton_experiment(enum mton_experiment experiment, bool quick);
const char *mton_experiment_name(enum mton_experiment experiment);
/** Finds the run of an experiment; NULL: it is not planned. */
const struct mton_run *mton_find(const struct mton_results *results,
                                 enum mton_experiment experiment);

/** Returns the number of points of each of its two series; 0 for a case. */
uint32_t mton_series(const struct mton_config *config);

/** Converts `cycles` of a message of the run to a latency as the paper counts it, in ns. */
double mton_latency_ns(const struct mton_results *results, const struct mton_run *run,
                       double cycles);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

extern const struct hd_study_judge mton_judges_of_contention[], mton_judges_of_experiments[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Report with the sections contention and experiments. */
extern const struct hd_study_report mton_report;
/** Writes packets.csv (Experiment 1) and destinations.csv (Experiment 2), each with its figure.
 *  Errors: HD_E_TOOL if gnuplot is missing. */
int mton_write_figures(const void *results, const char *directory, struct hd_error *err);
/** Writes runs.csv. */
int mton_write_csv(const struct mton_results *results, const char *directory, struct hd_error *err);

#endif
