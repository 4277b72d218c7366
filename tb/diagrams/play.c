/* Playing a stimulus through the DUT contract, in closed loop over links and interfaces.
 * SPDX-License-Identifier: Apache-2.0
 *
 * One cycle is one window of every switch (specification §6.1). The cycle's inputs are known
 * when it begins, since a link takes at least a cycle from register to register (§1.5).
 */
#include "diagram.h"

#include "../../bridge/one_cycle.h"

#include <stdlib.h>
#include <string.h>

struct stage {
  const struct diagram *d;
  struct play *play;
  const struct hd_dut_ops *ops;
  struct hd_dut *duts[MAX_SWITCHES];      /* one each, because a DUT writes waves of one switch */
  struct hd_switch *models[MAX_SWITCHES]; /* beside them, for the view of §6.5 */
  struct interface sides[MAX_SWITCHES][HD_MAX_PORTS];
  struct hd_error *err;
};

/* ── what stands at a switch's pins ─────────────────────────────────────────── */

static int put_flit(struct stage *s, uint32_t cycle, struct place at,
                    const struct hd_flit_event *flit)
{
  struct wires *w = &s->play->wires[at.sw][cycle];
  if (w->in_valid[at.port])
    return hd_fail(s->err, HD_E_INPUT, "%s: two flits at %u.%u in cycle %u", s->d->name, at.sw,
                   at.port, cycle);
  w->in_valid[at.port] = true;
  w->in[at.port] = *flit;
  w->in[at.port].port = at.port;
  w->in[at.port].cycle = 0; /* of the window that it enters */
  return 0;
}

static int put_credits(struct stage *s, uint32_t cycle, struct place at, uint16_t vcs)
{
  struct wires *w = &s->play->wires[at.sw][cycle];
  if (w->out_credit[at.port] & vcs)
    return hd_fail(s->err, HD_E_INPUT, "%s: two credits at %u.%u in cycle %u", s->d->name, at.sw,
                   at.port, cycle);
  w->out_credit[at.port] |= vcs;
  return 0;
}

static struct hd_flit_event flit_of(const struct stage *s, const struct sending *sending,
                                    uint32_t i, unsigned vc)
{
  const struct named_flit *named = &s->d->flits[sending->first + i];
  return (struct hd_flit_event){.data = named->data, .kind = named->kind, .vc = (uint8_t)vc};
}

/* Puts the inputs at the pins that the stimulus gives whatever the switches do. */
static int put_given(struct stage *s)
{
  const struct diagram *d = s->d;
  int status = 0;
  for (uint32_t i = 0; i < d->n_sendings && !status; i++) {
    const struct sending *sending = &d->sendings[i];
    s->sides[sending->at.sw][sending->at.port].used |= sending->queued;
    for (uint32_t k = 0; k < sending->n_flits && !sending->queued && !status; k++) {
      struct hd_flit_event flit = flit_of(s, sending, k, sending->at.vc);
      if (sending->cycle + k <= d->cycles)
        status = put_flit(s, sending->cycle + k, sending->at, &flit);
    }
  }
  for (uint32_t i = 0; i < d->n_credits && !status; i++)
    status = put_credits(s, d->credits[i].cycle, d->credits[i].at,
                         (uint16_t)(1u << d->credits[i].at.vc));
  for (uint32_t i = 0; i < d->n_accesses && !status; i++) {
    const struct access *a = &d->accesses[i];
    struct wires *w = &s->play->wires[a->sw][a->cycle];
    if (w->write || w->read)
      return hd_fail(s->err, HD_E_INPUT, "%s: two accesses in cycle %u", d->name, a->cycle);
    w->write = a->write;
    w->read = !a->write;
    w->addr = a->addr;
    w->wdata = a->data;
  }
  return status;
}

/* ── network interfaces (§4.1) ──────────────────────────────────────────────── */

/* The packet at the head of the interface's queue in `cycle`; MAX_LINES: none. */
static uint32_t next_packet(const struct stage *s, struct place at, uint32_t from, uint32_t cycle)
{
  for (uint32_t i = from; i < s->d->n_sendings; i++) {
    const struct sending *sending = &s->d->sendings[i];
    if (sending->queued && sending->at.sw == at.sw && sending->at.port == at.port)
      return sending->cycle <= cycle ? i : MAX_LINES;
  }
  return MAX_LINES;
}

