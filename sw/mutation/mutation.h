/* The mutation score of a scenario: which wrong switches it would find.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The scenario runs on the model. What enters one of its switches is recorded with what must leave it, and
 * played on mutants of that switch, hundreds at a time (bridge/backends/lanes). Mutants that nothing tells from
 * the model are played on the next switch's record, in the order of how much enters a switch.
 */
#ifndef HD_MUTATION_H
#define HD_MUTATION_H

#include "../../bridge/backends/lanes/lanes_mutants.h"
#include "../../bridge/host/text.h"
#include "../../bridge/scenario/scenario.h"
#include "../../bridge/scenario/scenario_set.h"

struct hd_mutation_progress {
  const char *phase; /* "recording switch 27", "playing switch 27, 1 of 64" */
  uint64_t found, mutants;
  double played_per_second; /* mutant-cycles, since the begin of the phase */
  double seconds_left;      /* < 0: not known */
};

struct hd_mutation_options {
  const char *scenario_path;
  const struct hd_setting *settings; /* [n_settings] */
  size_t n_settings;
  const char *program, *rtl_dir, *cache_dir; /* as struct hd_run_options has them */
  uint64_t cycles;                           /* 0: the scenario's */
  uint64_t mutants;                          /* drawn at random; 0: all */
  uint64_t seed;                             /* of the drawing */
  bool has_switch;                           /* that one alone */
  uint32_t sw;
  uint32_t switches; /* at most so many; 0: all */
  uint32_t threads;

  void *context;
  void (*say)(void *context, const char *line);                                 /* may be NULL */
  void (*building)(void *context, const char *what, double seconds);            /* may be NULL */
  void (*progress)(void *context, const struct hd_mutation_progress *progress); /* may be NULL */
  bool (*stop)(void *context);                                                  /* may be NULL */
};

/** A mutant that was tried. */
struct hd_mutation_tried {
  uint32_t mutant;   /* of hd_mutable_mutants */
  uint32_t sw;       /* found there */
  uint32_t survived; /* switches to whose end it was played and not found */
  bool equivalent;   /* proved: no input tells it from the switch */
  struct hd_mutant_found found;
};

/** A switch whose record was played. */
struct hd_mutation_switch {
  uint32_t sw;
  uint64_t inputs, cycles, found; /* flits and credits that entered it; mutants found there */
};

/** What came of it. Owned; hd_mutation_fini frees it. */
struct hd_mutation {
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  struct hd_mutable *mutable;
  struct hd_text rtl_files;        /* hd_backend_options */
  struct hd_mutation_tried *tried; /* [n] by number of the mutant */
  struct hd_mutation_switch *switches;
  uint32_t n, n_switches, switches_wanted;
  uint64_t seed, cycles;
  bool drawn, interrupted;
  double seconds; /* after the build */
};

/** Tries them. HD_E_DIVERGENCE: the switch without a mutant differs from its model. HD_E_NOTHING: nothing leaves
 *  a switch. HD_E_INTERRUPTED: what was found so far is there. Others as hd_run. */
int hd_mutation_run(struct hd_mutation *mutation, const struct hd_mutation_options *options,
                    struct hd_error *err);
void hd_mutation_fini(struct hd_mutation *mutation);

struct hd_mutation_count {
  uint64_t mutants, found, equivalent, survived; /* the rest was not played to the end */
};
struct hd_mutation_count hd_mutation_count(const struct hd_mutation *mutation);
/** Found of those that can be found, in percent; < 0: there are none. */
double hd_mutation_score(const struct hd_mutation_count *count);

/** The summary for people. */
void hd_mutation_text(const struct hd_mutation *mutation, struct hd_text *text);
/** Writes mutation.json, mutants.csv and lines.csv into a directory that is there. HD_E_IO, HD_E_NOMEM. */
int hd_mutation_write(const struct hd_mutation *mutation, const char *directory,
                      struct hd_error *err);

#endif
