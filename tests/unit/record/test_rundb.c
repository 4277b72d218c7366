/* The run database: written data can be read, also after a killed process or a full disk.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/rundb_fixture.h"
#include "../lib/test.h"

#include "../../../bridge/report/latency.h"
#include "../../../bridge/host/text.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

TEST_WITH(written_packets_hops_and_values_can_be_read, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db = fixture_create(f, 0);
  /* Out of order, as packets arrive. */
  const uint32_t order[] = {2, 0, 1};
  for (int i = 0; i < 3; i++) {
    struct hd_rundb_packet p = fixture_packet(order[i]);
    if (order[i] == 1)
      p.received = UINT64_MAX;
    must(hd_rundb_packet(db, &p, &why));
  }
  struct hd_rundb_hop hop = {
      .packet = 2, .hop = 1, .sw = 3, .in_port = 2, .out_port = 4, .vc = 1, .cycle = 25};
  must(hd_rundb_hop(db, &hop, &why));
  hop.hop = 0;
  hop.cycle = 21;
  must(hd_rundb_hop(db, &hop, &why));
  struct hd_divergence d = {.difference = HD_DIFF_FLIT,
                            .cycle = 77,
                            .sw = 3,
                            .port = 2,
                            .vc = 1,
                            .has_expected = true,
                            .expected = {.data = UINT64_MAX, .port = 2},
                            .packet = 2};
  must(hd_rundb_divergence(db, &d, &why));
  fixture_finish(f, db, UINT64_C(0xfedcba9876543210));

  struct hd_rundb_info info;
  must(hd_rundb_read(&info, f->path[0], &why));
  assert_string_equal(info.scenario, "name: small\n");
  assert_string_equal(info.digest, "0xfedcba9876543210");
  assert_string_equal(info.status, "passed");
  assert_true(info.seed == UINT64_MAX - 1);
  assert_int_equal(info.window_cycles, 7);
  assert_int_equal(info.threads, 2);
  assert_int_equal(info.mode, HD_MODE_DECOUPLED);
  assert_true(info.has_divergence);
  assert_int_equal(info.divergence.cycle, 77);
  assert_int_equal(info.divergence.difference, HD_DIFF_FLIT);
  hd_rundb_info_fini(&info);

  struct hd_rundb_cursor *c;
  must(hd_rundb_cursor_open(&c, f->path[0], false, &why));
  for (uint32_t n = 0; n < 3; n++) {
    const struct hd_rundb_row *row = hd_rundb_cursor_row(c);
    struct hd_rundb_packet p = fixture_packet(n);
    if (n == 1)
      p.received = UINT64_MAX;
    assert_true(row->present);
    assert_int_equal(row->packet.number, n);
    assert_int_equal(row->packet.created, p.created);
    assert_true(row->packet.received == p.received);
    must(hd_rundb_cursor_next(c, &why));
  }
  assert_false(hd_rundb_cursor_row(c)->present);
  hd_rundb_cursor_close(c);
  must(hd_rundb_cursor_open(&c, f->path[0], true, &why));
  assert_int_equal(hd_rundb_cursor_row(c)->hop.cycle, 21);
  must(hd_rundb_cursor_next(c, &why));
  assert_int_equal(hd_rundb_cursor_row(c)->hop.cycle, 25);
  hd_rundb_cursor_close(c);
}

TEST_WITH(every_value_of_software_is_kept_in_order, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db = fixture_create(f, 0);
  static const char *const names[] = {"it's one", "two"};
  /* More flits than one statement takes. The second statement begins in the middle of a switch. */
  for (uint64_t n = 0; n < 1000; n++)
    for (uint32_t i = 0; i < (n < 500 ? 1u : 2u); i++) {
      struct hd_rundb_value value = {i, names[i], 3 * n, INT64_MAX - (i ? n : n * n)};
      must(hd_rundb_value(db, &value, &why));
    }
  fixture_finish(f, db, 1);
  CLEANUP(hd_rundb_statistics_fini) struct hd_rundb_statistics s;
  must(hd_rundb_statistics_read(&s, f->path[0], &why));
  assert_true(s.known);
  assert_int_equal(s.n, 2);
  for (uint32_t i = 0; i < 2; i++) {
    assert_string_equal(s.list[i].name, names[i]);
    assert_int_equal(s.list[i].n, i ? 500 : 1000);
    for (uint64_t j = 0; j < s.list[i].n; j++) {
      uint64_t n = i ? j + 500 : j;
      assert_true(s.list[i].values[j].cycle == 3 * n);
      assert_true(s.list[i].values[j].value == INT64_MAX - (i ? n : n * n));
    }
  }
}

