/* Study of the paper on schedules for multistage networks (make reproduce-schedules).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Jaroš et al., schedules of collective communications on multistage interconnection networks. A
 * row is a cell of its Tables 1, 3, 5 and 6: a network, a collective, and the steps, success rate
 * and time of the paper's evolution. For each row, the study finds and proves the shortest schedule
 * (sw/schedules), and carries out the paper's evolution with several seeds. Program schedule runs
 * the shortest schedule on RTL. Its steps begin at times, after barriers, or without waiting.
 *
 * Reading order: rows.c (the cells), find.c (schedules), evolve.c (the evolution), runs.c (runs of
 * schedules), ports.c (interfaces for each link), printed.c (the schedules that the paper prints),
 * results.c (searches), judge_steps.c, judge_evolution.c and judge_runs.c (statements),
 * statements.txt (their words), figures.c and report.c (files), program.c (the command).
 */
#ifndef HD_SCHEDULES_STUDY_H
#define HD_SCHEDULES_STUDY_H

#include "../report.h"
#include "../study.h"

#include "../../../sw/contention/schedule_check.h"
#include "../../../sw/schedules/schedules.h"

enum { SCHEDULES_NAME = 96, SCHEDULES_HOW = 128, SCHEDULES_REASON = 512 };

/** Ways to begin a step: at a time; after a barrier; after a barrier with settle_cycles; without
 *  waiting. With SCHEDULES_PORTS, steps begin at a time, and nodes have an interface for each
 *  link; that is for rows whose nodes have all ports. */
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
  uint64_t cycles, model; /* measured cycles; cycles by the α–β model */
  uint64_t blocked;       /* flit-cycles */
  uint64_t late;          /* nodes that came late for a step */
  char key[17];           /* KEY.yaml is the run's scenario */
};

/** The paper's evolution, carried out here. */
enum {
  SCHEDULES_SEEDS = 10,
  SCHEDULES_QUICK_SEEDS = 2,
  SCHEDULES_EVOLUTIONS = SCHEDULES_SEEDS + 1
};
struct schedules_evolution {
  bool done, reached;              /* reached: the schedule has no more steps than were asked for */
  uint32_t steps;                  /* of the schedule */
  uint32_t failed_steps;           /* the last number of steps that was not reached; 0: none */
  uint64_t evaluations, conflicts; /* conflicts: those left when failed_steps was not reached */
  double seconds;                  /* processor time */
  char key[17];                    /* KEY.csv is the schedule of the evolution from the bound up */
};

struct schedules_row {
  char network[SCHEDULES_NAME]; /* such as "omega:k=2,n=3" */
  uint32_t nodes, root;
  enum hd_exchange kind;
  bool rooted, all_port;
  char paper_steps[16], paper_time[16]; /* as the paper prints them */
  uint32_t evolution;                   /* steps that the paper's evolution reached */
  double paper_seconds;                 /* <1s counts as 1 */
  uint32_t paper_rate;                  /* percent of ten runs */
  uint64_t graph;                       /* hash of the network's file; 0: no file */
  /* Results of the search. */
  bool found, proved;
  uint32_t steps, bound;
  uint64_t transfers;
  bool one_way; /* links go one way, so there are no barriers */
  uint32_t switches, ports;
  double seconds;
  char how[SCHEDULES_HOW], reason[SCHEDULES_REASON];
  char key[17]; /* KEY.csv is the schedule */
  struct schedules_run runs[SCHEDULES_MEANS];
  struct schedules_evolution
      evolved[SCHEDULES_EVOLUTIONS]; /* by seed, from 1; the last one begins at the bound */
};

/** A schedule that the paper prints: destinations by source and step. */
enum { SCHEDULES_PRINTED = 2, SCHEDULES_PRINTED_NODES = 8, SCHEDULES_PRINTED_STEPS = 7 };
struct schedules_printed {
  const char *title, *network;
  enum hd_exchange kind;
  uint32_t pairs;                          /* different pairs of nodes · (nodes − 1) */
  uint32_t steps[SCHEDULES_PRINTED_STEPS]; /* fewest steps in which a column can be done */
  uint32_t links;                          /* of the network, links of nodes included */
  uint32_t used[SCHEDULES_PRINTED_STEPS];  /* links that a column uses */
  const char *to[SCHEDULES_PRINTED_NODES]; /* a digit for each step */
  /* A schedule by our evolution with seed 1: destination, and sender of the message. evolved:
   * there is one. */
  bool evolved;
  uint32_t to_here[SCHEDULES_PRINTED_NODES][SCHEDULES_PRINTED_STEPS],
      of_here[SCHEDULES_PRINTED_NODES][SCHEDULES_PRINTED_STEPS];
};

struct schedules_results {
  struct schedules_row *rows; /* [n], owned */
  size_t n, capacity;
  struct schedules_printed printed[SCHEDULES_PRINTED];
  uint32_t seeds; /* seeds of the evolution for each row */
  bool quick;
};

