/* Progress of a build: reports what is being built and for how long.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A build runs tools one after the other. While a tool runs, `stop` is called many times a second.
 * So `stop` is the place to report the time from.
 */
#include "backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double told_seconds = 2.0; /* a shorter build is not reported */

static double seconds_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say(void *context, const char *line)
{
  struct hd_building *b = context;
  snprintf(b->what, sizeof b->what, "%s", line);
  b->since = b->told = seconds_now();
  if (b->options->say)
    b->options->say(b->options->context, line);
}

static bool stop(void *context)
{
  struct hd_building *b = context;
  double now = seconds_now();
  if (now - b->since >= told_seconds && now - b->told >= 1) {
    b->told = now;
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
  struct hd_backend_options told = *options;
  told.unoptimised |= hd_building_unoptimised();
  if (!options->building || !options->stop)
    return told;
  /* Before its first call of `say`, a build waits for the lock of its cache entry. */
  *building =
      (struct hd_building){.options = options, .what = "waiting for another build of the same"};
  building->since = building->told = seconds_now();
  told.say = say;
  told.stop = stop;
  told.building = NULL;
  told.context = building;
  return told;
}
