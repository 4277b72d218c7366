/* Merges model or original, port events and the DUT's own waves of a divergence into one FST.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Scopes are `compare`, `rtl`, `model` or `original`. `rtl.internal` and `original.internal` hold
 * all signals of the RTL's and the original's own waves. States of specification §6.5 are found in
 * the DUT's waves by their names.
 */
#include "waves_internal.h"

#include "../host/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A change in the original's waves. */
struct change {
  uint64_t time_ps;
  uint32_t handle;
  size_t value; /* start of its text */
};

struct merge {
  struct hd_waves *waves;
  struct hd_fst_writer *writer;
  size_t next; /* the cycle that begins next, or that has begun */
  /* cycle `next` has begun, and the DUT's state in it is not yet complete */
  bool pending;
  size_t *state_of_handle; /* [handle]: index + 1 of the first state shown by it; 0: none */
  uint32_t max_handle;
  struct hd_fst_reader *original; /* NULL: none */
  struct change *changes;         /* its changes, in order of time */
  char *values;
  size_t n_changes, cap_changes, n_values, cap_values, next_change;
};

/* ── names of §6.5 ─────────────────────────────────────────────────────────── */

static void add_state(struct hd_waves *w, const struct hd_state *state, unsigned port, unsigned vc)
{
  struct hd_waves_state *s = &w->states[w->n_states++];
  const bool whole = state->place == HD_PLACE_SWITCH || state->place == HD_PLACE_UNIT ||
                     state->place == HD_PLACE_CODER;

  memset(s, 0, sizeof *s);
  hd_state_name(s->path, state, port, vc);
  s->state = state;
  s->bits = hd_state_bits(state, &w->params);
  s->first_differed = UINT64_MAX;
  s->port = whole ? HD_NO_PORT : (uint8_t)port;
  s->vc = (uint8_t)vc;
}

/* Adds the states of `part` for each port: first those of its channels, then its own. */
static void add_ports(struct hd_waves *w, enum hd_part part, enum hd_state_place of_channel,
                      enum hd_state_place of_port)
{
  for (unsigned p = 0; p < w->params.ports; p++)
    for (unsigned v = 0; v <= w->params.vcs; v++)
      for (size_t i = 0; i < HD_STATES; i++) {
        const struct hd_state *s = &hd_state_list[i];
        if (s->part == part && s->place == (v < w->params.vcs ? of_channel : of_port))
          add_state(w, s, p, v);
      }
}

static void add_place(struct hd_waves *w, enum hd_state_place place)
{
  for (size_t i = 0; i < HD_STATES; i++)
    if (hd_state_list[i].place == place && hd_state_count(&hd_state_list[i], &w->params).ports)
      add_state(w, &hd_state_list[i], 0, 0);
}

static void list_states(struct hd_waves *w)
{
  const uint32_t ports = w->params.ports, vcs = w->params.vcs;

  free(w->states);
  w->n_states = 0;
  w->states = hd_xcalloc((size_t)HD_STATES * ports * vcs, sizeof *w->states);
  if (w->reference == HD_REFERENCE_ORIGINAL)
    return;
  add_place(w, HD_PLACE_SWITCH);
  for (enum hd_part part = HD_PART_PLAIN; part < HD_PARTS; part++) {
    if (!hd_switch_has(&w->params, part))
      continue;
    add_ports(w, part, HD_PLACE_IN_VC, HD_PLACE_IN);
    add_ports(w, part, HD_PLACE_OUT_VC, HD_PLACE_OUT);
  }
  add_place(w, HD_PLACE_UNIT);
  add_place(w, HD_PLACE_CODER);
}

uint32_t hd_waves_state_of(const struct hd_waves_state *s, const struct hd_switch_view *view)
{
  return hd_switch_view_get(view, s->state, s->port, s->vc);
}

/* True if the state is one of an open packet while no packet is open. It then means nothing. */
static bool means_nothing(const struct hd_waves_state *s, const struct hd_switch_view *view)
{
  return s->state->when == HD_STATE_OPEN && view->in[s->port][s->vc].state != 1;
}

