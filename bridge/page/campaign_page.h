/* A campaign as a page of HTML, from the files of its directory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/report.md describes the page.
 */
#ifndef HD_CAMPAIGN_PAGE_H
#define HD_CAMPAIGN_PAGE_H

#include "../../cmodel/error.h"

#include <stdbool.h>

/** Tests whether the directory holds a campaign. */
bool hd_is_campaign(const char *directory);

/** Writes the page of a sweep or a check to `path`, from campaign.db and sweep.json or
 *  check.json. Errors: HD_E_IO; HD_E_INPUT: there is no campaign, or it has not written its
 *  tables yet. */
int hd_campaign_page_write(const char *directory, const char *path, struct hd_error *err);

#endif
