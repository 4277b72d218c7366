/* Packs: tables, or registers, that are alike and become the words of a vector.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_PACK_H
#define HD_LANES_PACK_H

#include "lanes_netlist.h"

enum { HD_PACK_MOST = 8, HD_PACK_NONE = UINT32_MAX };

/** A pack of up to `width` tables, or registers, of a group. */
struct hd_pack {
  uint32_t index[HD_PACK_MOST]; /* in the netlist, by position in the vector; HD_PACK_NONE: none */
  hd_net inputs[3 * HD_PACK_MOST]; /* of tables: all first inputs, all second, all third ones */
};

/** Pack and position of a table or register. */
struct hd_pack_place {
  uint32_t pack, position; /* pack HD_PACK_NONE: it is in no pack */
};

struct hd_packs {
  uint32_t width; /* words of a vector; 1: there are none */
  struct hd_pack *luts, *registers;
  struct hd_pack_place *of_lut, *of_register; /* by index in the netlist */
  uint32_t n_luts, n_registers;
};

/** Finds the packs of a netlist. The caller frees them by hd_packs_fini. */
void hd_packs_find(struct hd_packs *packs, const struct hd_netlist *n, uint32_t width);
/** Dissolves a pack of tables, which are then computed one by one. */
void hd_packs_dissolve(struct hd_packs *packs, uint32_t pack);
void hd_packs_fini(struct hd_packs *packs);

#endif
