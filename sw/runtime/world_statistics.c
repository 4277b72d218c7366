/* Named statistics of endpoint software (endpoint.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * All values are kept, with their cycles: the model runs ahead of the DUT, and only what was
 * compared counts in the end.
 */
#include "runtime.h"

#include "../../cmodel/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct hd_statistic *find(struct hd_ep *ep, const char *name)
{
  struct hd_world *world = ep->world;
  for (uint32_t i = 0; i < world->n_statistics; i++)
    if (!strcmp(world->statistics[i].name, name))
      return &world->statistics[i];
  bool room = HD_ROOM(world->statistics, world->cap_statistics, world->n_statistics, 1);
  char *own = room ? strdup(name) : NULL;
  if (!own)
    hd_ep_fail(ep, HD_E_NOMEM, "no memory for statistic '%s'", name);
  world->statistics[world->n_statistics] = (struct hd_statistic){.name = own};
  return &world->statistics[world->n_statistics++];
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
}