static void expect_cells(struct fixture *f, unsigned which, size_t columns, const char *expected)
{
  CLEANUP(hd_rundb_table_fini) struct hd_rundb_table t;
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  must(hd_rundb_table_read(&t, which, f->path[0], &why));
  assert_int_equal(t.columns, columns);
  for (size_t r = 0; r < t.rows; r++)
    for (size_t c = 0; c < columns; c++) {
      const char *cell = hd_rundb_cell(&t, r, c);
      hd_text_add(&text, "%s%c", cell ? cell : "NULL", c + 1 < columns ? ' ' : '\n');
    }
  assert_string_equal(hd_text_chars(&text), expected);
}

TEST_WITH(tables_of_a_database_are_read_as_text, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db = fixture_create(f, 0);
  uint64_t flits[4 * 5 * 2] = {0};
  flits[0] = 3;
  flits[1] = 4;
  flits[2] = 5; /* switch 0 port 1 */
  struct hd_value seven = {.type = HD_VALUE_COUNT, .number = 7};
  struct hd_value word = {.type = HD_VALUE_TEXT, .text = "it's <so>"}, none = {0};
  must(hd_rundb_list(db, "b", 0, "text", &word, &why));
  must(hd_rundb_list(db, "a", 1, "n", &seven, &why));
  must(hd_rundb_list(db, "a", 0, "n", &none, &why));
  const struct hd_rundb_signal signals[] = {{"port 1 out", 12, "x", NULL, false},
                                            {"port 1 out", 11, "", "y", true}};
  for (int i = 0; i < 2; i++)
    must(hd_rundb_signal(db, &signals[i], &why));
  const struct hd_rundb_end end = {.link_flits = flits, .vcs = 2};
  must(hd_rundb_finish(db, &f->topology, &end, &why));
  hd_rundb_close(db);
  expect_cells(f, HD_RUNDB_LISTS, 4, "a 1 n 7\nb 0 text it's <so>\n");
  expect_cells(f, HD_RUNDB_SIGNALS, 5, "port 1 out 11  y 1\nport 1 out 12 x NULL 0\n");
  /* A 2x2 mesh: a node, and a neighbour in each dimension. */
  expect_cells(f, HD_RUNDB_LINKS, 6,
               "0 0 node 0 0 7\n0 1 switch 1 2 5\n0 3 switch 2 4 0\n"
               "1 0 node 1 0 0\n1 2 switch 0 1 0\n1 3 switch 3 4 0\n"
               "2 0 node 2 0 0\n2 1 switch 3 2 0\n2 4 switch 0 3 0\n"
               "3 0 node 3 0 0\n3 2 switch 2 1 0\n3 4 switch 1 3 0\n");
  struct hd_rundb_table t;
  must(hd_rundb_table_read(&t, HD_RUNDB_LINK_VCS, f->path[0], &why));
  assert_int_equal(t.rows, 12 * 2);
  assert_string_equal(hd_rundb_cell(&t, 1, 3), "4");
  hd_rundb_table_fini(&t);
  /* An older Heddle did not write this table, so it has no rows. */
  sqlite3 *sqlite;
  assert_int_equal(sqlite3_open(f->path[0], &sqlite), SQLITE_OK);
  assert_int_equal(sqlite3_exec(sqlite, "DROP TABLE lists", NULL, NULL, NULL), SQLITE_OK);
  sqlite3_close(sqlite);
  must(hd_rundb_table_read(&t, HD_RUNDB_LISTS, f->path[0], &why));
  assert_int_equal(t.rows, 0);
  hd_rundb_table_fini(&t);
  assert_int_equal(hd_rundb_table_read(&t, HD_RUNDB_LISTS, "/nonexistent/run.db", &why), HD_E_IO);
}

