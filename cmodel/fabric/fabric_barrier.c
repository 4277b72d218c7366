/* Barrier messages at network interfaces, and configuration while the fabric runs (§3.1, §7.9,
 * §7.10, §8.6).
 * SPDX-License-Identifier: Apache-2.0
 *
 * Waiting messages are in queues, as indices into one list.
 */
#include "../grow.h"
#include "fabric_state.h"

#include <stdlib.h>

#define EMPTY ((struct waiting_queue){WAITING_NONE, WAITING_NONE})

bool hd_fabric_barrier_allocate(struct hd_fabric *f)
{
  uint32_t n = f->topology->n_switches, nodes = f->topology->n_nodes;
  f->free_waiting = WAITING_NONE;
  f->config_set = calloc(n / 64 + 1, sizeof *f->config_set);
  f->configs = malloc(n * sizeof *f->configs);
  if (!f->config_set || !f->configs)
    return false;
  for (uint32_t i = 0; i < n; i++)
    f->configs[i] = (struct config_queue){EMPTY, 0};
  if (!f->params.sw.barrier)
    return true;
  f->barrier_set = calloc(nodes / 64 + 1, sizeof *f->barrier_set);
  f->barrier = malloc(nodes * sizeof *f->barrier);
  if (!f->barrier_set || !f->barrier)
    return false;
  for (uint32_t i = 0; i < nodes; i++)
    f->barrier[i] =
        (struct barrier_interface){.queue = EMPTY, .sent = UINT64_MAX, .credit = HD_BARRIER_QUEUE};
  return true;
}

void hd_fabric_barrier_free(struct hd_fabric *f)
{
  hd_barrier_ways_fini(&f->ways);
  free(f->barrier);
  free(f->barrier_set);
  free(f->configs);
  free(f->config_set);
  free(f->waiting);
  free(f->barrier_deliveries);
  free(f->handed);
}

/* Writes in a cycle before cycle 0, so that all writes are in force in cycle 0. The clock counts modulo 2^64.
 */
void hd_fabric_barrier_configure(const struct hd_fabric *f, uint32_t sw)
{
  const uint64_t before = UINT64_MAX - 1;
  struct hd_switch *s = hd_fabric_block(f, sw);
  for (uint32_t to = 0; to < f->ways.n_switches; to++)
    hd_switch_config_write(s, before, HD_CFG_BARRIER_WAY(to), hd_barrier_way(&f->ways, sw, to));
  hd_switch_config_write(s, before, HD_CFG_SELF, (uint16_t)sw);
  if (f->params.barrier_idle_cycles)
    hd_switch_config_write(s, before, HD_CFG_IDLE, (uint16_t)f->params.barrier_idle_cycles);
}

const struct hd_barrier_ways *hd_fabric_barrier_ways(const struct hd_fabric *f)
{
  return f->ways.masks ? &f->ways : NULL;
}

/* ── what waits ───────────────────────────────────────────────────────────── */

static bool grow_waiting(struct hd_fabric *f)
{
  size_t before = f->cap_waiting;
  if (before >= WAITING_NONE / 2 || !HD_ROOM(f->waiting, f->cap_waiting, before, 1))
    return false;
  for (size_t i = f->cap_waiting; i-- > before;) {
    f->waiting[i].next = f->free_waiting;
    f->free_waiting = (uint32_t)i;
  }
  return true;
}

static bool push_waiting(struct hd_fabric *f, struct waiting_queue *queue, uint64_t word,
                         uint16_t data)
{
  if (f->free_waiting == WAITING_NONE && !grow_waiting(f))
    return false;
  uint32_t i = f->free_waiting;
  f->free_waiting = f->waiting[i].next;
  f->waiting[i] = (struct waiting){WAITING_NONE, data, word};
  if (queue->first == WAITING_NONE)
    queue->first = i;
  else
    f->waiting[queue->last].next = i;
  queue->last = i;
  f->n_waiting++;
  return true;
}

static struct waiting pop_waiting(struct hd_fabric *f, struct waiting_queue *queue)
{
  uint32_t i = queue->first;
  struct waiting w = f->waiting[i];
  queue->first = w.next;
  f->waiting[i].next = f->free_waiting;
  f->free_waiting = i;
  f->n_waiting--;
  return w;
}

/* Makes room first, so that an input is never half handed over. */
bool hd_fabric_room_handed(struct hd_fabric *f)
{
  return HD_ROOM(f->handed, f->cap_handed, f->n_handed, 1);
}

int hd_fabric_mirror(const struct hd_fabric *from, struct hd_fabric *to, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; i < from->n_handed && !status; i++) {
    const struct handed *h = &from->handed[i];
    switch ((enum handed_kind)h->kind) {
    case HANDED_MESSAGE:
      status = hd_fabric_barrier_send(to, h->where, h->word, err);
      break;
    case HANDED_CONFIG:
      status = hd_fabric_config(to, h->where, (uint32_t)h->word, h->data, NULL, err);
      break;
    case HANDED_HOLD:
      status = hd_fabric_hold(to, h->where, h->word, err);
      break;
    case HANDED_LINK:
      status = hd_fabric_fail_link(to, h->where, (uint32_t)h->word, err);
      break;
    case HANDED_SWITCH:
      status = hd_fabric_fail_switch(to, h->where, err);
      break;
    }
  }
  return status;
}

