/* Finds the registers from which values of an assignment follow: goes backwards through inputs that
 * decide a gate.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The search follows only as many inputs of a gate as decide its output, such as one 0 at the input
 * of an AND. So it finds a few of thousands of registers. All states that agree in these registers
 * give the same values.
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>
#include <string.h>

enum { RIGHT = 1, WRONG = 2, LITERAL = 4 };

void hd_causes_init(struct causes *c, const struct formula *f)
{
  *c = (struct causes){.f = f};
  c->marks = hd_xcalloc((size_t)f->p->n->n_nets + 1, sizeof *c->marks);
  c->queue = hd_xcalloc(2 * (size_t)f->p->n->n_nets + 1, sizeof *c->queue);
}

void hd_causes_fini(struct causes *c)
{
  free(c->marks);
  free(c->queue);
}

void hd_causes_begin(struct causes *c)
{
  memset(c->marks, 0, c->f->p->n->n_nets);
  c->n = c->n_queue = 0;
}

static int32_t variable_of(const struct causes *c, hd_net net, bool wrong)
{
  return wrong && c->split && c->split[net] ? c->split[net] : c->f->variable[net];
}

void hd_causes_of(struct causes *c, hd_net net, bool wrong)
{
  wrong &= c->split && c->split[net];
  const uint8_t mark = wrong ? WRONG : RIGHT;
  if (c->marks[net] & mark || !variable_of(c, net, wrong))
    return;
  c->marks[net] |= mark;
  c->queue[c->n_queue++] = net << 1 | wrong;
}

/* Tests whether the inputs in the set `these` decide the output, whatever the others are. */
static bool inputs_decide(uint8_t table, unsigned row, unsigned these)
{
  for (unsigned other = 0; other < 8; other++)
    if (!((other ^ row) & these) && (table >> other & 1) != (table >> row & 1))
      return false;
  return true;
}

static void follow_gate(struct causes *c, uint32_t index, bool wrong)
{
  static const uint8_t sets[] = {0, 1, 2, 4, 3, 5, 6, 7};
  const struct hd_lut *lut = &c->f->p->n->luts[index];
  const bool mutated = c->mutant && c->mutant->cell == index;
  const uint8_t table = (uint8_t)(lut->table ^ (wrong && mutated ? c->mutant->rows : 0));
  unsigned row = 0, best = 7;
  int cost = 4;
  for (unsigned i = 0; i < 3; i++) {
    const int32_t x = variable_of(c, lut->a[i], wrong);
    row |= (unsigned)(x ? hd_sat_true(c->f->s, x) : lut->a[i] == HD_NET_ONE) << i;
  }
  for (unsigned k = 0; k < sizeof sets && !mutated; k++) {
    int its = 0; /* number of inputs that are not followed yet */
    for (unsigned i = 0; i < 3; i++)
      its += (sets[k] >> i & 1) && lut->a[i] > HD_NET_ONE && !c->marks[lut->a[i]];
    if (its < cost && inputs_decide(table, row, sets[k])) {
      best = sets[k];
      cost = its;
    }
  }
  for (unsigned i = 0; i < 3; i++)
    if (best >> i & 1)
      hd_causes_of(c, lut->a[i], wrong);
}

static void add_register(struct causes *c, uint32_t reg)
{
  const hd_net q = c->f->p->n->registers[reg].q;
  if (c->marks[q] & LITERAL || c->n == MOST_CAUSES || !c->f->variable[q])
    return;
  c->marks[q] |= LITERAL;
  c->registers[c->n] = reg;
  c->values[c->n++] = hd_formula_is_true(c->f, q);
}

/* Adds the causes of a register that differs at the beginning of the cycle: values that make its
 * conditions true. */
static void follow_different(struct causes *c, uint32_t reg)
{
  for (uint32_t i = 0; i < c->n_different; i++)
    for (uint32_t k = 0; c->different[i].reg == reg && k < c->different[i].n; k++) {
      const struct condition *of = &c->different[i].conditions[k];
      for (unsigned j = 0; j < 2; j++) {
        const hd_net q = c->f->p->n->registers[of->registers[j]].q;
        if (c->f->variable[q] && hd_formula_is_true(c->f, q) == of->values[j]) {
          add_register(c, of->registers[j]);
          break;
        }
      }
    }
}

void hd_causes_follow(struct causes *c)
{
  const struct hd_prover *p = c->f->p;
  for (uint32_t i = 0; i < c->n_queue && c->n < MOST_CAUSES; i++) {
    const hd_net net = c->queue[i] >> 1;
    const bool wrong = c->queue[i] & 1;
    if (p->lut_of[net]) {
      follow_gate(c, p->lut_of[net] - 1, wrong);
      continue;
    }
    if (!p->taker[net])
      continue;
    add_register(c, p->taker[net] - 1);
    if (wrong)
      follow_different(c, p->taker[net] - 1);
  }
}
