/* report.json: the statements. The runs are in runs.csv.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton_study.h"

#include <jansson.h>
#include <stdio.h>

int mts_write_json(const struct mts_results *r, const struct study_statement *statements,
                   uint32_t n, const char *directory, struct hd_error *err)
{
  char path[STUDY_PATH];
  json_t *report =
      json_pack("{s:b,s:o}", "quick", r->quick, "statements", study_statements_json(statements, n));
  snprintf(path, sizeof path, "%s/report.json", directory);
  int failed = !report || json_dump_file(report, path, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
  json_decref(report);
  return failed ? hd_fail(err, HD_E_IO, "%s could not be written", path) : 0;
}
