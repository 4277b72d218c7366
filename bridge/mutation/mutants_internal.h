/* Finds the mutants of a netlist, and those that its structure proves equivalent.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTANTS_INTERNAL_H
#define HD_MUTANTS_INTERNAL_H

#include "mutants.h"
#include "../backends/lanes/lanes_netlist.h"

/** Finds all mutants of a netlist. The caller frees them by hd_mutants_fini. */
void hd_mutants_find(struct hd_mutants *mutants, const struct hd_netlist *netlist);
/** Marks mutants as equivalent if the structure of the netlist proves that they behave like the
 *  switch. */
void hd_mutants_prove(struct hd_mutants *mutants, const struct hd_netlist *netlist);
void hd_mutants_fini(struct hd_mutants *mutants);

#endif
