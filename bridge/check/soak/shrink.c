/* Makes a failing scenario small: greedily, keeping each change under which it still fails.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A change is a function that gets a number from 0 on. It changes the scenario and returns CHANGED, or returns NEXT, where
 * it has no change of that number, or END, where it has none of a larger number either. Changes of the switch's parameters
 * need another build of the RTL, so they come when all else is small.
 */
#include "soak.h"
#include "../../host/clock.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum verdict { END, NEXT, CHANGED };
typedef enum verdict change_function(struct soak_case *c, uint32_t i,
                                     const struct soak_result *last);

static enum verdict lower_to(uint32_t *value, uint32_t to)
{
  if (*value <= to)
    return NEXT;
  *value = to;
  return CHANGED;
}

/* A change that sets a value to a smaller one; KEEP: it does not apply. */
struct lower {
  uint32_t *value, to;
};
enum { KEEP = UINT32_MAX };
#define LOWER(steps, i) \
  ((i) < sizeof(steps) / sizeof *(steps) ? lower_to((steps)[i].value, (steps)[i].to) : END)

static uint32_t one_less(uint32_t value)
{
  return value > 1 ? value - 1 : KEEP;
}

/* ── changes that keep the switch ──────────────────────────────────────────── */

/* Compares exactly, before all other changes: a comparison by order or by packets might not show what they keep. */
static enum verdict compare_exactly(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  (void)last;
  if (i || c->compare == HD_COMPARE_EXACT)
    return END;
  c->compare = HD_COMPARE_EXACT;
  return CHANGED;
}

/* Takes routing tables in place of computed routes. That needs another build, but then any fabric is possible. */
static enum verdict with_tables(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  (void)last;
  if (i || !c->sw.route)
    return END;
  c->sw.route = HD_ROUTE_BY_TABLE;
  c->sw.fields = 0;
  c->sw.route_cycles = 1;
  return CHANGED;
}

static enum verdict fewer_cycles(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  uint32_t known = last->divergence_cycle && last->divergence_cycle < c->cycles
                       ? (uint32_t)last->divergence_cycle + 1
                       : c->cycles;
  const uint32_t to[] = {known, c->cycles / 2, c->cycles - c->cycles / 4,
                         c->cycles - c->cycles / 16};
  return i == 4 ? END : to[i] ? lower_to(&c->cycles, to[i]) : NEXT;
}

static enum verdict plainer_run(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  const struct lower steps[] = {[0] = {&c->threads, 1},
                                [3] = {&c->link_cycles, 1},
                                [4] = {&c->startup_cycles, 0},
                                [6] = {&c->idle_cycles, c->sw.barrier ? HD_IDLE_AT_RESET : KEEP},
                                [7] = {&c->idle_cycles, c->sw.barrier ? 1 : KEEP},
                                [8] = {&c->networks, 1},
                                [10] = {&c->credit_cap, 0},
                                [11] = {&c->bias, 0}};
  (void)last;
  switch (i) {
  case 1:
    if (c->mode == HD_MODE_DECOUPLED || c->compare != HD_COMPARE_EXACT)
      return NEXT;
    c->mode = HD_MODE_DECOUPLED;
    return CHANGED;
  case 2:
    if (c->window_cycles == 256)
      return NEXT;
    c->window_cycles = 256;
    return CHANGED;
  case 5:
    if (!c->always_top)
      return NEXT;
    c->always_top = false;
    return CHANGED;
  case 9:
    if (!hd_soak_has_latencies(c))
      return NEXT;
    hd_soak_latencies_drop(c);
    return CHANGED;
  default:
    return LOWER(steps, i);
  }
}

/* Reduces barrier groups, their members, and what these do between rounds. */
static enum verdict fewer_groups(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  const struct lower steps[] = {{&c->groups, 1},
                                {&c->groups, one_less(c->groups)},
                                {&c->members, 1},
                                {&c->members, c->members > 2 ? c->members / 2 : KEEP},
                                {&c->members, one_less(c->members)},
                                {&c->center, 0},
                                {&c->compute, 0},
                                {&c->compute, c->compute / 2},
                                {&c->start, 0},
                                {&c->congested, 0},
                                {&c->congested, c->congested / 2},
                                {&c->congestion, c->congested ? c->congestion / 2 : KEEP}};
  (void)last;
  return c->program == SOAK_BARRIER ? LOWER(steps, i) : END;
}

static enum verdict smaller_irregular(struct soak_case *c, uint32_t i)
{
  const struct lower steps[] = {{&c->n, c->n / 2 > c->k ? c->n / 2 : KEEP},
                                {&c->n, c->n - 1 > c->k ? c->n - 1 : KEEP},
                                {&c->k, 2},
                                {&c->graph_seed, 0}};
  return LOWER(steps, i);
}