/* The variable called `prefix` + `name`, or the same name ending in _q; NULL: none. */
static const struct hd_fst_variable *find(const struct hd_fst_variable *variables, size_t n,
                                          const char *prefix, size_t prefix_length,
                                          const char *name)
{
  const size_t length = strlen(name);
  const struct hd_fst_variable *found = NULL;

  for (size_t i = 0; i < n; i++) {
    const char *path = variables[i].path;
    if (variables[i].bits == 0 || strncmp(path, prefix, prefix_length) != 0 ||
        strncmp(path + prefix_length, name, length) != 0)
      continue;
    if (path[prefix_length + length] == '\0')
      return &variables[i];
    if (found == NULL && strcmp(path + prefix_length + length, "_q") == 0)
      found = &variables[i];
  }
  return found;
}

/* Finds the switch in the DUT's hierarchy: the path, with its dot, before the shortest
 * …in[0].vc[0].occupancy. Returns NULL if there is none. */
static const char *find_switch(const struct hd_fst_variable *variables, size_t n, size_t *length)
{
  static const char mark[] = "in[0].vc[0].occupancy";
  const char *found = NULL;

  for (size_t i = 0; i < n; i++) {
    const char *at = strstr(variables[i].path, mark);
    if (at == NULL || (at != variables[i].path && at[-1] != '.'))
      continue;
    if (found == NULL || (size_t)(at - variables[i].path) < *length) {
      found = variables[i].path;
      *length = (size_t)(at - variables[i].path);
    }
  }
  return found;
}

/* Connects the states with the DUT's variables. */
static void find_states(struct merge *m, const struct hd_fst_reader *reader)
{
  struct hd_waves *w = m->waves;
  size_t n = 0, length = 0;
  const struct hd_fst_variable *variables = hd_fst_variables(reader, &n);
  const char *prefix = find_switch(variables, n, &length);
  const struct hd_fst_variable *clock = NULL;

  for (size_t i = 0; i < n; i++)
    m->max_handle = variables[i].handle > m->max_handle ? variables[i].handle : m->max_handle;
  m->state_of_handle = hd_xcalloc((size_t)m->max_handle + 1, sizeof *m->state_of_handle);
  if (prefix == NULL)
    return;
  clock = find(variables, n, prefix, length, "clk");
  if (clock != NULL)
    snprintf(w->clock, sizeof w->clock, "rtl.internal.%s", clock->path);
  for (size_t i = 0; i < w->n_states; i++) {
    struct hd_waves_state *s = &w->states[i];
    const struct hd_fst_variable *v = find(variables, n, prefix, length, s->path);
    if (v == NULL)
      continue;
    w->inside.observed++;
    s->dut_handle = v->handle;
    s->next_of_handle = m->state_of_handle[v->handle];
    m->state_of_handle[v->handle] = i + 1;
  }
}

/* ── declaring ─────────────────────────────────────────────────────────────── */

static void declare_flit(struct merge *m, struct hd_waves_flit_signals *s, const char *direction)
{
  char name[16];
  const struct {
    struct hd_fst_signal *signal;
    const char *name;
    uint32_t bits;
  } all[] = {{&s->valid, "valid", 1},
             {&s->kind, "kind", 3},
             {&s->vc, "vc", m->waves->vc_bits},
             {&s->data, "data", m->waves->params.data_bits},
             {&s->flit, "flit", hd_waves_flit_bits(m->waves)}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    snprintf(name, sizeof name, "%s_%s", direction, all[i].name);
    hd_fst_signal_add(m->writer, all[i].signal, name, all[i].bits);
  }
}

