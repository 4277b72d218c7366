/* Writes the results of proofs of changed modules: modules and parameters that are proved equal, wires that are not.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_write_equal.h"

#include "check_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool has_status(const struct check_equal_proof *p, enum hd_equal_status status)
{
  return p->ended && p->outcome.status == status;
}

/* Adds the values of a parameter in a module's proved sets: "PORTS 2, 3, 16". */
static void values_text(const struct check_equal *e, const char *module, const char *name, size_t n,
                        struct hd_text *text)
{
  unsigned values[64], count = 0;
  for (uint32_t i = 0; i < e->n; i++) {
    const struct check_equal_proof *p = &e->proofs[i];
    if (!has_status(p, HD_EQUAL_PROVED) || strcmp(p->set->module, module))
      continue;
    for (const char *at = p->set->parameters; *at; at += strcspn(at, " "), at += *at == ' ') {
      const char *number = at + n + 1, *bits = strstr(number, "'b");
      if (strncmp(at, name, n) || at[n] != '=')
        continue;
      bool is_bits = bits && bits < number + strcspn(number, " ");
      unsigned value = (unsigned)(is_bits ? strtoul(bits + 2, NULL, 2) : strtoul(number, NULL, 10));
      unsigned place = 0;
      while (place < count && values[place] < value)
        place++;
      if ((place < count && values[place] == value) || count == sizeof values / sizeof *values)
        continue;
      memmove(values + place + 1, values + place, (count - place) * sizeof *values);
      values[place] = value;
      count++;
    }
  }
  hd_text_add(text, "%.*s", (int)n, name);
  for (unsigned i = 0; i < count; i++)
    hd_text_add(text, "%s%u", i ? ", " : " ", values[i]);
}

static void covered_text(const struct check_equal *e, const char *module, struct hd_text *text)
{
  const struct hd_equal_set *first = NULL;
  size_t longest = 0;
  for (uint32_t i = 0; i < e->n; i++)
    if (!strcmp(e->proofs[i].set->module, module) &&
        strlen(e->proofs[i].set->parameters) >= longest) {
      first = e->proofs[i].set;
      longest = strlen(first->parameters);
    }
  for (const char *at = first ? first->parameters : ""; *at;
       at += strcspn(at, " "), at += *at == ' ') {
    hd_text_add(text, "%s", at == first->parameters ? "" : "; ");
    values_text(e, module, at, strcspn(at, "="), text);
  }
}

static void add_command(const struct hd_check *c, const struct hd_equal_set *set,
                        struct hd_text *text)
{
  char only[HD_EQUAL_NAME + HD_EQUAL_PARAMETERS + 1];
  snprintf(only, sizeof only, "%s%s%s", set->module, *set->parameters ? " " : "", set->parameters);
  hd_text_add(text, "heddle check");
  hd_text_add_option(text, " ", c->params->rtl_dir);
  hd_text_add_option(text, " --against ", c->params->against);
  hd_text_add_option(text, " --proof-of ", only);
}

/* Adds the wires of a module that are not proved, each once, with the command for the first set that left it open. */
static void open_text(const struct hd_check *c, const char *module, struct hd_text *text)
{
  const struct check_equal *e = &c->equal;
  struct hd_text listed = {0};
  for (uint32_t i = 0; i < e->n; i++) {
    const struct check_equal_proof *p = &e->proofs[i];
    if (!has_status(p, HD_EQUAL_OPEN) || strcmp(p->set->module, module))
      continue;
    bool is_new = false;
    for (uint32_t w = 0; w < p->outcome.n_wires && w < HD_EQUAL_WIRES; w++) {
      const struct hd_equal_wire *wire = &p->outcome.wires[w];
      char word[160];
      snprintf(word, sizeof word, "\n%s\n", wire->wire);
      if (strstr(hd_text_chars(&listed), word))
        continue;
      hd_text_add(&listed, "%s", word);
      hd_text_add(text, "    %s of %s", wire->wire, module);
      if (*wire->file)
        hd_text_add(text, " (%s:%" PRIu32 ")", wire->file, wire->line);
      hd_text_add(text, "\n");
      is_new = true;
    }
    if (is_new) {
      hd_text_add(text, "      ");
      add_command(c, p->set, text);
      hd_text_add(text, "\n");
    }
  }
  hd_text_fini(&listed);
}