/* ── configuration ────────────────────────────────────────────────────────── */

int hd_fabric_config(struct hd_fabric *f, uint32_t sw, uint32_t addr, uint16_t data,
                     uint64_t *cycle, struct hd_error *err)
{
  if (sw >= f->topology->n_switches || addr >> 20)
    return hd_fail(
        err, HD_E_INPUT,
        "configuration write to address 0x%x of switch %u; there are switches 0 to %u and "
        "addresses of 20 bits",
        addr, sw, f->topology->n_switches - 1);
  struct config_queue *c = &f->configs[sw];
  if (!hd_fabric_room_handed(f) || !push_waiting(f, &c->queue, addr, data))
    return hd_fail(err, HD_E_NOMEM, "no memory for a configuration write");
  f->handed[f->n_handed++] = (struct handed){HANDED_CONFIG, data, sw, addr};
  f->config_set[sw / 64] |= UINT64_C(1) << sw % 64;
  f->n_configs++;
  uint64_t when = c->free_from > f->cycle ? c->free_from : f->cycle;
  c->free_from = when + 1;
  if (cycle)
    *cycle = when;
  return HD_OK;
}

void hd_fabric_config_ahead(const struct hd_fabric *f)
{
  for (uint32_t w = 0; w * 64 < f->topology->n_switches; w++)
    for (uint64_t set = f->config_set[w]; set; set &= set - 1)
      hd_switch_config_ahead(hd_fabric_block(f, w * 64 + (uint32_t)__builtin_ctzll(set)), f->cycle);
}

static void config_switch(struct hd_fabric *f, uint32_t sw)
{
  struct config_queue *c = &f->configs[sw];
  struct waiting write = pop_waiting(f, &c->queue);
  f->n_configs--;
  if (c->queue.first == WAITING_NONE)
    f->config_set[sw / 64] &= ~(UINT64_C(1) << sw % 64);
  if (f->record)
    hd_fabric_note_config_in(f, sw, (uint32_t)write.word, write.data);
  if (!f->switches)
    return;
  struct hd_switch *s = hd_fabric_block(f, sw);
  hd_switch_config_write(s, f->cycle, (uint32_t)write.word, write.data);
  hd_fabric_advance_in(f, sw, f->cycle + 1, s->active);
}

void hd_fabric_config_now(struct hd_fabric *f)
{
  f->counters.last_progress = f->cycle;
  for (uint32_t w = 0; w * 64 < f->topology->n_switches; w++)
    for (uint64_t set = f->config_set[w]; set; set &= set - 1)
      config_switch(f, w * 64 + (uint32_t)__builtin_ctzll(set));
}

/* ── injection, §7.10 ─────────────────────────────────────────────────────── */

int hd_fabric_barrier_send(struct hd_fabric *f, uint32_t node, uint64_t message,
                           struct hd_error *err)
{
  if (!f->barrier)
    return hd_fail(err, HD_E_INPUT, "barrier messages need switches with barrier (switch.barrier)");
  if (node >= f->topology->n_nodes)
    return hd_fail(err, HD_E_INPUT, "barrier message of node %u, but nodes are 0 to %u", node,
                   f->topology->n_nodes - 1);
  if (!hd_fabric_room_handed(f) || !push_waiting(f, &f->barrier[node].queue, message, 0))
    return hd_fail(err, HD_E_NOMEM, "no memory for a barrier message");
  f->handed[f->n_handed++] = (struct handed){HANDED_MESSAGE, 0, node, message};
  f->barrier_set[node / 64] |= UINT64_C(1) << node % 64;
  f->counters.barriers_sent++;
  return HD_OK;
}

/* Returns the channel on which a message may start; VCS: there is none. */
static uint32_t start_channel(const struct hd_fabric *f, uint32_t node)
{
  const struct hd_switch_params *p = &f->params.sw;
  const struct injector *in = &f->injectors[node];
  uint32_t need = hd_barrier_flits(p), v = 0;
  if (!f->barrier[node].credit)
    return p->vcs;
  if (hd_barrier_beside(p))
    return 0;
  if (p->barrier == HD_BARRIER_RESERVED)
    v = p->vcs - 1;
  while (v < p->vcs &&
         (in->credit[v] < need || (p->barrier == HD_BARRIER_QUEUED && in->sent && in->vc == v)))
    v++;
  return v;
}

bool hd_fabric_barrier_first(const struct hd_fabric *f, uint32_t node)
{
  uint32_t kind = f->params.sw.barrier;
  return (kind == HD_BARRIER_MOVING || kind == HD_BARRIER_QUEUED) && f->barrier[node].credit &&
         f->barrier[node].queue.first != WAITING_NONE;
}

