/* Operations on switches in bit lanes, for code that puts faults into their cells.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled at run time with the lane code of one parameter set.
 */
#ifndef HD_LANES_DUT_H
#define HD_LANES_DUT_H

#include "lanes_group.h"

/** Creates `count` switches and resets them. `wrong` computes their cells with faults (borrowed;
 *  NULL: no faults). HD_E_NOMEM. */
int lanes_dut_create(struct hd_dut **dut, uint32_t count, bool every_cycle,
                     const struct group_wrong *wrong, struct hd_error *err);

/** Returns the other operations on these switches. */
const struct hd_dut_ops *hd_dut_backend(void);

#endif
