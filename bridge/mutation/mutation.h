/* Mutation score of scenarios: the share of wrong switches that they find.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A scenario runs on the model. The inputs of one of its switches and the outputs that it must show
 * are recorded, and played on mutants of that switch, hundreds at a time (mutants.h). Mutants that
 * do not differ are played on the record of the next switch; switches with the most inputs come
 * first. Then come the switches of the next scenario, and random streams into one switch
 * (bridge/check/streams). All scenarios have the same switch.
 *
 * A router without a model is compared with itself without a mutant. Then fabrics whose routers are
 * all the same mutant run in closed loop, and the rules at ports judge them (rules.c).
 *
 * Reading order: mutants.h (a mutant, its tape, the pool of all mutants of a switch), mutants.c,
 * mutant_equivalent.c, mutant_tape.c, mutant_bench.c (plays a tape), mutant_pool.c, mutant_logic.c
 * (a cell by names of the RTL); mutation.c, record.c, rules.c, report.c, report_rules.c; and for
 * proofs prover.c, prover_formula.c, prover_invariants.c, invariant_candidates.c, mutant_justify.c,
 * mutant_dont_care.c, random_walk.c.
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
  bool ruled;        /* `found` counts mutants that rules at ports or deliveries found */
  bool proved;       /* `found` counts proofs */
  uint64_t found, mutants;
  double played_per_second; /* mutant-cycles since the phase began */
  double seconds_left;      /* < 0: not known */
};

struct hd_mutation_options {
  const char *const *scenarios; /* [n_scenarios], at least one: files, or directories of sweeps */
  size_t n_scenarios;
  const struct hd_setting *settings; /* [n_settings], for all scenarios */
  size_t n_settings;
  const char *program, *rtl_dir, *cache_dir; /* members of struct hd_run_options */
  uint64_t cycles;                           /* cycles of each scenario; 0: its own */
  uint64_t mutants;                          /* number to draw at random; 0: all */
  uint64_t seed;                             /* seed for drawing mutants and streams */
  bool has_switch;                           /* play switch `sw` alone */
  uint32_t sw;
  uint32_t switches; /* number of switches of each scenario to play, at most */
  uint32_t streams;  /* number of streams of each style that fits, after the scenarios */
  bool each;         /* play each mutant on each source, also if another one has found it */
  double prove;      /* minutes of proofs for mutants that survive; 0: none */
  bool prove_found;  /* also try found mutants: a proof of one is an internal error */
  /** Only mutants in files whose paths, relative to rtl_dir, begin with this. NULL: all. */
  const char *within;
  /** Only mutants in files whose names begin with one of these, separated by commas. NULL: all. */
  const char *files;
  /** There is no model: mutants are compared with the router without a mutant, and judged by rules
   *  at ports. */
  bool foreign;
  uint32_t threads;

  void *context;
  void (*say)(void *context, const char *line);                                 /* may be NULL */
  void (*building)(void *context, const char *what, double seconds);            /* may be NULL */
  void (*progress)(void *context, const struct hd_mutation_progress *progress); /* may be NULL */
  bool (*stop)(void *context);                                                  /* may be NULL */
};

/** Ends of a run in closed loop with a mutant of a router without a model: X(NAME, name, text). */
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
  uint32_t source; /* scenario that found it */
  uint32_t sw;     /* switch, for RULE and DELIVERY */
  uint64_t cycle;  /* cycle, for RULE and DELIVERY */
};

/** A mutant that was tried. */
struct hd_mutation_tried {
  uint32_t mutant;     /* index in hd_mutant_pool_mutants */
  uint32_t record;     /* first record that found it, in hd_mutation.records */
  uint32_t survived;   /* number of records that were played to their end without finding it */
  enum hd_proof proof; /* proof that it is equivalent to the switch */
  struct hd_mutant_found found;
  struct hd_mutation_ruled ruled; /* verdict of the rules, for a router without a model */
};

/** Recorded inputs of a switch of a scenario, or a stream. */
struct hd_mutation_record {
  uint32_t source, sw;            /* sw of a stream: its number, from 0 on */
  uint64_t inputs, cycles, found; /* flits and credits of a scenario; mutants found here first */
};

enum { HD_MUTATION_SOURCES = 1024 };

/** Source of records: a scenario, or streams of one style. */
struct hd_mutation_source {
  bool is_stream;
  enum hd_stream_style style; /* for streams; all members below are a scenario's */
  bool shares_name;           /* a scenario of another file has the same name */
  char *run; /* owned; names a run of a sweep, "runs/a-sweep/runs.csv: run 3"; NULL: none */
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  uint64_t cycles;
};

/** Result of a mutation run. Owned; hd_mutation_fini frees it. */
struct hd_mutation {
  struct hd_mutation_source *sources; /* [n_sources]: scenarios, then streams */
  struct hd_mutation_record *records; /* sorted by source */
  struct hd_mutant_pool *pool;
  struct hd_text rtl_files;        /* see hd_backend_options */
  struct hd_mutation_tried *tried; /* [n], sorted by the mutant's number */
  uint64_t *by;                    /* [n * by_words]: see hd_mutation_by */
  uint32_t n, by_words, n_sources, n_records, records_wanted;
  uint64_t seed, invariants; /* seed of the drawing; number of invariants that proofs use */
  uint32_t wanted_to_prove, tried_to_prove;
  bool drawn, each, foreign, interrupted;
  const char *files;         /* hd_mutation_options.files; borrowed */
  uint32_t possible;         /* number of mutants in the files that the options name */
  uint32_t to_judge, judged; /* numbers of mutants for the rules at ports */
  double seconds;            /* time of the run, without the build */
};

/** Tests whether source `source` finds m->tried[tried]. Without .each a mutant is not played after
 *  the first source that finds it. */
bool hd_mutation_by(const struct hd_mutation *mutation, uint32_t tried, uint32_t source);

/** Returns a name of the source: the scenario's name, or its path if another one has the same name;
 *  the run of a sweep; or the style of the streams. Static, or owned by the source. */
const char *hd_mutation_source_name(const struct hd_mutation_source *source);

/** Tries the mutants. The caller calls hd_mutation_fini, also after an error. HD_E_DIVERGENCE: the
 *  switch without a mutant differs from its model. HD_E_NOTHING: neither switches nor streams are
 *  to be played. HD_E_INPUT: the scenarios do not all have the same switch. HD_E_INTERRUPTED:
 *  `mutation` has the results so far. Other errors are those of hd_run. */
int hd_mutation_run(struct hd_mutation *mutation, const struct hd_mutation_options *options,
                    struct hd_error *err);
void hd_mutation_fini(struct hd_mutation *mutation);

struct hd_mutation_count {
  uint64_t mutants, found, equivalent, survived; /* the other mutants were not played to the end */
  bool foreign;
  uint64_t by_rules, by_others; /* router without a model: ends RULE; ends DELIVERY to REFUSED */
};

/** Appends the summary for people. */
void hd_mutation_text(const struct hd_mutation *mutation, struct hd_text *text);
/** Writes mutation.json, mutants.csv and lines.csv, and for a router without a model rules.csv,
 *  into an existing directory. HD_E_IO. */
int hd_mutation_write(const struct hd_mutation *mutation, const char *directory,
                      struct hd_error *err);

#endif
