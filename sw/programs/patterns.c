/* The list of traffic patterns, and parameters with a value for each class.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "patterns.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PATTERN(name) &hd_pattern_##name,
const struct hd_pattern *const hd_patterns[] = {HD_PATTERN_LIST(PATTERN) NULL};
#undef PATTERN

const struct hd_pattern *hd_pattern_find(const char *name)
{
  for (const struct hd_pattern *const *p = hd_patterns; *p; p++)
    if (!strcmp((*p)->name, name))
      return *p;
  return NULL;
}

void hd_pattern_prepare(struct hd_ep *ep, const struct hd_pattern *pattern, uint32_t part,
                        struct hd_destinations *to)
{
  *to = (struct hd_destinations){.fixed = -1, .weight = 1, .load = 0.1};
  hd_program_need_two_nodes(ep);
  pattern->prepare(ep, part, to);
  if (to->fixed == hd_ep_rank(ep))
    to->weight = 0;
}

const struct hd_pattern *hd_class_pattern(struct hd_ep *ep, uint32_t part)
{
  const char *name = hd_class_text(ep, "pattern", part, "uniform");
  const struct hd_pattern *pattern = hd_pattern_find(name);
  if (!pattern)
    hd_ep_reject(ep, "pattern", "there is no pattern '%s'; `heddle programs --patterns` lists all",
                 name);
  return pattern;
}

/* ── parameters by class ──────────────────────────────────────────────────── */

uint32_t hd_class_values(struct hd_ep *ep, const char *key)
{
  if (hd_ep_is_number(ep, key))
    return 1;
  const char *text = hd_ep_text(ep, key, NULL);
  uint32_t n = text != NULL;
  for (; text && *text; text++)
    n += *text == '|';
  return n;
}

const char *hd_class_text(struct hd_ep *ep, const char *key, uint32_t part, const char *fallback)
{
  const char *from = hd_ep_text(ep, key, NULL);
  if (!from)
    return fallback;
  if (hd_class_values(ep, key) == 1)
    return from;
  for (uint32_t i = 0; i < part; i++)
    from = strchr(from, '|') + 1;
  from += strspn(from, " ");
  size_t length = strcspn(from, "|");
  while (length && from[length - 1] == ' ')
    length--;
  char *text = hd_ep_alloc(ep, length + 1);
  memcpy(text, from, length);
  return text;
}

double hd_class_number(struct hd_ep *ep, const char *key, uint32_t part, double fallback,
                       double least, double most)
{
  if (hd_class_values(ep, key) < 2)
    return hd_program_number(ep, key, fallback, least, most);
  const char *text = hd_class_text(ep, key, part, "");
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end || !(value >= least && value <= most))
    hd_ep_reject(ep, key, "'%s' for class %" PRIu32 "; legal: a number, %g … %g", text, part, least,
                 most);
  return value;
}

uint64_t hd_class_integer(struct hd_ep *ep, const char *key, uint32_t part, uint64_t fallback,
                          uint64_t least, uint64_t most)
{
  if (hd_class_values(ep, key) < 2)
    return hd_program_integer(ep, key, fallback, least, most);
  const double value =
      hd_class_number(ep, key, part, (double)fallback, (double)least, (double)most);
  if (floor(value) < value)
    hd_ep_reject(ep, key,
                 "%.16g for class %" PRIu32 "; legal: a whole number, %" PRIu64 " … %" PRIu64,
                 value, part, least, most);
  return (uint64_t)value;
}

void hd_class_weighted(struct hd_ep *ep, const char *key, uint32_t part, uint64_t least,
                       uint64_t most, struct hd_weighted *list)
{
  const char *text = hd_class_text(ep, key, part, ""), *at = text;
  double sum = 0;
  *list = (struct hd_weighted){0};
  while (list->n < HD_WEIGHTED) {
    char *end;
    const double value = strtod(at, &end);
    const bool fits = end > at && *end == ':' && value >= (double)least && value <= (double)most &&
                      floor(value) >= value;
    if (!fits)
      break;
    at = end + 1;
    const double weight = strtod(at, &end);
    if (end == at || !(weight > 0 && isfinite(weight)))
      break;
    sum += weight;
    list->values[list->n] = (uint64_t)value;
    list->until[list->n++] = sum;
    if (!*end)
      return;
    if (*end != '+')
      break;
    at = end + 1;
  }
  hd_ep_reject(
      ep, key,
      "'%s'; legal: at most %d of value:weight with + between them, as 1:0.5+5:0.5, values "
      "%" PRIu64 " … %" PRIu64 ", weights above 0",
      text, HD_WEIGHTED, least, most);
}

bool hd_weighted_find(const struct hd_weighted *list, double place, uint64_t *value)
{
  for (uint32_t i = 0; i < list->n; i++)
    if (place < list->until[i]) {
      *value = list->values[i];
      return true;
    }
  return false;
}
