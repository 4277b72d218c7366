/* heddle board speed: a fabric at speed against the model.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_BOARD_SPEED_H
#define HD_CLI_BOARD_SPEED_H

#include "../../speed/speed.h"

/** Runs it and prints what came of it; options->directory is out's, or a new one where out is NULL. Returns the exit
 *  code. */
int hd_board_speed(struct hd_speed_options *options, const char *out, bool json);

#endif
