/* Two ranks, which are threads here, exchange messages. A rank waits until rank 0 has ended, but not if rank 0 is
 * gone.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/ranks/ranks.h"
#include "../../../bridge/ranks/ranks_mpi.h"
#include "../lib/test.h"

#include <pthread.h>

enum { PATIENCE_SECONDS = 60 };

/* ── what stands for MPI ───────────────────────────────────────────────────── */

struct message {
  struct message *next;
  void *bytes;
  size_t length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *waiting[2]; /* for a rank, the oldest first */
static _Thread_local int own_rank; /* 1 in the thread of that rank */
static bool aborted;               /* the job was aborted: no rank receives anything any more */

static int fake_open(int *own, int *number)
{
  *own = own_rank;
  *number = 2;
  return 0;
}

static int fake_send(int to, void *bytes, size_t length)
{
  struct message *message = malloc(sizeof *message), **last = &waiting[to];
  *message = (struct message){.bytes = bytes, .length = length};
  pthread_mutex_lock(&lock);
  while (*last)
    last = &(*last)->next;
  *last = message;
  pthread_mutex_unlock(&lock);
  return 0;
}

static int fake_receive(int *from, char **bytes, size_t *length)
{
  pthread_mutex_lock(&lock);
  struct message *message = waiting[own_rank];
  const int got = aborted ? -1 : message != NULL;
  if (got == 1) {
    waiting[own_rank] = message->next;
    *bytes = message->bytes;
    *length = message->length;
    *from = 1 - own_rank;
    free(message);
  }
  pthread_mutex_unlock(&lock);
  return got;
}

static void fake_close(int abort, int code)
{
  (void)code;
  pthread_mutex_lock(&lock);
  aborted |= abort != 0;
  pthread_mutex_unlock(&lock);
}

const struct hd_ranks_ops hd_ranks_ops = {fake_open, fake_send, fake_receive, fake_close};

/* ── two ranks ─────────────────────────────────────────────────────────────── */

static void set_longest_silence(const char *seconds)
{
  assert_int_equal(setenv("HEDDLE_SILENCE_SECONDS", seconds, 1), 0);
}

/* Returns the next message that has bytes, as a text, which the caller frees. NULL: no rank can be heard. */
static char *await_text(struct hd_ranks *ranks)
{
  for (;;) {
    char *bytes;
    size_t length;
    int from;
    const int got = hd_ranks_receive(ranks, &from, &bytes, &length);
    if (got < 0)
      return NULL;
    if (got && length)
      return bytes;
    if (got)
      free(bytes);
    usleep(1000);
  }
}

static void send_text(struct hd_ranks *ranks, int to, const char *text)
{
  assert_int_equal(hd_ranks_send(ranks, to, strdup(text), strlen(text) + 1), 0);
}

/* Answers one question, and then waits for the end of rank 0. */
static void *answer_question(void *context)
{
  struct hd_ranks *ranks;
  struct hd_error err = {""};
  own_rank = 1;
  if (hd_ranks_open(&ranks, "", &err)) /* the program itself */
    return "rank 1 cannot be opened";
  char *question = await_text(ranks);
  const bool heard = question && !strcmp(question, context);
  free(question);
  send_text(ranks, 0, heard ? "yes" : "no");
  hd_ranks_close(ranks, 0);
  return heard ? NULL : "rank 1 did not hear the question";
}

static void free_waiting_messages(void)
{
  for (int r = 0; r < 2; r++)
    for (struct message *next; waiting[r]; waiting[r] = next) {
      next = waiting[r]->next;
      free(waiting[r]->bytes);
      free(waiting[r]);
    }
}

/* Rank 0 asks, hears the answer, and writes for so many seconds before it closes. */
static void ask_and_write(unsigned seconds)
{
  static char question[] = "are you there?";
  struct hd_ranks *ranks;
  struct hd_error err = {""};
  pthread_t other;
  void *failed;
  aborted = false;
  own_rank = 0;
  assert_int_equal(hd_ranks_open(&ranks, "", &err), 0);
  assert_int_equal(hd_ranks_self(ranks), 0);
  assert_int_equal(hd_ranks_number(ranks), 2);
  assert_int_equal(hd_ranks_stay_alive(ranks, &err), 0);
  assert_int_equal(pthread_create(&other, NULL, answer_question, question), 0);
  send_text(ranks, 1, question);
  CLEANUP(free_at) char *text = await_text(ranks);
  assert_string_equal(text, "yes");
  sleep(seconds);
  hd_ranks_close(ranks, 0);
  pthread_join(other, &failed);
  free_waiting_messages();
  assert_null(failed);
  assert_false(aborted);
}

TEST(messages_between_ranks_arrive_and_both_ranks_end)
{
  set_longest_silence("1000");
  ask_and_write(0);
}

/* Rank 0 may write for longer than a rank may be silent. */
TEST(the_other_rank_waits_while_rank_0_writes)
{
  set_longest_silence("3");
  ask_and_write(5);
}

static void *close_rank_1(void *context)
{
  struct hd_ranks *ranks = context;
  own_rank = 1;
  hd_ranks_close(ranks, 0);
  return NULL;
}

/* A rank that has done its work does not wait for a rank 0 that is gone. */
TEST(a_rank_stops_waiting_for_a_silent_rank_0)
{
  struct hd_ranks *ranks;
  struct hd_error err = {""};
  pthread_t other;
  set_longest_silence("2");
  aborted = false;
  own_rank = 1;
  assert_int_equal(hd_ranks_open(&ranks, "", &err), 0);
  own_rank = 0;
  assert_int_equal(pthread_create(&other, NULL, close_rank_1, ranks), 0);
  pthread_join(other, NULL);
  assert_true(aborted);
}

TEST(only_mpirun_with_several_processes_makes_several_ranks)
{
  assert_true(hd_ranks_are_several());
  assert_int_equal(setenv("OMPI_COMM_WORLD_SIZE", "1", 1), 0);
  assert_false(hd_ranks_are_several());
  assert_int_equal(unsetenv("OMPI_COMM_WORLD_SIZE"), 0);
  assert_false(hd_ranks_are_several());
}

int main(void)
{
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  alarm(PATIENCE_SECONDS); /* one that waits for ever has failed */
  return tests_run(NULL, NULL);
}
