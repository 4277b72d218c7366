/* Turns the values of wires into cells of rows.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two rows are one cycle ahead of a register of theirs: a flit that is popped in cycle s makes its
 * credit visible in s+1, and one in the crossbar is at the output a cycle later (§2.2).
 */
#include "diagram.h"

#include <string.h>

static void bit(struct cell *cell, bool value)
{
  *cell = (struct cell){.kind = CELL_BIT, .colour = value ? '1' : '0'};
}

/* Appends, so that several virtual channels can show in one cell. */
static void add(struct cell *cell, char colour, const char *text)
{
  size_t n = strlen(cell->text);
  cell->colour = cell->kind == CELL_TEXT ? '2' : colour;
  cell->kind = CELL_TEXT;
  snprintf(cell->text + n, sizeof cell->text - n, "%s%s", n ? " " : "", text);
}

static void number(struct cell *cell, const char *format, uint32_t value)
{
  char text[16];
  snprintf(text, sizeof text, format, value);
  add(cell, '2', text);
}

/* A barrier flit by what it says (§8.1): of two, the first has type, tag and destination's low bits,
 * the last who reports. */
static void message(const struct diagram *d, char *text, size_t size, const struct hd_flit_event *e)
{
  static const char *const types[] = {"reduce", "distr", "init", "fail"};
  bool two = d->params.data_bits == 16, last = e->kind == HD_KIND_BARRIER_LAST;
  uint32_t m = (uint32_t)e->data << (two && last ? 16 : 0);
  int n = 0;
  if (!two || !last)
    n = snprintf(text, size, "%s", types[m & 3]);
  if ((!two || !last) && (m & 3) == HD_INITIAL_REDUCE)
    n += snprintf(text + n, size - (size_t)n, "%u", m >> 2 & 3);
  if (last && m >> 31)
    snprintf(text + n, size - (size_t)n, "%slocal", n ? " " : "");
  else if (last)
    snprintf(text + n, size - (size_t)n, "%sbsr%u", n ? " " : "", m >> 20 & 0x7ff);
}

/* A flit by its name in the stimulus; what no line of it sent is called by its kind. */
static void flit(const struct diagram *d, struct cell *cell, const struct hd_flit_event *e)
{
  char text[48], own[24] = "";
  const char *name = NULL;
  char colour = '2', vc[8] = "";
  for (uint32_t i = 0; i < d->n_flits && !name; i++)
    if (d->flits[i].kind == e->kind && d->flits[i].data == e->data) {
      name = d->flits[i].text;
      colour = d->flits[i].colour;
    }
  if (!name && e->kind >= HD_KIND_RESERVED) {
    bool padding = e->kind == HD_KIND_PADDING;
    message(d, own, sizeof own, e);
    name = e->kind == HD_KIND_NULL ? "null" : !padding ? own : e->data & 1 ? "END" : "REQ";
    colour = e->kind == HD_KIND_NULL ? '8' : padding ? '9' : '7';
  }
  if (d->params.vcs > 1)
    snprintf(vc, sizeof vc, "/%u", e->vc);
  if (name)
    snprintf(text, sizeof text, "%s%s", name, vc);
  else
    snprintf(text, sizeof text, "%u:%llx%s", e->kind, (unsigned long long)e->data, vc);
  add(cell, colour, text);
}

/* A set of virtual channels: a bit where one is asked for or there is but one. */
static void channels(const struct diagram *d, struct cell *cell, struct place at, uint16_t vcs)
{
  if (at.vc != NO_VC || (d->params.vcs == 1 && !d->params.barrier))
    bit(cell, vcs >> (at.vc == NO_VC ? 0 : at.vc) & 1);
  else
    for (uint32_t v = 0; v < d->params.vcs; v++)
      if (vcs >> v & 1)
        number(cell, "vc%u", v);
  if (vcs & BARRIER_BIT && at.vc == NO_VC)
    add(cell, '7', "bar");
}

