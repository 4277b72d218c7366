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
  bool all; /* all input ports get the same write */
  uint32_t addr;
  uint16_t *data; /* [switches], owned */
};

/** A kind of event at the pins of a node in a run of the model. The order is that of bridge/export/rtl/hd_export_replay.v. */
enum export_event_kind { EXPORT_FLIT_IN, EXPORT_CREDIT_IN, EXPORT_FLIT_OUT, EXPORT_CREDIT_OUT };
struct export_event {
  uint32_t cycle, node;
  uint8_t what, kind, vc; /* what: enum export_event_kind; vc: of a credit: the set of channels */
  uint64_t data;
};

struct hd_export {
  const struct hd_export_options *options;
  char *name; /* of the top module, a word of Verilog */
  char *
      fabric_name; /* of the module with the pins of nodes as flits and credits: the top, or inside of it */
  struct hd_scenario scenario;
  struct hd_topology topology;
  struct hd_tables tables;
  uint32_t node_bits;   /* of a node in headers */
  uint32_t vc_bits;     /* VC_W (§1.1) */
  uint32_t switch_bits; /* of a switch's number */
  uint32_t source_at;   /* lowest bit of the source in headers; 0: there is no room */
  struct export_row *rows;
  size_t n_rows, rows_capacity;
  struct export_event *events;
  size_t n_events, events_capacity;
  uint32_t event_cycles, flits_out;
  uint64_t build;       /* hash of what has been written so far */
  uint64_t top_build;   /* the one that the top of a fabric at speed says: of all that is in it */
  uint32_t *signatures; /* of the model: [n_windows] times those of all switches */
  uint32_t n_windows;
};

/** Tests whether each node has AXI4-Stream, instead of flits and credits. */
static inline bool hd_export_streams(const struct hd_export *x)
{
  return !x->options->raw && !x->options->signatures;
}

/** The rows that give all switches their tables, as the model gets them. HD_E_INPUT, HD_E_NOMEM. */
int hd_export_rows(struct hd_export *x, struct hd_error *err);
void hd_export_rows_fini(struct hd_export *x);

/** Runs the scenario on the model, and keeps what crossed the pins of nodes. */
int hd_export_run(struct hd_export *x, struct hd_error *err);

/* Each adds the text of one file to `t`. */
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
int hd_export_sign(struct hd_export *x, struct hd_error *err);
/** The number of cycles, of 256, in which a source on chip begins a packet. */
uint32_t hd_export_speed_load(const struct hd_export *x);
void hd_export_speed_core(const struct hd_export *x, struct hd_text *t);
void hd_export_speed_top(const struct hd_export *x, struct hd_text *t);
void hd_export_speed_hex(const struct hd_export *x, struct hd_text *t);
void hd_export_speed_bench(const struct hd_export *x, struct hd_text *t);

/** Adds what joins flits and credits at the nodes with a fabric: wires in_valid, …, out_credit; its pins for them; and
 *  the pins of a configuration port that nobody uses, after which come no comma and no line's end. */
void hd_export_node_wires(struct hd_text *t);
void hd_export_node_pins(struct hd_text *t);
void hd_export_idle_config(const struct hd_export *x, struct hd_text *t);

/** Adds the first lines of a file. */
void hd_export_head(const struct hd_export *x, const char *what, struct hd_text *t);

#endif