static void send_flit(struct hd_fabric *f, uint32_t node, uint32_t vc, unsigned kind, uint64_t data)
{
  hd_fabric_post_flit(f, f->cycle + f->params.link_cycles, f->topology->node_peers[node],
                      (uint8_t)vc, (uint8_t)kind, data, HD_PACKET_NONE);
  f->barrier[node].sent = f->cycle;
  f->counters.last_progress = f->cycle;
  if (!hd_barrier_beside(&f->params.sw))
    f->injectors[node].credit[vc]--;
}

static void inject_node(struct hd_fabric *f, uint32_t node)
{
  struct barrier_interface *b = &f->barrier[node];
  if (b->second) {
    b->second = false;
    f->n_waiting--;
    send_flit(f, node, b->vc, HD_KIND_BARRIER_LAST, b->high);
  } else {
    uint32_t vc = start_channel(f, node);
    if (vc == f->params.sw.vcs) {
      hd_fabric_cover(f, b->credit ? HD_POINT_INJECT_CREDIT : HD_POINT_INJECT_PLACE);
      return;
    }
    hd_fabric_cover(f, HD_POINT_INJECTED);
    if (vc && f->params.sw.barrier != HD_BARRIER_RESERVED)
      hd_fabric_cover(f, HD_POINT_INJECT_HIGHER);
    uint64_t message = pop_waiting(f, &b->queue).word;
    bool two = hd_barrier_flits(&f->params.sw) == 2;
    b->credit--;
    if (two) {
      b->second = true;
      b->vc = (uint8_t)vc;
      b->high = (uint16_t)(message >> 16);
      f->n_waiting++;
    }
    send_flit(f, node, vc, two ? HD_KIND_BARRIER : HD_KIND_BARRIER_LAST,
              two ? message & 0xffff : message);
  }
  if (!b->second && b->queue.first == WAITING_NONE)
    f->barrier_set[node / 64] &= ~(UINT64_C(1) << node % 64);
}

void hd_fabric_barrier_inject(struct hd_fabric *f)
{
  for (uint32_t w = 0; w * 64 < f->topology->n_nodes; w++)
    for (uint64_t set = f->barrier_set[w]; set; set &= set - 1)
      inject_node(f, w * 64 + (uint32_t)__builtin_ctzll(set));
}

/* ── ejection, §7.9 ───────────────────────────────────────────────────────── */

static int deliver(struct hd_fabric *f, uint32_t node, uint64_t message, struct hd_error *err)
{
  if (!HD_ROOM(f->barrier_deliveries, f->cap_barrier_deliveries, f->n_barrier_deliveries, 1))
    return hd_fail(err, HD_E_NOMEM, "no memory for more than %u barrier messages in a cycle",
                   f->n_barrier_deliveries);
  f->barrier_deliveries[f->n_barrier_deliveries++] =
      (struct hd_barrier_delivery){node, f->cycle, message};
  f->counters.barriers_received++;
  return HD_OK;
}

static void cover_eject(const struct hd_fabric *f, uint32_t node, unsigned kind)
{
  if (kind == HD_KIND_NULL)
    hd_fabric_cover(f, HD_POINT_NODE_NULL);
  else if (kind == HD_KIND_PADDING)
    hd_fabric_cover(f, HD_POINT_NODE_PADDING);
  else if (kind == HD_KIND_BARRIER_LAST)
    hd_fabric_cover(f, f->ejectors[node].held_until > f->cycle ? HD_POINT_NODE_HELD
                                                               : HD_POINT_NODE_MESSAGE);
}

int hd_fabric_barrier_eject(struct hd_fabric *f, const struct transit_flit *flit,
                            struct hd_error *err)
{
  const struct hd_switch_params *p = &f->params.sw;
  uint32_t node = flit->far.index;
  struct barrier_interface *b = &f->barrier[node];
  bool beside = hd_barrier_beside(p), two = hd_barrier_flits(p) == 2;
  if (flit->event.vc >= p->vcs)
    return HD_OK;
  unsigned credit = beside && flit->event.kind != HD_KIND_NULL ? 0 : 1u << flit->event.vc;
  if (flit->event.kind == HD_KIND_BARRIER_LAST)
    credit |= 1u << HD_BARRIER_CREDIT;
  if (f->coverage)
    cover_eject(f, node, flit->event.kind);
  hd_fabric_give(f, node, credit, flit->event.kind == HD_KIND_NULL ? 0 : credit);
  if (flit->event.kind == HD_KIND_BARRIER)
    b->low[flit->event.vc] = (uint16_t)flit->event.data;
  if (flit->event.kind != HD_KIND_BARRIER_LAST)
    return HD_OK;
  return deliver(f, node,
                 two         ? (flit->event.data & 0xffff) << 16 | b->low[flit->event.vc]
                 : p->values ? flit->event.data
                             : (uint32_t)flit->event.data,
                 err);
}

const struct hd_barrier_delivery *hd_fabric_barrier_deliveries(const struct hd_fabric *f,
                                                               uint32_t *n)
{
  *n = f->n_barrier_deliveries;
  return f->barrier_deliveries;
}
