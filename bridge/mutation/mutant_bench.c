/* Plays a tape on mutants of a switch, one in each lane.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled into one shared object with the lane code with faults of one parameter set. All lanes
 * get the same inputs, and every cycle is evaluated. Bits that are undefined at power-up are the
 * same in all lanes. The tape chooses one of two patterns for them.
 *
 * Also plays fabrics in which all switches are the same mutant: the lanes backend with the same
 * fault in all lanes.
 */
#include "../backends/lanes/lanes_dut.h"
#include "../backends/lanes/lanes_mutated.h"
#include "mutant_tape.h"

#include <stdlib.h>

enum { ASK = 1024 /* steps between two calls of `stop` */ };

/* A register with a fault in some lanes. Row d + 2·q of its table is the value that it takes, with
 * d the right value and q its present one. */
struct wrong_register {
  uint32_t word;
  hd_word rows[4];
};

struct hd_mutant_bench {
  char options[8]; /* "": a bench is also passed as the options of a DUT */
  struct group *g;
  struct group_wrong wrong;
  hd_word *rows;                    /* [8·luts] */
  hd_word *in, *expect;             /* value of each pin; 0 between steps */
  hd_word *read;                    /* [HD_LANE_CONFIG], value that rdata_o must keep */
  unsigned char *cells, *functions; /* [luts], [functions], for struct hd_lane_wrongs */
  struct wrong_register *registers;
  uint32_t n_registers;             /* [HD_LANES] */
  struct hd_lane_mutant everywhere; /* the mutant that is planted in all lanes */
};

/* ── create ────────────────────────────────────────────────────────────────── */

static hd_word *allocate_words(size_t n)
{
  hd_word *const words = aligned_alloc(64, (n * sizeof *words + 63) / 64 * 64);
  if (words)
    memset(words, 0, n * sizeof *words);
  return words;
}

static void destroy(struct hd_mutant_bench *b)
{
  if (!b)
    return;
  group_destroy(b->g);
  free(b->rows);
  free(b->in);
  free(b->expect);
  free(b->read);
  free(b->cells);
  free(b->functions);
  free(b->registers);
  free(b);
}

static void step(struct group *g, const hd_word *inputs, const hd_word *writes);
static void compute_outputs(const struct group *g, hd_word *state, const hd_word *inputs);

static struct hd_mutant_bench *create(void)
{
  uint64_t seed = 1;
  struct hd_mutant_bench *b = calloc(1, sizeof *b);
  if (!b)
    return NULL;
  b->wrong = (struct group_wrong){step, compute_outputs, b};
  b->everywhere.cell = UINT32_MAX;
  b->g = group_create(HD_LANES, &seed, NULL);
  if (b->g)
    b->g->wrong = &b->wrong;
  b->rows = allocate_words(8 * (size_t)hd_lane_fault_code.luts + 8);
  b->in = allocate_words(PINS.inputs);
  b->expect = allocate_words(PINS.outputs);
  b->read = allocate_words(HD_LANE_CONFIG);
  b->cells = calloc(hd_lane_fault_code.luts + 1, 1);
  b->functions = calloc(hd_lane_fault_code.functions + 1, 1);
  b->registers = aligned_alloc(64, (HD_LANES * sizeof *b->registers + 63) / 64 * 64);
  if (b->g && b->rows && b->in && b->expect && b->read && b->cells && b->functions && b->registers)
    return b;
  destroy(b);
  return NULL;
}

