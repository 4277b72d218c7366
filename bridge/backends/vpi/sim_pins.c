/* Plays a window of port events at the pins of one switch in a simulator (specification §6.1).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Inputs that mean nothing in a cycle get X (§6.6): kind, vc and data if valid is 0, address and
 * data without a configuration access, and all inputs during reset.
 */
#include "sim.h"

#include <stdio.h>
#include <string.h>

static const char *const k_names[N_PINS] = {
    "clk",         "rst",         "in_valid_i",   "in_kind_i",
    "in_vc_i",     "in_data_i",   "out_credit_i", "out_barrier_credit_i",
    "out_count_i", "cfg_write_i", "cfg_read_i",   "cfg_addr_i",
    "cfg_wdata_i", "out_valid_o", "in_credit_o",  "in_barrier_credit_o",
    "in_count_o",  "quiescent_o", "out_kind_o",   "out_vc_o",
    "out_data_o",  "cfg_rdata_o"};

int sim_pins_find(struct sim *sim, char *text, size_t size)
{
  const struct hd_switch_params *p = &sim->head->params;
  struct sim_pins *pins = &sim->pins;
  const uint32_t vc_bits = sim_vc_bits(p);
  const uint32_t bits[N_PINS] = {1,
                                 1,
                                 p->ports,
                                 p->ports * 3,
                                 p->ports * vc_bits,
                                 p->ports * p->data_bits,
                                 p->ports * p->vcs,
                                 p->ports,
                                 p->ports * HD_COUNT_BITS,
                                 1,
                                 1,
                                 20,
                                 16,
                                 p->ports,
                                 p->ports * p->vcs,
                                 p->ports,
                                 p->ports * HD_COUNT_BITS,
                                 1,
                                 p->ports * 3,
                                 p->ports * vc_bits,
                                 p->ports * p->data_bits,
                                 16};
  char path[80];
  for (unsigned i = 0; i < N_PINS; i++) {
    snprintf(path, sizeof path, "%s.%s", sim->ops->top, k_names[i]);
    pins->handles[i] = vpi_handle_by_name(path, NULL);
    if (!pins->handles[i] && (i == PIN_OUT_BARRIER_CREDIT || i == PIN_IN_BARRIER_CREDIT) &&
        !p->barrier)
      continue;
    if (!pins->handles[i] && (i == PIN_OUT_COUNT || i == PIN_IN_COUNT) && !hd_switch_counts(p))
      continue;
    pins->bits[i] = bits[i];
    if (!pins->handles[i] || (uint32_t)vpi_get(vpiSize, pins->handles[i]) != bits[i]) {
      snprintf(text, size, "%s has no %u bits", path, bits[i]);
      return HD_E_INPUT;
    }
  }
  return 0;
}

/* ── vectors ────────────────────────────────────────────────────────────────── */

static void fill_vector(vecval *v, uint32_t a, uint32_t b)
{
  for (unsigned w = 0; w < PIN_WORDS; w++)
    v[w] = (vecval){(PLI_INT32)a, (PLI_INT32)b};
}

static void lane_put(vecval *v, uint32_t from, uint32_t bits, uint64_t value)
{
  for (uint32_t i = from; i < from + bits; i++, value >>= 1) {
    uint32_t bit = UINT32_C(1) << (i % 32);
    v[i / 32].bval = (PLI_INT32)((uint32_t)v[i / 32].bval & ~bit);
    v[i / 32].aval = (PLI_INT32)(((uint32_t)v[i / 32].aval & ~bit) | (value & 1 ? bit : 0));
  }
}

static void lane_put_unknown(vecval *v, uint32_t from, uint32_t bits)
{
  for (uint32_t i = from; i < from + bits; i++) {
    v[i / 32].aval = (PLI_INT32)((uint32_t)v[i / 32].aval | UINT32_C(1) << (i % 32));
    v[i / 32].bval = (PLI_INT32)((uint32_t)v[i / 32].bval | UINT32_C(1) << (i % 32));
  }
}

static uint64_t lane_get(const vecval *v, uint32_t from, uint32_t bits)
{
  uint64_t value = 0;
  for (uint32_t i = from + bits; i-- > from;) {
    uint32_t known = (uint32_t)v[i / 32].aval & ~(uint32_t)v[i / 32].bval;
    value = value << 1 | (known >> (i % 32) & 1);
  }
  return value;
}

/* Returns the first bit from `from` on that is X or Z. Returns `bits` if there is none. */
static uint32_t first_unknown(const vecval *v, uint32_t from, uint32_t bits)
{
  for (; from < bits; from++)
    if ((uint32_t)v[from / 32].bval >> (from % 32) & 1)
      return from;
  return bits;
}

