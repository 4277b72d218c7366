/* Named statistics of endpoint software (hd_ep_statistic).
 * SPDX-License-Identifier: Apache-2.0
 *
 * All values are kept with their cycles. The model runs ahead of the DUT, and in the end only
 * values count whose cycles were compared. Names are found in a hash table with open addressing.
 */
#include "random.h"
#include "runtime.h"

#include "../../cmodel/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_name(const char *name)
{
  uint64_t h = 0;
  for (const char *c = name; *c; c++) {
    h ^= (unsigned char)*c;
    h = hd_splitmix(&h);
  }
  return h;
}

/* Returns the slot of a name in the hash table; it is 0 if there is no such name. */
static uint32_t *slot_of(struct hd_world *world, const char *name)
{
  uint64_t at = hash_name(name) & (world->cap_statistic_slots - 1);
  while (world->statistic_slots[at] &&
         strcmp(world->statistics[world->statistic_slots[at] - 1].name, name))
    at = (at + 1) & (world->cap_statistic_slots - 1);
  return &world->statistic_slots[at];
}

/* Makes sure that the table is less than half full with one more name. Returns false if there is no
 * memory. */
static bool reserve_slot(struct hd_world *world)
{
  enum { FIRST_SLOTS = 64 };
  if (world->statistic_slots && 2 * (world->n_statistics + 1) <= world->cap_statistic_slots)
    return true;
  const uint32_t n = world->statistic_slots ? 2 * world->cap_statistic_slots : FIRST_SLOTS;
  uint32_t *slots = calloc(n, sizeof *slots);
  if (!slots)
    return false;
  free(world->statistic_slots);
  world->statistic_slots = slots;
  world->cap_statistic_slots = n;
  for (uint32_t i = 0; i < world->n_statistics; i++)
    *slot_of(world, world->statistics[i].name) = i + 1;
  return true;
}

static struct hd_statistic *find_or_add(struct hd_ep *ep, const char *name)
{
  struct hd_world *world = ep->world;
  if (strlen(name) > HD_EP_STATISTIC_BYTES)
    hd_ep_fail(ep, HD_E_SOFTWARE,
               "statistic '%.80s…': %zu bytes; names of statistics have at most %d", name,
               strlen(name), HD_EP_STATISTIC_BYTES);
  if (!reserve_slot(world))
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for statistic '%s'", name);
  uint32_t *slot = slot_of(world, name);
  if (*slot)
    return &world->statistics[*slot - 1];
  if (world->n_statistics == HD_EP_STATISTICS)
    hd_ep_fail(ep, HD_E_SOFTWARE,
               "statistic '%.80s': a run has at most %d names of statistics; a name may have any "
               "number of values",
               name, HD_EP_STATISTICS);
  bool room = HD_ROOM(world->statistics, world->cap_statistics, world->n_statistics, 1);
  char *own = room ? strdup(name) : NULL;
  if (!own)
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for statistic '%s'", name);
  world->statistics[world->n_statistics] = (struct hd_statistic){.name = own};
  *slot = ++world->n_statistics;
  return &world->statistics[*slot - 1];
}

void hd_ep_statistic(struct hd_ep *ep, const char *name, uint64_t value)
{
  if (value > INT64_MAX)
    hd_ep_fail(ep, HD_E_SOFTWARE, "statistic '%s': %" PRIu64 "; values are below 2^63", name,
               value);
  struct hd_statistic *s = find_or_add(ep, name);
  if (!HD_ROOM(s->values, s->capacity, s->n, 1))
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for statistic '%s'", name);
  s->values[s->n++] = (struct hd_world_value){ep->world->now, value};
}

uint32_t hd_world_statistics(const struct hd_world *world)
{
  return world->n_statistics;
}

struct hd_world_statistic hd_world_statistic(const struct hd_world *world, uint32_t index)
{
  const struct hd_statistic *s = &world->statistics[index];
  return (struct hd_world_statistic){s->name, s->values, s->n};
}

void hd_world_statistics_free(struct hd_world *world)
{
  for (uint32_t i = 0; i < world->n_statistics; i++) {
    free(world->statistics[i].name);
    free(world->statistics[i].values);
  }
  free(world->statistics);
  free(world->statistic_slots);
}
