/* Suggests the name that the user probably meant.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SUGGEST_H
#define HD_SUGGEST_H

#include <stddef.h>

enum { HD_SUGGEST_NAME = 64 }; /* longer names are not compared */

/** The best name so far. The caller sets `given` and `length`, then calls hd_suggest with each
 *  name. */
struct hd_suggestion {
  const char *given;
  size_t length;
  size_t edits;                    /* from `given` to the best name so far */
  char text[HD_SUGGEST_NAME + 24]; /* "; did you mean NAME?", or "" */
};

/** Keeps `name` if it is nearer than all names before. The distance is the number of insertions,
 *  deletions, changes and swaps of neighbours (Damerau-Levenshtein), at most one for three
 *  characters. */
void hd_suggest(struct hd_suggestion *suggestion, const char *name);

#endif
