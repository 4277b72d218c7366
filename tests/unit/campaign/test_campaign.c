/* Campaigns (bridge/campaign/campaign.h) have the same outcomes with any number of workers, after interruptions, and
 * after workers died.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/campaign/campaign_internal.h"
#include "../../../bridge/host/file.h"
#include "../../../bridge/host/memory.h"
#include "../../../cmodel/port_event.h"
#include "../lib/test.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>

enum { TASKS = 60, CRASHES = 17, HANGS = 23, FAILS = 31 };

/* Task i asks for i²; each multiple of 10 that ended asks for one task more. */
struct counting {
  uint32_t handed_out, ended, more, crash, hang, shown;
  int lacking_status; /* status of each task whose number is divisible by 5, as if the machine lacked a resource; 0: they succeed */
  uint32_t stop_after; /* ended; 0: never */
  bool kill;           /* the first worker that has a task divisible by 7 kills itself */
  const char *directory;
  uint64_t sum;
  char text[32];
};

static bool next_task(void *context, struct hd_task *task)
{
  struct counting *c = context;
  if (c->handed_out == TASKS + c->more)
    return false;
  uint32_t order = c->handed_out++;
  snprintf(c->text, sizeof c->text, "square %" PRIu32, order);
  *task = (struct hd_task){order, "square", c->text, 1};
  return true;
}

static void run_task(void *context, const struct hd_task *task, struct hd_task_outcome *o)
{
  const struct counting *c = context;
  uint64_t n = task->order;
  if (c->crash && n == CRASHES) {
    printf("about to die\n");
    fflush(stdout);
    raise(SIGABRT); /* which sanitizers leave alone */
  }
  if (c->kill && n % 7 == 0) {
    char mark[96];
    snprintf(mark, sizeof mark, "%s/killed-%" PRIu64, c->directory, n);
    if (access(mark, F_OK)) {
      fclose(fopen(mark, "w"));
      raise(SIGKILL);
    }
  }
  while (c->hang && n == HANGS)
    pause();
  hd_task_outcome_add(o, "square", "units",
                      &(struct hd_value){.type = HD_VALUE_COUNT, .number = n * n});
  hd_task_outcome_add(o, "third", NULL,
                      &(struct hd_value){.type = HD_VALUE_REAL, .real = (double)n / 3});
  hd_task_outcome_add(o, "word", NULL,
                      &(struct hd_value){.type = HD_VALUE_TEXT, .text = task->text});
  hd_task_outcome_add(o, "none", NULL, &(struct hd_value){.type = HD_VALUE_NONE});
  if (c->lacking_status == HD_E_NOMEM && n % 5 == 0)
    hd_memory_end();
  if (c->lacking_status && n % 5 == 0)
    hd_task_outcome_add(o, "of the failure", NULL, &(struct hd_value){.type = HD_VALUE_NONE});
  if (c->lacking_status && n % 5 == 0)
    hd_task_outcome_fail(o, c->lacking_status, "not enough", "not enough");
  if (n == FAILS)
    hd_task_outcome_fail(o, HD_E_DIVERGENCE, "this one is wrong", "wrong");
}

static int task_ended(void *context, const struct hd_task *task, struct hd_task_outcome *o,
                      struct hd_error *err)
{
  struct counting *c = context;
  (void)err;
  const struct hd_value *square = hd_task_outcome_find(o, "square");
  c->ended++;
  c->sum += square ? square->number : 0;
  c->more += task->order < TASKS && task->order % 10 == 0;
  return HD_OK;
}

static bool stop_after_some(void *context)
{
  const struct counting *c = context;
  return c->stop_after && c->ended >= c->stop_after;
}

static bool has_three_outcomes(void *context)
{
  const struct counting *c = context;
  return c->ended >= 3;
}

static struct hd_campaign campaign_of(struct counting *c, const char *directory, uint32_t workers)
{
  return (struct hd_campaign){
      .directory = directory,
      .name = "squares",
      .command = "test",
      .definition = "squares of numbers",
      .identity = "1",
      .workers = workers,
      .context = c,
      .stop = stop_after_some,
      .plan = {.context = c, .next = next_task, .run_task = run_task, .ended = task_ended}};
}

