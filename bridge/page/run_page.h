/* A run as a page of HTML, from its run database.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/report.md describes the page.
 */
#ifndef HD_RUN_PAGE_H
#define HD_RUN_PAGE_H

#include "../../cmodel/error.h"

/** Writes the page of a run to `path`. `run` is its directory or its database. Errors: HD_E_IO,
 *  HD_E_INPUT (no run). */
int hd_run_page_write(const char *run, const char *path, struct hd_error *err);

#endif
