/* Writes the list of backends as text and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_BACKENDS_H
#define HD_REPORT_BACKENDS_H

#include "../../cmodel/error.h"
#include "../host/text.h"

/** Adds a line for each backend and for each of its options; if `name` is not NULL, for that
 *  backend only. */
void hd_backends_text(const char *name, struct hd_text *text);

/** Adds {"backends": […]}. HD_E_INTERNAL. */
int hd_backends_json(const char *name, struct hd_text *text, struct hd_error *err);

/** Adds examples of --dut, one in a line, which together use every backend. */
void hd_backends_examples(const char *name, struct hd_text *text);

#endif
