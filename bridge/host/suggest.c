/* Suggests the name that the user probably meant, by the Damerau-Levenshtein distance (optimal string alignment).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
  return a < b ? a : b;
}

static size_t edits(const char *a, size_t n, const char *b, size_t m)
{
  size_t d[HD_SUGGEST_NAME + 1][HD_SUGGEST_NAME + 1];
  for (size_t i = 0; i <= n; i++)
    for (size_t j = 0; j <= m; j++) {
      if (!i || !j) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] =
          least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[n][m];
}

void hd_suggest(struct hd_suggestion *s, const char *name)
{
  size_t m = strlen(name);
  if (!s->length || s->length > HD_SUGGEST_NAME || m > HD_SUGGEST_NAME)
    return;
  size_t most = least(s->length, m) / 3, distance = edits(s->given, s->length, name, m);
  if (distance > (most ? most : 1) || distance >= m || (s->text[0] && distance >= s->edits))
    return;
  s->edits = distance;
  snprintf(s->text, sizeof s->text, "; did you mean %s?", name);
}
