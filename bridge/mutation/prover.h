/* The prover: its parts, and its inputs.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROVER_H
#define HD_PROVER_H

#include "mutants_internal.h"

/** Creates a prover. It borrows netlist and mutants. */
struct hd_prover *hd_prover_create(const struct hd_switch_params *params,
                                   const struct hd_netlist *netlist,
                                   const struct hd_mutants *mutants);

/** Shows it first where the switch comes from a reset in any state, with random inputs: what a register has that no reset
 *  sets is there in few cycles of what is played. */
void hd_prover_random_walk(struct hd_prover *prover);

/** Registers of the switch at some time, a bit each. */
void hd_prover_add_sample(struct hd_prover *prover, const uint64_t *registers);

#endif
