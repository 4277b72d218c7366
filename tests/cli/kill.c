/* A DUT that is the model, and kills processes of a campaign at a counted event, whatever the machine's speed.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each create, run and destroy in any process is an event, and adds a byte to the file KILL_EVENTS. At event number
 * KILL_AT (0: never), processes are killed by SIGKILL. KILL_WHO says which:
 *   worker  the process in which the event happens
 *   whole   this process and its parent, which hands out the tasks
 *   rank0   the same two, at the first event from KILL_AT on that happens in a worker of MPI's rank 0
 * The process that kills creates the file KILL_EVENTS.killed.
 */
#include "../../bridge/backends/backend.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Counts the event, and returns its number. */
static long count_call(const char *file)
{
  int fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  long n = fd >= 0 && write(fd, "x", 1) == 1 ? (long)lseek(fd, 0, SEEK_CUR) : 0;
  close(fd);
  return n;
}

/* Returns true in the first call of all processes. */
static bool is_first_to_kill(const char *file)
{
  char path[4096];
  snprintf(path, sizeof path, "%s.killed", file);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (fd >= 0)
    close(fd);
  return fd >= 0;
}

static void event(void)
{
  const char *file = getenv("KILL_EVENTS"), *at_text = getenv("KILL_AT"), *who = getenv("KILL_WHO");
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!file)
    return;
  long n = count_call(file), at = at_text ? atol(at_text) : 0;
  if (!at || !who || n < at)
    return;
  if (!strcmp(who, "rank0") ? !rank || strcmp(rank, "0") : n != at)
    return;
  if (!is_first_to_kill(file))
    return;
  if (strcmp(who, "worker"))
    kill(getppid(), SIGKILL);
  raise(SIGKILL);
}

static int create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t n,
                  const char *options, struct hd_error *err)
{
  event();
  return hd_dut_model_backend()->create(dut, params, n, options, err);
}

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  event();
  return hd_dut_model_backend()->run(dut, jobs, n, err);
}

static void destroy(struct hd_dut *dut)
{
  hd_dut_model_backend()->destroy(dut);
  event();
}

const struct hd_dut_ops *hd_dut_backend(void)
{
  static struct hd_dut_ops ops;
  ops = *hd_dut_model_backend();
  ops.create = create;
  ops.run = run;
  ops.destroy = destroy;
  return &ops;
}
