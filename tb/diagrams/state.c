/* State by the names of specification §6.5 and §8.10: of the RTL from its waves, of the model from its view.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "diagram.h"

#include "../../bridge/waves/fst.h"

#include <string.h>

static void show(struct row *r, uint32_t cycle, uint32_t value)
{
  const char *leaf = strrchr(r->state, '.') ? strrchr(r->state, '.') + 1 : r->state;
  struct cell *cell = &r->cells[cycle];
  size_t n = 0;
  *cell = (struct cell){.kind = CELL_TEXT, .colour = '2'};
  unsigned p, v;
  const struct hd_state *state = hd_state_find(r->state, &p, &v);
  if (state && state->bits == 1) {
    *cell = (struct cell){.kind = CELL_BIT, .colour = value ? '1' : '0'};
    return;
  }
  if (!strcmp(leaf, "state") && value < HD_VC_STATES) {
    snprintf(cell->text, sizeof cell->text, "%s", hd_vc_state_name(value));
    cell->colour = (char)(value == 2 ? '9' : value ? '6' : '2');
  } else if (!strcmp(leaf, "errors") && value) {
    for (uint32_t b = 0; b < HD_ERROR_BITS; b++)
      if (value >> b & 1)
        n += (size_t)snprintf(cell->text + (n < sizeof cell->text ? n : 0),
                              sizeof cell->text - (n < sizeof cell->text ? n : 0), "%s%s",
                              n ? " " : "", hd_error_bit_name(b));
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

int diagram_state_of_model(struct diagram *d, const struct play *play, struct hd_error *err)
{
  for (uint32_t i = 0; i < d->n_rows; i++) {
    struct row *r = &d->rows[i];
    if (r->kind != ROW_STATE)
      continue;
    unsigned port, vc;
    const struct hd_state *state = hd_state_find(r->state, &port, &vc);
    if (!state)
      return unknown(d, r, "the model's view", err);
    for (uint32_t c = 0; c < d->cycles; c++)
      show(r, c, hd_switch_view_get(&play->views[r->at.sw][c], state, port, vc));
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
    hd_fst_leave_wrapper_out(reader);
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
