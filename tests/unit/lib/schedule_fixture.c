/* Networks, drawn messages and the check, for tests of schedules.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "test.h"

#include "schedule_fixture.h"

#include "../../../sw/contention/schedule_check.h"

void schedule_network(struct hd_topology *t, enum hd_topology_kind kind, uint32_t n)
{
  const struct hd_topology_shape shape = {.k = 2, .n = n};
  assert_int_equal(hd_topology_build(t, kind, &shape, NULL, NULL), 0);
}

void schedule_rig_open(struct schedule_rig *r, enum hd_topology_kind kind, uint32_t n,
                       enum hd_exchange collective, uint32_t root, bool all_port)
{
  *r = (struct schedule_rig){.network = {.topology = &r->t, .all_port = all_port}};
  schedule_network(&r->t, kind, n);
  assert_int_equal(hd_messages_make(&r->m, collective, r->t.n_nodes, root, NULL), 0);
}

void schedule_rig_close(struct schedule_rig *r)
{
  hd_schedule_fini(&r->s);
  hd_messages_fini(&r->m);
  hd_topology_fini(&r->t);
}

void schedule_draw_messages(struct dice *dice, uint32_t nodes, struct hd_text *csv)
{
  uint32_t needs = 3 + (uint32_t)(dice->state >> 7) % 4;
  for (uint32_t n = 0; n < needs;) {
    dice->state = dice->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint32_t r = (uint32_t)(dice->state >> 33), source = r % nodes;
    uint32_t a = (source + 1 + r / 64 % (nodes - 1)) % nodes;
    uint32_t b = (source + 1 + r / 4096 % (nodes - 1)) % nodes;
    hd_text_add(csv,
                a != b && n + 2 <= needs ? "%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n"
                                         : "%" PRIu32 ",%" PRIu32 "\n",
                source, a, b);
    n += a != b && n + 2 <= needs ? 2 : 1;
  }
}

void schedule_must_pass(const struct hd_schedule *s, const struct hd_schedule_network *network,
                        const struct hd_messages *m)
{
  const struct hd_schedule_rules rules = {network->topology, network->tables, network->failed,
                                          network->all_port};
  CLEANUP(free_at) struct hd_schedule_need *needs = calloc(m->n_destinations + 1, sizeof *needs);
  struct hd_schedule_found found;
  CLEANUP(hd_text_fini) struct hd_text csv = {0};
  size_t n = 0;
  assert_non_null(needs);
  for (size_t i = 0; i < m->n; i++)
    for (uint32_t d = 0; d < m->all[i].n; d++)
      needs[n++] = (struct hd_schedule_need){(uint32_t)i, m->all[i].source,
                                             m->destinations[m->all[i].first + d]};
  hd_schedule_csv(s, network->topology, &csv);
  if (hd_schedule_check(&rules, needs, n, hd_text_chars(&csv), csv.length, "csv", &found, &why))
    fail_msg("%s\n%s", why.text, hd_text_chars(&csv));
  assert_int_equal(found.steps, s->steps);
  assert_int_equal(found.transfers, n);
}
