/* Runs a test's own program on a fake network, which must end well or with an error.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "world_fixture.h"

uint64_t compared;

static unsigned char byte_of(int source, int destination, uint64_t number, size_t i)
{
  return (unsigned char)(source * 7 + destination * 31 + (int)(number * 13) +
                         (int)(i * 5 + (i >> 8)));
}

void fill(unsigned char *bytes, size_t n, int source, int destination, uint64_t number)
{
  for (size_t i = 0; i < n; i++)
    bytes[i] = byte_of(source, destination, number, i);
}

void verify(struct hd_ep *ep, const unsigned char *bytes, size_t n, int source, uint64_t number)
{
  for (size_t i = 0; i < n; i++)
    if (bytes[i] != byte_of(source, hd_ep_rank(ep), number, i))
      hd_ep_abort(ep, "byte %zu of message %" PRIu64 " of %d is wrong", i, number, source);
  compared += n + 1;
}

struct hd_program program_of(void (*run)(struct hd_ep *ep))
{
  return (struct hd_program){.name = "test", .about = "a test", .main = run};
}

void create(struct fake_network *net, const struct hd_world_params *p)
{
  hd_random_seed(&net->random, seed, UINT32_MAX);
  compared = 0;
  must(hd_world_create(&net->world, p, &why));
}

uint64_t run_well(void (*run)(struct hd_ep *ep), struct hd_world_params p, struct fake_network *net)
{
  struct hd_program program = program_of(run);
  uint64_t ended = 0;
  p.program = &program;
  create(net, &p);
  int status = fake_run(net, UINT64_C(1) << 40, &ended, &why);
  if (status)
    fail_msg("%d: %s", status, why.text);
  assert_true(hd_world_finished(net->world));
  assert_true(compared > 0);
  struct hd_world_counters counters;
  hd_world_counters(net->world, &counters);
  assert_int_equal(counters.messages_sent, counters.messages_received);
  uint64_t messages, receives;
  hd_world_open_operations(net->world, &messages, &receives);
  assert_int_equal(messages + receives, 0);
  fake_fini(net);
  return ended;
}

void run_badly(void (*run)(struct hd_ep *ep), uint32_t nodes, int expected,
               const char *expected_message)
{
  CLEANUP(fake_fini) struct fake_network net = {.fixed_delay = 3};
  struct hd_program program = program_of(run);
  struct hd_world_params p = fake_params(&net, nodes, &program);
  struct hd_error err = {""}, again = {""};
  uint64_t ended = 0;
  create(&net, &p);
  assert_int_equal(fake_run(&net, 100000, &ended, &err), expected);
  if (!strstr(err.text, expected_message))
    fail_msg("'%s' is not in '%s'", expected_message, err.text);
  assert_int_equal(hd_world_step(net.world, ended + 1, &again), expected);
  assert_string_equal(err.text, again.text);
}
