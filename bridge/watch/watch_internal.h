/* Inside the watch: what it knows of a switch. For bridge/watch/ alone.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WATCH_INTERNAL_H
#define HD_WATCH_INTERNAL_H

#include "port_watch.h"

/** Heads inside a switch that look alike as they leave, and all ways that the tables allow one of them. */
struct heads {
  uint64_t data;
  uint32_t inside;
  uint8_t kind;
  uint8_t channels[HD_MAX_PORTS]; /* of each output port */
};

/** Tables of a switch (§3.2, §10.2), and the heads inside it. */
struct routes {
  uint16_t
      *entries[3]; /* by destination, source, port sets: [ports][nodes]; NULL: there are none */
  uint8_t adapt;
  struct heads *heads; /* [n_heads], in no order */
  size_t n_heads, cap_heads;
  uint64_t unknown; /* heads inside of which it is not known which tables they go by */
};

struct watched {
  uint8_t *sent;               /* [ports·vcs], outputs: flits for which no credit came */
  uint8_t *taken;              /* inputs: slots for which no credit was given */
  uint8_t *open_in, *open_out; /* [ports]: channels with a packet under way */
  uint8_t *by_path;            /* outputs: channels whose packet is source-routed (§1.3) */
  struct routes routes;
  struct hd_port_counts counts;
};

struct hd_port_watch {
  const struct hd_topology *t;
  struct hd_switch_params params;
  uint32_t node_bits, port_bits;
  unsigned packet_channels; /* that packets may take (§7.7) */
  struct watched *switches; /* [n_switches] */
  uint8_t *ports;           /* the arrays of bytes of all */
};

/** Room for the tables that switches of these parameters have; false: out of memory. */
bool hd_routes_init(const struct hd_port_watch *watch, struct routes *routes);
void hd_routes_fini(struct routes *routes);
/** A write to the configuration port. */
void hd_routes_write(const struct hd_port_watch *watch, struct routes *routes,
                     const struct hd_config_event *write);
/** Heads inside have a table that was written meanwhile. */
void hd_routes_forget(struct routes *routes);
/** A head or single came in, and finds a channel without a packet. HD_E_NOMEM. */
int hd_routes_head_in(const struct hd_port_watch *watch, struct routes *routes,
                      const struct hd_flit_event *flit);
/** One left. The rule that it breaks, with the sentence in what[size]. */
enum hd_port_rule hd_routes_head_out(const struct hd_port_watch *watch, struct routes *routes,
                                     const struct hd_flit_event *flit, char *what, size_t size);

#endif