/* The first change makes an extended tree a tree. */
static enum verdict smaller_tree(struct soak_case *c, uint32_t i)
{
  const struct lower steps[] = {
      [1] = {&c->n, one_less(c->n)}, [2] = {&c->k, 2}, [3] = {&c->k, c->k > 2 ? c->k - 1 : KEEP}};
  if (i)
    return LOWER(steps, i);
  if (c->topology == HD_TOPO_TREE)
    return NEXT;
  c->topology = HD_TOPO_TREE;
  return CHANGED;
}

static enum verdict smaller_shape(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  (void)last;
  if (c->topology == HD_TOPO_GRAPH)
    return END;
  bool changed;
  if (soak_by_keys(c->topology))
    return !hd_soak_shape_smaller(c, i, &changed) ? END : changed ? CHANGED : NEXT;
  if (c->topology == HD_TOPO_MESH) {
    uint32_t d = i / 3;
    if (d >= c->n_dims)
      return END;
    if (i % 3 == 0) { /* without this dimension */
      if (c->n_dims == 1)
        return NEXT;
      c->n_dims--;
      memmove(&c->dims[d], &c->dims[d + 1], (c->n_dims - d) * sizeof *c->dims);
      return CHANGED;
    }
    uint32_t to = i % 3 == 1 ? c->dims[d] / 2 : c->dims[d] - 1;
    return to ? lower_to(&c->dims[d], to) : NEXT;
  }
  return c->topology == HD_TOPO_IRREGULAR ? smaller_irregular(c, i) : smaller_tree(c, i);
}

/* Takes one switch with a node at each port, as far as the tables have entries. */
static void make_star(struct soak_case *c)
{
  struct soak_graph *g = &c->graph;
  const uint32_t most = c->sw.ports < c->sw.nodes ? c->sw.ports : c->sw.nodes;
  *g = (struct soak_graph){.n_switches = 1, .n_nodes = most};
  for (uint32_t i = 0; i < most; i++)
    g->nodes[i].port = (uint8_t)i;
  c->topology = HD_TOPO_GRAPH;
  c->algorithm = HD_ROUTE_UP_DOWN;
}

static void make_mesh(struct soak_case *c, uint32_t n_dims, uint32_t side)
{
  c->topology = HD_TOPO_MESH;
  c->n_dims = n_dims;
  for (uint32_t d = 0; d < n_dims; d++)
    c->dims[d] = side;
  if (!c->sw.adaptive)
    c->algorithm = HD_ROUTE_DIMENSION_ORDER;
}

/* Takes a small fabric of the same switches, because most bugs of a switch show there, too. */
static enum verdict other_fabric(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  static const struct {
    uint32_t switches, dims, side;
  } fabrics[] = {{1, 0, 0}, {2, 1, 2}, {3, 1, 3}, {4, 2, 2}};
  (void)last;
  if (i == sizeof fabrics / sizeof *fabrics || c->sw.source_table || c->sw.route ||
      c->program == SOAK_CODING)
    return END;
  const uint32_t ports = 1 + 2 * fabrics[i].dims;
  if (c->n_switches <= fabrics[i].switches || c->sw.ports < ports ||
      c->sw.nodes < fabrics[i].switches || (!fabrics[i].dims && c->sw.adaptive))
    return NEXT;
  c->always_top = false;
  if (fabrics[i].dims)
    make_mesh(c, fabrics[i].dims, fabrics[i].side);
  else
    make_star(c);
  return CHANGED;
}

static enum verdict smaller_graph(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  struct soak_graph *g = &c->graph;
  (void)last;
  if (c->topology != HD_TOPO_GRAPH)
    return END;
  if (i < g->n_switches)
    return hd_soak_graph_drop_switch(g, g->n_switches - 1 - i) ? CHANGED : NEXT;
  i -= g->n_switches;
  if (i < g->n_nodes)
    return hd_soak_graph_drop_node(g, g->n_nodes - 1 - i) ? CHANGED : NEXT;
  i -= g->n_nodes;
  if (i < g->n_links)
    return hd_soak_graph_drop_link(g, g->n_links - 1 - i) ? CHANGED : NEXT;
  return END;
}

static enum verdict fewer_faults(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  (void)last;
  if (i >= c->n_faults)
    return END;
  c->n_faults--;
  memmove(&c->faults[i], &c->faults[i + 1], (c->n_faults - i) * sizeof *c->faults);
  return CHANGED;
}

static enum verdict lower_load(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  (void)last;
  if (!soak_has_load(c->program) || i == 3 || c->load < 0.01)
    return END;
  const double share[] = {0.25, 0.5, 0.8};
  c->load = floor(c->load * share[i] * 1000) / 1000;
  return CHANGED;
}

