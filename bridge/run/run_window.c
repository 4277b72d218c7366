/* Waves of any switch in any cycles, by running the scenario up to there again.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_internal.h"
#include "../waves/waves.h"

int hd_run_window_end(struct hd_run *run, int status, struct hd_error *err)
{
  const struct hd_run_window *w = run->options->window;
  struct hd_run_report *report = run->report;
  /* Up to where it came, a run that ends badly can be looked at, too. */
  if (status && status != HD_E_DIVERGENCE && status != HD_E_DEADLOCK)
    return status;
  uint64_t last = hd_lockstep_last(run->lockstep);
  if (w->from > last)
    return hd_fail(err, HD_E_INPUT, "cycle %llu: the run ends with cycle %llu",
                   (unsigned long long)w->from, (unsigned long long)last);
  report->window_last = w->to < last ? w->to : last;
  struct hd_text title = {0};
  hd_text_add(&title, "%s, seed %llu, %s against the model", report->name,
              (unsigned long long)report->seed, report->dut);
  status = title.failed ? hd_fail(err, HD_E_NOMEM, "waves: out of memory")
                        : hd_run_make_directory(w->dir, err);
  if (!status)
    status = hd_waves_write_window(run->lockstep, w->sw, w->from, w->to, &run->scenario.sw,
                                   hd_text_chars(&title), w->dir, err);
  hd_text_fini(&title);
  report->has_waves = !status;
  return status;
}