/* A hash of the outcomes in a campaign's file, in order, without times. */
static int hash_row(void *context, const struct hd_task *task, const struct hd_task_outcome *o,
                    struct hd_error *err)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  uint64_t *hash = context;
  (void)err;
  hd_text_add(&text, "%" PRIu64 " %s %s %d %d %s %s\n", task->order, task->kind, task->text,
              o->status, o->failed, o->message ? o->message : "-",
              o->signature ? o->signature : "-");
  for (size_t i = 0; i < o->n_values; i++) {
    hd_text_add(&text, "%s %s ", o->values[i].key, o->values[i].unit ? o->values[i].unit : "-");
    hd_value_add(&o->values[i].value, &text);
    hd_text_add(&text, "\n");
  }
  *hash = hd_hash_bytes(hd_text_chars(&text), text.length, *hash);
  return HD_OK;
}

static uint64_t hash_of(const char *directory)
{
  uint64_t hash = 1;
  must(hd_campaign_each(directory, hash_row, &hash, &why));
  return hash;
}

/* A campaign of squares in a directory of its own. */
struct bench {
  char path[64];
  struct counting c;
  struct hd_campaign campaign;
  struct hd_campaign_result result;
};

static void bench_open(struct bench *b, struct counting c, uint32_t workers)
{
  *b = (struct bench){.path = "/tmp/hd_campaign.XXXXXX", .c = c};
  assert_non_null(mkdtemp(b->path));
  b->c.directory = b->path;
  b->campaign = campaign_of(&b->c, b->path, workers);
}

static void bench_remove(struct bench *b)
{
  hd_tree_remove(b->path, NULL);
}

static void run(struct bench *b)
{
  must(hd_campaign_run(&b->campaign, &b->result, &why));
}

static uint64_t hash_of_whole_campaign(uint32_t workers)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, workers);
  run(&b);
  assert_int_equal(b.result.end, HD_CAMPAIGN_COMPLETE);
  assert_int_equal(b.result.ended, TASKS + TASKS / 10);
  assert_int_equal(b.result.failed, 1);
  assert_true(workers ? b.result.workers == workers : b.result.workers > 0);
  assert_true(hd_campaign_efficiency(&b.result) > 0 && hd_campaign_efficiency(&b.result) <= 1);
  assert_int_equal(b.c.sum, 66 * 65 * 131 / 6);
  uint64_t hash = hash_of(b.path);
  return hash;
}

TEST(a_campaign_ends_when_its_plan_has_enough_outcomes)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, 2);
  b.campaign.plan.enough = has_three_outcomes;
  run(&b);
  assert_int_equal(b.result.end, HD_CAMPAIGN_COMPLETE);
  assert_int_equal(b.result.ended, 3);
}

TEST(outcomes_do_not_depend_on_the_number_of_workers)
{
  uint64_t one = hash_of_whole_campaign(1);
  assert_int_equal(hash_of_whole_campaign(2), one);
  assert_int_equal(hash_of_whole_campaign(7), one);
  assert_int_equal(hash_of_whole_campaign(0), one);
}

TEST(an_interrupted_campaign_continues_with_the_remaining_tasks)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, 3);
  for (uint32_t stop_after = 5, rounds = 0; rounds < 100; rounds++) {
    b.c = (struct counting){.stop_after = stop_after += 7};
    int status = hd_campaign_run(&b.campaign, &b.result, &why);
    if (!status)
      break;
    assert_int_equal(status, HD_E_INTERRUPTED);
    assert_true(b.result.ended >= stop_after);
  }
  assert_true(b.result.known > 0);
  assert_int_equal(b.result.ended, TASKS + TASKS / 10);
  assert_int_equal(hash_of(b.path), hash_of_whole_campaign(1));
}

