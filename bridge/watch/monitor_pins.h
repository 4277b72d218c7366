/* The monitor of monitor.h for languages that pass numbers and vectors: SystemVerilog by DPI-C, Python by ctypes.
 * SPDX-License-Identifier: Apache-2.0
 *
 * hd_monitor.sv and hd_monitor.py, beside this file, call these. Types are those of DPI-C: int, string, chandle, and
 * bit [n:0] as words of 32 bits, lowest first. A call that follows a mistake does nothing, and hd_pins_says has the sentence.
 */
#ifndef HD_MONITOR_PINS_H
#define HD_MONITOR_PINS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Members of struct hd_monitor_params; links and order by name, "" for what is usual; kept: bit [1023:0]. NULL only where memory is
 *  lacking. */
void *hd_pins_open(int ports, int vcs, int data_bits, int nodes, const char *links, int depth_flits,
                   int off_cycles, const char *order, int held_cycles, int starved_heads,
                   int unlinked, int no_first, int may_withdraw, int four_state,
                   const uint32_t *kept);
void hd_pins_close(void *pins);  /* NULL is taken */
int hd_pins_refused(void *pins); /* 1: hd_pins_says has a mistake */

/** hd_monitor_route; 0, or 1 where it is refused. */
int hd_pins_route(void *pins, int in_port, int node, int ports, int channels);

/** A port shows a valid flit in this cycle; out: 0 at an input, 1 at an output; data: bit [1023:0]. */
void hd_pins_flit(void *pins, int out, int port, int vc, int first, int last, int node,
                  const uint32_t *data);

/** hd_monitor_unknown. */
void hd_pins_unknown(void *pins, int out, int back, int port);

/** The cycle ends. in_back, out_back: bit [127:0], bit port · vcs + channel: what the wires against the flits say (monitor.h).
 *  0; 1: a rule is broken, and was not before; −1: the sentence says what is wrong. */
int hd_pins_cycle(void *pins, const uint32_t *in_back, const uint32_t *out_back);
void hd_pins_reset(void *pins);
int hd_pins_end(void *pins); /* as hd_monitor_end */

/** hd_monitor_rule, hd_monitor_says; after a mistake "" and what was wrong. */
const char *hd_pins_rule(void *pins);
const char *hd_pins_says(void *pins);

#ifdef __cplusplus
}
#endif

#endif
