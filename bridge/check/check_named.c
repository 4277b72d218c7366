/* Adds proofs with values that a change names: parameter sets that tb/instances.txt does not have.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The sets of the file have both ends of each parameter. A change that counts with other values, as `VCS == 3` in a torus,
 * is equal with all of them. So where changed text compares a parameter with a number, each set of the module gets a copy with
 * this number; where it compares by size, also with the numbers beside it. A copy is left out if no switch can have it.
 */
#include "check_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NUMBERS = 128,    /* most numbers of a module */
  MODULE_SETS = 96, /* most copies for a module */
  NAMED_SETS = 192  /* most copies */
};

/* ── texts of parameters ───────────────────────────────────────────────────── */

/* Finds where the value of parameter `name` is in a text such as "N=1 M=4'b0010". NULL: the name is not there. */
static const char *find_value(const char *parameters, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = parameters; *at; at += strcspn(at, " "), at += *at == ' ')
    if (!strncmp(at, name, length) && at[length] == '=')
      return at + length + 1;
  return NULL;
}

bool hd_check_value_of(const char *parameters, const char *name, uint32_t *value)
{
  const char *at = find_value(parameters, name);
  char *end = NULL;
  if (!at)
    return false;
  *value = (uint32_t)strtoul(at, &end, 10);
  if (!strncmp(end, "'b", 2))
    *value = (uint32_t)strtoul(end + 2, NULL, 2);
  return true;
}