/* The campaign is killed at random moments. Committed outcomes stay, and the other tasks run again. */
TEST(a_killed_campaign_keeps_committed_outcomes_and_continues)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, 2);
  for (int i = 0; i < 5; i++) {
    int pipes[2];
    char byte;
    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    if (!pid) {
      close(pipes[0]);
      if (write(pipes[1], "x", 1) != 1)
        _exit(1);
      hd_campaign_run(&b.campaign, &b.result, &why);
      _exit(0);
    }
    close(pipes[1]);
    assert_int_equal(read(pipes[0], &byte, 1), 1);
    close(pipes[0]);
    usleep((useconds_t)(i * 7000));
    kill(pid, SIGKILL);
    int how;
    waitpid(pid, &how, 0);
  }
  /* Workers of the killed campaign may keep the directory locked until they have ended. */
  int status;
  while ((status = hd_campaign_run(&b.campaign, &b.result, &why)) == HD_E_IO &&
         strstr(why.text, "another heddle"))
    usleep(10000);
  assert_int_equal(status, HD_OK);
  assert_int_equal(hash_of(b.path), hash_of_whole_campaign(1));
}

static int find_failed(void *context, const struct hd_task *task, const struct hd_task_outcome *o,
                       struct hd_error *err)
{
  (void)err;
  if (task->order == *(uint32_t *)context) {
    assert_true(o->failed);
    assert_int_equal(o->status, HD_E_INTERNAL);
    assert_non_null(o->signature);
    assert_non_null(strstr(o->message, task->order == CRASHES ? "about to die" : "no end"));
    *(uint32_t *)context = 0;
  }
  return HD_OK;
}

TEST(a_task_whose_worker_dies_or_hangs_is_recorded_as_failed)
{
  for (int hang = 0; hang < 2; hang++) {
    CLEANUP(bench_remove) struct bench b;
    bench_open(&b, (struct counting){.crash = !hang, .hang = (uint32_t)hang}, 2);
    b.campaign.patience_seconds = hang ? 1 : 0;
    run(&b);
    uint32_t which = hang ? HANGS : CRASHES;
    assert_true(b.result.failed >= 2);
    must(hd_campaign_each(b.path, find_failed, &which, &why));
    assert_int_equal(which, 0);
  }
}

/* ── several tasks in one process ── */

/* Each call leaves a mark. */
static void run_tasks(void *context, const struct hd_task tasks[], uint32_t n,
                      struct hd_task_outcome outcomes[])
{
  const struct counting *c = context;
  char mark[96];
  snprintf(mark, sizeof mark, "%s/shared", c->directory);
  FILE *f = fopen(mark, "a");
  fprintf(f, "%" PRIu32 "\n", n);
  fclose(f);
  for (uint32_t i = 0; i < n; i++)
    run_task(context, &tasks[i], &outcomes[i]);
}

static void all_tasks(void *context, uint64_t *tasks, double *work)
{
  *tasks = TASKS + ((const struct counting *)context)->more;
  *work = (double)*tasks;
}

/* Returns how many tasks shared a process with others; *most gets the most tasks that one process had. */
static uint32_t tasks_sharing_a_process(const char *path, uint32_t *most)
{
  char mark[96];
  uint32_t n, sum = 0;
  snprintf(mark, sizeof mark, "%s/shared", path);
  FILE *f = fopen(mark, "r");
  assert_non_null(f);
  for (*most = 0; fscanf(f, "%" SCNu32, &n) == 1; sum += n)
    *most = n > *most ? n : *most;
  fclose(f);
  return sum;
}

static uint32_t batches_of_eight(void *context)
{
  (void)context;
  return 8;
}

static uint32_t batches_of_four(void *context)
{
  (void)context;
  return 4;
}

/* Outcomes are the same if one task ends the process that it shares with others. */
TEST(tasks_that_share_a_process_have_the_same_outcomes_as_alone)
{
  for (unsigned i = 0; i < 8; i++) {
    const bool crash = i & 1, kill = i & 2, sized = i & 4;
    uint64_t hash[2];
    for (unsigned together = 0; together < 2; together++) {
      uint32_t most;
      CLEANUP(bench_remove) struct bench b;
      bench_open(&b, (struct counting){.crash = crash, .kill = kill}, 2);
      if (together) {
        b.campaign.plan.run_tasks = run_tasks;
        b.campaign.plan.batch_size = batches_of_eight;
        b.campaign.plan.size = sized ? all_tasks : NULL;
      }
      run(&b);
      assert_int_equal(b.result.ended, TASKS + TASKS / 10);
      assert_int_equal(b.result.failed, 1 + crash);
      assert_true(hd_campaign_efficiency(&b.result) <= 1);
      if (together) {
        assert_true(tasks_sharing_a_process(b.path, &most) >= TASKS / 2);
        assert_int_equal(most, 8);
      }
      hash[together] = hash_of(b.path);
    }
    assert_int_equal(hash[0], hash[1]);
  }
}

