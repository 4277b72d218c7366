/* Rewrites a tape for a switch of other parameters: leaves out items that this switch cannot take, and renumbers nodes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nodes that heads name get the lowest numbers, in the order in which they come. Ports and channels keep their numbers,
 * because arbiters depend on them. The model computes the expected outputs again, so a tape that no longer makes sense
 * only shows no difference.
 */
#include "stream_tape.h"

#include "../../host/memory.h"

#include <stdlib.h>
#include <string.h>

static const uint16_t nowhere = UINT16_MAX;

/* The old and the new switch, and the new number of each node. */
struct refit {
  const struct hd_switch_params *from, *to;
  uint16_t node[1 << 12]; /* `nowhere`: no head names it */
  uint16_t n;
};

static bool is_head(const struct tape_item *item)
{
  return item->kind == TAPE_FLIT && (item->is == HD_KIND_HEAD || item->is == HD_KIND_SINGLE);
}

/* Returns the new number of a node, and gives it the next one where it has none. After the last node of the new switch
 * numbers begin again. */
static unsigned node_of(struct refit *r, unsigned node)
{
  if (r->node[node] == nowhere)
    r->node[node] = (uint16_t)(r->n++ % r->to->nodes);
  return r->node[node];
}

/* Returns the header with `value` in the field at bit `at`, whose width changes from `from` to `to` bits. */
static uint64_t refit_field(uint64_t header, unsigned at, unsigned from, unsigned to,
                            unsigned value)
{
  const uint64_t low = header & ((UINT64_C(1) << at) - 1), rest = header >> at >> from;
  return low | (uint64_t)value << at | rest << at << to;
}

static unsigned get_field(uint64_t header, unsigned at, unsigned bits)
{
  return (unsigned)(header >> at & ((1u << bits) - 1));
}

/* Rewrites a header (§1.3): after the mode it has one node, two nodes, or ports. */
static uint64_t refit_header(struct refit *r, uint64_t data)
{
  enum { BY_PORTS = 2, AT = 2 };
  const bool ports = (data & 3) == BY_PORTS;
  const unsigned from = hd_log2_ceil(ports ? r->from->ports : r->from->nodes),
                 to = hd_log2_ceil(ports ? r->to->ports : r->to->nodes);
  for (unsigned k = 0; k < ((data & 3) && !ports ? 2u : 1u); k++) {
    const unsigned value = get_field(data, AT + k * to, from);
    data =
        refit_field(data, AT + k * to, from, to, ports ? value % r->to->ports : node_of(r, value));
  }
  return data;
}

/* Rewrites the address of a row. False: the new switch has no such port, or no head names the node. */
static bool refit_address(struct refit *r, uint32_t *address)
{
  const unsigned select = *address >> 16, port = *address >> 12 & 15, node = *address & 0xfff;
  if (select != 1 && select != 2 && select != 4)
    return true;
  *address = (*address & ~0xfffu) | r->node[node];
  return port < r->to->ports && r->node[node] != nowhere;
}

/* Rewrites an item. False: the new switch cannot take it. */
static bool refit_item(struct refit *r, struct tape_item *item)
{
  const uint64_t data = r->to->data_bits < 64 ? (UINT64_C(1) << r->to->data_bits) - 1 : UINT64_MAX;
  switch (item->kind) {
  case TAPE_FLIT:
    if (is_head(item))
      item->data = refit_header(r, item->data);
    item->data &= data;
    return item->port < r->to->ports && item->vc < r->to->vcs;
  case TAPE_CREDIT:
    for (unsigned v = r->to->vcs; v < HD_MAX_VCS; v++)
      item->data &= ~(UINT64_C(1) << v);
    return item->port < r->to->ports && item->data;
  case TAPE_WRITE:
  case TAPE_CONFIG:
  case TAPE_READ:
    return refit_address(r, &item->address);
  default:
    return true;
  }
}

struct hd_tape *hd_tape_refit(const struct hd_tape *from, const struct hd_switch_params *params)
{
  struct refit *r = hd_xmalloc(sizeof *r);
  struct hd_tape *tape = hd_tape_create(params);
  r->from = &from->params;
  r->to = params;
  r->n = 0;
  memset(r->node, 0xff, sizeof r->node);
  for (size_t i = 0; i < from->n; i++) /* rows come before the heads that name them */
    if (is_head(&from->items[i]) && (from->items[i].data & 3) != 2)
      refit_header(r, from->items[i].data);
  for (size_t i = 0; i < from->n; i++) {
    struct tape_item item = from->items[i];
    if (refit_item(r, &item))
      hd_tape_add(tape, &item);
  }
  free(r);
  return tape;
}

/* ── smaller parameters ────────────────────────────────────────────────────── */

/* Gives the least numbers of ports and channels that the tape's flits and credits need. */
static void find_used(const struct hd_tape *tape, uint32_t *ports, uint32_t *vcs)
{
  *ports = 2;
  *vcs = 1;
  for (size_t i = 0; i < tape->n; i++) {
    const struct tape_item *item = &tape->items[i];
    if (item->kind != TAPE_FLIT && item->kind != TAPE_CREDIT)
      continue;
    *ports = item->port >= *ports ? item->port + 1u : *ports;
    *vcs = item->kind == TAPE_FLIT && item->vc >= *vcs ? item->vc + 1u : *vcs;
  }
}

static void at_most(uint32_t *value, uint32_t most)
{
  *value = *value < most ? *value : most;
}

bool hd_tape_smaller_params(const struct hd_tape *tape, uint32_t i, struct hd_switch_params *p)
{
  uint32_t ports, vcs;
  find_used(tape, &ports, &vcs);
  switch (i) {
  case 0:
    at_most(&p->nodes, 4);
    break;
  case 1:
    at_most(&p->ports, ports);
    break;
  case 2:
    at_most(&p->vcs, vcs);
    break;
  case 3:
    at_most(&p->depth_flits, 4);
    at_most(&p->cut_flits, p->depth_flits);
    break;
  case 4:
    p->data_bits = 16;
    break;
  case 5:
    p->route_cycles = p->arb_cycles = 1;
    break;
  case 6:
    p->buffer_cycles = 0;
    break;
  case 7:
    p->cut_flits = 0;
    break;
  case 8:
    p->source_table = 0;
    if (p->adaptive == HD_ADAPTIVE_UGAL)
      p->adaptive = HD_ADAPTIVE_NONE;
    break;
  case 9:
    p->adaptive = 0;
    break;
  case 10:
    p->code_places = p->code_cycles = 0;
    break;
  case 11:
    p->barrier = HD_BARRIER_NONE;
    p->groups = 1;
    p->switches = 2;
    break;
  case 12:
    at_most(&p->groups, 2);
    at_most(&p->switches, 4);
    break;
  case 13:
    at_most(&p->depth_flits, 2);
    at_most(&p->cut_flits, p->depth_flits);
    break;
  default:
    return false;
  }
  return true;
}

bool hd_tape_fails_as(const struct hd_tape *tape, const struct hd_tape *as,
                      const struct hd_tape_dut *dut, const struct hd_tape_dut *as_dut, double until)
{
  struct tape_outcome outcome, wanted;
  struct hd_tape one = *tape, other = *as; /* borrow the items */
  one.options = dut->options;
  other.options = as_dut->options;
  return !hd_tape_try(&other, as_dut->ops, until, &wanted, NULL) &&
         !hd_tape_try(&one, dut->ops, until, &outcome, NULL) && wanted.result.difference &&
         hd_tape_same_difference(&wanted, &outcome);
}
