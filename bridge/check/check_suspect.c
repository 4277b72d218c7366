/* Parameter sets under suspicion: those in which a changed module is not proved equal, while it is in others.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bug at one end of a parameter leaves proofs open at that end alone. A switch with the same values shows such a bug
 * soonest, so its runs come before all others.
 */
#include "check_internal.h"

#include <stdlib.h>
#include <string.h>

/* The value of a parameter in "N=1 M=2". False: it has none. */
static bool value_of(const char *parameters, const char *name, uint32_t *value)
{
  const size_t length = strlen(name);
  for (const char *at = parameters; *at; at += strcspn(at, " "), at += *at == ' ')
    if (!strncmp(at, name, length) && at[length] == '=') {
      *value = (uint32_t)strtoul(at + length + 1, NULL, 10);
      return true;
    }
  return false;
}

/* How many proofs of the module ended so with this value of the parameter. */
static uint32_t ended_with(const struct check_equal *e, enum hd_equal_status status,
                           const char *module, const char *name, uint32_t value)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->n; i++) {
    uint32_t other;
    n += e->proofs[i].ended && e->proofs[i].outcome.status == status &&
         !strcmp(e->proofs[i].set->module, module) &&
         value_of(e->proofs[i].set->parameters, name, &other) && other == value;
  }
  return n;
}

static bool is_proved_somewhere(const struct check_equal *e, const char *module)
{
  for (uint32_t i = 0; i < e->n; i++)
    if (e->proofs[i].ended && e->proofs[i].outcome.status == HD_EQUAL_PROVED &&
        !strcmp(e->proofs[i].set->module, module))
      return true;
  return false;
}

/* A value with which the module is proved nowhere tells more, the more proofs are open with it. */
static uint32_t weight(const struct check_equal *e, const char *module, const char *name,
                       uint32_t value)
{
  enum { TELLING = 32 }; /* more than all other values together */
  return ended_with(e, HD_EQUAL_PROVED, module, name, value)
             ? 1
             : TELLING * ended_with(e, HD_EQUAL_OPEN, module, name, value);
}

/* How much of what is not proved a switch has. */
static uint32_t likeness(const struct check_equal *e, const struct hd_equal_set *open,
                         const struct hd_switch_params *sw)
{
  uint32_t value, sum = 0;
#define COMPARE(name, VERILOG, ...)                                      \
  if (value_of(open->parameters, #VERILOG, &value) && value == sw->name) \
    sum += weight(e, open->module, #VERILOG, value);
  HD_SWITCH_PARAM_LIST(COMPARE)
#undef COMPARE
  return sum;
}

void hd_check_suspect(struct hd_check *c)
{
  const struct check_equal *e = &c->equal;
  memset(c->suspected, 0, sizeof c->suspected);
  for (uint32_t i = 0; i < e->n; i++) {
    const struct hd_equal_set *open = e->proofs[i].set;
    uint32_t best = CHECK_NO_SET, most = 0;
    if (!e->proofs[i].ended || e->proofs[i].outcome.status != HD_EQUAL_OPEN ||
        !is_proved_somewhere(e, open->module))
      continue;
    for (uint32_t k = 0; k < hd_stream_sets(); k++) {
      const uint32_t set = c->stream_set[k], n = likeness(e, open, &c->sets[set]);
      if (n > most) {
        best = set;
        most = n;
      }
    }
    if (best < CHECK_NO_SET)
      c->suspected[best] = true;
  }
}
