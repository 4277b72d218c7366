/* Returns Heddle's version, with that of the Git repository in which it was built.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_GIT_VERSION comes from $(O)/git_version.h, which mk/c.mk makes.
 */
#include "../version.h"

#ifndef HD_GIT_VERSION
#define HD_GIT_VERSION ""
#endif

const char *hd_version(void)
{
  return sizeof HD_GIT_VERSION > 1 ? HD_VERSION " (" HD_GIT_VERSION ")" : HD_VERSION;
}