TEST(a_task_that_hangs_in_a_shared_process_is_found)
{
  uint32_t most, which = HANGS;
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){.hang = 1}, 2);
  b.campaign.plan.run_tasks = run_tasks;
  b.campaign.plan.batch_size = batches_of_four;
  b.campaign.patience_seconds = 0.5;
  run(&b);
  must(hd_campaign_each(b.path, find_failed, &which, &why));
  assert_int_equal(which, 0);
  tasks_sharing_a_process(b.path, &most);
  assert_int_equal(most, 4);
}

/* A worker that was killed from outside gives no outcome of its task. Another worker gets the task. */
TEST(a_task_whose_worker_was_killed_is_given_to_another)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){.kill = true}, 2);
  run(&b);
  assert_int_equal(b.result.failed, 1);
  assert_int_equal(hash_of(b.path), hash_of_whole_campaign(1));
}

static bool never_stop(void *context)
{
  (void)context;
  return false;
}
static bool stop_at_once(void *context)
{
  (void)context;
  return true;
}

/* A task that runs without a campaign has the same outcomes, and ends when it is told to stop. */
TEST(a_task_run_without_a_campaign_has_the_same_outcome)
{
  struct counting c = {.crash = 1, .hang = 1};
  const struct hd_plan plan = {.context = &c, .run_task = run_task};
  struct hd_task task = {3, "square", "square 3", 1};
  struct hd_task_outcome o = {0};
  must(hd_task_run(&plan, &task, 0, never_stop, NULL, &o, &why));
  assert_int_equal(hd_task_outcome_find(&o, "square")->number, 9);
  assert_false(o.failed);
  hd_task_outcome_fini(&o);
  task.order = CRASHES;
  must(hd_task_run(&plan, &task, 0, NULL, NULL, &o, &why));
  assert_int_equal(o.status, HD_E_INTERNAL);
  assert_non_null(strstr(o.message, "about to die"));
  hd_task_outcome_fini(&o);
  task.order = HANGS;
  must(hd_task_run(&plan, &task, 0.2, never_stop, NULL, &o, &why));
  assert_string_equal(o.signature, HD_TASK_HUNG);
  hd_task_outcome_fini(&o);
  assert_int_equal(hd_task_run(&plan, &task, 0, stop_at_once, NULL, &o, &why), HD_E_INTERRUPTED);
  assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}

TEST(tasks_that_failed_for_lack_of_resources_run_again)
{
  static const int lacking[] = {HD_E_IO, HD_E_NOMEM, HD_E_TOOL};
  for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
    CLEANUP(bench_remove) struct bench b;
    bench_open(&b, (struct counting){.lacking_status = lacking[i]}, 2);
    run(&b);
    uint64_t lacked = b.result.failed - 1, tasks = b.result.ended;
    assert_true(lacked >= TASKS / 5);
    b.c = (struct counting){0};
    run(&b);
    assert_int_equal(b.result.failed, 1);
    assert_int_equal(b.result.known, tasks - lacked); /* but not the task that always fails */
    assert_int_equal(hash_of(b.path), hash_of_whole_campaign(1));
  }
}

/* On a busy machine anything may take too long. */
TEST(tasks_that_ran_out_of_time_run_again)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){.hang = 1}, 2);
  b.campaign.patience_seconds = 1;
  run(&b);
  assert_int_equal(b.result.failed, 2);
  const uint64_t tasks = b.result.ended;
  b.c = (struct counting){0};
  run(&b);
  assert_int_equal(b.result.failed, 1);
  assert_int_equal(b.result.known, tasks - 1);
  assert_int_equal(hash_of(b.path), hash_of_whole_campaign(1));
}

TEST(a_campaign_ends_after_the_given_number_of_failures)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, 1);
  b.campaign.most_failures = 1;
  run(&b);
  assert_int_equal(b.result.end, HD_CAMPAIGN_FAILURES);
  assert_int_equal(b.result.ended, FAILS + 1);
}