/* Declares the states of one side. Opens and closes scopes as the paths need. */
static void declare_states(struct merge *m, bool rtl)
{
  char open[32] = ""; /* the open scope, such as "in[0].vc[1]." */

  for (size_t i = 0; i < m->waves->n_states; i++) {
    struct hd_waves_state *s = &m->waves->states[i];
    const char *leaf = strrchr(s->path, '.') != NULL ? strrchr(s->path, '.') + 1 : s->path;
    size_t length = (size_t)(leaf - s->path), same = 0;

    if (rtl && s->dut_handle == 0)
      continue;
    for (size_t k = 0; k < length && open[k] == s->path[k]; k++)
      if (open[k] == '.')
        same = k + 1;
    for (const char *c = open + same; *c != '\0'; c++)
      if (*c == '.')
        hd_fst_scope_end(m->writer);
    memcpy(open, s->path, length);
    open[length] = '\0';
    for (char *c = open + same; *c != '\0';) {
      char scope[32];
      const size_t part = strcspn(c, ".");
      memcpy(scope, c, part);
      scope[part] = '\0';
      hd_fst_scope_begin(m->writer, scope);
      c += part + 1;
    }
    hd_fst_signal_add(m->writer, rtl ? &s->rtl : &s->model, leaf, s->bits);
  }
  for (const char *c = open; *c != '\0'; c++)
    if (*c == '.')
      hd_fst_scope_end(m->writer);
}

static int declare_side(struct merge *m, bool rtl, struct hd_fst_reader *reader,
                        struct hd_error *err)
{
  struct hd_waves *w = m->waves;
  struct hd_waves_side *side = rtl ? &w->rtl : &w->model;
  char name[16];
  int status = HD_OK;

  hd_fst_scope_begin(m->writer, rtl ? "rtl" : hd_reference_name(w->reference));
  hd_fst_signal_add(m->writer, &side->quiescent, "quiescent", 1);
  for (unsigned p = 0; p < w->params.ports; p++) {
    snprintf(name, sizeof name, "port%u", p);
    hd_fst_scope_begin(m->writer, name);
    declare_flit(m, &side->in[p], "in");
    hd_fst_signal_add(m->writer, &side->in_credit[p], "in_credit", w->params.vcs);
    declare_flit(m, &side->out[p], "out");
    hd_fst_signal_add(m->writer, &side->out_credit[p], "out_credit", w->params.vcs);
    if (w->params.barrier) {
      hd_fst_signal_add(m->writer, &side->in_barrier_credit[p], "in_barrier_credit", 1);
      hd_fst_signal_add(m->writer, &side->out_barrier_credit[p], "out_barrier_credit", 1);
    }
    if (hd_switch_counts(&w->params)) {
      hd_fst_signal_add(m->writer, &side->in_count[p], "in_count", HD_COUNT_BITS);
      hd_fst_signal_add(m->writer, &side->out_count[p], "out_count", HD_COUNT_BITS);
    }
    hd_fst_scope_end(m->writer);
  }
  declare_states(m, rtl);
  if (reader != NULL) {
    hd_fst_scope_begin(m->writer, "internal");
    status = hd_fst_copy_hierarchy(reader, m->writer, err);
    hd_fst_scope_end(m->writer);
  }
  hd_fst_scope_end(m->writer);
  return status;
}

static void declare_compare(struct merge *m)
{
  struct hd_waves *w = m->waves;
  char name[16];

  hd_fst_scope_begin(m->writer, "compare");
  hd_fst_signal_add(m->writer, &w->cycle, "cycle", 48);
  hd_fst_signal_add(m->writer, &w->offset, "offset", 16);
  for (unsigned p = 0; w->has_dut && !w->alone && p <= w->params.ports; p++) {
    const bool all = p == w->params.ports;
    snprintf(name, sizeof name, "port%u", p);
    if (!all)
      hd_fst_scope_begin(m->writer, name);
    hd_fst_signal_add(m->writer, all ? &w->differs : &w->port_differs[p], "differs", 1);
    if (w->has_internal)
      hd_fst_signal_add(m->writer, all ? &w->state_differs : &w->port_state_differs[p],
                        "state_differs", 1);
    if (!all)
      hd_fst_scope_end(m->writer);
  }
  hd_fst_scope_end(m->writer);
}

/* ── values ────────────────────────────────────────────────────────────────── */

