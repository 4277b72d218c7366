/* Formulas about a switch: clauses for the gates on which certain nets depend.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "prover_internal.h"

#include "../host/memory.h"

#include <stdlib.h>

enum { CUBES = 27 };

void hd_formula_clause2(struct hd_sat *s, int32_t a, int32_t b)
{
  hd_sat_clause(s, (const int32_t[]){a, b}, 2);
}

void hd_formula_clause3(struct hd_sat *s, int32_t a, int32_t b, int32_t c)
{
  hd_sat_clause(s, (const int32_t[]){a, b, c}, 3);
}

static void clause1(struct hd_sat *s, int32_t a)
{
  hd_sat_clause(s, &a, 1);
}

void hd_formula_init(struct formula *f, const struct hd_prover *p)
{
  *f = (struct formula){.p = p};
  f->variable = hd_xcalloc((size_t)p->n->n_nets + 1, sizeof *f->variable);
  f->asked = hd_xcalloc((size_t)p->n->n_nets + 1, sizeof *f->asked);
}

void hd_formula_fini(struct formula *f)
{
  hd_sat_destroy(f->s);
  free(f->variable);
  free(f->asked);
}

void hd_formula_begin(struct formula *f, uint64_t seed)
{
  for (uint32_t i = 0; i < f->n_asked; i++)
    f->variable[f->asked[i]] = 0;
  f->n_asked = f->n_done = 0;
  hd_sat_destroy(f->s);
  f->s = hd_sat_create(seed, false);
}

int32_t hd_formula_net(struct formula *f, hd_net net)
{
  if (!f->variable[net]) {
    f->variable[net] = hd_sat_variable(f->s);
    f->asked[f->n_asked++] = net;
  }
  return f->variable[net];
}

bool hd_formula_is_true(const struct formula *f, hd_net net)
{
  return hd_sat_true(f->s, f->variable[net]);
}

/* Returns the rows of a table that a cube covers. Digit i of the cube's number in base 3 is input
 * i: 0, 1, or any. */
static uint8_t rows_of_cube(unsigned cube)
{
  uint8_t rows = 0xff;
  static const uint8_t one[] = {0xaa, 0xcc, 0xf0};
  for (unsigned i = 0; i < 3; i++, cube /= 3)
    if (cube % 3 < 2)
      rows &= cube % 3 ? one[i] : (uint8_t)~one[i];
  return rows;
}

/* Adds a clause for each cube in which the table is constant and that is not part of a larger
 * one. */
void hd_formula_table(struct hd_sat *s, uint8_t table, const int32_t a[3], int32_t y)
{
  for (unsigned cube = 0; cube < CUBES; cube++) {
    const uint8_t rows = rows_of_cube(cube);
    const bool one = (table & rows) == rows;
    bool prime = one || !(table & rows);
    for (unsigned i = 0, digit = 1; i < 3 && prime; i++, digit *= 3) {
      const unsigned its = cube / digit % 3;
      /* Rows of the cube in which input i has any value. */
      const uint8_t more = rows_of_cube(cube + (2 - its) * digit);
      prime = its == 2 || (table & more) != (one ? more : 0);
    }
    if (!prime)
      continue;
    int32_t literals[4] = {one ? y : -y};
    uint32_t n = 1;
    for (unsigned i = 0, rest = cube; i < 3; i++, rest /= 3)
      if (rest % 3 < 2)
        literals[n++] = rest % 3 ? -a[i] : a[i];
    hd_sat_clause(s, literals, n);
  }
}

int32_t hd_formula_differ(struct hd_sat *s, int32_t a, int32_t b)
{
  const int32_t x = hd_sat_variable(s);
  hd_formula_clause3(s, -x, a, b);
  hd_formula_clause3(s, -x, -a, -b);
  return x;
}

void hd_formula_end(struct formula *f)
{
  const struct hd_prover *p = f->p;
  while (f->n_done < f->n_asked) {
    const hd_net net = f->asked[f->n_done++];
    const int32_t y = f->variable[net];
    if (net <= HD_NET_ONE || !p->driven[net]) {
      clause1(f->s, net == HD_NET_ONE ? y : -y);
      continue;
    }
    if (!p->lut_of[net])
      continue;
    const struct hd_lut *lut = &p->n->luts[p->lut_of[net] - 1];
    int32_t a[3];
    for (unsigned i = 0; i < 3; i++)
      a[i] = hd_formula_net(f, lut->a[i]);
    hd_formula_table(f->s, lut->table, a, y);
  }
}

int32_t hd_formula_literal(int32_t variable, bool value)
{
  return value ? variable : -variable;
}

struct hd_lane_pins hd_prover_pins(const struct hd_prover *p)
{
  const struct hd_switch_params *q = &p->params;
  return hd_lane_pins(q->ports, q->vcs, q->data_bits, q->barrier != 0, hd_switch_counts(q));
}

void hd_formula_reset(struct formula *f)
{
  clause1(f->s, hd_formula_net(f, f->p->n->inputs[hd_prover_pins(f->p).rst]));
}

void hd_formula_contract(struct formula *f)
{
  const struct hd_netlist *n = f->p->n;
  const struct hd_lane_pins pins = hd_prover_pins(f->p);
  const int32_t reset = hd_formula_net(f, n->inputs[pins.rst]);
  hd_formula_clause2(f->s, -reset, -hd_formula_net(f, n->inputs[pins.write]));
  hd_formula_clause2(f->s, -reset, -hd_formula_net(f, n->inputs[pins.read]));
}
