/* VPI module that vvp loads: one switch in each process of vvp.
 * SPDX-License-Identifier: Apache-2.0
 *
 * icarus_vpi.c   values, clock, assertions, waves
 * icarus_state.c registers of the switch: snapshots, X and Z in them
 */
#ifndef HD_ICARUS_H
#define HD_ICARUS_H

#include "../vpi/sim.h"

/* Names of the wrapper, which icarus_build.c writes, and of the switch in it. */
#define HD_ICARUS_TOP "hd_icarus"
#define HD_ICARUS_HALF "hd_half_cycle" /* bridge/waves/fst.h reads a variable of this name */
#define HD_ICARUS_SWITCH HD_ICARUS_TOP ".hd_switch"

struct icarus_register {
  vpiHandle handle;
  uint32_t bits;
  bool plain; /* not part of a memory, and no integer */
};

struct icarus_state {
  struct icarus_register *registers;
  size_t n, capacity, bytes;
  struct icarus_name {
    vpiHandle handle; /* NULL: not found */
    char name[40];    /* HD_STATE_NAME */
  } * names;          /* states of §6.5 and §8.10 that reset must set */
  size_t n_names;
  struct icarus_net {
    vpiHandle handle;
    vecval *before; /* value before it was set to 0 */
  } * nets;
  size_t n_nets, cap_nets;
};

/* icarus_state.c */
int icarus_state_find(struct icarus_state *s, const struct hd_switch_params *p);
void icarus_state_save(const struct icarus_state *s, unsigned char *bytes);
/** Writes the registers. The caller must let the simulator settle afterwards. */
void icarus_state_restore(const struct icarus_state *s, const unsigned char *bytes);
/** Sets every register bit that is X or Z to 0, or with a seed to a random value. */
void icarus_state_make_known(const struct icarus_state *s, uint64_t seed);
/** Sets the X and Z bits of all nets to 0. A driven net changes again when its driver does.
 *  icarus_state_release_nets puts the values from before back. */
void icarus_state_hold_nets(struct icarus_state *s);
void icarus_state_release_nets(struct icarus_state *s);
/** Writes the name of a state that reset has left unknown, if there is one, to *unknown. */
void icarus_state_check_names(const struct icarus_state *s, struct hd_dut_unknown *unknown);
/** Writes to unknown->registers the names of some registers that hold X or Z and whose names begin
 *  with `scope`. */
void icarus_state_name_unknown(const struct icarus_state *s, const char *scope,
                               struct hd_dut_unknown *unknown);

#endif
