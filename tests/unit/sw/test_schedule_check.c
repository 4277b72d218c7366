/* The check of schedules finds planted errors: conflicts, missing transfers, and messages that a sender does not
 * have.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../sw/contention/schedule_check.h"
#include "../lib/test.h"

/* A binary tree of two levels: s0 is the root, n0 and n1 at s1, n2 and n3 at s2. Message 0 of n0 for all,
 * message 1 of n3 for n2. */
static const struct hd_schedule_need needs[] = {{0, 0, 1}, {0, 0, 2}, {0, 0, 3}, {1, 3, 2}};

static int check_schedule(const char *text, bool all_port, struct hd_schedule_found *found,
                          struct hd_error *err)
{
  const struct hd_topology_shape shape = {.n = 2};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  assert_int_equal(hd_topology_build(&t, HD_TOPO_BINARY_TREE, &shape, NULL, NULL), 0);
  const struct hd_schedule_rules rules = {.topology = &t, .all_port = all_port};
  int status = hd_schedule_check(&rules, needs, 4, text, strlen(text), "f", found, err);
  return status;
}

#define FIRST "1,0,0,2,n0 s1:0 s0:2 s2:1\n"
#define SECOND "2,0,0,1,n0 s1:2\n"
#define THIRD "2,0,2,3,n2 s2:2\n"
#define FOURTH "3,1,3,2,n3 s2:1\n"

TEST(a_correct_schedule_passes)
{
  struct hd_schedule_found found;
  must(check_schedule("step,message,source,destination,links\n# good\n" THIRD FIRST FOURTH SECOND,
                      false, &found, &why));
  assert_int_equal(found.steps, 3);
  assert_int_equal(found.transfers, 4);
}

TEST(planted_errors_in_schedules_are_found)
{
  static const struct {
    const char *text, *expected_message;
  } planted[] = {
      {FIRST SECOND THIRD "1,1,3,2,n3 s2:1\n",
       "the link of s2 port 1 carries the transfer of line 1"},
      {FIRST "1,0,0,1,n0 s1:2\n" THIRD FOURTH, "the link out of n0 carries"},
      {FIRST SECOND "1,0,2,3,n2 s2:2\n" FOURTH, "does not have that message yet"},
      {FIRST SECOND "2,0,1,3,n1 s1:0 s0:2 s2:2\n" FOURTH, "does not have that message yet"},
      {FIRST SECOND THIRD, "n2 never gets message 1 of n3"},
      {FIRST SECOND THIRD FOURTH "4,1,3,2,n3 s2:1\n", "has that message already"},
      {FIRST SECOND THIRD FOURTH "4,1,3,1,n3 s2:0 s0:1 s1:2\n", "is not for that node"},
      {FIRST "2,0,0,1,n0 s1:0 s0:1 s1:2\n" THIRD FOURTH, "a way with fewer links"},
      {"1,0,0,2,n0 s0:2 s2:1\n", "does not begin where the one before ends"},
      {"1,0,0,2,n0 s1:0 s0:2\n", "does not end at its destination"},
      {"1,0,0,2,n0 s1:0 s0:2 s2:2\n", "does not end at its destination"},
      {"1,0,0,2,n1 s1:0 s0:2 s2:1\n", "does not begin at its source"},
      {"1,0,0,2,s1:0 s0:2 s2:1\n", "does not begin where the one before ends"},
      {"1,0,0,2,n0 x s0:2\n", "is no link"},
      {"1,0,0,2,n0  s1:0\n", "is no link"},
      {"1,0,0,9,n0\n", "there is no such node"},
      {"1,0,0,2,n0 s9:0\n", "is no link"},
      {"0,0,0,2,n0\n", "is no transfer"},
      {"1,0,0\n", "is no transfer"},
      {"1,0,-1,2,n0\n", "is no transfer"},
      {"", "never gets"},
  };
  struct hd_schedule_found found;
  for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
    if (!check_schedule(planted[i].text, false, &found, &why))
      fail_msg("passed: %s", planted[i].text);
    if (!strstr(why.text, planted[i].expected_message))
      fail_msg("%s: %s", planted[i].text, why.text);
  }
  /* with all ports a node's own links are not counted */
  must(check_schedule(FIRST "1,0,0,1,n0 s1:2\n" THIRD FOURTH, true, &found, &why));
}

TEST(schedules_that_ignore_tables_or_failed_links_are_refused)
{
  const struct hd_topology_shape shape = {.k = 2, .n = 2};
  const struct hd_schedule_need need = {0, 0, 2};
  CLEANUP(hd_topology_fini) struct hd_topology t;
  CLEANUP(hd_tables_fini) struct hd_tables tables;
  struct hd_schedule_found found;
  const char *by[2] = {"1,0,0,2,n0 s0:2 s2:1 s1:0\n", "1,0,0,2,n0 s0:3 s3:1 s1:0\n"};
  assert_int_equal(hd_topology_build(&t, HD_TOPO_FOLDED_BUTTERFLY, &shape, NULL, NULL), 0);
  assert_int_equal(hd_routing_build(&tables, &t, HD_ROUTE_MINIMAL, false, 1, 0, NULL), 0);
  const struct hd_schedule_rules any = {.topology = &t},
                                 routed = {.topology = &t, .tables = &tables};
  int passed = 0;
  for (int i = 0; i < 2; i++) {
    if (hd_schedule_check(&any, &need, 1, by[i], strlen(by[i]), "f", &found, &why))
      fail_msg("%s: %s", by[i], why.text);
    passed += !hd_schedule_check(&routed, &need, 1, by[i], strlen(by[i]), "f", &found, &why);
  }
  assert_int_equal(passed, 1); /* the tables have one of the two */
  bool failed[64] = {false};
  failed[0 * t.ports + 2] = true;
  const struct hd_schedule_rules damaged = {.topology = &t, .failed = failed};
  must_fail(hd_schedule_check(&damaged, &need, 1, by[0], strlen(by[0]), "f", &found, &why),
            HD_E_INPUT, "has failed");
  must(hd_schedule_check(&damaged, &need, 1, by[1], strlen(by[1]), "f", &found, &why));
}
