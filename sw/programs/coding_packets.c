/* The packets of program coding: the fields of their heads, and which packets a node must receive.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_packets.h"

uint64_t hd_coding_head(const struct hd_coding_task *t, uint64_t kind, uint64_t id, uint64_t value)
{
  return (kind << t->id_bits | id) << t->value_bits | value;
}

uint64_t hd_coding_kind_of(const struct hd_coding_send *send)
{
  return (uint64_t)send->item.what << 3 | (uint64_t)send->as.step << 1 | send->as.level;
}

uint64_t hd_coding_head_kind(const struct hd_coding_task *t, uint64_t head)
{
  return head >> (t->value_bits + t->id_bits);
}

uint64_t hd_coding_head_id(const struct hd_coding_task *t, uint64_t head)
{
  return head >> t->value_bits & ((UINT64_C(1) << t->id_bits) - 1);
}

struct hd_coding_payload hd_coding_packet_payload(const struct hd_coding_task *t, uint64_t head,
                                                  const uint64_t *words, uint32_t flits)
{
  struct hd_coding_payload p = {.value = head & ((UINT64_C(1) << t->value_bits) - 1),
                                .flits = flits};
  for (uint32_t f = 0; f + 1 < flits; f++)
    p.words[f] = words[f];
  return p;
}

struct hd_coding_via hd_coding_via_of(uint64_t kind)
{
  return (struct hd_coding_via){(uint8_t)(kind >> 1 & 3), (uint8_t)(kind & 1)};
}

bool hd_coding_find_chain(const struct hd_coding_task *t, uint32_t rank, uint32_t place,
                          uint32_t *level, uint32_t *group, uint32_t *at)
{
  for (*level = 0; *level < t->levels; ++*level) {
    uint32_t n, first = hd_coding_siblings(t->plan, *level, rank, &n);
    for (*group = first; *group < first + n; ++*group) {
      uint32_t m = hd_coding_n_sources(t, *level, *group), base = t->base[*level][*group];
      if (!t->decode && *group != hd_coding_group(t->plan, *level, rank))
        continue;
      if (m > 1 && place >= base && place < base + m) {
        *at = place - base;
        return true;
      }
    }
  }
  return false;
}

bool hd_coding_is_expected(const struct hd_coding_task *t, uint32_t rank,
                           const struct hd_coding_item *item, struct hd_coding_via via,
                           uint32_t source)
{
  static const uint8_t between[] = {[HD_CODING_FLAT] = HD_CODING_DATUM,
                                    [HD_CODING_CODED] = HD_CODING_PAIR,
                                    [HD_CODING_PLAIN] = HD_CODING_DATUM,
                                    [HD_CODING_COMBINED] = HD_CODING_ALL_DATA};
  bool alone = via.step == HD_CODING_B || via.step == HD_CODING_F;
  if (source >= t->nodes || !t->is_source[source] || via.level >= hd_coding_step_levels(t) ||
      !hd_coding_step_has_sends(t, via.level, via.step) ||
      item->what != (alone ? HD_CODING_DATUM : between[t->scheme]))
    return false;
  if (!t->levels)
    return true;
  uint32_t n, group = hd_coding_group(t->plan, via.level, source),
              own = hd_coding_group(t->plan, via.level, rank);
  uint32_t first = hd_coding_siblings(t->plan, via.level, rank, &n);
  if (via.step == HD_CODING_B || group < first || group >= first + n)
    return group == own;
  uint32_t number = t->number[via.level][source];
  if (via.step == HD_CODING_F)
    return group != own && number == hd_coding_native(t->plan, via.level, group, rank);
  if (item->what == HD_CODING_PAIR && number + 1 == hd_coding_n_sources(t, via.level, group))
    return false;
  return group != own && (via.step == HD_CODING_D) == hd_coding_is_intermediate(t, via.level, rank);
}
