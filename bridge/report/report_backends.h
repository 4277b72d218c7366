/* The list of backends, as text and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_BACKENDS_H
#define HD_REPORT_BACKENDS_H

#include "../../cmodel/error.h"
#include "../host/text.h"

/** A line a backend, and one an option of it; of `name` alone when that is not NULL. */
void hd_backends_text(const char *name, struct hd_text *text);

/** {"backends": […]}. */
int hd_backends_json(const char *name, struct hd_text *text, struct hd_error *err);

/** Examples of --dut, a line each, so that every backend is met. */
void hd_backends_examples(const char *name, struct hd_text *text);

#endif
