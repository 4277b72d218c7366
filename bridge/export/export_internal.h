/* Types and functions that the files of this room share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_EXPORT_INTERNAL_H
#define HD_EXPORT_INTERNAL_H

#include "export.h"

#include "../backends/rtl/dut_sources.h"
#include "../scenario/scenario.h"

/** One write to the configuration ports of all switches (§3.2); a row of the loader's ROM. */
struct export_row {
  bool all; /* all input ports get this write */
  uint32_t addr;
  uint16_t *data; /* [switches], owned */
};

/** A kind of event at the pins of a node in a run of the model. The order is that of bridge/export/rtl/hd_export_replay.v. */
enum export_event_kind { EXPORT_FLIT_IN, EXPORT_CREDIT_IN, EXPORT_FLIT_OUT, EXPORT_CREDIT_OUT };
struct export_event {
  uint32_t cycle, node;
  /* what: enum export_event_kind; vc: channel; for a credit, the set of channels */
  uint8_t what, kind, vc;
  uint64_t data;
};

struct hd_export {
  const struct hd_export_options *options;
  char *name; /* name of the top module, a word of Verilog */
  /* name of the module whose pins are the nodes' flits and credits: the top, or a module inside
   * it */
  char *fabric_name;
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  uint32_t node_bits;   /* bits of a node in headers */
  uint32_t vc_bits;     /* VC_W (§1.1) */
  uint32_t switch_bits; /* bits of a switch's number */
  /* lowest bit of the source in headers; 0: headers have no room for the source */
  uint32_t source_at;
  struct export_row *rows;
  size_t n_rows, rows_capacity;
  struct export_event *events;
  size_t n_events, events_capacity;
  uint32_t event_cycles, flits_out;
  uint64_t build; /* hash of the RTL and texts so far, without lists, traffic and bench modules */
  /* the hash that the top of a fabric at speed reports; it covers all of the top's parts */
  uint64_t top_build;
  uint32_t *signatures; /* the model's signatures: [n_windows] times those of all switches */
  uint32_t n_windows;
};

/** Tests whether each node has AXI4-Stream pins instead of flits and credits. */
static inline bool hd_export_streams(const struct hd_export *x)
{
  return !x->options->raw && !x->options->signatures;
}

/** Makes the rows that write the model's tables into all switches. HD_E_INPUT, HD_E_NOMEM. */
int hd_export_rows(struct hd_export *x, struct hd_error *err);
void hd_export_rows_fini(struct hd_export *x);

/** Runs the scenario on the model, and keeps the events at nodes' pins. */
int hd_export_run(struct hd_export *x, struct hd_error *err);

/* Each of these appends the text of one file to `t`. */
void hd_export_tables(const struct hd_export *x, struct hd_text *t);
void hd_export_fabric(const struct hd_export *x, struct hd_text *t);
void hd_export_top(const struct hd_export *x, struct hd_text *t);
void hd_export_events(const struct hd_export *x, struct hd_text *t);
void hd_export_replay_bench(const struct hd_export *x, struct hd_text *t);
void hd_export_traffic(const struct hd_export *x, struct hd_text *t);
void hd_export_bench(const struct hd_export *x, struct hd_text *t);
void hd_export_list(const struct hd_export *x, const struct hd_dut_sources *rtl, struct hd_text *t);
void hd_export_traffic_list(const struct hd_export *x, const struct hd_dut_sources *rtl,
                            struct hd_text *t);
void hd_export_core(const struct hd_export *x, const struct hd_dut_sources *rtl, struct hd_text *t);
void hd_export_constraints(const struct hd_export *x, struct hd_text *t);
/** Writes the fabric's description as a device under test (docs/wrap.md); it has at most HD_MAX_ENDPOINTS nodes. */
void hd_export_description(const struct hd_export *x, struct hd_text *t);
/** Tests whether a description names the fabric inside by its dimensions. Otherwise it names a graph file, _links.csv. */
bool hd_export_is_grid(const struct hd_export *x);
void hd_export_links(const struct hd_export *x, struct hd_text *t);
void hd_export_readme(const struct hd_export *x, struct hd_text *t);

/* A fabric at speed (specification 9.7). */
/** Runs the scenario on the model, and keeps the signatures at the end of each window. */
int hd_export_sign(struct hd_export *x, struct hd_error *err);
/** Returns in how many of 256 cycles a source on chip begins a packet. */
uint32_t hd_export_speed_load(const struct hd_export *x);
void hd_export_speed_core(const struct hd_export *x, struct hd_text *t);
void hd_export_speed_top(const struct hd_export *x, struct hd_text *t);
void hd_export_speed_hex(const struct hd_export *x, struct hd_text *t);
void hd_export_speed_bench(const struct hd_export *x, struct hd_text *t);

/** Append what connects the flits and credits of nodes with a fabric: the wires in_valid, …,
 *  out_credit; the fabric's pins for them; and the pins of the configuration port, which stays
 *  unused. No comma and no newline follows the last pin. */
void hd_export_node_wires(struct hd_text *t);
void hd_export_node_pins(struct hd_text *t);
void hd_export_idle_config(const struct hd_export *x, struct hd_text *t);

/** Adds the first lines of a file. */
void hd_export_head(const struct hd_export *x, const char *what, struct hd_text *t);

#endif