static void put(struct sim *sim, enum sim_pin pin, const vecval *v)
{
  vecval *now = sim->pins.now[pin];
  size_t bytes = (sim->pins.bits[pin] + 31) / 32 * sizeof *v;
  if (!sim->pins.handles[pin] || !memcmp(now, v, bytes))
    return;
  memcpy(now, v, bytes);
  sim->ops->put(sim->pins.handles[pin], sim->pins.bits[pin], now);
}

void sim_pin_put(struct sim *sim, enum sim_pin pin, uint32_t number)
{
  vecval v[PIN_WORDS];
  fill_vector(v, 0, 0);
  v[0].aval = (PLI_INT32)number;
  put(sim, pin, v);
}

/* ── inputs ─────────────────────────────────────────────────────────────────── */

static void fill_dont_care(const struct sim *sim, vecval *v)
{
  if (sim->known_pins)
    fill_vector(v, 0, 0);
  else
    fill_vector(v, UINT32_MAX, UINT32_MAX);
}

void sim_pins_idle(struct sim *sim)
{
  vecval any[PIN_WORDS];
  fill_dont_care(sim, any);
  for (unsigned i = PIN_IN_VALID; i < FIRST_OUTPUT; i++)
    if (i == PIN_IN_KIND || i == PIN_IN_VC || i == PIN_IN_DATA || i == PIN_CFG_ADDR ||
        i == PIN_CFG_WDATA)
      put(sim, i, any);
    else
      sim_pin_put(sim, i, 0);
}

void sim_pins_reset(struct sim *sim, bool rst)
{
  vecval any[PIN_WORDS];
  sim_pin_put(sim, PIN_RST, rst);
  if (!rst) {
    sim_pins_idle(sim);
    return;
  }
  /* Reset wins over all inputs (§2.9), so they may be anything. */
  fill_vector(any, UINT32_MAX, sim->known_pins ? 0 : UINT32_MAX);
  for (unsigned i = PIN_IN_VALID; i < FIRST_OUTPUT; i++)
    if (i != PIN_CFG_WRITE || !sim->known_pins)
      put(sim, i, any);
}

static bool apply_flits(struct sim *sim, const struct hd_dut_job *job, struct hd_cursor *at,
                        uint32_t cycle)
{
  const struct hd_switch_params *p = &sim->head->params;
  const uint32_t vc_bits = sim_vc_bits(p);
  vecval kind[PIN_WORDS], vc[PIN_WORDS], data[PIN_WORDS];
  vecval valid[PIN_WORDS];
  bool legal = true;
  fill_vector(valid, 0, 0);
  fill_dont_care(sim, kind);
  fill_dont_care(sim, vc);
  fill_dont_care(sim, data);
  for (const struct hd_flit_event *e; (e = hd_cursor_flit(at, job, cycle));) {
    if (e->port >= p->ports || e->vc >> vc_bits || e->kind >> 3 || lane_get(valid, e->port, 1)) {
      legal = false;
      continue;
    }
    lane_put(valid, e->port, 1, 1);
    lane_put(kind, e->port * 3u, 3, e->kind);
    lane_put(vc, e->port * vc_bits, vc_bits, e->vc);
    lane_put(data, e->port * p->data_bits, p->data_bits, e->data);
  }
  put(sim, PIN_IN_VALID, valid);
  put(sim, PIN_IN_KIND, kind);
  put(sim, PIN_IN_VC, vc);
  put(sim, PIN_IN_DATA, data);
  return legal;
}

static bool apply_credits(struct sim *sim, const struct hd_dut_job *job, struct hd_cursor *at,
                          uint32_t cycle)
{
  const struct hd_switch_params *p = &sim->head->params;
  vecval credits[PIN_WORDS], counts[PIN_WORDS];
  uint32_t barrier = 0;
  bool legal = true;
  fill_vector(credits, 0, 0);
  fill_vector(counts, 0, 0);
  for (const struct hd_credit_event *e; (e = hd_cursor_credit(at, job, cycle));) {
    if (e->port >= p->ports || e->vcs >> p->vcs || !hd_count_is_legal(p, e->count)) {
      legal = false;
      continue;
    }
    lane_put(credits, e->port * p->vcs, p->vcs, e->vcs);
    if (p->barrier)
      barrier |= (e->barrier & UINT32_C(1)) << e->port;
    legal &= p->barrier || !e->barrier;
    lane_put(counts, e->port * HD_COUNT_BITS, HD_COUNT_BITS, e->count);
  }
  put(sim, PIN_OUT_CREDIT, credits);
  if (p->barrier)
    sim_pin_put(sim, PIN_OUT_BARRIER_CREDIT, barrier);
  if (hd_switch_counts(p)) {
    for (uint32_t port = 0; port < p->ports && !sim->known_pins; port++)
      if (!lane_get(counts, port * HD_COUNT_BITS, HD_COUNT_BITS))
        lane_put_unknown(counts, port * HD_COUNT_BITS, HD_COUNT_BITS - 1);
    put(sim, PIN_OUT_COUNT, counts);
  }
  return legal;
}

