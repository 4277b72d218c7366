/* Inside the VPI module: one switch in a process of vvp.
 * SPDX-License-Identifier: Apache-2.0
 *
 * icarus_vpi.c   the process: commands, the clock, forking
 * icarus_pins.c  a window of port events at the switch's pins
 * icarus_state.c its registers: snapshots, X and Z in them
 */
#ifndef HD_ICARUS_H
#define HD_ICARUS_H

#include "../../job_cursor.h"
#include "../../post_reset_events.h"
#include "../remote/remote.h"

#include <vpi_user.h>

/* The wrapper (icarus_build.c writes it) and the switch in it. */
#define HD_ICARUS_TOP "hd_icarus"
#define HD_ICARUS_HALF "hd_half_cycle" /* as bridge/waves/fst.h reads it */
#define HD_ICARUS_SWITCH HD_ICARUS_TOP ".hd_switch"

typedef struct t_vpi_vecval vecval; /* 32 bits: 0 is aval 0 bval 0, 1 is 1 0, z is 0 1, x is 1 1 */

/** Pins by what they are; the outputs are those that are read in every cycle, in the order in which
 *  an X at them is told. */
enum icarus_pin {
  PIN_CLK,
  PIN_RST,
  PIN_IN_VALID,
  PIN_IN_KIND,
  PIN_IN_VC,
  PIN_IN_DATA,
  PIN_OUT_CREDIT,
  PIN_OUT_BARRIER_CREDIT,
  PIN_OUT_COUNT,
  PIN_CFG_WRITE,
  PIN_CFG_READ,
  PIN_CFG_ADDR,
  PIN_CFG_WDATA,
  PIN_OUT_VALID,
  PIN_IN_CREDIT,
  PIN_IN_BARRIER_CREDIT,
  PIN_IN_COUNT,
  PIN_QUIESCENT,
  PIN_OUT_KIND,
  PIN_OUT_VC,
  PIN_OUT_DATA,
  PIN_CFG_RDATA,
  N_PINS,
  FIRST_OUTPUT = PIN_OUT_VALID
};

enum { PIN_WORDS = 32 }; /* of 32 bits: 16 ports of 64 */

struct icarus_pins {
  vpiHandle handles[N_PINS]; /* NULL: the switch has none of these */
  uint32_t bits[N_PINS];
  vecval now[N_PINS][PIN_WORDS];
};

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

/** The process. */
struct icarus {
  struct hd_remote_head *head;
  struct hd_remote_slot *slot;
  uint32_t number; /* of the slot */
  struct icarus_pins pins;
  struct icarus_state state;
  struct hd_dut_unknown after_reset; /* the first one, told with the next window */
  struct hd_dut_assertion assertion; /* failed in the last clock; its cycle says nothing */
  bool clocked;                      /* the clock has had an edge */
  bool quiescent, configured;
  bool known_pins; /* 0 where others get X */
  bool held_known; /* X and Z become 0 in every cycle */
  bool tracing, trace_due;
  uint64_t next_cycle;
  uint64_t half_cycle; /* ticks of vvp's time */
  struct hd_post_reset_events early;
};

static inline uint32_t icarus_vc_bits(const struct hd_switch_params *p)
{
  return p->vcs <= 2 ? 1 : p->vcs <= 4 ? 2 : 3;
}

/** icarus_vpi.c: gives one clock to the switch; returns behind its rising edge. */
void icarus_clock(struct icarus *ic);

/* icarus_pins.c */
int icarus_pins_find(struct icarus_pins *pins, const struct hd_switch_params *p, char *text,
                     size_t size);
void icarus_pins_idle(struct icarus *ic);
void icarus_pins_reset(struct icarus *ic, bool rst);
/** Puts one bit or number at an input. */
void icarus_pin_put(struct icarus *ic, enum icarus_pin pin, uint32_t value);
/** Reads the outputs; tells of the first X or Z in *unknown when none is there yet. */
void icarus_pins_read(struct icarus *ic, uint32_t cycle, bool idle_pins,
                      struct hd_dut_unknown *unknown);
/** Keeps what is at the outputs where no window is, and nothing may be. */
void icarus_pins_keep_early(struct icarus *ic);
/** Replays the slot's window. HD_E_INPUT with text. */
int icarus_run_window(struct icarus *ic, struct hd_dut_job *job, char *text, size_t size);

/* icarus_state.c */
int icarus_state_find(struct icarus_state *s, const struct hd_switch_params *p);
void icarus_state_save(const struct icarus_state *s, unsigned char *bytes);
/** The simulator has to settle behind it. */
void icarus_state_restore(const struct icarus_state *s, const unsigned char *bytes);
/** Gives every bit that is X or Z a value: 0, or with a seed a random one. */
void icarus_state_make_known(const struct icarus_state *s, uint64_t seed);
/** Holds nets that nobody drives, or that have X, until icarus_state_release_nets. */
void icarus_state_hold_nets(struct icarus_state *s);
void icarus_state_release_nets(struct icarus_state *s);
/** Tells of a name that reset left unknown. */
void icarus_state_check_names(const struct icarus_state *s, struct hd_dut_unknown *unknown);
/** Names some registers that hold X or Z, of those that are called `scope`…, into
 *  unknown->registers. */
void icarus_state_blame(const struct icarus_state *s, const char *scope,
                        struct hd_dut_unknown *unknown);

#endif
