/* Bit lanes behind the DUT contract (bridge/dut.h): a switch in each bit of a machine word.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled into one shared object with the lane code of one parameter set (lanes_write.c); the parameters
 * come as HD_PORTS, HD_VCS, … on the command line. Switches are in groups of HD_LANES, which are
 * clocked together. What enters them in the next CYCLES cycles, and what the model expects there, is put into
 * words before; comparison is by words, too. Only where a lane differs from its model, or nothing
 * is expected of it, are events made of its outputs. Lanes that are not in a batch keep their state.
 */
#include "../rtl/dut_options.h"
#include "lanes_group.h"

#include <stdlib.h>

enum { MOST_WRITES = 4 << 20 }; /* that wait, of all switches */

struct hd_dut {
  uint32_t n_groups;
  bool every_cycle;
  _Atomic size_t writes; /* that wait; threads run different groups */
  struct group **groups;
};

/* ── making and resetting ──────────────────────────────────────────────────── */

static void flush(struct hd_dut *dut, struct group *g)
{
  dut->writes -= group_flush(g);
}

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  for (uint32_t i = 0; dut->groups && i < dut->n_groups; i++)
    group_destroy(dut->groups[i]);
  free(dut->groups);
  free(dut);
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < dut->n_groups; i++)
    group_reset(dut->groups[i]);
  dut->writes = 0;
  return 0;
}

static int create(struct hd_dut **out, const struct hd_switch_params *p, uint32_t count,
                  const char *options, struct hd_error *err)
{
  uint64_t seed = 1;
  *out = NULL;
  if (!hd_built_for(p))
    return hd_fail(err, HD_E_INPUT,
                   "this shared object was built for other switch parameters; open it by the name "
                   "lanes, which builds what is needed");
  if (!options)
    options = "";
  int status = hd_options_check("lanes", HD_OPTIONS_LANES, options, err);
  if (status)
    return status;
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (dut)
    dut->groups = calloc(count / HD_LANES + 1, sizeof(struct group *));
  bool made = dut && dut->groups;
  for (uint32_t from = 0; made && from < count; from += HD_LANES) {
    struct group *g = group_create(count - from < HD_LANES ? count - from : HD_LANES, &seed);
    made = g != NULL;
    dut->groups[dut->n_groups++] = g;
  }
  if (!made) {
    destroy(dut);
    return hd_fail(err, HD_E_NOMEM, "out of memory in the lanes backend");
  }
  dut->every_cycle = *options != '\0';
  status = reset(dut, err);
  *out = dut;
  return status;
}

/* ── configuration outside of windows ──────────────────────────────────────── */

static struct group *group_of(const struct hd_dut *dut, uint32_t sw)
{
  return dut->groups[sw / HD_LANES];
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  const bool quiescent =
      shown(g, PINS.quiescent, 1, sw % HD_LANES) || has_lane(&g->configured, sw % HD_LANES);
  if (!quiescent)
    return hd_fail(err, HD_E_INPUT,
                   "switch %u is busy: give it configuration writes as events of a window", sw);
  for (uint32_t i = 0; dut->writes >= MOST_WRITES && i < dut->n_groups; i++)
    flush(dut, dut->groups[i]);
  dut->writes++;
  return group_write(g, sw % HD_LANES, addr, data, err);
}

/* A read takes a cycle, which does not happen: g->next is never made g->now. */
static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  const hd_word none = {0};
  uint16_t value = 0;
  (void)err;
  flush(dut, g);
  hd_word *const in = group_no_inputs(g);
  add_lane(&in[PINS.read], sw % HD_LANES);
  add_bits(in + PINS.addr, sw % HD_LANES, addr & 0xfffff);
  group_step(g, in, &none);
  for (uint32_t i = 0; i < HD_LANE_CONFIG; i++)
    if (has_lane(&g->next[hd_lane_code.outputs[PINS.rdata + i]], sw % HD_LANES))
      value |= (uint16_t)(1u << i);
  *data = value;
  return 0;
}

/* ── events into words ─────────────────────────────────────────────────────── */

