/* Data of the page of a run. For bridge/page/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_DATA_H
#define HD_RUN_DATA_H

#include "../../cmodel/topology/topology.h"
#include "../record/rundb.h"
#include "../report/results.h"
#include "page.h"

/** A direction of a link: the output of a switch. */
struct hd_run_link {
  uint32_t sw, port, peer, peer_port;
  bool to_node, dead; /* dead: it failed by a fault of the scenario */
  bool known;         /* how many flits left there is: */
  uint64_t flits;
  const uint64_t *vcs; /* [n_vcs], NULL: not known; owned by the data */
  /* Blocked flit-cycles (§6.3) at the link's end; of a link to a node at the end of the node's link to the
   * switch, for a node takes every flit at once. */
  uint64_t blocked;
  const uint64_t *blocked_vcs; /* [n_vcs], NULL: none was; owned by the data */
};

struct hd_run_latencies {
  uint64_t cycles, packets;
};

struct hd_run_data {
  char *path, *directory;
  struct hd_rundb_table tables[HD_RUNDB_TABLES];
  const struct hd_topology_descriptor *topology; /* NULL: not known */
  struct hd_topology inner; /* what is inside of a network as DUT; no switches: nothing is known */
  struct hd_topology
      fabric; /* of the run's parameters; zeroed where they make none, or a file does */
  uint32_t n_switches, n_nodes, n_vcs;
  uint64_t cycles;       /* in which flits were counted */
  uint64_t model_cycles; /* in which the model ran, ahead of these where the run did not pass */
  bool blocked_known;
  struct hd_run_link *links; /* [n_links], by switch and port; none of a run that did not end */
  size_t n_links;
  uint64_t *vcs, *blocked_vcs;
  struct hd_run_latencies *latencies; /* [n_latencies], ascending */
  size_t n_latencies;
  bool diverged; /* there: */
  uint32_t sw, port;
  uint64_t cycle;
};

/** Reads a run. HD_E_IO, HD_E_INPUT. Freed by hd_run_data_fini, after failures too. */
int hd_run_data_read(struct hd_run_data *data, const char *run, struct hd_error *err);
void hd_run_data_fini(struct hd_run_data *data);

/* Values as the database has them; NULL: there is none. */
const char *hd_run_data_cell(const struct hd_run_data *data, unsigned table, size_t row,
                             const char *column);
const char *hd_run_data_run(const struct hd_run_data *data, const char *column);
const char *hd_run_data_item(const struct hd_run_data *data, const char *list, uint64_t row,
                             const char *key);
/** The reference that the DUT was compared with: "model" or "original". */
const char *hd_run_data_reference(const struct hd_run_data *data);
/** The number of rows of a list. */
uint64_t hd_run_data_rows(const struct hd_run_data *data, const char *list);
/** A result, or a column of a list, as a value of its type; the text is borrowed. */
struct hd_value hd_run_data_value(const struct hd_run_data *data,
                                  const struct hd_result_table *table, size_t column, uint64_t row);
/** Reads a text as a number; 0 if the text is no number. */
uint64_t hd_run_data_number(const char *text);

/* ── sections ──────────────────────────────────────────────────────────────── */

void hd_run_divergence_section(struct hd_page *page, const struct hd_run_data *data);
/** Data of a fabric that no run was carried out on; its links are owned, the topology stays the caller's. */
struct hd_run_data hd_run_data_alone(const struct hd_topology *topology);
/** Writes the drawing of the fabric alone, as an SVG file. */
void hd_run_fabric_svg(const struct hd_run_data *data, const char *title, struct hd_text *text);
void hd_run_fabric_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_latency_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_links_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_lists_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_results_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_provenance_section(struct hd_page *page, const struct hd_run_data *data);

/* ── where switches are drawn ──────────────────────────────────────────────── */

/** Gives each switch a place, neighbours about 1 apart; `at` [n_switches]. Returns part of a
 * sentence that describes the layout. */
const char *hd_run_layout(const struct hd_run_data *data, struct hd_topology_place *at);

#endif
