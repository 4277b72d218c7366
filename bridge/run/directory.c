/* Creates the directory of a run.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "directory.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RUNS = 1000000 };

static int directory_failed(const char *path, struct hd_error *err)
{
  return hd_fail(err, HD_E_IO,
                 "%s: cannot make this directory for the run: %s; choose another by --out", path,
                 strerror(errno));
}

/* mkdir -p; EEXIST is fine. */
static int make_parents(char *path, struct hd_error *err)
{
  for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = '\0';
    int failed = mkdir(path, 0777) && errno != EEXIST;
    if (failed)
      directory_failed(path, err);
    *slash = '/';
    if (failed)
      return HD_E_IO;
  }
  return HD_OK;
}

int hd_run_make_directory(const char *path, struct hd_error *err)
{
  char *copy = hd_xstrdup(path);
  int status = HD_OK;
  if (make_parents(copy, NULL) || (mkdir(path, 0777) && errno != EEXIST))
    status = hd_fail(err, HD_E_IO,
                     "%s: cannot make this directory: %s; copy the run to where you may write",
                     path, strerror(errno));
  free(copy);
  return status;
}

static bool is_directory(const char *path)
{
  struct stat info;
  return !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* Files that a run writes beside its database. */
static const char *const files[] = {"report.html",      "report.json", "report.csv", "latency.csv",
                                    "results.xml",      "packets.csv", "pairs.csv",  "classes.csv",
                                    "energy.csv",       "latency.svg", "waves.fst",  "waves.gtkw",
                                    "rtl_coverage.dat", "rtl.log",     NULL};

int hd_run_directory_is_free(const char *out_dir, struct hd_error *err)
{
  struct hd_text path = {0};
  size_t n = strlen(out_dir);
  if (!n)
    return hd_fail(err, HD_E_INPUT, "--out: the directory's name is empty");
  while (n > 1 && out_dir[n - 1] == '/')
    n--;
  hd_text_add(&path, "%.*s/run.db", (int)n, out_dir);
  int status = hd_file_replaceable(path.chars, err);
  if (!status && !access(path.chars, F_OK))
    status = hd_fail(err, HD_E_INPUT,
                     "%s: there is a run in this directory already; choose another by --out",
                     path.chars);
  hd_text_fini(&path);
  return status ? status : hd_directory_spares(out_dir, NULL, files, err);
}

static int given_directory(const char *out_dir, char **directory, struct hd_error *err)
{
  char *path = hd_xstrdup(out_dir);
  size_t n = strlen(out_dir);
  while (n > 1 && path[n - 1] == '/')
    path[--n] = '\0';
  int status = hd_run_directory_is_free(path, err);
  if (!status)
    status = make_parents(path, err);
  if (!status && mkdir(path, 0777) && (errno != EEXIST || !is_directory(path)))
    status = directory_failed(path, err);
  if (!status && access(path, W_OK | X_OK)) /* before the run that needs it */
    status = hd_fail(err, HD_E_IO,
                     "%s: nothing can be written into this directory: %s; choose another by --out",
                     path, strerror(errno));
  if (status) {
    free(path);
    return status;
  }
  *directory = path;
  return HD_OK;
}

int hd_run_directory(const char *out_dir, const char *name, char **directory, struct hd_error *err)
{
  *directory = NULL;
  if (out_dir)
    return given_directory(out_dir, directory, err);
  if (mkdir("runs", 0777) && errno != EEXIST)
    return directory_failed("runs", err);
  /* A scenario's name may have any characters; each one that is unsafe in a path becomes _. */
  char safe[64];
  size_t n = 0;
  for (; name[n] && n < sizeof safe - 1; n++) {
    char c = name[n];
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-' || c == '_' || (c == '.' && n);
    safe[n] = c;
    if (!plain)
      safe[n] = '_';
  }
  safe[n] = '\0';
  for (int i = 1; i < MOST_RUNS; i++) {
    char path[128];
    snprintf(path, sizeof path, "runs/%s-%d", n ? safe : "run", i);
    if (!mkdir(path, 0777)) {
      *directory = hd_xstrdup(path);
      return HD_OK;
    }
    if (errno != EEXIST)
      return directory_failed(path, err);
  }
  return hd_fail(err, HD_E_IO, "runs/: too many runs of %s; remove some", safe);
}
