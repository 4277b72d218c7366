/* Tasks of the fault suite, as a study's (bridge/studies/study.h).
 * SPDX-License-Identifier: Apache-2.0
 *
 * One file has all kinds of tasks: another part of the list, or a list with more in it, has what was tried
 * before. Another RTL, another tool, another program and another seed have a file of their own, so the same
 * command goes on with what there is, and no other takes it for its own.
 */
#include "suite.h"

#include <inttypes.h>

int suite_each(const struct suite *suite, const struct hd_study_tasks *tasks, struct hd_error *err)
{
  struct hd_text definition = {0};
  hd_text_add(&definition, "seed %" PRIu64 " on %s", suite->seed, suite->dut);
  const struct study study = {.name = "faults",
                              .command = "make faults",
                              .definition = hd_text_chars(&definition),
                              .rtl_dir = "rtl",
                              .directory = suite->directory,
                              .jobs = suite->jobs,
                              .stop = suite->stop};
  const int status = hd_study_run(&study, tasks, err);
  hd_text_fini(&definition);
  return status;
}
