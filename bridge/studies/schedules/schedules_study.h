/* make reproduce-schedules: what the paper on schedules for multistage networks says, held against optimal
 * schedules and RTL.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Jaroš et al., schedules of collective communications on multistage interconnection networks. A row is a cell of
 * its Tables 1, 3, 5 and 6: a network, a collective, and the steps, success rate and time of its evolution. For
 * each row the shortest schedule is found and proved (sw/schedules), the paper's evolution is carried out with
 * several seeds, and the shortest schedule is carried out by program schedule with steps at times, after
 * barriers, and not separated.
 *
 * Reading order: rows.c (the cells), find.c (schedules), evolve.c (the evolution), runs.c (carried out), printed.c
 * (the schedules that the paper prints), results.c (sums and searches), judge_steps.c, judge_evolution.c and
 * judge_runs.c (statements), statements.txt (their words), figures.c and report.c (files), main.c.
 */
#ifndef HD_SCHEDULES_STUDY_H
#define HD_SCHEDULES_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../../sw/contention/schedule_check.h"
#include "../../../sw/schedules/schedules.h"

enum { SCHEDULES_NAME = 96, SCHEDULES_HOW = 128, SCHEDULES_REASON = 512 };

/** Ways to begin a step: at a time; by a barrier; by a barrier with settle_cycles; without any. The last one is at a time,
 *  by nodes with an interface for each link, of rows whose nodes have all ports. */
enum schedules_means {
  SCHEDULES_TIME,
  SCHEDULES_BARRIER,
  SCHEDULES_SETTLED,
  SCHEDULES_NONE,
  SCHEDULES_PORTS,
  SCHEDULES_MEANS
};
extern const char *const schedules_means_names[SCHEDULES_MEANS];

/** A schedule carried out. */
struct schedules_run {
  bool wanted, done;
  uint64_t cycles, model; /* of the schedule; by the α–β model */
  uint64_t blocked;       /* flit-cycles */
  uint64_t late;          /* nodes that came late for a step */
  char key[17];           /* KEY.yaml is its scenario */
};

/** The paper's evolution, carried out here. */
enum {
  SCHEDULES_SEEDS = 10,
  SCHEDULES_QUICK_SEEDS = 2,
  SCHEDULES_EVOLUTIONS = SCHEDULES_SEEDS + 1
};
struct schedules_evolution {
  bool done, reached;              /* reached: the schedule has as few steps as was asked for */
  uint32_t steps;                  /* of the schedule */
  uint32_t failed_steps;           /* the last number of steps that was not reached; 0: none */
  uint64_t evaluations, conflicts; /* conflicts: what was left then */
  double seconds;                  /* of a processor */
  char key[17];                    /* from the bound up: KEY.csv is the schedule */
};

struct schedules_row {
  char network[SCHEDULES_NAME]; /* "omega:k=2,n=3" */
  uint32_t nodes, root;
  enum hd_exchange kind;
  bool rooted, all_port;
  char paper_steps[16], paper_time[16]; /* as printed */
  uint32_t evolution;                   /* the steps that the paper's evolution reached */
  double paper_seconds;                 /* <1s is 1 */
  uint32_t paper_rate;                  /* per cent of ten runs */
  uint64_t graph;                       /* hash of the network's file; 0: it has none */
  /* what was found */
  bool found, proved;
  uint32_t steps, bound;
  uint64_t transfers;
  bool one_way; /* links go one way: no barriers */
  uint32_t switches, ports;
  double seconds;
  char how[SCHEDULES_HOW], reason[SCHEDULES_REASON];
  char key[17]; /* KEY.csv is the schedule */
  struct schedules_run runs[SCHEDULES_MEANS];
  struct schedules_evolution
      evolved[SCHEDULES_EVOLUTIONS]; /* by seed, from 1; the last one is from the bound up */
};

/** A schedule that the paper prints: destinations by source and step. */
enum { SCHEDULES_PRINTED = 2, SCHEDULES_PRINTED_NODES = 8, SCHEDULES_PRINTED_STEPS = 7 };
struct schedules_printed {
  const char *title, *network;
  enum hd_exchange kind;
  uint32_t pairs;                          /* different ones, of nodes · (nodes − 1) */
  uint32_t steps[SCHEDULES_PRINTED_STEPS]; /* the fewest that a column can be done in */
  uint32_t links;                          /* of the network, with those of nodes */
  uint32_t used[SCHEDULES_PRINTED_STEPS];  /* links that a column uses */
  const char *to[SCHEDULES_PRINTED_NODES]; /* a digit for each step */
  /* A schedule by the evolution here, with seed 1: destination, and the sender of the message; evolved false: none. */
  bool evolved;
  uint32_t to_here[SCHEDULES_PRINTED_NODES][SCHEDULES_PRINTED_STEPS],
      of_here[SCHEDULES_PRINTED_NODES][SCHEDULES_PRINTED_STEPS];
};

