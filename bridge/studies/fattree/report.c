/* The tables of report.md.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fat_tree_study.h"

#include <math.h>

static void add_mean(struct hd_mean mean, const char *format, struct hd_text *text)
{
  hd_text_add(text, format, mean.mean);
  if (isfinite(mean.half_width)) {
    hd_text_add(text, " ± ");
    hd_text_add(text, format, mean.half_width);
  }
}

/* Adds a line for each curve with the most that it accepts. */
static void add_saturation(const void *context, struct hd_text *text)
{
  const struct fattree_results *r = context;
  hd_text_add(text,
              "| traffic | network | nodes | routing | latency at %.2f, cycles | saturated "
              "from load | accepted at most, flits/node/cycle |\n|---|---|---|---|---|---|---|\n",
              r->n ? r->curves[0].points[0].load_permille / 1000.0 : 0);
  for (uint32_t i = 0; i < r->n; i++) {
    const struct fattree_curve *curve = &r->curves[i];
    const struct fattree_network *network = &fattree_networks[curve->network];
    hd_text_add(text, "| %s | %s | %u | %s | ", fattree_traffic_name(curve->traffic),
                network->title, network->nodes, fattree_routings[curve->routing].name);
    if (!fattree_complete(r, curve)) {
      hd_text_add(text, "– | – | – |\n");
      continue;
    }
    uint32_t from = fattree_saturates_at(r, curve);
    add_mean(fattree_latency(r, &curve->points[0]), "%.1f", text);
    if (from)
      hd_text_add(text, " | %g | ", from / 1000.0);
    else
      hd_text_add(text, " | – | ");
    add_mean(fattree_most_accepted(r, curve), "%.3f", text);
    hd_text_add(text, " |\n");
  }
}

/* Adds a row for each load and a column for each curve: latency and, where it saturates, the
 * accepted load. */
static void add_table(const struct fattree_results *r, enum fattree_traffic traffic,
                      enum fattree_family family, struct hd_text *text)
{
  bool any = false;
  for (uint32_t i = 0; i < r->n; i++) {
    const struct fattree_curve *curve = &r->curves[i];
    if (curve->traffic != traffic || fattree_networks[curve->network].family != family)
      continue;
    hd_text_add(text, "%s %s, %s |", any ? "" : "| load |", fattree_networks[curve->network].name,
                fattree_routings[curve->routing].name);
    any = true;
  }
  if (!any)
    return;
  hd_text_add(text, "\n|---|");
  for (uint32_t i = 0; i < r->n; i++)
    if (r->curves[i].traffic == traffic && fattree_networks[r->curves[i].network].family == family)
      hd_text_add(text, "---|");
  for (uint32_t load = 0; load < r->n_loads; load++) {
    hd_text_add(text, "\n| %g |", r->curves[0].points[load].load_permille / 1000.0);
    for (uint32_t i = 0; i < r->n; i++) {
      const struct fattree_curve *curve = &r->curves[i];
      if (curve->traffic != traffic || fattree_networks[curve->network].family != family)
        continue;
      const struct fattree_point *point = &curve->points[load];
      hd_text_add(text, " ");
      if (!fattree_known(r, point))
        hd_text_add(text, "–");
      else if (fattree_saturated(r, point)) {
        hd_text_add(text, "accepts ");
        add_mean(fattree_accepted(r, point), "%.3f", text);
      } else
        add_mean(fattree_latency(r, point), "%.1f", text);
      hd_text_add(text, " |");
    }
  }
  hd_text_add(text, "\n\n");
}

static void add_tables(const struct fattree_results *r, enum fattree_traffic traffic,
                       struct hd_text *text)
{
  add_table(r, traffic, FATTREE_MESH, text);
  add_table(r, traffic, FATTREE_TREE, text);
  add_table(r, traffic, FATTREE_EDGE, text);
}

static void add_uniform(const void *context, struct hd_text *text)
{
  add_tables(context, FATTREE_UNIFORM, text);
}

static void add_others(const void *context, struct hd_text *text)
{
  for (enum fattree_traffic traffic = FATTREE_UNIFORM; traffic < FATTREE_TRAFFICS; traffic++) {
    if (traffic == FATTREE_UNIFORM)
      continue;
    hd_text_add(text, "%s:\n\n", fattree_traffic_name(traffic));
    add_tables(context, traffic, text);
  }
}

#define ABOUT(WHICH)                                                                             \
  "Each point is in points.csv, with the KEY of its first seed's run: heddle run runs/KEY.yaml " \
  "repeats it. Means have 95 % confidence intervals over the seeds. The first seed of each "     \
  "point" WHICH " is in lockstep on RTL, others are by the model."

static const struct hd_study_part parts[] = {
    {"saturation", "Saturation", "topologies", add_saturation},
    {"uniform", "Uniform traffic", "routings", add_uniform},
    {"traffic", "Other traffic", "traffic", add_others}};

const struct hd_study_report fattree_report = {
    .title = "The adaptive fat tree paper",
    .left = "a part of the networks, traffics, loads and seeds",
    .about = ABOUT(""),
    .about_quick = ABOUT(" of FatTrees with k/2 nodes at an edge switch"),
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
    .files = fattree_write_figures,
    .written = "report.md, report.json, points.csv; topologies, routings, traffic as csv, svg, png",
};
