/* The list of backends, and what each says of itself. For the registry and for backends.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BACKENDS_H
#define HD_BACKENDS_H

#include "backend.h"

/** X(name): a room of bridge/backends defines hd_backend_kind_<name>; in the order in which help and
 *  messages name them. A new backend is its room and a line here. */
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
  const char *name; /* as it is written: "baud=N" */
  const char *help;
};

struct hd_backend_kind {
  const char *name;     /* --dut NAME */
  const char *argument; /* what must stand first behind the colon: "FILE"; NULL: nothing must */
  const char *help;     /* what answers for the switches */
  const char *
      examples; /* for --dut, blanks between; `make backends` compares them all; "": it does not play Heddle's
                           own switch */
  const struct hd_backend_option *options; /* its own, until a name is NULL; NULL: none */
  unsigned simulator_options;              /* it also takes the options of rtl/dut_options.h */
  const char *const
      *own; /* files of Heddle that it compiles or reads at run time, as seen from the install
                             root, until NULL; NULL: none */
  bool builds_rtl; /* from the Verilog, or VHDL, of --rtl */
  bool counts_rtl; /* takes hd_backend_options.coverage */
  uint32_t joins;  /* hd_backend_max_switches */
  bool as_written; /* the switches are the RTL as it is written, so quiescent_o may be proved */
  bool any_ports;  /* the DUTs may be networks (§6.8) of more than HD_MAX_PORTS endpoints */
  /** Sets backend->ops, or calls hd_backend_load; may change backend->options. What it leaves in
   *  `backend` is closed in case of failure, too. */
  int (*open)(struct hd_backend *backend, const struct hd_switch_params *params,
              const struct hd_backend_options *options, struct hd_error *err);
};

#define HD_BACKEND_EXTERN(name) extern const struct hd_backend_kind hd_backend_kind_##name;
HD_BACKEND_LIST(HD_BACKEND_EXTERN)
#undef HD_BACKEND_EXTERN

/** All of them, NULL behind the last. */
extern const struct hd_backend_kind *const hd_backend_kinds[];
/** The one that a --dut names, "netlist:ice40"; NULL: none. */
const struct hd_backend_kind *hd_backend_kind(const char *dut);

/** The i-th option of a backend, its own first; false behind the last. */
bool hd_backend_option(const struct hd_backend_kind *kind, size_t i,
                       struct hd_backend_option *option);

/** A build whose progress is shown. Both options must stay valid as long as it does. */
struct hd_building {
  const struct hd_backend_options *options;
  char what[512];
  double since, told; /* seconds of a clock */
};

/** Does the environment ask for builds that are not optimised? */
bool hd_building_unoptimised(void);

/** A copy of `options` that reports builds to options->building. hd_backend_open makes one itself. */
struct hd_backend_options hd_building_options(struct hd_building *building,
                                              const struct hd_backend_options *options);

/** Loads a backend's shared object. HD_E_INPUT. */
int hd_backend_load(struct hd_backend *backend, const char *path, struct hd_error *err);

#endif
