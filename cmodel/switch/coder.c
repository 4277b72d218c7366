/* The switch model: the XOR coder beside the node of port 0 (specification §11).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coder_state.h"

#include <string.h>

size_t hd_coder_size(const struct hd_switch_params *p)
{
  return p->code_places ? sizeof(struct coder_state) + (size_t)p->code_places * sizeof(struct place)
                        : 0;
}

void hd_coder_init(struct hd_switch *sw)
{
  struct coder_state *c = coder_of(sw);
  c->code_shift = (uint8_t)(sw->params.data_bits - 2);
  c->place_shift = (uint8_t)(c->code_shift - hd_place_bits(&sw->params));
  c->length_shift = (uint8_t)(c->place_shift - 4);
  c->header_mask = (UINT64_C(1) << hd_header_bits(&sw->params)) - 1;
}

void hd_coder_reset(struct hd_switch *sw)
{
  struct coder_state *c = coder_of(sw);
  c->is_picked = c->is_sending = c->flit = c->granted = c->busy = 0;
  c->first_on_way = c->n_on_way = c->first_effect = c->n_effects = 0;
  c->next = c->n_ready = c->n_spent = c->n_waiting = 0;
  memset(c->watched, 0, sizeof c->watched);
  for (unsigned k = 0; k < sw->params.code_places; k++) {
    struct place *p = &c->places[k];
    p->changed = UINT64_MAX;
    p->state = p->before = PLACE_EMPTY;
    p->open = p->last = p->low = p->high = p->work = 0;
    p->ready_at = p->spent_at = CODER_NOWHERE;
  }
}

/* ── places ─────────────────────────────────────────────────────────────────── */

static bool is_first(const struct coder_state *c, unsigned k)
{
  return k == 0 || c->places[k - 1].last;
}

static bool is_last(const struct hd_switch *sw, const struct coder_state *c, unsigned k)
{
  return k + 1 == sw->params.code_places || c->places[k].last;
}

static bool is_full(const struct place *p)
{
  return p->state == PLACE_NATIVE || p->state == PLACE_CODED;
}

static bool is_spent(const struct hd_switch *sw, const struct coder_state *c, unsigned k)
{
  const struct place *p = &c->places[k];
  return is_full(p) && (p->low || is_first(c, k)) && (p->high || is_last(sw, c, k));
}

/* Returns true if the pair of places q and q + 1 is ready (§11.5). Two coded packets give nothing. */
static bool is_ready(const struct hd_switch *sw, const struct coder_state *c, unsigned q)
{
  const struct place *a = &c->places[q], *b = a + 1;
  return !is_last(sw, c, q) && !a->work && !a->high && !b->low && is_full(a) && is_full(b) &&
         (a->state == PLACE_NATIVE || b->state == PLACE_NATIVE);
}

static void list_place(struct coder_state *c, unsigned k, bool is_in)
{
  struct place *p = &c->places[k];
  if (is_in == (p->spent_at != CODER_NOWHERE))
    return;
  if (is_in) {
    p->spent_at = c->n_spent;
    c->spent[c->n_spent++] = (uint16_t)k;
  } else {
    unsigned other = c->spent[--c->n_spent];
    c->spent[p->spent_at] = (uint16_t)other;
    c->places[other].spent_at = p->spent_at;
    p->spent_at = CODER_NOWHERE;
  }
}

static void list_pair(struct coder_state *c, unsigned q, bool is_in)
{
  struct place *p = &c->places[q];
  if (is_in == (p->ready_at != CODER_NOWHERE))
    return;
  if (is_in) {
    p->ready_at = c->n_ready;
    c->ready[c->n_ready++] = (uint16_t)q;
  } else {
    unsigned other = c->ready[--c->n_ready];
    c->ready[p->ready_at] = (uint16_t)other;
    c->places[other].ready_at = p->ready_at;
    p->ready_at = CODER_NOWHERE;
  }
}

/* Called after place k has changed: lists or unlists the pairs and places that depend on it. */
static void relist_place(const struct hd_switch *sw, struct coder_state *c, unsigned k)
{
  if (k)
    list_pair(c, k - 1, is_ready(sw, c, k - 1));
  list_pair(c, k, is_ready(sw, c, k));
  list_place(c, k, is_spent(sw, c, k));
  if (k + 1 < sw->params.code_places)
    list_place(c, k + 1, is_spent(sw, c, k + 1)); /* `last` of k makes k + 1 a first place */
}

