/* Draws packets for the XOR coder in streams around one switch: code fields and places.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coder_stream.h"

#include "stream_random.h"

enum { NATIVE = 1, CODED = 2, UNUSED = 3 };

uint32_t hd_coder_flits(uint64_t *rnd)
{
  if (chance(rnd, 10))
    return 33 + below(rnd, 16); /* a counter of 5 bits wraps */
  switch (below(rnd, 8)) {
  case 0:
    return 14 + below(rnd, 6); /* a place keeps at most 16 flits */
  case 1:
  case 2:
    return 1 + below(rnd, 8);
  default:
    return 1 + below(rnd, 3);
  }
}

/* Draws one of the places that the style uses. */
static uint32_t named_place(const struct hd_switch_params *p, uint64_t *rnd,
                            const struct stream_style *style)
{
  return (style->first_place + below(rnd, style->places)) % p->code_places;
}

uint64_t hd_coder_header(const struct hd_switch_params *p, uint64_t *rnd,
                         const struct stream_style *style, uint64_t header, uint32_t flits)
{
  uint32_t shift = p->data_bits - hd_code_bits(p), place_bits = hd_place_bits(p);
  uint64_t code = chance(rnd, style->every_place ? 900 : 600) ? NATIVE
                  : chance(rnd, 700)                          ? CODED
                  : chance(rnd, 800)                          ? 0
                                                              : UNUSED;
  uint64_t place = style->places      ? named_place(p, rnd, style)
                   : chance(rnd, 970) ? below(rnd, p->code_places)
                                      : below(rnd, 1u << place_bits);
  uint64_t length = code == NATIVE && chance(rnd, 950) ? (flits - 1) & 15 : below(rnd, 16);
  if ((header & 3) == 2)
    return header;
  return (header & ((UINT64_C(1) << shift) - 1)) | length << shift | place << (shift + 4) |
         code << (p->data_bits - 2);
}

static uint16_t place_data(uint64_t *rnd)
{
  unsigned open = chance(rnd, 950) ? HD_PLACE_OPEN : 0, last = chance(rnd, 250) ? HD_PLACE_LAST : 0;
  return (uint16_t)((next_random(rnd) & 0xfffc) | open | last);
}

void hd_coder_stream_config(const struct hd_switch_params *p, uint64_t *rnd,
                            const struct stream_style *style, struct hd_config_event *e)
{
  uint32_t place = style->places      ? named_place(p, rnd, style)
                   : chance(rnd, 970) ? below(rnd, p->code_places)
                                      : p->code_places + below(rnd, 3);
  e->addr = HD_CFG_PLACE(place) | (chance(rnd, 30) ? 1u << (12 + below(rnd, 4)) : 0);
  e->data = place_data(rnd);
}

void hd_coder_stream_tables(const struct hd_switch_params *p, uint64_t *rnd,
                            struct hd_config_event *tables, uint32_t *n)
{
  for (uint32_t place = 0; place < p->code_places; place++)
    tables[(*n)++] = (struct hd_config_event){.addr = HD_CFG_PLACE(place), .data = place_data(rnd)};
}