TEST_WITH(a_run_is_never_written_over, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db = fixture_create(f, 0), *again;
  struct hd_rundb_start start = {.scenario = &f->scenario, .topology = &f->topology};
  assert_int_equal(hd_rundb_create(&again, f->path[0], &start, &why), HD_E_INPUT);
  assert_null(again);
  assert_non_null(strstr(why.text, f->path[0]));
  hd_rundb_close(db);
}

TEST_WITH(a_missing_directory_is_an_io_error, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db;
  CLEANUP(hd_rundb_info_fini) struct hd_rundb_info info;
  struct hd_rundb_start start = {.scenario = &f->scenario, .topology = &f->topology};
  must_fail(hd_rundb_create(&db, "/tmp/heddle-is-not-here/run.db", &start, &why), HD_E_IO,
            "/tmp/heddle-is-not-here/run.db");
  assert_int_equal(hd_rundb_read(&info, "/tmp/heddle-is-not-here", &why), HD_E_IO);
}

TEST_WITH(files_that_are_no_run_database_are_refused, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb_info info;
  FILE *file = fopen(f->path[0], "w");
  assert_non_null(file);
  for (int i = 0; i < 5000; i++)
    fputc(i * 7 % 251, file);
  fclose(file);
  assert_int_equal(hd_rundb_read(&info, f->path[0], &why), HD_E_INPUT);
  hd_rundb_info_fini(&info);
  file = fopen(f->path[1], "w"); /* empty: an SQLite database without a schema */
  fclose(file);
  must_fail(hd_rundb_read(&info, f->path[1], &why), HD_E_INPUT,
            "killed before it had written anything");
  hd_rundb_info_fini(&info);
}

TEST_WITH(a_killed_process_leaves_its_committed_packets, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    struct hd_rundb *db = fixture_create(f, 0);
    for (uint32_t n = 0; n < 20000; n++) {
      struct hd_rundb_packet p = fixture_packet(n);
      struct hd_rundb_value value = {0, "rounds", p.created, n};
      if (hd_rundb_packet(db, &p, NULL) || hd_rundb_value(db, &value, NULL))
        _exit(1);
      /* The first 9,999 packets are committed. Then follow so many that SQLite has written pages to the file. */
      if (n == 9999 && hd_rundb_progress(db, 4321, 1e9, NULL))
        _exit(1);
    }
    raise(SIGKILL);
    _exit(1);
  }
  int code;
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_true(WIFSIGNALED(code) && WTERMSIG(code) == SIGKILL);
  CLEANUP(hd_rundb_info_fini) struct hd_rundb_info info;
  must(hd_rundb_read(&info, f->path[0], &why));
  assert_string_equal(info.status, "running");
  assert_null(info.digest);
  assert_int_equal(info.cycles, 4321);
  struct hd_rundb_cursor *c;
  uint32_t n = 0;
  must(hd_rundb_cursor_open(&c, f->path[0], false, &why));
  for (; hd_rundb_cursor_row(c)->present; n++)
    must(hd_rundb_cursor_next(c, &why));
  hd_rundb_cursor_close(c);
  assert_int_equal(n, 10000);
  CLEANUP(hd_rundb_statistics_fini) struct hd_rundb_statistics s;
  must(hd_rundb_statistics_read(&s, f->path[0], &why));
  assert_int_equal(s.n, 1);
  assert_int_equal(s.list[0].n, 10000);
}

/* ── beside a run ──────────────────────────────────────────────────────────── */

static void write_packets(struct hd_rundb *db, uint32_t from, uint32_t to)
{
  for (uint32_t n = from; n < to; n++) {
    struct hd_rundb_packet p = fixture_packet(n);
    if (hd_rundb_packet(db, &p, &why) || (n % 1000 == 999 && hd_rundb_progress(db, n, n, &why)))
      fail_msg("packet %u: %s", n, why.text);
  }
}

