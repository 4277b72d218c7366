/* Proves mutants equivalent to the switch by the structure of the netlist.
 * SPDX-License-Identifier: Apache-2.0
 *
 * There are two proofs.
 *
 * Rows that cannot occur: each net has a set of values that it can have, first in a reset from any
 * state, then after that reset with any input. The sets grow until none grows any more. A mutant
 * that is wrong only in rows that cannot occur behaves like the switch. In the reset it may even be
 * wrong, if no register takes a value from it then.
 *
 * Nets that are not seen: a net is seen if an output or a memory depends on it, or a gate or
 * flip-flop whose output is seen. A gate depends on a net if its output can change with it, while
 * unseen nets have any value: a fault may change several of them at once. It changes no net that is
 * seen, so seen nets keep to their sets.
 *
 * Neither proof knows what memories contain, or which values exclude each other.
 */
#include "mutants_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

enum { CAN_BE_0 = 1, CAN_BE_1 = 2, ANY = 3 };

struct proof {
  const struct hd_netlist *n;
  uint8_t *can; /* [n_nets]: values that the net can have in the current phase */
  uint8_t *table_rows,
      *register_rows;  /* rows that can occur after a reset; of registers, also in one */
  uint8_t *reset_rows; /* rows of tables that can occur in a reset */
  bool *seen, *taken;  /* [n_nets]: seen from outside; taken by a register during a reset */
};

/* ── sets of values ────────────────────────────────────────────────────────── */

/* Tests whether three nets can have the values of this row. */
static bool can_occur(const uint8_t *can, const hd_net *nets, unsigned row)
{
  for (unsigned i = 0; i < 3; i++)
    if (!(can[nets[i]] >> (row >> i & 1) & 1))
      return false;
  return true;
}

/* Adds the values that the tables' outputs can have. True: a set has grown. */
static bool add_output_values(struct proof *p)
{
  bool grown = false;
  for (uint32_t i = 0; i < p->n->n_luts; i++) {
    const struct hd_lut *lut = &p->n->luts[i];
    uint8_t *const y = &p->can[lut->y];
    const uint8_t before = *y;
    for (unsigned row = 0; row < 8 && *y != ANY; row++)
      if (can_occur(p->can, lut->a, row))
        *y |= (uint8_t)(1u << (lut->table >> row & 1));
    grown |= *y != before;
  }
  return grown;
}

/* Adds the rows that can occur in a phase of the proof, whose sets are complete. */
static void add_possible_rows(struct proof *p, uint8_t *table_rows)
{
  const struct hd_netlist *n = p->n;
  for (uint32_t i = 0; i < n->n_luts; i++)
    for (unsigned row = 0; row < 8; row++)
      table_rows[i] |= (uint8_t)(can_occur(p->can, n->luts[i].a, row) << row);
  for (uint32_t i = 0; i < n->n_registers; i++) {
    const hd_net nets[3] = {n->registers[i].d, n->registers[i].q, HD_NET_ZERO};
    for (unsigned row = 0; row < 4; row++)
      p->register_rows[i] |= (uint8_t)(can_occur(p->can, nets, row) << row);
  }
}

/* Sets the values that nets can have before the phase propagates anything. A net without a driver
 * is 0. */
static void begin_phase(struct proof *p, uint8_t reset)
{
  const struct hd_netlist *n = p->n;
  memset(p->can, CAN_BE_0, n->n_nets);
  p->can[HD_NET_ONE] = CAN_BE_1;
  for (uint32_t i = 0; i < n->n_luts; i++)
    p->can[n->luts[i].y] = 0;
  for (uint32_t m = 0; m < n->n_memories; m++)
    for (uint32_t r = 0; r < n->memories[m].n_reads; r++)
      for (uint32_t i = 0; i < n->memories[m].width; i++)
        p->can[n->memories[m].reads[r].data[i]] = ANY;
  for (uint32_t i = 0; i < n->n_inputs; i++)
    p->can[n->inputs[i]] = ANY;
  p->can[n->inputs[n->n_inputs - 1]] = reset; /* rst is the last pin */
  for (uint32_t i = 0; i < n->n_registers; i++)
    p->can[n->registers[i].q] = ANY;
  p->can[HD_NET_ZERO] = CAN_BE_0; /* set last: pins that do not exist are this net, too */
}

/* ── seen nets ─────────────────────────────────────────────────────────────── */

static void mark_seen(bool *seen, const hd_net *nets, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    seen[nets[i]] = true;
}

/* Tests whether a gate's output can change with input i. The other inputs have values of their
 * sets. With `together`, inputs that are not seen have any value, because a fault may change them
 * at the same time. */
static bool depends(const struct proof *p, const bool *seen, const struct hd_lut *lut, unsigned i,
                    bool together)
{
  for (unsigned row = 0; row < 8; row++) {
    bool possible = true;
    for (unsigned k = 0; k < 3; k++)
      if (k != i && (!together || seen[lut->a[k]]))
        possible &= p->can[lut->a[k]] >> (row >> k & 1) & 1;
    if (possible && ((lut->table >> row ^ lut->table >> (row ^ 1u << i)) & 1))
      return true;
  }
  return false;
}

