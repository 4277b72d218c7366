/* Draws multicast packets and writes for streams around one switch (specification §13).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cast_stream.h"

#include "stream_random.h"

uint64_t hd_cast_stream_header(const struct hd_switch_params *p, uint64_t *rnd, uint64_t data,
                               bool single)
{
  const uint64_t trees = (UINT64_C(1) << hd_log2_ceil(p->nodes)) - 1;
  if (!chance(rnd, single ? 700 : 100))
    return data;
  data |= 3;
  if (chance(rnd, 50)) /* any tree, most often one that does not exist */
    return data;
  const uint64_t tree = below(rnd, p->trees) & trees;
  return (data & ~(trees << 2)) | tree << 2;
}

static uint16_t random_tree(const struct hd_switch_params *p, uint64_t *rnd)
{
  const uint32_t any = (uint32_t)(next_random(rnd) >> 32), all = (1u << p->ports) - 1;
  switch (below(rnd, 4)) {
  case 0: /* also ports that do not exist */
    return (uint16_t)any;
  case 1:
    return (uint16_t)all;
  case 2: /* often one port, or none */
    return (uint16_t)(any & any >> 16 & all);
  default:
    return (uint16_t)(any & all);
  }
}

static uint16_t random_channel(const struct hd_switch_params *p, uint64_t *rnd)
{
  const uint32_t any = below(rnd, HD_MAX_VCS);
  return (uint16_t)(chance(rnd, 900) ? any % p->vcs : any);
}

void hd_cast_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                           struct hd_config_event *e)
{
  if (chance(rnd, 200)) {
    *e = (struct hd_config_event){.addr = HD_CFG_CAST, .data = random_channel(p, rnd)};
    e->data |= (uint16_t)(below(rnd, 8) << 3); /* bits that the register ignores */
    return;
  }
  const uint32_t tree = below(rnd, p->trees + 1);
  *e = (struct hd_config_event){.addr = HD_CFG_TREE(tree), .data = random_tree(p, rnd)};
}

void hd_cast_stream_tables(const struct hd_switch_params *p, uint64_t *rnd,
                           struct hd_config_event *tables, uint32_t *n)
{
  for (uint32_t tree = 0; tree < p->trees; tree++)
    tables[(*n)++] =
        (struct hd_config_event){.addr = HD_CFG_TREE(tree), .data = random_tree(p, rnd)};
  tables[(*n)++] = (struct hd_config_event){.addr = HD_CFG_CAST, .data = random_channel(p, rnd)};
}
