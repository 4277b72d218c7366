/* Words and numbers of a graph file's lines; for cmodel/topology/topology_*.c alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TOPOLOGY_TEXT_H
#define HD_TOPOLOGY_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** A piece of a line, from `at` up to `end`. */
struct hd_token {
  const char *at, *end;
};

/** The words at fault, for an error message, without control characters. */
struct hd_token_text {
  char text[40];
};

static inline struct hd_token_text hd_token_quote(const char *at, const char *end)
{
  struct hd_token_text q;
  size_t n = 0;
  for (; at < end && n + 4 < sizeof q.text; at++)
    q.text[n++] = *at >= ' ' && *at <= '~' ? *at : '?';
  if (at < end) {
    memcpy(q.text + n, "...", 3);
    n += 3;
  }
  q.text[n] = '\0';
  return q;
}

/** Returns the token without the blanks around it. */
static inline struct hd_token hd_token_trim(const char *at, const char *end)
{
  while (at < end && (*at == ' ' || *at == '\t'))
    at++;
  while (end > at && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
    end--;
  return (struct hd_token){at, end};
}

static inline bool hd_token_is(struct hd_token p, const char *word)
{
  return (size_t)(p.end - p.at) == strlen(word) && memcmp(p.at, word, strlen(word)) == 0;
}

/** Reads digits up to `end`. Numbers beyond `most` become most + 1. NULL: there is no digit. */
static inline const char *hd_token_number(const char *at, const char *end, uint32_t most,
                                          uint32_t *value)
{
  const char *start = at;
  *value = 0;
  for (; at < end && *at >= '0' && *at <= '9'; at++)
    if (*value <= most)
      *value = *value * 10 + (uint32_t)(*at - '0');
  if (*value > most)
    *value = most + 1;
  return at == start ? NULL : at;
}

#endif