static int step_interface(struct stage *s, struct place at, uint32_t cycle)
{
  struct interface *side = &s->sides[at.sw][at.port];
  struct interface_cycle *shown = s->play->sides[at.sw][at.port];
  const struct hd_switch_params *p = &s->d->params;
  uint32_t link = s->d->link_cycles, need = p->cut_flits > 1 ? p->cut_flits : 1;
  int status = 0;
  memcpy(shown[cycle].credits, side->credits, sizeof side->credits);
  if (!side->under_way) {
    uint32_t packet = next_packet(s, at, side->sending, cycle);
    for (uint32_t i = 0; i < p->vcs && packet != MAX_LINES; i++) {
      uint8_t vc = (uint8_t)((side->vc_next + i) % p->vcs);
      if (side->credits[vc] < need)
        continue;
      side->under_way = true;
      side->sending = packet;
      side->flit = 0;
      side->vc = vc;
      side->vc_next = (uint8_t)((vc + 1u) % p->vcs);
      break;
    }
  }
  if (side->under_way && side->credits[side->vc]) {
    const struct sending *sending = &s->d->sendings[side->sending];
    struct hd_flit_event flit = flit_of(s, sending, side->flit, side->vc);
    side->credits[side->vc]--;
    shown[cycle + 1].sent = true;
    shown[cycle + 1].flit = flit;
    status = put_flit(s, cycle + link, at, &flit);
    if (++side->flit == sending->n_flits) {
      side->under_way = false;
      side->sending++;
    }
  }
  /* credits at its pins in this cycle count from the next on (§2.6) */
  if (cycle + 1 >= link)
    for (uint32_t vc = 0; vc < p->vcs; vc++)
      side->credits[vc] =
          (uint8_t)(side->credits[vc] +
                    (s->play->wires[at.sw][cycle + 1 - link].in_credit[at.port] >> vc & 1));
  return status;
}

/* ── one switch, one cycle ──────────────────────────────────────────────────── */

static void step_model(struct stage *s, uint32_t sw, uint32_t cycle)
{
  const struct wires *w = &s->play->wires[sw][cycle];
  struct hd_flit_event flits[HD_MAX_PORTS];
  struct hd_credit_event credits[HD_MAX_PORTS];
  uint32_t tags[HD_MAX_PORTS];
  struct hd_switch_output out = {.flits = flits, .tags = tags, .credits = credits};
  if (cycle <= s->d->cycles)
    hd_switch_look(s->models[sw], &s->play->views[sw][cycle]);
  if (w->write)
    hd_switch_config_ahead(s->models[sw], cycle);
  hd_switch_advance(s->models[sw], cycle, cycle, &out);
  for (uint32_t p = 0; p < s->d->params.ports; p++) {
    if (w->in_valid[p])
      hd_switch_put_flit(s->models[sw], cycle, p, w->in[p].vc, w->in[p].kind, w->in[p].data, 0);
    if (w->out_credit[p])
      hd_switch_put_credit(s->models[sw], cycle, p, w->out_credit[p]);
  }
  if (w->write)
    hd_switch_config_write(s->models[sw], cycle, w->addr, w->wdata);
}

static int step_dut(struct stage *s, uint32_t sw, uint32_t cycle)
{
  struct wires *w = &s->play->wires[sw][cycle], *after = w + 1;
  struct one_cycle c;
  struct hd_dut_job *job = &c.job;
  one_cycle_begin(&c, cycle);
  c.config = (struct hd_config_event){.addr = w->addr, .data = w->wdata};
  job->n_configs_in = w->write;
  after->rdata = w->rdata;
  if (w->read) {
    int status = s->ops->config_read(s->duts[sw], 0, w->addr, &after->rdata, s->err);
    if (status)
      return status;
  }
  for (uint8_t p = 0; p < s->d->params.ports; p++) {
    if (w->in_valid[p])
      c.flits_in[job->n_flits_in++] = w->in[p];
    if (w->out_credit[p])
      c.credits_in[job->n_credits_in++] =
          (struct hd_credit_event){.port = p,
                                   .vcs = (uint8_t)w->out_credit[p],
                                   .barrier = (w->out_credit[p] & BARRIER_BIT) != 0};
  }
  int status = s->ops->run(s->duts[sw], job, 1, s->err);
  if (status)
    return status;
  if (job->lost || job->n_toggles > 1)
    return hd_fail(s->err, HD_E_INTERNAL, "%s: more output events than a cycle can have",
                   s->d->name);
  for (uint32_t i = 0; i < job->n_flits_out; i++) {
    after->out_valid[c.flits_out[i].port] = true;
    after->out[c.flits_out[i].port] = c.flits_out[i];
  }
  for (uint32_t i = 0; i < job->n_credits_out; i++)
    after->in_credit[c.credits_out[i].port] =
        (uint16_t)(c.credits_out[i].vcs | (c.credits_out[i].barrier ? BARRIER_BIT : 0));
  after->quiescent = w->quiescent != (job->n_toggles == 1);
  return 0;
}

/* ── links and receivers ────────────────────────────────────────────────────── */

/* Carries the outputs of `from` in `cycle` over a link to `to`: flits one way, credits the other. */
static int over_link(struct stage *s, uint32_t cycle, struct place from, struct place to)
{
  const struct wires *w = &s->play->wires[from.sw][cycle];
  uint32_t then = cycle + s->d->link_cycles - 1;
  int status = 0;
  if (w->out_valid[from.port])
    status = put_flit(s, then, to, &w->out[from.port]);
  if (!status && w->in_credit[from.port])
    status = put_credits(s, then, to, w->in_credit[from.port]);
  return status;
}