bool hd_check_read_switch(const char *parameters, struct hd_switch_params *sw)
{
  uint32_t value;
  bool all = true;
  memset(sw, 0, sizeof *sw);
#define READ(name, VERILOG, ...)                       \
  if (hd_check_value_of(parameters, #VERILOG, &value)) \
    sw->name = (__typeof__(sw->name))value;            \
  else                                                 \
    all = false;
  HD_SWITCH_PARAM_LIST(READ)
#undef READ
  return all && !hd_switch_params_check(sw, NULL);
}

static void write_switch(const struct hd_switch_params *sw, char text[HD_EQUAL_PARAMETERS])
{
  size_t n = 0;
#define WRITE(name, VERILOG, ...)                                                        \
  n += (size_t)snprintf(text + n, n < HD_EQUAL_PARAMETERS ? HD_EQUAL_PARAMETERS - n : 0, \
                        "%s" #VERILOG "=%" PRIu32, n ? " " : "", (uint32_t)sw->name);    \
  n = n < HD_EQUAL_PARAMETERS ? n : HD_EQUAL_PARAMETERS - 1;
  HD_SWITCH_PARAM_LIST(WRITE)
#undef WRITE
}

/* Sets a parameter that the text has, in the notation that it has there. False: the text has no room for it. */
static bool put_value(char text[HD_EQUAL_PARAMETERS], const char *name, uint32_t value)
{
  const char *at = find_value(text, name);
  char number[40], out[HD_EQUAL_PARAMETERS];
  if (!at)
    return true;
  char *end = NULL;
  const unsigned long bits = strtoul(at, &end, 10);
  size_t n = 0;
  if (!strncmp(end, "'b", 2) && bits < 32) {
    n = (size_t)snprintf(number, sizeof number, "%lu'b", bits);
    for (unsigned long b = bits; b-- > 0;)
      number[n++] = value >> b & 1 ? '1' : '0';
    number[n] = '\0';
  } else {
    snprintf(number, sizeof number, "%" PRIu32, value);
  }
  if ((size_t)snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, number,
                       at + strcspn(at, " ")) >= sizeof out)
    return false;
  strcpy(text, out);
  return true;
}

static uint32_t bits_for(uint32_t values)
{
  uint32_t bits = 1;
  while (values > UINT32_C(1) << bits)
    bits++;
  return bits;
}

/* ── copies of sets ────────────────────────────────────────────────────────── */

static bool is_known(const struct hd_equal_sets *sets, const struct hd_equal_set *set)
{
  for (uint32_t i = 0; i < sets->n; i++)
    if (!strcmp(sets->list[i].module, set->module) &&
        !strcmp(sets->list[i].parameters, set->parameters))
      return true;
  return false;
}

/* Tests whether the value is between the least and the highest one that the module's sets have. */
static bool is_in_range(const struct hd_equal_sets *sets, const char *module, const char *name,
                        uint32_t value)
{
  uint32_t low = UINT32_MAX, high = 0, v;
  for (uint32_t i = 0; i < sets->n; i++)
    if (!strcmp(sets->list[i].module, module) &&
        hd_check_value_of(sets->list[i].parameters, name, &v)) {
      low = v < low ? v : low;
      high = v > high ? v : high;
    }
  return value >= low && value <= high;
}

/* Gives a holder of the set the value. False: no switch can have it. */
static bool change_holder(struct hd_equal_set *set, const char *name, uint32_t value)
{
  for (size_t p = 0; p < HD_SWITCH_PARAMS; p++)
    for (uint32_t k = 0; !strcmp(hd_switch_param_list[p].verilog, name) && k < HD_EQUAL_HOLDERS;
         k++) {
      struct hd_switch_params sw;
      if (value > hd_switch_param_list[p].high || !hd_check_read_switch(set->holders[k], &sw))
        continue;
      hd_switch_param_set(&sw, p, value);
      if (hd_switch_params_check(&sw, NULL))
        continue;
      write_switch(&sw, set->holders[0]);
      set->holders[1][0] = '\0';
      return true;
    }
  return false;
}

static bool is_of_switch(const char *name)
{
  for (size_t p = 0; p < HD_SWITCH_PARAMS; p++)
    if (!strcmp(hd_switch_param_list[p].verilog, name))
      return true;
  return false;
}

/* Gives the set the value, and what follows from it the values that fit. False: no switch has such an instance. */
static bool change_set(struct hd_equal_set *set, const char *name, uint32_t value)
{
  uint32_t ports, port, width;
  const bool has_ports = hd_check_value_of(set->parameters, "PORTS", &ports);
  set->named = true;
  if (!strcmp(name, "PORT") && has_ports && ports <= value &&
      !(change_holder(set, "PORTS", value + 1) && put_value(set->parameters, "PORTS", value + 1)))
    return false;
  if (!strcmp(name, "PORTS") && hd_check_value_of(set->parameters, "PORT", &port) && port >= value)
    return false;
  if (!strcmp(name, "N") && hd_check_value_of(set->parameters, "NEXT_W", &width) &&
      bits_for(value) > width)
    return false;
  if (is_of_switch(name) && !change_holder(set, name, value))
    return false;
  if (!is_of_switch(name) && strcmp(name, "PORT") != 0) {
    /* The switch has no parameter of this name, as of the requesters of an arbiter. A switch with so many ports or
     * channels may have such an instance. */
    put_value(set->holders[0], "PORTS", value);
    put_value(set->holders[1], "VCS", value);
  }
  return put_value(set->parameters, name, value) &&
         (strcmp(name, "VCS") != 0 || put_value(set->parameters, "VC_W", bits_for(value))) &&
         (strcmp(name, "CODE_PLACES") != 0 ||
          put_value(set->parameters, "PLACE_W", bits_for(value)));
}

static bool copy_set(const struct check_equal *e, const struct hd_equal_number *of,
                     struct hd_equal_set *copy)
{
  return find_value(copy->parameters, of->name) &&
         is_in_range(&e->sets, copy->module, of->name, of->number) &&
         change_set(copy, of->name, of->number);
}

static void add_copy(struct check_equal *e, const struct hd_equal_set *copy, uint32_t *copies)
{
  if (is_known(&e->sets, copy))
    return;
  if (*copies == MODULE_SETS || e->sets.n - e->n_of_file == NAMED_SETS) {
    e->left_out = true;
    return;
  }
  hd_equal_sets_add(&e->sets, copy);
  ++*copies;
}

/* Takes each set with all numbers, so that each number is proved with some sets, and then with all numbers together. */
static void name_sets(struct check_equal *e, uint32_t module)
{
  struct hd_equal_number numbers[NUMBERS];
  const uint32_t n = hd_equal_numbers(e->modules, module, numbers, NUMBERS);
  uint32_t copies = 0;
  e->left_out |= n == NUMBERS;
  for (uint32_t i = 0; i < e->n_of_file; i++) {
    struct hd_equal_set together = e->sets.list[i];
    for (uint32_t k = 0; k < n && !strcmp(together.module, hd_equal_module(e->modules, module));
         k++) {
      struct hd_equal_set copy = e->sets.list[i], both = together;
      if (copy_set(e, &numbers[k], &copy))
        add_copy(e, &copy, &copies);
      if (!numbers[k].beside && copy_set(e, &numbers[k], &both))
        together = both;
    }
    add_copy(e, &together, &copies);
  }
}

void hd_check_name_sets(struct check_equal *e)
{
  e->n_of_file = e->sets.n;
  for (uint32_t m = 0; m < hd_equal_modules(e->modules); m++)
    name_sets(e, m);
}
