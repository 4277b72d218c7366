/* Ports of hd_switch (specification §2.11, §8.9, §10.8), and checks that the user's RTL has them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_PORTS_H
#define HD_SWITCH_PORTS_H

#include "../../../cmodel/switch/params.h"

struct hd_switch_port {
  bool in;
  const char *name;
  uint32_t bits;
  bool optional; /* RTL may lack it: the switch has no barrier messages, or no counts */
};
enum { HD_SWITCH_PORTS = 22 };
void hd_switch_ports(const struct hd_switch_params *params,
                     struct hd_switch_port ports[HD_SWITCH_PORTS]);

/** Checks a tool's list of the ports of the RTL in `rtl_dir`: call hd_ports_begin, hd_ports_check for
 *  each port, then hd_ports_end. HD_E_INPUT names the first port that is missing or has another
 *  width or direction, or an unknown input, which nothing would drive. Further outputs are
 *  allowed. */
struct hd_ports_seen {
  struct hd_switch_port ports[HD_SWITCH_PORTS];
  bool there[HD_SWITCH_PORTS];
  const char *rtl_dir; /* borrowed */
};
void hd_ports_begin(struct hd_ports_seen *seen, const struct hd_switch_params *params,
                    const char *rtl_dir);
int hd_ports_check(struct hd_ports_seen *seen, const char *name, bool in, bool inout, uint32_t bits,
                   struct hd_error *err);
int hd_ports_end(const struct hd_ports_seen *seen, struct hd_error *err);

/** Checks the ports in the C++ header that Verilator has written for the RTL in `rtl_dir`.
 *  HD_E_INPUT, as above. */
int hd_switch_ports_verilated(const struct hd_switch_params *params, const char *header,
                              const char *rtl_dir, struct hd_error *err);

/** Checks the ports by the warnings of iverilog -Wportbind about file `wrapper`, which instantiates
 *  hd_switch. HD_E_INPUT, as above. */
int hd_switch_ports_warned(const struct hd_switch_params *params, const char *log,
                           const char *wrapper, const char *rtl_dir, struct hd_error *err);

#endif
