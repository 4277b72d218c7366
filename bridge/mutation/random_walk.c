/* Random walks of the switch without a mutant: 64 copies, each in one bit of the words.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>

struct walk {
  const struct hd_prover *p;
  uint32_t *order;              /* [n_luts], each after those that it reads */
  uint64_t *values, *registers; /* [n_nets], [n_registers] */
  uint64_t number;              /* number of random words drawn so far */
};

static void sort_tables(struct walk *w)
{
  const struct hd_prover *p = w->p;
  const struct hd_netlist *n = p->n;
  uint32_t *missing = hd_xcalloc((size_t)n->n_luts + 1, sizeof *missing), end = 0;
  for (uint32_t i = 0; i < n->n_luts; i++) {
    for (unsigned k = 0; k < n->luts[i].inputs; k++)
      missing[i] += p->lut_of[n->luts[i].a[k]] != 0;
    if (!missing[i])
      w->order[end++] = i;
  }
  for (uint32_t at = 0; at < end; at++) {
    const hd_net y = n->luts[w->order[at]].y;
    for (uint32_t k = p->first_reader[y]; k < p->first_reader[y + 1]; k++)
      if (!--missing[p->readers[k]])
        w->order[end++] = p->readers[k];
  }
  free(missing);
}

struct walk *hd_walk_create(const struct hd_prover *p)
{
  struct walk *w = hd_xmalloc(sizeof *w);
  *w = (struct walk){.p = p,
                     .order = hd_xcalloc((size_t)p->n->n_luts + 1, sizeof *w->order),
                     .values = hd_xcalloc((size_t)p->n->n_nets + 2, sizeof *w->values),
                     .registers = hd_xcalloc((size_t)p->n->n_registers + 1, sizeof *w->registers)};
  sort_tables(w);
  return w;
}

void hd_walk_destroy(struct walk *w)
{
  free(w->order);
  free(w->values);
  free(w->registers);
  free(w);
}

static uint64_t random_word(struct walk *w)
{
  return hd_mix64(++w->number * UINT64_C(0x9e3779b97f4a7c15));
}

uint64_t *hd_walk_begin(struct walk *w)
{
  for (uint32_t i = 0; i < w->p->n->n_registers; i++)
    w->registers[i] = random_word(w);
  return w->registers;
}

/* Sets random inputs. An input is 1 in half of the copies or in fewer, because addresses of
 * registers have few ones. */
static void put_inputs(struct walk *w, bool reset)
{
  const struct hd_netlist *n = w->p->n;
  const struct hd_lane_pins pins = hd_prover_pins(w->p);
  const uint64_t thin = random_word(w) % 4;
  for (uint32_t i = 0; i < n->n_inputs; i++) {
    uint64_t word = random_word(w);
    for (uint64_t k = 0; k < (i == pins.rst ? 5 : thin); k++)
      word &= random_word(w);
    w->values[n->inputs[i]] = word;
  }
  if (reset)
    w->values[n->inputs[pins.rst]] = UINT64_MAX;
  w->values[n->inputs[pins.write]] &= ~w->values[n->inputs[pins.rst]];
  w->values[n->inputs[pins.read]] &= ~w->values[n->inputs[pins.rst]];
  for (uint32_t m = 0; m < n->n_memories; m++)
    for (uint32_t r = 0; r < n->memories[m].n_reads; r++)
      for (uint32_t i = 0; i < n->memories[m].width; i++)
        w->values[n->memories[m].reads[r].data[i]] = random_word(w);
  w->values[HD_NET_ZERO] = 0; /* set last: pins that do not exist are this net, too */
  w->values[HD_NET_ONE] = UINT64_MAX;
}

static uint64_t table_output(const struct hd_lut *lut, const uint64_t *values)
{
  uint64_t y = 0;
  for (unsigned row = 0; row < 8; row++) {
    if (!(lut->table >> row & 1))
      continue;
    uint64_t here = UINT64_MAX;
    for (unsigned k = 0; k < 3; k++)
      here &= row >> k & 1 ? values[lut->a[k]] : ~values[lut->a[k]];
    y |= here;
  }
  return y;
}

const uint64_t *hd_walk_step(struct walk *w, bool reset)
{
  const struct hd_netlist *n = w->p->n;
  put_inputs(w, reset);
  for (uint32_t i = 0; i < n->n_registers; i++)
    w->values[n->registers[i].q] = w->registers[i];
  for (uint32_t i = 0; i < n->n_luts; i++)
    w->values[n->luts[w->order[i]].y] = table_output(&n->luts[w->order[i]], w->values);
  for (uint32_t i = 0; i < n->n_registers; i++)
    w->registers[i] = w->values[n->registers[i].d];
  return w->registers;
}
