/* Plays windows in the lanes of a group: events to words, steps, comparison, words to events.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each lane has its own time. Windows of different switches do not depend on each other, so in one
 * step a lane may play cycle 10 of its window and its neighbour cycle 200. A lane skips cycles in
 * which its switch is quiescent and has no input. So a batch takes as many steps as the busiest of
 * its switches has cycles to evaluate.
 *
 * Steps are planned in blocks of up to STEPS. While a lane agrees with its model, the model's
 * events say which cycles the lane plays in a block. When a lane begins to differ, the block ends
 * early, and the remaining cycles are planned again. A lane that differs, or has no expected
 * events, can skip cycles only before a block, by its own quiescent_o, and plays all cycles in it.
 * If all lanes are of this kind, a block also ends when all are quiescent.
 *
 * Events are put into rows: a row is 64 pins of one lane in one step. 64 rows, one for each lane,
 * are transposed into 64 words. Expected outputs become words in the same way, and words are
 * compared. Outputs become events only for lanes that differ from their model or have no expected
 * events.
 *
 * A lane whose window is over is parked: its state is copied to g->parked, and it may run on until
 * all are parked.
 */
#include "lanes_group.h"
#include "lanes_transpose.h"

/* Loops over the lanes whose bits are set in `lanes`. */
#define FOR_LANES(lanes, lane)                                                              \
  for (unsigned part_ = 0; part_ < HD_LANE_PARTS; part_++)                                  \
    for (uint64_t left_ = hd_word_part(&(lanes), part_); left_; left_ &= left_ - 1)         \
      for (unsigned lane = part_ * 64 + (unsigned)__builtin_ctzll(left_), once_ = 1; once_; \
           once_ = 0)

/* Windows that are being played in the lanes of a group. */
struct batch {
  struct group *g;
  hd_word lanes;     /* lanes that have a window */
  hd_word agreed;    /* lanes that have expected events and have agreed with them so far */
  hd_word expected;  /* quiescent_o of the model */
  hd_word quiescent; /* quiescent_o of the RTL before the step */
  hd_word parked; /* lanes whose state is in g->parked: their window is over, or they have none */
  bool every_cycle, legal;
  bool configures;  /* the block has inputs at the configuration port */
  bool configured;  /* the block before it had some */
  uint32_t awaited; /* step after the last input of all lanes that do not agree with a model */
};

/* Returns the cycle that a lane plays in a step of the block. */
static uint32_t cycle_of(const struct play *play, uint32_t step)
{
  uint32_t i = play->n_runs - 1;
  while (play->runs[i].step > step)
    i--;
  return play->runs[i].cycle + step - play->runs[i].step;
}

/* ── events to rows ────────────────────────────────────────────────────────── */

/* Returns a lane's first row of inputs in a step. Its next rows are HD_LANES words further each. */
static inline uint64_t *input_row(const struct group *g, unsigned lane, uint32_t step)
{
  return g->input_rows + step * INPUT_ROWS * HD_LANES + lane;
}
static inline uint64_t *expected_row(const struct group *g, unsigned lane, uint32_t step)
{
  return g->expected_rows + step * EXPECTED_ROWS * HD_LANES + lane;
}

/* Sets the pins from `pin` on whose bits are set in `bits`. Always writes to two rows, to save a
 * branch. So the arrays have one more row at their end. */
static inline void put_bits(uint64_t *row, uint32_t pin, uint64_t bits)
{
  row += pin / 64 * HD_LANES;
  row[0] |= bits << pin % 64;
  row[HD_LANES] |= bits >> 1 >> (63 - pin % 64);
}

static inline bool has_pin(const uint64_t *row, uint32_t pin)
{
  return row[pin / 64 * HD_LANES] >> pin % 64 & 1;
}