static inline void put_flit(hd_word *pins, unsigned lane, const struct hd_flit_event *e)
{
  hd_word *const flit = pins + e->port * PINS.flit;
  const uint64_t head = 1 | (uint64_t)e->kind << HD_LANE_KIND | (uint64_t)e->vc << HD_LANE_VC;
#if HD_DATA_W <= 32 /* one loop, whose end a processor guesses wrong, instead of two */
  add_bits(flit, lane, head | e->data << PINS.data);
#else
  add_bits(flit, lane, head);
  add_bits(flit + PINS.data, lane, e->data);
#endif
}

static inline void put_credit(hd_word *pins, unsigned lane, const struct hd_credit_event *e)
{
  add_bits(pins + PINS.credit + e->port * HD_VCS, lane, e->vcs);
  if (HD_BARRIER)
    add_bits(pins + PINS.barrier + e->port, lane, e->barrier);
  if (COUNTING)
    add_bits(pins + PINS.count + e->port * HD_COUNT_BITS, lane, e->count);
}

/* Can the pins carry it? */
static bool flit_is_legal(const hd_word *pins, unsigned lane, const struct hd_flit_event *e)
{
  return e->port < HD_PORTS && !(e->vc >> (PINS.data - HD_LANE_VC)) && !(e->kind >> 3) &&
         !((e->data >> 1) >> (HD_DATA_W - 1)) &&
         !has_lane(&pins[e->port * PINS.flit + HD_LANE_VALID], lane);
}

static bool credit_is_legal(const struct hd_credit_event *e)
{
  return e->port < HD_PORTS && !(e->vcs >> HD_VCS) && !(e->count >> HD_COUNT_BITS) &&
         (HD_BARRIER || !e->barrier) && (COUNTING || !e->count);
}

/* Puts the inputs of cycles [from, to) into words. False: no legal pins. Events out of order stay where they
 * are, and hd_cursor_done tells. */
static bool put_inputs(struct group *g, unsigned lane, uint32_t from, uint32_t to)
{
  struct play *play = &g->plays[lane];
  const struct hd_dut_job *job = play->job;
  struct hd_cursor *at = &play->in;
  bool legal = true;
#define IN_ORDER(list, i)                                   \
  (job->list[i].cycle < to && job->list[i].cycle >= from && \
   (!(i) || job->list[i].cycle >= job->list[(i)-1].cycle))
  for (; at->flit < job->n_flits_in && IN_ORDER(flits_in, at->flit); at->flit++) {
    const struct hd_flit_event *e = &job->flits_in[at->flit];
    hd_word *const pins = g->inputs + (e->cycle - from) * PINS.inputs;
    g->busy[e->cycle - from] = true;
    if (flit_is_legal(pins, lane, e))
      put_flit(pins, lane, e);
    else
      legal = false;
  }
  for (; at->credit < job->n_credits_in && IN_ORDER(credits_in, at->credit); at->credit++) {
    const struct hd_credit_event *e = &job->credits_in[at->credit];
    g->busy[e->cycle - from] = true;
    if (credit_is_legal(e))
      put_credit(g->inputs + (e->cycle - from) * PINS.inputs, lane, e);
    else
      legal = false;
  }
  for (; at->config < job->n_configs_in && IN_ORDER(configs_in, at->config); at->config++) {
    const struct hd_config_event *e = &job->configs_in[at->config];
    hd_word *const pins = g->inputs + (e->cycle - from) * PINS.inputs;
    g->busy[e->cycle - from] = true;
    if (has_lane(&pins[PINS.write], lane) || e->addr >> HD_LANE_ADDR) {
      legal = false;
      continue;
    }
    add_lane(&pins[PINS.write], lane);
    add_bits(pins + PINS.addr, lane, e->addr);
    add_bits(pins + PINS.wdata, lane, e->data);
  }
#undef IN_ORDER
  return legal;
}

/* The same of what is expected in cycles [from + 1, to]. */
static void put_expected(struct group *g, unsigned lane, uint32_t from, uint32_t to)
{
  struct play *play = &g->plays[lane];
  const struct hd_dut_expected *x = play->job->expected;
#define EXPECTED(cycle) (g->expected + ((cycle)-from - 1) * PINS.outputs)
  for (; play->flit < x->n_flits && x->flits[play->flit].cycle <= to; play->flit++) {
    const struct hd_flit_event *e = &x->flits[play->flit];
    put_flit(EXPECTED(e->cycle), lane, e);
    g->busy[e->cycle - from - 1] = true;
  }
  for (; play->credit < x->n_credits && x->credits[play->credit].cycle <= to; play->credit++) {
    const struct hd_credit_event *e = &x->credits[play->credit];
    put_credit(EXPECTED(e->cycle), lane, e);
    g->busy[e->cycle - from - 1] = true;
  }
  for (; play->toggle < x->n_toggles && x->toggles[play->toggle] <= to; play->toggle++) {
    const uint32_t cycle = x->toggles[play->toggle];
    add_lane(&EXPECTED(cycle)[PINS.quiescent], lane);
    g->busy[cycle - from - 1] = true;
  }
#undef EXPECTED
}

