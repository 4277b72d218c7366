/* Flits as words, for waves and reports.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FLITNAME_H
#define HD_FLITNAME_H

#include "../cmodel/port_event.h"
#include "../cmodel/switch.h"

enum { HD_FLIT_NAME_SIZE = 64 };

/** Writes a flit (specification §1.2, §1.3) as words into buf, HD_FLIT_NAME_SIZE bytes, UTF-8:
 *      H→13 vc1 0x0034      head to node 13 (mode 0)
 *      H4→13 vc1 0x0435     from node 4 to node 13 (mode 1)
 *      H»2 vc1 0x000a       source-routed, by output port 2 of this switch (mode 2)
 *      H? vc1 0x0003        mode 3, unroutable
 *      S…                   a single, like a head
 *      B vc0 0x2a7f         body;  T … tail
 *      R5 vc0 0x0001        reserved kind 5
 *  What tells flits apart comes first: GTKWave cuts what does not fit into a cycle. */
void hd_flit_name(char *buf, const struct hd_flit_event *flit, const struct hd_switch_params *params);

#endif
