/* Traces of programs: operations begin when what they wait for has ended; both formats mean the same; mistakes have a line.
 * SPDX-License-Identifier: Apache-2.0
 *
 * HD_SEED=N replays a run.
 */
#include "../../../sw/programs/ops.h"
#include "../lib/dice.h"
#include "../lib/fake_network.h"
#include "../lib/test.h"

enum { DELAY = 40, NODES = 4, TEXT = 65536 };

struct outcome {
  uint64_t finish[NODES], computing[NODES], waiting[NODES], sent;
  char error[1024];
};

static void read_statistic(const struct hd_world *world, const char *name, uint64_t *into)
{
  for (uint32_t i = 0; i < hd_world_statistics(world); i++) {
    struct hd_world_statistic s = hd_world_statistic(world, i);
    for (size_t v = 0; !strcmp(s.name, name) && v < s.n && v < NODES; v++)
      into[v] = s.values[v].value;
  }
}

static double scale = 1;

/* Replays a text on a network in which each packet takes DELAY cycles. Returns the status. */
static int replay(const char *text, struct outcome *o)
{
  char path[64];
  write_temporary(path, text);
  struct hd_parameter parameters[] = {{.key = "file", .text = path},
                                      {.key = "scale", .number = scale},
                                      {.key = "cycle_ns", .number = 1}};
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = DELAY};
  struct hd_world_params p = fake_params(&net, NODES, hd_program_find("replay"));
  uint64_t ended;
  p.parameters = parameters;
  p.n_parameters = sizeof parameters / sizeof *parameters;
  *o = (struct outcome){0};
  int status = hd_world_create(&net.world, &p, &why);
  status = status ? status : fake_run(&net, 1000000, &ended, &why);
  read_statistic(net.world, "finish of ranks", o->finish);
  read_statistic(net.world, "computing of ranks", o->computing);
  read_statistic(net.world, "waiting of ranks", o->waiting);
  o->sent = net.n_sent;
  const char *at = strstr(why.text, path);
  snprintf(o->error, sizeof o->error, "%s", at ? at + strlen(path) : why.text);
  unlink(path);
  return status;
}

static void replay_well(const char *text, struct outcome *o)
{
  if (replay(text, o))
    fail_msg("%s", o->error);
}

TEST(an_operation_begins_when_the_one_before_has_ended)
{
  struct outcome o;
  replay_well(
      "# a comment\nranks 2\n\nrank 1\nrecv 0 8 tag 5\ncompute 30\nsend 0 8\nrank 0\ncompute 100\n"
      "send 1 8 tag 5\nrecv 1 8\n",
      &o);
  const uint64_t one_way =
      o.finish[1] - 130; /* a message, from its send to the end of its receive */
  assert_true(one_way >= DELAY && one_way <= DELAY + 8);
  assert_int_equal(o.finish[0], 130 + 2 * one_way);
  assert_int_equal(o.waiting[0], 30 + 2 * one_way);
  assert_int_equal(o.waiting[1], 100 + one_way);
  assert_int_equal(o.computing[0], 100);
}

TEST(computation_continues_during_a_receive_that_nothing_waits_for)
{
  struct outcome o, blocking;
  replay_well("ranks 2\nrank 0\ncompute 50\nsend 1 8\nrank 1\n3: irecv 0 8\ncompute 500\nwait "
              "3\ncompute 1\n",
              &o);
  assert_int_equal(o.finish[1], 501);
  assert_int_equal(o.waiting[1], 0);
  replay_well("ranks 2\nrank 0\ncompute 50\nsend 1 8\nrank 1\nrecv 0 8\ncompute 500\ncompute 1\n",
              &blocking);
  assert_int_equal(blocking.finish[1], 501 + blocking.waiting[1]);
  assert_true(blocking.waiting[1] > 50);
}

TEST(after_lists_the_operations_to_wait_for)
{
  struct outcome o;
  /* The second computation waits for the first message, the third for nothing; the last for the later message. */
  replay_well(
      "ranks 2\nrank 0\nsend 1 8 tag 1\ncompute 1000\nsend 1 8 tag 2\nrank 1\n1: irecv 0 8 tag 1\n"
      "2: irecv 0 8 tag 2 after\n3: compute 10 after 1\n4: compute 400 after\ncompute 7 after 2 3 "
      "4\n",
      &o);
  assert_true(o.finish[1] > 1000 + DELAY && o.finish[1] < 1000 + DELAY + 20);
  assert_int_equal(o.computing[1], 417);
}

