/* Plans: their list, and their hops by formula and send by send.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "coding_study.h"

#include "../../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NODES_COUNTED = 1024, MOST_NODES_FLAT = 4096, LARGEST_INNER = 32, PAPER_MEMBERS = 32 };

struct coding_config coding_flat(uint32_t k, enum hd_coding_multicast multicast)
{
  return (struct coding_config){.k = k, .scheme = HD_CODING_FLAT, .multicast = multicast};
}

static void sides_of(uint32_t members, uint32_t *sides)
{
  sides[0] = sides[1] = 1;
  for (uint32_t d = 0; sides[0] * sides[1] < members; d = 1 - d)
    sides[d] *= 2;
}

struct coding_config coding_grouped(uint32_t k, enum hd_coding_scheme scheme,
                                    enum hd_coding_multicast multicast, uint32_t members)
{
  struct coding_config config = {.k = k, .scheme = scheme, .multicast = multicast};
  sides_of(members, config.group);
  return config;
}

uint32_t coding_paper_members(uint32_t k)
{
  return k * k / 2 < PAPER_MEMBERS ? k * k / 2 : PAPER_MEMBERS;
}

void coding_name(const struct coding_config *c, char *text, size_t size)
{
  int n = snprintf(text, size, "%" PRIu32 "-ary 2-%s, %s, %s", c->k, c->torus ? "torus" : "mesh",
                   hd_coding_scheme_name(c->scheme), hd_coding_multicast_name(c->multicast));
  if (c->group[0])
    n += snprintf(text + n, size - (size_t)n, ", groups %" PRIu32 "x%" PRIu32, c->group[0],
                  c->group[1]);
  if (c->inner[0])
    n += snprintf(text + n, size - (size_t)n, ", inner %" PRIu32 "x%" PRIu32, c->inner[0],
                  c->inner[1]);
  if (c->sources)
    snprintf(text + n, size - (size_t)n, ", %" PRIu32 " sources %s", c->sources,
             c->placed == CODING_SPREAD ? "spread" : "together");
}

/* ── plans to count ────────────────────────────────────────────────────────── */

const struct coding_plan *coding_find_plan(const struct coding_results *r,
                                           const struct coding_config *config)
{
  for (size_t i = 0; i < r->n_plans; i++)
    if (!memcmp(&r->plans[i].config, config, sizeof *config))
      return &r->plans[i];
  return NULL;
}

static void want(struct coding_results *r, struct coding_config config)
{
  if (coding_find_plan(r, &config))
    return;
  HD_XROOM(r->plans, r->plans_capacity, r->n_plans, 1);
  r->plans[r->n_plans++] = (struct coding_plan){.config = config};
}

static void want_groups(struct coding_results *r, uint32_t k, enum hd_coding_scheme scheme,
                        enum hd_coding_multicast multicast, bool torus)
{
  for (uint32_t members = 2; members <= k * k / 2; members *= 2) {
    struct coding_config config = coding_grouped(k, scheme, multicast, members);
    config.torus = torus;
    want(r, config);
  }
}

/* Fig. 19: groups of each size, each divided again in every way. */
static void want_recursive(struct coding_results *r, uint32_t k)
{
  for (uint32_t members = 4; members <= k * k / 2; members *= 2)
    for (uint32_t inner = 2; inner < members; inner *= 2) {
      struct coding_config config =
          coding_grouped(k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, members);
      sides_of(inner, config.inner);
      want(r, config);
    }
}

/* Fig. 18: some nodes are sources. */
static void want_sources(struct coding_results *r, uint32_t k)
{
  for (uint32_t sources = 2; sources < k * k; sources *= 2)
    for (uint32_t placed = CODING_SPREAD; placed <= CODING_TOGETHER; placed++) {
      struct coding_config flat = coding_flat(k, HD_CODING_ALL_AT_ONCE);
      struct coding_config coded =
          coding_grouped(k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, coding_paper_members(k));
      flat.sources = coded.sources = sources;
      flat.placed = coded.placed = placed;
      want(r, flat);
      want(r, coded);
    }
}