static void module_text(const struct hd_check *c, const char *module, struct hd_text *text)
{
  const struct check_equal *e = &c->equal;
  uint32_t n[HD_EQUAL_STATUSES] = {0}, all = 0;
  const char *why = "";
  for (uint32_t i = 0; i < e->n; i++) {
    const struct check_equal_proof *p = &e->proofs[i];
    if (strcmp(p->set->module, module))
      continue;
    all++;
    if (!p->ended)
      continue;
    n[p->outcome.status]++;
    if (p->outcome.status == HD_EQUAL_UNFIT)
      why = p->outcome.why;
  }
  hd_text_add(text, "  %s: proved equal with %" PRIu32 " of %s", module, n[HD_EQUAL_PROVED],
              hd_count(all, "parameter set").text);
  if (n[HD_EQUAL_LATE])
    hd_text_add(text, ", not ended with %" PRIu32, n[HD_EQUAL_LATE]);
  if (n[HD_EQUAL_UNFIT])
    hd_text_add(text, ", cannot be compared with %" PRIu32 " (%s)", n[HD_EQUAL_UNFIT], why);
  hd_text_add(text, "\n");
  if (n[HD_EQUAL_PROVED]) {
    hd_text_add(text, "    ");
    covered_text(e, module, text);
    hd_text_add(text, "\n");
  }
  if (n[HD_EQUAL_OPEN]) {
    hd_text_add(text, "    not proved with %" PRIu32 ", a suspicion%s:\n", n[HD_EQUAL_OPEN],
                c->n_groups ? "" : " that no run has shown");
    open_text(c, module, text);
  }
}

void hd_check_equal_text(const struct hd_check *c, struct hd_text *text)
{
  const struct check_equal *e = &c->equal;
  if (!e->modules)
    return;
  if (hd_equal_forbidden(e->modules)) {
    hd_text_add(text, "\nchanged modules: %s\n", hd_equal_forbidden(e->modules));
    return;
  }
  if (!hd_equal_modules(e->modules) || !e->ended)
    return;
  hd_text_add(text, "\nchanged modules, compared with the original's (%.1f s of processor time):\n",
              e->cpu_seconds);
  for (uint32_t m = 0; m < hd_equal_modules(e->modules); m++)
    module_text(c, hd_equal_module(e->modules, m), text);
}

void hd_check_equal_missing(const struct hd_check *c, const struct check_lines *lines)
{
  const struct check_equal *e = &c->equal;
  if (e->ended < e->n)
    hd_check_line(lines, "%" PRIu32 " of %s that a changed module is the original's",
                  e->n - e->ended, hd_count(e->n, "proof").text);
  if (e->left_out)
    hd_check_line(lines, "proofs with all values that a changed module names: they are too many");
  if (hd_check_equal_count(c, HD_EQUAL_PROVED))
    hd_check_line(lines,
                  "proofs with other parameter sets than those listed; values that are neither 0 "
                  "nor 1, and registers that nothing resets, at power-up");
}

/* ── for machines ──────────────────────────────────────────────────────────── */

static json_t *wires_json(const struct hd_equal_outcome *o)
{
  json_t *wires = json_array();
  for (uint32_t i = 0; i < o->n_wires && i < HD_EQUAL_WIRES; i++)
    json_array_append_new(wires, json_pack("{s:s, s:s, s:I, s:I}", "wire", o->wires[i].wire, "file",
                                           o->wires[i].file, "line", (json_int_t)o->wires[i].line,
                                           "bits", (json_int_t)o->wires[i].bits));
  return wires;
}

static json_t *proof_json(const struct hd_check *c, const struct check_equal_proof *p)
{
  struct hd_text line = {0};
  add_command(c, p->set, &line);
  json_t *json =
      json_pack("{s:s, s:s, s:s, s:b, s:I, s:s*, s:o, s:s}", "module", p->set->module, "parameters",
                p->set->parameters, "status",
                p->ended ? hd_equal_status_name(p->outcome.status) : "not ended",
                "submodules_inside", p->outcome.flattened, "pairs", (json_int_t)p->outcome.pairs,
                "why", *p->outcome.why ? p->outcome.why : NULL, "wires", wires_json(&p->outcome),
                "command", hd_text_chars(&line));
  hd_text_fini(&line);
  return json;
}

json_t *hd_check_equal_json(const struct hd_check *c)
{
  const struct check_equal *e = &c->equal;
  if (!e->modules)
    return NULL;
  json_t *proofs = json_array(), *modules = json_array();
  for (uint32_t i = 0; i < e->n; i++)
    json_array_append_new(proofs, proof_json(c, &e->proofs[i]));
  for (uint32_t m = 0; m < hd_equal_modules(e->modules); m++)
    json_array_append_new(modules, json_string(hd_equal_module(e->modules, m)));
  return json_pack("{s:o, s:s*, s:f, s:o}", "changed", modules, "not_proved_as",
                   hd_equal_forbidden(e->modules), "processor_seconds", e->cpu_seconds, "proofs",
                   proofs);
}