/* The first cycle from `from` on in which something comes into a lane, or is expected after it. */
static uint32_t next_cycle(const struct play *play, bool expecting, uint32_t to)
{
  const struct hd_dut_expected *x = play->job->expected;
  to = hd_cursor_next(&play->in, play->job, to);
  if (!expecting)
    return to;
  if (play->flit < x->n_flits && x->flits[play->flit].cycle <= to)
    to = x->flits[play->flit].cycle - 1;
  if (play->credit < x->n_credits && x->credits[play->credit].cycle <= to)
    to = x->credits[play->credit].cycle - 1;
  if (play->toggle < x->n_toggles && x->toggles[play->toggle] <= to)
    to = x->toggles[play->toggle] - 1;
  return to;
}

/* ── events out of words ───────────────────────────────────────────────────── */

static void take_toggle(struct hd_dut_job *job, uint32_t cycle)
{
  if (job->n_toggles < job->cap_toggles)
    job->toggles[job->n_toggles++] = cycle;
  else
    job->lost++;
}

static void take_flit(const struct group *g, struct hd_dut_job *job, uint32_t cycle, unsigned port,
                      unsigned lane)
{
  const uint32_t pin = port * PINS.flit;
  if (job->n_flits_out == job->cap_flits_out) {
    job->lost++;
    return;
  }
  job->flits_out[job->n_flits_out++] = (struct hd_flit_event){
      .data = shown(g, pin + PINS.data, HD_DATA_W, lane),
      .cycle = cycle,
      .port = (uint8_t)port,
      .vc = (uint8_t)shown(g, pin + HD_LANE_VC, PINS.data - HD_LANE_VC, lane),
      .kind = (uint8_t)shown(g, pin + HD_LANE_KIND, 3, lane)};
}

static void take_credit(const struct group *g, struct hd_dut_job *job, uint32_t cycle,
                        unsigned port, unsigned lane)
{
  if (job->n_credits_out == job->cap_credits_out) {
    job->lost++;
    return;
  }
  job->credits_out[job->n_credits_out++] = (struct hd_credit_event){
      .cycle = cycle,
      .port = (uint8_t)port,
      .vcs = (uint8_t)shown(g, PINS.credit + port * HD_VCS, HD_VCS, lane),
      .barrier = HD_BARRIER ? (uint8_t)shown(g, PINS.barrier + port, 1, lane) : 0,
      .count =
          COUNTING ? (uint8_t)shown(g, PINS.count + port * HD_COUNT_BITS, HD_COUNT_BITS, lane) : 0};
}

/* For each of `lanes`. */
#define FOR_LANES(lanes, lane)                                                              \
  for (unsigned part_ = 0; part_ < HD_LANE_PARTS; part_++)                                  \
    for (uint64_t left_ = hd_word_part(&(lanes), part_); left_; left_ &= left_ - 1)         \
      for (unsigned lane = part_ * 64 + (unsigned)__builtin_ctzll(left_), once_ = 1; once_; \
           once_ = 0)

/* What these lanes show in `cycle`; `before` is quiescent_o in the cycle before. */
static void take_outputs(struct group *g, hd_word lanes, hd_word before, uint32_t cycle)
{
  const hd_word toggled = lanes & (before ^ output(g, PINS.quiescent));
  FOR_LANES(toggled, lane) take_toggle(g->plays[lane].job, cycle);
  for (unsigned port = 0; port < HD_PORTS; port++) {
    const hd_word valid = lanes & output(g, port * PINS.flit + HD_LANE_VALID);
    FOR_LANES(valid, lane) take_flit(g, g->plays[lane].job, cycle, port, lane);
    hd_word some = {0};
    for (unsigned v = 0; v < HD_VCS; v++)
      some |= output(g, PINS.credit + port * HD_VCS + v);
    if (HD_BARRIER)
      some |= output(g, PINS.barrier + port);
    for (unsigned i = 0; COUNTING && i < HD_COUNT_BITS; i++)
      some |= output(g, PINS.count + port * HD_COUNT_BITS + i);
    some &= lanes;
    FOR_LANES(some, lane) take_credit(g, g->plays[lane].job, cycle, port, lane);
  }
}

