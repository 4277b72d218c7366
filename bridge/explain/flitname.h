/* Flits as words, for waves and reports.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FLITNAME_H
#define HD_FLITNAME_H

#include "../../cmodel/port_event.h"
#include "../../cmodel/switch/params.h"

enum { HD_FLIT_NAME_SIZE = 64 };

/** Writes a flit (specification §1.2, §1.3) as words into buf, HD_FLIT_NAME_SIZE bytes:
 *      H13 vc1 0x0034       head to node 13 (mode 0)
 *      H13<4 vc1 0x0435     to node 13, from node 4 (mode 1)
 *      Hp2 vc1 0x000a       source-routed, by output port 2 of this switch (mode 2)
 *      H? vc1 0x0003        mode 3, unroutable
 *      S…                   a single, like a head
 *      B 2a7f vc0           body;  T … tail; what they carry in hexadecimal
 *      R5 vc0 0x0001        reserved kind 5
 *  and where the switch has barrier messages (§7.2, §8.1)
 *      null vc0, request vc1, end vc1
 *      M initial1 g3 vc0 0x0036   first of two: type, tag, group
 *      M.bsr4 vc0 0x0040          last of two: who reports; M.local0 to or from a node
 *      M reduce0 g3 to7 bsr4 vc0  a whole message
 *  ASCII, and what tells flits apart first: GTKWave cuts bytes that do not fit into a cycle. */
void hd_flit_name(char *buf, const struct hd_flit_event *flit,
                  const struct hd_switch_params *params);

#endif