/* Puts a flit into a row. True: the row already had a flit of this port. */
static inline bool put_flit(uint64_t *row, const struct hd_flit_event *e)
{
  const uint32_t pin = e->port * PINS.flit;
  const uint64_t head = 1 | (uint64_t)e->kind << HD_LANE_KIND | (uint64_t)e->vc << HD_LANE_VC;
  const bool had = has_pin(row, pin + HD_LANE_VALID);
#if HD_DATA_W <= 32
  put_bits(row, pin, head | e->data << PINS.data);
#else
  put_bits(row, pin, head);
  put_bits(row, pin + PINS.data, e->data);
#endif
  return had;
}

static inline void put_credit(uint64_t *row, const struct hd_credit_event *e)
{
  put_bits(row, PINS.credit + e->port * HD_VCS, e->vcs);
  if (HD_BARRIER)
    put_bits(row, PINS.barrier + e->port, e->barrier);
  if (COUNTING)
    put_bits(row, PINS.count + e->port * HD_COUNT_BITS, e->count);
}

/* Tests whether the pins can carry a flit. One branch tests all, because in nearly every run they
 * can. */
static inline bool flit_is_legal(const struct hd_flit_event *e)
{
  return !((e->port >= HD_PORTS) | e->vc >> (PINS.data - HD_LANE_VC) | e->kind >> 3 |
           (e->data >> 1) >> (HD_DATA_W - 1));
}

static inline bool credit_is_legal(const struct hd_credit_event *e)
{
  return !((e->port >= HD_PORTS) | e->vcs >> HD_VCS | e->count >> HD_COUNT_BITS |
           (HD_BARRIER ? 0 : e->barrier) | (COUNTING ? 0 : e->count));
}

/* Loops over the events of a list, from index i on, that are in cycles [from, to) and in order. i
 * becomes the index of the next event. */
#define FOR_EVENTS(list, n)                                                    \
  for (uint32_t last_ = from; i < (n) && (list)[i].cycle - last_ < to - last_; \
       last_ = (list)[i++].cycle)

/* Puts the inputs of cycles [from, to) into the rows from `step` on. False: an event is not legal.
 * Stops at an event that is out of order, which hd_cursor_done finds later. Not inlined, so that
 * its loops can use all registers. */
static __attribute__((noinline)) bool put_inputs(struct batch *b, unsigned lane, uint32_t step,
                                                 uint32_t from, uint32_t to)
{
  struct play *play = &b->g->plays[lane];
  const struct hd_dut_job *job = play->job;
  uint64_t *const rows = input_row(b->g, lane, step);
  const struct hd_flit_event *const flits = job->flits_in;
  const struct hd_credit_event *const credits = job->credits_in;
  const uint32_t n_flits = job->n_flits_in, n_credits = job->n_credits_in;
  bool legal = true, had = false;
  uint32_t i;
#define ROW(cycle_) (rows + ((cycle_)-from) * INPUT_ROWS * HD_LANES)
  i = play->in.flit;
  FOR_EVENTS(flits, n_flits)
  {
    if (flit_is_legal(&flits[i]))
      had |= put_flit(ROW(flits[i].cycle), &flits[i]);
    else
      legal = false;
  }
  play->in.flit = i;
  i = play->in.credit;
  FOR_EVENTS(credits, n_credits)
  {
    if (credit_is_legal(&credits[i]))
      put_credit(ROW(credits[i].cycle), &credits[i]);
    else
      legal = false;
  }
  play->in.credit = i;
  i = play->in.config;
  FOR_EVENTS(job->configs_in, job->n_configs_in)
  {
    const struct hd_config_event *e = &job->configs_in[i];
    uint64_t *const row = ROW(e->cycle);
    b->configures = true;
    if (has_pin(row, PINS.write) || e->addr >> HD_LANE_ADDR) {
      legal = false;
      continue;
    }
    put_bits(row, PINS.write, 1);
    put_bits(row, PINS.addr, e->addr);
    put_bits(row, PINS.wdata, e->data);
  }
  play->in.config = i;
#undef ROW
  return legal && !had;
}
#undef FOR_EVENTS

