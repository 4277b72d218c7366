/* Sentences and JSON of a check of any router, for the judge of check_judge.c.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CHECK_WRITE_ANY_H
#define HD_CHECK_WRITE_ANY_H

#include "../render/render.h"

struct hd_check;

/** The verdict on a router of which no rule is broken. */
void hd_check_any_pass(const struct hd_check *check, struct hd_text *text);
/** The verdict on one that has failed. Several rules may be broken by one bug, so no number of bugs is told. */
void hd_check_any_fail(const struct hd_check *check, struct hd_text *text);
/** Has nothing failed but a budget? */
bool hd_check_only_budget(const struct hd_check *check);
/** Names parameters and kinds of run that the router refuses, and rules that nothing was held against. */
void hd_check_any_missing(const struct hd_check *check,
                          void (*name)(void *context, const char *what), void *context);
/** Says how often each rule was held against something, and how fast each switch is. */
void hd_check_any_notes(const struct hd_check *check, void (*name)(void *context, const char *what),
                        void *context);
/** All of it for check.json. */
json_t *hd_check_any_json(const struct hd_check *check);

#endif