static void want_all(struct coding_results *r)
{
  for (uint32_t k = CODING_SMALLEST; k <= (r->quick ? 8 : CODING_LARGEST); k *= 2) {
    want(r, coding_flat(k, HD_CODING_ALL_AT_ONCE));
    want_groups(r, k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, false);
    want_groups(r, k, HD_CODING_PLAIN, HD_CODING_ALL_AT_ONCE, false);
    if (k > CODING_LARGEST_TREE)
      continue;
    struct coding_config torus = coding_flat(k, HD_CODING_ALL_AT_ONCE);
    torus.torus = true;
    want(r, coding_flat(k, HD_CODING_TREE));
    want(r, coding_flat(k, HD_CODING_NEIGHBOUR));
    want_groups(r, k, HD_CODING_CODED, HD_CODING_TREE, false);
    want_groups(r, k, HD_CODING_PLAIN, HD_CODING_TREE, false);
    want(r, torus);
    want_groups(r, k, HD_CODING_CODED, HD_CODING_ALL_AT_ONCE, true);
    if (k <= LARGEST_INNER)
      want_recursive(r, k);
    want(r, coding_grouped(k, HD_CODING_COMBINED, HD_CODING_TREE, coding_paper_members(k)));
  }
  want_sources(r, r->quick ? 8 : 16);
}

/* ── counting ──────────────────────────────────────────────────────────────── */

static void request_of(const struct coding_config *c, struct hd_coding_request *r, bool *sources)
{
  const uint32_t nodes = c->k * c->k;
  *r =
      (struct hd_coding_request){.n_dims = 2,
                                 .dims = {c->k, c->k},
                                 .torus = c->torus,
                                 .scheme = (enum hd_coding_scheme)c->scheme,
                                 .multicast = (enum hd_coding_multicast)c->multicast,
                                 .n_levels = c->inner[0] ? 2 : c->group[0] != 0,
                                 .group = {{c->group[0], c->group[1]}, {c->inner[0], c->inner[1]}}};
  if (!c->sources)
    return;
  /* Spread sources have equal distances. Sources placed together are the nodes of the first
   * rows. */
  for (uint32_t i = 0; i < c->sources; i++)
    sources[c->placed == CODING_TOGETHER ? i : i * (nodes / c->sources)] = true;
  r->sources = sources;
}

static bool to_be_counted(const struct coding_config *c)
{
  const uint32_t nodes = c->k * c->k;
  return nodes <= MOST_NODES_COUNTED ||
         (nodes <= MOST_NODES_FLAT && c->scheme == HD_CODING_FLAT &&
          c->multicast != HD_CODING_ALL_AT_ONCE) ||
         (nodes <= MOST_NODES_FLAT && c->scheme == HD_CODING_CODED && !c->torus &&
          c->group[0] * c->group[1] == PAPER_MEMBERS);
}

static void describe(void *context, size_t index, struct hd_text *text)
{
  const struct coding_results *r = context;
  char name[200];
  coding_name(&r->plans[index].config, name, sizeof name);
  hd_text_add(text, "hops: %s\n", name);
}

static double work(void *context, size_t index)
{
  const struct coding_config *c = &((const struct coding_results *)context)->plans[index].config;
  return 1e4 + (to_be_counted(c) ? (double)c->k * c->k * c->k * c->k : 0);
}

static void put_hops(const char *prefix, const struct hd_coding_hops *hops,
                     struct hd_task_outcome *outcome)
{
  char key[32];
  for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
    for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
      snprintf(key, sizeof key, "%s-%s%" PRIu32, prefix, hd_coding_step_name(step), level);
      hd_study_put(outcome, key, "hops", (double)hops->hops[level][step]);
      snprintf(key, sizeof key, "%s-sends-%s%" PRIu32, prefix, hd_coding_step_name(step), level);
      hd_study_put(outcome, key, "sends", (double)hops->sends[level][step]);
    }
}

static void take_hops(const char *prefix, struct hd_coding_hops *hops,
                      const struct hd_task_outcome *outcome)
{
  char key[32];
  for (uint32_t level = 0; level < HD_CODING_LEVELS; level++)
    for (uint32_t step = 0; step < HD_CODING_STEPS; step++) {
      snprintf(key, sizeof key, "%s-%s%" PRIu32, prefix, hd_coding_step_name(step), level);
      hops->hops[level][step] = (uint64_t)hd_study_value(outcome, key);
      snprintf(key, sizeof key, "%s-sends-%s%" PRIu32, prefix, hd_coding_step_name(step), level);
      hops->sends[level][step] = (uint64_t)hd_study_value(outcome, key);
    }
}