static bool apply_config(struct sim *sim, const struct hd_dut_job *job, struct hd_cursor *at,
                         uint32_t cycle)
{
  vecval any[PIN_WORDS];
  bool legal = true, written = false;
  for (const struct hd_config_event *e; (e = hd_cursor_config(at, job, cycle));) {
    if (written || e->addr >> 20) {
      legal = false;
      continue;
    }
    written = true;
    sim_pin_put(sim, PIN_CFG_ADDR, e->addr);
    sim_pin_put(sim, PIN_CFG_WDATA, e->data);
  }
  sim_pin_put(sim, PIN_CFG_WRITE, written);
  if (!written) {
    fill_dont_care(sim, any);
    put(sim, PIN_CFG_ADDR, any);
    put(sim, PIN_CFG_WDATA, any);
  }
  return legal;
}

/* ── outputs ────────────────────────────────────────────────────────────────── */

/* Writes port and channel of an output's bit to *unknown. False: the bit may be X, because it
 * belongs to no valid flit. */
static bool locate_bit(const struct sim *sim, unsigned pin, uint32_t bit, bool idle_pins,
                       struct hd_dut_unknown *unknown)
{
  const struct hd_switch_params *p = &sim->head->params;
  const uint32_t vc_bits = sim_vc_bits(p);
  uint32_t lane = 0, vc = 0xff;
  switch (pin) {
  case PIN_OUT_VALID:
  case PIN_IN_BARRIER_CREDIT:
    lane = 1;
    break;
  case PIN_IN_CREDIT:
    lane = p->vcs;
    vc = bit % p->vcs;
    break;
  case PIN_IN_COUNT:
    lane = HD_COUNT_BITS;
    break;
  case PIN_OUT_KIND:
    lane = 3;
    break;
  case PIN_OUT_VC:
    lane = vc_bits;
    break;
  case PIN_OUT_DATA:
    lane = p->data_bits;
    break;
  default:
    break;
  }
  uint32_t port = lane ? bit / lane : 0xff;
  if (pin >= PIN_OUT_KIND && lane) {
    bool valid = lane_get(sim->pins.now[PIN_OUT_VALID], port, 1);
    const vecval *vcs = sim->pins.now[PIN_OUT_VC];
    if (!valid && !idle_pins)
      return false;
    if (valid && first_unknown(vcs, port * vc_bits, (port + 1) * vc_bits) == (port + 1) * vc_bits)
      vc = (uint32_t)lane_get(vcs, port * vc_bits, vc_bits);
  }
  unknown->port = (uint8_t)port;
  unknown->vc = (uint8_t)vc;
  return true;
}

static void report_unknown(struct sim *sim, uint32_t cycle, bool idle_pins,
                           struct hd_dut_unknown *unknown)
{
  for (unsigned pin = FIRST_OUTPUT; pin < N_PINS; pin++) {
    const vecval *v = sim->pins.now[pin];
    uint32_t bits = sim->pins.bits[pin], bit = 0;
    for (; (bit = first_unknown(v, bit, bits)) < bits; bit++) {
      if (!locate_bit(sim, pin, bit, idle_pins, unknown))
        continue;
      unknown->cycle = cycle;
      unknown->seen = (uint32_t)v[bit / 32].aval >> (bit % 32) & 1 ? 'x' : 'z';
      unknown->after_reset = false;
      snprintf(unknown->name, sizeof unknown->name, "%s", k_names[pin]);
      char scope[16] = "";
      if (unknown->port != 0xff) /* names registers of this port alone */
        snprintf(scope, sizeof scope, "%s[%u].", k_names[pin][0] == 'o' ? "out" : "in",
                 unknown->port);
      if (sim->ops->name_unknown)
        sim->ops->name_unknown(scope, unknown);
      return;
    }
  }
}

