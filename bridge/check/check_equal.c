/* Proofs that changed modules are equal to the original's: their list, one proof, and its result.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A wire that is not proved equal is a suspicion and no verdict, because it may differ only in states that are never
 * reached: runs decide. Where every changed module is proved equal with all its sets, the check may end (params->settles).
 */
#include "check_internal.h"

#include "../backends/rtl/dut_sources.h"
#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  PATIENCE_SECONDS = 30, /* processor time of each attempt */
  /* After this number of flattened proofs that stay open, no other proof is tried flattened. */
  OPEN_ENOUGH = 3
};

/* ── the list of proofs ────────────────────────────────────────────────────── */

static int read_sets(struct check_equal *e, const char *root, struct hd_error *err)
{
  static const char *const places[] = {"instances.txt", "tb/instances.txt"}; /* installed; tree */
  char path[4200];
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s/%s", root, places[i]);
    if (!access(path, R_OK))
      return hd_equal_sets_read(&e->sets, path, err);
  }
  return HD_OK;
}

/* Does `only`, "MODULE" or "MODULE N=1 M=2", name the set? NULL names all. */
static bool is_asked_for(const char *only, const struct hd_equal_set *set)
{
  size_t n = strlen(set->module);
  return !only || (!strncmp(only, set->module, n) &&
                   (!only[n] || (only[n] == ' ' && !strcmp(only + n + 1, set->parameters))));
}

static uint32_t count_sets(const struct check_equal *e, const char *module)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < e->sets.n; i++)
    n += !strcmp(e->sets.list[i].module, module);
  return n;
}

/* Returns set number `place` of a module; NULL: the module has fewer sets. Those with named values come first. */
static const struct hd_equal_set *set_at(const struct check_equal *e, const char *module,
                                         uint32_t place)
{
  for (uint32_t i = 0; i < e->sets.n; i++) {
    const struct hd_equal_set *set = &e->sets.list[(e->n_of_file + i) % e->sets.n];
    if (!strcmp(set->module, module) && !place--)
      return set;
  }
  return NULL;
}

/* Lists the first set of every module, then the second ones, and so on: sets of a module are in the order of size. */
static void list_proofs(struct check_equal *e, const char *only)
{
  uint32_t most = 0;
  for (uint32_t m = 0; m < hd_equal_modules(e->modules); m++) {
    uint32_t n = count_sets(e, hd_equal_module(e->modules, m));
    most = n > most ? n : most;
  }
  for (uint32_t place = 0; place < most; place++)
    for (uint32_t m = 0; m < hd_equal_modules(e->modules); m++) {
      const struct hd_equal_set *set = set_at(e, hd_equal_module(e->modules, m), place);
      if (set && is_asked_for(only, set) && e->n < e->sets.n)
        e->proofs[e->n++].set = set;
    }
}

/* Adds modules and parameter sets to the identity, because they decide the sequence of tasks. */
static void add_identity(struct hd_check *c)
{
  uint64_t hash = 1;
  for (uint32_t i = 0; i < c->equal.n; i++) {
    const struct hd_equal_set *s = c->equal.proofs[i].set;
    hash = hd_hash_bytes(s->module, strlen(s->module) + 1, hash);
    hash = hd_hash_bytes(s->parameters, strlen(s->parameters) + 1, hash);
  }
  hd_text_add(&c->identity, ", sets %016" PRIx64, hash);
}

int hd_check_find_equal(struct hd_check *c, struct hd_error *err)
{
  struct check_equal *e = &c->equal;
  const char *only = c->params->proof_of;
  char root[4096];
  if (c->is_original)
    return only ? hd_fail(err, HD_E_INPUT,
                          "--proof-of: %s is the original itself, so no module differs; give the "
                          "directory of the changed RTL",
                          c->rtl_dir)
                : HD_OK;
  int status = hd_install_root(root, sizeof root, err);
  if (!status)
    status = read_sets(e, root, err);
  if (!status)
    status = hd_equal_open(&e->modules, c->original_dir, c->rtl_dir, "hd_switch", err);
  if (!status)
    status = hd_sources_proved(c->original_dir, NULL, &e->trusted, err);
  if (!status) {
    hd_check_name_sets(e);
    e->proofs = hd_xcalloc(e->sets.n + 1, sizeof *e->proofs);
    list_proofs(e, only);
    add_identity(c);
  }
  if (!status && only && !e->n)
    status = hd_fail(err, HD_E_INPUT,
                     "--proof-of %s: no changed module has this name and these parameters; "
                     "tb/instances.txt lists them",
                     only);
  if (!status && only && !c->has_tool[CHECK_YOSYS])
    status = hd_fail(err, HD_E_TOOL, "yosys is missing; install the package yosys");
  return status;
}

