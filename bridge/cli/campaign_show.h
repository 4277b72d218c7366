/* Carries out a campaign for a command: workers, progress, signals, MPI.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CAMPAIGN_SHOW_H
#define HD_CAMPAIGN_SHOW_H

#include "../campaign/campaign.h"

#include <argp.h>

/** Options that all commands with a campaign have. */
struct hd_cli_campaign {
  struct hd_campaign campaign;
  const char *out;
  bool quiet, show_progress, no_page;
};

/** Child parser, whose input is a struct hd_cli_campaign. */
extern const struct argp hd_cli_campaign_argp;

/** Carries the campaign out in the directory of --out, or in `directory` without --out, and sets
 *  `out` to it. In ranks of mpirun other than 0 it works for rank 0, then ends the process.
 *  Returns the status, and the counts in *result. */
int hd_cli_campaign(struct hd_cli_campaign *campaign, const char *directory,
                    struct hd_campaign_result *result, struct hd_error *err);

/** Writes OUT/report.html from the tables in OUT, and prints its path, unless --no-html or
 *  --quiet was given. */
int hd_cli_campaign_page(const struct hd_cli_campaign *campaign, struct hd_error *err);

/** Called last, with the exit code, since all processes of mpirun must end together. Returns the
 *  code. */
int hd_cli_campaign_close(struct hd_cli_campaign *campaign, int code);

#endif
