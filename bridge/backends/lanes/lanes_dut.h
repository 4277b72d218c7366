/* Switches in bit lanes, for who puts faults into their cells.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled at run time with the lane code of one parameter set.
 */
#ifndef HD_LANES_DUT_H
#define HD_LANES_DUT_H

#include "lanes_group.h"

/** Creates `count` switches whose cells are as `wrong` says (borrowed; NULL: right), and resets them. HD_E_NOMEM. */
int lanes_dut_create(struct hd_dut **dut, uint32_t count, bool every_cycle,
                     const struct group_wrong *wrong, struct hd_error *err);

/** The other operations on them. */
const struct hd_dut_ops *hd_dut_backend(void);

#endif
