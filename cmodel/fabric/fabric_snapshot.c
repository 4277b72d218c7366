/* Snapshots of the fabric model: a copy of its whole state.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fabric_state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_REGIONS = 96 };

/* Memory that neither moves nor grows during a fabric's life. */
struct region {
  void *bytes;
  size_t size;
};

struct hd_fabric_snapshot {
  struct hd_fabric scalars;    /* its pointers are not used */
  unsigned char *fixed;        /* all regions, one behind the other */
  struct packet *packets;      /* payloads owned */
  struct assembly *assemblies; /* words owned */
  struct waiting *waiting;
};

static size_t regions(const struct hd_fabric *f, struct region *list)
{
  size_t n = 0, switches = f->topology->n_switches, nodes = f->topology->n_nodes;
  list[n++] = (struct region){f->switch_set, (switches / 64 + 1) * sizeof *f->switch_set};
  list[n++] = (struct region){f->node_set, (nodes / 64 + 1) * sizeof *f->node_set};
  list[n++] = (struct region){f->injectors, nodes * sizeof *f->injectors};
  list[n++] = (struct region){f->ejectors, nodes * sizeof *f->ejectors};
  list[n++] = (struct region){f->ejector_set, (nodes / 64 + 1) * sizeof *f->ejector_set};
  list[n++] = (struct region){f->quiescent, switches * sizeof *f->quiescent};
  list[n++] = (struct region){f->n_carry, switches * sizeof *f->n_carry};
  list[n++] = (struct region){f->carry, switches * f->carry_room * sizeof *f->carry};
  list[n++] = (struct region){f->carry_tags, switches * f->carry_room * sizeof *f->carry_tags};
  list[n++] = (struct region){f->configs, switches * sizeof *f->configs};
  list[n++] = (struct region){f->config_set, (switches / 64 + 1) * sizeof *f->config_set};
  if (f->barrier) {
    list[n++] = (struct region){f->barrier, nodes * sizeof *f->barrier};
    list[n++] = (struct region){f->barrier_set, (nodes / 64 + 1) * sizeof *f->barrier_set};
  }
  if (f->switches)
    list[n++] = (struct region){f->switches, switches * f->switch_size};
  if (f->oldest_to) {
    list[n++] = (struct region){f->oldest_to, nodes * sizeof *f->oldest_to};
    list[n++] = (struct region){f->youngest_to, nodes * sizeof *f->youngest_to};
    list[n++] = (struct region){f->held,
                                switches * f->topology->ports * f->params.sw.vcs * sizeof *f->held};
  }
  if (f->ends) {
    list[n++] = (struct region){f->ends, f->n_links * sizeof *f->ends};
    list[n++] = (struct region){f->dead_ends, f->n_links * sizeof *f->dead_ends};
    list[n++] = (struct region){f->dead_switches, (switches / 64 + 1) * sizeof *f->dead_switches};
    list[n++] = (struct region){f->dead_links,
                                (switches * f->topology->ports / 64 + 1) * sizeof *f->dead_links};
  }
  for (uint32_t i = 0; i < f->n_slots; i++) {
    struct arrivals *a = &f->calendar[i];
    list[n++] = (struct region){&a->n_flits, sizeof a->n_flits};
    list[n++] = (struct region){&a->n_credits, sizeof a->n_credits};
  }
  return n;
}

static bool copy_packets(struct packet *to, const struct packet *from, uint32_t n)
{
  bool good = true;
  for (uint32_t i = 0; i < n; i++) {
    to[i] = from[i];
    if (from[i].number == HD_PACKET_NONE || !from[i].payload)
      continue;
    size_t size = from[i].flits * sizeof *from[i].payload;
    to[i].payload = malloc(size);
    if (to[i].payload)
      memcpy(to[i].payload, from[i].payload, size);
    else
      good = false;
  }
  return good;
}

static bool copy_assemblies(struct assembly *to, const struct assembly *from, size_t n)
{
  bool good = true;
  for (size_t i = 0; i < n; i++) {
    to[i] = from[i];
    if (!from[i].words)
      continue;
    to[i].words = malloc(from[i].capacity * sizeof *from[i].words);
    if (to[i].words)
      memcpy(to[i].words, from[i].words, from[i].n * sizeof *from[i].words);
    else
      good = false;
  }
  return good;
}

static void free_packets(struct packet *packets, uint32_t n)
{
  for (uint32_t i = 0; packets && i < n; i++)
    if (packets[i].number != HD_PACKET_NONE)
      free(packets[i].payload);
  free(packets);
}

static void free_assemblies(struct assembly *assemblies, size_t n)
{
  for (size_t i = 0; assemblies && i < n; i++)
    free(assemblies[i].words);
  free(assemblies);
}

static size_t n_assemblies(const struct hd_fabric *f)
{
  return (size_t)f->topology->n_nodes * f->params.sw.vcs;
}

