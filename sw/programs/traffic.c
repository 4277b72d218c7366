/* Program traffic, and programs with short names for it: open-loop packets by any pattern.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A node has a flow for each class of packets, and each flow knows the cycle of its next packet.
 * While a flow is on, it sends with the same probability in each cycle. So the gaps are geometric,
 * and one random number draws a gap. With bursts, the lengths of bursts and pauses are geometric,
 * too (Dally and Towles, Principles and Practices of Interconnection Networks, 24.2).
 */
#include "patterns.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const uint64_t never = UINT64_MAX;

struct flow {
  struct hd_destinations to;
  struct hd_weighted sizes; /* sizes of packets, in flits */
  uint32_t network, priority, number;
  double gap_scale; /* 1/ln(1−p), with p the probability of a packet in a cycle */
  uint64_t at;      /* cycle of the next packet, or `never` */
  uint64_t free;    /* first cycle for which nothing is drawn yet */
  uint64_t left;    /* packets of the batch that are left */
  bool bursts, on;
  /** 1/ln(1−p), with p the probability that a burst or pause ends in a cycle */
  double on_scale, off_scale;
  uint64_t phase_end;
};

/* ── times of packets ────────────────────────────────────────────────────── */

/* Draws the number of failures before the first success of probability p; scale = 1/ln(1−p). The
 * caller rounds it down. log1p(−1) is −∞ and its inverse 0. */
static double draw_failures(struct hd_ep *ep, double scale)
{
  return log(1 - hd_ep_random_unit(ep)) * scale; /* its floor counts */
}

static void begin_phase(struct hd_ep *ep, struct flow *f, bool on, uint64_t cycles)
{
  const double more = draw_failures(ep, on ? f->on_scale : f->off_scale);
  f->on = on;
  f->phase_end = more >= (double)(cycles - f->free) ? cycles : f->free + 1 + (uint64_t)more;
}

static void draw_next_packet(struct hd_ep *ep, struct flow *f, uint64_t cycles)
{
  f->at = never;
  while (f->free < cycles) {
    if (f->on) {
      const uint64_t end = f->bursts ? f->phase_end : cycles;
      const double gap = draw_failures(ep, f->gap_scale);
      if (gap < (double)(end - f->free)) {
        f->at = f->free + (uint64_t)gap;
        f->free = f->at + 1;
        return;
      }
      if (!f->bursts)
        return;
      f->free = f->phase_end;
    } else
      f->free = f->phase_end;
    if (f->free < cycles)
      begin_phase(ep, f, !f->on, cycles);
  }
}

static void begin_bursts(struct hd_ep *ep, struct flow *f, uint32_t part, double *probability,
                         uint64_t cycles)
{
  const double on = hd_class_number(ep, "burst_cycles", part, 100, 1, 1e15),
               off = hd_class_number(ep, "pause_cycles", part, 100, 1, 1e15);
  *probability *= (on + off) / on;
  if (*probability > 1)
    hd_ep_reject(ep, "load",
                 "too much: with bursts of %g cycles and pauses of %g, %.3g packets would have to "
                 "leave in each cycle of a burst; legal: at most 1",
                 on, off, *probability);
  f->bursts = true;
  f->on_scale = 1 / log1p(-1 / on);
  f->off_scale = 1 / log1p(-1 / off);
  begin_phase(ep, f, hd_ep_random_unit(ep) < on / (on + off), cycles);
}

static void begin_batch(struct hd_ep *ep, struct flow *f, uint32_t part)
{
  f->left = f->to.weight > 0 ? hd_class_integer(ep, "batch", part, 100, 1, 1 << 20) : 0;
  f->at = f->left ? 0 : never;
}

/* ── sizes and classes ───────────────────────────────────────────────────── */