/* Counts the files whose names begin with that of database i. */
static int count_files(const struct fixture *f, int i)
{
  DIR *directory = opendir(f->directory);
  assert_non_null(directory);
  const char *name = strrchr(f->path[i], '/') + 1;
  int n = 0;
  for (const struct dirent *e; (e = readdir(directory));)
    n += !strncmp(e->d_name, name, strlen(name));
  closedir(directory);
  return n;
}

TEST_WITH(a_reader_neither_stops_a_run_nor_waits_for_it, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db = fixture_create(f, 0);
  write_packets(db, 0, 2000);
  struct hd_rundb_cursor *early, *late;
  must(hd_rundb_cursor_open(&early, f->path[0], false, &why));
  /* Far more than the page cache holds back. */
  write_packets(db, 2000, 200000);
  struct hd_rundb_info info;
  if (hd_rundb_read(&info, f->path[0], &why) || hd_rundb_files_same(&info, &why))
    fail_msg("%s", why.text);
  assert_string_equal(info.status, "running");
  assert_int_equal(info.cycles, 199999);
  hd_rundb_info_fini(&info);
  must(hd_rundb_cursor_open(&late, f->path[0], false, &why));
  uint32_t n[2] = {0};
  struct hd_rundb_cursor *const both[] = {early, late};
  for (int i = 0; i < 2; i++)
    for (; hd_rundb_cursor_row(both[i])->present; n[i]++)
      must(hd_rundb_cursor_next(both[i], &why));
  assert_int_equal(n[0], 2000);
  assert_int_equal(n[1], 200000);
  hd_rundb_cursor_close(early);
  /* One reader stays until the run has ended, and longer. */
  fixture_finish(f, db, 1);
  hd_rundb_cursor_close(late);
  assert_int_equal(count_files(f, 0), 1);
  must(hd_rundb_read(&info, f->path[0], &why));
  assert_string_equal(info.status, "passed");
  hd_rundb_info_fini(&info);
  assert_int_equal(count_files(f, 0), 1);
}

/* Bytes 18 and 19 of a database say whether it needs a write-ahead log beside it: 1 no, 2 yes. */
TEST_WITH(a_finished_run_is_a_single_file_without_a_log, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  struct hd_rundb *db = fixture_create(f, 0);
  unsigned char head[20];
  write_packets(db, 0, 3000);
  fixture_finish(f, db, 1);
  assert_int_equal(count_files(f, 0), 1);
  FILE *file = fopen(f->path[0], "r");
  assert_non_null(file);
  assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
  fclose(file);
  assert_int_equal(head[18], 1);
  assert_int_equal(head[19], 1);
}

/* Reads as a user who may write neither the files nor their directory. Returns 0, or the step that failed. */
static int read_as_another_user(const struct fixture *f, int i, const char *expected_message)
{
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    struct hd_rundb_info info;
    struct hd_rundb_cursor *c;
    uint32_t n = 0;
    if (chmod(f->directory, 0555) || (!geteuid() && setuid(65534)))
      _exit(1);
    int status = hd_rundb_read(&info, f->path[i], &why);
    if (expected_message) {
      fprintf(stderr, "%s\n", why.text);
      _exit(status == HD_E_IO && strstr(why.text, expected_message) ? 0 : 2);
    }
    if (status || hd_rundb_cursor_open(&c, f->path[i], false, &why)) {
      fprintf(stderr, "%s\n", why.text);
      _exit(3);
    }
    for (; hd_rundb_cursor_row(c)->present; n++)
      if (hd_rundb_cursor_next(c, &why))
        _exit(4);
    _exit(n == 2000 ? 0 : 5);
  }
  int code;
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_int_equal(chmod(f->directory, 0755), 0);
  assert_true(WIFEXITED(code));
  return WEXITSTATUS(code);
}