void sim_pins_read(struct sim *sim, uint32_t cycle, bool idle_pins, struct hd_dut_unknown *unknown)
{
  uint32_t any = 0;
  for (unsigned pin = FIRST_OUTPUT; pin < N_PINS; pin++) {
    if (!sim->pins.handles[pin])
      continue;
    vecval *now = sim->pins.now[pin];
    const uint32_t bits = sim->pins.bits[pin];
    sim->ops->get(sim->pins.handles[pin], bits, now);
    for (uint32_t w = 0; w < (bits + 31) / 32; w++)
      any |= (uint32_t)now[w].bval;
  }
  sim->quiescent = lane_get(sim->pins.now[PIN_QUIESCENT], 0, 1);
  if (any && !unknown->seen)
    report_unknown(sim, cycle, idle_pins, unknown);
}

static void collect(const struct sim *sim, struct hd_dut_job *job, uint32_t cycle)
{
  const struct hd_switch_params *p = &sim->head->params;
  const uint32_t vc_bits = sim_vc_bits(p);
  const vecval(*now)[PIN_WORDS] = sim->pins.now;
  for (uint32_t port = 0; port < p->ports; port++) {
    if (lane_get(now[PIN_OUT_VALID], port, 1))
      job->flits_out[job->n_flits_out++] = (struct hd_flit_event){
          .data = lane_get(now[PIN_OUT_DATA], port * p->data_bits, p->data_bits),
          .cycle = cycle,
          .port = (uint8_t)port,
          .vc = (uint8_t)lane_get(now[PIN_OUT_VC], port * vc_bits, vc_bits),
          .kind = (uint8_t)lane_get(now[PIN_OUT_KIND], port * 3, 3)};
    uint8_t vcs = (uint8_t)lane_get(now[PIN_IN_CREDIT], port * p->vcs, p->vcs);
    uint8_t barrier = p->barrier ? lane_get(now[PIN_IN_BARRIER_CREDIT], port, 1) & 1 : 0;
    uint8_t count = hd_switch_counts(p)
                        ? (uint8_t)lane_get(now[PIN_IN_COUNT], port * HD_COUNT_BITS, HD_COUNT_BITS)
                        : 0;
    if (vcs || barrier || count)
      job->credits_out[job->n_credits_out++] = (struct hd_credit_event){
          .cycle = cycle, .port = (uint8_t)port, .vcs = vcs, .barrier = barrier, .count = count};
  }
}

void sim_pins_keep_early(struct sim *sim)
{
  struct hd_dut_unknown ignored = {.seen = 'x'};
  struct hd_dut_job window = hd_post_reset_events_window(&sim->early);
  const bool quiescent = sim->quiescent;
  if (hd_post_reset_events_some(&sim->early))
    return;
  sim_pins_read(sim, 0, false, &ignored);
  sim->quiescent = quiescent;
  collect(sim, &window, 0);
  hd_post_reset_events_keep(&sim->early, &window);
}

int sim_run_window(struct sim *sim, struct hd_dut_job *job, char *text, size_t size)
{
  bool every_cycle = job->every_cycle || sim->tracing, legal = true;
  struct hd_cursor at = {0};
  *job->unknown = sim->after_reset;
  sim->after_reset.seen = 0;
  if (sim->configured) {
    sim_pins_idle(sim);
    sim->ops->clock(sim);
    sim_pins_keep_early(sim);
    sim->configured = false;
  }
  hd_post_reset_events_give(&sim->early, job);
  sim_pins_read(sim, 0, job->idle_pins, job->unknown);
  bool quiescent = job->quiescent = sim->quiescent;
  for (uint32_t cycle = 0; cycle < job->cycles; cycle++) {
    if (quiescent && !every_cycle && (cycle = hd_cursor_next(&at, job, job->cycles)) >= job->cycles)
      break;
    legal &= apply_flits(sim, job, &at, cycle);
    legal &= apply_credits(sim, job, &at, cycle);
    legal &= apply_config(sim, job, &at, cycle);
    sim->ops->clock(sim);
    job->evaluated_cycles++;
    if (sim->assertion.failed) {
      job->assertion = sim->assertion;
      job->assertion.cycle = cycle;
      sim->next_cycle = job->start + cycle + 1;
      return 0;
    }
    sim_pins_read(sim, cycle + 1, job->idle_pins, job->unknown);
    collect(sim, job, cycle + 1);
    if (quiescent != sim->quiescent) {
      quiescent = sim->quiescent;
      job->toggles[job->n_toggles++] = cycle + 1;
    }
  }
  sim->next_cycle = job->start + job->cycles;
  if (!legal)
    snprintf(text, size, "switch %u: an input event that no pins can carry", job->sw);
  else if (!hd_cursor_done(&at, job))
    snprintf(text, size, "switch %u: input events out of order or behind the window", job->sw);
  else
    return 0;
  return HD_E_INPUT;
}
