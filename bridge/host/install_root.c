/* Where Heddle's own sources are.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "install_root.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char k_landmark[] = "bridge/backends/verilator/verilator.cpp";

static bool is_root(const char *directory)
{
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/%s", directory, k_landmark);
  return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

int hd_install_root(char *path, size_t size, struct hd_error *err)
{
  char found[PATH_MAX];
  const char *given = getenv("HD_ROOT");
  if (given && *given) {
    if (!realpath(given, found))
      return hd_fail(err, HD_E_INPUT, "HD_ROOT=%s: %s", given, strerror(errno));
    if (!is_root(found))
      return hd_fail(err, HD_E_INPUT, "HD_ROOT=%s holds no %s; it must name Heddle's source tree",
                     given, k_landmark);
  } else {
    ssize_t n = readlink("/proc/self/exe", found, sizeof found - 1);
    if (n < 0)
      return hd_fail(err, HD_E_INPUT,
                     "cannot find the executable (%s); set HD_ROOT to Heddle's source tree",
                     strerror(errno));
    found[n] = '\0';
    char *slash;
    while ((slash = strrchr(found, '/'))) {
      *slash = '\0';
      if (is_root(found))
        break;
    }
    if (!slash)
      return hd_fail(
          err, HD_E_INPUT,
          "no directory above the executable holds %s; set HD_ROOT to Heddle's source tree",
          k_landmark);
  }
  if (strlen(found) >= size)
    return hd_fail(err, HD_E_INPUT, "the path of Heddle's source tree is too long: %s", found);
  memcpy(path, found, strlen(found) + 1);
  return 0;
}
