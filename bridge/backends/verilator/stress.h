/* The original switch beside the changed one: both at the pins of one bench (tb/stress), compared in every cycle.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bench is Verilog, Verilated by itself: what leaves it and what leaves a switch are registers, so the three can be
 * evaluated in any order. It needs no model, so the original may be any switch with these pins. C and C++.
 */
#ifndef HD_STRESS_H
#define HD_STRESS_H

#include "../../../cmodel/port_event.h"
#include "../../../cmodel/switch/params.h"
#include "pinned.h"

#include <stdbool.h>

enum { HD_STRESS_NODES = 16, HD_STRESS_NODE = 1 << 12 /* there is one */ };

/** A router of any kind, for which nobody has a model (hd_stress.v with FOREIGN): its place in a fabric. */
struct hd_stress_router {
  struct hd_config_event *writes; /* [n_writes], owned: its routing tables */
  uint32_t n_writes;
  bool single; /* packets have one flit */
  /* Destinations of packets that come by a port, each HD_STRESS_NODE and its number; 0: none. */
  uint16_t nodes[HD_MAX_PORTS][HD_STRESS_NODES];
};

/** Traffic; the same numbers give the same traffic (hd_stress.v). */
struct hd_stress_traffic {
  uint64_t seed, cycles; /* at most so many */
  bool mixed;            /* it changes; otherwise everything is saturated all the time */
  bool writes, resets;   /* come in mid-traffic */
  bool illegal;          /* neighbours break rules */
};

/** Inputs of both switches in a cycle. */
struct hd_stress_inputs {
  bool reset, write, read;
  uint32_t address; /* of the write or read */
  uint16_t data;
  uint32_t n_flits, n_credits;
  struct hd_flit_event flits[HD_MAX_PORTS];
  struct hd_credit_event credits[HD_MAX_PORTS];
};

/** X(NAME, name): what can differ, in the order of hd_stress_compare.v. */
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

/** Result of the run. */
struct hd_stress_found {
  enum hd_stress_difference difference;
  uint64_t cycle;  /* of the first difference */
  uint64_t cycles; /* compared */
  uint64_t flits;  /* of the original, compared */
  unsigned port;
  char text[400]; /* what each of them shows; "" when they agree */
};

struct hd_stress_job {
  const struct hd_pinned_ops *original, *changed;
  const struct hd_stress_router *router; /* NULL: the switches are Heddle's */
  struct hd_stress_traffic traffic;
  /** Called in each cycle if it is not NULL. */
  void (*see)(void *context, const struct hd_stress_inputs *inputs);
  void *context;
};

/** 0, also where they differ. HD_E_TOOL, HD_E_UNSUPPORTED: an assertion of the changed switch, or of the original, before
 *  anything entered. HD_E_INVARIANT: an assertion of the original. HD_E_INPUT: other pins. HD_E_NOMEM. */
typedef int hd_stress_run_fn(const struct hd_stress_job *job, struct hd_stress_found *found,
                             struct hd_error *err);

#ifndef __cplusplus
#include "../backend.h"

/** A bench for switches of these parameters. */
struct hd_stress {
  void *handle; /* of dlopen */
  hd_stress_run_fn *run;
};

/** Builds the bench or finds it in the cache; options as for hd_backend_open. `foreign`: its jobs have a router.
 *  HD_E_TOOL, HD_E_IO, HD_E_NOMEM, HD_E_INTERRUPTED. */
int hd_stress_open(struct hd_stress *stress, const struct hd_switch_params *params, bool foreign,
                   const struct hd_backend_options *options, struct hd_error *err);
void hd_stress_close(struct hd_stress *stress);

/** The pins of a switch of --dut verilator; NULL: it is another backend. */
const struct hd_pinned_ops *hd_stress_pinned(const struct hd_backend *backend);

const char *hd_stress_difference_name(enum hd_stress_difference difference);
#endif

#endif