void hd_check_equal_free(struct check_equal *e)
{
  hd_equal_close(e->modules);
  hd_equal_sets_fini(&e->sets);
  free(e->proofs);
}

/* ── one proof ─────────────────────────────────────────────────────────────── */

static void put_wires(const struct hd_equal_outcome *proof, struct hd_task_outcome *outcome)
{
  struct hd_text lines = {0};
  for (uint32_t i = 0; i < proof->n_wires && i < HD_EQUAL_WIRES; i++) {
    const struct hd_equal_wire *w = &proof->wires[i];
    hd_text_add(&lines, "%s\t%s\t%" PRIu32 "\t%" PRIu32 "\n", w->wire, w->file, w->line, w->bits);
  }
  if (lines.length)
    hd_check_put_text(outcome, "equal_lines", hd_text_chars(&lines));
  hd_text_fini(&lines);
}

void hd_check_prove_equal(const struct hd_check *c, uint32_t index, bool flatten,
                          struct hd_task_outcome *outcome)
{
  const struct hd_equal_set *set = c->equal.proofs[index].set;
  struct hd_equal_outcome proof;
  struct hd_error err = {""};
  char work[4200];
  if (!hd_check_result_path(c, outcome, work, "equal-%s-%" PRIu32 "%s", set->module, index,
                            flatten ? "-flat" : ""))
    return;
  int status = hd_equal_prove(c->equal.modules, set->module, set->parameters, flatten, work,
                              PATIENCE_SECONDS, &proof, &err);
  if (status) {
    hd_task_outcome_fail(outcome, status, err.text, "no proof");
    return;
  }
  hd_check_put_count(outcome, "equal_status", proof.status);
  hd_check_put_count(outcome, "equal_pairs", proof.pairs);
  hd_check_put_count(outcome, "equal_wires", proof.n_wires);
  hd_task_outcome_add(outcome, "equal_cpu", "s",
                      &(struct hd_value){.type = HD_VALUE_REAL, .real = proof.cpu_seconds});
  if (*proof.why)
    hd_check_put_text(outcome, "equal_why", proof.why);
  put_wires(&proof, outcome);
}

/* ── results of proofs ─────────────────────────────────────────────────────── */

static void get_wires(const char *lines, const struct hd_equal_set *set,
                      struct hd_equal_outcome *proof)
{
  uint32_t n = 0;
  for (; *lines && n < HD_EQUAL_WIRES; lines += strcspn(lines, "\n"), lines += *lines == '\n') {
    struct hd_equal_wire *w = &proof->wires[n++];
    *w = (struct hd_equal_wire){.status = proof->status};
    snprintf(w->module, sizeof w->module, "%s", set->module);
    snprintf(w->parameters, sizeof w->parameters, "%s", set->parameters);
    const char *file = lines + strcspn(lines, "\t") + 1, *line = file + strcspn(file, "\t") + 1;
    snprintf(w->wire, sizeof w->wire, "%.*s", (int)(file - lines - 1), lines);
    snprintf(w->file, sizeof w->file, "%.*s", (int)(line - file - 1), file);
    sscanf(line, "%" SCNu32 " %" SCNu32, &w->line, &w->bits);
  }
}

