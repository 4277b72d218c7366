/* heddle check --bisect: does the commit that git bisect takes for bad have this very RTL?
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BISECT_CHECK_BISECT_H
#define HD_BISECT_CHECK_BISECT_H

#include <stdbool.h>

/** True if git bisect searches the repository of `rtl_dir`, and the RTL of its bad commit is this
 *  one but for comments. Then a verdict on this RTL also holds for the bad commit: were it good,
 *  Git would blame a commit that changes nothing. */
bool hd_bisect_is_bad_commit(const char *rtl_dir);

#endif