/* Flits and credits in the calendar, as many as there are. */
static size_t calendar_size(const struct hd_fabric *f)
{
  size_t size = 0;
  for (uint32_t i = 0; i < f->n_slots; i++)
    size += f->calendar[i].n_flits * sizeof *f->calendar[i].flits +
            f->calendar[i].n_credits * sizeof *f->calendar[i].credits;
  return size;
}

static void copy_calendar(const struct hd_fabric *f, unsigned char *bytes, bool save)
{
  for (uint32_t i = 0; i < f->n_slots; i++) {
    struct arrivals *a = &f->calendar[i];
    size_t flits = a->n_flits * sizeof *a->flits, credits = a->n_credits * sizeof *a->credits;
    memcpy(save ? (void *)bytes : (void *)a->flits, save ? (void *)a->flits : (void *)bytes, flits);
    bytes += flits;
    memcpy(save ? (void *)bytes : (void *)a->credits, save ? (void *)a->credits : (void *)bytes,
           credits);
    bytes += credits;
  }
}

int hd_fabric_snapshot_take(const struct hd_fabric *f, struct hd_fabric_snapshot **snapshot,
                            struct hd_error *err)
{
  struct region list[MAX_REGIONS];
  size_t n = regions(f, list), size = calendar_size(f), at = 0;
  for (size_t i = 0; i < n; i++)
    size += list[i].size;
  struct hd_fabric_snapshot *s = calloc(1, sizeof *s);
  *snapshot = NULL;
  if (s) {
    s->scalars = *f;
    s->fixed = malloc(size);
    s->packets = calloc(f->n_packets, sizeof *s->packets);
    s->assemblies = calloc(n_assemblies(f), sizeof *s->assemblies);
    s->waiting = malloc((f->cap_waiting + 1) * sizeof *s->waiting);
  }
  if (!s || !s->fixed || !s->packets || !s->assemblies || !s->waiting ||
      !copy_packets(s->packets, f->packets, f->n_packets) ||
      !copy_assemblies(s->assemblies, f->assemblies, n_assemblies(f))) {
    hd_fabric_snapshot_destroy(s);
    return hd_fail(err, HD_E_NOMEM, "no memory for a snapshot of %zu bytes", size);
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(s->fixed + at, list[i].bytes, list[i].size);
    at += list[i].size;
  }
  copy_calendar(f, s->fixed + at, true);
  if (f->cap_waiting)
    memcpy(s->waiting, f->waiting, f->cap_waiting * sizeof *s->waiting);
  *snapshot = s;
  return HD_OK;
}

int hd_fabric_snapshot_restore(struct hd_fabric *f, const struct hd_fabric_snapshot *s,
                               struct hd_error *err)
{
  const struct hd_fabric *old = &s->scalars;
  struct packet *packets = calloc(old->n_packets, sizeof *packets);
  struct assembly *assemblies = calloc(n_assemblies(f), sizeof *assemblies);
  struct waiting *waiting = malloc((old->cap_waiting + 1) * sizeof *waiting);
  if (!packets || !assemblies || !waiting || !copy_packets(packets, s->packets, old->n_packets) ||
      !copy_assemblies(assemblies, s->assemblies, n_assemblies(f))) {
    if (packets)
      free_packets(packets, old->n_packets);
    free_assemblies(assemblies, n_assemblies(f));
    free(waiting);
    return hd_fail(err, HD_E_NOMEM, "no memory to restore a snapshot");
  }
  free_packets(f->packets, f->n_packets);
  free_assemblies(f->assemblies, n_assemblies(f));
  free(f->waiting);
  if (old->cap_waiting)
    memcpy(waiting, s->waiting, old->cap_waiting * sizeof *waiting);
  f->packets = packets;
  f->assemblies = assemblies;
  f->waiting = waiting;
  f->cap_waiting = old->cap_waiting;
  f->free_waiting = old->free_waiting;
  f->n_waiting = old->n_waiting;
  f->n_configs = old->n_configs;
  f->n_ejectors = old->n_ejectors;
  f->n_owed = old->n_owed;
  f->n_packets = old->n_packets;
  f->next_number = old->next_number;
  f->oldest = old->oldest;
  f->cycle = old->cycle;
  f->under_way = old->under_way;
  f->counters = old->counters;
  f->n_dead_ends = old->n_dead_ends;
  f->some_dead = old->some_dead;
  f->n_deliveries = f->n_barrier_deliveries = f->n_losses = f->n_handed = 0;
  f->losses_cycle = UINT64_MAX;
  f->record = NULL;
  struct region list[MAX_REGIONS];
  size_t n = regions(f, list), at = 0;
  for (size_t i = 0; i < n; i++) {
    memcpy(list[i].bytes, s->fixed + at, list[i].size);
    at += list[i].size;
  }
  copy_calendar(f, s->fixed + at, false);
  return HD_OK;
}

void hd_fabric_snapshot_destroy(struct hd_fabric_snapshot *s)
{
  if (!s)
    return;
  free(s->fixed);
  free(s->waiting);
  free_packets(s->packets, s->scalars.n_packets);
  free_assemblies(s->assemblies, (size_t)s->scalars.topology->n_nodes * s->scalars.params.sw.vcs);
  free(s);
}
