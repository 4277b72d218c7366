/* Creates a prover of equivalent mutants, and gives it samples of the switch.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROVER_H
#define HD_PROVER_H

#include "mutants_internal.h"

/** Creates a prover. It borrows netlist and mutants. */
struct hd_prover *hd_prover_create(const struct hd_switch_params *params,
                                   const struct hd_netlist *netlist,
                                   const struct hd_mutants *mutants);

/** Adds samples of random walks: a reset from random states, then random inputs. Tapes have few
 *  cycles with the values of registers that no reset sets. Call it before hd_prover_add_sample. */
void hd_prover_random_walk(struct hd_prover *prover);

/** Adds a sample: the values of all registers of the switch at one time, a bit each. */
void hd_prover_add_sample(struct hd_prover *prover, const uint64_t *registers);

#endif
