/* Fuzzes files of messages and of schedules: any bytes give messages in range or an error; the check of
 * schedules refuses or takes any bytes, and takes what heddle wrote.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../sw/contention/schedule_check.h"
#include "../../sw/schedules/proof.h"
#include "../../sw/schedules/schedules.h"
#include "fuzz.h"

enum { FEW = 12 };

static void check_messages(const struct hd_topology *t, const struct hd_messages *m,
                           const char *text, size_t size, bool good)
{
  const struct hd_schedule_rules rules = {.topology = t};
  struct hd_schedule_need *needs = calloc(m->n_destinations + 1, sizeof *needs);
  struct hd_schedule_found found;
  struct hd_error err;
  size_t n = 0;
  require(needs != NULL);
  for (size_t i = 0; i < m->n; i++)
    for (uint32_t d = 0; d < m->all[i].n; d++)
      needs[n++] = (struct hd_schedule_need){(uint32_t)i, m->all[i].source,
                                             m->destinations[m->all[i].first + d]};
  int status = hd_schedule_check(&rules, needs, n, text, size, "fuzz", &found, &err);
  require(!good || !status);
  require(status || found.transfers == n);
  free(needs);
}

/* Messages that were read can be scheduled, and the schedule passes its check. */
static void schedule(const struct hd_topology *t, const struct hd_messages *m)
{
  const struct hd_schedule_network network = {.topology = t};
  const struct hd_schedule_options options = {.seconds = 0};
  struct hd_schedule s;
  struct hd_text csv = {0};
  require(!hd_schedule_find(&s, &network, m, &options, NULL));
  require(s.steps && s.steps >= s.bound);
  hd_schedule_csv(&s, t, &csv);
  check_messages(t, m, hd_text_chars(&csv), csv.length, true);
  hd_text_fini(&csv);
  hd_schedule_fini(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char formula[] = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n";
  const struct hd_topology_shape shape = {.n = 2};
  char *text = exact_copy(data, size);
  struct hd_topology t;
  struct hd_messages m;
  struct hd_proof_result result;
  struct hd_error err;
  require(!hd_topology_build(&t, HD_TOPO_BINARY_TREE, &shape, NULL, NULL));
  memset(&err, 0xff, sizeof err);
  if (hd_messages_parse(&m, text, size, "fuzz", t.n_nodes, &err))
    require(memchr(err.text, 0, sizeof err.text) != NULL && strlen(err.text) > 10);
  else {
    require(m.n && m.n_destinations >= m.n);
    for (size_t i = 0; i < m.n_destinations; i++)
      require(m.destinations[i] < t.n_nodes);
    if (m.n_destinations <= FEW)
      schedule(&t, &m);
  }
  hd_messages_fini(&m);
  require(!hd_messages_make(&m, HD_EXCHANGE_ONE_TO_ALL_BROADCAST, t.n_nodes, 0, NULL));
  check_messages(&t, &m, text, size, false);
  hd_messages_fini(&m);
  (void)hd_proof_check(formula, sizeof formula - 1, (const uint8_t *)text, size, NULL, NULL,
                       &result, &err);
  (void)hd_proof_check(text, size, (const uint8_t *)text, size, NULL, NULL, &result, &err);
  hd_topology_fini(&t);
  free(text);
  return 0;
}
