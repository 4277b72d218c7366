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

static uint64_t hash(const char *name)
{
  uint64_t h = 0;
  for (const char *c = name; *c; c++) {
    h ^= (unsigned char)*c;
    h = hd_splitmix(&h);
  }
  return h;
}

/* Returns the slot of a name in the hash table; it is 0 if there is no such name. */
static uint32_t *place_of(struct hd_world *world, const char *name)
{
  uint64_t at = hash(name) & (world->cap_places - 1);
  while (world->places[at] && strcmp(world->statistics[world->places[at] - 1].name, name))
    at = (at + 1) & (world->cap_places - 1);
  return &world->places[at];
}

/* Makes sure that the table is less than half full with one more name. Returns false if there is no
 * memory. */
static bool has_place(struct hd_world *world)
{
  enum { FIRST_PLACES = 64 };
  if (world->places && 2 * (world->n_statistics + 1) <= world->cap_places)
    return true;
  const uint32_t n = world->places ? 2 * world->cap_places : FIRST_PLACES;
  uint32_t *places = calloc(n, sizeof *places);
  if (!places)
    return false;
  free(world->places);
  world->places = places;
  world->cap_places = n;
  for (uint32_t i = 0; i < world->n_statistics; i++)
    *place_of(world, world->statistics[i].name) = i + 1;
  return true;
}

static struct hd_statistic *find(struct hd_ep *ep, const char *name)
{
  struct hd_world *world = ep->world;
  if (strlen(name) > HD_EP_STATISTIC_BYTES)
    hd_ep_fail(ep, HD_E_SOFTWARE,
               "statistic '%.80s…': %zu bytes; names of statistics have at most %d", name,
               strlen(name), HD_EP_STATISTIC_BYTES);
  if (!has_place(world))
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for statistic '%s'", name);
  uint32_t *place = place_of(world, name);
  if (*place)
    return &world->statistics[*place - 1];
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
  *place = ++world->n_statistics;
  return &world->statistics[*place - 1];
}

void hd_ep_statistic(struct hd_ep *ep, const char *name, uint64_t value)
{
  if (value > INT64_MAX)
    hd_ep_fail(ep, HD_E_SOFTWARE, "statistic '%s': %" PRIu64 "; values are below 2^63", name,
               value);
  struct hd_statistic *s = find(ep, name);
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
  free(world->places);
}
