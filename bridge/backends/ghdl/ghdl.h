/* Inside the VPI module that GHDL loads: one VHDL switch in a process.
 * SPDX-License-Identifier: Apache-2.0
 *
 * ghdl_vpi.c    values, the clock, ports
 * ghdl_print.c  what the design prints: failed assertions, run-time errors
 * ghdl_keep.c   snapshots: processes that stand still
 * ghdl_waves.c  waves of all signals that VPI shows
 *
 * GHDL 2.0 has a part of VPI: values as strings of bits, signals but no variables of processes, and no way to give a
 * signal inside a value for a while. So the state of a switch is a process, and a copy of it is a fork.
 */
#ifndef HD_GHDL_H
#define HD_GHDL_H

#include "../vpi/sim.h"

/* ghdl_print.c */

/** Makes this process keep what it prints until ghdl_print_read. False: it cannot. */
bool ghdl_print_open(void);
enum ghdl_severity { GHDL_ERROR, GHDL_FAILURE };
/** Hands over what was printed to the log. True: there was an assertion of this severity or more, or a run-time error
 *  of GHDL; `where` has the first one. */
bool ghdl_print_read(enum ghdl_severity least, char *where, size_t size);

/* ghdl_keep.c */

/** Called in the first process: makes room for the snapshots of all slots. HD_E_NOMEM. */
int ghdl_keep_begin(uint32_t slots);
enum { GHDL_KEPT = 4, GHDL_STATE_BYTES = 16 }; /* snapshots of a slot that can be restored */
/** struct sim_ops. */
int ghdl_save(struct sim *sim);
int ghdl_restore(struct sim *sim);
/** Calls `work` in a copy of this process, which ends after that. HD_E_TOOL. */
int ghdl_try(struct sim *sim, void (*work)(struct sim *sim));

/* ghdl_waves.c */

/** Begins waves with this cycle. HD_E_IO. */
int ghdl_waves_begin(const char *path, vpiHandle top, uint64_t cycle);
/** Adds what the signals are while the clock is high, or low; the cycle goes on with the latter. */
void ghdl_waves_add(bool high);
void ghdl_waves_end(void);
/** Called in a copy of the process that writes waves: makes the copy leave the file alone. */
void ghdl_waves_forget(void);

#endif
