/* The RTL's source with the number of times that runs executed each line, as a page of HTML.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_COVERAGE_PAGE_H
#define HD_COVERAGE_PAGE_H

#include "../coverage/coverage_set.h"
#include "../coverage/rtl_coverage.h"

/** Writes the page to `path`: sums, points of the specification that no run exercised, and each
 *  file line by line. Errors: HD_E_IO. */
int hd_coverage_page_write(const struct hd_coverage_set *points, const struct hd_rtl_coverage *rtl,
                           const char *path, struct hd_error *err);

#endif
