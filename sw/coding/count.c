/* Counts the hops of a plan send by send.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_internal.h"

/* ── every send, by following the rules ────────────────────────────────────── */

struct walk {
  const struct hd_coding *coding;
  struct hd_coding_via step; /* only the sends of this step are visited */
  hd_coding_visit visit;
  void *context;
};

static bool is_same_step(struct hd_coding_via a, struct hd_coding_via b)
{
  return a.step == b.step && a.level == b.level;
}

/* Returns true if a send in step `as` can lead to a send in the walk's step, by forwarding. */
static bool can_lead_to(const struct walk *w, struct hd_coding_via as)
{
  if (is_same_step(as, w->step))
    return true;
  const bool between_groups = w->step.step == HD_CODING_D || w->step.step == HD_CODING_E;
  return between_groups && as.step != HD_CODING_F &&
         (as.level > w->step.level || (as.level == w->step.level && as.step < w->step.step));
}

static void walk_on(void *context, const struct hd_coding_send *send)
{
  const struct walk *w = context;
  if (is_same_step(send->as, w->step))
    w->visit(w->context, send);
  if (can_lead_to(w, send->as))
    hd_coding_sends(w->coding, send->to, send->as, send->item, walk_on, context);
}

static void walk_step(struct walk *w)
{
  const struct hd_coding *c = w->coding;
  const struct hd_coding_via own = {HD_CODING_STEPS, 0};
  const bool made = c->scheme == HD_CODING_CODED || c->scheme == HD_CODING_COMBINED;
  const bool between_groups = w->step.step == HD_CODING_D || w->step.step == HD_CODING_E;
  if (!(made && between_groups)) {
    for (uint32_t node = 0; node < c->n_nodes; node++)
      if (c->is_source[node])
        hd_coding_sends(c, node, own, (struct hd_coding_item){.index = node}, walk_on, w);
    return;
  }
  const uint32_t level = w->step.level;
  for (uint32_t g = 0; g < hd_coding_groups(c, level); g++)
    for (uint32_t i = 0; i < hd_coding_items(c, level, g); i++) {
      const struct hd_coding_item item = {
          c->scheme == HD_CODING_CODED ? HD_CODING_PAIR : HD_CODING_ALL_DATA, (uint8_t)level, g, i};
      hd_coding_sends(c, hd_coding_intermediate(c, level, g), own, item, walk_on, w);
    }
}

void hd_coding_walk(const struct hd_coding *coding, hd_coding_visit visit, void *context)
{
  struct walk w = {.coding = coding, .visit = visit, .context = context};
  const uint32_t levels = coding->n_levels ? coding->n_levels : 1;
  for (uint32_t level = levels; level--;)
    for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
      w.step = (struct hd_coding_via){(uint8_t)step, (uint8_t)level};
      if ((step == HD_CODING_B && level == levels - 1) ||
          (step != HD_CODING_B && coding->n_levels &&
           (step != HD_CODING_F || coding->scheme == HD_CODING_CODED)))
        walk_step(&w);
    }
}

/* ── hops ──────────────────────────────────────────────────────────────────── */

uint32_t hd_coding_distance(const struct hd_coding *coding, uint32_t from, uint32_t to)
{
  const struct coding_grid *network = &coding->network;
  uint32_t hops = 0;
  for (uint32_t d = 0; d < network->n_dims; d++) {
    const uint32_t side = network->side[d];
    const uint32_t a = from % side, b = to % side, direct = a < b ? b - a : a - b;
    hops += network->ring[d] && side - direct < direct ? side - direct : direct;
    from /= side;
    to /= side;
  }
  return hops;
}

uint32_t hd_coding_packets(const struct hd_coding *coding, const struct hd_coding_send *send)
{
  uint32_t n = 1;
  if (send->item.what == HD_CODING_ALL_DATA)
    hd_coding_sources(coding, send->item.level, send->item.group, &n);
  return n;
}

struct counting {
  const struct hd_coding *coding;
  struct hd_coding_hops *hops;
};

static void count_send(void *context, const struct hd_coding_send *send)
{
  const struct counting *c = context;
  c->hops->sends[send->as.level][send->as.step]++;
  c->hops->hops[send->as.level][send->as.step] +=
      (uint64_t)hd_coding_distance(c->coding, send->from, send->to) *
      hd_coding_packets(c->coding, send);
}

void hd_coding_count(const struct hd_coding *coding, struct hd_coding_hops *hops)
{
  *hops = (struct hd_coding_hops){0};
  hd_coding_walk(coding, count_send, &(struct counting){coding, hops});
}

uint64_t hd_coding_total(const struct hd_coding_hops *hops, enum hd_coding_counted counted)
{
  uint64_t total = 0;
  for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
    for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
      const bool f = step == HD_CODING_F;
      const bool takes = counted == HD_CODING_COUNT_ALL         ? true
                         : counted == HD_CODING_COUNT_WITHOUT_E ? step != HD_CODING_E
                         : counted == HD_CODING_COUNT_F_ALONE   ? f
                                                                : f || step == HD_CODING_D;
      if (takes)
        total += hops->hops[level][step];
    }
  return total;
}
