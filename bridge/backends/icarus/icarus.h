/* Inside the VPI module that vvp loads: one switch in a process of vvp.
 * SPDX-License-Identifier: Apache-2.0
 *
 * icarus_vpi.c   values, the clock, assertions, waves
 * icarus_state.c the switch's registers: snapshots, X and Z in them
 */
#ifndef HD_ICARUS_H
#define HD_ICARUS_H

#include "../vpi/sim.h"

/* The wrapper (icarus_build.c writes it) and the switch in it. */
#define HD_ICARUS_TOP "hd_icarus"
#define HD_ICARUS_HALF "hd_half_cycle" /* as bridge/waves/fst.h reads it */
#define HD_ICARUS_SWITCH HD_ICARUS_TOP ".hd_switch"

struct icarus_register {
  vpiHandle handle;
  uint32_t bits;
  bool plain; /* neither of a memory nor an integer */
};

struct icarus_state {
  struct icarus_register *registers;
  size_t n, capacity, bytes;
  struct icarus_name {
    vpiHandle handle; /* NULL: not found */
    char name[40];    /* HD_STATE_NAME */
  } * names;          /* of §6.5 and §8.10 that reset must set */
  size_t n_names;
  struct icarus_net {
    vpiHandle handle;
    vecval *before; /* its value when it was given one */
  } * nets;
  size_t n_nets, cap_nets;
};

/* icarus_state.c */
int icarus_state_find(struct icarus_state *s, const struct hd_switch_params *p);
void icarus_state_save(const struct icarus_state *s, unsigned char *bytes);
/** The simulator has to settle behind it. */
void icarus_state_restore(const struct icarus_state *s, const unsigned char *bytes);
/** Gives every bit that is X or Z a value: 0, or with a seed a random one. */
void icarus_state_make_known(const struct icarus_state *s, uint64_t seed);
/** Holds the values of nets that have no driver, or that are X, until icarus_state_release_nets. */
void icarus_state_hold_nets(struct icarus_state *s);
void icarus_state_release_nets(struct icarus_state *s);
/** Reports the name of a state that reset left unknown. */
void icarus_state_check_names(const struct icarus_state *s, struct hd_dut_unknown *unknown);
/** Names some registers that hold X or Z, of those that are called `scope`…, into
 *  unknown->registers. */
void icarus_state_blame(const struct icarus_state *s, const char *scope,
                        struct hd_dut_unknown *unknown);

#endif
