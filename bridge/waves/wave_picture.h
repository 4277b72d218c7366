/* A picture of waves as GTKWave shows them, made without a display.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVE_PICTURE_H
#define HD_WAVE_PICTURE_H

#include "../../cmodel/error.h"

/** Lets GTKWave open the save file on a display of its own (Xvfb), and writes what its window shows to
 *  `png`. HD_E_TOOL where gtkwave, xvfb-run or xauth is missing or no picture came of it; HD_E_IO. */
int hd_wave_picture(const char *save, const char *png, struct hd_error *err);

#endif
