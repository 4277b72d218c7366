/* Cuts the waves out of a picture of GTKWave's window.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PICTURE_CROP_H
#define HD_PICTURE_CROP_H

#include "../../cmodel/error.h"

#include <stddef.h>

/** Cuts names and waves out of a PNG of the window, from the first row to the last. The result
 *  has no title, buttons, scroll bars and time axis. The axis counts nanoseconds, while the row
 *  `cycle` counts cycles. *out is the new PNG; the caller frees it. HD_E_TOOL: no PNG, or no
 *  black pane of waves in it. */
int hd_picture_crop(const char *png, size_t length, char **out, size_t *out_length,
                    struct hd_error *err);

#endif
