/* Closes a run whose process was ended by users' code; called in the process that watches it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is known of such a run is in its database.
 */
#include "run.h"

#include "../host/memory.h"
#include "../page/run_page.h"
#include "../record/rundb.h"
#include "../report/report.h"

#include <stdlib.h>
#include <string.h>

static void fill_report(struct hd_run_report *report, const struct hd_rundb_info *info,
                        const char *directory, int status, const char *message)
{
  *report = (struct hd_run_report){
      .status = status,
      .directory = hd_xstrdup(directory),
      .name = hd_xstrdup(info->name),
      .scenario_path = info->scenario_path ? hd_xstrdup(info->scenario_path) : NULL,
      .dut = info->dut ? hd_xstrdup(info->dut) : NULL,
      .seed = info->seed,
      .mode = info->mode,
      .window_cycles = info->window_cycles,
      .threads = info->threads,
      .n_switches = info->n_switches,
      .n_nodes = info->n_nodes,
      .cycles_limit = info->cycles_limit,
      .has_reports = true,
  };
  hd_text_add(&report->message, "%s", message);
}

static int write_page(const char *directory, struct hd_error *err)
{
  struct hd_text path = {0};
  hd_text_add(&path, "%s/report.html", directory);
  int status = hd_run_page_write(directory, path.chars, err);
  hd_text_fini(&path);
  return status;
}

int hd_run_close_for_dead(const char *directory, int status, const char *message, bool has_page,
                          struct hd_error *err)
{
  struct hd_rundb_info info = {0};
  struct hd_run_report report;
  int failed = hd_rundb_close_orphaned(directory, hd_run_status_name(status), message, err);
  if (!failed)
    failed = hd_rundb_read(&info, directory, err);
  if (failed) {
    hd_rundb_info_fini(&info);
    return failed;
  }
  fill_report(&report, &info, directory, status, message);
  hd_rundb_info_fini(&info);
  if (has_page) {
    failed = write_page(directory, err);
    report.has_page = !failed;
  }
  const int written = hd_report_write(&report, directory, failed ? NULL : err);
  hd_run_report_fini(&report);
  return failed ? failed : written;
}
