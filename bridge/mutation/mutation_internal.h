/* Types and functions that the files of mutation runs and their reports share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTATION_INTERNAL_H
#define HD_MUTATION_INTERNAL_H

#include "../lockstep/lockstep.h"
#include "../render/render.h"
#include "mutation.h"

/** Runs the scenario on `dut`, whose create gets `dut_options`: against the model, or with
 *  options->foreign in closed loop. Errors are those of hd_lockstep_run. */
int hd_mutation_play_scenario(struct hd_mutation_source *source,
                              const struct hd_mutation_options *options,
                              const struct hd_dut_ops *dut, const char *dut_options,
                              struct hd_lockstep_result *result, struct hd_error *err);

/** The DUT that gives the right answers: the model, or the router without a mutant on a bench
 *  (hd_mutant_pool_fabric). */
struct hd_mutation_right {
  const struct hd_dut_ops *dut;
  const char *options;
};

/** Runs the scenario on `right`. Adds the number of flits and credits that enter switch i to
 *  inputs[i]. Errors are those of hd_lockstep_run. */
int hd_mutation_count_inputs(struct hd_mutation_source *source,
                             const struct hd_mutation_options *options,
                             const struct hd_mutation_right *right, uint64_t *inputs,
                             struct hd_error *err);

/** Runs the scenario, or plays the stream, on `right`. Writes all operations on the record's switch
 *  to `tape`. Errors are those of hd_lockstep_run and hd_stream_play. */
int hd_mutation_record_inputs(struct hd_mutation_source *source,
                              const struct hd_mutation_options *options,
                              const struct hd_mutation_right *right,
                              const struct hd_mutation_record *record, struct hd_mutant_tape *tape,
                              struct hd_error *err);

/** Reads a scenario, and builds its topology and tables. `text` is its text; NULL: it is read from
 *  the file. */
int hd_mutation_scenario(struct hd_mutation_source *source, const char *path, const char *text,
                         const struct hd_mutation_options *options, struct hd_error *err);

/* Reports (report.c). */
void hd_mutation_count_one(struct hd_mutation_count *count, const struct hd_mutation *mutation,
                           const struct hd_mutation_tried *tried);
struct hd_mutation_count hd_mutation_count_all(const struct hd_mutation *mutation);
const struct hd_mutant *hd_mutation_mutant_of(const struct hd_mutation *mutation,
                                              const struct hd_mutation_tried *tried);
const struct hd_mutant_cell *hd_mutation_cell_of(const struct hd_mutation *mutation,
                                                 const struct hd_mutation_tried *tried);

/* Reports on the rules at ports (report_rules.c): the first line, the tables, the file rules.csv,
 * and the part of mutation.json. */
void hd_mutation_rules_title(const struct hd_mutation *mutation, struct hd_text *text);
void hd_mutation_rules_text(const struct hd_mutation *mutation, struct hd_text *text);
int hd_mutation_rules_write(const struct hd_mutation *mutation, const char *directory,
                            struct hd_error *err);
json_t *hd_mutation_rules_json(const struct hd_mutation *mutation);

/** Runs a fabric of each mutant that differs from the original on all scenarios, until one finds it
 *  (docs/mutation.md). `benches`: one for each thread. HD_E_INTERRUPTED, HD_E_NOMEM, HD_E_IO. */
int hd_mutation_judge_by_rules(struct hd_mutation *mutation,
                               const struct hd_mutation_options *options,
                               struct hd_mutant_pool_bench *const *benches, struct hd_error *err);

#endif