static void read_sizes(struct hd_ep *ep, uint32_t part, struct hd_weighted *sizes)
{
  const uint32_t most = hd_ep_packet_flits(ep);
  const bool one = hd_class_values(ep, "flits") < 2
                       ? !hd_class_values(ep, "flits") || hd_ep_is_number(ep, "flits")
                       : !strchr(hd_class_text(ep, "flits", part, ""), ':');
  if (one)
    *sizes =
        (struct hd_weighted){1, {hd_class_integer(ep, "flits", part, 4, 1, HD_FLITS_MAX)}, {1}};
  else
    hd_class_weighted(ep, "flits", part, 1, HD_FLITS_MAX, sizes);
  for (uint32_t i = 0; i < sizes->n; i++)
    if (sizes->values[i] > most)
      hd_ep_reject(ep, "flits",
                   "%" PRIu64 "; virtual cut-through takes packets of 1 … %" PRIu32 " flits here",
                   sizes->values[i], most);
}

static double mean_size(const struct hd_weighted *sizes)
{
  double sum = 0;
  for (uint32_t i = 0; i < sizes->n; i++)
    sum += (double)sizes->values[i] * (sizes->until[i] - (i ? sizes->until[i - 1] : 0));
  return sum / sizes->until[sizes->n - 1];
}

static uint32_t draw_size(struct hd_ep *ep, const struct hd_weighted *sizes)
{
  uint64_t size = sizes->values[sizes->n - 1];
  if (sizes->n > 1)
    hd_weighted_find(sizes, hd_ep_random_unit(ep) * sizes->until[sizes->n - 1], &size);
  return (uint32_t)size;
}

static uint32_t count_classes(struct hd_ep *ep)
{
  static const char *const keys[] = {"pattern", "share", "flits", "network", "priority"};
  uint32_t classes = 1;
  const char *of = NULL;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const uint32_t n = hd_class_values(ep, keys[i]);
    if (n > 1 && of && n != classes)
      hd_ep_reject(ep, keys[i],
                   "has %" PRIu32 " parts, and %s has %" PRIu32 "; each is for a class", n, of,
                   classes);
    if (n > HD_EP_CLASSES)
      hd_ep_reject(ep, keys[i], "has %" PRIu32 " parts; legal: 1 … %d", n, HD_EP_CLASSES);
    of = n > 1 ? keys[i] : of;
    classes = n > 1 ? n : classes;
  }
  return classes;
}

/* Returns this class' part of the load. */
static double share_of_class(struct hd_ep *ep, uint32_t part, uint32_t classes)
{
  double sum = 0;
  for (uint32_t i = 0; i < classes; i++)
    sum += hd_class_number(ep, "share", i, 1, 0, 1e6);
  if (!(sum > 0))
    hd_ep_reject(ep, "share", "no class has a share above 0");
  return hd_class_number(ep, "share", part, 1, 0, 1e6) / sum;
}

enum injection { BERNOULLI, BURSTS, BATCH, INJECTIONS };

static enum injection injection_of(struct hd_ep *ep)
{
  static const char *const names[INJECTIONS] = {"bernoulli", "bursts", "batch"};
  const char *name = hd_ep_text(ep, "injection", names[0]);
  for (unsigned i = 0; i < INJECTIONS; i++)
    if (!strcmp(name, names[i]))
      return (enum injection)i;
  hd_ep_reject(ep, "injection", "'%s'; legal: bernoulli, bursts, batch", name);
}

/* ── flows ────────────────────────────────────────────────────────────────── */

