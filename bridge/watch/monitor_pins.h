/* The monitor of monitor.h for languages that pass numbers and vectors: SystemVerilog by DPI-C, Python by ctypes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * hd_monitor.sv and hd_monitor.py in this directory call these functions. Types are those of DPI-C:
 * int, string, chandle, and bit [n:0] as words of 32 bits, lowest first. After a mistake, calls do
 * nothing, and hd_pins_says returns the sentence about it.
 */
#ifndef HD_MONITOR_PINS_H
#define HD_MONITOR_PINS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a monitor with the members of struct hd_monitor_params. links and order are names; ""
 *  is the default. kept: bit [1023:0]. NULL only if memory is lacking. */
void *hd_pins_open(int ports, int vcs, int data_bits, int nodes, const char *links, int depth_flits,
                   int off_cycles, const char *order, int held_cycles, int starved_heads,
                   int unlinked, int no_first, int may_withdraw, int four_state,
                   const uint32_t *kept);
void hd_pins_close(void *pins);  /* NULL is allowed */
int hd_pins_refused(void *pins); /* 1: a mistake, also in the parameters; hd_pins_says names it */

/** Calls hd_monitor_route. 1 if it refuses, otherwise 0. */
int hd_pins_route(void *pins, int in_port, int node, int ports, int channels);

/** A port shows a valid flit in this cycle; out: 0 at an input, 1 at an output; data: bit [1023:0]. */
void hd_pins_flit(void *pins, int out, int port, int vc, int first, int last, int node,
                  const uint32_t *data);

/** Calls hd_monitor_unknown. */
void hd_pins_unknown(void *pins, int out, int back, int port);

/** Ends the cycle. in_back, out_back: bit [127:0], bit port · vcs + channel, as `back` in
 *  monitor.h. Returns 0; 1 if a rule broke now; −1 after a mistake. */
int hd_pins_cycle(void *pins, const uint32_t *in_back, const uint32_t *out_back);
void hd_pins_reset(void *pins);
int hd_pins_end(void *pins); /* returns as hd_monitor_end does; −1 after a mistake */

/** Like hd_monitor_rule and hd_monitor_says. After a mistake: "" and a sentence about it. */
const char *hd_pins_rule(void *pins);
const char *hd_pins_says(void *pins);

#ifdef __cplusplus
}
#endif

#endif