void hd_check_merge_proof(struct hd_check *c, uint32_t index, bool flatten,
                          const struct hd_task_outcome *outcome)
{
  struct check_equal_proof *p = &c->equal.proofs[index];
  const struct hd_value *cpu = hd_task_outcome_find(outcome, "equal_cpu");
  c->equal.cpu_seconds += cpu && cpu->type == HD_VALUE_REAL ? cpu->real : 0;
  const uint64_t status = hd_task_outcome_count(outcome, "equal_status");
  c->equal.still_open += flatten && status == HD_EQUAL_OPEN;
  if (outcome->failed || !hd_task_outcome_find(outcome, "equal_status") ||
      status >= HD_EQUAL_STATUSES)
    return;
  if (flatten &&
      status != HD_EQUAL_PROVED) /* keep the first result: its list of wires is shorter */
    return;
  c->equal.ended += !p->ended;
  p->ended = true;
  p->outcome =
      (struct hd_equal_outcome){.status = (enum hd_equal_status)status,
                                .flattened = flatten,
                                .pairs = (uint32_t)hd_task_outcome_count(outcome, "equal_pairs"),
                                .n_wires = (uint32_t)hd_task_outcome_count(outcome, "equal_wires")};
  const char *why = hd_task_outcome_text(outcome, "equal_why");
  const char *lines = hd_task_outcome_text(outcome, "equal_lines");
  snprintf(p->outcome.why, sizeof p->outcome.why, "%s", why ? why : "");
  get_wires(lines ? lines : "", p->set, &p->outcome);
  hd_check_suspect(c);
}

/* Compares the wire's own name, without the generate blocks before it: "held_q" of "line.held_q". */
static bool is_called(const struct hd_equal_wire *wire, const char *name)
{
  const char *dot = strrchr(wire->wire, '.');
  return !strcmp(dot ? dot + 1 : wire->wire, name);
}

bool hd_check_equal_is_open(const struct hd_check *c, const char *module, const char *wire)
{
  for (uint32_t i = 0; i < c->equal.n; i++) {
    const struct check_equal_proof *p = &c->equal.proofs[i];
    for (uint32_t k = 0; p->ended && k < p->outcome.n_wires && k < HD_EQUAL_WIRES; k++)
      if (p->outcome.status == HD_EQUAL_OPEN && !strcmp(p->outcome.wires[k].module, module) &&
          is_called(&p->outcome.wires[k], wire))
        return true;
  }
  return false;
}

uint32_t hd_check_equal_count(const struct hd_check *c, enum hd_equal_status status)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->equal.n; i++)
    n += c->equal.proofs[i].ended && c->equal.proofs[i].outcome.status == status;
  return n;
}

bool hd_check_equal_text_only(const struct hd_check *c)
{
  return c->equal.modules && !hd_equal_modules(c->equal.modules) &&
         !hd_equal_forbidden(c->equal.modules);
}

static bool all_equal(const struct hd_check *c)
{
  const struct check_equal *e = &c->equal;
  for (uint32_t m = 0; e->modules && m < hd_equal_modules(e->modules); m++)
    if (!count_sets(e, hd_equal_module(e->modules, m)))
      return false;
  return e->n && !e->left_out && hd_check_equal_count(c, HD_EQUAL_PROVED) == e->n;
}

bool hd_check_asked_is_proved(const struct hd_check *c)
{
  return c->params->proof_of && c->equal.n &&
         hd_check_equal_count(c, HD_EQUAL_PROVED) == c->equal.n;
}

bool hd_check_settled(const struct hd_check *c)
{
  return c->equal.trusted && !c->failed && !c->has_only && !c->params->proof_of &&
         (hd_check_equal_text_only(c) || all_equal(c));
}

bool hd_check_equal_next(struct hd_check *c, uint32_t *index)
{
  struct check_equal *e = &c->equal;
  if (e->ended < e->n || e->still_open >= OPEN_ENOUGH || c->failed ||
      !(hd_check_is_deep(c) || c->params->proof_of)) /* runs find most differences sooner */
    return false;
  for (uint32_t i = 0; i < e->n; i++) {
    struct check_equal_proof *p = &e->proofs[i];
    if (p->ended && p->outcome.status == HD_EQUAL_OPEN && !p->tried_flat) {
      p->tried_flat = true;
      *index = i;
      return true;
    }
  }
  return false;
}
