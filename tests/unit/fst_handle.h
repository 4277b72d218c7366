/* A signal of an FST file by its whole name, through the FST API alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_FST_HANDLE_H
#define HD_TEST_FST_HANDLE_H

#include <fstapi.h>
#include <stdio.h>
#include <string.h>

/* Handle of a signal by its whole name; 0: none. */
static inline fstHandle handle_of(void *fst, const char *wanted)
{
  char scope[512] = "", path[600];
  struct fstHier *h = NULL;

  fstReaderIterateHierRewind(fst);
  while ((h = fstReaderIterateHier(fst)) != NULL) {
    if (h->htyp == FST_HT_SCOPE) {
      strcat(strcat(scope, h->u.scope.name), ".");
    } else if (h->htyp == FST_HT_UPSCOPE) {
      scope[strlen(scope) - 1] = '\0';
      *(strrchr(scope, '.') != NULL ? strrchr(scope, '.') + 1 : scope) = '\0';
    } else if (h->htyp == FST_HT_VAR) {
      snprintf(path, sizeof path, "%s%.*s", scope, (int)strcspn(h->u.var.name, " "), h->u.var.name);
      if (strcmp(path, wanted) == 0)
        return h->u.var.handle;
    }
  }
  return 0;
}

#endif
