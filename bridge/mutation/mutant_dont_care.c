/* Registers whose values decide whether another register can be observed (its don't-care
 * conditions).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_NEAR = 80,     /* registers whose values are conditions of one, at most */
  FEWEST_READERS = 4, /* a control register is read by at least so many gates, data by fewer */
  NEAR = 6            /* gates between the registers, forwards and backwards, at most */
};

/* Registers from which conditions are made. */
struct near {
  uint32_t n, registers[MOST_NEAR];
};

/* Adds the register that drives a net, if there is one and it was not added before. */
static void add_near(const struct hd_prover *p, struct near *near, hd_net net)
{
  const uint32_t reg = p->taker[net];
  for (uint32_t i = 0; i < near->n; i++)
    if (near->registers[i] == reg - 1)
      return;
  if (reg && near->n < MOST_NEAR)
    near->registers[near->n++] = reg - 1;
}

static void add_condition(struct different *d, uint32_t one, bool its, uint32_t two, bool other)
{
  if (d->n < MOST_CONDITIONS)
    d->conditions[d->n++] = (struct condition){.registers = {one, two}, .values = {its, other}};
}

/* Tests whether both registers are bits of one vector, such as a counter. */
static bool of_one_vector(const struct hd_prover *p, uint32_t one, uint32_t two)
{
  const char *a = p->n->names[p->n->registers[one].q], *b = p->n->names[p->n->registers[two].q];
  const char *end = a ? strrchr(a, '[') : NULL;
  return end && b && !strncmp(a, b, (size_t)(end - a) + 1) && !strchr(b + (end - a) + 1, '[');
}

/* Adds all conditions of these registers: that one has a certain value, and, for two bits of a
 * vector, that one of the two has a certain value. */
static void add_conditions(const struct hd_prover *p, const struct near *near, struct different *d)
{
  for (uint32_t i = 0; i < near->n; i++)
    for (unsigned value = 0; value < 2; value++)
      add_condition(d, near->registers[i], value, near->registers[i], value);
  for (uint32_t i = 0; i < near->n; i++)
    for (uint32_t k = 0; k < i; k++)
      for (unsigned values = 0;
           values < 4 && of_one_vector(p, near->registers[i], near->registers[k]); values++)
        add_condition(d, near->registers[i], values & 1, near->registers[k], values >> 1);
}

/* Nets in the order of their distance. The next distance begins at index `end`. */
struct front {
  hd_net *nets; /* [n_nets + 3] */
  uint32_t n, end, depth;
};

/* Tests whether there is a net i, and its distance is at most `depth`. */
static bool has_next_net(struct front *f, uint32_t i, uint32_t depth)
{
  if (i == f->end) {
    f->depth++;
    f->end = f->n;
  }
  return i < f->n && f->depth <= depth;
}

/* Adds the registers on which a net depends through at most `depth` gates, if they have at least
 * FEWEST_READERS readers. */
static void add_causes(const struct hd_prover *p, uint8_t *mark, hd_net from, uint32_t depth,
                       struct near *near, hd_net *nets)
{
  struct front f = {.nets = nets, .n = 1, .end = 1};
  nets[0] = from;
  for (uint32_t i = 0; has_next_net(&f, i, depth); i++) {
    const hd_net net = nets[i];
    if (mark[net])
      continue;
    mark[net] = 1;
    if (p->first_reader[net + 1] - p->first_reader[net] >= FEWEST_READERS)
      add_near(p, near, net);
    const struct hd_lut *lut = p->lut_of[net] ? &p->n->luts[p->lut_of[net] - 1] : NULL;
    for (unsigned k = 0; lut && k < lut->inputs && f.n < p->n->n_nets; k++)
      nets[f.n++] = lut->a[k];
  }
}

/* Adds the registers on which those gates depend that read register `reg`, through at most `depth`
 * gates. */
static void add_causes_of_readers(const struct hd_prover *p, uint8_t *mark, uint32_t reg,
                                  uint32_t depth, struct near *near, hd_net *ahead, hd_net *back)
{
  struct front f = {.nets = ahead, .n = 1, .end = 1};
  memset(mark, 0, p->n->n_nets);
  ahead[0] = p->n->registers[reg].q;
  for (uint32_t i = 0; has_next_net(&f, i, depth); i++) {
    mark[ahead[i]] = 1;
    for (uint32_t k = p->first_reader[ahead[i]]; k < p->first_reader[ahead[i] + 1]; k++) {
      const struct hd_lut *lut = &p->n->luts[p->readers[k]];
      for (unsigned j = 0; j < lut->inputs; j++)
        add_causes(p, mark, lut->a[j], depth, near, back);
      if (f.n < p->n->n_nets && !mark[lut->y])
        ahead[f.n++] = lut->y;
    }
  }
}

void hd_prover_conditions(const struct hd_prover *p, struct different *d)
{
  struct near near = {.n = 0};
  const struct hd_lane_pins pins = hd_prover_pins(p);
  hd_net *ahead = hd_xcalloc((size_t)p->n->n_nets + 1, sizeof *ahead),
         *back = hd_xcalloc((size_t)p->n->n_nets + 1, sizeof *back);
  uint8_t *mark = hd_xcalloc((size_t)p->n->n_nets + 1, 1);
  /* A flit's pins count only while its valid pin is 1. */
  for (uint32_t i = 0; i < pins.credit; i += pins.flit)
    for (uint32_t k = 1; k < pins.flit; k++)
      if (p->n->outputs[i + k] == p->n->registers[d->reg].q)
        add_near(p, &near, p->n->outputs[i]);
  for (uint32_t depth = 1; depth <= NEAR; depth++)
    add_causes_of_readers(p, mark, d->reg, depth, &near, ahead, back);
  add_conditions(p, &near, d);
  free(ahead);
  free(back);
  free(mark);
}
