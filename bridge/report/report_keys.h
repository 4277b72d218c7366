/* The keys of scenarios with their topologies and routings, as text, Markdown and JSON.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REPORT_KEYS_H
#define HD_REPORT_KEYS_H

#include "../../cmodel/error.h"
#include "../host/text.h"

#include <stdbool.h>

/** Is there such a selection? NULL selects all keys; otherwise a key, or a section with its keys. */
bool hd_keys_selected(const char *selected);

/** A line of type, range and default a key, and a line of what it means. */
void hd_keys_text(const char *selected, struct hd_text *text);

/** The tables of docs/scenario.md: one a section, each between lines `<!-- keys: SECTION -->` and
 *  `<!-- end of keys -->`; then those of topologies and routings. */
void hd_keys_markdown(struct hd_text *text);

/** {"keys": […], "topologies": […], "routings": […]}. */
int hd_keys_json(const char *selected, struct hd_text *text, struct hd_error *err);

#endif
