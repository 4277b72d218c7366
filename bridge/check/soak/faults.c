/* Draws and writes the faults of a scenario: links and switches that fail while it runs (specification 5.9-5.11).
 * SPDX-License-Identifier: Apache-2.0
 *
 * A fault is a number that picks one of the fabric's links or switches. So it is valid in every smaller fabric, too, that
 * shrinking tries.
 */
#include "soak.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { MOST_DRAWN = 4 };

void hd_soak_draw_faults(struct soak_case *c, struct hd_random *r)
{
  if (!soak_chance(r, c->networks > 1 ? 50 : 20) ||
      hd_switch_has_sets(&c->sw)) /* no faults where packets choose ports (§5.25) */
    return;
  c->n_faults = soak_chance(r, 60) ? 1 : soak_between(r, 2, MOST_DRAWN);
  for (uint32_t i = 0; i < c->n_faults; i++) {
    struct soak_fault *f = &c->faults[i];
    f->whole_switch = soak_chance(r, 15);
    f->after_barrier = c->program == SOAK_BARRIER && soak_chance(r, 60);
    f->when = f->after_barrier ? hd_soak_octaves(r, 1, 12) : soak_between(r, 1, c->cycles);
    f->pick = soak_between(r, 0, UINT32_MAX - 1);
  }
}

static bool may_fail(const struct hd_peer *peer, enum soak_links links)
{
  return (peer->kind == HD_PEER_SWITCH && links != SOAK_OUTER_LINKS) ||
         (peer->kind == HD_PEER_NODE && links != SOAK_INNER_LINKS);
}

/* Writes the link that the fault picks, counted over switches and ports. The fabric has at least one such link. */
static void put_link(const struct hd_topology *t, const struct soak_fault *f, FILE *out)
{
  enum soak_links links = t->n_switches > 1 ? f->links : SOAK_ALL_LINKS;
  uint32_t places = t->n_switches * t->ports, n = 0;
  for (uint32_t i = 0; i < places; i++)
    n += may_fail(&t->peers[i], links);
  uint32_t pick = f->pick % n;
  for (uint32_t i = 0; i < places; i++)
    if (may_fail(&t->peers[i], links) && !pick--) {
      fprintf(out, "link: \"s%" PRIu32 ":%" PRIu32 "\"}\n", i / t->ports, i % t->ports);
      return;
    }
}

static void put_faults(const struct soak_case *c, const struct hd_topology *t, FILE *out)
{
  fprintf(out, "faults:\n");
  for (uint32_t i = 0; i < c->n_faults; i++) {
    const struct soak_fault *f = &c->faults[i];
    fprintf(out, "  - {%s: %" PRIu32 ", ", f->after_barrier ? "after_barrier" : "cycle", f->when);
    if (f->whole_switch)
      fprintf(out, "switch: %" PRIu32 "}\n", f->pick % t->n_switches);
    else
      put_link(t, f, out);
  }
}

int hd_soak_write_faults(const struct soak_case *c, const char *yaml, struct hd_error *err)
{
  struct hd_scenario scenario = {0};
  struct hd_topology topology = {0};
  struct hd_tables tables = {0};
  struct hd_error refused = {""};
  int status = 0;
  if (!c->n_faults)
    return 0;
  /* A scenario that is refused gets no faults: it would be refused with them, too. */
  if (!hd_scenario_read(&scenario, yaml, &refused) &&
      !hd_scenario_build(&scenario, &topology, &tables, &refused)) {
    FILE *out = fopen(yaml, "a");
    if (out)
      put_faults(c, &topology, out);
    if (!out || fclose(out))
      status = hd_fail(err, HD_E_IO, "%s: %s", yaml, strerror(errno));
  }
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  hd_scenario_fini(&scenario);
  return status;
}

const char *hd_soak_fault_label(const struct soak_case *c)
{
  bool after = false, by_cycle = false;
  for (uint32_t i = 0; i < c->n_faults; i++) {
    after |= c->faults[i].after_barrier;
    by_cycle |= !c->faults[i].after_barrier;
  }
  return after ? by_cycle ? "both" : "between rounds" : by_cycle ? "at any time" : "none";
}
