/* State by the names of specification §6.5 and §8.10: of the RTL from its waves, of the model from its view.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diagram.h"

#include "../../bridge/waves/fst.h"

#include <string.h>

static void show(struct row *r, uint32_t cycle, uint32_t value)
{
  static const char *const states[] = {"idle", "open", "sink"};
  static const char *const errors[] = {"overflow", "unroutable", "orphan",   "nested",
                                       "reserved", "credit",     "channel",  "table",
                                       "group",    "duplicate",  "protocol", "unreachable"};
  static const char *const bits[] = {"owned", "cut", "slot", "second", "cutting", "act"};
  const char *leaf = strrchr(r->state, '.') ? strrchr(r->state, '.') + 1 : r->state;
  struct cell *cell = &r->cells[cycle];
  size_t n = 0;
  *cell = (struct cell){.kind = CELL_TEXT, .colour = '2'};
  for (uint32_t i = 0; i < sizeof bits / sizeof *bits; i++)
    if (!strcmp(leaf, bits[i])) {
      *cell = (struct cell){.kind = CELL_BIT, .colour = value ? '1' : '0'};
      return;
    }
  if (!strcmp(leaf, "state") && value < sizeof states / sizeof *states) {
    snprintf(cell->text, sizeof cell->text, "%s", states[value]);
    cell->colour = (char)(value == 2 ? '9' : value ? '6' : '2');
  } else if (!strcmp(leaf, "errors") && value) {
    for (uint32_t b = 0; b < sizeof errors / sizeof *errors; b++)
      if (value >> b & 1)
        n += (size_t)snprintf(cell->text + (n < sizeof cell->text ? n : 0),
                              sizeof cell->text - (n < sizeof cell->text ? n : 0), "%s%s",
                              n ? " " : "", errors[b]);
    cell->colour = '9';
  } else {
    snprintf(cell->text, sizeof cell->text, "%u", value);
  }
}

static int unknown(const struct diagram *d, const struct row *r, const char *where,
                   struct hd_error *err)
{
  return hd_fail(err, HD_E_INPUT, "%s: %s has no state '%s' (specification §6.5, §8.10)", d->name,
                 where, r->state);
}

/* ── the model ──────────────────────────────────────────────────────────────── */

/* The value of `name`; -1: there is none. */
static int in_view(const struct hd_switch_view *v, const char *name)
{
  unsigned p = 0, c = 0;
  char leaf[16] = "";
#define IS(text) (!strcmp(leaf, text))
  if (!strcmp(name, "errors"))
    return v->errors;
  if (!strcmp(name, "unit.act") || !strcmp(name, "unit.turn"))
    return name[5] == 'a' ? v->unit_act : v->unit_turn;
  if (!strcmp(name, "unit.spread"))
    return v->unit_spread;
  if (sscanf(name, "in[%u].vc[%u].%15s", &p, &c, leaf) == 3 && p < HD_MAX_PORTS && c < HD_MAX_VCS)
    return IS("occupancy") ? v->in[p][c].occupancy
           : IS("state")   ? v->in[p][c].state
           : IS("oport")   ? v->in[p][c].oport
           : IS("ovc")     ? v->in[p][c].ovc
           : IS("cut")     ? v->in[p][c].cut
                           : -1;
  if (sscanf(name, "out[%u].vc[%u].%15s", &p, &c, leaf) == 3 && p < HD_MAX_PORTS && c < HD_MAX_VCS)
    return IS("credit") ? v->out[p][c].credit : IS("owned") ? v->out[p][c].owned : -1;
  if (sscanf(name, "in[%u].%15s", &p, leaf) == 2 && p < HD_MAX_PORTS)
    return IS("next") ? v->in_next[p] : IS("queued") ? v->barrier[p].queued : -1;
  if (sscanf(name, "out[%u].%15s", &p, leaf) == 2 && p < HD_MAX_PORTS)
    return IS("next")             ? v->out_next[p]
           : IS("vc_next")        ? v->vc_next[p]
           : IS("slot")           ? v->barrier[p].slot
           : IS("second")         ? v->barrier[p].second
           : IS("cutting")        ? v->barrier[p].cutting
           : IS("cut_vc")         ? v->barrier[p].cut_vc
           : IS("cut_next")       ? v->barrier[p].cut_next
           : IS("barrier_credit") ? v->barrier[p].barrier_credit
                                  : -1;
#undef IS
  return -1;
}

