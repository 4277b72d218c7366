/* The processes of mpirun: who we are among them, and messages from one to another.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"

#include "ranks_mpi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_RANKS = 4096 };

struct hd_ranks {
  const struct hd_ranks_ops *ops;
  void *plugin;
  int self, number;
  bool lost;            /* somebody was */
  pthread_mutex_t lock; /* of MPI */
};

int hd_ranks_open(struct hd_ranks **out, const char *plugin, struct hd_error *err)
{
  const char *size = getenv("OMPI_COMM_WORLD_SIZE");
  size = size ? size : getenv("PMI_SIZE");
  *out = NULL;
  if (!size || atoi(size) < 2)
    return HD_OK;
  struct hd_ranks *ranks = calloc(1, sizeof *ranks);
  if (!ranks)
    return hd_fail(err, HD_E_NOMEM, "MPI: out of memory");
  pthread_mutex_init(&ranks->lock, NULL);
  ranks->plugin = dlopen(plugin, RTLD_NOW | RTLD_GLOBAL);
  ranks->ops = ranks->plugin ? dlsym(ranks->plugin, HD_RANKS_SYMBOL) : NULL;
  int status = HD_OK;
  if (!ranks->ops)
    status = hd_fail(err, HD_E_TOOL,
                     "this is one of %s processes of mpirun, but %s cannot be loaded (%s); install "
                     "libopenmpi-dev and build Heddle again, or run without mpirun",
                     size, plugin, dlerror());
  else if (ranks->ops->open(&ranks->self, &ranks->number) || ranks->number > MOST_RANKS)
    status = hd_fail(err, HD_E_TOOL, "MPI cannot be started in %s processes", size);
  if (status) {
    free(ranks);
    return status;
  }
  *out = ranks;
  return HD_OK;
}

int hd_ranks_self(const struct hd_ranks *ranks)
{
  return ranks->self;
}

int hd_ranks_number(const struct hd_ranks *ranks)
{
  return ranks->number;
}

int hd_ranks_send(struct hd_ranks *ranks, int to, void *bytes, size_t length)
{
  pthread_mutex_lock(&ranks->lock);
  int failed = ranks->ops->send(to, bytes, length);
  pthread_mutex_unlock(&ranks->lock);
  return failed;
}

int hd_ranks_receive(struct hd_ranks *ranks, int *from, char **bytes, size_t *length)
{
  pthread_mutex_lock(&ranks->lock);
  int got = ranks->ops->receive(from, bytes, length);
  pthread_mutex_unlock(&ranks->lock);
  return got;
}

double hd_ranks_silence_seconds(void)
{
  const char *text = getenv("HEDDLE_SILENCE_SECONDS");
  double seconds = text ? atof(text) : 0;
  return seconds > 0 ? seconds : 60;
}

void hd_ranks_lose(struct hd_ranks *ranks)
{
  ranks->lost = true;
}

void hd_ranks_close(struct hd_ranks *ranks, int code)
{
  if (!ranks)
    return;
  ranks->ops->close(ranks->lost, code);
  free(ranks);
}
