/* Types and functions that recording and playing share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTATION_INTERNAL_H
#define HD_MUTATION_INTERNAL_H

#include "mutation.h"

/** Runs the scenario on the model. inputs[i] is how many flits and credits enter switch i. Errors as
 *  hd_lockstep_run. */
int hd_mutation_count_inputs(struct hd_mutation_source *source,
                             const struct hd_mutation_options *options, uint64_t *inputs,
                             struct hd_error *err);

/** Runs the scenario, or plays the stream, on the model; everything of the record's switch goes to `tape`.
 *  Errors as hd_lockstep_run and hd_stream_play. */
int hd_mutation_record_inputs(struct hd_mutation_source *source,
                              const struct hd_mutation_options *options,
                              const struct hd_mutation_record *record, struct hd_mutant_tape *tape,
                              struct hd_error *err);

/** Reads a scenario and what it is made of; `text` is what it says, NULL: what is in the file. */
int hd_mutation_scenario(struct hd_mutation_source *source, const char *path, const char *text,
                         const struct hd_mutation_options *options, struct hd_error *err);

#endif