static void assert_campaign_refused(const struct hd_campaign *campaign, int status,
                                    const char *text)
{
  struct hd_campaign_result result;
  assert_int_equal(hd_campaign_run(campaign, &result, &why), status);
  assert_non_null(strstr(why.text, text));
}

static void write_over(const char *path, const char *bytes)
{
  CLEANUP(hd_text_fini) struct hd_text name = {0};
  hd_text_add(&name, "%s/campaign.db", path);
  must(hd_file_write(name.chars, bytes, strlen(bytes), &why));
}

static bool wants_three_outcomes(void *context)
{
  return ((const struct counting *)context)->ended < 3;
}

/* The campaign's time is over before its first task. The campaign uses its extra time only if the plan has unfinished
 * tasks. */
TEST(extra_time_is_used_only_for_unfinished_tasks)
{
  for (unsigned wanted = 0; wanted < 2; wanted++) {
    CLEANUP(bench_remove) struct bench b;
    bench_open(&b, (struct counting){0}, 1);
    b.campaign.seconds = 1e-9;
    b.campaign.grace_seconds = 1e9;
    b.campaign.plan.unfinished = wanted ? wants_three_outcomes : NULL;
    run(&b);
    assert_int_equal(b.result.ended, wanted ? 3 : 0);
    assert_int_equal(b.result.end, HD_CAMPAIGN_TIME);
  }
}

TEST(another_campaign_in_the_directory_is_refused)
{
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, 1);
  struct hd_campaign other = b.campaign;
  run(&b);
  other.definition = "cubes";
  assert_campaign_refused(&other, HD_E_INPUT, "begun by the same command, but the scenario");
  other.command = "another test";
  assert_campaign_refused(&other, HD_E_INPUT, "another campaign's");
  other = b.campaign;
  other.identity = "2";
  assert_campaign_refused(&other, HD_E_INPUT, "other RTL");
  write_over(b.path,
             "this is no database, but it is long enough to be looked at as one, is it not");
  assert_campaign_refused(&b.campaign, HD_E_INPUT, "not a campaign's file");
  assert_int_equal(hd_campaign_each(b.path, hash_row, &b.result, &why), HD_E_INPUT);
  other.directory = "/proc/nowhere";
  assert_campaign_refused(&other, HD_E_IO, "cannot be made");
}

static void execute_sql(const char *path, const char *sql)
{
  char name[96];
  sqlite3 *db;
  snprintf(name, sizeof name, "%s/campaign.db", path);
  assert_int_equal(sqlite3_open(name, &db), SQLITE_OK);
  assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(db);
}

/* A file of another program, with NULLs that Heddle's schema forbids. */
TEST(a_campaign_file_with_null_instead_of_text_is_damaged)
{
  static const char *const tables[][2] = {
      {"results",
       "(task, place, key, value, unit); INSERT INTO results VALUES (3, 0, NULL, 1, 'x')"},
      {"tasks", "(task, kind, text, work, status, failed, message, signature, seconds);"
                "INSERT INTO tasks VALUES (3, NULL, NULL, 1, 0, 0, NULL, NULL, 1)"},
      {"campaign", "(id, name, command, definition, identity, heddle, started, complete);"
                   "INSERT INTO campaign VALUES (1, NULL, NULL, NULL, NULL, NULL, NULL, 0)"}};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    char sql[400];
    uint64_t hash = 1;
    CLEANUP(bench_remove) struct bench b;
    bench_open(&b, (struct counting){0}, 1);
    run(&b);
    snprintf(sql, sizeof sql, "DROP TABLE %s; CREATE TABLE %s %s", tables[i][0], tables[i][0],
             tables[i][1]);
    execute_sql(b.path, sql);
    if (i == 2) {
      b.c = (struct counting){0};
      assert_campaign_refused(&b.campaign, HD_E_INPUT, "damaged");
    } else {
      must_fail(hd_campaign_each(b.path, hash_row, &hash, &why), HD_E_INPUT, "damaged");
    }
  }
}

