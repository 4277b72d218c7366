/* Rigs: switch parameters with a fabric around them, and what is tried on a DUT in them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_RIG_H
#define HD_FAULTS_RIG_H

#include "../../bridge/backends/backend.h"
#include "../../bridge/lockstep/lockstep.h"

struct rig {
  const char *name, *about;
  struct hd_switch_params sw;
  uint32_t link_cycles;
  uint32_t mesh[2]; /* its sides; 0: `topology` builds the fabric, or there is none */
  int (*topology)(struct hd_topology *topology, struct hd_error *err);
  enum hd_routing_kind routing;
  uint32_t longest_flits;       /* of the fabric's packets */
  uint32_t barrier_idle_cycles; /* IDLE of the fabric's switches (§8.6) */
};

/** Reads the list, tests/faults/rigs.txt, once in a process. HD_E_IO, HD_E_INPUT. */
int rigs_read(const char *path, struct hd_error *err);
const struct rig *rig_find(const char *name);
const struct rig *rig_at(unsigned index); /* NULL past the last */

/** The first difference of model and DUT; HD_DIFF_NONE: there was none. */
struct place {
  enum hd_difference difference;
  const char *name; /* hd_divergence_name, where it is known */
  uint64_t cycle;
  uint32_t sw;
};

/** Findings of a stimulus in both modes. */
struct finding {
  const char *stimulus; /* the one that found it; NULL: none did */
  struct place decoupled, closed;
  uint64_t compared; /* events and registers, decoupled */
};

/** Tries the rig's stimuli in turn on a DUT of its parameters until one finds a difference.
 *  0, or what went wrong (a difference is no error). */
int rig_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options, uint64_t seed,
            struct finding *finding, struct hd_error *err);

/* ── the stimuli; each fills decoupled, closed and compared ────────────────── */

/** The whole fabric under changing traffic, in lockstep (fabric.c); where its switches take barrier
 *  messages, with several groups that meet meanwhile (groups.c). */
int fabric_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
               uint64_t seed, struct finding *finding, struct hd_error *err);

/** One switch between random neighbours, reset again and again while flits are under way. Not
 *  legal: also what §2.8 names, and configuration writes; in short parts for the error register and
 *  for the edges of the tables; with barrier hardware, the same few groups again and again
 *  (stream.c). */
enum stream_kind {
  STREAM_LEGAL,
  STREAM_ILLEGAL,
  STREAM_ERRORS,
  STREAM_CLEARS,
  STREAM_EDGES,
  STREAM_NARROW,
  STREAM_WIDE,
  STREAM_CODER,
  STREAM_SINKS,
  STREAM_TREES,
};
int stream_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
               uint64_t seed, enum stream_kind kind, struct finding *finding, struct hd_error *err);

/** Compares reads of the configuration port, at mapped addresses and others (stream.c). */
int registers_try(const struct rig *rig, const struct hd_dut_ops *dut, const char *options,
                  struct finding *finding, struct hd_error *err);

#endif
