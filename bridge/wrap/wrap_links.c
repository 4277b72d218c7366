/* Adds outputs to the wrapper that show the links inside of a network, so that the rules can check them (specification 6.8).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "wrap_verilog.h"

#include <inttypes.h>
#include <string.h>

static const char *const k_names[] = {"valid", "ready", "tail", "data"};

uint32_t hd_wrap_count_links(const struct hd_wrap *w)
{
  struct hd_topology t;
  uint32_t n = 0;
  if (!w->links[0] || hd_wrap_inside(w, &t, NULL))
    return 0;
  for (uint32_t i = 0; i < t.n_switches * t.ports; i++)
    n += t.peers[i].kind != HD_PEER_NONE;
  n += t.n_nodes;
  hd_topology_fini(&t);
  return n;
}

/* Appends the number of a switch, or what the network calls a port. */
static void add_place(const struct hd_wrap *w, struct hd_peer peer, bool is_port, struct hd_text *t)
{
  if (is_port && w->link_ports.n)
    hd_text_add(t, "%s", w->link_ports.items[peer.port].value);
  else
    hd_text_add(t, "%u", is_port ? peer.port : peer.index);
}

/* Appends a path, with numbers and names filled in. */
static void add_path(const struct hd_wrap *w, const char *path, struct hd_peer from,
                     struct hd_peer to, struct hd_text *t)
{
  static const char *const places[] = {"{from}", "{from_port}", "{to}", "{to_port}"};
  hd_text_add(t, "u_router.");
  for (const char *c = path; *c; c++) {
    size_t i = 0;
    while (i < 4 && strncmp(c, places[i], strlen(places[i])))
      i++;
    if (i == 4) {
      hd_text_add(t, "%c", *c);
    } else {
      add_place(w, i < 2 ? from : to, i % 2, t);
      c += strlen(places[i]) - 1;
    }
  }
}

bool hd_wrap_links_have_dest(const struct hd_wrap *w)
{
  return w->links[0] && (w->links[HD_WRAP_LINK_DEST] || w->links[HD_WRAP_LINK_ROW]);
}

/* Appends the destination in the fields of link `n`, plus 1. At an endpoint's link it is not
 * checked: the wrapper set the fields, or the endpoint reads them. */
static void add_dest(const struct hd_wrap *w, uint32_t n, struct hd_peer from, struct hd_peer to,
                     struct hd_text *t)
{
  hd_text_add(t, "  assign link_dest[%" PRIu32 "*16+:16] = ", n);
  if (from.kind == HD_PEER_NODE || to.kind == HD_PEER_NODE) {
    hd_text_add(t, "16'd0;\n");
    return;
  }
  if (w->links[HD_WRAP_LINK_DEST]) {
    add_path(w, w->links[HD_WRAP_LINK_DEST], from, to, t);
  } else {
    add_path(w, w->links[HD_WRAP_LINK_ROW], from, to, t);
    hd_text_add(t, " * COLUMNS + ");
    add_path(w, w->links[HD_WRAP_LINK_COLUMN], from, to, t);
  }
  hd_text_add(t, " + 16'd1;\n");
}

/* Appends valid or ready of an endpoint's port, or tail or data of its flit. Where a pin belongs
 * to the endpoint's only channel, the names of leaving flits are in that channel's block. */
static void add_endpoint(const struct hd_wrap *w, unsigned i, bool leaves, uint32_t node,
                         struct hd_text *t)
{
  static const char *const words[][2] = {
      [HD_WRAP_LINK_TAIL] = {"i_kind[0]", "o_tail"}, [HD_WRAP_LINK_DATA] = {"i_data", "o_own"}};
  if (i != HD_WRAP_LINK_TAIL && i != HD_WRAP_LINK_DATA)
    hd_text_add(t, "%s_%s[%" PRIu32 "]", hd_wrap_vector(leaves), k_names[i], node);
  else
    hd_text_add(t, "port[%" PRIu32 "].used.%s%s", node,
                leaves && hd_wrap_has_lanes(w, HD_WRAP_OUT) ? "lane[0]." : "", words[i][leaves]);
}

