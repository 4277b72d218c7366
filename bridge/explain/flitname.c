/* Flits as words, for waves and reports.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "flitname.h"

#include <inttypes.h>
#include <stdio.h>

/* `bits` < 64 of data from `low` up; 0 where they are beyond it. */
static unsigned field(uint64_t data, uint32_t low, uint32_t bits)
{
  return low >= 64 ? 0 : (unsigned)(data >> low & ((UINT64_C(1) << bits) - 1));
}

static uint32_t at_least_one(uint32_t bits)
{
  return bits > 0 ? bits : 1;
}

/* The header's route (§1.3) as text. */
static void route_name(char *buf, size_t size, uint64_t data, const struct hd_switch_params *params)
{
  const uint32_t node_bits = at_least_one(hd_log2_ceil(params->nodes));
  switch (field(data, 0, 2)) {
  case 0:
    snprintf(buf, size, "%u", field(data, 2, node_bits));
    break;
  case 1:
    snprintf(buf, size, "%u<%u", field(data, 2, node_bits), field(data, 2 + node_bits, node_bits));
    break;
  case 2:
    snprintf(buf, size, "p%u", field(data, 2, at_least_one(hd_log2_ceil(params->ports))));
    break;
  default:
    snprintf(buf, size, "?");
    break;
  }
}

/* Flits of chapter 7, where the switch has them. */
static void barrier_name(char *buf, const struct hd_flit_event *flit,
                         const struct hd_switch_params *params)
{
  static const char *const types[] = {"reduce", "distribute", "initial", "fail"};
  const unsigned vc = flit->vc;
  const uint32_t message = (uint32_t)flit->data;
  const bool two = hd_barrier_flits(params) == 2;

  if (flit->kind == HD_KIND_NULL)
    snprintf(buf, HD_FLIT_NAME_SIZE, "null vc%u", vc);
  else if (flit->kind == HD_KIND_PADDING)
    snprintf(buf, HD_FLIT_NAME_SIZE, "%s vc%u", message & 1 ? "end" : "request", vc);
  else if (two && flit->kind == HD_KIND_BARRIER_LAST)
    snprintf(buf, HD_FLIT_NAME_SIZE, "M.%s%u vc%u 0x%04x", message >> 15 & 1 ? "local" : "bsr",
             message >> 4 & 0x7ff, vc, message & 0xffff);
  else if (two || flit->kind == HD_KIND_BARRIER)
    snprintf(buf, HD_FLIT_NAME_SIZE, "M %s%u g%u vc%u 0x%04x", types[message & 3], message >> 2 & 3,
             message >> 4 & 31, vc, message & 0xffff);
  else
    snprintf(buf, HD_FLIT_NAME_SIZE, "M %s%u g%u to%u bsr%u vc%u", types[message & 3],
             message >> 2 & 3, message >> 4 & 31, message >> 9 & 0x7ff, message >> 20 & 0x7ff, vc);
}

void hd_flit_name(char *buf, const struct hd_flit_event *flit,
                  const struct hd_switch_params *params)
{
  char start[24] = "";
  const int digits = (int)(params->data_bits / 4);

  if ((flit->kind & HD_KIND_RESERVED) && params->barrier) {
    barrier_name(buf, flit, params);
    return;
  }
  if (flit->kind & HD_KIND_RESERVED) {
    snprintf(start, sizeof start, "R%u", flit->kind);
  } else if (flit->kind & HD_KIND_HEAD) {
    start[0] = flit->kind == HD_KIND_HEAD ? 'H' : 'S';
    route_name(start + 1, sizeof start - 1, flit->data, params);
  } else {
    start[0] = flit->kind == HD_KIND_TAIL ? 'T' : 'B';
  }
  if (flit->kind & (HD_KIND_RESERVED | HD_KIND_HEAD))
    snprintf(buf, HD_FLIT_NAME_SIZE, "%s vc%u 0x%0*" PRIx64, start, flit->vc, digits, flit->data);
  else
    snprintf(buf, HD_FLIT_NAME_SIZE, "%s %0*" PRIx64 " vc%u", start, digits, flit->data, flit->vc);
}
