/* Progress of a build: reports what is being built and for how long.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A build runs tools one after the other. While a tool runs, `stop` is called many times a second.
 * So `stop` is the place to report the time from.
 */
#include "backends.h"

#include "../host/clock.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double quiet_seconds = 2.0; /* a shorter build is not reported */

void hd_building_say(const struct hd_backend_options *options, const char *line)
{
  if (options->say)
    options->say(options->context, line);
}

void hd_building_begin(const struct hd_backend_options *options, bool repaired, const char *what,
                       char (*parameters)[32], size_t n)
{
  char line[128 + HD_SWITCH_PARAMS * 32];
  if (repaired)
    hd_building_say(options, "a damaged cache entry was removed");
  size_t used = (size_t)snprintf(line, sizeof line, "%.100s:", what);
  for (size_t i = 0; i < n; i++)
    used += (size_t)snprintf(line + used, sizeof line - used, " %s", parameters[i]);
  hd_building_say(options, line);
}

static void report_step(void *context, const char *line)
{
  struct hd_building *b = context;
  snprintf(b->what, sizeof b->what, "%s", line);
  b->since = b->reported = hd_seconds_now();
  hd_building_say(b->options, line);
}

static bool stop(void *context)
{
  struct hd_building *b = context;
  double now = hd_seconds_now();
  if (now - b->since >= quiet_seconds && now - b->reported >= 1) {
    b->reported = now;
    b->options->building(b->options->context, b->what, now - b->since);
  }
  return b->options->stop(b->options->context);
}

bool hd_building_unoptimised(void)
{
  const char *text = getenv("HEDDLE_UNOPTIMISED");
  return text && *text && strcmp(text, "0") != 0;
}

struct hd_backend_options hd_building_options(struct hd_building *building,
                                              const struct hd_backend_options *options)
{
  struct hd_backend_options copy = *options;
  copy.unoptimised |= hd_building_unoptimised();
  if (!options->building || !options->stop)
    return copy;
  /* Before its first call of `say`, a build waits for the lock of its cache entry. */
  *building =
      (struct hd_building){.options = options, .what = "waiting for another build of the same"};
  building->since = building->reported = hd_seconds_now();
  copy.say = report_step;
  copy.stop = stop;
  copy.building = NULL;
  copy.context = building;
  return copy;
}
