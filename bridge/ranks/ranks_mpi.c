/* Sends bytes between ranks by MPI. A shared object of its own, which the processes of mpirun load.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks_mpi.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

enum { TAG = 1 };

/* A message that is being sent. MPI reads its bytes until it has arrived. */
struct message {
  struct message *next;
  MPI_Request request;
  void *bytes;
};
static struct message *messages;

static int ranks_open(int *self, int *number)
{
  int threads = MPI_THREAD_SINGLE;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads) ||
      threads < MPI_THREAD_SERIALIZED || MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN))
    return 1;
  return MPI_Comm_rank(MPI_COMM_WORLD, self) || MPI_Comm_size(MPI_COMM_WORLD, number);
}

static void free_arrived(void)
{
  for (struct message **l = &messages; *l;) {
    struct message *message = *l;
    int arrived = 0;
    if (!MPI_Test(&message->request, &arrived, MPI_STATUS_IGNORE) && !arrived) {
      l = &message->next;
      continue;
    }
    *l = message->next;
    free(message->bytes);
    free(message);
  }
}

static int ranks_send(int to, void *bytes, size_t length)
{
  free_arrived();
  struct message *message = malloc(sizeof *message);
  if (!message || length > INT_MAX ||
      MPI_Isend(bytes, (int)length, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &message->request)) {
    free(message);
    free(bytes);
    return 1;
  }
  message->bytes = bytes;
  message->next = messages;
  messages = message;
  return 0;
}

static int ranks_receive(int *from, char **bytes, size_t *length)
{
  MPI_Status status;
  int there = 0, n = 0;
  free_arrived();
  if (MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &there, &status))
    return -1;
  if (!there)
    return 0;
  if (MPI_Get_count(&status, MPI_BYTE, &n) || n < 0)
    return -1;
  *bytes = malloc((size_t)n + 1);
  if (!*bytes)
    return -1;
  *from = status.MPI_SOURCE;
  *length = (size_t)n;
  if (MPI_Recv(*bytes, n, MPI_BYTE, *from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
    return free(*bytes), -1;
  (*bytes)[n] = '\0';
  return 1;
}

static void ranks_close(int abort, int code)
{
  if (abort)
    MPI_Abort(MPI_COMM_WORLD, code);
  while (messages) {
    MPI_Wait(&messages->request, MPI_STATUS_IGNORE);
    free_arrived();
  }
  MPI_Finalize();
}

const struct hd_ranks_ops hd_ranks_ops = {ranks_open, ranks_send, ranks_receive, ranks_close};
