/* What recording and playing share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTATION_INTERNAL_H
#define HD_MUTATION_INTERNAL_H

#include "mutation.h"

/** Runs the scenario on the model. Of switch `sw` everything goes to `tape`, if that is not NULL; inputs[i] is
 *  how many flits and credits enter switch i, if it is not NULL. Errors as hd_lockstep_run. */
int mutation_record(const struct hd_mutation *mutation, const struct hd_mutation_options *options,
                    uint32_t sw, struct hd_mutant_tape *tape, uint64_t *inputs,
                    struct hd_error *err);

/** Reads the scenario and what it is made of. */
int mutation_scenario(struct hd_mutation *mutation, const struct hd_mutation_options *options,
                      struct hd_error *err);

#endif