/* Puts the outputs that are expected in cycles [from + 1, to] into a lane's rows from `step` on. */
static __attribute__((noinline)) void put_expected(struct group *g, unsigned lane, uint32_t step,
                                                   uint32_t from, uint32_t to)
{
  struct play *play = &g->plays[lane];
  const struct hd_dut_expected *x = play->job->expected;
  uint64_t *const rows = expected_row(g, lane, step);
  const struct hd_flit_event *const flits = x->flits;
  const struct hd_credit_event *const credits = x->credits;
  const uint32_t n_flits = x->n_flits, n_credits = x->n_credits;
#define ROW(cycle_) (rows + ((cycle_)-from - 1) * EXPECTED_ROWS * HD_LANES)
  uint32_t i;
  for (i = play->flit; i < n_flits && flits[i].cycle <= to; i++)
    put_flit(ROW(flits[i].cycle), &flits[i]);
  play->flit = i;
  for (i = play->credit; i < n_credits && credits[i].cycle <= to; i++)
    put_credit(ROW(credits[i].cycle), &credits[i]);
  play->credit = i;
  for (i = play->toggle; i < x->n_toggles && x->toggles[i] <= to; i++)
    put_bits(ROW(x->toggles[i]), EXPECTED_TOGGLE, 1);
  play->toggle = i;
#undef ROW
}

/* Returns the next cycle of a lane that has an input, or comes just before a cycle with an expected
 * output. `to`: there is none before it. */
static uint32_t next_event(const struct play *play, bool expecting, uint32_t to)
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

/* ── words to events ───────────────────────────────────────────────────────── */

static void take_toggle(struct hd_dut_job *job, uint32_t cycle)
{
  if (job->n_toggles < job->cap_toggles)
    job->toggles[job->n_toggles++] = cycle;
  else
    job->lost++;
}

/* Adds the outputs of these lanes after a step to their jobs. `before` is quiescent_o before the
 * step. */
static void take_outputs(struct group *g, hd_word lanes, hd_word before, uint32_t step)
{
  const hd_word toggled = lanes & (before ^ output(g, PINS.quiescent));
  FOR_LANES(toggled, lane) take_toggle(g->plays[lane].job, cycle_of(&g->plays[lane], step) + 1);
  for (unsigned port = 0; port < HD_PORTS; port++) {
    const hd_word flits = lanes & shows_flit(g, port), credits = lanes & shows_credit(g, port);
    FOR_LANES(flits, lane)
    group_take_flit(g, g->plays[lane].job, cycle_of(&g->plays[lane], step) + 1, port, lane);
    FOR_LANES(credits, lane)
    group_take_credit(g, g->plays[lane].job, cycle_of(&g->plays[lane], step) + 1, port, lane);
  }
}

/* Copies the outputs that are expected before `cycle` to the job: the lane has shown them. */
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

/* ── blocks of steps ───────────────────────────────────────────────────────── */

/* Tests whether a lane's switch is quiescent before its next cycle: by its model, if the lane
 * agrees with one, otherwise by the RTL. */
static bool is_quiescent(const struct batch *b, const struct play *play, unsigned lane)
{
  return has_lane(&b->agreed, lane) ? play->job->expected->quiescent == !(play->toggle & 1)
                                    : has_lane(&b->quiescent, lane);
}

/* Returns the number of cycles from `from` up to a lane's last input that was put into rows. */
static uint32_t inputs_end(const struct play *play, uint32_t from)
{
  const struct hd_dut_job *job = play->job;
  const struct hd_cursor *at = &play->in;
  uint32_t end = from;
  if (at->flit && job->flits_in[at->flit - 1].cycle >= end)
    end = job->flits_in[at->flit - 1].cycle + 1;
  if (at->credit && job->credits_in[at->credit - 1].cycle >= end)
    end = job->credits_in[at->credit - 1].cycle + 1;
  if (at->config && job->configs_in[at->config - 1].cycle >= end)
    end = job->configs_in[at->config - 1].cycle + 1;
  return end - from;
}

