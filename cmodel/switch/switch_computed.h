/* Routes that are computed from registers (specification §12). For cmodel/switch/ and cmodel/fabric/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_COMPUTED_H
#define HD_SWITCH_COMPUTED_H

#include "switch_state.h"

/** Carries out a write to a register of §12.6. False: the switch has no register `index`. */
bool hd_switch_computed_write(struct hd_switch *sw, unsigned index, uint16_t data);

#endif
