/* Flits as words: short for waves, in a sentence for explanations.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "explain.h"

#include <inttypes.h>
#include <stdio.h>

/* The `bits` (< 64) bits of `data` from bit `low` up; 0 beyond the end of data. */
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
    snprintf(buf, size, "%u@%u", field(data, 2, node_bits), field(data, 2 + node_bits, node_bits));
    break;
  }
}

/* Names a flit of a barrier message (specification, chapter 7). */
static void barrier_name(char *buf, const struct hd_flit_event *flit,
                         const struct hd_switch_params *params)
{
  static const char *const types[] = {"reduce", "distribute", "initial", "fail"};
  const unsigned vc = flit->vc;
  const uint32_t message = (uint32_t)flit->data;
  const bool two = hd_barrier_flits(params) == 2;
  char value[12] = "";

  if (params->values)
    snprintf(value, sizeof value, " =%" PRIx32, hd_barrier_value_of(flit->data));
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
    snprintf(buf, HD_FLIT_NAME_SIZE, "M %s%u g%u to%u bsr%u vc%u%s", types[message & 3],
             message >> 2 & 3, message >> 4 & 31, message >> 9 & 0x7ff, message >> 20 & 0x7ff, vc,
             value);
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

/* ── in a sentence ─────────────────────────────────────────────────────────── */

static const char *const kind_names[] = {"body", "tail", "head", "single"};

/* The header of a head or single, specification §1.3. */
static void explain_header(struct hd_text *text, uint64_t data,
                           const struct hd_switch_params *params)
{
  uint32_t node_bits = hd_log2_ceil(params->nodes);
  uint64_t nodes = (UINT64_C(1) << node_bits) - 1;
  unsigned destination = (unsigned)(data >> 2 & nodes);
  switch (data & 3) {
  case 0:
    hd_text_add(text, " to node %u (mode 0, destination)", destination);
    break;
  case 1:
    hd_text_add(text, " from node %u to node %u (mode 1, source up)",
                (unsigned)(data >> (2 + node_bits) & nodes), destination);
    break;
  case 2:
    hd_text_add(text, " by output port %u here (mode 2, source-routed)",
                (unsigned)(data >> 2 & ((1u << hd_log2_ceil(params->ports)) - 1)));
    break;
  default:
    hd_text_add(text, " by node %u to node %u (mode 3, via)",
                (unsigned)(data >> (2 + node_bits) & nodes), destination);
  }
}

/* Explains a flit of chapter 7 (§7.2, §8.1), if the switch has such flits. */
static void explain_barrier(struct hd_text *text, const struct hd_flit_event *flit,
                            const struct hd_switch_params *params)
{
  static const char *const types[] = {"reduce", "distribute", "initial reduce", "fail"};
#define OPERATOR(NAME, name) #name,
  static const char *const operators[] = {HD_BARRIER_OPERATOR_LIST(OPERATOR)};
#undef OPERATOR
  bool two = hd_barrier_flits(params) == 2;
  uint32_t m = (uint32_t)flit->data;
  if (flit->kind == HD_KIND_NULL) {
    hd_text_add(text, "null flit");
    return;
  }
  if (flit->kind == HD_KIND_PADDING) {
    hd_text_add(text, "padding %s", m & 1 ? "end" : "request");
    return;
  }
  if (two && flit->kind == HD_KIND_BARRIER_LAST) {
    hd_text_add(text, m >> 15 & 1 ? "local message's second flit" : "message's second flit, bsr %u",
                m >> 4 & 0x7ff);
    return;
  }
  bool local = !two && m >> 31;
  hd_text_add(text, "%smessage %s, group %u", local ? "local " : "", types[m & 3], m >> 4 & 31);
  if ((m & 3) == HD_INITIAL_REDUCE)
    hd_text_add(text, ", tag %u", m >> 2 & 3);
  else if (params->values && hd_barrier_operator_of(m))
    hd_text_add(text, ", %s 0x%08" PRIx32, operators[hd_barrier_operator_of(m)],
                hd_barrier_value_of(flit->data));
  if (!two && !local)
    hd_text_add(text, ", to %u, bsr %u", m >> 9 & 0x7ff, m >> 20 & 0x7ff);
}

/* Says what a head asks an XOR coder for (§11.2). Most heads ask for nothing. */
static void explain_code(struct hd_text *text, uint64_t data, const struct hd_switch_params *params)
{
  static const char *const codes[] = {"", "native", "coded", "code 3"};
  uint32_t code_bits = hd_code_bits(params), place_bits = hd_place_bits(params);
  if (!code_bits || (data & 3) == 2)
    return;
  uint32_t field = (uint32_t)(data >> (params->data_bits - code_bits));
  uint32_t code = field >> (code_bits - 2), place = field >> 4 & ((1u << place_bits) - 1);
  if (code)
    hd_text_add(text, ", %s, place %u, length field %u", codes[code & 3], place, field & 15);
}

void hd_explain_flit(struct hd_text *text, const struct hd_flit_event *flit,
                     const struct hd_switch_params *params)
{
  if ((flit->kind & HD_KIND_RESERVED) && params->barrier)
    explain_barrier(text, flit, params);
  else if (flit->kind & HD_KIND_RESERVED)
    hd_text_add(text, "reserved kind %u", flit->kind);
  else
    hd_text_add(text, "%s", kind_names[flit->kind & 3]);
  if ((flit->kind & (HD_KIND_HEAD | HD_KIND_RESERVED)) == HD_KIND_HEAD) {
    explain_header(text, flit->data, params);
    explain_code(text, flit->data, params);
  }
  hd_text_add(text, ", vc %u, data 0x%0*llx", flit->vc, (int)params->data_bits / 4,
              (unsigned long long)flit->data);
}

struct hd_channel_name hd_explain_channel(unsigned vc)
{
  struct hd_channel_name name;
  if (vc == HD_BARRIER_CREDIT)
    snprintf(name.text, sizeof name.text, "barrier credit");
  else if (vc == HD_COUNT_WIRES)
    snprintf(name.text, sizeof name.text, "count");
  else if (vc == 0xff) /* a difference of the whole port, or its channel is not known */
    snprintf(name.text, sizeof name.text, "vc -");
  else
    snprintf(name.text, sizeof name.text, "vc %u", vc & 0xff);
  return name;
}
