/* heddle board speed: compares a fabric that runs at the board's clock with the model.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_BOARD_SPEED_H
#define HD_CLI_BOARD_SPEED_H

#include "../../speed/speed.h"

/** Runs the comparison and prints its result. Sets options->directory to `out`, or to a new
 *  directory if that is NULL. Returns the exit code. */
int hd_board_speed(struct hd_speed_options *options, const char *out, bool json);

#endif
