/* Failed links and switches of the fabric model (specification §5.9).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A link end counts the events at its pins and never looks into a switch. So it works the same around a model switch
 * and around a DUT.
 */
#include "../grow.h"
#include "fabric_state.h"

#include <stdlib.h>
#include <string.h>

/* ── ends ─────────────────────────────────────────────────────────────────── */

static uint32_t count_ends(const struct hd_fabric *f)
{
  return f->n_links; /* one direction of a link for each end, which sends into it */
}

static struct link_end *end_of(const struct hd_fabric *f, struct hd_peer at)
{
  uint32_t ports = f->topology->ports;
  return &f->ends[at.kind == HD_PEER_SWITCH ? (uint32_t)at.index * ports + at.port
                                            : f->topology->n_switches * ports + at.index];
}

/* Returns the switch or node that an end of a link belongs to. */
static struct hd_peer holder_of(const struct hd_fabric *f, uint32_t end)
{
  uint32_t ports = f->topology->ports, n = f->topology->n_switches * ports;
  if (end >= n)
    return (struct hd_peer){HD_PEER_NODE, 0, (uint16_t)(end - n)};
  return (struct hd_peer){HD_PEER_SWITCH, (uint8_t)(end % ports), (uint16_t)(end / ports)};
}

static struct hd_peer other_side(const struct hd_fabric *f, struct hd_peer at)
{
  return at.kind == HD_PEER_SWITCH
             ? f->topology->peers[(size_t)at.index * f->topology->ports + at.port]
             : f->topology->node_peers[at.index];
}

bool hd_fabric_faults_allocate(struct hd_fabric *f)
{
  if (!f->params.faults)
    return true;
  size_t switch_ends = (size_t)f->topology->n_switches * f->topology->ports;
  f->ends = calloc(count_ends(f), sizeof *f->ends);
  f->dead_ends = calloc(count_ends(f), sizeof *f->dead_ends);
  f->dead_links = calloc(switch_ends / 64 + 1, sizeof *f->dead_links);
  f->dead_switches = calloc(f->topology->n_switches / 64 + 1, sizeof *f->dead_switches);
  if (!f->ends || !f->dead_ends || !f->dead_links || !f->dead_switches)
    return false;
  f->dead = (struct hd_dead){f->dead_switches, f->dead_links};
  return true;
}

void hd_fabric_faults_free(struct hd_fabric *f)
{
  free(f->ends);
  free(f->dead_ends);
  free(f->dead_links);
  free(f->dead_switches);
  free(f->losses);
}

/* ── packets that are lost ────────────────────────────────────────────────── */

static void count_lost(struct hd_fabric *f, uint32_t number)
{
  struct packet *p = hd_fabric_find(f, number);
  if (!p || p->lost)
    return;
  p->lost = true;
  f->counters.packets_lost++;
  if (f->losses_cycle != f->cycle)
    f->n_losses = 0;
  f->losses_cycle = f->cycle;
  if (!HD_ROOM(f->losses, f->cap_losses, f->n_losses, 1)) {
    f->losses_failed = true;
    return;
  }
  f->losses[f->n_losses++] = (struct hd_loss){number,   p->source,  p->destination,
                                              p->flits, p->created, !p->payload && !p->bare};
  if (p->sent)
    hd_fabric_forget(f, p); /* otherwise the packet is forgotten once its source has sent it */
}

const struct hd_loss *hd_fabric_losses(const struct hd_fabric *f, uint32_t *n)
{
  *n = f->losses_cycle + 1 == f->cycle ? f->n_losses : 0;
  return f->losses;
}

void hd_fabric_end_routed(struct hd_fabric *f, const struct hd_switch *s,
                          const struct transit_flit *flit)
{
  if (flit->event.kind != HD_KIND_HEAD && flit->event.kind != HD_KIND_SINGLE)
    return;
  const struct channel *ch = &s->channels[switch_place(s, flit->far.port, flit->event.vc)];
  if (!ch->count)
    return;
  const struct slot *slot = switch_slot(s, ch, ch->count - 1u);
  if (slot->tag == flit->tag && !slot->vc_mask)
    count_lost(f, flit->tag);
}

/* ── what comes to the pins ───────────────────────────────────────────────── */

/* Returns true if the flit takes a slot of its channel's buffer (§7.3). */
static bool takes_slot(const struct hd_fabric *f, unsigned kind)
{
  return kind < HD_KIND_BARRIER || kind == HD_KIND_NULL || !hd_barrier_beside(&f->params.sw);
}

