/* Lists every parameter of a scenario with its value, for reports and the run database.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_keys.h"

#include <stdio.h>
#include <string.h>

struct taker {
  hd_parameter_fn *take;
  void *context;
};

static void visit_number(const struct taker *t, const char *key, uint64_t number)
{
  const enum hd_value_type type = number > INT64_MAX ? HD_VALUE_NUMBER : HD_VALUE_COUNT;
  t->take(t->context, key, &(struct hd_value){.type = type, .number = number});
}

static void visit_text(const struct taker *t, const char *key, const char *text)
{
  if (text)
    t->take(t->context, key, &(struct hd_value){.type = HD_VALUE_TEXT, .text = text});
}

static void visit_list(const struct taker *t, const struct hd_key *key, const struct hd_scenario *s)
{
  const uint32_t *items;
  uint32_t n = hd_key_items(key, s, &items);
  for (uint32_t i = 0; i < n; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s.%u", key->path, i);
    visit_number(t, path, items[i]);
  }
}

/* Tests whether the scenario has a value for the key. Some topologies do not take every key of
 * the fabric, and a key that was not given may have no value. */
static bool has_value(const struct hd_key *key, const struct hd_scenario *s)
{
  bool needed;
  const char *shape = hd_shape_key(key);
  if (!key->size || (key->has && !*((const char *)s + key->has)))
    return false;
  return !shape || hd_topology_takes(hd_topologies[s->fabric.topology], shape, &needed);
}

static void visit_key(const struct taker *t, const struct hd_key *key, const struct hd_scenario *s)
{
  switch (key->type) {
  case HD_KEY_NUMBER:
  case HD_KEY_POWER:
  case HD_KEY_FLAG:
    visit_number(t, key->path, hd_key_number(key, s));
    break;
  case HD_KEY_CHOICE:
    visit_text(t, key->path, key->choice((unsigned)hd_key_number(key, s)));
    break;
  case HD_KEY_TEXT:
    visit_text(t, key->path, hd_key_text(key, s));
    break;
  case HD_KEY_LIST:
    visit_list(t, key, s);
    break;
  case HD_KEY_SECTION:
  case HD_KEY_ROWS:
  case HD_KEY_PARAMETERS:
    break;
  }
}

static void visit_software(const struct taker *t, const struct hd_scenario *s)
{
  visit_text(t, "software.program", s->software.program->name);
  for (uint32_t i = 0; i < s->software.n_parameters; i++) {
    const struct hd_parameter *p = &s->software.parameters[i];
    char key[256];
    snprintf(key, sizeof key, "software.parameters.%s", p->key);
    if (p->text)
      visit_text(t, key, p->text);
    else
      t->take(t->context, key, &(struct hd_value){.type = HD_VALUE_REAL, .real = p->number});
  }
}

static void visit_fault(const struct taker *t, uint32_t i, const struct hd_scenario_fault *f)
{
  char key[48], link[32];
  snprintf(key, sizeof key, "faults.%u.%s", i, f->after_barrier ? "after_barrier" : "cycle");
  visit_number(t, key, f->when);
  snprintf(key, sizeof key, "faults.%u.%s", i, f->whole_switch ? "switch" : "link");
  snprintf(link, sizeof link, "s%u:%u", f->sw, f->port);
  if (f->whole_switch)
    visit_number(t, key, f->sw);
  else
    visit_text(t, key, link);
}

void hd_scenario_parameters(const struct hd_scenario *s, hd_parameter_fn *take, void *context)
{
  const struct taker t = {take, context};
  static const char of_switch[] = "switch.";
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  for (const struct hd_key *key = keys; key < keys + n; key++)
    if (strncmp(key->path, of_switch, sizeof of_switch - 1) != 0 && has_value(key, s))
      visit_key(&t, key, s);
  /* Parameters of the switch that no key sets, such as the number of ports. */
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    char path[64];
    snprintf(path, sizeof path, "%s%s", of_switch, hd_switch_param_list[i].name);
    visit_number(&t, path, hd_switch_param_get(&s->sw, i));
  }
  visit_software(&t, s);
  for (uint32_t i = 0; i < s->n_faults; i++)
    visit_fault(&t, i, &s->faults[i]);
}