/* The credit that a network interface gives for a flit (§4.2, §7.9); 0: none. */
static uint16_t credit_for(const struct hd_switch_params *p, const struct hd_flit_event *flit)
{
  bool beside = hd_barrier_beside(p) && flit->kind >= HD_KIND_BARRIER && flit->kind != HD_KIND_NULL;
  if (beside)
    return flit->kind == HD_KIND_BARRIER_LAST ? BARRIER_BIT : 0;
  return (uint16_t)(1u << flit->vc);
}

/* Puts the outputs of all switches in `cycle` onto the links. */
static int carry(struct stage *s, uint32_t cycle)
{
  const struct diagram *d = s->d;
  int status = 0;
  for (uint32_t i = 0; i < d->n_joints && !status; i++) {
    status = over_link(s, cycle, d->joints[i].a, d->joints[i].b);
    if (!status)
      status = over_link(s, cycle, d->joints[i].b, d->joints[i].a);
  }
  for (uint32_t i = 0; i < d->n_drains && !status; i++) { /* §4.2 */
    const struct wires *w = &s->play->wires[d->drains[i].sw][cycle];
    uint8_t port = d->drains[i].port;
    uint16_t credit = w->out_valid[port] ? credit_for(&d->params, &w->out[port]) : 0;
    if (credit)
      status = put_credits(s, cycle + 2 * d->link_cycles - 1, d->drains[i], credit);
  }
  return status;
}

/* ── all of it ──────────────────────────────────────────────────────────────── */

static int set_up(struct stage *s, const struct hd_backend *backend, const char *waves)
{
  const struct diagram *d = s->d;
  const uint64_t before = UINT64_MAX - 1; /* a whole cycle before cycle 0: modulo 2^64 */
  size_t bytes = (hd_switch_size(&d->params) + 63) & ~(size_t)63;
  char path[512];
  int status = 0;
  for (uint32_t i = 0; i < d->n_switches && !status; i++) {
    void *storage = aligned_alloc(64, bytes);
    if (!storage)
      return hd_fail(s->err, HD_E_NOMEM, "out of memory");
    s->models[i] = hd_switch_init(storage, &d->params);
    status = backend->ops->create(&s->duts[i], &d->params, 1, "every-cycle", s->err);
    for (uint32_t k = 0; k < d->n_tables && !status; k++)
      if (d->tables[k].sw == i) {
        hd_switch_config_write(s->models[i], before, d->tables[k].addr, d->tables[k].data);
        status = s->ops->config_write(s->duts[i], 0, d->tables[k].addr, d->tables[k].data, s->err);
      }
    if (status)
      return status;
    if (waves && (s->ops->capabilities & HD_DUT_WAVES)) {
      snprintf(path, sizeof path, "%s.%u.fst", waves, i);
      status = s->ops->extension->trace_open(s->duts[i], 0, path, s->err);
    }
    s->play->wires[i][0].quiescent = true;
    for (uint32_t p = 0; p < HD_MAX_PORTS; p++)
      memset(s->sides[i][p].credits, (int)d->params.depth_flits, HD_MAX_VCS);
  }
  return status;
}

static int all_cycles(struct stage *s)
{
  const struct diagram *d = s->d;
  int status = put_given(s);
  /* one cycle more than is shown: what a cycle did is seen at the outputs of the next */
  for (uint32_t cycle = 0; cycle <= d->cycles && !status; cycle++) {
    for (uint32_t sw = 0; sw < d->n_switches && !status; sw++)
      for (uint8_t p = 0; p < d->params.ports && !status; p++)
        if (s->sides[sw][p].used)
          status = step_interface(s, (struct place){(uint8_t)sw, p, NO_VC}, cycle);
    for (uint32_t sw = 0; sw < d->n_switches && !status; sw++) {
      step_model(s, sw, cycle);
      status = step_dut(s, sw, cycle);
    }
    if (!status)
      status = carry(s, cycle + 1);
  }
  return status;
}

int diagram_play(const struct diagram *d, const struct hd_backend *backend, const char *waves,
                 struct play *play, struct hd_error *err)
{
  struct stage *s = calloc(1, sizeof *s);
  if (!s)
    return hd_fail(err, HD_E_NOMEM, "out of memory");
  *s = (struct stage){.d = d, .play = play, .ops = backend->ops, .err = err};
  memset(play, 0, sizeof *play);
  int status = set_up(s, backend, waves);
  if (!status)
    status = all_cycles(s);
  for (uint32_t i = 0; i < d->n_switches; i++) {
    if (!status && waves && (s->ops->capabilities & HD_DUT_WAVES))
      status = s->ops->extension->trace_close(s->duts[i], err);
    s->ops->destroy(s->duts[i]);
    free(s->models[i]);
  }
  free(s);
  return status;
}