static void set_state(const struct hd_switch *sw, struct coder_state *c, uint64_t cycle, unsigned k,
                      enum place_state state)
{
  struct place *p = &c->places[k];
  if (p->changed != cycle) {
    p->changed = cycle;
    p->before = p->state;
  }
  c->n_waiting = (uint16_t)(c->n_waiting + (state != PLACE_EMPTY) - (p->state != PLACE_EMPTY));
  p->state = (uint8_t)state;
  relist_place(sw, c, k);
}

/* Returns true if the place was empty at the start of `cycle`, which is the current one. */
static bool was_empty(const struct place *p, uint64_t cycle)
{
  return (p->changed == cycle ? p->before : p->state) == PLACE_EMPTY;
}

/* The coder is one more in the switch's `active` while it has something to do. */
static void note_active(struct hd_switch *sw, struct coder_state *c)
{
  bool busy =
      c->n_on_way || c->n_effects || c->n_ready || c->n_spent || c->is_picked || c->is_sending;
  sw->active = sw->active - c->busy + busy;
  c->busy = busy;
}

void hd_coder_write(struct hd_switch *sw, uint64_t cycle, unsigned place, unsigned data)
{
  struct coder_state *c = coder_of(sw);
  struct place *p = &c->places[place];
  if (!was_empty(p, cycle))
    switch_error(sw, cycle, HD_ERR_INCOMPLETE, HD_POINT_PLACE_INCOMPLETE);
  p->open = (data & HD_PLACE_OPEN) != 0;
  p->last = (data & HD_PLACE_LAST) != 0;
  p->low = p->high = 0;
  set_state(sw, c, cycle, place, PLACE_EMPTY);
  note_active(sw, c);
}

/* ── sending, §11.6, §11.7 ──────────────────────────────────────────────────── */

static unsigned last_flit(const struct made *m)
{
  if (m->code == CODE_NATIVE)
    return m->length[0] ^ m->length[1];
  return m->flits[0] > m->flits[1] ? m->flits[0] : m->flits[1];
}

unsigned hd_coder_channels(struct hd_switch *sw, unsigned open_can, unsigned head_can)
{
  struct coder_state *c = coder_of(sw);
  const struct port *out = &sw->port[0];
  unsigned channels;
  if (!c->is_sending)
    return 0;
  if (c->flit)
    channels = open_can & switch_mask(switch_has_credit(sw, out, true)) & 1u << c->vc;
  else
    channels =
        head_can & sw->data_vc_bits & switch_mask(switch_has_credit(sw, out, false) & ~out->owned);
  if (!channels)
    switch_cover(sw, c->flit ? HD_POINT_CODER_NO_CREDIT : HD_POINT_CODER_NO_CHANNEL);
  return channels;
}

static uint64_t coded_data(const struct coder_state *c, const struct made *m, unsigned flit)
{
  const struct place *a = &c->places[m->pair], *b = a + 1;
  uint64_t of_a = flit <= m->flits[0] ? a->memory[flit] : 0;
  uint64_t of_b = flit <= m->flits[1] ? b->memory[flit] : 0;
  if (flit)
    return of_a ^ of_b;
  uint64_t below = (UINT64_C(1) << c->place_shift) - 1;
  return ((of_a ^ of_b) & below & ~c->header_mask) | (of_a & c->header_mask) |
         (uint64_t)m->code << c->code_shift | (uint64_t)m->place << c->place_shift;
}

/* Adds a flit to those on their way to output 0. */
static struct coder_flit *add_in_transit(struct hd_switch *sw, struct coder_state *c,
                                         uint64_t cycle, const struct hd_flit_event *event)
{
  struct coder_flit *f = &c->on_way[(c->first_on_way + c->n_on_way++) % CODER_ON_WAY];
  *f = (struct coder_flit){
      .visible = cycle + sw->flit_delay, .data = event->data, .kind = event->kind, .vc = event->vc};
  return f;
}

void hd_coder_granted(struct hd_switch *sw, uint64_t cycle, const struct hd_flit_event *event)
{
  add_in_transit(sw, coder_of(sw), cycle, event);
}

