/* make reproduce-m-to-n: what the M-to-N paper says, held against schedules, checker and RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shu et al., "Optimal Many-to-Many Personalized Concurrent Communication in RapidIO-based Fat-trees".
 * Reading order: runs.c (which runs, their scenarios, what came out), judge_contention.c and
 * judge_experiments.c (statements), statements.txt (their words), report.c and figures.c (files), main.c.
 *
 * RapidIO's figures on our switches: a cycle is 4 ns and a flit has 64 bits, so a link has 16 Gb/s. Our
 * switches take fewer cycles a hop than the paper's. A constant time a hop delays all packets alike and changes
 * nothing in who waits for whom, so a latency here is
 *
 *     608 ns of processors + 170 ns for each of the 5 hops + what packets wait, in cycles of 4 ns
 *
 * where a message waits what it takes longer than one of its size in an idle network.
 */
#ifndef HD_MTON_STUDY_H
#define HD_MTON_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../../sw/mton/mton.h"

enum { SIDE = 16, MTON_DOUBLED = 12 };

/* The paper's figures. */
static const double cycle_ns = 4, link_gbps = 16, hop_ns = 170, processors_ns = 608;
enum { HOPS = 5, PACKET_BYTES = 256 };
enum { MTON_SERIES = 64 }; /* at most: packets of a source, or destinations */

/** One run of program shuffle on a tree. No padding: compared as bytes. */
struct mton_config {
  uint32_t k, n, extended, by_destination;
  uint32_t sources, destinations, first_destination;
  uint32_t schedule; /* enum hd_mton_kind */
  uint32_t bytes, rounds;
  uint32_t slot_cycles; /* 0: messages are handed over at once */
  uint32_t
      doubled; /* sizes are those of Experiment 2: which 18 destinations get twice as much, 1 to 12; or 0 */
  uint32_t rtl; /* in lockstep on Verilator; otherwise the model alone */
};

struct mton_run {
  struct mton_config config;
  /* before it, by the checker: */
  uint32_t slots;
  uint64_t messages, contention; /* on links */
  /* of it: */
  bool done;
  uint64_t packets, blocked, cycles; /* blocked flit-cycles; cycles until all have arrived */
  double least, mean, most;          /* latency of messages, cycles */
  /* Latencies of an experiment, in cycles. In Experiment 1 series[s][i] is that of packet i of source s; in Experiment 2
   * series[0][i] is the least latency of packets to destination i, and series[1][i] the largest. */
  double series[2][MTON_SERIES];
  char key[17]; /* KEY.yaml is its scenario */
};

struct mton_results {
  struct mton_run *runs; /* owned */
  size_t n, capacity;
  bool quick;
};

/** Notes all runs; quick: a part of the cases of contention, and the experiments on the model. */
void mton_plan(struct mton_results *results, bool quick);
/** Runs the checker on all schedules, then the scenarios that have no result yet. */
int mton_run_all(struct mton_results *results, const struct hd_study_arguments *how,
                 struct hd_error *err);
void mton_fini(struct mton_results *results);

/* ── the runs ──────────────────────────────────────────────────────────────── */

/** Works out slots, messages and contention of a run, by the checker. HD_E_INPUT, HD_E_MEMORY. */
int mton_check(struct mton_run *run, struct hd_error *err);
/** A message from each of M sources to each of N destinations. */
struct mton_config mton_case(uint32_t m, uint32_t n, uint32_t by_destination,
                             enum hd_mton_kind schedule);
/** Is a run one of the cases: M to N on the extended 2-ary 3-tree, a message from each to each? */
bool mton_is_case(const struct mton_config *config);
/** Sources and destinations are different nodes, and destinations begin at a multiple of kⁿ⁻¹: then the closed
 *  form applies. */
bool mton_closed_form_applies(const struct mton_config *config);

/** Runs of the experiments. */
enum mton_experiment {
  MTON_SINGLE,        /* one pair, packets at once */
  MTON_SINGLE_PACED,  /* one pair, a packet in 36 cycles */
  MTON_HOT_SPOT,      /* two to one, at once */
  MTON_HOT_SPOT_SLOW, /* two to one, 2.4967 Gb/s each */
  MTON_2_TO_2,        /* both to the one, then to the other */
  MTON_2_TO_2_SHUFFLED,
  MTON_2_TO_4, /* likewise */
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
/** Finds the run of a configuration; NULL: it was not asked for. */
const struct mton_run *mton_find(const struct mton_results *results,
                                 enum mton_experiment experiment);

/** Points of each of its two series; 0: a case. */
uint32_t mton_series(const struct mton_config *config);

/** The latency of a message of the run that took `cycles`, as the paper counts it, ns. */
double mton_latency_ns(const struct mton_results *results, const struct mton_run *run,
                       double cycles);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

extern const struct hd_study_judge mton_judges_of_contention[], mton_judges_of_experiments[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** The report, with sections contention and experiments. */
extern const struct hd_study_report mton_report;
/** packets.csv (Experiment 1) and destinations.csv (Experiment 2) with their pictures. HD_E_TOOL: no gnuplot. */
int mton_write_figures(const void *results, const char *directory, struct hd_error *err);
/** runs.csv. */
int mton_write_csv(const struct mton_results *results, const char *directory, struct hd_error *err);

#endif
