/* Vectors of lane words: tables and registers that are alike, put side by side.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_PACK_H
#define HD_LANES_PACK_H

#include "lanes_netlist.h"

enum { HD_PACK_MOST = 8, HD_PACK_NONE = UINT32_MAX };

/** Up to `width` tables, or registers, of a group. */
struct hd_pack {
  uint32_t index[HD_PACK_MOST]; /* of the netlist, by position in the vector; HD_PACK_NONE: none */
  hd_net
      inputs[3 * HD_PACK_MOST]; /* of a table: its first of all positions, its second, its third */
  bool dissolved;               /* dissolved: its words stand alone */
};

/** The place of a table or register among the packs. */
struct hd_pack_place {
  uint32_t pack, position; /* HD_PACK_NONE: by itself */
};

struct hd_packs {
  uint32_t width; /* words of a vector; 1: there are none */
  struct hd_pack *luts, *registers;
  struct hd_pack_place *of_lut, *of_register; /* by index in the netlist */
  uint32_t n_luts, n_registers;
};

/** Finds packs; hd_packs_fini frees them. */
void hd_packs_find(struct hd_packs *packs, const struct hd_netlist *n, uint32_t width);
/** The words of a pack of tables are by themselves from now on. */
void hd_packs_dissolve(struct hd_packs *packs, uint32_t pack);
void hd_packs_fini(struct hd_packs *packs);

#endif
