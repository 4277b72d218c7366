/* A switch in a simulator's process, driven by VPI (remote.h): what simulators have in common.
 * SPDX-License-Identifier: Apache-2.0
 *
 * sim_process.c  goes back and forth between simulator and server
 * sim_serve.c    commands
 * sim_pins.c     a window of port events at the switch's pins
 * A simulator's own room adds struct sim_ops: values, the clock, snapshots, waves.
 */
#ifndef HD_SIM_H
#define HD_SIM_H

#include "../../job_cursor.h"
#include "../../post_reset_events.h"
#include "../remote/remote_server.h"

#include <vpi_user.h>

typedef struct t_vpi_vecval vecval; /* 32 bits: 0 is aval 0 bval 0, 1 is 1 0, z is 0 1, x is 1 1 */

/** The kinds of pins. Outputs are those that are read in every cycle, in the order in which an X is
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

enum { PIN_WORDS = 2 * HD_MAX_ENDPOINTS }; /* of 32 bits: ports of 64 */

struct sim_pins {
  vpiHandle handles[N_PINS]; /* NULL: the switch has none of these */
  uint32_t bits[N_PINS];
  vecval now[N_PINS][PIN_WORDS];
};

struct sim;

/** Operations that Icarus and GHDL do in different ways. */
struct sim_ops {
  const char *top; /* the scope in which the pins are */
  void (*get)(vpiHandle handle, uint32_t bits, vecval *value);
  void (*put)(vpiHandle handle, uint32_t bits, const vecval *value);
  /** Gives one clock to the switch; returns after its rising edge, when the outputs are those of the coming cycle. */
  void (*clock)(struct sim *sim);
  /** Before the first reset, and after each: what it left unknown. NULL: nothing to do. */
  void (*power_up)(struct sim *sim);
  void (*check_reset)(struct hd_dut_unknown *unknown);
  /** Names some registers that hold X or Z, of those that are called `scope`…, into unknown->registers. May be NULL. */
  void (*blame)(const char *scope, struct hd_dut_unknown *unknown);
  /** Calls sim_read_register, and leaves the switch as it was. */
  int (*read)(struct sim *sim);
  int (*save)(struct sim *sim);
  int (*restore)(struct sim *sim);
  int (*two_state)(struct sim *sim);
  /** Waves begin with a window: only there is it known which cycle this is. */
  int (*begin_waves)(struct sim *sim, uint64_t cycle);
  /** Ends the simulator as it ends by itself. */
  void (*end)(struct sim *sim);
};

/** The process. */
struct sim {
  const struct sim_ops *ops;
  struct hd_remote_server *remote;
  struct hd_remote_head *head;
  struct hd_remote_slot *slot;
  uint32_t number; /* of the slot */
  struct sim_pins pins;
  struct hd_dut_unknown after_reset; /* the first one, told with the next window */
  struct hd_dut_assertion assertion; /* failed in the last clock; its cycle says nothing */
  bool clocked;                      /* the clock has had an edge */
  bool quiescent, configured;
  bool known_pins; /* 0 where others get X */
  bool tracing, trace_due;
  uint64_t next_cycle;
  uint64_t half_cycle; /* ticks of the simulator's time */
  struct hd_post_reset_events early;
};

static inline uint32_t sim_vc_bits(const struct hd_switch_params *p)
{
  return p->vcs <= 2 ? 1 : p->vcs <= 4 ? 2 : 3;
}

/* sim_process.c */

/** Has the simulator call `serve`, on a stack of its own, in `delay` ticks. */
void sim_begin(void (*serve)(void), uint64_t delay);
/** Goes back to the simulator, and returns when everything has settled at the time `delay` from now. */
void sim_settle(uint64_t delay);
/** Waits until delayed assignments of the RTL have taken effect; far less than half a cycle. */
void sim_settle_delays(const struct sim *sim);
/** Called back at the simulator's end, while the server waits in sim_settle: that returns, now and at once from then
 *  on. Time stands still. */
void sim_outlive(void);
bool sim_is_over(void);
/** Ends the simulator, and this process with it. */
void sim_finish(void);

/* sim_serve.c */

/** The first process: finds the pins and forks for each switch. Returns in each switch's process. */
void sim_fork(struct sim *sim, int status, size_t state_bytes);
/** A switch's process: until HD_REMOTE_END. */
void sim_serve(struct sim *sim);
/** Reads the register that the slot asks for. */
void sim_read_register(struct sim *sim);

/* sim_pins.c */
int sim_pins_find(struct sim *sim, char *text, size_t size);
void sim_pins_idle(struct sim *sim);
void sim_pins_reset(struct sim *sim, bool rst);
/** Puts one bit or number at an input. */
void sim_pin_put(struct sim *sim, enum sim_pin pin, uint32_t value);
/** Reads the outputs; tells of the first X or Z in *unknown when none is there yet. */
void sim_pins_read(struct sim *sim, uint32_t cycle, bool idle_pins, struct hd_dut_unknown *unknown);
/** Keeps what outputs show outside of windows, where they must show nothing. */
void sim_pins_keep_early(struct sim *sim);
/** Replays the slot's window. HD_E_INPUT with text. */
int sim_run_window(struct sim *sim, struct hd_dut_job *job, char *text, size_t size);

#endif
