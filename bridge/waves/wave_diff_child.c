/* Compares two wave files in a child process with limits.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The library that reads FST trusts the file. A damaged file makes it crash, exit, or read for
 * ever. The child writes its findings to a file in memory. The parent reads that file when the
 * child has ended.
 */
#include "wave_diff_internal.h"

#include "../host/memory.h"
#include "../host/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Limit of processor time without progress: a fixed part, and a part for each megabyte. It is
 * far above the time that complete files need before their first change, and between two times. */
enum { SECONDS = 2, SECONDS_A_MEGABYTE = 5, LOOK_MILLISECONDS = 100 };

/* The child sends this before the differences. */
struct answer {
  int status;
  struct hd_error err;
  struct hd_wave_diff diff;
};

/* A difference: its time, and the lengths of the four texts that follow. */
struct row {
  uint64_t time, lengths[4];
};

static double seconds_for(const char *const paths[2])
{
  struct stat info;
  double bytes = 0;
  for (unsigned i = 0; i < 2; i++)
    bytes += stat(paths[i], &info) ? 0 : (double)info.st_size;
  return SECONDS + bytes / (1 << 20) * SECONDS_A_MEGABYTE;
}

/* Processor time that the process has used; 0 if not known. */
static double processor_seconds(pid_t pid)
{
  clockid_t clock;
  struct timespec t;
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
    return 0;
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void limit(int what, rlim_t most)
{
  struct rlimit now;
  if (getrlimit(what, &now) != 0)
    return;
  now.rlim_cur = now.rlim_max != RLIM_INFINITY && now.rlim_max < most ? now.rlim_max : most;
  setrlimit(what, &now);
}

/* Limits memory to three quarters of the machine's, except with the address sanitizer, which maps
 * more than the machine has. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
  limit(RLIMIT_AS, (rlim_t)sysconf(_SC_PHYS_PAGES) * (rlim_t)sysconf(_SC_PAGESIZE) / 4 * 3);
#endif
}

static void send(FILE *f, const struct answer *answer)
{
  const struct hd_wave_diff *d = &answer->diff;
  fwrite(answer, sizeof *answer, 1, f);
  for (size_t i = 0; i < d->n; i++) {
    const struct hd_wave_difference *w = &d->differences[i];
    const char *const texts[] = {w->a, w->b, w->value_a, w->value_b};
    struct row row = {.time = w->time};
    for (unsigned t = 0; t < 4; t++)
      row.lengths[t] = strlen(texts[t]);
    fwrite(&row, sizeof row, 1, f);
    for (unsigned t = 0; t < 4; t++)
      fwrite(texts[t], 1, row.lengths[t], f);
  }
}

/* Runs in the child and compares the files. */
_Noreturn static void compare(struct answer *answer, int fd, const char *const paths[2],
                              const struct hd_wave_map *maps, size_t n_maps,
                              volatile struct hd_wave_diff_progress *progress)
{
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  for (unsigned i = 0; i < sizeof crashes / sizeof *crashes; i++)
    signal(crashes[i], SIG_DFL); /* otherwise the parent's handler would run in the child */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  limit(RLIMIT_CORE, 0);
  limit_memory();
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO); /* the library writes its complaints there */
  answer->status = hd_wave_diff_files(&answer->diff, paths, maps, n_maps, progress, &answer->err);
  if (answer->status != HD_OK)
    hd_wave_diff_fini(&answer->diff);
  FILE *f = fdopen(fd, "wb");
  if (f == NULL)
    _exit(1);
  send(f, answer);
  _exit(fflush(f) != 0);
}

static char *receive_text(FILE *f, uint64_t length)
{
  char *text = hd_xmalloc(length + 1);
  if (fread(text, 1, length, f) != length) {
    free(text);
    return NULL;
  }
  text[length] = '\0';
  return text;
}

/* False: the answer is incomplete. */
static bool receive(FILE *f, struct answer *answer)
{
  struct hd_wave_diff *d = &answer->diff;
  if (fread(answer, sizeof *answer, 1, f) != 1) {
    d->n = 0;
    return false;
  }
  const size_t n = d->n;
  d->n = 0;
  d->differences = hd_xcalloc(n + 1, sizeof *d->differences);
  while (d->n < n) {
    struct row row;
    struct hd_wave_difference *w = &d->differences[d->n++];
    if (fread(&row, sizeof row, 1, f) != 1)
      return false;
    w->time = row.time;
    char **const texts[] = {&w->a, &w->b, &w->value_a, &w->value_b};
    for (unsigned t = 0; t < 4; t++)
      if ((*texts[t] = receive_text(f, row.lengths[t])) == NULL)
        return false;
  }
  return true;
}