/* The lane has shown what is expected before `cycle`. */
static void take_expected(struct play *play, uint32_t cycle)
{
  struct hd_dut_job *job = play->job;
  const struct hd_dut_expected *x = job->expected;
  uint32_t flits = play->flit, credits = play->credit, toggles = play->toggle;
  while (flits && x->flits[flits - 1].cycle >= cycle)
    flits--;
  while (credits && x->credits[credits - 1].cycle >= cycle)
    credits--;
  while (toggles && x->toggles[toggles - 1] >= cycle)
    toggles--;
  job->n_flits_out = flits < job->cap_flits_out ? flits : job->cap_flits_out;
  job->n_credits_out = credits < job->cap_credits_out ? credits : job->cap_credits_out;
  job->n_toggles = toggles < job->cap_toggles ? toggles : job->cap_toggles;
  job->lost = flits - job->n_flits_out + credits - job->n_credits_out + toggles - job->n_toggles;
  if (job->n_flits_out)
    memcpy(job->flits_out, x->flits, job->n_flits_out * sizeof *x->flits);
  if (job->n_credits_out)
    memcpy(job->credits_out, x->credits, job->n_credits_out * sizeof *x->credits);
  if (job->n_toggles)
    memcpy(job->toggles, x->toggles, job->n_toggles * sizeof *x->toggles);
}

/* ── windows ───────────────────────────────────────────────────────────────── */

/* A batch of lanes under way. */
struct batch {
  struct group *g;
  hd_word lanes;     /* in it */
  hd_word agreed;    /* of these, expected to show something and have shown that so far */
  hd_word expected;  /* quiescent_o of the model */
  hd_word quiescent; /* quiescent_o of the cycle before */
  bool every_cycle, legal;
  uint32_t end;
};

/* Lanes whose windows go on in cycle t, and the first cycle in which that changes. */
static hd_word lanes_at(const struct batch *b, uint32_t t, uint32_t *change)
{
  hd_word active = {0};
  *change = b->end;
  FOR_LANES(b->lanes, lane)
  {
    const uint32_t cycles = b->g->plays[lane].job->cycles;
    if (cycles > t)
      add_lane(&active, lane);
    if (cycles > t && cycles < *change)
      *change = cycles;
  }
  return active;
}

/* One cycle of `active`; `x` is what is expected after it. */
static void run_cycle(struct batch *b, hd_word active, const hd_word *inputs, hd_word *x,
                      uint32_t cycle)
{
  struct group *g = b->g;
  hd_word differ;
  group_clock(g, inputs, &active);
  x[PINS.quiescent] = b->expected ^= x[PINS.quiescent];
  if (hd_word_some(&b->agreed)) {
    hd_lane_code.differ(g->now, x, &differ);
    differ &= b->agreed & active;
    if (hd_word_some(&differ)) {
      FOR_LANES(differ, lane) take_expected(&g->plays[lane], cycle + 1);
      b->agreed &= ~differ;
    }
  }
  const hd_word open = active & ~b->agreed;
  if (hd_word_some(&open))
    take_outputs(g, open, b->quiescent, cycle + 1);
  b->quiescent = output(g, PINS.quiescent);
}

/* Cycles [t, to), in words. Returns how many were evaluated. */
static uint32_t run_some(struct batch *b, hd_word active, uint32_t t, uint32_t to)
{
  struct group *g = b->g;
  uint32_t evaluated = 0;
  memset(g->busy, 0, sizeof g->busy);
  memset(g->inputs, 0, (to - t) * PINS.inputs * sizeof *g->inputs);
  memset(g->expected, 0, (to - t) * PINS.outputs * sizeof *g->expected);
  FOR_LANES(active, lane)
  {
    b->legal &= put_inputs(g, lane, t, to);
    if (has_lane(&b->agreed, lane))
      put_expected(g, lane, t, to);
  }
  for (uint32_t c = t; c < to; c++)
    if (b->every_cycle || g->busy[c - t] || !is_quiet(g, active)) {
      run_cycle(b, active, g->inputs + (c - t) * PINS.inputs, g->expected + (c - t) * PINS.outputs,
                c);
      evaluated++;
    }
  return evaluated;
}