static void run_task(void *context, size_t index, struct hd_task_outcome *outcome)
{
  const struct coding_config *c = &((const struct coding_results *)context)->plans[index].config;
  bool *sources = hd_xcalloc(c->k, c->k * sizeof *sources);
  struct hd_coding_request request;
  struct hd_coding *coding = NULL;
  struct hd_coding_hops hops;
  struct hd_error err;
  request_of(c, &request, sources);
  outcome->status = hd_coding_create(&coding, &request, &err);
  if (outcome->status)
    hd_task_outcome_fail(outcome, outcome->status, err.text, "failed");
  else {
    hd_coding_formula(coding, &hops);
    put_hops("formula", &hops, outcome);
    if (to_be_counted(c)) {
      hd_coding_count(coding, &hops);
      put_hops("count", &hops, outcome);
    }
  }
  hd_coding_destroy(coding);
  free(sources);
}

static int ended(void *context, size_t index, const struct hd_task_outcome *outcome,
                 struct hd_error *err)
{
  struct coding_plan *plan = &((struct coding_results *)context)->plans[index];
  if (outcome->failed)
    return hd_fail(err, HD_E_TOOL, "a plan: %.800s",
                   outcome->message ? outcome->message : hd_status_text(outcome->status));
  take_hops("formula", &plan->formula, outcome);
  plan->counted = to_be_counted(&plan->config);
  if (plan->counted)
    take_hops("count", &plan->count, outcome);
  plan->done = true;
  return HD_OK;
}

int coding_count_plans(struct coding_results *r, const struct hd_study_arguments *how,
                       struct hd_error *err)
{
  want_all(r);
  const struct hd_study_tasks tasks = {.kind = "plans",
                                       .n = r->n_plans,
                                       .context = r,
                                       .describe = describe,
                                       .work = work,
                                       .run_task = run_task,
                                       .ended = ended};
  return hd_study_run(&how->study, &tasks, err);
}

/* ── results ───────────────────────────────────────────────────────────────── */

bool coding_hops(const struct coding_results *r, const struct coding_config *config,
                 enum hd_coding_counted counted, double *hops)
{
  const struct coding_plan *plan = coding_find_plan(r, config);
  if (!plan || !plan->done)
    return false;
  *hops = (double)hd_coding_total(&plan->formula, counted);
  return true;
}

bool coding_best(const struct coding_results *r, uint32_t k, enum hd_coding_scheme scheme,
                 enum hd_coding_multicast multicast, bool torus, double *hops, uint32_t *members)
{
  bool known = true;
  *hops = 0;
  for (uint32_t m = 2; m <= k * k / 2; m *= 2) {
    struct coding_config config = coding_grouped(k, scheme, multicast, m);
    double now;
    config.torus = torus;
    known = known && coding_hops(r, &config, HD_CODING_COUNT_ALL, &now);
    if (known && (m == 2 || now < *hops)) {
      *hops = now;
      if (members)
        *members = m;
    }
  }
  return known;
}

bool coding_saved(const struct coding_results *r, uint32_t k, enum hd_coding_multicast multicast,
                  bool torus, double *percent)
{
  struct coding_config flat = coding_flat(k, multicast);
  double before = 0, after = 0;
  flat.torus = torus;
  const bool known = coding_hops(r, &flat, HD_CODING_COUNT_ALL, &before) &&
                     coding_best(r, k, HD_CODING_CODED, multicast, torus, &after, NULL);
  *percent = before > 0 ? 100 * (1 - after / before) : 0;
  return known;
}

bool coding_best_recursive(const struct coding_results *r, uint32_t k, double *hops,
                           struct coding_config *config)
{
  bool known = false;
  for (size_t i = 0; i < r->n_plans; i++) {
    const struct coding_plan *plan = &r->plans[i];
    if (plan->config.k != k || !plan->config.inner[0])
      continue;
    if (!plan->done)
      return false;
    const double now = (double)hd_coding_total(&plan->formula, HD_CODING_COUNT_ALL);
    if (known && *hops <= now)
      continue;
    *hops = now;
    if (config)
      *config = plan->config;
    known = true;
  }
  return known;
}

void coding_fini(struct coding_results *r)
{
  free(r->plans);
  free(r->runs);
}