TEST_WITH(a_user_without_write_permission_can_read_a_run, fixture_setup, fixture_teardown)
{
  struct fixture *f = *state;
  char shm[112];
  snprintf(shm, sizeof shm, "%s-shm", f->path[0]);
  assert_int_equal(chmod(f->directory, 0755), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    struct hd_rundb *db = fixture_create(f, 0);
    write_packets(db, 0, 2500); /* committed: 2,000 */
    raise(SIGKILL);
  }
  int code;
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_int_equal(count_files(f, 0), 3);
  assert_int_equal(read_as_another_user(f, 0, NULL), 0);
  assert_int_equal(count_files(f, 0), 3);
  /* The database is copied without this file. */
  assert_int_equal(unlink(shm), 0);
  assert_int_equal(read_as_another_user(f, 0, "copy its directory"), 0);
  /* A reader that may write makes one file of the database and its log. */
  CLEANUP(hd_rundb_info_fini) struct hd_rundb_info info;
  must(hd_rundb_read(&info, f->path[0], &why));
  assert_int_equal(count_files(f, 0), 1);
  assert_int_equal(read_as_another_user(f, 0, NULL), 0);
  /* This run ended while a reader had it open that could not clean up afterwards. */
  struct hd_rundb *db = fixture_create(f, 1);
  struct hd_rundb_cursor *c;
  write_packets(db, 0, 2000);
  must(hd_rundb_cursor_open(&c, f->path[1], false, &why));
  fixture_finish(f, db, 1);
  hd_rundb_cursor_close(c);
  assert_int_equal(read_as_another_user(f, 1, NULL), 0);
}

TEST_WITH(a_full_disk_is_reported_and_committed_packets_stay_readable, fixture_setup,
          fixture_teardown)
{
  struct fixture *f = *state;
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    struct rlimit limit = {.rlim_cur = 400000, .rlim_max = 400000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    struct hd_rundb *db = fixture_create(f, 0);
    int status = 0;
    for (uint32_t n = 0; !status && n < 1000000; n++) {
      struct hd_rundb_packet p = fixture_packet(n);
      status = hd_rundb_packet(db, &p, &why);
      if (!status && n % 5000 == 4999)
        status = hd_rundb_progress(db, n, 2.0 * n, &why);
    }
    bool said = status == HD_E_IO && strstr(why.text, f->path[0]) && hd_rundb_write_failed(db);
    hd_rundb_close(db);
    _exit(said ? 0 : 1);
  }
  int code;
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_true(WIFEXITED(code));
  assert_int_equal(WEXITSTATUS(code), 0);
  CLEANUP(hd_rundb_info_fini) struct hd_rundb_info info;
  assert_int_equal(hd_rundb_read(&info, f->path[0], NULL), 0);
  assert_string_equal(info.status, "running");
}

/* ── what reports are made of ──────────────────────────────────────────────── */

TEST(percentiles_are_exact)
{
  const uint64_t cases[][3] = {/* values 1 … n times step: n, step, 99th */
                               {1, 1, 1},      {100, 1, 99},       {101, 1, 100},
                               {1000, 1, 990}, {100, 1000, 99000}, {300, 700, 207900}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_latency_fini) struct hd_latency l = {0};
    for (uint64_t v = cases[i][0]; v >= 1; v--)
      hd_latency_add(&l, v * cases[i][1]);
    assert_int_equal(hd_latency_percentile(&l, 990), cases[i][2]);
    assert_int_equal(hd_latency_percentile(&l, 1000), cases[i][0] * cases[i][1]);
    assert_int_equal(l.minimum, cases[i][1]);
    assert_int_equal(l.maximum, cases[i][0] * cases[i][1]);
    assert_true(hd_latency_mean(&l) == (double)((cases[i][0] + 1) * cases[i][1]) / 2.0);
  }
  struct hd_latency none = {0};
  assert_int_equal(hd_latency_percentile(&none, 990), 0);
}

TEST(xml_is_escaped)
{
  CLEANUP(hd_text_fini) struct hd_text text = {0};
  hd_text_add_xml(&text, "a<b>&\"c\" \x01 \xff \xc3\xa9 \xed\xa0\x80 \xef\xbf\xbf \xc0\x80.");
  assert_string_equal(hd_text_chars(&text),
                      "a&lt;b&gt;&amp;&quot;c&quot; ? ? \xc3\xa9 ??? ??? ??.");
}