static enum verdict less_traffic(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  (void)last;
  uint32_t *const values[] = {&c->flits,  &c->traffic_cycles, &c->n_rows,       &c->bytes,
                              &c->rounds, &c->sources,        &c->destinations, &c->packet_bytes};
  if (i == 0) { /* the plainest of all programs */
    if (c->program == SOAK_UNIFORM)
      return NEXT;
    if (!soak_has_load(c->program)) {
      c->load = 0.5;
      c->flits = 4;
    }
    c->program = SOAK_UNIFORM;
    return CHANGED;
  }
  uint32_t which = (i - 1) / 4;
  if (which >= sizeof values / sizeof *values)
    return END;
  uint32_t value = *values[which];
  bool barrier = c->program == SOAK_BARRIER;
  bool of_program = which == 0                 ? soak_has_load(c->program)
                    : which == 1               ? !barrier
                    : which == 2               ? c->program == SOAK_REPLAY
                    : which == 4               ? c->program >= SOAK_SHUFFLE
                    : which == 3 || which == 7 ? c->program >= SOAK_SHUFFLE && !barrier
                                               : c->program == SOAK_SHUFFLE;
  if (value <= 1 || !of_program)
    return NEXT;
  const uint32_t to[] = {1, value / 2, value - (value + 3) / 4, value - 1};
  return lower_to(values[which], to[(i - 1) % 4]);
}

/* ── changes of the switch ─────────────────────────────────────────────────── */

static uint32_t ports_needed(const struct soak_case *c)
{
  switch (c->topology) {
  case HD_TOPO_MESH:
    return 1 + 2 * c->n_dims;
  case HD_TOPO_GRAPH:
    return hd_soak_graph_ports(&c->graph);
  case HD_TOPO_IRREGULAR:
    return 1 + c->k;
  default:
    return soak_by_keys(c->topology) ? c->shape_ports : 2 * c->k;
  }
}

static uint32_t least_data_bits(const struct soak_case *c)
{
  uint32_t need = 2 + hd_log2_ceil(c->sw.nodes) * (1 + c->sw.source_table) + hd_code_bits(&c->sw);
  if (c->program == SOAK_CODING) /* program coding writes these bits into a head */
    need += 6 + hd_log2_ceil(c->n_nodes);
  if (c->sw.trees) /* a flit has room for tree, sender and a byte */
    need += hd_log2_ceil(c->sw.nodes) + 8;
  if (c->sw.values) /* a message is one flit (§8.14) */
    return 64;
  return need <= 16 ? 16 : need <= 32 ? 32 : 64;
}

static enum verdict plain_switch(struct soak_case *c)
{
  if (!c->sw.barrier || c->program == SOAK_BARRIER ||
      (c->program == SOAK_CODING && c->coding.sequential))
    return NEXT;
  c->sw.barrier = HD_BARRIER_NONE;
  c->sw.groups = c->sw.switches = c->sw.values = 0;
  return CHANGED;
}

/* Takes tables by destination alone, because then any fabric is possible. */
static enum verdict no_source_tables(struct soak_case *c, uint32_t i,
                                     const struct soak_result *last)
{
  (void)last;
  if (i || c->algorithm != HD_ROUTE_S_MOD_K)
    return END;
  c->algorithm = HD_ROUTE_D_MOD_K;
  c->sw.source_table = 0;
  return CHANGED;
}

