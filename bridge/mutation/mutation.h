/* The mutation score of scenarios: which wrong switches they would find.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A scenario runs on the model. What enters one of its switches is recorded with what must leave it, and
 * played on mutants of that switch, hundreds at a time (mutants.h). Mutants that nothing tells from
 * the model are played on the next switch's record, in the order of how much enters a switch; then on those of the
 * next scenario, and on random streams into one switch (bridge/check/streams). All have the same switch.
 *
 * A router that nobody has a model of is compared with itself as it was without a mutant. Then whole fabrics of each
 * mutant run in closed loop, and the rules at ports judge them (rules.c).
 *
 * Reading order: mutants.h (a mutant, its tape, the pool of all mutants of a switch), mutants.c, mutant_equivalent.c,
 * mutant_tape.c, mutant_bench.c (plays a tape), mutant_pool.c, mutant_logic.c (a cell in words of the RTL); mutation.c,
 * record.c, rules.c, report.c, report_rules.c; and for proofs prover.c, prover_formula.c, prover_invariants.c, invariant_candidates.c,
 * mutant_justify.c, mutant_dont_care.c, random_walk.c.
 */
#ifndef HD_MUTATION_H
#define HD_MUTATION_H

#include "../host/text.h"
#include "../scenario/scenario.h"
#include "../scenario/scenario_set.h"
#include "../check/streams/streams.h"
#include "mutants.h"

struct hd_mutation_progress {
  const char *phase; /* "switch 27, 1 of 64" */
  bool ruled;        /* `found` by rules at ports and deliveries */
  bool proved;       /* `found` are proofs */
  uint64_t found, mutants;
  double played_per_second; /* mutant-cycles, since the begin of the phase */
  double seconds_left;      /* < 0: not known */
};

struct hd_mutation_options {
  const char *const
      *scenarios; /* [n_scenarios], at least one: their files, or directories of sweeps */
  size_t n_scenarios;
  const struct hd_setting *settings; /* [n_settings], of all scenarios */
  size_t n_settings;
  const char *program, *rtl_dir, *cache_dir; /* members of struct hd_run_options */
  uint64_t cycles;                           /* cycles of each scenario; 0: its own */
  uint64_t mutants;                          /* drawn at random; 0: all */
  uint64_t seed;                             /* seed for drawing mutants and streams */
  bool has_switch;                           /* only switch `sw` is played */
  uint32_t sw;
  uint32_t switches; /* most switches of each scenario that are played */
  uint32_t streams;  /* after the scenarios, so many of each style that fits */
  bool each;         /* play each mutant on each source, also if another one has found it */
  double prove;      /* minutes of proofs for those that survive; 0: none */
  bool prove_found;  /* try those that are found, too: a proof of one is an internal error */
  const char
      *within; /* mutants of files whose paths begin so, as seen from rtl_dir; NULL: of all */
  const char *
      files; /* mutants in these files only: beginnings of names without a path, with commas; NULL: all */
  bool
      foreign; /* no model: the router without a mutant is compared with, and rules at ports judge */
  uint32_t threads;

  void *context;
  void (*say)(void *context, const char *line);                                 /* may be NULL */
  void (*building)(void *context, const char *what, double seconds);            /* may be NULL */
  void (*progress)(void *context, const struct hd_mutation_progress *progress); /* may be NULL */
  bool (*stop)(void *context);                                                  /* may be NULL */
};

/** The ways in which a mutant of a router without a model ends in closed loop: X(NAME, name, text). */
#define HD_MUTATION_END_LIST(X)                                      \
  X(UNPLAYED, "", "not played")                                      \
  X(PASSED, "passed", "no rule is broken and all packets arrive")    \
  X(RULE, "rule", "a rule at ports is broken")                       \
  X(DELIVERY, "delivery", "a packet does not arrive as it was sent") \
  X(STANDS, "stands still", "nothing moves any more")                \
  X(REFUSED, "refused", "software, or a check outside of the rules, ends the run")

enum hd_mutation_end {
#define HD_MUTATION_END_ENUM(NAME, name, text) HD_MUTATION_##NAME,
  HD_MUTATION_END_LIST(HD_MUTATION_END_ENUM)
#undef HD_MUTATION_END_ENUM
      HD_MUTATION_ENDS
};
const char *hd_mutation_end_name(enum hd_mutation_end end);
const char *hd_mutation_end_text(enum hd_mutation_end end);

