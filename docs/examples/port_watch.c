/* The rules at ports in a bench of your own: one switch of two ports, whose table says port 1 and which sends by port 0.
 * SPDX-License-Identifier: Apache-2.0
 *
 *   gcc -std=c11 docs/examples/port_watch.c build/opt/libhd_watch.a -o port_watch && ./port_watch
 *
 * A bench of your own gives the events that it sees at the pins, cycle by cycle or a window at a time.
 */
#include "../../bridge/watch/port_watch.h"
#include "../../cmodel/switch/registers.h"

#include <inttypes.h>
#include <stdio.h>

enum { PORTS = 2, VCS = 1, DEPTH = 4, NODES = 2, TO_NODE_1 = 1 << 2 };

int main(void)
{
  /* Both ports lead to nodes. */
  static const struct hd_peer links[PORTS] = {{.kind = HD_PEER_NODE, .index = 0},
                                              {.kind = HD_PEER_NODE, .index = 1}};
  const struct hd_port_watch_params params = {
      .sw = {.ports = PORTS, .vcs = VCS, .data_bits = 16, .depth_flits = DEPTH, .nodes = NODES},
      .n_switches = 1,
      .peers = links,
      .senders = links};
  /* A packet of one flit comes in by port 0 in cycle 0, and is seen at output port 0 in cycle 3. */
  const struct hd_flit_event in = {.data = TO_NODE_1, .port = 0, .kind = HD_KIND_SINGLE};
  const struct hd_flit_event out = {
      .data = TO_NODE_1, .cycle = 3, .port = 0, .kind = HD_KIND_SINGLE};
  const struct hd_port_events window = {
      .cycles = 4, .flits_in = &in, .flits_out = &out, .n_flits_in = 1, .n_flits_out = 1};
  struct hd_port_watch *watch;
  struct hd_port_break broken;
  struct hd_error err;
  int status = hd_port_watch_create(&watch, &params, &err);
  if (status) {
    fprintf(stderr, "%s\n", err.text);
    return 1;
  }
  hd_port_watch_config(watch, 0, HD_CFG_DESTINATION(0, 1), hd_table_entry(1, 1u << 0));
  status = hd_port_watch_switch(watch, 0, &window, &broken);
  if (!status && broken.rule != HD_PORT_NONE)
    printf("%s %s in cycle %" PRIu64 " at switch %" PRIu32 ", port %u: %s\n",
           hd_port_rule_number(broken.rule), hd_port_rule_name(broken.rule), broken.cycle,
           broken.sw, broken.port, broken.what);
  hd_port_watch_destroy(watch);
  return status ? 1 : 0;
}