void hd_coder_grant(struct hd_switch *sw, uint64_t cycle, unsigned channels,
                    struct hd_flit_event *event)
{
  struct coder_state *c = coder_of(sw);
  const struct made *m = &c->sending;
  struct port *out = &sw->port[0];
  unsigned last = last_flit(m);
  unsigned kind = (c->flit ? 0u : HD_KIND_HEAD) | (c->flit == last ? HD_KIND_TAIL : 0u);
  if (!c->flit) {
    c->vc = (uint8_t)switch_first_after(channels, out->vc_last);
    out->vc_last = c->vc;
    out->owned |= switch_lane(c->vc);
  }
  if (kind & HD_KIND_TAIL)
    out->owned &= ~switch_lane(c->vc);
  event->data = coded_data(c, m, c->flit);
  event->port = 0;
  event->vc = c->vc;
  event->kind = (uint8_t)kind;
  event->zero = 0;
  c->granted = 1;
  struct coder_flit *f = add_in_transit(sw, c, cycle, event);
  f->made = m->code;
  f->pair = m->pair;
  f->place = m->place;
  switch_cover(sw, !last  ? HD_POINT_MADE_SINGLE
                   : kind ? HD_POINT_MADE_HEAD + !(kind & HD_KIND_HEAD)
                   : c->flit > m->flits[0] || c->flit > m->flits[1] ? HD_POINT_MADE_PADDED
                                                                    : HD_POINT_MADE_BODY);
}

/* ── pairs, §11.5 ───────────────────────────────────────────────────────────── */

/* Returns the first ready pair at or cyclically after `next`. */
static unsigned first_ready(const struct hd_switch *sw, const struct coder_state *c)
{
  unsigned places = sw->params.code_places, best = 0, least = places;
  for (unsigned i = 0; i < c->n_ready; i++) {
    unsigned q = c->ready[i], distance = q >= c->next ? q - c->next : q + places - c->next;
    if (distance < least) {
      least = distance;
      best = q;
    }
  }
  return best;
}

static void cover_pick(const struct hd_switch *sw, const struct coder_state *c, unsigned q)
{
  const struct place *a = &c->places[q], *b = a + 1;
  switch_cover(sw, a->state == PLACE_CODED   ? HD_POINT_PAIR_CODED_NATIVE
                   : b->state == PLACE_CODED ? HD_POINT_PAIR_NATIVE_CODED
                                             : HD_POINT_PAIR_NATIVE);
  if (c->n_ready > 1)
    switch_cover(sw, HD_POINT_PAIRS_SEVERAL);
  if (q < c->next)
    switch_cover(sw, HD_POINT_PICK_WRAPS);
}

static void pick_pair_or_place(const struct hd_switch *sw, struct coder_state *c)
{
  unsigned q = first_ready(sw, c);
  struct place *a = &c->places[q], *b = a + 1;
  bool of_natives = a->state == PLACE_NATIVE && b->state == PLACE_NATIVE;
  if (sw->coverage)
    cover_pick(sw, c, q);
  c->picked = (struct made){
      .pair = (uint16_t)q,
      .place = (uint16_t)(q + (b->state == PLACE_CODED)),
      .code = of_natives ? CODE_CODED : CODE_NATIVE,
      .flits = {a->flits, b->flits},
      .length = {a->length, b->length},
  };
  c->is_picked = 1;
  c->next = (uint16_t)(q + 1 == sw->params.code_places ? 0 : q + 1);
  a->work = 1;
  list_pair(c, q, false);
}

static void move_and_pick(const struct hd_switch *sw, struct coder_state *c)
{
  bool ends = c->granted && c->flit == last_flit(&c->sending);
  c->flit = (uint8_t)(c->flit + c->granted);
  c->granted = 0;
  if (ends)
    c->is_sending = c->flit = 0;
  bool moves = c->is_picked && !c->is_sending;
  if (moves) {
    switch_cover(sw, ends ? HD_POINT_MOVES_AT_END : HD_POINT_MOVES);
    c->sending = c->picked;
    c->is_sending = 1;
    c->is_picked = 0;
  }
  if (!c->is_picked && c->n_ready)
    pick_pair_or_place(sw, c);
}

/* ── flits that are watched, §11.4 ──────────────────────────────────────────── */