TEST(large_messages_are_split_and_collectives_end)
{
  struct outcome o;
  replay_well("ranks 4\ngroup 7 3 1\nrank 0\nallreduce 100\nsend 1 3000000\nbarrier\nrank "
              "1\nallreduce 100\n"
              "recv 0 3000000\nbroadcast 2000000 root 3 group 7\nbarrier\nrank 2\nallreduce "
              "100\nbarrier\nrank 3\n"
              "allreduce 100\nbroadcast 2000000 root 3 group 7\nbarrier\n",
              &o);
  for (int i = 0; i < NODES; i++)
    assert_true(o.finish[i] > DELAY);
}

TEST(message_sizes_are_multiplied_by_the_scale)
{
  struct outcome o, small;
  const char *text = "ranks 2\nrank 0\nsend 1 100000\nrank 1\nrecv 0 100000\n";
  replay_well(text, &o);
  scale = 0.01;
  replay_well(text, &small);
  scale = 1;
  assert_true(small.sent * 90 < o.sent && small.sent * 110 > o.sent);
}

TEST(goal_files_run_as_their_format_defines)
{
  struct outcome o;
  replay_well(
      "num_ranks 2\n// c\nrank 0 { l1: calc 100; l2: send 8b to 1 tag 0 cpu 0 nic 0 ; l2 requires "
      "l1 }\n"
      "rank 1 { /* l2 stands\n first */ l2: calc 50\n l1: recv 8b from 0 tag 0\n l2 requires l1\n"
      "l3: calc 1000 l4: calc 5 l4 irequires l3 }\n",
      &o);
  assert_int_equal(o.finish[0], 100);
  assert_int_equal(o.computing[1], 1055);
  assert_int_equal(o.finish[1], 1055);
  replay_well("num_ranks 3 rank 1 { } rank 0 { calc 7 }", &o); /* ranks that do nothing */
  assert_int_equal(o.finish[0], 7);
}

/* One random program in both formats: operations of a rank require some of those above. */
TEST(a_program_in_both_formats_gives_the_same_run)
{
  struct dice dice = dice_begin("a_program_in_both_formats_gives_the_same_run", "test_replay_ops");
  uint64_t messages = 0;
  for (uint32_t round = 0; round < n_cases(200); round++) {
    static char own[NODES][TEXT], goal[NODES][TEXT];
    static char own_all[NODES * TEXT + 64], goal_all[NODES * TEXT + 256];
    uint32_t n[NODES] = {0};
    for (int r = 0; r < NODES; r++)
      own[r][0] = goal[r][0] = '\0';
    for (uint32_t i = 0, most = 5 + roll(&dice, 60); i < most; i++) {
      uint32_t from = roll(&dice, NODES), to = roll(&dice, NODES);
      for (int side = 0; side < (from == to ? 1 : 2); side++) {
        uint32_t rank = side ? to : from, after = 0;
        char *a = own[rank] + strlen(own[rank]), *b = goal[rank] + strlen(goal[rank]);
        if (from == to) {
          uint32_t time = roll(&dice, 300);
          a += sprintf(a, "%u: compute %u after", n[rank], time);
          b += sprintf(b, "l%u: calc %u\n", n[rank], time);
        } else {
          a += sprintf(a, "%u: %s %u %u tag %u after", n[rank], side ? "recv" : "send",
                       side ? from : to, i * 9, i);
          b += sprintf(b, "l%u: %s %ub %s %u tag %u\n", n[rank], side ? "recv" : "send", i * 9,
                       side ? "from" : "to", side ? from : to, i);
          messages += side == 1;
        }
        for (uint32_t k = roll(&dice, 3); k && n[rank]; k--) {
          after = roll(&dice, n[rank]);
          a += sprintf(a, " %u", after);
          b += sprintf(b, "l%u requires l%u\n", n[rank], after);
        }
        strcpy(a, "\n");
        n[rank]++;
      }
    }
    int used = sprintf(own_all, "ranks 4\n"), used_goal = sprintf(goal_all, "num_ranks 4\n");
    for (int r = 0; r < NODES; r++) {
      used += sprintf(own_all + used, "rank %d\n%s", r, own[r]);
      used_goal += sprintf(goal_all + used_goal, "rank %d {\n%s}\n", r, goal[r]);
    }
    struct outcome x, y;
    replay_well(own_all, &x);
    replay_well(goal_all, &y);
    assert_memory_equal(x.finish, y.finish, sizeof x.finish);
    assert_int_equal(x.sent, y.sent);
  }
  printf("%" PRIu64 " messages\n", messages);
  assert_true(messages > 500);
}

