/* Puts results of scenarios into outcomes, as a worker sends them and the campaign's file keeps them, and gets them back.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soak.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum width { BITS_32, BITS_64 };
static const struct {
  const char *key;
  size_t offset;
  enum width width;
} counts[] = {
#define COUNT(member, width)                             \
  {                                                      \
#member, offsetof(struct soak_result, member), width \
  }
    COUNT(runs, BITS_32),           COUNT(cycles, BITS_64),
    COUNT(switch_cycles, BITS_64),  COUNT(evaluated_cycles, BITS_64),
    COUNT(events, BITS_64),         COUNT(flits, BITS_64),
    COUNT(flits_in_order, BITS_64), COUNT(blocked, BITS_64),
    COUNT(packets, BITS_64),        COUNT(delivered, BITS_64),
    COUNT(barriers, BITS_64),       COUNT(struck, BITS_32),
    COUNT(cut_off, BITS_32),        COUNT(divergence_cycle, BITS_64),
    COUNT(ruled_messages, BITS_64), COUNT(ruled_rounds, BITS_64),
    COUNT(port_flits, BITS_64),     COUNT(port_credits, BITS_64),
    COUNT(port_heads, BITS_64),     COUNT(made, BITS_64),
    COUNT(of_others, BITS_64),
#undef COUNT
};
enum { COUNTS = sizeof counts / sizeof *counts };

void hd_soak_result_put(const struct soak_result *result, struct hd_task_outcome *outcome)
{
  for (size_t i = 0; i < COUNTS; i++) {
    const char *at = (const char *)result + counts[i].offset;
    hd_task_outcome_add(outcome, counts[i].key, NULL,
                        &(struct hd_value){.type = HD_VALUE_COUNT,
                                           .number = counts[i].width == BITS_32
                                                         ? *(const uint32_t *)(const void *)at
                                                         : *(const uint64_t *)(const void *)at});
  }
  hd_task_outcome_add(outcome, "outcome", NULL,
                      &(struct hd_value){.type = HD_VALUE_COUNT, .number = result->outcome});
  hd_task_outcome_add(outcome, "digest", NULL,
                      &(struct hd_value){.type = HD_VALUE_HEX, .number = result->digest});
  struct hd_text word = {0};
  hd_coverage_word(&result->coverage, &word);
  hd_task_outcome_add(outcome, "coverage", NULL,
                      &(struct hd_value){.type = HD_VALUE_TEXT, .text = hd_text_chars(&word)});
  hd_text_fini(&word);
}

void hd_soak_result_get(struct soak_result *result, const struct hd_task_outcome *outcome)
{
  *result = (struct soak_result){.status = outcome->status};
  for (size_t i = 0; i < COUNTS; i++) {
    char *at = (char *)result + counts[i].offset;
    uint64_t count = hd_task_outcome_count(outcome, counts[i].key);
    if (counts[i].width == BITS_32)
      *(uint32_t *)(void *)at = (uint32_t)count;
    else
      *(uint64_t *)(void *)at = count;
  }
  const char *digest = hd_task_outcome_text(outcome, "digest");
  const char *coverage = hd_task_outcome_text(outcome, "coverage");
  result->digest = digest ? strtoull(digest, NULL, 16) : 0;
  hd_coverage_add_word(&result->coverage, coverage ? coverage : "");
  snprintf(result->message, sizeof result->message, "%.*s", (int)sizeof result->message - 1,
           outcome->message ? outcome->message : "");
  bool hung = outcome->signature && !strcmp(outcome->signature, HD_TASK_HUNG);
  uint64_t end = hd_task_outcome_find(outcome, "outcome")
                     ? hd_task_outcome_count(outcome, "outcome")
                 : hung                             ? SOAK_HUNG
                 : outcome->status == HD_E_INTERNAL ? SOAK_CRASHED
                                                    : SOAK_BROKEN;
  result->outcome = end < SOAK_OUTCOMES ? (enum soak_outcome)end : SOAK_BROKEN;
}
