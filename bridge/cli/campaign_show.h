/* A campaign on a terminal: workers, progress, signals, MPI.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CAMPAIGN_SHOW_H
#define HD_CAMPAIGN_SHOW_H

#include "../campaign/campaign.h"

#include <argp.h>

/** Options of all commands that carry campaigns out. */
struct hd_cli_campaign {
  struct hd_campaign campaign;
  const char *out;
  bool quiet, show_progress, no_page;
};

/** Child parser; its input is a struct hd_cli_campaign. */
extern const struct argp hd_cli_campaign_argp;

/** Carries the campaign out in `directory`, or in that of --out; sets `out` to it. In ranks of mpirun other than 0 it
 *  serves rank 0 and ends the process. Returns the status, and the counts in *result. */
int hd_cli_campaign(struct hd_cli_campaign *campaign, const char *directory,
                    struct hd_campaign_result *result, struct hd_error *err);

/** Writes OUT/report.html from the tables that are in OUT now, and says so, unless --no-html or --quiet was
 *  given. */
int hd_cli_campaign_page(const struct hd_cli_campaign *campaign, struct hd_error *err);

/** Call last, with the exit code: mpirun's processes end together. Returns it. */
int hd_cli_campaign_close(struct hd_cli_campaign *campaign, int code);

#endif