/* Appends signal `i` of link `n`. */
static void add_signal(const struct hd_wrap *w, unsigned i, uint32_t n, struct hd_peer from,
                       struct hd_peer to, struct hd_text *t)
{
  const bool enters = from.kind == HD_PEER_NODE, leaves = to.kind == HD_PEER_NODE;
  hd_text_add(t, "  assign link_%s[%" PRIu32 "%s] = ", k_names[i], n,
              i == HD_WRAP_LINK_DATA ? "*DATA_W+:DATA_W" : "");
  if (enters || leaves)
    add_endpoint(w, i, leaves, enters ? from.index : to.index, t);
  else
    add_path(w, w->links[i], from, to, t);
  hd_text_add(t, ";\n");
}

/* Endpoints have one channel. */
static void add_channel(const struct hd_wrap *w, uint32_t n, struct hd_peer from, struct hd_peer to,
                        struct hd_text *t)
{
  hd_text_add(t, "  assign link_vc[%" PRIu32 "*3+:3] = ", n);
  if (from.kind == HD_PEER_NODE || to.kind == HD_PEER_NODE)
    hd_text_add(t, "3'd0");
  else
    add_path(w, w->links[HD_WRAP_LINK_VC], from, to, t);
  hd_text_add(t, ";\n");
}

static void add_link(const struct hd_wrap *w, uint32_t n, struct hd_peer from, struct hd_peer to,
                     struct hd_text *t)
{
  for (unsigned i = 0; i < HD_WRAP_LINK_SIGNALS; i++)
    add_signal(w, i, n, from, to, t);
  if (hd_wrap_links_have_dest(w))
    add_dest(w, n, from, to, t);
  if (w->link_channels > 1)
    add_channel(w, n, from, to, t);
}

void hd_wrap_add_links(const struct hd_wrap *w, struct hd_text *t)
{
  struct hd_topology inside;
  uint32_t n = 0;
  if (!w->links[0] || hd_wrap_inside(w, &inside, NULL))
    return;
  hd_text_add(
      t,
      "\n  // Links inside, for the rules there (section 6.8): those by which switch 0 sends, "
      "port by port, and so on; then\n  // those by which the endpoints do.\n"
      "  wire [LINKS-1:0] link_valid, link_ready, link_tail;\n"
      "  wire [LINKS*DATA_W-1:0] link_data;\n%s%s",
      hd_wrap_links_have_dest(w)
          ? "  wire [LINKS*16-1:0] link_dest;  // 1 more than it; 0: not shown\n"
          : "",
      w->link_channels > 1 ? "  wire [LINKS*3-1:0] link_vc;\n" : "");
  for (uint32_t i = 0; i < inside.n_switches * inside.ports; i++)
    if (inside.peers[i].kind != HD_PEER_NONE)
      add_link(w, n++,
               (struct hd_peer){HD_PEER_SWITCH, (uint8_t)(i % inside.ports),
                                (uint16_t)(i / inside.ports)},
               inside.peers[i], t);
  for (uint32_t node = 0; node < inside.n_nodes; node++)
    add_link(w, n++, (struct hd_peer){HD_PEER_NODE, 0, (uint16_t)node}, inside.node_peers[node], t);
  hd_text_add(
      t,
      "  always @(posedge clk) begin\n    link_valid_o <= go ? link_valid : {LINKS{1'b0}};\n"
      "    link_ready_o <= link_ready;\n    link_tail_o <= link_tail;\n"
      "    link_data_o <= link_data;\n%s%s  end\n",
      hd_wrap_links_have_dest(w) ? "    link_dest_o <= link_dest;\n" : "",
      w->link_channels > 1 ? "    link_vc_o <= link_vc;\n" : "");
  if (w->link_channels > 1)
    hd_text_add(t, "  assign link_channels_o = 4'd%" PRIu32 ";\n", w->link_channels);
  hd_topology_fini(&inside);
}