static void begin_flow(struct hd_ep *ep, struct flow *f, const struct hd_pattern *pattern,
                       uint32_t part, uint32_t classes, uint64_t cycles)
{
  *f = (struct flow){.number = part, .on = true, .at = never};
  hd_pattern_prepare(ep, pattern, part, &f->to);
  read_sizes(ep, part, &f->sizes);
  f->network = (uint32_t)hd_class_integer(ep, "network", part, 0, 0, hd_ep_networks(ep) - 1);
  f->priority = (uint32_t)hd_class_integer(ep, "priority", part, 0, 0, HD_EP_PRIORITIES - 1);
  const enum injection injection = injection_of(ep);
  if (injection == BATCH) {
    begin_batch(ep, f, part);
    return;
  }
  const double own = f->to.load * (f->to.load_is_packets ? mean_size(&f->sizes) : 1);
  /* If the rates of a file are too much, the message below names a node for which they are. */
  const double mean =
      own <= 1 || hd_ep_is_number(ep, "load") ? hd_program_number(ep, "load", own, 0, 1) : own;
  const double load = mean * share_of_class(ep, part, classes) * f->to.weight;
  double probability = load / mean_size(&f->sizes);
  if (load > 1 + 1e-9)
    hd_ep_reject(ep, "load", "too much: node %d would send %.4g flits in a cycle; legal: at most 1",
                 hd_ep_rank(ep), load);
  if (probability <= 0)
    return;
  if (injection == BURSTS)
    begin_bursts(ep, f, part, &probability, cycles);
  f->gap_scale = 1 / log1p(-probability);
  draw_next_packet(ep, f, cycles);
}

static void send(struct hd_ep *ep, struct flow *f)
{
  const int destination = f->to.pick ? f->to.pick(ep, f->to.context) : f->to.fixed;
  if (destination < 0)
    return;
  hd_ep_use_network(ep, f->network);
  hd_ep_use_class(ep, f->number);
  hd_ep_use_priority(ep, f->priority);
  hd_ep_inject(ep, destination, draw_size(ep, &f->sizes));
}

static struct flow *earliest_flow(struct flow *flows, uint32_t n)
{
  struct flow *first = flows;
  for (uint32_t i = 1; i < n; i++)
    if (flows[i].at < first->at)
      first = &flows[i];
  return first;
}

/* Times at which the node returns no credits (§4.6), so that all slots of the buffers on the way to
 * it are used. */
struct holds {
  uint64_t at; /* cycle of the next one, or `never` */
  uint64_t every, length;
};

static struct holds init_holds(struct hd_ep *ep, uint64_t cycles)
{
  const uint64_t every = hd_program_integer(ep, "hold_every", 1000, 1, HD_INTEGER_MAX);
  const uint64_t length = hd_program_integer(ep, "hold_cycles", 0, 0, every);
  const uint64_t first = every - length;
  return (struct holds){length && first < cycles ? first : never, every, length};
}

static void hold_interface(struct hd_ep *ep, struct holds *h, uint64_t cycles)
{
  hd_ep_hold(ep, h->at + h->length < cycles ? h->length : cycles - h->at);
  h->at = h->every < cycles - h->at ? h->at + h->every : never;
}

/* Rejects settings that have no effect with the others. */
static void reject_unused(struct hd_ep *ep)
{
  const enum injection injection = injection_of(ep);
  const bool over_time = injection != BATCH;
  hd_program_reject_without_effect(ep, "load", over_time, "injection: bernoulli or bursts");
  hd_program_reject_without_effect(ep, "share", over_time, "injection: bernoulli or bursts");
  hd_program_reject_without_effect(ep, "cycles",
                                   over_time || hd_program_is_given(ep, "hold_cycles"),
                                   "injection: bernoulli or bursts, or hold_cycles");
  hd_program_reject_without_effect(ep, "burst_cycles", injection == BURSTS, "injection: bursts");
  hd_program_reject_without_effect(ep, "pause_cycles", injection == BURSTS, "injection: bursts");
  hd_program_reject_without_effect(ep, "batch", injection == BATCH, "injection: batch");
  hd_program_reject_without_effect(ep, "hold_every", hd_program_is_given(ep, "hold_cycles"),
                                   "hold_cycles");
}

