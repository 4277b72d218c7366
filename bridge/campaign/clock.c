/* The clock of campaigns, which measures tasks and time budgets.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "campaign.h"

#include <time.h>

double hd_campaign_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
