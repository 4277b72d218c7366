/* Writes the keys of scenarios, with their topologies and routings, as text, Markdown and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_KEYS_H
#define HD_REPORT_KEYS_H

#include "../../cmodel/error.h"
#include "../host/text.h"

#include <stdbool.h>

/** Tests whether the selection exists. NULL selects all keys; otherwise it is a key, or a section
 * with its keys. */
bool hd_keys_selected(const char *selected);

/** Adds two lines for each key: type, range and default; its meaning. */
void hd_keys_text(const char *selected, struct hd_text *text);

/** Adds the tables of docs/scenario.md: one for each section, between lines `<!-- keys: SECTION
 * -->` and `<!-- end of keys -->`; then the tables of topologies and routings. */
void hd_keys_markdown(struct hd_text *text);

/** Adds {"keys": […], "topologies": […], "routings": […]}. HD_E_INTERNAL. */
int hd_keys_json(const char *selected, struct hd_text *text, struct hd_error *err);

#endif