/* Plans the next cycles of a lane, at most STEPS, and puts their events into rows. */
static void plan_block(struct batch *b, unsigned lane)
{
  struct play *play = &b->g->plays[lane];
  const struct hd_dut_job *job = play->job;
  const bool agreed = has_lane(&b->agreed, lane), skips = !b->every_cycle && !job->every_cycle;
  uint32_t step = 0;
  play->n_runs = 0;
  while (step < STEPS && play->cycle < job->cycles) {
    uint32_t to =
        job->cycles - play->cycle < STEPS - step ? job->cycles : play->cycle + STEPS - step;
    if (skips && (agreed || !step) && is_quiescent(b, play, lane)) {
      const uint32_t next = next_event(play, agreed, job->cycles);
      play->cycle = next > play->cycle ? next : play->cycle;
      to = agreed                              ? play->cycle + 1
           : job->cycles - play->cycle < STEPS ? job->cycles
                                               : play->cycle + STEPS;
      if (play->cycle == job->cycles)
        break;
    } else if (skips && agreed && play->toggle < job->expected->n_toggles &&
               job->expected->toggles[play->toggle] < to &&
               job->expected->toggles[play->toggle] > play->cycle)
      to = job->expected->toggles[play->toggle];
    play->runs[play->n_runs++] = (struct run){.step = step, .cycle = play->cycle};
    b->legal &= put_inputs(b, lane, step, play->cycle, to);
    if (agreed)
      put_expected(b->g, lane, step, play->cycle, to);
    const uint32_t end = agreed ? 0 : skips ? inputs_end(play, play->cycle) : (uint32_t)STEPS;
    b->awaited = end > b->awaited ? end : b->awaited;
    step += to - play->cycle;
    play->cycle = to;
  }
  play->steps = step;
}

/* Takes the plan of a lane back to the cycle after `steps` steps: the block ends early. */
static void shorten_plan(struct play *play, uint32_t steps)
{
  const struct hd_dut_job *job = play->job;
  const struct hd_dut_expected *x = job->expected;
  if (play->steps <= steps)
    return;
  const uint32_t cycle = cycle_of(play, steps);
  struct hd_cursor *at = &play->in;
  while (at->flit && job->flits_in[at->flit - 1].cycle >= cycle)
    at->flit--;
  while (at->credit && job->credits_in[at->credit - 1].cycle >= cycle)
    at->credit--;
  while (at->config && job->configs_in[at->config - 1].cycle >= cycle)
    at->config--;
  while (play->flit && x->flits[play->flit - 1].cycle > cycle)
    play->flit--;
  while (play->credit && x->credits[play->credit - 1].cycle > cycle)
    play->credit--;
  while (play->toggle && x->toggles[play->toggle - 1] > cycle)
    play->toggle--;
  play->cycle = cycle;
  play->steps = steps;
}

/* Transposes the rows of a step into words, and clears the rows. */
static inline void transpose(uint64_t *rows, uint32_t n, hd_word *words)
{
  for (uint32_t r = 0; r < n; r++)
    for (unsigned k = 0; k < HD_LANE_PARTS; k++) {
      uint64_t *const from = rows + r * HD_LANES + k * 64;
      hd_rows matrix[8];
      memcpy(matrix, from, sizeof matrix);
      memset(from, 0, sizeof matrix);
      hd_transpose(matrix);
#if HD_LANES == 64
      memcpy(&words[r * 64], matrix, sizeof matrix);
#else
      for (unsigned i = 0; i < 64; i++)
        hd_word_put(&words[r * 64 + i], k, matrix[i / 8][i % 8]);
#endif
    }
}

/* Copies the state of lanes whose window is over to g->parked. */
static void save_finished(struct batch *b, hd_word lanes)
{
  struct group *g = b->g;
  if (hd_word_some(&b->parked))
    for (uint32_t i = 0; i < hd_lane_code.state; i++)
      g->parked[i] ^= (g->parked[i] ^ g->now[i]) & lanes;
  else
    memcpy(g->parked, g->now, hd_lane_code.state * sizeof *g->now);
  b->parked |= lanes;
}

