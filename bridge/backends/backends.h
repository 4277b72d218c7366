/* List of backends, and the descriptor that each room defines. For the registry and for backends.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BACKENDS_H
#define HD_BACKENDS_H

#include "backend.h"

/** X(name), in the order in which help and messages name them. A room of bridge/backends defines
 *  hd_backend_kind_<name>. A new backend needs its room and a line here. */
#define HD_BACKEND_LIST(X) \
  X(model)                 \
  X(verilator)             \
  X(icarus)                \
  X(ghdl)                  \
  X(systemc)               \
  X(netlist)               \
  X(lanes)                 \
  X(bitstream)             \
  X(board)

/** An option that may follow the colon; commas separate options. */
struct hd_backend_option {
  const char *name; /* as the help shows it: "baud=N" */
  const char *help;
};

struct hd_backend_kind {
  const char *name;     /* --dut NAME */
  const char *argument; /* text that must come first after the colon: "FILE"; NULL: none must */
  const char *help;     /* one line: the kind of DUT */
  /** Values of --dut, separated by blanks. `make backends` compares them all. "": the backend does
   *  not play Heddle's own switch. */
  const char *examples;
  const struct hd_backend_option *options; /* its own; the last name is NULL; NULL: none */
  unsigned simulator_options; /* options of rtl/dut_options.h that it also takes, as bits */
  /** Files of Heddle that it compiles or reads at run time, relative to the install root, with NULL
   *  at the end. NULL: none. */
  const char *const *own;
  bool builds_rtl;       /* builds the Verilog or VHDL of --rtl */
  bool counts_rtl;       /* takes hd_backend_options.coverage */
  uint32_t max_switches; /* result of hd_backend_max_switches */
  bool as_written;       /* simulates the RTL unchanged, so a proof of quiescent_o holds for it */
  bool any_ports;        /* the DUTs may be networks (§6.8) of more than HD_MAX_PORTS endpoints */
  /** Sets backend->ops, or calls hd_backend_load. May change backend->options. hd_backend_open
   *  closes `backend` if this fails. */
  int (*open)(struct hd_backend *backend, const struct hd_switch_params *params,
              const struct hd_backend_options *options, struct hd_error *err);
};

#define HD_BACKEND_EXTERN(name) extern const struct hd_backend_kind hd_backend_kind_##name;
HD_BACKEND_LIST(HD_BACKEND_EXTERN)
#undef HD_BACKEND_EXTERN

/** Descriptors of all backends, with NULL at the end. */
extern const struct hd_backend_kind *const hd_backend_kinds[];
/** Finds the backend that a --dut such as "netlist:ice40" names. NULL: none. */
const struct hd_backend_kind *hd_backend_kind(const char *dut);

/** Gets option i of a backend, its own options first. False: there is no option i. */
bool hd_backend_option(const struct hd_backend_kind *kind, size_t i,
                       struct hd_backend_option *option);

/** Progress of a build that is shown to the user. The caller keeps it and `options` valid until the
 *  build has ended. */
struct hd_building {
  const struct hd_backend_options *options;
  char what[512];
  double since, reported; /* times of the start and of the last report; seconds, monotonic clock */
};

/** Tests whether HEDDLE_UNOPTIMISED asks for builds that are not optimised. */
bool hd_building_unoptimised(void);

/** Returns a copy of `options` whose builds report their progress to options->building.
 *  hd_backend_open makes such a copy itself. */
struct hd_backend_options hd_building_options(struct hd_building *building,
                                              const struct hd_backend_options *options);

/** Gives options->say a line, if it is set. */
void hd_building_say(const struct hd_backend_options *options, const char *line);

/** Says what is built, with n parameters (NAME=value), and first whether a damaged cache entry was
 *  removed. */
void hd_building_begin(const struct hd_backend_options *options, bool repaired, const char *what,
                       char (*parameters)[32], size_t n);

/** Loads a backend's shared object. HD_E_INPUT. */
int hd_backend_load(struct hd_backend *backend, const char *path, struct hd_error *err);

#endif