/* Barrier and padding flits that take no slot (§7.4). */
static bool passes_beside(const struct hd_switch_params *p, uint8_t kind)
{
  return hd_barrier_beside(p) && kind >= HD_KIND_BARRIER && kind != HD_KIND_NULL;
}

/* The flits that are popped: a credit says from which virtual channel, and which flit is the oldest
 * there follows from what was accepted (§2.3). */
static int popped(const struct diagram *d, const struct play *play, struct row *r,
                  struct hd_error *err)
{
  const struct wires *w = play->wires[r->at.sw];
  for (uint8_t v = 0; v < d->params.vcs; v++) {
    struct hd_flit_event held[MAX_CYCLES + 1];
    uint32_t first = 0, n = 0;
    for (uint32_t c = 0; c < d->cycles; c++) {
      uint32_t occupied = n - first;
      if (w[c + 1].in_credit[r->at.port] >> v & 1) {
        if (first == n)
          return hd_fail(err, HD_E_DIVERGENCE, "%s: cycle %u: a credit for a flit that never came",
                         d->name, c + 1);
        if (r->at.vc == NO_VC || r->at.vc == v)
          flit(d, &r->cells[c], &held[first]);
        first++;
      }
      if (w[c].in_valid[r->at.port] && w[c].in[r->at.port].vc == v &&
          !passes_beside(&d->params, w[c].in[r->at.port].kind) && occupied < d->params.depth_flits)
        held[n++] = w[c].in[r->at.port];
    }
  }
  return 0;
}

static void cell_of(const struct diagram *d, const struct play *play, const struct row *r,
                    uint32_t c, struct cell *cell)
{
  const struct wires *w = &play->wires[r->at.sw][c];
  const struct interface_cycle *side = &play->sides[r->at.sw][r->at.port][c];
  uint8_t p = r->at.port;
  switch (r->kind) {
  case ROW_IN:
    if (w->in_valid[p])
      flit(d, cell, &w->in[p]);
    break;
  case ROW_OUT:
    if (w->out_valid[p])
      flit(d, cell, &w->out[p]);
    break;
  case ROW_CROSSBAR:
    if (w[1].out_valid[p])
      flit(d, cell, &w[1].out[p]);
    break;
  case ROW_SENT:
    if (side->sent)
      flit(d, cell, &side->flit);
    break;
  case ROW_CREDITS:
    for (uint32_t v = 0; v < d->params.vcs; v++)
      if (r->at.vc == NO_VC || r->at.vc == v)
        number(cell, "%u", side->credits[v]);
    cell->colour = '2';
    break;
  case ROW_CREDIT_OUT:
    channels(d, cell, r->at, w->in_credit[p]);
    break;
  case ROW_CREDIT_IN:
    channels(d, cell, r->at, w->out_credit[p]);
    break;
  case ROW_QUIESCENT:
    bit(cell, w->quiescent);
    break;
  case ROW_CFG_WRITE:
    bit(cell, w->write);
    break;
  case ROW_CFG_READ:
    bit(cell, w->read);
    break;
  case ROW_CFG_ADDR:
    if (w->write || w->read)
      number(cell, "%05x", w->addr);
    break;
  case ROW_CFG_WDATA:
    if (w->write)
      number(cell, "%04x", w->wdata);
    break;
  case ROW_CFG_RDATA:
    number(cell, "%04x", w->rdata);
    break;
  case ROW_POP:
  case ROW_STATE:
  case ROW_GAP:
    break;
  }
}

int diagram_cells(struct diagram *d, const struct play *play, struct hd_error *err)
{
  for (uint32_t i = 0; i < d->n_rows; i++) {
    struct row *r = &d->rows[i];
    memset(r->cells, 0, sizeof r->cells);
    for (uint32_t c = 0; c < d->cycles; c++)
      cell_of(d, play, r, c, &r->cells[c]);
    int status = r->kind == ROW_POP ? popped(d, play, r, err) : 0;
    if (status)
      return status;
  }
  return 0;
}
