/* Marks switches as suspect that hold an instance of a changed module which is not proved equal, while others are.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bug at one end of a parameter's range leaves proofs open at that end alone. tb/instances.txt names switches that hold
 * such an instance. They show the bug soonest, so their runs come before all others. As long
 * as no set of the module is proved, a few switches with values that its changed text names come after the first run.
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

void hd_check_list_ends(struct hd_check *c, uint32_t (*place)(struct hd_check *check,
                                                              const struct hd_switch_params *sw))
{
  struct hd_switch_params sw;
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
  uint32_t room = CHECK_EARLY_SETS;
  memset(c->suspected, 0, sizeof c->suspected);
  for (uint32_t i = 0; i < e->n; i++) {
    const struct check_equal_proof *p = &e->proofs[i];
    const bool is_end = is_proved_somewhere(e, p->set->module);
    for (uint32_t k = 0; k < HD_EQUAL_HOLDERS; k++)
      if (p->ended && p->outcome.status != HD_EQUAL_PROVED && p->holder[k] < CHECK_NO_SET &&
          (is_end || (p->set->named && room))) {
        c->suspected[p->holder[k]] = true;
        room -= !is_end;
      }
  }
}