static void put_flit(struct merge *m, struct hd_waves_flit_signals *s,
                     const struct hd_flit_event *flit, bool mark)
{
  char text[HD_FST_MAX_BITS];

  hd_waves_flit_text(m->waves, flit, mark, text);
  hd_fst_put_text(m->writer, &s->flit, text);
  hd_fst_put(m->writer, &s->valid, flit != NULL);
  if (flit == NULL) { /* these wires have no meaning now (§1.1) */
    hd_fst_put_all(m->writer, &s->kind, 'z');
    hd_fst_put_all(m->writer, &s->vc, 'z');
    hd_fst_put_all(m->writer, &s->data, 'z');
  } else {
    hd_fst_put(m->writer, &s->kind, flit->kind);
    hd_fst_put(m->writer, &s->vc, flit->vc);
    hd_fst_put(m->writer, &s->data, flit->data);
  }
}

/* Sets the values that ports have from the start of the cycle on. */
static void begin_cycle(struct merge *m, const struct hd_waves_cycle *c)
{
  struct hd_waves *w = m->waves;
  const uint32_t channels = (1u << w->params.vcs) - 1;
  bool any = false;

  hd_fst_put(m->writer, &w->cycle, c->cycle);
  hd_fst_put(m->writer, &w->offset, c->cycle - w->divergence_cycle);
  for (unsigned p = 0; p < w->params.ports; p++) {
    const struct hd_flit_event *in = hd_waves_flit(w, c->flits_in, p);
    const struct hd_flit_event *model = hd_waves_flit(w, c->model_flits, p);
    const struct hd_flit_event *rtl = hd_waves_flit(w, c->dut_flits, p);
    const uint32_t freed = hd_waves_credits(w, c->credits_in, p);
    const uint32_t model_credit = hd_waves_credits(w, c->model_credits, p);
    const uint32_t rtl_credit = hd_waves_credits(w, c->dut_credits, p);
    const bool flits_differ = w->has_dut && hd_waves_flits_differ(model, rtl);
    const bool differs = flits_differ || (w->has_dut && model_credit != rtl_credit);

    for (int side = 0; side < (w->has_dut ? 2 : 1); side++) {
      struct hd_waves_side *s = side == 0 ? &w->model : &w->rtl;
      put_flit(m, &s->in[p], in, false);
      put_flit(m, &s->out[p], side == 0 ? model : rtl, flits_differ);
      const uint32_t given = side == 0 ? model_credit : rtl_credit;
      hd_fst_put(m->writer, &s->in_credit[p], given & channels);
      hd_fst_put(m->writer, &s->out_credit[p], freed & channels);
      if (hd_switch_counts(&w->params)) {
        hd_fst_put(m->writer, &s->in_count[p], given >> HD_COUNT_WIRES);
        hd_fst_put(m->writer, &s->out_count[p], freed >> HD_COUNT_WIRES);
      }
      if (w->params.barrier) {
        hd_fst_put(m->writer, &s->in_barrier_credit[p], given >> HD_BARRIER_CREDIT & 1);
        hd_fst_put(m->writer, &s->out_barrier_credit[p], freed >> HD_BARRIER_CREDIT & 1);
      }
    }
    hd_fst_put(m->writer, &w->port_differs[p], differs);
    w->port_differed[p] = w->port_differed[p] || differs;
    any = any || differs;
  }
  hd_fst_put(m->writer, &w->model.quiescent, c->model_quiescent);
  hd_fst_put(m->writer, &w->rtl.quiescent, c->dut_quiescent);
  if (w->has_dut && c->model_quiescent != c->dut_quiescent)
    any = true;
  hd_fst_put(m->writer, &w->differs, any);
  for (size_t i = 0; i < w->n_states; i++)
    hd_fst_put(m->writer, &w->states[i].model, hd_waves_state_of(&w->states[i], &c->model));
}

bool hd_waves_state_differs(const struct hd_waves_state *s, const struct hd_switch_view *view)
{
  if (s->dut_handle == 0 || !s->dut_seen || means_nothing(s, view))
    return false;
  if (!s->dut_known) /* X is allowed if reset need not set the state (§6.6) */
    return s->state->when != HD_STATE_LATER;
  return s->dut_value != hd_waves_state_of(s, view);
}

