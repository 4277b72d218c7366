/* Finds Heddle's own sources, and the directory of backends that are built from them.
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

#define SHARE "share/heddle"
static const char k_landmark[] = "bridge/backends/verilator/verilator.cpp";
static const char k_source_tree[] = "Makefile"; /* a file that is not installed */

static bool has_file(const char *directory, const char *name)
{
  char path[PATH_MAX];
  int n = snprintf(path, sizeof path, "%s/%s", directory, name);
  return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

/* Finds the nearest directory above the executable that is a source tree or has one in
 * share/heddle. */
static int find_above(char found[PATH_MAX], struct hd_error *err)
{
  ssize_t n = readlink("/proc/self/exe", found, PATH_MAX - sizeof "/" SHARE);
  if (n < 0)
    return hd_fail(err, HD_E_INPUT,
                   "cannot find the executable (%s); set HD_ROOT to Heddle's source tree",
                   strerror(errno));
  found[n] = '\0';
  for (char *slash; (slash = strrchr(found, '/'));) {
    *slash = '\0';
    if (has_file(found, k_landmark))
      return 0;
    strcpy(slash, "/" SHARE);
    if (has_file(found, k_landmark))
      return 0;
    *slash = '\0';
  }
  return hd_fail(err, HD_E_INPUT,
                 "no directory above the executable holds %s, nor " SHARE "/%s; set HD_ROOT to "
                 "Heddle's source tree",
                 k_landmark, k_landmark);
}

int hd_install_root(char *path, size_t size, struct hd_error *err)
{
  char found[PATH_MAX];
  const char *given = getenv("HD_ROOT");
  int status = 0;
  if (!given || !*given)
    status = find_above(found, err);
  else if (!realpath(given, found))
    status = hd_fail(err, HD_E_INPUT, "HD_ROOT=%s: %s", given, strerror(errno));
  else if (!has_file(found, k_landmark))
    status = hd_fail(err, HD_E_INPUT, "HD_ROOT=%s holds no %s; it must name Heddle's source tree",
                     given, k_landmark);
  if (!status && strlen(found) >= size)
    status = hd_fail(err, HD_E_INPUT, "the path of Heddle's source tree is too long: %s", found);
  if (!status)
    memcpy(path, found, strlen(found) + 1);
  return status;
}

int hd_install_cache(const char *given, char *path, size_t size, struct hd_error *err)
{
  char root[PATH_MAX];
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n, status = given ? 0 : hd_install_root(root, sizeof root, err);
  if (status)
    return status;
  if (given)
    n = snprintf(path, size, "%s", given);
  else if (has_file(root, k_source_tree))
    n = snprintf(path, size, "%s/build/dut", root);
  else if (xdg && *xdg == '/')
    n = snprintf(path, size, "%s/heddle", xdg);
  else if (home && *home == '/')
    n = snprintf(path, size, "%s/.cache/heddle", home);
  else
    return hd_fail(err, HD_E_INPUT,
                   "no place to keep built backends: neither XDG_CACHE_HOME nor HOME is set; say "
                   "--cache DIR");
  return n >= 0 && (size_t)n < size
             ? 0
             : hd_fail(err, HD_E_IO, "path too long: %.200s", given ? given : path);
}

int hd_install_plugin(const char *name, char *path, size_t size, struct hd_error *err)
{
  char executable[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
  if (length < 0)
    return hd_fail(err, HD_E_INPUT, "cannot find the executable: %s", strerror(errno));
  executable[length] = '\0';
  *strrchr(executable, '/') = '\0';
  const char *between = has_file(executable, name) ? "" : "/../lib/heddle";
  int n = snprintf(path, size, "%s%s/%s", executable, between, name);
  return n > 0 && (size_t)n < size
             ? HD_OK
             : hd_fail(err, HD_E_INPUT, "the path of %s is too long: %s", name, executable);
}