struct hd_mutation_ruled {
  uint8_t end;     /* enum hd_mutation_end */
  uint8_t rule;    /* enum hd_port_rule; HD_PORT_NONE: none */
  uint32_t source; /* the scenario that found it */
  uint32_t sw;     /* where, … */
  uint64_t cycle;  /* … and when; with RULE and DELIVERY */
};

/** A mutant that was tried. */
struct hd_mutation_tried {
  uint32_t mutant;   /* index in hd_mutant_pool_mutants */
  uint32_t record;   /* the first record that found it, in hd_mutation.records */
  uint32_t survived; /* records to whose end it was played and not found */
  enum hd_proof
      proof; /* proof that no input shows a difference between the mutant and the switch */
  struct hd_mutant_found found;
  struct hd_mutation_ruled ruled; /* verdict of the rules, for a router without a model */
};

/** Recorded inputs of a switch of a scenario; or a stream. */
struct hd_mutation_record {
  uint32_t source, sw;            /* sw: of streams the number, from 0 on */
  uint64_t inputs, cycles, found; /* flits and credits of a scenario; mutants found here first */
};

enum { HD_MUTATION_SOURCES = 1024 };

/** The source of records: a scenario, or streams of one style. */
struct hd_mutation_source {
  bool is_stream;
  enum hd_stream_style style; /* of streams; the rest is a scenario's */
  bool has_twin;              /* another scenario, of another file, has its name */
  char *run; /* owned; "runs/a-sweep/runs.csv: run 3": a run of a sweep; NULL: none */
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  uint64_t cycles;
};

/** Result of a mutation run. Owned; hd_mutation_fini frees it. */
struct hd_mutation {
  struct hd_mutation_source *sources; /* [n_sources]: scenarios, then streams */
  struct hd_mutation_record *records; /* sorted by source */
  struct hd_mutant_pool *mutable;
  struct hd_text rtl_files;        /* hd_backend_options */
  struct hd_mutation_tried *tried; /* [n] by number of the mutant */
  uint64_t *by;                    /* [n * by_words]: see hd_mutation_by */
  uint32_t n, by_words, n_sources, n_records, records_wanted;
  uint64_t seed, invariants; /* seed of the drawing; number of invariants that proofs use */
  uint32_t wanted_to_prove, tried_to_prove;
  bool drawn, each, foreign, interrupted;
  const char *files;         /* struct hd_mutation_options; borrowed */
  uint32_t possible;         /* mutants of these files */
  uint32_t to_judge, judged; /* by the rules */
  double seconds;            /* after the build */
};

/** Does source `source` find m->tried[tried]? Sources after the first that does are asked with .each alone. */
bool hd_mutation_by(const struct hd_mutation *mutation, uint32_t tried, uint32_t source);

/** The scenario's name, its path where another one has the same name, which run it is of a sweep, or what the streams
 *  are; static or the source's own. */
const char *hd_mutation_source_name(const struct hd_mutation_source *source);

/** Tries them. HD_E_DIVERGENCE: the switch without a mutant differs from its model. HD_E_NOTHING: nothing leaves
 *  a switch. HD_E_INPUT: the scenarios have not all the same switch. HD_E_INTERRUPTED: what was found so far is there. Others as hd_run. */
int hd_mutation_run(struct hd_mutation *mutation, const struct hd_mutation_options *options,
                    struct hd_error *err);
void hd_mutation_fini(struct hd_mutation *mutation);

struct hd_mutation_count {
  uint64_t mutants, found, equivalent, survived; /* the other mutants were not played to the end */
  bool foreign;
  uint64_t by_rules,
      by_others; /* of a router without a model: ends RULE, and DELIVERY to REFUSED */
};

/** The summary for people. */
void hd_mutation_text(const struct hd_mutation *mutation, struct hd_text *text);
/** Writes mutation.json, mutants.csv and lines.csv, of a router without a model rules.csv, too, into a directory that is there. HD_E_IO. */
int hd_mutation_write(const struct hd_mutation *mutation, const char *directory,
                      struct hd_error *err);

#endif