/* True if both states belong to the same port, side and channel, if they have one. */
static bool beside(const struct hd_waves_state *a, const struct hd_waves_state *b)
{
  const enum hd_state_place x = a->state->place, y = b->state->place;
  const bool a_in = x == HD_PLACE_IN_VC || x == HD_PLACE_IN;
  const bool b_in = y == HD_PLACE_IN_VC || y == HD_PLACE_IN;
  const bool vcs = (x == HD_PLACE_IN_VC || x == HD_PLACE_OUT_VC) && x == y;

  return a->port == b->port && a_in == b_in && (!vcs || a->vc == b->vc);
}

/* Keeps the first state that differs in this cycle, and the states near it. */
static void keep_inside(struct hd_waves *w, const struct hd_waves_cycle *c,
                        const struct hd_waves_state *first)
{
  struct hd_explain_inside *in = &w->inside;

  in->known = true;
  in->cycle = c->cycle;
  in->or_before = c == w->cycles && c->cycle != 0;
  for (size_t i = 0; i < w->n_states && in->n_states < HD_EXPLAIN_STATES; i++) {
    const struct hd_waves_state *s = &w->states[i];
    const bool differs = hd_waves_state_differs(s, &c->model);
    if (s->dut_handle == 0 || !s->dut_seen || !(differs || beside(s, first)))
      continue;
    if (s == first)
      in->first = in->n_states;
    struct hd_explain_state *kept = &in->states[in->n_states++];
    memcpy(kept->name, s->path, sizeof kept->name);
    snprintf(kept->rtl, sizeof kept->rtl, s->dut_known ? "%u" : "x", s->dut_value);
    snprintf(kept->model, sizeof kept->model, "%u", hd_waves_state_of(s, &c->model));
    kept->differs = differs;
  }
}

/* Called when the DUT's state at the start of the cycle is known. */
static void finish_cycle(struct merge *m, const struct hd_waves_cycle *c)
{
  struct hd_waves *w = m->waves;
  bool port[HD_MAX_ENDPOINTS] = {false}, any = false;

  for (size_t i = 0; i < w->n_states; i++) {
    struct hd_waves_state *s = &w->states[i];
    if (s->dut_handle == 0 || !s->dut_seen)
      continue;
    if (s->dut_known)
      hd_fst_put(m->writer, &s->rtl, s->dut_value);
    else
      hd_fst_put_all(m->writer, &s->rtl, 'x');
    if (!hd_waves_state_differs(s, &c->model))
      continue;
    if (w->first_state_cycle == UINT64_MAX) {
      w->first_state_cycle = c->cycle;
      memcpy(w->first_state, s->path, sizeof w->first_state);
      keep_inside(w, c, s);
    }
    any = true;
    s->first_differed = c->cycle < s->first_differed ? c->cycle : s->first_differed;
    if (s->port != HD_NO_PORT)
      port[s->port] = true;
  }
  for (unsigned p = 0; p < w->params.ports; p++)
    hd_fst_put(m->writer, &w->port_state_differs[p], port[p]);
  hd_fst_put(m->writer, &w->state_differs, any);
  if (w->watcher)
    hd_waves_tell(w, c);
}

/* Writes all parts of the recorded cycles that come before changes at `time_ps`. */
static void advance_cycles(struct merge *m, uint64_t time_ps)
{
  const struct hd_waves *w = m->waves;

  while (m->next < w->n_cycles) {
    const struct hd_waves_cycle *c = &w->cycles[m->next];
    const uint64_t start = c->cycle * HD_WAVES_CYCLE_PS;
    if (m->pending && time_ps > start) {
      finish_cycle(m, c);
      m->pending = false;
      m->next++;
    } else if (!m->pending && time_ps >= start) {
      if (m->writer != NULL)
        hd_fst_time(m->writer, start);
      begin_cycle(m, c);
      m->pending = true;
    } else {
      break;
    }
  }
  if (m->writer != NULL)
    hd_fst_time(m->writer, time_ps);
}

