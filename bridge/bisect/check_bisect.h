/* heddle check --bisect: does the commit that git bisect takes for bad have this very RTL?
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BISECT_CHECK_BISECT_H
#define HD_BISECT_CHECK_BISECT_H

#include <stdbool.h>

/** True: a search by git bisect is under way in the repository of `rtl_dir`, and the RTL of its bad commit is this
 *  one but for comments. Then a verdict on this RTL holds for the bad commit, too: were this one good, Git would
 *  blame a commit that changes nothing. */
bool hd_bisect_is_bad_commit(const char *rtl_dir);

#endif
