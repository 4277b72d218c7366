/* Parts of algorithms: trees, rings, doubling, halving, folding.
 * SPDX-License-Identifier: Apache-2.0
 *
 * In the binomial tree, the parent of number v is v without its lowest bit, and its subtree is v …
 * v + (lowest bit) − 1.
 */
#include "plan.h"

/* Returns the lowest bit of the member's number; for number 0, the first power of two that is at
 * least n. */
static int lowest_bit(const struct hd_team *team)
{
  int bit = 1;
  while (bit < team->n && !(team->me & bit))
    bit *= 2;
  return bit;
}

static int minimum(int a, int b)
{
  return a < b ? a : b;
}

/* Sends the parts from … to − 1 of the buffer. */
static void send_parts(struct hd_plan *plan, const struct hd_team *team, int v,
                       const unsigned char *buffer, const struct hd_parts *parts, int from, int to)
{
  size_t at = hd_parts_at(parts, from);
  hd_plan_send(plan, hd_team_peer(team, v), buffer + at, hd_parts_at(parts, to) - at);
}

static void receive_parts(struct hd_plan *plan, const struct hd_team *team, int v,
                          unsigned char *buffer, const struct hd_parts *parts, int from, int to)
{
  size_t at = hd_parts_at(parts, from);
  hd_plan_receive(plan, hd_team_peer(team, v), buffer + at, hd_parts_at(parts, to) - at);
}

/* ── trees ─────────────────────────────────────────────────────────────────── */

void hd_round_broadcast(struct hd_plan *plan, const struct hd_team *team, void *block, size_t bytes)
{
  int v = team->me, bit = lowest_bit(team);
  if (v)
    hd_plan_receive(plan, hd_team_peer(team, v - bit), block, bytes);
  hd_plan_end_round(plan);
  for (bit /= 2; bit; bit /= 2) /* the child with the largest subtree first */
    if (v + bit < team->n)
      hd_plan_send(plan, hd_team_peer(team, v + bit), block, bytes);
  hd_plan_end_round(plan);
}

void hd_round_reduce(struct hd_plan *plan, const struct hd_team *team, void *block, size_t bytes)
{
  int v = team->me, lowest = lowest_bit(team);
  unsigned char *other = lowest > 1 ? hd_plan_scratch(plan, bytes) : NULL;
  for (int bit = 1; bit < lowest; bit *= 2)
    if (v + bit < team->n) {
      hd_plan_receive(plan, hd_team_peer(team, v + bit), other, bytes);
      hd_plan_combine(plan, block, other, bytes);
      hd_plan_end_round(plan);
    }
  if (v)
    hd_plan_send(plan, hd_team_peer(team, v - lowest), block, bytes);
  hd_plan_end_round(plan);
}

void hd_round_scatter(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                      const struct hd_parts *parts)
{
  int v = team->me, n = team->n, bit = lowest_bit(team);
  if (v)
    receive_parts(plan, team, v - bit, buffer, parts, v, minimum(v + bit, n));
  hd_plan_end_round(plan);
  for (bit /= 2; bit; bit /= 2)
    if (v + bit < n)
      send_parts(plan, team, v + bit, buffer, parts, v + bit, minimum(v + 2 * bit, n));
  hd_plan_end_round(plan);
}

void hd_round_gather(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                     const struct hd_parts *parts)
{
  int v = team->me, n = team->n, lowest = lowest_bit(team);
  for (int bit = 1; bit < lowest; bit *= 2)
    if (v + bit < n)
      receive_parts(plan, team, v + bit, buffer, parts, v + bit, minimum(v + 2 * bit, n));
  hd_plan_end_round(plan);
  if (v)
    send_parts(plan, team, v - lowest, buffer, parts, v, minimum(v + lowest, n));
  hd_plan_end_round(plan);
}

/* ── rings ─────────────────────────────────────────────────────────────────── */

void hd_round_ring_gather(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                          const struct hd_parts *parts)
{
  int n = team->n, v = team->me, next = (v + 1) % n, last = (v + n - 1) % n;
  for (int step = 0; step + 1 < n; step++) {
    int mine = (v + n - step) % n, other = (v + n - step - 1) % n;
    send_parts(plan, team, next, buffer, parts, mine, mine + 1);
    receive_parts(plan, team, last, buffer, parts, other, other + 1);
    hd_plan_end_round(plan);
  }
}