/* Moves to this time, and applies the original's changes up to it. */
static void advance(struct merge *m, uint64_t time_ps)
{
  while (m->next_change < m->n_changes && m->changes[m->next_change].time_ps <= time_ps) {
    const struct change *c = &m->changes[m->next_change++];
    advance_cycles(m, c->time_ps);
    hd_fst_put_copy(m->original, m->writer, c->handle, m->values + c->value);
  }
  advance_cycles(m, time_ps);
}

/* Keeps a change of the original; reals and strings are left out. */
static void keep_change(void *context, uint64_t time, uint32_t handle, const char *value)
{
  struct merge *m = context;
  const size_t length = value != NULL ? strlen(value) + 1 : 0;

  if (value == NULL)
    return;
  HD_XROOM(m->changes, m->cap_changes, m->n_changes, 1);
  HD_XROOM(m->values, m->cap_values, m->n_values, length);
  m->changes[m->n_changes++] = (struct change){time * (HD_WAVES_CYCLE_PS / 2), handle, m->n_values};
  memcpy(m->values + m->n_values, value, length);
  m->n_values += length;
}

static int read_original(struct merge *m, struct hd_error *err)
{
  const char *path = m->waves->original_waves;
  int status =
      path != NULL && m->writer != NULL ? hd_fst_reader_create(&m->original, path, err) : HD_OK;

  if (status == HD_OK && m->original != NULL) {
    hd_fst_leave_wrapper_out(m->original);
    status = hd_fst_read(m->original, keep_change, m, NULL, err);
  }
  return status;
}

static void take_change(void *context, uint64_t time, uint32_t handle, const char *value)
{
  struct merge *m = context;

  advance(m, time * (HD_WAVES_CYCLE_PS / 2));
  if (value == NULL || handle > m->max_handle)
    return;
  for (size_t i = m->state_of_handle[handle]; i != 0; i = m->waves->states[i - 1].next_of_handle) {
    struct hd_waves_state *s = &m->waves->states[i - 1];
    const size_t length = strlen(value);
    s->dut_value = 0;
    s->dut_seen = s->dut_known = true;
    for (size_t k = 0; k < length; k++) {
      s->dut_known = s->dut_known && (value[k] == '0' || value[k] == '1');
      s->dut_value = s->dut_value << 1 | (value[k] == '1');
    }
  }
}

int hd_waves_merge(struct hd_waves *waves, const char *path, const char *dut_waves,
                   struct hd_error *err)
{
  struct merge m = {.waves = waves};
  struct hd_fst_reader *reader = NULL;
  const uint64_t end = (waves->cycles[waves->n_cycles - 1].cycle + 1) * HD_WAVES_CYCLE_PS;
  int status = HD_OK, closed = HD_OK;

  waves->first_state_cycle = UINT64_MAX;
  waves->has_internal = dut_waves != NULL;
  waves->inside = (struct hd_explain_inside){0};
  list_states(waves);
  if (dut_waves != NULL) {
    status = hd_fst_reader_create(&reader, dut_waves, err);
    if (status == HD_OK) {
      hd_fst_leave_wrapper_out(reader);
      find_states(&m, reader);
    }
  }
  if (status == HD_OK && path != NULL)
    status = hd_fst_writer_create(&m.writer, path, err);
  if (status == HD_OK)
    status = read_original(&m, err);
  if (status == HD_OK && path != NULL) {
    declare_compare(&m);
    if (waves->has_dut)
      status = declare_side(&m, true, reader, err);
    if (status == HD_OK && !waves->alone)
      status = declare_side(&m, false, m.original, err);
  }
  if (status == HD_OK && reader != NULL)
    status = hd_fst_read(reader, take_change, &m, m.writer, err);
  if (status == HD_OK || m.writer != NULL) {
    advance(&m, end);
    closed = hd_fst_writer_close(m.writer, status == HD_OK ? err : NULL);
  }
  hd_fst_reader_destroy(reader);
  hd_fst_reader_destroy(m.original);
  free(m.changes);
  free(m.values);
  free(m.state_of_handle);
  return status != HD_OK ? status : closed;
}
