/* Reports how far a run is, at most twice a second.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "progress.h"

#include "../host/clock.h"

static const double progress_seconds = 0.5;

void hd_progress_start(struct hd_progress *progress)
{
  progress->started = progress->reported = hd_seconds_now();
}

static void report_progress(struct hd_progress *progress, const struct hd_run_options *options,
                            double now, uint64_t cycle, uint64_t cycles, uint32_t n_switches)
{
  struct hd_run_progress p = {
      .cycle = cycle,
      .cycles = cycles,
      .seconds = now - progress->started,
      .seconds_left = -1.0,
      .phase = "running",
  };
  double step = now - progress->reported;
  double rate = step > 0 ? (double)(cycle - progress->reported_cycle) / step : 0;
  p.switch_cycles_per_second = rate * n_switches;
  if (cycle && cycle < p.cycles && p.seconds > 0)
    p.seconds_left = (double)(p.cycles - cycle) * p.seconds / (double)cycle;
  progress->reported = now;
  progress->reported_cycle = cycle;
  options->progress(options->context, &p);
}

void hd_progress_report(struct hd_progress *progress, const struct hd_run_options *options,
                        uint64_t cycle, uint64_t cycles, uint32_t n_switches)
{
  double now = hd_seconds_now();
  if (options->progress && now - progress->reported >= progress_seconds)
    report_progress(progress, options, now, cycle, cycles, n_switches);
}
