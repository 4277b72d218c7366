/* One switch with a barrier part, its pins set by hand, its outputs kept with their cycles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "barrier_rig.h"
#include "switch_set.h"

struct hd_switch_params plain_params(unsigned barrier)
{
  return (struct hd_switch_params){
      SIMPLE_SWITCH(3, barrier == HD_BARRIER_RESERVED ? 2 : 1, 32, 4, 4), .barrier = barrier,
      .groups = 4, .switches = 8};
}

void rig_open(struct rig *r, const struct hd_switch_params *params)
{
  must(hd_switch_params_check(params, &why));
  memset(r, 0, sizeof *r);
  r->params = *params;
  size_t size = hd_switch_size(params);
  r->sw = hd_switch_init(aligned_alloc(64, size), params);
}

void rig_close(struct rig *r)
{
  assert_int_equal(errors_of(r), 0);
  free(r->sw);
}

void tick(struct rig *r)
{
  struct hd_switch_output out = {.flits = r->flits + r->n_flits,
                                 .credits = r->credits + r->n_credits};
  uint32_t tags[HD_MAX_PORTS];
  out.tags = tags;
  assert_true(r->n_flits + HD_MAX_PORTS < RIG_EVENTS && r->n_credits + HD_MAX_PORTS < RIG_EVENTS);
  if (r->write)
    hd_switch_config_ahead(r->sw, r->cycle);
  hd_switch_advance(r->sw, r->cycle, 0, &out);
  for (uint32_t i = 0; i < out.n_flits; i++)
    assert_true(!(out.flits[i].kind & HD_KIND_RESERVED) || tags[i] == UINT32_MAX);
  r->n_flits += out.n_flits;
  r->n_credits += out.n_credits;
  r->blocked += out.blocked;
  for (unsigned port = 0; port < r->params.ports; port++) {
    const struct pins *p = &r->pins[port];
    if (p->valid)
      hd_switch_put_flit(r->sw, r->cycle, port, p->vc, p->kind, p->data, 7);
    if (p->credits)
      hd_switch_put_credit(r->sw, r->cycle, port, p->credits);
  }
  if (r->write)
    hd_switch_config_write(r->sw, r->cycle, r->addr, r->value);
  memset(r->pins, 0, sizeof r->pins);
  r->write = false;
  r->cycle++;
}

void run_to(struct rig *r, uint64_t cycle)
{
  while (r->cycle < cycle)
    tick(r);
}

void set_flit(struct rig *r, unsigned port, unsigned vc, unsigned kind, uint64_t data)
{
  struct pins *p = &r->pins[port];
  p->valid = true;
  p->vc = (uint8_t)vc;
  p->kind = (uint8_t)kind;
  p->data = data;
}

void put_flit(struct rig *r, unsigned port, unsigned vc, unsigned kind, uint64_t data)
{
  set_flit(r, port, vc, kind, data);
  tick(r);
}

void give_credits(struct rig *r, unsigned port, unsigned vcs)
{
  r->pins[port].credits = vcs;
  tick(r);
}

void refill(struct rig *r)
{
  const struct hd_switch_view view = view_of(r);
  for (unsigned port = 0; port < r->params.ports; port++)
    for (unsigned n = view.barrier[port].barrier_credit; n < HD_BARRIER_QUEUE; n++)
      give_credits(r, port, 1u << HD_BARRIER_CREDIT);
}

static void set_write(struct rig *r, uint32_t addr, unsigned value)
{
  r->write = true;
  r->addr = addr;
  r->value = (uint16_t)value;
}

void configure(struct rig *r, uint32_t addr, unsigned value)
{
  set_write(r, addr, value);
  tick(r);
}

void put_message(struct rig *r, unsigned port, unsigned vc, uint64_t message)
{
  if (hd_barrier_flits(&r->params) == 2) {
    put_flit(r, port, vc, HD_KIND_BARRIER, message & 0xffff);
    put_flit(r, port, vc, HD_KIND_BARRIER_LAST, message >> 16);
  } else {
    put_flit(r, port, vc, HD_KIND_BARRIER_LAST, message);
  }
}

uint16_t errors_of(const struct rig *r)
{
  return hd_switch_config_read(r->sw, HD_CFG_ERRORS);
}

void expect_errors(struct rig *r, unsigned errors)
{
  assert_int_equal(errors_of(r), errors);
  configure(r, HD_CFG_ERRORS, 0xffff);
  assert_int_equal(errors_of(r), 0);
}

static const struct hd_flit_event *flit_at(const struct rig *r, uint64_t cycle, unsigned port)
{
  for (uint32_t i = 0; i < r->n_flits; i++)
    if (r->flits[i].cycle == cycle && r->flits[i].port == port)
      return &r->flits[i];
  return NULL;
}

void expect_flit(const struct rig *r, uint64_t cycle, unsigned port, unsigned vc, unsigned kind,
                 uint64_t data)
{
  const struct hd_flit_event *e = flit_at(r, cycle, port);
  if (!e)
    fail_msg("no flit at output %u in cycle %llu", port, (unsigned long long)cycle);
  if (e->vc != vc || e->kind != kind || e->data != data)
    fail_msg("output %u, cycle %llu: vc %u kind %u data %llx, not vc %u kind %u data %llx", port,
             (unsigned long long)cycle, e->vc, e->kind, (unsigned long long)e->data, vc, kind,
             (unsigned long long)data);
}

void expect_none(const struct rig *r, uint64_t first, uint64_t end, unsigned port)
{
  for (uint64_t cycle = first; cycle < end; cycle++)
    if (flit_at(r, cycle, port))
      fail_msg("a flit of kind %u at output %u in cycle %llu", flit_at(r, cycle, port)->kind, port,
               (unsigned long long)cycle);
}

unsigned credits_at(const struct rig *r, uint64_t cycle, unsigned port)
{
  for (uint32_t i = 0; i < r->n_credits; i++)
    if (r->credits[i].cycle == cycle && r->credits[i].port == port)
      return r->credits[i].vcs | (unsigned)r->credits[i].barrier << HD_BARRIER_CREDIT;
  return 0;
}

bool next_message(const struct rig *r, uint64_t *cycle, unsigned port, uint64_t *message)
{
  uint64_t low = 0;
  for (uint32_t i = 0; i < r->n_flits; i++) {
    const struct hd_flit_event *e = &r->flits[i];
    if (e->cycle < *cycle || e->port != port)
      continue;
    if (e->kind == HD_KIND_BARRIER)
      low = e->data;
    if (e->kind != HD_KIND_BARRIER_LAST)
      continue;
    *message = hd_barrier_flits(&r->params) == 2 ? e->data << 16 | low : e->data;
    *cycle = e->cycle + 1;
    return true;
  }
  return false;
}

void expect_message(struct rig *r, unsigned port, uint64_t message)
{
  uint32_t seen = r->n_flits;
  uint64_t from = r->cycle, got = 0;
  run_to(r, r->cycle + 40);
  if (!next_message(r, &from, port, &got))
    fail_msg("no message at output %u", port);
  if (got != message)
    fail_msg("output %u: message %08llx, not %08llx", port, (unsigned long long)got,
             (unsigned long long)message);
  assert_int_equal(r->n_flits - seen, hd_barrier_flits(&r->params));
}

void expect_silence(struct rig *r)
{
  uint32_t seen = r->n_flits;
  run_to(r, r->cycle + 40);
  assert_int_equal(r->n_flits, seen);
}

void open_way(struct rig *r, const struct hd_switch_params *params)
{
  rig_open(r, params);
  configure(r, HD_CFG_SELF, 1);
  configure(r, HD_CFG_BARRIER_WAY(2), 2);
  configure(r, HD_CFG_IDLE, 3);
  for (unsigned port = 0; port < params->ports; port++)
    configure(r, HD_CFG_DESTINATION(port, 1), hd_table_entry(1, 0xff));
}

void open_plain_way(struct rig *r, unsigned barrier)
{
  const struct hd_switch_params p = plain_params(barrier);
  open_way(r, &p);
}

uint32_t message_from(unsigned bsr)
{
  return hd_barrier_message(HD_REDUCE, 0, 3, 2, bsr);
}

bool messages_use_buffers(unsigned barrier)
{
  return barrier >= HD_BARRIER_MOVING;
}

struct hd_switch_view view_of(const struct rig *r)
{
  struct hd_switch_view view;
  hd_switch_look(r->sw, &view);
  return view;
}
