/* Cycle diagrams: a short stimulus, the switches it is played on, the rows that are drawn.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A stimulus is a text file (tb/diagrams/README.md says what may stand in it). It is played
 * through the DUT contract, one switch or a chain of them, one cycle a window, outputs fed to
 * inputs; every cell of the diagram comes from what the switches showed.
 */
#ifndef HD_DIAGRAM_H
#define HD_DIAGRAM_H

#include "../../bridge/backends/backend.h"
#include "../../cmodel/switch/switch.h"

#include <stdio.h>

enum {
  MAX_SWITCHES = 4,
  MAX_CYCLES = 64,
  MAX_LINK = 4,
  MAX_ROWS = 48,
  MAX_FLITS = 256,               /* that a stimulus sends */
  MAX_LINES = 64,                /* of one kind in a stimulus */
  MAX_BEHIND = 2 * MAX_LINK + 2, /* cycles behind the last one shown into which effects reach */
  NO_VC = 0xff,
};

/** A switch, one of its ports, perhaps one virtual channel. */
struct place {
  uint8_t sw, port, vc; /* vc NO_VC: all */
};

/** Kinds of row: the word in the stimulus, and the default name. */
#define ROW_LIST(X)                            \
  X(IN, "in", "in flit")                       \
  X(OUT, "out", "out flit")                    \
  X(POP, "pop", "grant")                       \
  X(CROSSBAR, "crossbar", "crossbar")          \
  X(SENT, "sent", "interface sends")           \
  X(CREDITS, "credits", "interface's credits") \
  X(CREDIT_OUT, "in_credit", "in_credit_o")    \
  X(CREDIT_IN, "out_credit", "out_credit_i")   \
  X(QUIESCENT, "quiescent", "quiescent_o")     \
  X(CFG_WRITE, "cfg_write", "cfg_write_i")     \
  X(CFG_READ, "cfg_read", "cfg_read_i")        \
  X(CFG_ADDR, "cfg_addr", "cfg_addr_i")        \
  X(CFG_WDATA, "cfg_wdata", "cfg_wdata_i")     \
  X(CFG_RDATA, "cfg_rdata", "cfg_rdata_o")     \
  X(STATE, "state", "")                        \
  X(GAP, "gap", "")

enum row_kind {
#define ROW_ENUM(name, word, label) ROW_##name,
  ROW_LIST(ROW_ENUM)
#undef ROW_ENUM
};

enum { BARRIER_BIT = 1 << HD_BARRIER_CREDIT };

enum cell_kind { CELL_NONE, CELL_BIT, CELL_TEXT };

struct cell {
  enum cell_kind kind;
  char colour; /* WaveDrom's digit; of a bit: its value */
  char text[24];
};

struct row {
  enum row_kind kind;
  struct place at;
  char state[32]; /* a name of specification §6.5 */
  char label[64];
  bool holds; /* a cell equal to the one before it is its continuation */
  struct cell cells[MAX_CYCLES];
};

/** A flit of the stimulus: recognised by kind and data wherever it appears. */
struct named_flit {
  uint64_t data;
  uint8_t kind;
  char colour;
  char text[16];
};

/** Flits that enter at a place: at the pins on consecutive cycles, or from the queue of a
 *  network interface (§4.1). */
struct sending {
  struct place at;
  bool queued;
  uint32_t cycle, n_flits;
  uint32_t first; /* in diagram.flits */
};

struct access { /* of the configuration port; write before cycle 0 when it is a table's */
  uint8_t sw;
  bool write;
  uint32_t cycle, addr;
  uint16_t data;
};

struct given_credit {
  struct place at;
  uint32_t cycle;
};

struct joint { /* a link between two ports, both directions */
  struct place a, b;
};

struct diagram {
  char name[64], title[160], note[200];
  struct hd_switch_params params;
  uint32_t n_switches, link_cycles, cycles;
  struct named_flit flits[MAX_FLITS];
  struct sending sendings[MAX_LINES];
  struct access tables[MAX_LINES], accesses[MAX_LINES];
  struct given_credit credits[MAX_LINES];
  struct joint joints[MAX_LINES];
  struct place drains[MAX_LINES];
  struct row rows[MAX_ROWS];
  uint32_t n_flits, n_sendings, n_tables, n_accesses, n_credits, n_joints, n_drains, n_calls,
      n_rows;
};

/** Values of one switch's wires in one cycle. */
struct wires {
  bool in_valid[HD_MAX_PORTS], out_valid[HD_MAX_PORTS];
  struct hd_flit_event in[HD_MAX_PORTS], out[HD_MAX_PORTS];
  uint16_t out_credit[HD_MAX_PORTS]; /* out_credit_i; bit 8: a barrier credit (§7.3) */
  uint16_t in_credit[HD_MAX_PORTS];  /* in_credit_o, likewise */
  bool quiescent, write, read;
  uint32_t addr;
  uint16_t wdata, rdata;
};

/** A network interface's sending side at a port (§4.1). */
struct interface {
  bool used;
  bool under_way;
  uint8_t vc, vc_next;
  uint8_t credits[HD_MAX_VCS];
  uint32_t sending, flit; /* the packet under way, or next in the queue */
};
struct interface_cycle {
  bool sent; /* visible at its output in this cycle */
  struct hd_flit_event flit;
  uint8_t credits[HD_MAX_VCS]; /* at the start of the cycle */
};

/** All that a play showed; cells are made from it. */
struct play {
  struct wires wires[MAX_SWITCHES][MAX_CYCLES + MAX_BEHIND];
  struct interface_cycle sides[MAX_SWITCHES][HD_MAX_PORTS][MAX_CYCLES + MAX_BEHIND];
  struct hd_switch_view views[MAX_SWITCHES][MAX_CYCLES + 1]; /* the model's, start of each cycle */
};

/** Reads a stimulus. HD_E_INPUT names file and line. */
int diagram_read(struct diagram *diagram, const char *path, struct hd_error *err);

/** Plays it on `backend`, which is opened for the diagram's parameters. `waves`: NULL, or the stem
 *  of the FST files that a backend with waves writes, one a switch: STEM.0.fst … */
int diagram_play(const struct diagram *diagram, const struct hd_backend *backend, const char *waves,
                 struct play *play, struct hd_error *err);

/** Makes the cells of all rows but those of state. */
int diagram_cells(struct diagram *diagram, const struct play *play, struct hd_error *err);

/** Makes the cells of state rows (§6.5): from the model's view, or from the RTL's waves. */
int diagram_state_of_model(struct diagram *diagram, const struct play *play, struct hd_error *err);
int diagram_state_of_waves(struct diagram *diagram, const char *waves, struct hd_error *err);

/** Compares what the interfaces and links of the tool put at the switches' pins with the fabric
 *  model's (chapter 4, §1.5); *compared counts flits and credits, 0 where the stimulus has
 *  something that no fabric would do. */
int diagram_check_interfaces(const struct diagram *diagram, const struct play *play,
                             uint32_t *compared, struct hd_error *err);

void diagram_write_json(const struct diagram *diagram, FILE *f);
void diagram_write_svg(const struct diagram *diagram, FILE *f);

/** The character of a cell in WaveDrom's `wave`. */
char diagram_wave(const struct row *row, uint32_t cycle);

#endif
