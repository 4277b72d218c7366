/* Stress bench: compares the original and the changed switch at the pins of one bench (tb/stress)
 * in every cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bench is Verilog and is Verilated alone. All outputs of bench and switches are registers, so
 * the three can be evaluated in any order. No model is needed, so the original may be any switch
 * with these pins. This header is C and C++.
 */
#ifndef HD_STRESS_H
#define HD_STRESS_H

#include "../../../cmodel/port_event.h"
#include "../../../cmodel/switch/params.h"
#include "pinned.h"

#include <stdbool.h>

enum { HD_STRESS_NODES = 16, HD_STRESS_NODE = 1 << 12 /* bit: valid */ };

/** A router of any kind, without a model (hd_stress.v with FOREIGN): its tables, and destinations
 *  of its packets. */
struct hd_stress_router {
  struct hd_config_event *writes; /* [n_writes], writes of its routing tables; owned */
  uint32_t n_writes;
  bool single; /* packets have one flit */
  /* Destinations of packets that enter at a port: HD_STRESS_NODE plus the node's number; 0:
   * none. */
  uint16_t nodes[HD_MAX_PORTS][HD_STRESS_NODES];
};

/** Traffic of the bench (hd_stress.v). Equal values give equal traffic. */
struct hd_stress_traffic {
  uint64_t seed, cycles; /* number of cycles, at most */
  bool mixed;            /* the load changes; otherwise all ports are always saturated */
  bool writes, resets;   /* configuration writes, and resets, during traffic */
  bool illegal;          /* inputs break the rules of links */
};

/** Inputs of both switches in a cycle. */
struct hd_stress_inputs {
  bool reset, write, read;
  uint32_t address; /* address of the write or read */
  uint16_t data;
  uint32_t n_flits, n_credits;
  struct hd_flit_event flits[HD_MAX_PORTS];
  struct hd_credit_event credits[HD_MAX_PORTS];
};

/** X(NAME, name): kinds of differences, in the order of hd_stress_compare.v. */
#define HD_STRESS_DIFFERENCE_LIST(X) \
  X(AGREED, "none")                  \
  X(FLIT, "flit")                    \
  X(CREDIT, "credit")                \
  X(COUNT, "count")                  \
  X(READ, "cfg_rdata_o")             \
  X(QUIESCENT, "quiescent_o")        \
  X(ASSERTION, "assertion")

enum hd_stress_difference {
#define HD_STRESS_DIFFERENCE_ENUM(NAME, name) HD_STRESS_##NAME,
  HD_STRESS_DIFFERENCE_LIST(HD_STRESS_DIFFERENCE_ENUM)
#undef HD_STRESS_DIFFERENCE_ENUM
};

/** Result of a run. */
struct hd_stress_found {
  enum hd_stress_difference difference;
  uint64_t cycle;  /* cycle of the first difference */
  uint64_t cycles; /* number of compared cycles */
  uint64_t flits;  /* number of flits of the original that were compared */
  unsigned port;
  char text[400]; /* outputs of both switches at the difference; "": there is none */
};

struct hd_stress_job {
  const struct hd_pinned_ops *original, *changed;
  const struct hd_stress_router *router; /* NULL: the switches are Heddle's */
  struct hd_stress_traffic traffic;
  /** Called in each cycle if it is not NULL. */
  void (*see)(void *context, const struct hd_stress_inputs *inputs);
  void *context;
};

/** Runs the bench. Returns 0 if the switches agree, and if they differ. HD_E_TOOL,
 *  HD_E_UNSUPPORTED: before the first input an assertion of the changed switch, or of the original,
 *  has failed. HD_E_INVARIANT: an assertion of the original has failed later. HD_E_INPUT: the
 *  switches have other pins. HD_E_NOMEM. */
typedef int hd_stress_run_fn(const struct hd_stress_job *job, struct hd_stress_found *found,
                             struct hd_error *err);

#ifndef __cplusplus
#include "../backend.h"

/** An open bench for switches of one parameter set. */
struct hd_stress {
  void *handle; /* of dlopen */
  hd_stress_run_fn *run;
};

/** Builds the bench, unless the cache has it, and loads it. `options` are those of hd_backend_open.
 *  `foreign`: its jobs have a router. HD_E_TOOL, HD_E_IO, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_stress_open(struct hd_stress *stress, const struct hd_switch_params *params, bool foreign,
                   const struct hd_backend_options *options, struct hd_error *err);
void hd_stress_close(struct hd_stress *stress);

/** Returns the operations on pins of an open Verilator backend. NULL: it is another backend. */
const struct hd_pinned_ops *hd_stress_pinned(const struct hd_backend *backend);

const char *hd_stress_difference_name(enum hd_stress_difference difference);
#endif

#endif