/* Waits for the child. True: the parent ended it, because it made no progress. */
static bool wait_for(struct hd_processes *pool, pid_t pid, double seconds,
                     const volatile struct hd_wave_diff_progress *progress, int *how)
{
  struct hd_wave_diff_progress seen = {.time = 0};
  double since = 0;
  uint64_t task = 0;
  bool stuck = false;
  while (!hd_processes_wait(pool, LOOK_MILLISECONDS, &task, how)) {
    const double now = processor_seconds(pid);
    if (progress->file != seen.file || progress->time != seen.time) {
      seen = (struct hd_wave_diff_progress){progress->file, progress->time};
      since = now;
    }
    stuck = stuck || now - since > seconds;
    if (stuck)
      kill(pid, SIGKILL);
  }
  return stuck;
}

/* The end of a child process. */
struct end {
  bool lost; /* it gave no answer */
  bool stuck;
  int how; /* status as from waitpid */
};

/* Runs the child, and reads its answer if it has one. */
static int run(struct answer *answer, int fd, const char *const paths[2],
               const struct hd_wave_map *maps, size_t n_maps,
               volatile struct hd_wave_diff_progress *progress, struct end *end,
               struct hd_error *err)
{
  struct hd_processes pool = {0};
  const pid_t pid = hd_processes_start(&pool, 0);
  if (pid < 0)
    return hd_fail(err, HD_E_IO, "waves: no process to read them: %s", strerror(errno));
  if (pid == 0)
    compare(answer, fd, paths, maps, n_maps, progress);
  end->stuck = wait_for(&pool, pid, seconds_for(paths), progress, &end->how);
  end->lost = !WIFEXITED(end->how) || WEXITSTATUS(end->how) != 0;
  if (end->lost)
    return HD_E_INPUT;
  FILE *f = lseek(fd, 0, SEEK_SET) == 0 ? fdopen(dup(fd), "rb") : NULL;
  const bool received = f != NULL && receive(f, answer);
  if (f != NULL)
    fclose(f);
  if (!received)
    return hd_fail(err, HD_E_IO, "waves: the process that reads them sent an incomplete answer");
  if (err != NULL)
    *err = answer->err;
  return answer->status;
}

/* Compares in a child. If end->lost, *file is the number of the file that the child was reading. */
static int in_child(struct hd_wave_diff *diff, const char *const paths[2],
                    const struct hd_wave_map *maps, size_t n_maps, struct end *end, unsigned *file,
                    struct hd_error *err)
{
  struct answer *answer = hd_xcalloc(1, sizeof *answer);
  const int fd = memfd_create("waves", MFD_CLOEXEC);
  struct hd_wave_diff_progress *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  *end = (struct end){.lost = false};
  if (fd < 0 || shared == MAP_FAILED)
    hd_memory_end();
  const int status = run(answer, fd, paths, maps, n_maps, shared, end, err);
  *diff = answer->diff;
  *file = shared->file % 2;
  munmap(shared, sizeof *shared);
  close(fd);
  free(answer);
  return status;
}

/* Reports why there is no answer. */
static int lost(const struct end *end, const char *path, struct hd_error *err)
{
  if (end->stuck)
    return hd_fail(err, HD_E_INPUT,
                   "%.400s: the file is damaged: reading it does not come to an end", path);
  if (WIFSIGNALED(end->how))
    return hd_fail(err, HD_E_INPUT, "%.400s: the file is damaged: reading it failed (%s)", path,
                   strsignal(WTERMSIG(end->how)));
  if (WEXITSTATUS(end->how) == HD_MEMORY_EXIT)
    return hd_fail(err, HD_E_INPUT,
                   "%.400s: reading it takes more memory than this machine has; is it damaged?",
                   path);
  return hd_fail(err, HD_E_INPUT, "%.400s: the file is damaged: the FST library gave it up", path);
}

int hd_wave_diff(struct hd_wave_diff *diff, const char *path_a, const char *path_b,
                 const struct hd_wave_map *maps, size_t n_maps, struct hd_error *err)
{
  const char *const paths[] = {path_a, path_b}, *const twice_b[] = {path_b, path_b};
  struct end end, end_b;
  unsigned file = 0, file_b = 0;
  int status = in_child(diff, paths, maps, n_maps, &end, &file, err);
  if (!end.lost)
    return status;
  /* The first file may have damaged the memory into which the second one was read. So the second
   * one is read alone. */
  if (file == 1) {
    in_child(diff, twice_b, NULL, 0, &end_b, &file_b, NULL);
    hd_wave_diff_fini(diff);
    file = end_b.lost;
  }
  return lost(&end, paths[file], err);
}