static void run_windows(struct batch *b)
{
  struct group *g = b->g;
  for (uint32_t t = 0, change; t < b->end;) {
    hd_word active = lanes_at(b, t, &change);
    if (!b->every_cycle && is_quiet(g, active)) {
      uint32_t next = change;
      FOR_LANES(active, lane)
      next = next_cycle(&g->plays[lane], has_lane(&b->agreed, lane), next);
      t = next > t ? next : t;
      if (t == change)
        continue;
    }
    const uint32_t to = change - t < CYCLES ? change : t + CYCLES;
    const uint32_t evaluated = run_some(b, active, t, to);
    FOR_LANES(active, lane) g->plays[lane].job->evaluated_cycles += evaluated;
    t = to;
  }
}

static void begin_job(struct batch *b, unsigned lane)
{
  struct hd_dut_job *job = b->g->plays[lane].job;
  job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = job->evaluated_cycles = 0;
  job->quiescent = has_lane(&b->quiescent, lane);
  b->every_cycle |= job->every_cycle;
  b->end = job->cycles > b->end ? job->cycles : b->end;
  if (job->expected && job->expected->quiescent == job->quiescent)
    add_lane(&b->agreed, lane);
  put_lane(&b->expected, lane, job->quiescent);
}

static int end_job(struct batch *b, unsigned lane, struct hd_error *err)
{
  struct play *play = &b->g->plays[lane];
  const struct hd_dut_job *job = play->job;
  if (has_lane(&b->agreed, lane))
    take_expected(play, UINT32_MAX);
  if (!b->legal)
    return hd_fail(err, HD_E_INPUT, "switch %u: an input event that no pins can carry", job->sw);
  if (!hd_cursor_done(&play->in, job))
    return hd_fail(err, HD_E_INPUT, "switch %u: input events out of order or behind the window",
                   job->sw);
  return 0;
}

/* The windows of lanes of one group. */
static int run_group(struct hd_dut *dut, struct group *g, struct hd_dut_job *jobs, size_t n,
                     struct hd_error *err)
{
  struct batch b = {.g = g, .every_cycle = dut->every_cycle, .legal = true};
  int status = 0;
  flush(dut, g);
  for (size_t i = 0; i < n; i++) {
    add_lane(&b.lanes, jobs[i].sw % HD_LANES);
    g->plays[jobs[i].sw % HD_LANES] = (struct play){.job = &jobs[i]};
  }
  const hd_word due = b.lanes & g->configured;
  if (hd_word_some(&due))
    group_clock(g, group_no_inputs(g), &due);
  g->configured &= ~due;
  b.quiescent = output(g, PINS.quiescent);
  FOR_LANES(b.lanes, lane) begin_job(&b, lane);
  run_windows(&b);
  FOR_LANES(b.lanes, lane)
  {
    const int wrong = end_job(&b, lane, status ? NULL : err);
    status = status ? status : wrong;
  }
  return status;
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  int status = 0;
  for (size_t from = 0, to = 0; from < n_jobs && !status; from = to) {
    struct group *g = group_of(dut, jobs[from].sw);
    while (to < n_jobs && group_of(dut, jobs[to].sw) == g)
      to++;
    pthread_mutex_lock(&g->lock);
    status = run_group(dut, g, jobs + from, to - from, err);
    pthread_mutex_unlock(&g->lock);
  }
  return status;
}

/* ── snapshots ─────────────────────────────────────────────────────────────── */

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  flush(dut, g);
  return group_save(g, sw % HD_LANES, buffer, err);
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  flush(dut, g);
  return group_restore(g, sw % HD_LANES, buffer, sw, err);
}

static const struct hd_dut_ops k_ops = {
    .abi = HD_DUT_ABI,
    .name = "lanes",
    .about = HD_ABOUT,
    .capabilities = HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT | HD_DUT_BATCH,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .config_write = config_write,
    .config_read = config_read,
    .run = run,
    .snapshot_save = snapshot_save,
    .snapshot_restore = snapshot_restore,
};

__attribute__((visibility("default"))) const struct hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