/* ── rows ──────────────────────────────────────────────────────────────────── */

/** Reads the cells. A quick run has only networks with at most 8 nodes. Errors: HD_E_INPUT with
 *  file and line, HD_E_IO. */
int schedules_read(struct schedules_results *results, const char *path, bool quick,
                   struct hd_error *err);
void schedules_fini(struct schedules_results *results);
/** Writes a row's name, such as "binary-tree:n=3 all-to-all-scatter", with root and ports if it
 *  has several. */
void schedules_row_name(const struct schedules_row *row, char *text, size_t size);
/** Returns FILE of a network "graph:file=FILE", relative to the current directory; NULL: the
 *  network has no file. */
const char *schedules_graph_file(const char *network);

/* ── schedules and runs ────────────────────────────────────────────────────── */

/** Builds a network's topology. Errors: HD_E_INPUT, HD_E_IO. */
int schedules_topology(const char *network, struct hd_topology *topology, struct hd_error *err);
/** Finds, proves and checks all schedules that have no result yet, and writes them to the runs'
 *  directory. */
int schedules_find_all(struct schedules_results *results, const struct hd_study_arguments *how,
                       struct hd_error *err);
/** Reads a schedule as CSV and checks it. The code that checks shares nothing with the code that
 *  finds schedules. */
int schedules_check(const struct schedules_row *row, const struct hd_topology *topology,
                    const struct hd_messages *messages, const struct hd_text *csv,
                    struct hd_schedule_found *found, struct hd_error *err);
/** Tests whether the row has a network in which each node can have an interface for each link. */
bool schedules_has_ports(const struct schedules_row *row);
/** Writes that network and the schedule for its interfaces beside `path`, KEY.csv, as
 *  KEY-graph.csv and KEY-ports.csv. Each node has a switch of its own. */
int schedules_write_ports(const char *path, const struct hd_schedule *schedule,
                          const struct hd_topology *topology, struct hd_error *err);
/** Carries out the evolutions. Call it after schedules_find_all, which computes the bounds. */
int schedules_evolve_all(struct schedules_results *results, const struct hd_study_arguments *how,
                         struct hd_error *err);
/** schedules_evaluations: evaluations of a seed. They take about the paper's time if that is at
 *  most SCHEDULES_MOST_SECONDS (schedules_affordable). Otherwise they take about a second, or
 *  SCHEDULES_MOST_SECONDS with one root. schedules_prescribed: the steps that seeds are to
 *  reach, the paper's. */
enum { SCHEDULES_MOST_SECONDS = 10 };
uint64_t schedules_evaluations(const struct schedules_row *row);
bool schedules_affordable(const struct schedules_row *row);
uint32_t schedules_prescribed(const struct schedules_row *row);
/** Returns the evolution of seed 1 from the bound up. */
const struct schedules_evolution *schedules_upwards(const struct schedules_row *row);
/** Successes of a row's seeds. */
struct schedules_successes {
  uint32_t runs, reached;
  double seconds, evaluations; /* means of the seeds that reached the steps */
  bool known;                  /* all seeds have ended */
};
struct schedules_successes schedules_successes(const struct schedules_results *results,
                                               const struct schedules_row *row);
/** Carries out the shortest schedules. */
int schedules_run_all(struct schedules_results *results, const struct hd_study_arguments *how,
                      struct hd_error *err);
/** Checks the schedules that the paper prints. */
int schedules_print(struct schedules_results *results, struct hd_error *err);
/** Adds our evolution's schedules to those that the paper prints. Errors: HD_E_IO. */
int schedules_print_evolved(struct schedules_results *results, const char *runs,
                            struct hd_error *err);

/* ── results ───────────────────────────────────────────────────────────────── */

/** Finds the row of a network, a collective and, if it has one, a root; NULL: there is none. */
const struct schedules_row *schedules_find(const struct schedules_results *results,
                                           const char *network, enum hd_exchange kind,
                                           uint32_t root);
/** Tests whether the network's name begins with `network`. */
bool schedules_is(const struct schedules_row *row, const char *network);
/** Writes the network's name in the paper, such as "F-Tree 8". */
void schedules_title(const struct schedules_row *row, char *text, size_t size);

/* ── statements ────────────────────────────────────────────────────────────── */

typedef struct hd_study_statement statement;

extern const struct hd_study_judge schedules_judges_of_evolution[], schedules_judges_of_runs[],
    schedules_judges_of_steps[];

/* ── files ─────────────────────────────────────────────────────────────────── */

/** Report with the sections steps, evolution, tables and cycles. */
extern const struct hd_study_report schedules_report;
/** Writes rows.csv, and the figures cycles and search. */
int schedules_write_figures(const void *results, const char *directory, struct hd_error *err);

#endif