/* Runs the program. With `pattern` NULL, the scenario names a pattern for each class. */
static void run_traffic(struct hd_ep *ep, const struct hd_pattern *pattern)
{
  const uint64_t cycles = hd_program_integer(ep, "cycles", 10000, 1, HD_INTEGER_MAX);
  const uint32_t n = count_classes(ep);
  reject_unused(ep);
  struct flow *flows = hd_ep_alloc(ep, n * sizeof *flows);
  for (uint32_t i = 0; i < n; i++)
    begin_flow(ep, &flows[i], pattern ? pattern : hd_class_pattern(ep, i), i, n, cycles);
  struct holds holds = init_holds(ep, cycles);
  const uint64_t start = hd_ep_time(ep);
  for (;;) {
    struct flow *f = earliest_flow(flows, n);
    if (f->at == never && holds.at == never)
      return;
    if (holds.at <= f->at) {
      hd_ep_wait_until(ep, start + holds.at);
      hold_interface(ep, &holds, cycles);
      continue;
    }
    hd_ep_wait_until(ep, start + f->at);
    send(ep, f);
    if (!f->left)
      draw_next_packet(ep, f, cycles);
    else if (!--f->left)
      f->at = never;
  }
}

/* ── programs ─────────────────────────────────────────────────────────────── */

#define PARAMETERS                                                                         \
  "load: flits that a node injects in a cycle on average, 0 to 1 (0.1)",                   \
      "flits: length of a packet, header included; or sizes with weights, as 1:3+5:1 (4)", \
      "cycles: cycles in which packets are injected (10000)",                              \
      "hold_cycles: nodes give no credits in the last cycles of each hold_every (0)",      \
      "hold_every: cycles from one hold to the next, with hold_cycles (1000)",             \
      "injection: bernoulli; bursts, which begin and end at random; batch, all at once "   \
      "(bernoulli)",                                                                       \
      "burst_cycles: mean length of bursts, with injection: bursts (100)",                 \
      "pause_cycles: mean length of pauses, with injection: bursts (100)",                 \
      "batch: number of packets of a node in each class, with injection: batch (100)",     \
      "share: part of the load of each class, as 0.7 | 0.3 (equal)",                       \
      "network: virtual network (0)",                                                      \
      "priority: at the nodes' interfaces, 0 to 7; of waiting packets, the highest goes first (0)"

#define SHORT_NAME(pattern, name_, about_, ...)                                                \
  static void run_##pattern(struct hd_ep *ep)                                                  \
  {                                                                                            \
    run_traffic(ep, &hd_pattern_##pattern);                                                    \
  }                                                                                            \
  static const char *const parameters_##pattern[] = {PARAMETERS, __VA_ARGS__};                 \
  const struct hd_program hd_program_##pattern = {                                             \
      .name = name_,                                                                           \
      .about = "open-loop packets, " about_ "; `traffic` with this pattern; parameters below", \
      .main = run_##pattern,                                                                   \
      .parameters = parameters_##pattern,                                                      \
  };

SHORT_NAME(uniform, "uniform", "each to a random other node", NULL)
SHORT_NAME(hotspot, "hotspot", "uniform, but a part goes to hot nodes", HD_HOTSPOT_PARAMETERS, NULL)
SHORT_NAME(transpose, "transpose", "from (column, row) to (row, column)", HD_GRID_PARAMETER, NULL)
SHORT_NAME(bit_complement, "bit-complement", "to the rank with all bits inverted", NULL)
SHORT_NAME(tornado, "tornado", "almost half-way around each dimension of the grid",
           HD_GRID_PARAMETER, HD_DIMS_PARAMETER, NULL)
SHORT_NAME(neighbour, "neighbour", "one further in each dimension of the grid", HD_GRID_PARAMETER,
           HD_DIMS_PARAMETER, NULL)
SHORT_NAME(permutation, "permutation", "to the node that a random permutation names",
           HD_PERMUTATION_PARAMETER, NULL)

static void run(struct hd_ep *ep)
{
  run_traffic(ep, NULL);
}

static const char *const parameters[] = {
    "pattern: traffic pattern, one of `heddle programs --patterns` (uniform)",
    PARAMETERS,
    HD_PATTERN_PARAMETERS,
    NULL,
};

const struct hd_program hd_program_traffic = {
    .name = "traffic",
    .about =
        "open-loop packets by a pattern, or by several as classes: values with | between them, "
        "as `pattern: uniform | hotspot`; parameters below",
    .main = run,
    .parameters = parameters,
};