/* Plays one step. Returns the lanes that agreed with their model before it and do not after it. */
static hd_word run_step(struct batch *b, hd_word active, uint32_t step)
{
  struct group *g = b->g;
  hd_word differ = {0}, *const x = g->expected;
  transpose(input_row(g, 0, step), b->configures ? INPUT_ROWS : FLIT_ROWS, g->inputs);
  group_step(g, g->inputs, &active);
  group_turn(g);
  if (hd_word_some(&b->agreed)) {
    transpose(expected_row(g, 0, step), EXPECTED_ROWS, x);
    b->expected ^= x[EXPECTED_TOGGLE];
    x[PINS.quiescent] = b->expected;
    hd_lane_code.differ(g->now, x, &differ);
    differ &= b->agreed & active;
    if (hd_word_some(&differ)) {
      FOR_LANES(differ, lane)
      take_expected(&g->plays[lane], cycle_of(&g->plays[lane], step) + 1);
      b->agreed &= ~differ;
    }
  }
  const hd_word open = active & ~b->agreed;
  if (hd_word_some(&open))
    take_outputs(g, open, b->quiescent, step);
  b->quiescent ^= (b->quiescent ^ output(g, PINS.quiescent)) & active;
  return differ;
}

/* Returns the lanes that play a cycle in this step of the block. *change is the next step in which
 * this set changes. */
static hd_word lanes_at(const struct batch *b, hd_word lanes, uint32_t step, uint32_t *change)
{
  hd_word active = {0};
  *change = STEPS;
  FOR_LANES(lanes, lane)
  {
    const uint32_t steps = b->g->plays[lane].steps;
    if (steps > step)
      add_lane(&active, lane);
    if (steps > step && steps < *change)
      *change = steps;
  }
  return active;
}

/* Tests whether a block can end: no lane agrees with a model, all are quiescent, and no input comes
 * from this step on. */
static bool is_over(const struct batch *b, hd_word active, uint32_t step)
{
  const hd_word expecting = active & b->agreed, awake = active & ~b->quiescent;
  return step >= b->awaited && !hd_word_some(&expecting) && !hd_word_some(&awake);
}

/* Prefetches the events that a lane needs next. */
static inline void fetch_events(const struct play *play)
{
  const struct hd_dut_job *job = play->job;
  const struct hd_dut_expected *x = job->expected;
  for (unsigned line = 0; line < 4; line++) {
    __builtin_prefetch((const char *)(job->flits_in + play->in.flit) + 64 * line);
    if (x)
      __builtin_prefetch((const char *)(x->flits + play->flit) + 64 * line);
  }
  for (unsigned line = 0; line < 2; line++) {
    __builtin_prefetch((const char *)(job->credits_in + play->in.credit) + 64 * line);
    if (x)
      __builtin_prefetch((const char *)(x->credits + play->credit) + 64 * line);
  }
}

