/* For heddle check --bisect: compares this RTL with the bad commit of git bisect.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "check_bisect.h"

#include "../host/file.h"
#include "../host/repository.h"
#include "../check/equal/equal.h"

#include <limits.h>
#include <stdio.h>

static bool has_same_text(const char *bad, const char *rtl_dir)
{
  struct hd_equal *equal = NULL;
  bool same = !hd_equal_open(&equal, bad, rtl_dir, "hd_switch", NULL) && !hd_equal_modules(equal) &&
              !hd_equal_forbidden(equal);
  hd_equal_close(equal);
  return same;
}

bool hd_bisect_is_bad_commit(const char *rtl_dir)
{
  struct hd_repository repository;
  char commit[HD_REPOSITORY_ID], made[PATH_MAX - 8], tree[PATH_MAX], bad[2 * PATH_MAX];
  if (hd_repository_open(&repository, rtl_dir, "hd_switch.v", NULL) ||
      !hd_repository_bisect_bad(&repository, commit) ||
      hd_directory_temporary("heddle-bisect", made, sizeof made, NULL))
    return false;
  snprintf(tree, sizeof tree, "%s/tree", made);
  snprintf(bad, sizeof bad, "%s/%s", tree, repository.prefix);
  bool same = !hd_repository_extract(&repository, commit, tree, NULL, NULL, NULL) &&
              has_same_text(bad, rtl_dir);
  hd_tree_remove(made, NULL);
  return same;
}
