/* A group of switches, one in each lane of the words: clock, configuration, reset, snapshots.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lanes_group.h"

#include "../../../cmodel/grow.h"
#include "lanes_transpose.h"

#include <stdlib.h>

static const struct hd_lane_code *const k_code = &hd_lane_code;

/* ── clock ─────────────────────────────────────────────────────────────────── */

/* Computes the outputs that are not registers. */
static void show(const struct group *g, hd_word *state, const hd_word *inputs)
{
  if (g->wrong)
    g->wrong->show(g, state, inputs);
  else if (k_code->show)
    k_code->show(state, inputs);
}

void group_step(struct group *g, const hd_word *inputs, const hd_word *writes)
{
  if (g->wrong)
    g->wrong->step(g, inputs, writes);
  else
    k_code->step(g->now, g->next, inputs, g->temporaries, g->memories, writes);
  show(g, g->next, inputs);
}

void group_clock(struct group *g, const hd_word *inputs, const hd_word *lanes)
{
  const hd_word still = g->used & ~*lanes;
  group_step(g, inputs, lanes);
  if (hd_word_some(&still))
    for (uint32_t i = 0; i < k_code->state; i++)
      g->next[i] ^= (g->next[i] ^ g->now[i]) & still;
  group_turn(g);
}

void group_take_flit(const struct group *g, struct hd_dut_job *job, uint32_t cycle, unsigned port,
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

void group_take_credit(const struct group *g, struct hd_dut_job *job, uint32_t cycle, unsigned port,
                       unsigned lane)
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

void group_keep_early(struct group *g, const hd_word *lanes)
{
  hd_word some = {0};
  for (unsigned port = 0; port < HD_PORTS; port++)
    some |= shows_flit(g, port) | shows_credit(g, port);
  some &= *lanes & g->used & ~g->early;
  if (!hd_word_some(&some))
    return;
  g->early |= some;
  for (unsigned lane = 0; lane < HD_LANES; lane++) {
    if (!has_lane(&some, lane))
      continue;
    struct hd_dut_job window = hd_post_reset_events_window(&g->earlies[lane]);
    for (unsigned port = 0; port < HD_PORTS; port++) {
      const hd_word flits = shows_flit(g, port), credits = shows_credit(g, port);
      if (has_lane(&flits, lane))
        group_take_flit(g, &window, 0, port, lane);
      if (has_lane(&credits, lane))
        group_take_credit(g, &window, 0, port, lane);
    }
    hd_post_reset_events_keep(&g->earlies[lane], &window);
  }
}

hd_word *group_no_inputs(struct group *g)
{
  memset(g->inputs, 0, PINS.inputs * sizeof *g->inputs);
  return g->inputs;
}

int group_write(struct group *g, unsigned lane, uint32_t addr, uint16_t data, struct hd_error *err)
{
  struct lane *l = &g->lanes[lane];
  if (!HD_ROOM(l->writes, l->cap_writes, l->n_writes, 1))
    return hd_fail(err, HD_E_NOMEM, "out of memory in the lanes backend");
  l->writes[l->n_writes++] = (struct write){.addr = addr & 0xfffff, .data = data};
  return 0;
}

size_t group_flush(struct group *g)
{
  size_t written = 0;
  for (size_t i = 0;; i++) {
    hd_word *const in = group_no_inputs(g);
    hd_word lanes = {0};
    for (unsigned l = 0; l < HD_LANES; l++)
      if (i < g->lanes[l].n_writes) {
        add_lane(&lanes, l);
        add_bits(in + PINS.addr, l, g->lanes[l].writes[i].addr);
        add_bits(in + PINS.wdata, l, g->lanes[l].writes[i].data);
        written++;
      }
    if (!hd_word_some(&lanes))
      break;
    in[PINS.write] = lanes;
    group_clock(g, in, &lanes);
    group_keep_early(g, &lanes);
    g->configured |= lanes;
  }
  for (unsigned l = 0; l < HD_LANES; l++)
    g->lanes[l].n_writes = 0;
  return written;
}

/* ── create and reset ──────────────────────────────────────────────────────── */

/* Returns pseudo-random bits (splitmix64). They are the same in every run. */
static uint64_t next_random(uint64_t *seed)
{
  uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

#define SAVED_ROWS (((size_t)k_code->state + 63) / 64)

static hd_word *allocate_words(size_t n)
{
  hd_word *const words = aligned_alloc(64, (n * sizeof *words + 63) / 64 * 64);
  if (words)
    memset(words, 0, n * sizeof *words);
  return words;
}

/* Allocates n words, all 0, for each lane and step of a block. */
static uint64_t *rows(size_t n)
{
  return (uint64_t *)allocate_words((STEPS * n + 1) * 64);
}

void group_destroy(struct group *g)
{
  if (!g)
    return;
  for (uint32_t m = 0; g->memories && m < k_code->memories; m++)
    free(g->memories[m].bytes);
  for (unsigned l = 0; l < HD_LANES; l++)
    free(g->lanes[l].writes);
  free(g->memories);
  free(g->now);
  free(g->next);
  free(g->temporaries);
  free(g->parked);
  free(g->saved);
  free(g->inputs);
  free(g->expected);
  free(g->input_rows);
  free(g->expected_rows);
  pthread_mutex_destroy(&g->lock);
  free(g);
}

/* Transposes the state into rows of 64 bits: row r of lane l is saved[r · HD_LANES + l]. This takes
 * no longer for all lanes than for one. */
static void save_rows(struct group *g)
{
  for (size_t r = 0; r < SAVED_ROWS && !g->is_saved; r++)
    for (unsigned k = 0; k < HD_LANE_PARTS; k++) {
      hd_rows matrix[8];
      for (unsigned i = 0; i < 64; i++)
        matrix[i / 8][i % 8] =
            r * 64 + i < k_code->state ? hd_word_part(&g->now[r * 64 + i], k) : 0;
      hd_transpose(matrix);
      memcpy(g->saved + r * HD_LANES + k * 64, matrix, sizeof matrix);
    }
  g->is_saved = true;
}

/* Allocates the memories with their content at power-up: initial values, or pseudo-random bits. */
static bool make_memories(struct group *g, uint64_t *seed)
{
  g->memories = calloc(k_code->memories + 1, sizeof *g->memories);
  for (uint32_t m = 0; g->memories && m < k_code->memories; m++) {
    const struct hd_lane_shape *s = &k_code->shapes[m];
    struct hd_lane_memory *memory = &g->memories[m];
    memory->lane_bytes = (size_t)s->rows * s->row_bytes;
    memory->bytes = calloc(HD_LANES, memory->lane_bytes);
    if (!memory->bytes)
      return false;
    for (size_t i = 0; !s->known && i < HD_LANES * memory->lane_bytes; i++)
      memory->bytes[i] = (unsigned char)next_random(seed);
    for (size_t l = 0; s->init && l < HD_LANES; l++)
      memcpy(memory->bytes + l * memory->lane_bytes, s->init, memory->lane_bytes);
  }
  return g->memories != NULL;
}

struct group *group_create(uint32_t lanes, uint64_t *seed, const struct group_wrong *wrong)
{
  struct group *g = aligned_alloc(64, (sizeof *g + 63) / 64 * 64);
  if (!g)
    return NULL;
  memset(g, 0, sizeof *g);
  g->wrong = wrong;
  pthread_mutex_init(&g->lock, NULL);
  g->now = allocate_words(k_code->state);
  g->next = allocate_words(k_code->state);
  g->temporaries = allocate_words(k_code->temporaries);
  g->parked = allocate_words(k_code->state);
  g->saved = (uint64_t *)allocate_words(SAVED_ROWS * 64);
  g->inputs = allocate_words((size_t)INPUT_ROWS * 64);
  g->expected = allocate_words(EXPECTED_ROWS * 64 + (size_t)PINS.outputs);
  g->input_rows = rows(INPUT_ROWS);
  g->expected_rows = rows(EXPECTED_ROWS);
  if (!g->now || !g->next || !g->temporaries || !g->parked || !g->saved || !g->inputs ||
      !g->expected || !g->input_rows || !g->expected_rows || !make_memories(g, seed)) {
    group_destroy(g);
    return NULL;
  }
  for (uint32_t l = 0; l < lanes; l++)
    add_lane(&g->used, l);
  for (uint32_t l = 0; l < lanes; l += 2)
    add_lane(&g->filled, l);
  g->reset = hd_word_all();
  for (uint32_t i = 0; i < k_code->registers; i++)
    for (unsigned k = 0; k < HD_LANE_PARTS; k++)
      hd_word_put(&g->now[i], k,
                  k_code->init[i] == 'x' ? next_random(seed)
                                         : (k_code->init[i] == '1' ? ~UINT64_C(0) : 0));
  const hd_word all = hd_word_all();
  hd_word *const in = group_no_inputs(g);
  in[PINS.rst] = all;
  group_clock(g, in, &all);
  return g;
}

void group_reset(struct group *g)
{
  const hd_word all = hd_word_all();
  group_flush(g);
  /* Reset wins over all inputs, and needs none (§2.9). So some switches have inputs at every pin
   * now. */
  g->filled ^= ~g->reset;
  hd_word *const in = group_no_inputs(g);
  for (unsigned port = 0; port < HD_PORTS; port++)
    in[port * PINS.flit + HD_LANE_VALID] = g->filled;
  for (uint32_t pin = PINS.credit; pin < PINS.both; pin++)
    in[pin] = g->filled;
  in[PINS.rst] = all;
  group_clock(g, in, &all);
  show(g, g->now, group_no_inputs(g));
  g->configured = (hd_word){0};
  g->reset = all;
  group_keep_early(g, &all);
}

/* ── snapshots ─────────────────────────────────────────────────────────────── */

struct snapshot_head {
  char magic[8];
  uint32_t state, memory_bytes;
  uint8_t configured, reset, early, zero[5];
};
_Static_assert(sizeof(struct snapshot_head) == 24, "a snapshot's head has no padding");
static const char k_magic[8] = {'h', 'd', '_', 'l', 'a', 'n', '0', '4'};

static size_t memory_bytes(const struct group *g)
{
  size_t bytes = 0;
  for (uint32_t m = 0; m < k_code->memories; m++)
    bytes += g->memories[m].lane_bytes;
  return bytes;
}

static size_t snapshot_bytes(const struct group *g, const struct snapshot_head *head)
{
  return sizeof *head + SAVED_ROWS * 8 + memory_bytes(g) +
         (head->early ? sizeof(struct hd_post_reset_events) : 0);
}

int group_save(struct group *g, unsigned lane, struct hd_dut_buffer *buffer, struct hd_error *err)
{
  struct snapshot_head head = {.state = k_code->state,
                               .memory_bytes = (uint32_t)memory_bytes(g),
                               .configured = has_lane(&g->configured, lane),
                               .reset = has_lane(&g->reset, lane),
                               .early = has_lane(&g->early, lane)};
  const size_t bytes = snapshot_bytes(g, &head);
  memcpy(head.magic, k_magic, sizeof k_magic);
  if (!HD_ROOM(buffer->bytes, buffer->capacity, buffer->length, bytes))
    return hd_fail(err, HD_E_NOMEM, "out of memory in the lanes backend");
  unsigned char *to = buffer->bytes + buffer->length;
  memcpy(to, &head, sizeof head);
  to += sizeof head;
  save_rows(g);
  for (size_t r = 0; r < SAVED_ROWS; r++, to += 8)
    memcpy(to, &g->saved[r * HD_LANES + lane], 8);
  for (uint32_t m = 0; m < k_code->memories; m++) {
    const struct hd_lane_memory *memory = &g->memories[m];
    memcpy(to, memory->bytes + lane * memory->lane_bytes, memory->lane_bytes);
    to += memory->lane_bytes;
  }
  if (head.early)
    memcpy(to, &g->earlies[lane], sizeof g->earlies[lane]);
  buffer->length += bytes;
  return 0;
}

int group_restore(struct group *g, unsigned lane, const struct hd_dut_buffer *buffer, uint32_t sw,
                  struct hd_error *err)
{
  struct snapshot_head head = {0};
  if (buffer->length >= sizeof head)
    memcpy(&head, buffer->bytes, sizeof head);
  if (memcmp(head.magic, k_magic, sizeof k_magic) || head.state != k_code->state ||
      head.memory_bytes != memory_bytes(g) || buffer->length != snapshot_bytes(g, &head))
    return hd_fail(err, HD_E_INPUT, "switch %u: this is no snapshot of this backend", sw);
  const unsigned char *from = buffer->bytes + sizeof head;
  for (uint32_t i = 0; i < k_code->state; i++) {
    uint64_t row;
    memcpy(&row, from + i / 64 * 8, 8);
    put_lane(&g->now[i], lane, row >> i % 64);
  }
  g->is_saved = false;
  from += SAVED_ROWS * 8;
  for (uint32_t m = 0; m < k_code->memories; m++) {
    const struct hd_lane_memory *memory = &g->memories[m];
    memcpy(memory->bytes + lane * memory->lane_bytes, from, memory->lane_bytes);
    from += memory->lane_bytes;
  }
  put_lane(&g->configured, lane, head.configured);
  put_lane(&g->reset, lane, head.reset);
  put_lane(&g->early, lane, head.early);
  if (head.early)
    memcpy(&g->earlies[lane], from, sizeof g->earlies[lane]);
  return 0;
}
