/* Reports the values of the waves as words, cycle by cycle.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../explain/explain.h"
#include "waves_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)HD_WAVES_NAME >= (int)HD_STATE_NAME, "a state's name fits");

static void pass_value(struct hd_waves *w, const struct hd_waves_value *value)
{
  struct hd_waves_watcher *to = w->watcher;
  if (to->status == HD_OK)
    to->status = to->value(to->context, value);
}

/* Reports what model and DUT show at a port. A port without events is left out. */
static void tell_port(struct hd_waves *w, uint64_t cycle, unsigned port, const char *what,
                      const char *model, const char *dut)
{
  char name[HD_WAVES_NAME];
  const bool known = w->has_dut;

  if (*model == '\0' && (!known || *dut == '\0'))
    return;
  snprintf(name, sizeof name, "port %u %s", port, what);
  pass_value(w, &(struct hd_waves_value){.signal = name,
                                         .cycle = cycle,
                                         .model = model,
                                         .dut = known ? dut : NULL,
                                         .differs = known && strcmp(model, dut) != 0});
}

static const char *flit_text(const struct hd_waves *w, const struct hd_flit_event *flit,
                             char text[HD_FLIT_NAME_SIZE])
{
  text[0] = '\0';
  if (flit != NULL)
    hd_flit_name(text, flit, &w->params);
  return text;
}

/* "vc 0 2", "vc 1 barrier", "vc 0 count 5" */
static const char *credit_text(uint32_t credits, char text[HD_FLIT_NAME_SIZE])
{
  size_t n = 0;

  text[0] = '\0';
  for (unsigned v = 0; v < HD_MAX_VCS; v++)
    if (credits >> v & 1)
      n += (size_t)snprintf(text + n, HD_FLIT_NAME_SIZE - n, n == 0 ? "vc %u" : " %u", v);
  if (credits >> HD_BARRIER_CREDIT & 1)
    n += (size_t)snprintf(text + n, HD_FLIT_NAME_SIZE - n, n == 0 ? "barrier" : " barrier");
  if (credits >> HD_COUNT_WIRES)
    snprintf(text + n, HD_FLIT_NAME_SIZE - n, "%scount %u", n == 0 ? "" : " ",
             credits >> HD_COUNT_WIRES & HD_COUNT_MOST);
  return text;
}

static void tell_ports(struct hd_waves *w, const struct hd_waves_cycle *c)
{
  char model[HD_FLIT_NAME_SIZE], dut[HD_FLIT_NAME_SIZE];

  for (unsigned p = 0; p < w->params.ports; p++) {
    flit_text(w, hd_waves_flit(w, c->flits_in, p), model);
    tell_port(w, c->cycle, p, "in", model, model);
    tell_port(w, c->cycle, p, "out", flit_text(w, hd_waves_flit(w, c->model_flits, p), model),
              flit_text(w, hd_waves_flit(w, c->dut_flits, p), dut));
    tell_port(w, c->cycle, p, "credit out",
              credit_text(hd_waves_credits(w, c->model_credits, p), model),
              credit_text(hd_waves_credits(w, c->dut_credits, p), dut));
    credit_text(hd_waves_credits(w, c->credits_in, p), model);
    tell_port(w, c->cycle, p, "credit in", model, model);
  }
}

static void state_text(const struct hd_waves_state *s, uint32_t value, char text[16])
{
  const char *name = s->path + strlen(s->path) - strlen(s->state->name);

  if (s->state->place == HD_PLACE_IN_VC && strcmp(name, "state") == 0)
    snprintf(text, 16, "%s", hd_vc_state_name(value));
  else
    snprintf(text, 16, "%" PRIu32, value);
}

static void tell_state(struct hd_waves *w, const struct hd_waves_cycle *c, struct hd_waves_state *s)
{
  const uint32_t value = hd_waves_state_of(s, &c->model);
  const bool shown = s->dut_handle != 0 && s->dut_seen;
  const bool differs = hd_waves_state_differs(s, &c->model);
  char model[16], dut[16];

  if (s->told && !differs && s->told_model == value &&
      (!shown || (s->told_dut == s->dut_value && s->told_dut_known == s->dut_known)))
    return;
  state_text(s, value, model);
  if (s->dut_known)
    state_text(s, s->dut_value, dut);
  else
    snprintf(dut, sizeof dut, "x");
  pass_value(w, &(struct hd_waves_value){.signal = s->path,
                                         .cycle = c->cycle,
                                         .model = model,
                                         .dut = shown ? dut : NULL,
                                         .differs = differs});
  /* A signal that differed is reported once more when it agrees again. */
  s->told = !differs;
  s->told_model = value;
  s->told_dut = s->dut_value;
  s->told_dut_known = s->dut_known;
}

static void tell_quiescent(struct hd_waves *w, const struct hd_waves_cycle *c)
{
  const bool differs = w->has_dut && c->model_quiescent != c->dut_quiescent;
  const bool same = c > w->cycles && c->cycle > w->watcher->first &&
                    c[-1].model_quiescent == c->model_quiescent &&
                    c[-1].dut_quiescent == c->dut_quiescent;

  if (same && !differs)
    return;
  pass_value(w, &(struct hd_waves_value){.signal = "quiescent_o",
                                         .cycle = c->cycle,
                                         .model = c->model_quiescent ? "1" : "0",
                                         .dut = !w->has_dut        ? NULL
                                                : c->dut_quiescent ? "1"
                                                                   : "0",
                                         .differs = differs});
}

void hd_waves_tell(struct hd_waves *w, const struct hd_waves_cycle *c)
{
  struct hd_waves_watcher *to = w->watcher;

  if (w->first_state_cycle != UINT64_MAX) {
    memcpy(to->first_state, w->first_state, sizeof w->first_state);
    to->first_state_cycle = w->first_state_cycle;
  }
  if (c->cycle < to->first || c->cycle > to->last)
    return;
  tell_ports(w, c);
  tell_quiescent(w, c);
  for (size_t i = 0; i < w->n_states; i++)
    tell_state(w, c, &w->states[i]);
}
