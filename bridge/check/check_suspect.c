/* Marks switches as suspect that hold an instance of a changed module which is not proved equal, while others are.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bug at one end of a parameter's range leaves proofs open at that end alone. tb/instances.txt names switches that hold
 * such an instance. They show the bug soonest, so their runs come before all others. So do
 * runs into switches with a parameter's value that a changed module names and no proof has.
 */
#include "check_internal.h"

#include <string.h>

static void add_end(struct hd_check *c, uint32_t set)
{
  uint32_t k = 0;
  while (k < c->n_end_sets && c->end_set[k] != set)
    k++;
  if (set < CHECK_NO_SET && k == c->n_end_sets && k < CHECK_END_SETS)
    c->end_set[c->n_end_sets++] = set;
}

/* ── numbers in changed text ───────────────────────────────────────────────── */

/* Has a proof of the module a set with this value? *has: the module has a parameter of this name. */
static bool is_in_proof(const struct check_equal *e, const char *module, const char *name,
                        uint32_t value, bool *has)
{
  bool proof = false;
  *has = false;
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t v;
    if (e->proofs[i].set->named || strcmp(e->proofs[i].set->module, module) ||
        !hd_check_value_of(e->proofs[i].set->parameters, name, &v))
      continue;
    *has = true;
    proof |= v == value;
  }
  return proof;
}

/* Gives a switch the size in which most things happen, as a buffer of one flit hides much. Computed routes set the size. */
static void make_ordinary(struct hd_switch_params *sw)
{
  if (sw->route)
    return;
  sw->ports = 5;
  sw->vcs = 3;
  sw->depth_flits = 8;
  sw->cut_flits = 0;
  sw->nodes = 16;
}

/* Counts the optional parts of a switch. Each makes its build longer. */
static int parts(const struct hd_switch_params *sw)
{
  return (sw->barrier != 0) + 2 * (sw->code_places != 0) + (sw->route != 0) + (sw->trees != 0) +
         (sw->adaptive != 0) + (sw->values != 0) + (sw->source_table != 0);
}

/* The ordinary switch of fewest parts, or of fewest with barrier messages, that holds the module, with a value of one
 * parameter. False: none is legal. */
static bool find_switch(const struct check_equal *e, const char *module, size_t parameter,
                        uint32_t value, bool barrier, struct hd_switch_params *sw)
{
  bool found = false;
  *sw = (struct hd_switch_params){0};
  for (uint32_t i = 0; i < e->n; i++)
    for (uint32_t k = 0; k < HD_EQUAL_HOLDERS; k++) {
      const struct hd_equal_set *set = e->proofs[i].set;
      struct hd_switch_params one = {0};
      if (set->named || strcmp(set->module, module) ||
          !hd_check_read_switch(set->holders[k], &one) || (barrier && !one.barrier))
        continue;
      make_ordinary(&one);
      hd_switch_param_set(&one, parameter, value);
      if (hd_switch_params_check(&one, NULL) || (found && parts(sw) <= parts(&one)))
        continue;
      *sw = one;
      found = true;
    }
  return found;
}

/* Is the parameter meant by a word of the module? One by its own name; where the word is another parameter of the module, as
 * the requesters of an arbiter, it may be any of three. */
static bool is_meant(const struct hd_switch_param *p, const char *word, bool is_parameter)
{
  static const char *const common[] = {"PORTS", "VCS", "DEPTH"};
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (!strcmp(hd_switch_param_list[i].verilog, word))
      return p == &hd_switch_param_list[i];
  for (size_t i = 0; is_parameter && i < sizeof common / sizeof *common; i++)
    if (!strcmp(p->verilog, common[i]))
      return true;
  return false;
}

static void add_number(struct hd_check *c, uint32_t set)
{
  add_end(c, set);
  if (set < CHECK_NO_SET)
    c->by_number[set] = true;
}

/* A number that is new beside a parameter may be the value where the module does another thing, such as `VCS == 6`. Where
 * no proof has this value, a switch with it is run. */
static void list_numbers(struct hd_check *c, uint32_t module,
                         uint32_t (*place)(struct hd_check *check,
                                           const struct hd_switch_params *sw))
{
  struct hd_equal_number numbers[64];
  const char *name = hd_equal_module(c->equal.modules, module);
  const uint32_t n =
      hd_equal_numbers(c->equal.modules, module, numbers, sizeof numbers / sizeof *numbers);
  for (uint32_t i = 0; i < n; i++)
    for (size_t k = 0; k < HD_SWITCH_PARAMS; k++) {
      const struct hd_switch_param *p = &hd_switch_param_list[k];
      struct hd_switch_params sw;
      bool has, any;
      is_in_proof(&c->equal, name, numbers[i].name, 0, &any);
      if (numbers[i].beside || numbers[i].number < p->low || numbers[i].number > p->high ||
          p->kind == HD_PARAM_ROUTING || !is_meant(p, numbers[i].name, any) ||
          is_in_proof(&c->equal, name, p->verilog, numbers[i].number, &has))
        continue;
      for (int barrier = 0; barrier < 2; barrier++)
        if (c->n_end_sets < CHECK_NUMBER_SETS &&
            find_switch(&c->equal, name, k, numbers[i].number, barrier, &sw))
          add_number(c, place(c, &sw));
    }
}

bool hd_check_numbers_ran(const struct hd_check *c)
{
  for (uint64_t i = 0; i < c->n_waiting; i++)
    if (c->by_number[c->runs[i].set] && !c->runs[i].ended)
      return false;
  return true;
}

/* ── switches that hold an end ─────────────────────────────────────────────── */

void hd_check_list_ends(struct hd_check *c, uint32_t (*place)(struct hd_check *check,
                                                              const struct hd_switch_params *sw))
{
  struct hd_switch_params sw;
  for (uint32_t m = 0; c->equal.modules && m < hd_equal_modules(c->equal.modules); m++)
    list_numbers(c, m, place);
  hd_check_suspect(c);
  for (uint32_t i = 0; i < c->equal.n; i++)
    for (uint32_t k = 0; k < HD_EQUAL_HOLDERS; k++) {
      struct check_equal_proof *p = &c->equal.proofs[i];
      p->holder[k] = hd_check_read_switch(p->set->holders[k], &sw) ? place(c, &sw) : CHECK_NO_SET;
      add_end(c, p->holder[k]);
    }
}

static bool is_proved_somewhere(const struct check_equal *e, const char *module)
{
  for (uint32_t i = 0; i < e->n; i++)
    if (e->proofs[i].ended && e->proofs[i].outcome.status == HD_EQUAL_PROVED &&
        !strcmp(e->proofs[i].set->module, module))
      return true;
  return false;
}

void hd_check_suspect(struct hd_check *c)
{
  const struct check_equal *e = &c->equal;
  memcpy(c->suspected, c->by_number, sizeof c->suspected);
  for (uint32_t i = 0; i < e->n; i++) {
    const struct check_equal_proof *p = &e->proofs[i];
    if (!p->ended || p->outcome.status == HD_EQUAL_PROVED ||
        !is_proved_somewhere(e, p->set->module))
      continue;
    for (uint32_t k = 0; k < HD_EQUAL_HOLDERS; k++)
      if (p->holder[k] < CHECK_NO_SET)
        c->suspected[p->holder[k]] = true;
  }
}
