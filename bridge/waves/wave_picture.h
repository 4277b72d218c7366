/* Makes a picture of waves as GTKWave shows them, without a display.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVE_PICTURE_H
#define HD_WAVE_PICTURE_H

#include "../../cmodel/error.h"

/** Lets GTKWave open the save file on a virtual display (Xvfb), and writes a picture of its names
 *  and waves to `png`. The files that the save file names are in its directory. HD_E_TOOL: gtkwave,
 *  xvfb-run or xauth is missing, or GTKWave made no picture; HD_E_INPUT: Heddle did not write the
 *  save file; HD_E_IO. */
int hd_wave_picture(const char *save, const char *png, struct hd_error *err);

#endif
