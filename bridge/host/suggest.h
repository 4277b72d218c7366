/* The name that was probably meant, of those there are.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SUGGEST_H
#define HD_SUGGEST_H

#include <stddef.h>

enum { HD_SUGGEST_NAME = 64 }; /* longer names are not looked at */

/** Begins with `given` and its length; hd_suggest is called with each name. */
struct hd_suggestion {
  const char *given;
  size_t length;
  size_t edits;                    /* from `given` to the best name so far */
  char text[HD_SUGGEST_NAME + 24]; /* "; did you mean NAME?", or "" */
};

/** Keeps `name` where it is nearer than those before: fewest insertions, deletions, changes and swaps of
 *  neighbours (Damerau-Levenshtein), at most one in three characters. */
void hd_suggest(struct hd_suggestion *suggestion, const char *name);

#endif