/* Marks the inputs of gates and registers whose outputs are seen. True: one was not marked yet. */
static bool mark_inputs_of_seen(const struct proof *p, bool *seen, bool together)
{
  const struct hd_netlist *n = p->n;
  bool more = false;
  for (uint32_t i = 0; i < n->n_luts; i++)
    for (unsigned k = 0; k < 3 && seen[n->luts[i].y]; k++)
      if (!seen[n->luts[i].a[k]] && depends(p, seen, &n->luts[i], k, together))
        more = seen[n->luts[i].a[k]] = true;
  for (uint32_t i = 0; i < n->n_registers; i++)
    if (seen[n->registers[i].q] && !seen[n->registers[i].d])
      more = seen[n->registers[i].d] = true;
  return more;
}

/* Marks the nets that are seen. With `taken`, the inputs of all registers count as seen. */
static void find_seen(const struct proof *p, bool *seen, bool taken)
{
  const struct hd_netlist *n = p->n;
  seen[HD_NET_ZERO] = seen[HD_NET_ONE] = true;
  mark_seen(seen, n->outputs, n->n_outputs);
  for (uint32_t i = 0; taken && i < n->n_registers; i++)
    mark_seen(seen, &n->registers[i].d, 1);
  for (uint32_t m = 0; m < n->n_memories; m++) {
    const struct hd_memory *memory = &n->memories[m];
    for (uint32_t i = 0; i < memory->n_reads; i++) {
      mark_seen(seen, memory->reads[i].address, memory->address_bits);
      mark_seen(seen, &memory->reads[i].enable, 1);
      mark_seen(seen, &memory->reads[i].reset, 1);
    }
    for (uint32_t i = 0; i < memory->n_writes; i++) {
      mark_seen(seen, memory->writes[i].address, memory->address_bits);
      mark_seen(seen, memory->writes[i].data, memory->width);
      mark_seen(seen, memory->writes[i].enable, memory->width);
    }
  }
  /* First without `together`, because the more nets are seen, the fewer can change at the same
   * time. */
  do
    while (mark_inputs_of_seen(p, seen, false))
      ;
  while (mark_inputs_of_seen(p, seen, true));
}

/* ── both phases ───────────────────────────────────────────────────────────── */

static void find_values(struct proof *p, uint8_t *after)
{
  const struct hd_netlist *n = p->n;
  begin_phase(p, CAN_BE_1);
  while (add_output_values(p))
    ;
  add_possible_rows(p, p->reset_rows);
  find_seen(p, p->taken, true);
  for (uint32_t i = 0; i < n->n_registers; i++)
    after[i] = p->can[n->registers[i].d];
  begin_phase(p, ANY);
  for (uint32_t i = 0; i < n->n_registers; i++)
    p->can[n->registers[i].q] = after[i];
  for (bool grown = true; grown;) {
    while (add_output_values(p))
      ;
    grown = false;
    for (uint32_t i = 0; i < n->n_registers; i++) {
      const struct hd_flip_flop *r = &n->registers[i];
      const uint8_t before = p->can[r->q];
      p->can[r->q] |= p->can[r->d];
      grown |= p->can[r->q] != before;
    }
  }
  add_possible_rows(p, p->table_rows);
  find_seen(p, p->seen, false);
}

/* ── mutants ───────────────────────────────────────────────────────────────── */

void hd_mutants_prove(struct hd_mutants *mutants, const struct hd_netlist *n)
{
  struct proof p = {.n = n};
  uint8_t *after = hd_xcalloc(n->n_registers + 1, 1);
  p.can = hd_xcalloc(n->n_nets + 1, 1);
  p.table_rows = hd_xcalloc(n->n_luts + 1, 1);
  p.register_rows = hd_xcalloc(n->n_registers + 1, 1);
  p.reset_rows = hd_xcalloc(n->n_luts + 1, 1);
  p.taken = hd_xcalloc(n->n_nets + 1, sizeof *p.taken);
  p.seen = hd_xcalloc(n->n_nets + 1, sizeof *p.seen);
  find_values(&p, after);
  for (uint32_t i = 0; i < mutants->n; i++) {
    struct hd_mutant *m = &mutants->list[i];
    const bool table = m->cell < n->n_luts;
    const uint32_t at = table ? m->cell : m->cell - n->n_luts;
    const hd_net shows = table ? n->luts[at].y : n->registers[at].q;
    const bool comes_after = m->rows & (table ? p.table_rows[at] : p.register_rows[at]);
    const bool comes_in_reset = table && m->rows & p.reset_rows[at] && p.taken[shows];
    m->equivalent = (!comes_after || !p.seen[shows]) && !comes_in_reset;
    mutants->n_equivalent += m->equivalent;
  }
  free(after);
  free(p.can);
  free(p.table_rows);
  free(p.register_rows);
  free(p.reset_rows);
  free(p.seen);
  free(p.taken);
}