TEST(errors_in_traces_are_named_by_line)
{
  static const struct {
    const char *text, *expected_message;
  } cases[] = {
      {"ranks 9\n", ":1: 9 ranks; the fabric has 4 nodes, one for each rank"},
      {"ranks\n", ":1: the first line is: ranks NUMBER"},
      {"ranks 2\nsend 1 8\n", ":2: an operation of no rank; write rank NUMBER before it"},
      {"ranks 2\nrank 2\n", ":2: a rank begins with: rank NUMBER; legal: 0 … 1"},
      {"ranks 2\nrank 1\nrank 1\n", ":3: rank 1 was there before"},
      {"ranks 2\nrank 0\nsend 2 8\n", ":3: \"2\" is no rank; legal: 0 … 1"},
      {"ranks 2\nrank 0\nsend 1\n", ":3: \"\" is no number of bytes"},
      {"ranks 2\nrank 0\nsend 1 8 tog 5\n",
       ":3: \"tog\" cannot follow here; legal: tag NUMBER, after LABEL"},
      {"ranks 2\nrank 0\nsend 1 8 tag\n", ":3: \"tag\" is no tag; legal: 0 … 4294967295"},
      {"ranks 2\nrank 0\nwait 5\n", ":3: no line above of rank 0 has the label 5"},
      {"ranks 2\nrank 0\n65536: compute 1\n", ":3: \"65536\" is no label; legal: 0 … 65535"},
      {"ranks 2\nrank 0\n5: compute 1 after 5\n", ":3: no line above of rank 0 has the label 5"},
      {"ranks 2\nrank 0\nfly 5\n", ":3: no operation; legal: send"},
      {"ranks 2\nrank 0\nreduce 5 root 1 group 3\n", ":3: rank 0 is not in group 3"},
      {"ranks 2\ngroup 3 0\nrank 0\nreduce 5 root 1 group 3\n", ":4: root 1 is not in group 3"},
      {"ranks 2\ngroup 3 0 0\n", ":2: rank 0 is in the group twice"},
      {"ranks 2\nrank 0\nsend 1 8\nrank 1\nrecv 0 9\n",
       ":1: rank 0 sends other messages to rank 1 than rank 1 receives"},
      {"ranks 2\nrank 0\nsend 1 8 tag 1\nrank 1\nrecv 0 8 tag 2\n",
       ":1: rank 0 sends other messages to rank 1"},
      {"num_ranks 5\n", ":1: \"5\"; legal: a rank for each node of the fabric at most"},
      {"num_ranks 2\nrank 0 {\nl1: calc x }", ":3: \"x\"; legal: a time in nanoseconds"},
      {"num_ranks 2\nrank 0 {\nl1: calc 1\nl1: calc 2 }",
       ":4: the label \"l1\" is there twice in this rank"},
      {"num_ranks 2\nrank 0 { l1: calc 1\nl2: calc 1\nl1 requires l2\nl2 requires l1 }",
       ":2: this operation of rank 0 requires itself, by others in a circle"},
      {"num_ranks 2\nrank 0 { l1: calc 1\nl1 requires l2 }",
       ":3: \"l2\"; legal: a label of an operation above"},
      {"num_ranks 2\nrank 0 { l1: calc 1 cpu 1 }",
       ":2: \"1\"; legal: cpu 0: a rank computes on one processor"},
      {"num_ranks 2\nrank 0 { l1: send 8b from 1 }", ":2: \"from\"; legal: to RANK"},
      {"num_ranks 2\nrank 0 {", ":2: \"end of the file\"; legal: }"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct outcome o;
    assert_int_equal(replay(cases[i].text, &o), HD_E_INPUT);
    if (strncmp(o.error, cases[i].expected_message, strlen(cases[i].expected_message)))
      assert_string_equal(o.error, cases[i].expected_message);
  }
}