bool hd_fabric_end_flit(struct hd_fabric *f, const struct transit_flit *flit)
{
  struct link_end *end = end_of(f, flit->far);
  struct link_end *count = end->dead ? end_of(f, other_side(f, flit->far)) : end;
  unsigned bit = 1u << flit->event.vc;
  if (flit->event.vc >= f->params.sw.vcs)
    return end->dead;
  if (takes_slot(f, flit->event.kind) && count->slots[flit->event.vc] < UINT8_MAX)
    count->slots[flit->event.vc]++;
  if (flit->event.kind == HD_KIND_BARRIER_LAST && count->messages < UINT8_MAX)
    count->messages++;
  if (end->dead) {
    f->counters.barriers_lost += flit->event.kind == HD_KIND_BARRIER_LAST;
    if (flit->event.kind < HD_KIND_BARRIER)
      count_lost(f, flit->tag);
    return true;
  }
  if (flit->event.kind == HD_KIND_PADDING)
    end->preempted = (uint8_t)(flit->event.data & 1 ? end->preempted & ~bit : end->preempted | bit);
  if (flit->event.kind < HD_KIND_BARRIER && (flit->event.kind & HD_KIND_HEAD)) {
    end->open |= (uint8_t)bit;
    end->tag[flit->event.vc] = flit->tag;
  }
  if (flit->event.kind < HD_KIND_BARRIER && (flit->event.kind & HD_KIND_TAIL))
    end->open &= (uint8_t)~bit;
  return false;
}

bool hd_fabric_end_credit(struct hd_fabric *f, const struct transit_credit *credit)
{
  bool dead = end_of(f, credit->far)->dead;
  /* A credit means that a slot is free at the other side. */
  struct link_end *from = end_of(f, other_side(f, credit->far));
  uint8_t *slots = dead ? from->made : from->slots;
  for (unsigned vc = 0; vc < f->params.sw.vcs; vc++)
    if ((credit->vcs >> vc & 1) && slots[vc])
      slots[vc]--;
  if (!dead && (credit->vcs >> HD_BARRIER_CREDIT & 1) && from->messages)
    from->messages--;
  return dead;
}

/* ── failing ──────────────────────────────────────────────────────────────── */

/* Until now an end counted what it took from the other end. From now on `slots` and `messages` count what is owed to
 * the end itself, and `made` counts the flits that it has given to its holder and that are still in the holder's
 * buffers. */
static void fail_ends(struct hd_fabric *f, struct hd_peer at)
{
  struct hd_peer there = other_side(f, at);
  struct link_end *a = end_of(f, at), *b = end_of(f, there), old = *a;
  if (a->dead)
    return;
  a->dead = b->dead = true;
  memcpy(a->made, a->slots, sizeof a->made);
  memcpy(b->made, b->slots, sizeof b->made);
  memcpy(a->slots, b->slots, sizeof a->slots);
  a->messages = b->messages;
  memcpy(b->slots, old.slots, sizeof b->slots);
  b->messages = old.messages;
  const struct hd_peer sides[] = {at, there};
  for (int i = 0; i < 2; i++) {
    uint32_t end = (uint32_t)(end_of(f, sides[i]) - f->ends);
    f->dead_ends[f->n_dead_ends++] = end;
    if (sides[i].kind == HD_PEER_SWITCH)
      f->dead_links[end / 64] |= UINT64_C(1) << end % 64;
    for (unsigned open = f->ends[end].open; open; open &= open - 1)
      count_lost(f, f->ends[end].tag[__builtin_ctz(open)]);
  }
}

static int check_alive(struct hd_fabric *f, uint32_t sw, struct hd_error *err)
{
  if (!f->params.faults)
    return hd_fail(err, HD_E_INPUT, "a fault in a fabric that was made to have none");
  if (sw >= f->topology->n_switches)
    return hd_fail(err, HD_E_INPUT, "a fault of switch %u; switches are 0 to %u", sw,
                   f->topology->n_switches - 1);
  return hd_fabric_room_handed(f) ? HD_OK : hd_fail(err, HD_E_NOMEM, "no memory for a fault");
}

int hd_fabric_fail_link(struct hd_fabric *f, uint32_t sw, uint32_t port, struct hd_error *err)
{
  int status = check_alive(f, sw, err);
  if (status)
    return status;
  struct hd_peer at = {HD_PEER_SWITCH, (uint8_t)port, (uint16_t)sw};
  if (port >= f->topology->ports || other_side(f, at).kind == HD_PEER_NONE)
    return hd_fail(err, HD_E_INPUT, "a fault of the link at port %u of switch %u; there is none",
                   port, sw);
  f->handed[f->n_handed++] = (struct handed){HANDED_LINK, 0, sw, port};
  fail_ends(f, at);
  return HD_OK;
}