/* Returns the length in bytes of the parts from … to − 1. */
static size_t parts_length(const struct hd_parts *parts, int from, int to)
{
  return hd_parts_at(parts, to) - hd_parts_at(parts, from);
}

/* Returns the length in bytes of the longest part. */
static size_t longest_part(const struct hd_parts *parts)
{
  size_t n = (size_t)parts->n;
  return (parts->units + n - 1) / n * parts->unit_bytes;
}

void hd_round_ring_reduce(struct hd_plan *plan, const struct hd_team *team, unsigned char *buffer,
                          const struct hd_parts *parts)
{
  int n = team->n, v = team->me, next = (v + 1) % n, last = (v + n - 1) % n;
  unsigned char *came = n > 1 ? hd_plan_scratch(plan, longest_part(parts)) : NULL;
  for (int step = 0; step + 1 < n; step++) {
    int mine = (v + 2 * n - 1 - step) % n, other = (v + 2 * n - 2 - step) % n;
    send_parts(plan, team, next, buffer, parts, mine, mine + 1);
    hd_plan_receive(plan, hd_team_peer(team, last), came, parts_length(parts, other, other + 1));
    hd_plan_combine(plan, buffer + hd_parts_at(parts, other), came,
                    parts_length(parts, other, other + 1));
    hd_plan_end_round(plan);
  }
}

/* ── doubling and halving: teams of a power of two ─────────────────────────── */

void hd_round_doubling_gather(struct hd_plan *plan, const struct hd_team *team,
                              unsigned char *buffer, const struct hd_parts *parts)
{
  for (int bit = 1; bit < team->n; bit *= 2) {
    int partner = team->me ^ bit, mine = team->me & ~(bit - 1), other = partner & ~(bit - 1);
    send_parts(plan, team, partner, buffer, parts, mine, mine + bit);
    receive_parts(plan, team, partner, buffer, parts, other, other + bit);
    hd_plan_end_round(plan);
  }
}

void hd_round_halving_reduce(struct hd_plan *plan, const struct hd_team *team,
                             unsigned char *buffer, const struct hd_parts *parts)
{
  unsigned char *came =
      team->n > 1 ? hd_plan_scratch(plan, longest_part(parts) * ((size_t)team->n / 2)) : NULL;
  for (int bit = team->n / 2; bit; bit /= 2) {
    int partner = team->me ^ bit, mine = team->me & ~(bit - 1), other = partner & ~(bit - 1);
    send_parts(plan, team, partner, buffer, parts, other, other + bit);
    hd_plan_receive(plan, hd_team_peer(team, partner), came, parts_length(parts, mine, mine + bit));
    hd_plan_combine(plan, buffer + hd_parts_at(parts, mine), came,
                    parts_length(parts, mine, mine + bit));
    hd_plan_end_round(plan);
  }
}

/* Among the first 2·extra members, each with an odd index represents its left neighbour, too. */
bool hd_round_fold(struct hd_plan *plan, const struct hd_team *team, struct hd_team *folded,
                   unsigned char *block, size_t bytes)
{
  int power = 1;
  while (2 * power <= team->n)
    power *= 2;
  int extra = team->n - power, me = team->me;
  *folded = (struct hd_team){.n = power, .me = me - extra, .p = team->p, .extra = extra};
  if (me >= 2 * extra)
    return true;
  folded->me = me / 2;
  if (me % 2 == 0) {
    hd_plan_send(plan, me + 1, block, bytes);
    hd_plan_end_round(plan);
    return false;
  }
  unsigned char *came = hd_plan_scratch(plan, bytes);
  hd_plan_receive(plan, me - 1, came, bytes);
  hd_plan_combine(plan, block, came, bytes);
  hd_plan_end_round(plan);
  return true;
}

void hd_round_unfold(struct hd_plan *plan, const struct hd_team *team, unsigned char *block,
                     size_t bytes)
{
  int power = 1, me = team->me;
  while (2 * power <= team->n)
    power *= 2;
  if (me >= 2 * (team->n - power))
    return;
  if (me % 2)
    hd_plan_send(plan, me - 1, block, bytes);
  else
    hd_plan_receive(plan, me + 1, block, bytes);
  hd_plan_end_round(plan);
}
