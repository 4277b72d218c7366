/* A switch in a simulator's process, driven by VPI (remote.h): code that Icarus and GHDL share.
 * SPDX-License-Identifier: Apache-2.0
 *
 * sim_process.c  switches between simulator and server
 * sim_serve.c    answers commands
 * sim_pins.c     plays a window of port events at the switch's pins
 * A simulator's own room adds struct sim_ops: values, clock, snapshots, waves.
 */
#ifndef HD_SIM_H
#define HD_SIM_H

#include "../../job_cursor.h"
#include "../../post_reset_events.h"
#include "../remote/remote_server.h"

#include <vpi_user.h>

typedef struct t_vpi_vecval vecval; /* 32 bits: 0 is aval 0 bval 0, 1 is 1 0, z is 0 1, x is 1 1 */

/** Pins of the switch. Outputs are read in every cycle. Their order is that in which an X is
 *  reported. */
enum sim_pin {
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

enum { PIN_WORDS = 2 * HD_MAX_ENDPOINTS }; /* words of 32 bits, for ports of 64 */

struct sim_pins {
  vpiHandle handles[N_PINS]; /* NULL: the switch has no such pin */
  uint32_t bits[N_PINS];
  vecval now[N_PINS][PIN_WORDS];
};

struct sim;

/** Operations that differ between Icarus and GHDL. */
struct sim_ops {
  const char *top; /* scope of the pins */
  void (*get)(vpiHandle handle, uint32_t bits, vecval *value);
  void (*put)(vpiHandle handle, uint32_t bits, const vecval *value);
  /** Gives one clock to the switch. Returns after its rising edge: the outputs are those of the
   *  next cycle. */
  void (*clock)(struct sim *sim);
  /** Called before the first reset. NULL: nothing to do. */
  void (*power_up)(struct sim *sim);
  /** Called after each reset. Writes a state that is still unknown to *unknown. NULL: nothing to
   *  do. */
  void (*check_reset)(struct hd_dut_unknown *unknown);
  /** Writes to unknown->registers the names of some registers that hold X or Z and whose names
   *  begin with `scope`. May be NULL. */
  void (*name_unknown)(const char *scope, struct hd_dut_unknown *unknown);
  /** Calls sim_read_register, and leaves the switch's state unchanged. */
  int (*read)(struct sim *sim);
  int (*save)(struct sim *sim);
  int (*restore)(struct sim *sim);
  int (*two_state)(struct sim *sim);
  /** Begins waves at the start of a window, whose first cycle is `cycle`. */
  int (*begin_waves)(struct sim *sim, uint64_t cycle);
  /** Closes the waves and ends the simulator. */
  void (*end)(struct sim *sim);
};

/** State of a process that simulates a switch. */
struct sim {
  const struct sim_ops *ops;
  struct hd_remote_server *remote;
  struct hd_remote_head *head;
  struct hd_remote_slot *slot;
  uint32_t number; /* number of the slot */
  struct sim_pins pins;
  struct hd_dut_unknown after_reset; /* first X or Z after reset, reported with the next window */
  struct hd_dut_assertion assertion; /* one that failed in the last clock; `cycle` is not set */
  bool clocked;                      /* the clock has had an edge */
  bool quiescent, configured; /* quiescent_o; the next window needs an idle cycle before it */
  bool known_pins;            /* inputs that mean nothing are 0, not X */
  bool tracing, trace_due;    /* waves are written; they begin with the next window */
  uint64_t next_cycle;
  uint64_t half_cycle; /* ticks of the simulator's time */
  struct hd_post_reset_events early;
};

static inline uint32_t sim_vc_bits(const struct hd_switch_params *p)
{
  return p->vcs <= 2 ? 1 : p->vcs <= 4 ? 2 : 3;
}

/* sim_process.c */

/** Makes the simulator call `serve` after `delay` ticks, on a stack of its own. */
void sim_begin(void (*serve)(void), uint64_t delay);
/** Lets the simulator run for `delay` ticks, and returns after all values have settled. */
void sim_settle(uint64_t delay);
/** Lets the simulator run until delayed assignments of the RTL have taken effect, for far less than
 *  half a cycle. */
void sim_settle_delays(const struct sim *sim);
/** Call this when the simulator ends while the server waits in sim_settle. Then sim_settle returns,
 *  now and from then on at once, without any change of time, and the server can still answer. */
void sim_outlive(void);
/** Tests whether sim_outlive was called. */
bool sim_is_over(void);
/** Ends the simulator and this process. */
void sim_finish(void);

/* sim_serve.c */

/** Called in the first process. Reports `status` to heddle and forks a process for each switch.
 *  Returns in each switch's process. */
void sim_fork(struct sim *sim, int status, size_t state_bytes);
/** Answers commands until HD_REMOTE_END. */
void sim_serve(struct sim *sim);
/** Reads register slot->addr. This takes a cycle. */
void sim_read_register(struct sim *sim);

/* sim_pins.c */
/** Finds the pins. HD_E_INPUT: one is missing or has another width; the reason is in text[size]. */
int sim_pins_find(struct sim *sim, char *text, size_t size);
void sim_pins_idle(struct sim *sim);
void sim_pins_reset(struct sim *sim, bool rst);
/** Sets an input to a number. */
void sim_pin_put(struct sim *sim, enum sim_pin pin, uint32_t value);
/** Reads the outputs. Writes the first X or Z to *unknown, if it has none yet. */
void sim_pins_read(struct sim *sim, uint32_t cycle, bool idle_pins, struct hd_dut_unknown *unknown);
/** Keeps events at the outputs outside of windows, where there must be none, for the next
 *  window. */
void sim_pins_keep_early(struct sim *sim);
/** Plays the slot's window. HD_E_INPUT, with the reason in text[size]. */
int sim_run_window(struct sim *sim, struct hd_dut_job *job, char *text, size_t size);

#endif
