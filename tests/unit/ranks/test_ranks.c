/* Two ranks, which are threads here: a run comes to what it comes to alone, lost messages end it, both end together.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/ranks/rank_client.h"
#include "../../../bridge/ranks/ranks_mpi.h"
#include "../lib/lockstep_mesh.h"

#include <pthread.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CYCLES = 2000, NODES = 16, PATIENCE_SECONDS = 60 };

/* ── what stands for MPI ───────────────────────────────────────────────────── */

struct message {
  struct message *next;
  void *bytes;
  size_t length;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct message *waiting[2]; /* for a rank, the oldest first */
static _Thread_local int self;     /* 1 in the thread of that rank */
static bool aborted;               /* the job: nobody receives anything any more */
static uint64_t answers;           /* that rank 0 can receive; then nothing more */
static uint64_t orders;            /* that rank 1 can receive; then one is not received */

static int fake_open(int *own, int *number)
{
  *own = self;
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
  struct message *message = waiting[self];
  const bool answer = !self && message && message->length;
  const bool order = self && message && message->length;
  int got = message != NULL;
  if (aborted || (answer && !answers) || (order && !orders--))
    got = -1;
  else if (message) {
    waiting[self] = message->next;
    *bytes = message->bytes;
    *length = message->length;
    *from = 1 - self;
    free(message);
    answers -= answer;
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

struct pair {
  struct hd_ranks *zero;
  pthread_t other;
  struct hd_backend backend;
};

static void *hold(void *context)
{
  struct hd_ranks *ranks;
  struct hd_error err = {""};
  (void)context;
  self = 1;
  int status = hd_ranks_open(&ranks, "", &err); /* the program itself */
  if (!status)
    status = hd_ranks_hold_switches(ranks, &err);
  hd_ranks_close(ranks, 0);
  return status ? "the other rank failed" : NULL;
}

static void pair_open(struct pair *p, const struct hd_switch_params *params)
{
  const struct hd_backend_options options = {.switches = NODES};
  struct hd_error err = {""};
  aborted = false;
  orders = UINT64_MAX;
  assert_int_equal(setenv("OMPI_COMM_WORLD_SIZE", "2", 1), 0);
  assert_int_equal(hd_ranks_open(&p->zero, "", &err), 0);
  assert_int_equal(pthread_create(&p->other, NULL, hold, NULL), 0);
  assert_int_equal(hd_ranks_stay_alive(p->zero, &err), 0);
  assert_int_equal(hd_backend_open(&p->backend, "model", params, &options, &err), 0);
  assert_int_equal(hd_ranks_spread(p->zero, &p->backend, "model", params, &options, &err), 0);
}

/* Rank 0 closes; false: the other one failed. */
static bool pair_end(struct pair *p)
{
  void *failed;
  hd_ranks_close(p->zero, 0);
  pthread_join(p->other, &failed);
  hd_backend_close(&p->backend);
  for (int r = 0; r < 2; r++)
    for (struct message *next; waiting[r]; waiting[r] = next) {
      next = waiting[r]->next;
      free(waiting[r]->bytes);
      free(waiting[r]);
    }
  return !failed;
}

static void pair_close(struct pair *p)
{
  hd_ranks_dismiss(p->zero);
  assert_true(pair_end(p));
}

/* ── runs ──────────────────────────────────────────────────────────────────── */

static int begin(void *context, struct hd_fabric *fabric, uint64_t cycle, struct hd_error *err)
{
  struct hd_packet p = {.source = (uint32_t)cycle % NODES,
                        .destination = (uint32_t)(5 * cycle + 3) % NODES,
                        .flits = 3};
  uint32_t number;
  (void)context;
  return cycle % 3 ? HD_OK : hd_fabric_send(fabric, &p, &number, err);
}

static int run(const struct mesh *mesh, const struct hd_dut_ops *ops, const char *options,
               struct hd_lockstep_result *result, struct hd_error *err)
{
  const struct hd_lockstep_params params = {.dut = ops,
                                            .dut_options = options,
                                            .mode = HD_MODE_DECOUPLED,
                                            .window_cycles = 64,
                                            .threads = 2,
                                            .one_call = true,
                                            .hooks = {.cycle_begin = begin}};
  return mesh_run(mesh, params, CYCLES, result, err);
}

/* How many answers rank 0 gets in a whole run. */
static uint64_t whole;

static void two_ranks_come_to_what_one_comes_to(void **state)
{
  struct mesh mesh;
  struct pair pair;
  struct hd_lockstep_result alone, together;
  struct hd_error err = {""};
  (void)state;
  mesh_open(&mesh);
  assert_int_equal(run(&mesh, hd_dut_model_backend(), "", &alone, &err), 0);
  answers = UINT64_MAX;
  pair_open(&pair, &mesh.params.sw);
  assert_int_equal(run(&mesh, pair.backend.ops, pair.backend.options, &together, &err), 0);
  whole = UINT64_MAX - answers;
  pair_close(&pair);
  assert_true(alone.digest == together.digest);
  assert_true(together.events_compared > 1000 && alone.events_compared == together.events_compared);
  assert_false(aborted);
  print_message("%" PRIu64 " answers, %" PRIu64 " events\n", whole, together.events_compared);
  mesh_close(&mesh);
}

/* Whichever answer cannot be received, the run ends, and says so. */
static void a_lost_answer_ends_the_run(void **state)
{
  struct mesh mesh;
  (void)state;
  mesh_open(&mesh);
  assert_true(whole > 10);
  for (uint64_t lost = 0; lost < whole; lost += 1 + lost / 4) {
    struct pair pair;
    struct hd_lockstep_result result;
    struct hd_error err = {""};
    answers = lost;
    pair_open(&pair, &mesh.params.sw);
    int status = run(&mesh, pair.backend.ops, pair.backend.options, &result, &err);
    hd_ranks_dismiss(pair.zero);
    pair_end(&pair); /* the other one may hear of its end, or that the job has ended */
    if (status != HD_E_TOOL || !strstr(err.text, "MPI: "))
      fail_msg("answer %" PRIu64 " of %" PRIu64 ": status %d, \"%s\"", lost, whole, status,
               err.text);
    assert_true(aborted); /* the other rank is not waited for */
  }
  mesh_close(&mesh);
}

/* ── the end ───────────────────────────────────────────────────────────────── */

static void be_impatient(const char *seconds)
{
  assert_int_equal(setenv("HEDDLE_SILENCE_SECONDS", seconds, 1), 0);
}

/* Rank 0 may write for longer than a rank may be silent. */
static void the_other_rank_waits_while_rank_0_writes(void **state)
{
  struct mesh mesh;
  struct pair pair;
  (void)state;
  mesh_open(&mesh);
  be_impatient("5");
  pair_open(&pair, &mesh.params.sw);
  hd_ranks_dismiss(pair.zero);
  sleep(8);
  assert_true(pair_end(&pair));
  assert_false(aborted);
  mesh_close(&mesh);
}

/* Rank 0 closes before it has asked for anything, as where its directory is another's. */
static void the_end_of_rank_0_ends_the_other_one(void **state)
{
  struct mesh mesh;
  struct pair pair;
  (void)state;
  mesh_open(&mesh);
  be_impatient("1000");
  pair_open(&pair, &mesh.params.sw);
  assert_true(pair_end(&pair));
  assert_false(aborted);
  mesh_close(&mesh);
}

static void *leave(void *context)
{
  struct hd_ranks *ranks = context;
  self = 1;
  hd_ranks_close(ranks, 0);
  return NULL;
}

/* A rank that has done its work does not wait for a rank 0 that is gone. */
static void a_silent_rank_0_is_given_up(void **state)
{
  struct hd_ranks *ranks;
  struct hd_error err = {""};
  pthread_t other;
  (void)state;
  be_impatient("2");
  aborted = false;
  orders = UINT64_MAX;
  self = 1;
  assert_int_equal(hd_ranks_open(&ranks, "", &err), 0);
  self = 0;
  assert_int_equal(pthread_create(&other, NULL, leave, ranks), 0);
  pthread_join(other, NULL);
  assert_true(aborted);
}

/* One that fails while rank 0 waits for its answer is silent from then on, so that rank 0 does not wait for ever. */
static void a_rank_that_fails_falls_silent(void **state)
{
  struct mesh mesh;
  (void)state;
  mesh_open(&mesh);
  be_impatient("2");
  for (uint64_t heard = 2; heard < 12; heard += 4) {
    struct pair pair;
    struct hd_lockstep_result result;
    struct hd_error err = {""};
    answers = UINT64_MAX;
    pair_open(&pair, &mesh.params.sw);
    orders = heard;
    int status = run(&mesh, pair.backend.ops, pair.backend.options, &result, &err);
    assert_false(pair_end(&pair));
    if (status != HD_E_TOOL || !strstr(err.text, "has said nothing"))
      fail_msg("after %" PRIu64 " orders: status %d, \"%s\"", heard, status, err.text);
    assert_true(aborted);
  }
  mesh_close(&mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_ranks_come_to_what_one_comes_to),
      cmocka_unit_test(a_lost_answer_ends_the_run),
      cmocka_unit_test(the_other_rank_waits_while_rank_0_writes),
      cmocka_unit_test(the_end_of_rank_0_ends_the_other_one),
      cmocka_unit_test(a_silent_rank_0_is_given_up),
      cmocka_unit_test(a_rank_that_fails_falls_silent),
  };
  alarm(PATIENCE_SECONDS); /* one that waits for ever has failed */
  return cmocka_run_group_tests(tests, NULL, NULL);
}