int diagram_state_of_model(struct diagram *d, const struct play *play, struct hd_error *err)
{
  for (uint32_t i = 0; i < d->n_rows; i++) {
    struct row *r = &d->rows[i];
    if (r->kind != ROW_STATE)
      continue;
    for (uint32_t c = 0; c < d->cycles; c++) {
      int value = in_view(&play->views[r->at.sw][c], r->state);
      if (value < 0)
        return unknown(d, r, "the model's view", err);
      show(r, c, (uint32_t)value);
    }
  }
  return 0;
}

/* ── the RTL ────────────────────────────────────────────────────────────────── */

struct search {
  struct diagram *d;
  uint32_t sw;
  uint32_t handles[MAX_ROWS]; /* of the rows; 0: none */
  bool undefined;
};

/* The backend's time 2c is the start of cycle c (bridge/dut.h). */
static void changed(void *context, uint64_t time, uint32_t handle, const char *value)
{
  struct search *s = context;
  for (uint32_t i = 0; i < s->d->n_rows; i++) {
    struct row *r = &s->d->rows[i];
    uint32_t number = 0;
    if (r->kind != ROW_STATE || r->at.sw != s->sw || s->handles[i] != handle || !value)
      continue;
    for (const char *p = value; *p; p++) {
      s->undefined |= *p != '0' && *p != '1';
      number = number << 1 | (*p == '1');
    }
    for (uint64_t c = (time + 1) / 2; c < s->d->cycles; c++)
      show(r, (uint32_t)c, number);
  }
}

/* The variable whose path ends with `name`; the shortest path is the switch's own. */
static uint32_t find(const struct hd_fst_variable *variables, size_t n, const char *name)
{
  size_t shortest = SIZE_MAX, length = strlen(name);
  uint32_t handle = 0;
  for (size_t i = 0; i < n; i++) {
    size_t whole = strlen(variables[i].path);
    const char *tail = variables[i].path + whole - length;
    if (whole < length || strcmp(tail, name) || (whole > length && tail[-1] != '.') ||
        whole >= shortest)
      continue;
    shortest = whole;
    handle = variables[i].handle;
  }
  return handle;
}

int diagram_state_of_waves(struct diagram *d, const char *waves, struct hd_error *err)
{
  for (uint32_t sw = 0; sw < d->n_switches; sw++) {
    struct search s = {.d = d, .sw = sw};
    struct hd_fst_reader *reader = NULL;
    char path[512];
    size_t n = 0;
    snprintf(path, sizeof path, "%s.%u.fst", waves, sw);
    int status = hd_fst_reader_create(&reader, path, err);
    if (status)
      return status;
    const struct hd_fst_variable *variables = hd_fst_variables(reader, &n);
    for (uint32_t i = 0; i < d->n_rows && !status; i++)
      if (d->rows[i].kind == ROW_STATE && d->rows[i].at.sw == sw &&
          !(s.handles[i] = find(variables, n, d->rows[i].state)))
        status = unknown(d, &d->rows[i], path, err);
    if (!status)
      status = hd_fst_read(reader, changed, &s, NULL, err);
    if (!status && s.undefined)
      status = hd_fail(err, HD_E_DIVERGENCE, "%s: %s holds undefined state", d->name, path);
    hd_fst_reader_destroy(reader);
    if (status)
      return status;
  }
  return 0;
}
