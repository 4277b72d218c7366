/* Writes and reads the coverage of one run as a word, for files with many runs.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A word is "POINTS:HASH:" and a field for each point: "-" if it could not be reached, otherwise
 * its count in hexadecimal, and nothing for 0. The hash of the points' names detects words of other
 * points.
 */
#include "coverage_set.h"

#include "../host/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the start of a word: number and hash of the points that this Heddle knows. */
static void head(char text[32])
{
  uint64_t hash = HD_POINTS;
  for (unsigned i = 0; i < HD_POINTS; i++) {
    hash = hd_hash_bytes(hd_coverage_list[i].section, strlen(hd_coverage_list[i].section), hash);
    hash = hd_hash_bytes(hd_coverage_list[i].name, strlen(hd_coverage_list[i].name), hash);
  }
  snprintf(text, 32, "%u:%08" PRIx32 ":", (unsigned)HD_POINTS, (uint32_t)(hash ^ hash >> 32));
}

void hd_coverage_word(const struct hd_coverage_set *set, struct hd_text *text)
{
  char begin[32];
  head(begin);
  hd_text_add(text, "%s", begin);
  for (unsigned i = 0; i < HD_POINTS; i++) {
    if (set->count[i])
      hd_text_add(text, "%" PRIx64, set->count[i]);
    else if (!set->reachable[i])
      hd_text_add(text, "-");
    hd_text_add(text, ",");
  }
}

bool hd_coverage_add_word(struct hd_coverage_set *set, const char *word)
{
  struct hd_coverage_set run = {.runs = 1};
  char begin[32];
  head(begin);
  if (strncmp(word, begin, strlen(begin)) != 0)
    return false;
  word += strlen(begin);
  for (unsigned i = 0; i < HD_POINTS; i++) {
    size_t length = strcspn(word, ",");
    if (word[length] != ',' || strspn(word, "0123456789abcdef-") != length)
      return false;
    run.reachable[i] = word[0] != '-';
    run.count[i] = run.reachable[i] && length ? strtoull(word, NULL, 16) : 0;
    word += length + 1;
  }
  if (*word)
    return false;
  hd_coverage_merge(set, &run);
  return true;
}