/* Applies rules 1 to 6. */
static void observe_head(struct hd_switch *sw, struct coder_state *c, uint64_t cycle,
                         const struct coder_flit *f)
{
  struct watched *w = &c->watched[f->vc];
  unsigned code = f->data >> c->code_shift & 3;
  unsigned k =
      (unsigned)(f->data >> c->place_shift) & ((1u << (c->code_shift - c->place_shift)) - 1);
  struct watched found = {.on = true,
                          .code = (uint8_t)code,
                          .length = f->data >> c->length_shift & 15,
                          .place = (uint16_t)k};
  if (w->on) {
    switch_error(sw, cycle, HD_ERR_LENGTH, HD_POINT_TAIL_MISSING);
    set_state(sw, c, cycle, w->place, PLACE_EMPTY);
    w->on = false;
  }
  if (f->made) {
    found.made = true;
    found.pair = f->pair;
    *w = found;
  } else if ((f->data & 3) == 2) {
    switch_cover(sw, HD_POINT_CODE_MODE_2);
  } else if (code == CODE_NONE) {
    switch_cover(sw, HD_POINT_CODE_NONE);
  } else if (code == CODE_UNUSED) {
    switch_error(sw, cycle, HD_ERR_CLOSED, HD_POINT_CODE_UNUSED);
  } else if (k >= sw->params.code_places) {
    switch_error(sw, cycle, HD_ERR_CLOSED, HD_POINT_PLACE_BEYOND);
  } else if (!c->places[k].open) {
    switch_error(sw, cycle, HD_ERR_CLOSED, HD_POINT_PLACE_CLOSED);
  } else if (!was_empty(&c->places[k], cycle)) {
    switch_error(sw, cycle, HD_ERR_OCCUPIED, HD_POINT_PLACE_OCCUPIED);
  } else {
    switch_cover(sw, code == CODE_NATIVE ? HD_POINT_KEPT_NATIVE : HD_POINT_KEPT_CODED);
    c->places[k].low = c->places[k].high = 0;
    set_state(sw, c, cycle, k, PLACE_FILLING);
    *w = found;
  }
}

/* Applies rule 9. */
static void observe_tail(struct hd_switch *sw, struct coder_state *c, uint64_t cycle,
                         struct watched *w)
{
  struct place *p = &c->places[w->place];
  bool too_long = w->seen > CODER_FLITS;
  w->on = false;
  if (!w->made && (too_long || (w->code == CODE_NATIVE && w->seen - 1 != w->length))) {
    switch_error(sw, cycle, HD_ERR_LENGTH, too_long ? HD_POINT_TOO_LONG : HD_POINT_WRONG_LENGTH);
    set_state(sw, c, cycle, w->place, PLACE_EMPTY);
    return;
  }
  if (w->seen == CODER_FLITS)
    switch_cover(sw, HD_POINT_LONGEST);
  if (!w->made || w->code == CODE_NATIVE) {
    p->flits = (uint8_t)(w->seen - 1);
    p->length = w->length;
  }
  c->effects[(c->first_effect + c->n_effects++) % CODER_EFFECTS] =
      (struct effect){.cycle = cycle + sw->params.code_cycles,
                      .pair = w->pair,
                      .place = w->place,
                      .code = w->code,
                      .made = w->made};
}

static void observe_flit(struct hd_switch *sw, struct coder_state *c, uint64_t cycle,
                         const struct coder_flit *f)
{
  struct watched *w = &c->watched[f->vc];
  if (f->kind & HD_KIND_HEAD)
    observe_head(sw, c, cycle, f);
  if (!w->on)
    return;
  if (w->seen < CODER_FLITS && !(w->made && w->code == CODE_CODED))
    c->places[w->place].memory[w->seen] = f->data;
  if (w->seen <= CODER_FLITS)
    w->seen++;
  if (f->kind & HD_KIND_TAIL)
    observe_tail(sw, c, cycle, w);
}

static void take_effect(const struct hd_switch *sw, struct coder_state *c, uint64_t cycle,
                        const struct effect *e)
{
  if (e->made) {
    c->places[e->pair].high = c->places[e->pair + 1].low = 1;
    c->places[e->pair].work = 0;
  }
  if (!e->made || e->code == CODE_NATIVE)
    set_state(sw, c, cycle, e->place, e->code == CODE_NATIVE ? PLACE_NATIVE : PLACE_CODED);
  if (e->made) {
    relist_place(sw, c, e->pair);
    switch_cover(sw, e->code == CODE_NATIVE ? HD_POINT_MADE_NATIVE : HD_POINT_MADE_CODED);
  }
}

/* ── a cycle, §11.8 ─────────────────────────────────────────────────────────── */

void hd_coder_step(struct hd_switch *sw, uint64_t cycle)
{
  struct coder_state *c = coder_of(sw);
  move_and_pick(sw, c);
  while (c->n_spent) {
    switch_cover(sw, HD_POINT_PLACE_SPENT);
    set_state(sw, c, cycle, c->spent[0], PLACE_EMPTY);
  }
  if (c->n_on_way && c->on_way[c->first_on_way].visible == cycle) {
    observe_flit(sw, c, cycle, &c->on_way[c->first_on_way]);
    c->first_on_way = (uint8_t)((c->first_on_way + 1) % CODER_ON_WAY);
    c->n_on_way--;
  }
  if (c->n_effects && c->effects[c->first_effect].cycle == cycle) {
    take_effect(sw, c, cycle, &c->effects[c->first_effect]);
    c->first_effect = (uint8_t)((c->first_effect + 1) % CODER_EFFECTS);
    c->n_effects--;
  }
  note_active(sw, c);
}