int hd_fabric_fail_switch(struct hd_fabric *f, uint32_t sw, struct hd_error *err)
{
  int status = check_alive(f, sw, err);
  if (status)
    return status;
  f->handed[f->n_handed++] = (struct handed){HANDED_SWITCH, 0, sw, 0};
  f->dead_switches[sw / 64] |= UINT64_C(1) << sw % 64;
  f->some_dead = true;
  for (uint32_t port = 0; port < f->topology->ports; port++) {
    struct hd_peer at = {HD_PEER_SWITCH, (uint8_t)port, (uint16_t)sw};
    if (other_side(f, at).kind != HD_PEER_NONE)
      fail_ends(f, at);
  }
  return HD_OK;
}

const struct hd_dead *hd_fabric_dead(const struct hd_fabric *f)
{
  return f->some_dead || f->n_dead_ends ? &f->dead : NULL;
}

/* ── what a dead end does ─────────────────────────────────────────────────── */

static bool end_busy(const struct hd_fabric *f, const struct link_end *end)
{
  bool busy = end->open || end->preempted || end->messages;
  for (unsigned vc = 0; vc < f->params.sw.vcs; vc++)
    busy |= end->slots[vc] != 0;
  return busy;
}

bool hd_fabric_ends_idle(const struct hd_fabric *f)
{
  for (uint32_t i = 0; i < f->n_dead_ends; i++)
    if (end_busy(f, &f->ends[f->dead_ends[i]]))
      return false;
  return true;
}

/* Ends what was on its way to the holder: first a preemption, then the packet. */
static int close_channels(struct hd_fabric *f, struct link_end *end, struct hd_peer holder,
                          struct hd_error *err)
{
  for (unsigned left = end->open | end->preempted; left; left &= left - 1) {
    unsigned vc = (unsigned)__builtin_ctz(left), bit = 1u << vc;
    bool preempted = end->preempted & bit;
    struct transit_flit flit = {.event = {.data = preempted,
                                          .port = holder.port,
                                          .vc = (uint8_t)vc,
                                          .kind = preempted ? HD_KIND_PADDING : HD_KIND_TAIL},
                                .tag = preempted ? HD_PACKET_NONE : end->tag[vc],
                                .far = holder};
    bool slot = takes_slot(f, flit.event.kind);
    if (slot && end->made[vc] >= f->params.sw.depth_flits)
      continue;
    end->made[vc] = (uint8_t)(end->made[vc] + slot);
    if (preempted)
      end->preempted &= (uint8_t)~bit;
    else
      end->open &= (uint8_t)~bit;
    f->counters.last_progress = f->cycle;
    if (holder.kind == HD_PEER_NODE)
      return hd_fabric_eject(f, &flit, err);
    hd_fabric_take_flit(f, &flit);
    break;
  }
  return HD_OK;
}

static void give_credits(struct hd_fabric *f, struct link_end *end, struct hd_peer holder)
{
  unsigned vcs = 0;
  for (unsigned vc = 0; vc < f->params.sw.vcs; vc++) {
    if (!end->slots[vc])
      continue;
    end->slots[vc]--;
    vcs |= 1u << vc;
  }
  if (end->messages) {
    end->messages--;
    vcs |= 1u << HD_BARRIER_CREDIT;
  }
  if (!vcs)
    return;
  f->counters.last_progress = f->cycle;
  hd_fabric_take_credit(f, &(struct transit_credit){holder, (uint16_t)vcs});
}

int hd_fabric_ends_act(struct hd_fabric *f, struct hd_error *err)
{
  int status = HD_OK;
  for (uint32_t i = 0; i < f->n_dead_ends; i++) {
    struct link_end *end = &f->ends[f->dead_ends[i]];
    struct hd_peer holder = holder_of(f, f->dead_ends[i]);
    int closed = close_channels(f, end, holder, err);
    status = status ? status : closed;
    give_credits(f, end, holder);
  }
  return status;
}

/* ── is a barrier message under way anywhere? ─────────────────────────────── */

bool hd_fabric_barrier_quiet(const struct hd_fabric *f)
{
  if (!f->barrier || !f->switches)
    return !f->barrier;
  for (uint32_t w = 0; w * 64 < f->topology->n_nodes; w++)
    if (f->barrier_set[w])
      return false;
  for (uint32_t i = 0; i < f->n_slots; i++)
    for (unsigned to = HD_PEER_SWITCH; to < PEER_KINDS; to++)
      for (uint32_t j = 0; j < f->calendar[i].n_flits[to]; j++) {
        unsigned kind = f->calendar[i].flits[to][j].event.kind;
        if (kind == HD_KIND_BARRIER || kind == HD_KIND_BARRIER_LAST)
          return false;
      }
  for (uint32_t sw = 0; sw < f->topology->n_switches; sw++)
    if (hd_switch_holds_messages(hd_fabric_block(f, sw)))
      return false;
  return true;
}
