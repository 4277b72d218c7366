/* Packs: tables, or registers, that are alike and become the words of a vector.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lanes_pack.h"

#include "../../host/memory.h"

#include <stdlib.h>
#include <string.h>

/* A cell of a group. */
struct cell {
  struct hd_instance_class alike;
  uint32_t index;
};

static int by_group(const void *left, const void *right)
{
  const struct cell *a = left, *b = right;
  if (a->alike.group != b->alike.group)
    return a->alike.group < b->alike.group ? -1 : 1;
  return (a->alike.member > b->alike.member) - (a->alike.member < b->alike.member);
}

/* Makes packs of cells of the same group; member m gets position m % width. `of` gets the pack and
 * position of each cell. Returns the number of packs. */
static uint32_t make_packs(struct cell *cells, uint32_t n, uint32_t width, struct hd_pack *packs,
                           struct hd_pack_place *of)
{
  uint32_t n_packs = 0;
  qsort(cells, n, sizeof *cells, by_group);
  for (uint32_t from = 0, to = 0; from < n; from = to) {
    for (to = from + 1; to < n && cells[to].alike.group == cells[from].alike.group &&
                        cells[to].alike.member / width == cells[from].alike.member / width;
         to++)
      ;
    if (to - from < 2)
      continue;
    struct hd_pack *pack = &packs[n_packs];
    memset(pack, 0, sizeof *pack);
    for (uint32_t k = 0; k < HD_PACK_MOST; k++)
      pack->index[k] = HD_PACK_NONE;
    for (uint32_t i = from; i < to; i++) {
      const uint32_t position = cells[i].alike.member % width;
      pack->index[position] = cells[i].index;
      of[cells[i].index] = (struct hd_pack_place){.pack = n_packs, .position = position};
    }
    n_packs++;
  }
  return n_packs;
}

static struct hd_pack_place *empty_places(uint32_t n)
{
  struct hd_pack_place *places = hd_xmalloc((n + 1) * sizeof *places);
  for (uint32_t i = 0; i < n; i++)
    places[i] = (struct hd_pack_place){.pack = HD_PACK_NONE};
  return places;
}

void hd_packs_find(struct hd_packs *packs, const struct hd_netlist *n, uint32_t width)
{
  const uint32_t most = n->n_luts > n->n_registers ? n->n_luts : n->n_registers;
  struct cell *cells = hd_xmalloc((most + 1) * sizeof *cells);
  uint32_t count = 0;
  *packs = (struct hd_packs){.width = width};
  packs->luts = hd_xmalloc((n->n_luts + 1) * sizeof *packs->luts);
  packs->registers = hd_xmalloc((n->n_registers + 1) * sizeof *packs->registers);
  packs->of_lut = empty_places(n->n_luts);
  packs->of_register = empty_places(n->n_registers);
  for (uint32_t i = 0; width > 1 && i < n->n_luts; i++)
    if (n->luts[i].alike.group && n->luts[i].table && n->luts[i].table != 0xff)
      cells[count++] = (struct cell){.alike = n->luts[i].alike, .index = i};
  packs->n_luts = make_packs(cells, count, width, packs->luts, packs->of_lut);
  for (uint32_t p = 0; p < packs->n_luts; p++)
    for (uint32_t k = 0; k < width; k++)
      for (unsigned input = 0; packs->luts[p].index[k] != HD_PACK_NONE && input < 3; input++)
        packs->luts[p].inputs[input * width + k] = n->luts[packs->luts[p].index[k]].a[input];
  count = 0;
  for (uint32_t i = 0; width > 1 && i < n->n_registers; i++)
    if (n->registers[i].alike.group)
      cells[count++] = (struct cell){.alike = n->registers[i].alike, .index = i};
  packs->n_registers = make_packs(cells, count, width, packs->registers, packs->of_register);
  free(cells);
}

void hd_packs_dissolve(struct hd_packs *packs, uint32_t pack)
{
  struct hd_pack *p = &packs->luts[pack];
  for (uint32_t k = 0; k < packs->width; k++)
    if (p->index[k] != HD_PACK_NONE)
      packs->of_lut[p->index[k]].pack = HD_PACK_NONE;
}

void hd_packs_fini(struct hd_packs *packs)
{
  free(packs->luts);
  free(packs->registers);
  free(packs->of_lut);
  free(packs->of_register);
}
