/* Reports the comparison of two wave files as text, CSV and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_WAVES_H
#define HD_REPORT_WAVES_H

#include "../host/text.h"
#include "wave_diff.h"

/** Tests whether the files are equal. `common`: only times and signals that both have are
 *  compared. */
bool hd_report_waves_equal(const struct hd_wave_diff *diff, bool common);

void hd_report_waves_text(const struct hd_wave_diff *diff, const char *path_a, const char *path_b,
                          bool common, struct hd_text *text);
/** Writes a line of column names, and a line for each signal that differs. */
void hd_report_waves_csv(const struct hd_wave_diff *diff, struct hd_text *text);
int hd_report_waves_json(const struct hd_wave_diff *diff, const char *path_a, const char *path_b,
                         bool common, struct hd_text *text, struct hd_error *err);

#endif
