/* VPI module that GHDL loads: one VHDL switch in each process.
 * SPDX-License-Identifier: Apache-2.0
 *
 * ghdl_vpi.c    values, clock, ports
 * ghdl_print.c  output of the design: failed assertions, run-time errors
 * ghdl_keep.c   snapshots: stopped copies of the process
 * ghdl_waves.c  waves of all signals that VPI shows
 *
 * GHDL 2.0 implements a part of VPI. Values are strings of bits, variables of processes are not
 * visible, and a signal inside the design cannot be forced. So the state of a switch cannot be read
 * or written: a snapshot is a fork of its process.
 */
#ifndef HD_GHDL_H
#define HD_GHDL_H

#include "../vpi/sim.h"

/* ghdl_print.c */

/** Redirects this process's output to memory, where it stays until ghdl_print_read. False: it
 *  failed. */
bool ghdl_print_open(void);
enum ghdl_severity { GHDL_ERROR, GHDL_FAILURE };
/** Moves the output to the log. True: it has a failed assertion of severity `least` or more, or a
 *  run-time error of GHDL. `where` then gets the first one. */
bool ghdl_print_read(enum ghdl_severity least, char *where, size_t size);

/* ghdl_keep.c */

/** Allocates shared memory for the snapshots of all slots. Called in the first process.
 *  HD_E_NOMEM. */
int ghdl_keep_begin(uint32_t slots);
enum { GHDL_KEPT = 4, GHDL_STATE_BYTES = 16 }; /* snapshots of a slot that can be restored */
/** Operations `save` and `restore` of struct sim_ops. */
int ghdl_save(struct sim *sim);
int ghdl_restore(struct sim *sim);
/** Calls `work` in a fork of this process, which then ends. So the state here does not change.
 *  HD_E_TOOL. */
int ghdl_try(struct sim *sim, void (*work)(struct sim *sim));

/* ghdl_waves.c */

/** Begins a file of waves, whose first cycle is `cycle`. HD_E_IO. */
int ghdl_waves_begin(const char *path, vpiHandle top, uint64_t cycle);
/** Adds the values of all signals while the clock is high, or low. Low ends the cycle. */
void ghdl_waves_add(bool high);
void ghdl_waves_end(void);
/** Makes a forked process stop writing its parent's waves. */
void ghdl_waves_forget(void);

#endif
