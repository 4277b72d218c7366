/* The ports of hd_switch (specification §2.11, §8.9, §10.8), and whether somebody's RTL has them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_PORTS_H
#define HD_SWITCH_PORTS_H

#include "../../../cmodel/switch/params.h"

struct hd_switch_port {
  bool in;
  const char *name;
  uint32_t bits;
  bool optional; /* RTL without barrier messages, or without counts, need not have it */
};
enum { HD_SWITCH_PORTS = 22 };
void hd_switch_ports(const struct hd_switch_params *params,
                     struct hd_switch_port ports[HD_SWITCH_PORTS]);

/** A tool's own list of the ports of the RTL in `rtl_dir`, held against them: begin, see each port, end.
 *  HD_E_INPUT names the first one that is missing, of another width, or an input that nobody drives; further
 *  outputs are welcome. */
struct hd_ports_seen {
  struct hd_switch_port ports[HD_SWITCH_PORTS];
  bool there[HD_SWITCH_PORTS];
  const char *rtl_dir; /* borrowed */
};
void hd_ports_begin(struct hd_ports_seen *seen, const struct hd_switch_params *params,
                    const char *rtl_dir);
int hd_ports_see(struct hd_ports_seen *seen, const char *name, bool in, bool inout, uint32_t bits,
                 struct hd_error *err);
int hd_ports_end(const struct hd_ports_seen *seen, struct hd_error *err);

/** Holds a header that Verilator made of the RTL in `rtl_dir` against them in
 *  that way. */
int hd_switch_ports_verilated(const struct hd_switch_params *params, const char *header,
                              const char *rtl_dir, struct hd_error *err);

/** Checks the ports by what iverilog -Wportbind printed of the module that has hd_switch in it, in file
 *  `wrapper`. */
int hd_switch_ports_warned(const struct hd_switch_params *params, const char *log,
                           const char *wrapper, const char *rtl_dir, struct hd_error *err);

#endif
