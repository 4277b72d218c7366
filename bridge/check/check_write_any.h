/* Sentences and JSON of a check of any router, for the judge of check_judge.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CHECK_WRITE_ANY_H
#define HD_CHECK_WRITE_ANY_H

#include "../render/render.h"

struct check_lines;
struct hd_check;

/** Adds the verdict on a router that breaks no rule. */
void hd_check_any_pass(const struct hd_check *check, struct hd_text *text);
/** Adds the verdict on a router that failed. One bug may break several rules, so it names no number of bugs. */
void hd_check_any_fail(const struct hd_check *check, struct hd_text *text);
/** Are all failures missed budgets? */
bool hd_check_only_budget(const struct hd_check *check);
/** Names parameter sets and kinds of run that the router refuses, and rules that no event tested. */
void hd_check_any_missing(const struct hd_check *check, const struct check_lines *lines);
/** Names how often each rule was tested, and the speed of each switch. */
void hd_check_any_notes(const struct hd_check *check, const struct check_lines *lines);
/** Returns all of these results for check.json. */
json_t *hd_check_any_json(const struct hd_check *check);

#endif