/* Returns pseudo-random bits that depend on `place` alone. */
static uint64_t random_bits(uint64_t place)
{
  uint64_t z = place * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void power_up(struct hd_mutant_bench *b, bool inverted)
{
  struct group *g = b->g;
  for (uint32_t i = 0; i < hd_lane_code.registers; i++) {
    const char init = hd_lane_code.init[i];
    const bool one = init == 'x' ? (random_bits(i + 1) ^ inverted) & 1 : init == '1';
    g->now[i] = one ? hd_word_all() : (hd_word){0};
  }
  for (uint32_t m = 0; m < hd_lane_code.memories; m++) {
    const struct hd_lane_shape *s = &hd_lane_code.shapes[m];
    struct hd_lane_memory *memory = &g->memories[m];
    for (size_t i = 0; i < memory->lane_bytes; i++) {
      const uint64_t any = random_bits(((uint64_t)m + 1) << 32 | i);
      memory->bytes[i] =
          s->known ? s->init ? s->init[i] : 0 : (unsigned char)(inverted ? ~any : any);
    }
    for (size_t l = 1; l < HD_LANES; l++)
      memcpy(memory->bytes + l * memory->lane_bytes, memory->bytes, memory->lane_bytes);
  }
}

/* ── mutants ───────────────────────────────────────────────────────────────── */

static struct wrong_register *register_of(struct hd_mutant_bench *b, uint32_t word)
{
  for (uint32_t i = 0; i < b->n_registers; i++)
    if (b->registers[i].word == word)
      return &b->registers[i];
  struct wrong_register *r = &b->registers[b->n_registers++];
  *r = (struct wrong_register){.word = word};
  return r;
}

static void plant(struct hd_mutant_bench *b, unsigned lane, const struct hd_lane_mutant *m)
{
  const uint32_t luts = hd_lane_fault_code.luts;
  if (m->cell == UINT32_MAX)
    return;
  if (m->cell < luts)
    b->cells[m->cell] = b->functions[hd_lane_fault_code.function[m->cell]] = 1;
  hd_word *const rows =
      m->cell < luts ? &b->rows[8 * (size_t)m->cell] : register_of(b, m->cell - luts)->rows;
  for (unsigned row = 0; row < 8; row++)
    if (m->rows >> row & 1)
      add_lane(&rows[row], lane);
}

static void remove_all(struct hd_mutant_bench *b, const struct hd_lane_mutant *mutants, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (mutants[i].cell < hd_lane_fault_code.luts)
      memset(&b->rows[8 * (size_t)mutants[i].cell], 0, 8 * sizeof *b->rows);
  memset(b->cells, 0, hd_lane_fault_code.luts);
  memset(b->functions, 0, hd_lane_fault_code.functions);
  b->n_registers = 0;
}

/* ── play ──────────────────────────────────────────────────────────────────── */

static struct hd_lane_wrongs wrongs_of(const struct hd_mutant_bench *b)
{
  return (struct hd_lane_wrongs){b->rows, b->cells, b->functions};
}

/* Computes the next state. Memories are written in the lanes of `writes`. */
static void step(struct group *g, const hd_word *inputs, const hd_word *writes)
{
  const struct hd_mutant_bench *b = g->wrong->context;
  const struct hd_lane_wrongs wrongs = wrongs_of(b);
  hd_lane_fault_code.step(g->now, g->next, inputs, g->temporaries, g->memories, writes, &wrongs);
  for (uint32_t i = 0; i < b->n_registers; i++) {
    const struct wrong_register *r = &b->registers[i];
    hd_word *const d = &g->next[r->word];
    *d ^= hd_lane_wrong(r->rows, 2, *d, g->now[r->word], *d);
  }
}

static void compute_outputs(const struct group *g, hd_word *state, const hd_word *inputs)
{
  const struct hd_lane_wrongs wrongs = wrongs_of(g->wrong->context);
  if (hd_lane_fault_code.show)
    hd_lane_fault_code.show(state, inputs, &wrongs);
}

static hd_word differing_lanes(const struct hd_mutant_bench *b, const hd_word *state, uint32_t pin)
{
  return state[hd_lane_code.outputs[pin]] ^ b->expect[pin];
}

/* Returns the lanes whose outputs differ from the expected ones, among those that this step
 * compares. */
static hd_word compare(const struct hd_mutant_bench *b, const hd_word *state, unsigned flags)
{
  hd_word lanes = {0};
  if (flags & HD_STEP_COMPARE)
    hd_lane_code.differ(state, b->expect, &lanes);
  else if (flags & HD_STEP_QUIESCENT)
    lanes = differing_lanes(b, state, PINS.quiescent);
  for (uint32_t i = 0; flags & (HD_STEP_READ | HD_STEP_TAKEN) && i < HD_LANE_CONFIG; i++)
    lanes |= differing_lanes(b, state, PINS.rdata + i);
  for (uint32_t i = 0; flags & HD_STEP_KEPT && i < HD_LANE_CONFIG; i++)
    lanes |= state[hd_lane_code.outputs[PINS.rdata + i]] ^ b->read[i];
  return lanes;
}

static bool differs_in(const struct hd_mutant_bench *b, const hd_word *state, uint32_t from,
                       uint32_t to, unsigned lane)
{
  for (uint32_t pin = from; pin < to; pin++) {
    const hd_word word = differing_lanes(b, state, pin);
    if (has_lane(&word, lane))
      return true;
  }
  return false;
}

/* Finds the wire of a port at which a lane differs. Returns false when none does. */
static bool locate_at(const struct hd_mutant_bench *b, const hd_word *state, unsigned port,
                      unsigned lane, uint8_t *wire)
{
  const uint32_t flit = port * PINS.flit;
  const struct {
    uint8_t wire;
    uint32_t from, n;
    bool flit;
  } groups[] = {
      {HD_WIRE_VALID, flit + HD_LANE_VALID, 1, false},
      {HD_WIRE_KIND, flit + HD_LANE_KIND, HD_LANE_VC - HD_LANE_KIND, true},
      {HD_WIRE_VC, flit + HD_LANE_VC, PINS.data - HD_LANE_VC, true},
      {HD_WIRE_DATA, flit + PINS.data, HD_DATA_W, true},
      {HD_WIRE_CREDIT, PINS.credit + port * HD_VCS, HD_VCS, false},
      {HD_WIRE_BARRIER, PINS.barrier + port, HD_BARRIER != 0, false},
      {HD_WIRE_COUNT, PINS.count + port * HD_COUNT_BITS, COUNTING ? HD_COUNT_BITS : 0, false},
  };
  for (unsigned i = 0; i < sizeof groups / sizeof *groups; i++) {
    *wire = groups[i].wire;
    if ((!groups[i].flit || has_lane(&b->expect[flit], lane)) &&
        differs_in(b, state, groups[i].from, groups[i].from + groups[i].n, lane))
      return true;
  }
  return false;
}

static struct hd_mutant_found locate(const struct hd_mutant_bench *b, const hd_word *state,
                                     const struct hd_lane_step *step, unsigned lane)
{
  struct hd_mutant_found found = {.found = true, .port = 0xffff, .cycle = step->cycle};
  const bool quiescent = step->flags & (HD_STEP_COMPARE | HD_STEP_QUIESCENT) &&
                         differs_in(b, state, PINS.quiescent, PINS.quiescent + 1, lane);
  found.wire = quiescent ? HD_WIRE_QUIESCENT : HD_WIRE_REGISTER;
  if (!(step->flags & HD_STEP_COMPARE))
    return found;
  for (unsigned port = 0; port < HD_PORTS; port++) {
    uint8_t wire;
    if (locate_at(b, state, port, lane, &wire)) {
      found.wire = wire;
      found.port = (uint16_t)port;
      break;
    }
  }
  return found;
}

static void put_pins(struct hd_mutant_bench *b, const struct hd_mutant_tape *tape,
                     const struct hd_lane_step *step, hd_word value)
{
  const uint16_t *pins = tape->pins + step->pins;
  for (unsigned i = 0; i < step->n_inputs; i++)
    b->in[*pins++] = value;
  for (unsigned i = 0; i < step->n_outputs; i++)
    b->expect[*pins++] = value;
}

/* Plays one step. Lanes whose outputs differ are removed from `left`, and found[lane] says
 * where. */
static void play_step(struct hd_mutant_bench *b, const struct hd_mutant_tape *tape,
                      const struct hd_lane_step *at, hd_word *left, struct hd_mutant_found *found)
{
  struct group *g = b->g;
  const hd_word writes = at->flags & HD_STEP_READ ? (hd_word){0} : hd_word_all();
  put_pins(b, tape, at, hd_word_all());
  group_step(g, b->in, &writes);
  if (at->flags & HD_STEP_TAKEN)
    memcpy(b->read, b->expect + PINS.rdata, HD_LANE_CONFIG * sizeof *b->read);
  if (at->flags) {
    const hd_word wrong = compare(b, g->next, at->flags) & *left;
    if (hd_word_some(&wrong))
      for (unsigned lane = 0; lane < HD_LANES; lane++)
        if (has_lane(&wrong, lane))
          found[lane] = locate(b, g->next, at, lane);
    *left &= ~wrong;
  }
  put_pins(b, tape, at, (hd_word){0});
  if (!(at->flags & HD_STEP_READ)) {
    hd_word *const before = g->now;
    g->now = g->next;
    g->next = before;
  }
}

static bool play(struct hd_mutant_bench *b, const struct hd_mutant_tape *tape, uint64_t steps,
                 const struct hd_lane_mutant *mutants, uint32_t n, struct hd_mutant_found *found,
                 uint64_t *done, bool (*stop)(void *context), void *context)
{
  hd_word left = {0};
  bool stopped = false;
  uint64_t s = 0;
  for (uint32_t i = 0; i < n; i++) {
    plant(b, i, &mutants[i]);
    add_lane(&left, i);
    found[i] = (struct hd_mutant_found){.found = false};
  }
  power_up(b, tape->inverted);
  for (; s < steps && s < tape->n_steps && hd_word_some(&left) && !stopped; s++) {
    play_step(b, tape, &tape->steps[s], &left, found);
    stopped = s % ASK == ASK - 1 && stop && stop(context);
  }
  remove_all(b, mutants, n);
  *done = s;
  return !stopped;
}

static void watch(struct hd_mutant_bench *b, const struct hd_mutant_tape *tape, uint64_t every,
                  void (*see)(void *context, const uint64_t *registers), void *context)
{
  uint64_t *const registers = calloc(hd_lane_code.registers / 64 + 1, sizeof *registers);
  hd_word left = {0};
  power_up(b, tape->inverted);
  for (uint64_t s = 0; registers && s < tape->n_steps; s++) {
    play_step(b, tape, &tape->steps[s], &left, NULL);
    if (s % every)
      continue;
    memset(registers, 0, (hd_lane_code.registers / 64 + 1) * sizeof *registers);
    for (uint32_t i = 0; i < hd_lane_code.registers; i++)
      registers[i / 64] |= (uint64_t)has_lane(&b->g->now[i], 0) << i % 64;
    see(context, registers);
  }
  free(registers);
}

/* ── fabrics whose switches are one mutant ─────────────────────────────────── */

static void plant_everywhere(struct hd_mutant_bench *b, const struct hd_lane_mutant *mutant)
{
  remove_all(b, &b->everywhere, 1);
  b->everywhere = *mutant;
  for (unsigned lane = 0; lane < HD_LANES; lane++)
    plant(b, lane, mutant);
}

static int create_fabric(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                         const char *options, struct hd_error *err)
{
  const struct hd_mutant_bench *b = (const void *)options;
  (void)params;
  return lanes_dut_create(dut, count, false, &b->wrong, err);
}

__attribute__((visibility("default"))) const struct hd_lane_bench_ops *hd_lane_bench(void)
{
  static struct hd_dut_ops fabric;
  static const struct hd_lane_bench_ops ops = {.lanes = HD_LANES,
                                               .luts = &hd_lane_fault_code.luts,
                                               .create = create,
                                               .destroy = destroy,
                                               .play = play,
                                               .watch = watch,
                                               .dut = &fabric,
                                               .plant = plant_everywhere};
  fabric = *hd_dut_backend();
  fabric.create = create_fabric;
  return &ops;
}