static enum verdict smaller_switch(struct soak_case *c, uint32_t i, const struct soak_result *last)
{
  struct hd_switch_params *p = &c->sw, before = c->sw;
  const uint32_t least = hd_soak_least_depth(p), switches = c->n_switches < 2 ? 2 : c->n_switches;
  const struct lower steps[] = {
      [2] = {&p->nodes, c->n_nodes * c->networks},
      [3] = {&p->vcs, c->networks + hd_switch_reserved_vcs(p)},
      [4] = {&p->vcs, c->networks <= 2 ? 2 : KEEP},
      [5] = {&p->vcs, p->vcs > 2 * c->networks ? p->vcs - c->networks : KEEP},
      [6] = {&p->route_cycles, 1},
      [7] = {&p->arb_cycles, 1},
      [8] = {&p->buffer_cycles, 0},
      [9] = {&p->cut_flits, 0},
      [10] = {&p->depth_flits, least},
      [11] = {&p->depth_flits, p->depth_flits / 2 >= least ? p->depth_flits / 2 : KEEP},
      [12] = {&p->depth_flits, p->depth_flits > least ? p->depth_flits - 1 : KEEP},
      [15] = {&p->groups, p->barrier ? c->groups : KEEP},
      [16] = {&p->switches, p->barrier ? switches : KEEP},
      [17] = {&p->code_places, c->program == SOAK_CODING ? KEEP : 0},
      [18] = {&p->code_cycles, 0},
      [19] = {&p->values, 0},
      [20] = {&p->trees, c->program == SOAK_MULTICAST ? KEEP : 0},
      [21] = {&p->trees, 1}};
  struct soak_graph packed;
  (void)last;
  switch (i) {
  case 0: /* all changes at once that most failures survive */
    if (c->topology == HD_TOPO_GRAPH)
      hd_soak_graph_pack_ports(&c->graph);
    p->ports = ports_needed(c);
    p->nodes = c->n_nodes * c->networks;
    if (p->barrier)
      p->switches = switches;
    lower_to(&p->depth_flits, 4);
    lower_to(&p->route_cycles, 1);
    lower_to(&p->arb_cycles, 1);
    p->buffer_cycles = 0;
    p->cut_flits = 0;
    lower_to(&p->data_bits, least_data_bits(c));
    return memcmp(p, &before, sizeof before) ? CHANGED : NEXT;
  case 1:
    packed = c->graph;
    hd_soak_graph_pack_ports(&packed);
    if (c->topology == HD_TOPO_GRAPH &&
        hd_soak_graph_ports(&packed) < hd_soak_graph_ports(&c->graph))
      c->graph = packed;
    return lower_to(&p->ports, ports_needed(c));
  case 13:
    lower_to(&p->data_bits, least_data_bits(c));
    soak_at_least(&p->depth_flits, hd_soak_least_depth(p)); /* a message may need two flits now */
    return p->data_bits < before.data_bits ? CHANGED : NEXT;
  case 14:
    return plain_switch(c);
  default:
    return LOWER(steps, i);
  }
}

/* ── the search ────────────────────────────────────────────────────────────── */

struct search {
  const struct soak_common *common;
  struct soak_case *c;
  struct soak_result *result;
  bool every_variant;
  double until;
  uint32_t tried, kept;
};

static bool try_change(struct search *s, const struct soak_case *smaller)
{
  struct soak_result result;
  s->tried++;
  hd_soak_try(smaller, s->every_variant, s->common, &result);
  if (result.outcome != s->result->outcome || result.outcome == SOAK_STOPPED)
    return false;
  *s->c = *smaller;
  *s->result = result;
  s->kept++;
  return true;
}

static void report_progress(const struct search *s)
{
  char line[80];
  snprintf(line, sizeof line, "shrinking: %" PRIu32 " changes tried, %" PRIu32 " kept", s->tried,
           s->kept);
  if (s->common->say)
    s->common->say(s->common->context, line);
}

static bool is_over(const struct search *s)
{
  return hd_soak_stopped(s->common) || hd_seconds_now() > s->until;
}

/* Tries all numbers of one change, and each number again as long as it helps. */
static bool apply(struct search *s, change_function *change)
{
  bool helped = false;
  for (uint32_t i = 0; !is_over(s);) {
    struct soak_case smaller = *s->c;
    enum verdict verdict = change(&smaller, i, s->result);
    if (verdict == END)
      break;
    if (verdict == CHANGED) {
      hd_soak_settle(&smaller);
      soak_at_most(&smaller.sw.cut_flits, smaller.sw.depth_flits);
      hd_soak_fit_traffic(&smaller);
    }
    if (verdict == CHANGED && !hd_soak_computed_settle(&smaller))
      verdict = NEXT;
    /* After a success the same number comes again, because it may help twice. */
    if (verdict == CHANGED && try_change(s, &smaller))
      helped = true;
    else
      i++;
  }
  return helped;
}

void hd_soak_shrink(struct soak_case *c, bool every_variant, double seconds,
                    const struct soak_common *common, struct soak_result *result)
{
  static change_function *const cheap[] = {
      compare_exactly, with_tables,  fewer_cycles, other_fabric, plainer_run, smaller_shape,
      smaller_graph,   fewer_groups, fewer_faults, less_traffic, lower_load};
  /* Only a difference between variants needs runs in all variants. */
  struct search s = {.common = common,
                     .c = c,
                     .result = result,
                     .every_variant = every_variant && result->outcome == SOAK_DIGEST,
                     .until = hd_seconds_now() + seconds};
  struct soak_case first = *c;
  if (every_variant && !s.every_variant && !try_change(&s, &first))
    s.every_variant = true; /* the plain run passes: another variant fails */
  for (bool helped = true; helped && !is_over(&s);) {
    do {
      helped = false;
      for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        helped |= apply(&s, cheap[i]);
    } while (helped && !is_over(&s));
    report_progress(&s);
    helped = apply(&s, no_source_tables) || apply(&s, smaller_switch);
  }
}