struct schedules_results {
  struct schedules_row *rows; /* [n], owned */
  size_t n, capacity;
  struct schedules_printed printed[SCHEDULES_PRINTED];
  uint32_t seeds; /* of the evolution for each row */
  bool quick;
};

/* ── rows ──────────────────────────────────────────────────────────────────── */

/** Reads the cells; quick: those of networks of 8 nodes or fewer. HD_E_INPUT with file and line, HD_E_IO. */
int schedules_read(struct schedules_results *results, const char *path, bool quick,
                   struct hd_error *err);
void schedules_fini(struct schedules_results *results);
/** "binary-tree:n=3 all-to-all-scatter", with root and ports where they matter. */
void schedules_row_name(const struct schedules_row *row, char *text, size_t size);
/** The file of a network "graph:file=…", from here; NULL: it has none. */
const char *schedules_graph_file(const char *network);

/* ── schedules and runs ────────────────────────────────────────────────────── */

/** Builds a network's topology. HD_E_INPUT, HD_E_IO. */
int schedules_topology(const char *network, struct hd_topology *topology, struct hd_error *err);
/** Finds, proves and checks all schedules that have no result yet, and writes them to the runs' directory. */
int schedules_find_all(struct schedules_results *results, const struct hd_study_arguments *how,
                       struct hd_error *err);
/** Reads a schedule as CSV with code that knows nothing of who found it. */
int schedules_check(const struct schedules_row *row, const struct hd_topology *topology,
                    const struct hd_messages *messages, const struct hd_text *csv,
                    struct hd_schedule_found *found, struct hd_error *err);
/** Has the row a network in which each node has an interface for each link? */
bool schedules_has_ports(const struct schedules_row *row);
/** Writes this network and the schedule by its interfaces beside `path`, which is KEY.csv: KEY-graph.csv, KEY-ports.csv. Each
 *  node has a switch of its own. */
int schedules_write_ports(const char *path, const struct hd_schedule *schedule,
                          const struct hd_topology *topology, struct hd_error *err);
/** Lets schedules evolve; after schedules_find_all, which has the bounds. */
int schedules_evolve_all(struct schedules_results *results, const struct hd_study_arguments *how,
                         struct hd_error *err);
/** Evaluations of a seed: about what fits into the time of the paper's runs where that is SCHEDULES_MOST_SECONDS or less
 *  (affordable); otherwise into a second, or these seconds where there is one root. The number of steps that seeds are
 *  to reach: the paper's. */
enum { SCHEDULES_MOST_SECONDS = 10 };
uint64_t schedules_evaluations(const struct schedules_row *row);
bool schedules_affordable(const struct schedules_row *row);
uint32_t schedules_prescribed(const struct schedules_row *row);
/** The evolution of seed 1 from the bound up. */
const struct schedules_evolution *schedules_upwards(const struct schedules_row *row);
/** Over seeds. */
struct schedules_successes {
  uint32_t runs, reached;
  double seconds, evaluations; /* the mean of those that reached it */
  bool known;                  /* all have ended */
};
struct schedules_successes schedules_successes(const struct schedules_results *results,
                                               const struct schedules_row *row);
/** Carries the shortest ones out. */
int schedules_run_all(struct schedules_results *results, const struct hd_study_arguments *how,
                      struct hd_error *err);
/** Checks the schedules that the paper prints. */
int schedules_print(struct schedules_results *results, struct hd_error *err);
/** Puts the schedules of the evolution beside it. HD_E_IO. */
int schedules_print_evolved(struct schedules_results *results, const char *runs,
                            struct hd_error *err);

/* ── results ───────────────────────────────────────────────────────────────── */

/** The row of a network, collective and, where there is one, root; NULL: nobody asked for it. */
const struct schedules_row *schedules_find(const struct schedules_results *results,
                                           const char *network, enum hd_exchange kind,
                                           uint32_t root);
/** Tests whether the network's name begins with `network`. */
bool schedules_is(const struct schedules_row *row, const char *network);
/** The network's name in the paper: "F-Tree 8". */
void schedules_title(const struct schedules_row *row, char *text, size_t size);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

extern const struct hd_study_judge schedules_judges_of_evolution[], schedules_judges_of_runs[],
    schedules_judges_of_steps[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** The report, with sections steps, evolution, tables and cycles. */
extern const struct hd_study_report schedules_report;
/** Writes rows.csv, and the figures cycles and search. */
int schedules_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
