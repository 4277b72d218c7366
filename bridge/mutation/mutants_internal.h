/* From netlist to mutants.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_MUTANTS_INTERNAL_H
#define HD_MUTANTS_INTERNAL_H

#include "mutants.h"
#include "../backends/lanes/lanes_netlist.h"

/** All mutants of a netlist, to be freed by hd_mutants_fini. */
void hd_mutants_find(struct hd_mutants *mutants, const struct hd_netlist *netlist);
/** Marks mutants of which the structure of the netlist proves that they act as the switch does. */
void hd_mutants_prove(struct hd_mutants *mutants, const struct hd_netlist *netlist);
void hd_mutants_fini(struct hd_mutants *mutants);

#endif
