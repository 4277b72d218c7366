/* Figures of a study: their numbers as CSV, drawn by gnuplot.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STUDY_FIGURE_H
#define HD_STUDY_FIGURE_H

#include "../host/text.h"
#include "../../cmodel/error.h"

#include <stdint.h>

/** Begins a gnuplot script with so many panels, two side by side. Its first comment names
 *  `command`, which made it. */
void hd_study_figure_begin(struct hd_text *gp, const char *command, const char *figure,
                           uint32_t panels);

/** Ends the script, writes FIGURE.csv and FIGURE.gp to the directory, draws FIGURE.svg and
 *  FIGURE.png, and frees both texts. Without gnuplot the first two files are written
 *  nevertheless. Errors: HD_E_TOOL, HD_E_IO. */
int hd_study_figure_end(const char *directory, const char *figure, struct hd_text *csv,
                        struct hd_text *gp, struct hd_error *err);

#endif