TEST(a_directory_in_use_by_another_heddle_is_refused)
{
  struct hd_campaign_db *db;
  CLEANUP(bench_remove) struct bench b;
  bench_open(&b, (struct counting){0}, 1);
  must(hd_campaign_db_open(&db, &b.campaign, &why));
  assert_campaign_refused(&b.campaign, HD_E_IO, "another heddle");
  hd_campaign_db_close(db);
  run(&b);
  const uint64_t before = hash_of(b.path);
  must(hd_campaign_db_open(&db, &b.campaign, &why));
  b.campaign.afresh = true;
  b.campaign.definition = "anew";
  b.c = (struct counting){0};
  assert_campaign_refused(&b.campaign, HD_E_IO, "another heddle");
  assert_int_equal(hash_of(b.path),
                   before); /* old outcomes stay while another process has the directory open */
  hd_campaign_db_close(db);
  b.c = (struct counting){0};
  run(&b);
  assert_int_equal(b.result.known, 0);
}

static void expect_line(const struct hd_campaign_progress *p, const char *line)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  hd_campaign_progress_add(p, &text);
  assert_string_equal(hd_text_chars(&text), line);
}

TEST(the_progress_line_shows_rate_and_time_left)
{
  expect_line(&(struct hd_campaign_progress){.workers = 2, .seconds_left = -1},
              "0 runs, 2 workers, 0.0 runs/s, 0:00");
  expect_line(&(struct hd_campaign_progress){.tasks = 66,
                                             .ended = 12,
                                             .workers = 2,
                                             .seconds = 4,
                                             .seconds_left = 13,
                                             .plan_text = "7 runs, building switch 3 of 37"},
              "7 runs, building switch 3 of 37, 2 workers, 0:04, about 0:13 left");
  expect_line(&(struct hd_campaign_progress){.tasks = 66,
                                             .ended = 12,
                                             .known = 3,
                                             .failed = 1,
                                             .workers = 2,
                                             .lost = 1,
                                             .seconds = 59.6,
                                             .per_second = 3.12,
                                             .seconds_left = 3661},
              "12 of 66 runs (3 from before), 1 failed, 2 workers (1 do not answer), 3.1 runs/s, "
              "1:00, about 1:01:01 left");
}

static void count_call(void *context, const struct hd_campaign_progress *p)
{
  (void)p;
  ((struct counting *)context)->shown++;
}

TEST(progress_is_shown_at_the_requested_interval)
{
  for (int often = 0; often < 2; often++) {
    CLEANUP(bench_remove) struct bench b;
    bench_open(&b, (struct counting){0}, 1);
    b.campaign.progress = count_call;
    b.campaign.progress_seconds = often ? 0 : 1e9;
    run(&b);
    assert_true(often ? b.c.shown >= TASKS : b.c.shown == 0);
  }
}

/* Damaged texts of outcomes and tasks are read or refused, and never crash the reader. */
TEST(damaged_text_of_tasks_and_outcomes_is_parsed_without_a_crash)
{
  CLEANUP(hd_task_outcome_fini) struct hd_task_outcome o = {0};
  struct counting c = {0};
  run_task(&c, &(struct hd_task){FAILS, "square", "square \xc3\xa4 \x01", 1}, &o);
  hd_task_outcome_add(&o, "no utf-8", NULL,
                      &(struct hd_value){.type = HD_VALUE_TEXT, .text = "\xff\xfe"});
  CLEANUP(free_at) char *text = hd_outcome_json(&o);
  assert_non_null(text);
  struct hd_task_outcome again;
  assert_true(hd_outcome_of_json(&again, text, strlen(text)));
  assert_int_equal(again.n_values, o.n_values);
  assert_int_equal(again.status, HD_E_DIVERGENCE);
  assert_string_equal(again.message, "this one is wrong");
  assert_true(hd_task_outcome_find(&again, "third")->real == (double)FAILS / 3);
  hd_task_outcome_fini(&again);
  uint32_t taken = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    CLEANUP(free_at) char *damaged = strdup(text);
    size_t length = strlen(text), at = hd_hash_bytes(&i, sizeof i, 7) % length;
    damaged[at] = (char)(hd_hash_bytes(&i, sizeof i, 8) & 0xff);
    if (i % 3 == 0)
      length = at;
    if (hd_outcome_of_json(&again, damaged, length)) {
      hd_task_outcome_fini(&again);
      taken++;
    }
    struct hd_task_copy copy;
    if (hd_task_of_json(&copy, damaged, length))
      hd_task_copy_fini(&copy);
  }
  assert_true(taken > 0 && taken < 20000);
}
