/* Many faults in one copy of the RTL, one of them chosen when it runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A build takes a hundred times as long as most faults take to be found, so the faults of a rig share one.
 */
#ifndef HD_FAULTS_TOGETHER_H
#define HD_FAULTS_TOGETHER_H

#include "plant.h"

/** Makes directory `to` a copy of the Verilog files of `rtl` in which +fault=NUMBER chooses a fault, and 0 none.
 *  numbers[i] gets that of faults[i]; 0: it is none of a statement, an assignment or an instance's input, and
 *  has to be planted by itself. Faults that no longer apply get 0, too. HD_E_INPUT, HD_E_IO. */
int faults_plant_together(const struct fault *const *faults, size_t n, const char *rtl,
                          const char *to, unsigned *numbers, struct hd_error *err);

#endif