/* Plays the next block of all lanes. False: no lane has a cycle to play. */
static bool run_block(struct batch *b)
{
  struct group *g = b->g;
  uint32_t step = 0, change;
  const hd_word left = b->lanes & ~b->parked, none = {0};
  hd_word broken = none;
  b->configured = b->configures;
  b->configures = false;
  b->awaited = 0;
  FOR_LANES(left, lane)
  {
    if (lane + 1 < HD_LANES && has_lane(&left, lane + 1))
      fetch_events(&g->plays[lane + 1]);
    plan_block(b, lane);
  }
  if (b->configured && !b->configures)
    memset(g->inputs + FLIT_ROWS * 64, 0, (INPUT_ROWS - FLIT_ROWS) * 64 * sizeof *g->inputs);
  hd_word active = lanes_at(b, left, 0, &change);
  const hd_word idle = left & ~active; /* lanes that skip the rest of their windows */
  if (hd_word_some(&idle))
    save_finished(b, idle);
  bool over = false;
  while (hd_word_some(&active) && !over) {
    for (; step < change && !over; step++) {
      broken = run_step(b, active, step);
      over = hd_word_some(&broken) || is_over(b, active, step + 1);
    }
    const hd_word before = active;
    if (over)
      FOR_LANES(left, lane) shorten_plan(&g->plays[lane], step);
    active = lanes_at(b, left, step, &change);
    hd_word done = before & ~active;
    FOR_LANES(done, lane)
    if (g->plays[lane].cycle < g->plays[lane].job->cycles)
      put_lane(&done, lane, 0);
    if (hd_word_some(&done))
      save_finished(b, done);
  }
  if (hd_word_some(&broken)) {
    memset(g->input_rows, 0, STEPS * INPUT_ROWS * HD_LANES * sizeof *g->input_rows);
    memset(g->expected_rows, 0, STEPS * EXPECTED_ROWS * HD_LANES * sizeof *g->expected_rows);
  }
  FOR_LANES(left, lane) g->plays[lane].job->evaluated_cycles += g->plays[lane].steps;
  return step != 0;
}

/* ── batches ───────────────────────────────────────────────────────────────── */

static void begin_job(struct batch *b, unsigned lane)
{
  struct hd_dut_job *job = b->g->plays[lane].job;
  job->n_flits_out = job->n_credits_out = job->n_toggles = job->lost = job->evaluated_cycles = 0;
  job->quiescent = has_lane(&b->quiescent, lane);
  job->agrees = false;
  if (has_lane(&b->g->early, lane))
    hd_post_reset_events_give(&b->g->earlies[lane], job);
  else if (job->expected && job->expected->quiescent == job->quiescent)
    add_lane(&b->agreed, lane);
  put_lane(&b->expected, lane, job->quiescent);
}

static int end_job(struct batch *b, unsigned lane, struct hd_error *err)
{
  struct play *play = &b->g->plays[lane];
  struct hd_dut_job *job = play->job;
  job->agrees = has_lane(&b->agreed, lane);
  if (job->expected && !job->agrees) /* the true number would depend on other lanes */
    job->evaluated_cycles = job->cycles;
  if (!b->legal)
    return hd_fail(err, HD_E_INPUT, "switch %u: an input event that no pins can carry", job->sw);
  if (!hd_cursor_done(&play->in, job))
    return hd_fail(err, HD_E_INPUT, "switch %u: input events out of order or behind the window",
                   job->sw);
  return 0;
}

int group_run(struct group *g, bool every_cycle, struct hd_dut_job *jobs, size_t n,
              struct hd_error *err)
{
  struct batch b = {.g = g, .every_cycle = every_cycle, .legal = true};
  int status = 0;
  for (size_t i = 0; i < n; i++) {
    add_lane(&b.lanes, jobs[i].sw % HD_LANES);
    g->plays[jobs[i].sw % HD_LANES] = (struct play){.job = &jobs[i]};
  }
  const hd_word due = b.lanes & g->configured, outside = g->used & ~b.lanes;
  if (hd_word_some(&due)) {
    group_clock(g, group_no_inputs(g), &due);
    group_keep_early(g, &due);
  }
  g->configured &= ~due;
  g->reset &= ~b.lanes;
  b.quiescent = output(g, PINS.quiescent);
  if (hd_word_some(&outside))
    save_finished(&b, outside);
  memset(g->inputs, 0, INPUT_ROWS * 64 * sizeof *g->inputs);
  FOR_LANES(b.lanes, lane) begin_job(&b, lane);
  g->early &= ~b.lanes;
  while (run_block(&b))
    ;
  hd_word *const parked = g->parked;
  g->parked = g->now;
  g->now = parked;
  g->is_saved = false;
  FOR_LANES(b.lanes, lane)
  {
    const int wrong = end_job(&b, lane, status ? NULL : err);
    status = status ? status : wrong;
  }
  return status;
}
