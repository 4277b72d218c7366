/* Runs a program under the recorder and joins the parts that its processes have written.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "recorder.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "recorder_mpi.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(char *const *command, const char *plugin, const char *directory,
               struct hd_error *err)
{
  int status;
  const char *before = getenv("LD_PRELOAD");
  char *preload =
      hd_xasprintf("%s%s%s", plugin, before && *before ? ":" : "", before ? before : "");
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    setenv("LD_PRELOAD", preload, 1);
    setenv(HD_RECORD_DIRECTORY, directory, 1);
    execvp(command[0], command);
    fprintf(stderr, "heddle: cannot run %s: %s\n", command[0], strerror(errno));
    _exit(127);
  }
  free(preload);
  while (pid > 0 && waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return hd_fail(err, HD_E_IO, "cannot wait for %s: %s", command[0], strerror(errno));
  if (pid < 0)
    return hd_fail(err, HD_E_IO, "cannot start a process: %s", strerror(errno));
  if (WIFSIGNALED(status))
    return hd_fail(err, HD_E_TOOL, "%s was ended by signal %d; no trace is written", command[0],
                   WTERMSIG(status));
  if (WEXITSTATUS(status))
    return hd_fail(err, HD_E_TOOL, "%s ended with exit code %d; no trace is written", command[0],
                   WEXITSTATUS(status));
  return HD_OK;
}

/* Appends a part to the trace. Adds the number of its operations to *operations. */
static int append(const char *path, FILE *out, uint64_t *operations, struct hd_error *err)
{
  char line[4096];
  FILE *part = fopen(path, "r");
  if (!part)
    return hd_fail(err, HD_E_TOOL,
                   "%s is missing: not every process has come to the end of MPI_Finalize", path);
  while (fgets(line, sizeof line, part)) {
    *operations +=
        strncmp(line, "call ", 5) && strncmp(line, "rank ", 5) && strncmp(line, "group ", 6);
    fputs(line, out);
  }
  int failed = ferror(part);
  fclose(part);
  return failed ? hd_fail(err, HD_E_IO, "cannot read %s", path) : HD_OK;
}

static int merge_ranks(const char *directory, FILE *out, const char *const *command,
                       struct hd_recorded *recorded, struct hd_error *err)
{
  char path[PATH_MAX + 32], ranks[16] = "";
  uint64_t no_operations = 0;
  int status = HD_OK;
  snprintf(path, sizeof path, "%s/ranks", directory);
  FILE *file = fopen(path, "r");
  if (!file || !fgets(ranks, sizeof ranks, file))
    status =
        hd_fail(err, HD_E_TOOL,
                "no process of %s has written a part: it is no program of Open MPI that is linked "
                "with its shared library, or it does not call MPI_Finalize",
                command[0]);
  if (file)
    fclose(file);
  if (status)
    return status;
  recorded->ranks = (uint32_t)strtoul(ranks, NULL, 10);
  fprintf(out, "# Recorded by heddle record:");
  for (; *command; command++)
    fprintf(out, " %s", strpbrk(*command, "\r\n") ? "…" : *command);
  fprintf(out, "\nranks %" PRIu32 "\n", recorded->ranks);
  static const char *const kinds[] = {"groups", "rank"};
  for (int k = 0; k < 2; k++)
    for (uint32_t r = 0; r < recorded->ranks && !status; r++) {
      snprintf(path, sizeof path, "%s/%s.%" PRIu32, directory, kinds[k], r);
      status = append(path, out, k ? &recorded->operations : &no_operations, err);
    }
  return status;
}

int hd_record_program(char *const *command, const char *plugin, const char *trace,
                      struct hd_recorded *recorded, struct hd_error *err)
{
  char directory[PATH_MAX];
  FILE *out;
  *recorded = (struct hd_recorded){0};
  int status = hd_directory_temporary("heddle-record", directory, sizeof directory, err);
  if (status)
    return status;
  status = hd_file_create(trace, &out, err);
  if (!status) {
    status = run(command, plugin, directory, err);
    if (!status)
      status = merge_ranks(directory, out, (const char *const *)command, recorded, err);
    if ((fflush(out) || ferror(out)) && !status)
      status = hd_fail(err, HD_E_IO, "cannot write %s: %s", trace, strerror(errno));
    fclose(out);
    if (status)
      unlink(trace);
  }
  hd_tree_remove(directory, NULL);
  return status;
}
