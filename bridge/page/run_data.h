/* Data and sections of the page of a run. Private to this room.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_RUN_DATA_H
#define HD_RUN_DATA_H

#include "../../cmodel/topology/topology.h"
#include "../record/rundb.h"
#include "../report/results.h"
#include "page.h"

/** One direction of a link, which begins at the output of a switch. */
struct hd_run_link {
  uint32_t sw, port, peer, peer_port;
  bool to_node, dead; /* dead: a fault of the scenario struck it */
  bool known;         /* `flits` is known */
  uint64_t flits;
  const uint64_t *vcs; /* [n_vcs], owned by the data; NULL: not known */
  /* Blocked flit-cycles (§6.3) at the link's end. For a link to a node they are those of the
   * opposite direction, because a node accepts every flit at once. */
  uint64_t blocked;
  const uint64_t *blocked_vcs; /* [n_vcs], owned by the data; NULL: none was blocked */
};

struct hd_run_latencies {
  uint64_t cycles, packets;
};

struct hd_run_data {
  char *path, *directory;
  struct hd_rundb_table tables[HD_RUNDB_TABLES];
  const struct hd_topology_descriptor *topology; /* NULL: not known */
  /* Topology inside a network that is one DUT; no switches: not known. */
  struct hd_topology inner;
  /* Topology of the run's parameters; all zeros if they give none, as with a file. */
  struct hd_topology fabric;
  uint32_t n_switches, n_nodes, n_vcs;
  uint64_t cycles;       /* cycles in which flits were counted */
  uint64_t model_cycles; /* cycles that the model ran; more than `cycles` if the run did not pass */
  bool blocked_known;
  struct hd_run_link *links; /* [n_links], sorted by switch and port; none if the run did not end */
  size_t n_links;
  uint64_t *vcs, *blocked_vcs;
  struct hd_run_latencies *latencies; /* [n_latencies], ascending */
  size_t n_latencies;
  bool diverged; /* the divergence is at sw, port and cycle */
  uint32_t sw, port;
  uint64_t cycle;
};

/** Reads a run. Errors: HD_E_IO, HD_E_INPUT. Call hd_run_data_fini in any case. */
int hd_run_data_read(struct hd_run_data *data, const char *run, struct hd_error *err);
void hd_run_data_fini(struct hd_run_data *data);

/* Return values as the database has them; NULL: there is none. */
const char *hd_run_data_cell(const struct hd_run_data *data, unsigned table, size_t row,
                             const char *column);
const char *hd_run_data_run(const struct hd_run_data *data, const char *column);
const char *hd_run_data_item(const struct hd_run_data *data, const char *list, uint64_t row,
                             const char *key);
/** Returns what the DUT was compared with: "model" or "original". */
const char *hd_run_data_reference(const struct hd_run_data *data);
/** Returns the number of rows of a list. */
uint64_t hd_run_data_rows(const struct hd_run_data *data, const char *list);
/** Returns a result, or a column of a list, as a value of its type. Its text is borrowed. */
struct hd_value hd_run_data_value(const struct hd_run_data *data,
                                  const struct hd_result_table *table, size_t column, uint64_t row);
/** Reads a text as a number; 0 if it is not one. */
uint64_t hd_run_data_number(const char *text);

/* ── sections ──────────────────────────────────────────────────────────────── */

void hd_run_divergence_section(struct hd_page *page, const struct hd_run_data *data);
/** Returns data of a fabric without a run. The data owns its links; the topology is borrowed. */
struct hd_run_data hd_run_data_alone(const struct hd_topology *topology);
/** Writes the drawing of a fabric without a run as an SVG file. */
void hd_run_fabric_svg(const struct hd_run_data *data, const char *title, struct hd_text *text);
void hd_run_fabric_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_latency_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_links_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_lists_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_results_section(struct hd_page *page, const struct hd_run_data *data);
void hd_run_provenance_section(struct hd_page *page, const struct hd_run_data *data);

/* ── positions of switches in drawings ─────────────────────────────────────── */

/** Gives each switch a position, with neighbours about 1 apart; `at` has n_switches elements.
 *  Returns part of a sentence that describes the layout. */
const char *hd_run_layout(const struct hd_run_data *data, struct hd_topology_place *at);

#endif
