/* For heddle check --bisect: compares this RTL with the bad commit of git bisect.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BISECT_CHECK_BISECT_H
#define HD_BISECT_CHECK_BISECT_H

#include <stdbool.h>

/** Tests whether git bisect searches the repository of `rtl_dir`, and its bad commit has the RTL
 *  in `rtl_dir`, except for comments. Then a verdict on this RTL holds for that commit, too. If
 *  the verdict is good, Git would blame a commit that changes nothing. */
bool hd_bisect_is_bad_commit(const char *rtl_dir);

#endif
