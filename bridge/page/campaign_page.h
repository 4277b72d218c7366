/* A campaign as a page of HTML, from the files of its directory.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/report.md says what is on it.
 */
#ifndef HD_CAMPAIGN_PAGE_H
#define HD_CAMPAIGN_PAGE_H

#include "../../cmodel/error.h"

#include <stdbool.h>

/** Tests whether the directory holds a campaign. */
bool hd_is_campaign(const char *directory);

/** Writes the page of a sweep or a check, from campaign.db and sweep.json or check.json, to `path`. HD_E_IO,
 *  HD_E_INPUT (no campaign, or none that has written its tables). */
int hd_campaign_page_write(const char *directory, const char *path, struct hd_error *err);

#endif
