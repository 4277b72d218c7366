/* Descriptions of routers: every message for bad input, word for word, and the text of the wrapper.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../bridge/wrap/wrap.h"
#include "../lib/test.h"

CLEANUP_OF(struct hd_wrap, hd_wrap_destroy)

#define ANOTHER_SHAPE "; write an entity of another shape around the router (docs/wrap.md)"

#define TOP "top: r\nfiles: r.v\nreset: {pin: rst}\n"
#define VHDL "top: r\nfiles: r.vhd\nreset: {pin: rst}\n"
#define IN "  in: {valid: iv, ready: ir, data: id, tail: it}\n"
#define OUT "  out: {valid: ov, ready: oy, data: od, tail: ot}\n"
#define PORTS "ports:\n" IN OUT
#define FLOW "flow: {kind: ready}\n"

static int parse(struct hd_wrap **wrap, const char *text, struct hd_error *err)
{
  /* A copy without a NUL after it, so that the sanitizer sees a read past the end. */
  size_t n = strlen(text);
  CLEANUP(free_at) char *copy = malloc(n ? n : 1);
  assert_non_null(copy);
  memcpy(copy, text, n);
  int status = hd_wrap_parse(wrap, copy, n, "r.yaml", err);
  return status;
}

#define LINKS(inside, more)                                                                        \
  "top: m\nfiles: m.v\nreset: {pin: rst}\nports:\n  count: 9\n  in: {valid: iv, ready: ir, data: " \
  "id, tail: it, x: \"ix:2\", y: iy}\n  out: {valid: ov, ready: oy, data: od, tail: ot}\n"         \
  "flow: {kind: ready}\nnetwork: " inside                                                          \
  "\nposition: {columns: 3}\nlinks:\n  valid: v\n  ready: v\n  tail: t\n  data: d\n" more
#define CHANNEL "  vc: \"c[{from}*5+{from_port}]\"\n"

/* Text and message. A message that ends with * may go on. */
static const char *const cases[][2] = {
    {"", "r.yaml:1: a description of a router is a mapping of keys; it needs top, files, reset, "
         "ports and flow"},
    {"- a\n", "r.yaml:1: a description of a router is a mapping of keys; it needs top, files, "
              "reset, ports and flow"},
    {"files: r.v\n", "r.yaml:1: key top is missing; legal: a name of Verilog"},
    {TOP PORTS "flow: {}\n",
     "r.yaml:7: key flow.kind is missing; legal: ready, onoff, credit, count, native"},
    {LINKS("mesh 3x3", CHANNEL), "r.yaml:11: links: vc and channels (2 to 8) go together"},
    {LINKS("mesh 3x3", "  channels: 2\n"),
     "r.yaml:11: links: vc and channels (2 to 8) go together"},
    {LINKS("mesh 3x4", ""), "r.yaml:9: network: mesh 3x4 has 12 nodes, and there are 9 endpoints"},
    {LINKS("g.csv", "routing: {promises: dimension-order}\n"),
     "r.yaml:16: routing.promises: dimension-order is for a mesh or torus"},
    {TOP PORTS FLOW "tops: r\n",
     "r.yaml:8: unknown key tops; did you mean top?; legal: top, files, include, *"},
    {TOP PORTS FLOW "top: 8r\n", "r.yaml:8: top: given twice, first in line 1"},
    {"top: 8r\n", "r.yaml:1: top: 8r; legal: a name of Verilog"},
    {"top: module\n", "r.yaml:1: top: module; legal: a name of Verilog"},
    {"top: small\n", "r.yaml:1: top: small; legal: a name of Verilog"},
    {TOP PORTS "flow: {kind: redy}\n",
     "r.yaml:7: flow.kind: redy; did you mean ready?; legal: ready, onoff, *"},
    {TOP PORTS "flow: {kind: length}\n",
     "r.yaml:7: flow.kind: length; legal: ready, onoff, credit, count, native"},
    {TOP PORTS FLOW "channels: 9\n", "r.yaml:8: channels: 9; legal: 1 to 8, or VCS"},
    {TOP PORTS FLOW "channels: \"1; endmodule\"\n",
     "r.yaml:8: channels: 1; endmodule; legal: an expression of Verilog on one line, as VCS or "
     "2*DEPTH"},
    {TOP PORTS FLOW "pins: {a: \"1 // b\"}\n",
     "r.yaml:8: pins.a: 1 // b; legal: names and expressions of Verilog, *"},
    {TOP PORTS FLOW "pins: {a: \"(1\"}\n",
     "r.yaml:8: pins.a: (1; legal: names and expressions of Verilog, *"},
    {TOP "ports:\n  bundles: \"l[{port}]\"\n" FLOW,
     "r.yaml:5: ports.bundles[0]: l[{port}] is no bundle; legal: \"link[{port}] = in.valid, *"},
    {TOP "ports:\n  bundles: [\"l = in.valid, in.flit\", \"m = in.valid\"]\n" FLOW,
     "r.yaml:5: ports.bundles[1]: in.valid is there twice"},
    {TOP "ports:\n  bundles: \"l = in.walid\"\n" FLOW,
     "r.yaml:5: ports.bundles[0]: in.walid is no pin; heddle wrap --keys lists them"},
    {TOP "ports:\n  bundles: \"l = valid\"\n" FLOW,
     "r.yaml:5: ports.bundles[0]: valid is no part; legal: in.PIN and out.PIN, as in.valid, *"},
    {TOP "ports:\n  bundles: \"l = 4'd0\"\n" FLOW, "r.yaml:5: ports.bundles[0]: l has no signal"},
    {TOP "ports:\n  bundles: \"l = in.valid, in.ready\"\n" FLOW,
     "r.yaml:5: ports.bundles[0]: in.ready: the router drives it, or does not, unlike the parts "
     "before"},
    {TOP "ports:\n  bundles: \"l_{port} = in.valid\"\n" FLOW,
     "r.yaml:5: ports.bundles[0]: l_{port}: a pin a port needs ports.count or ports.names"},
    {VHDL "ports:\n  bundles: \"l = in.valid, in.data, in.tail, out.ready\"\n"
          "  in: {ready: ir}\n  out: {valid: ov, data: od, tail: ot}\n" FLOW,
     "r.yaml:5: ports.bundles: is for Verilog alone"},
    {TOP "ports:\n  in: {valid: ~~iv}\n" OUT FLOW,
     "r.yaml:5: ports.in.valid: ~~iv is no pattern of pins; legal: *"},
    {VHDL "ports:\n  count: 4\n  in: {valid: ~iv, ready: ir, data: id, tail: it}\n" OUT FLOW,
     "r.yaml:6: ports.in: a pin with ~ is not done for VHDL"},
    {TOP PORTS FLOW "packet: {type: {head: 0, body: 1, tail: 2}}\n",
     "r.yaml:8: packet.type: needs all of head, body, tail and single; with "
     "packet.shortest: 2, single is a code that the router does not use"},
    {TOP "ports:\n" IN "  out: {valid: ov, ready: oy, data: od, type: oe}\n" FLOW
         "packet: {type: {head: 0, body: 1, tail: 2, single: 0}}\n",
     "r.yaml:8: packet.type: a last flit has the code of one that is not the last: give tail or "
     "length, too"},
    {TOP "ports:\n  in: {valid: iv, credit: ic, data: id, type: it}\n"
         "  out: {valid: ov, credit: oc, data: od, type: ot}\nflow: {kind: native}\n"
         "packet: {type: {head: 0, body: 1, tail: 2, single: 2}}\n",
     "r.yaml:6: ports.out: native is wires alone: give kind, head or type whose codes tell first "
     "flits from others"},
    {TOP PORTS FLOW "channels: 2\n", "r.yaml:5: ports.in: with several channels, a flit needs its "
                                     "channel: vc, vc_onehot, or valid with {vc}"},
    {TOP "ports:\n  in: {valid: iv, data: id}\n" OUT FLOW,
     "r.yaml:5: ports.in: flow.kind ready needs the pin ready"},
    {TOP "ports:\n  in: {valid: iv, data: id, ready: r, on: o}\n" OUT FLOW,
     "r.yaml:5: ports.in: flow.kind ready has no use for the pin on"},
    {TOP "ports:\n  in: {valid: iv, ready: r}\n" OUT FLOW,
     "r.yaml:5: ports.in: the router must carry Heddle's data: give a pin data, or a pin flit with "
     "data in packet.flit"},
    {TOP "ports:\n  in: {valid: iv, ready: r, flit: f}\n" OUT FLOW,
     "r.yaml:5: ports.in: the pin flit needs packet.flit, the list of its fields"},
    {TOP "ports:\n" IN "  out: {valid: ov, ready: oy, data: od}\n" FLOW,
     "r.yaml:6: ports.out: the end of a packet is not marked: give kind, tail, type or length, or "
     "packet.single"},
    {TOP "ports:\n  in: {valid: \"iv_{port}\", ready: r, data: d}\n" OUT FLOW,
     "r.yaml:5: ports.in.valid: a pin a port needs ports.count or ports.names"},
    {TOP "ports:\n  in: {valid: \"iv[0]\", ready: r, data: d}\n" OUT FLOW,
     "r.yaml:5: ports.in.valid: iv[0] is no pattern of pins; legal: data_{port} for a pin a port, "
     "*"},
    {TOP "ports:\n  in: {valid: iv, ready: r, data: \"d[{port}][{vc}]\"}\n" OUT FLOW,
     "r.yaml:5: ports.in: where flits have a pin for each channel, valid needs {vc}, too"},
    {TOP "ports:\n" IN
         "  out: {valid: \"v[{vc}]\", ready: r, data: \"d[{vc}]\", tail: \"t[{vc}]\"}\n" FLOW,
     "r.yaml:6: ports.out: where flits have a pin for each channel, ready needs {vc}, too"},
    {TOP "channels: 2\nports:\n  in: {valid: iv, ready: r, data: d, vc: \"c[{vc}]\"}\n" OUT FLOW,
     "r.yaml:6: ports.in.vc: names a channel, so it is no pin for each channel"},
    {TOP "ports:\n  in: {valid: \"v[{vc}]\", credit: r, data: \"d[{vc}]\"}\n" OUT
         "flow: {kind: native}\n",
     "r.yaml:5: ports.in: flow.kind native sends one flit a cycle; pins with {vc} need flow.kind "
     "credit"},
    {TOP "ports:\n  in: {valid: iv, credit: \"r:2\", data: d}\n" OUT "flow: {kind: native}\n",
     "r.yaml:5: ports.in: native has pulses; legal: flow.kind credit"},
    {TOP "ports:\n  in: {valid: iv, ready: \"r:2\", data: d}\n" OUT FLOW,
     "r.yaml:5: ports.in.ready: bits are for fields, credit, credit_vc and free"},
    {TOP PORTS "flow: {kind: count}\n",
     "r.yaml:7: flow.next_slots: is missing; flow.kind count needs it"},
    {TOP "ports:\n  in: {valid: iv, free: r, data: d}\n" OUT "flow: {kind: count, next_slots: 4}\n",
     "r.yaml:5: ports.in: the pin free needs its bits, as free_{port}:4"},
    {TOP "ports:\n  in: {valid: iv, ready: r, data: d, length: l}\n" OUT FLOW,
     "r.yaml:1: packet.longest: is missing; the field length needs it, as the wrapper keeps a "
     "packet until it knows how long it is"},
    {VHDL "ports:\n  in: {valid: iv, ready: r, data: d, length: l}\n" OUT FLOW
          "packet: {longest: 8}\n",
     "r.yaml:5: ports.in: the field length is not done for VHDL" ANOTHER_SHAPE},
    {VHDL
     "ports:\n" IN
     "  out: {valid: \"v[{vc}]\", ready: \"r[{vc}]\", data: \"d[{vc}]\", tail: \"t[{vc}]\"}\n" FLOW,
     "r.yaml:6: ports.out: a pin for the flits of each channel is not done for VHDL" ANOTHER_SHAPE},
    {VHDL
     "ports:\n  in: {valid: iv, credit: \"r:2\", data: d, tail: t}\n  out: {valid: ov, credit: "
     "oc, data: od, tail: ot}\nflow: {kind: credit, slots: 4, next_slots: 4}\n",
     "r.yaml:5: ports.in: credits as numbers are not done for VHDL" ANOTHER_SHAPE},
    {TOP PORTS FLOW "packet: {flit: [data, colour]}\n",
     "r.yaml:8: packet.flit[1]: colour is no field; legal: data, kind, head, tail, type, "
     "length, vc, vc_onehot, dest, x, y, *"},
    {TOP PORTS FLOW "packet: {flit: [data, data]}\n", "r.yaml:8: packet.flit: data is there twice"},
    {TOP PORTS FLOW "parameters: {X: hd_x}\n",
     "r.yaml:1: position.columns: is missing; x, y, hd_x and hd_y need the columns of the grid"},
    {TOP PORTS FLOW "pins: {x: hd_x}\n",
     "r.yaml:1: position.columns: is missing; x, y, hd_x and hd_y need the columns of the grid"},
    {TOP PORTS "flow: {kind: native}\n",
     "r.yaml:5: ports.in: flow.kind native has no use for the pin ready"},
    {TOP PORTS "flow: {kind: credit}\n",
     "r.yaml:7: flow.slots: is missing; flow.kind credit needs it"},
    {TOP PORTS FLOW "packet: {shortest: 2, single: true}\n",
     "r.yaml:8: packet.shortest: is more than the one flit of packet.single"},
    {TOP PORTS FLOW "packet: {shortest: 5, longest: 4}\n",
     "r.yaml:8: packet.shortest: is more than packet.longest"},
    {TOP PORTS FLOW "packet: {changed: [x, data]}\n",
     "r.yaml:8: packet.changed: data; legal: dest, x, y"},
    {TOP PORTS FLOW "packet: {type: {head: 1}}\n",
     "r.yaml:8: packet.type: needs all of head, body, tail and single; with "
     "packet.shortest: 2, single is a code that the router does not use"},
    {"top: r\nfiles: r.v\nreset: {pin: rst, cycles: 2}\n" PORTS "flow: {kind: native}\n",
     "r.yaml:3: reset.cycles: native is wires alone, in which no flit can wait; legal: 0, or "
     "flow.kind credit"},
    {TOP "ports:\n  names: [a, b]\n  count: 3\n" IN OUT FLOW,
     "r.yaml:5: ports.names: 2 names for 3 ports"},
    {TOP "ports:\n  count: 2\n  in: {valid: \"{port}_i.v\", ready: r, data: d}\n" OUT FLOW,
     "r.yaml:6: ports.in.valid: a member of an interface needs ports.interface, {port} in the "
     "interface's name and no *"},
    {TOP "ports:\n  in: {valid: iv, ready: ir, data: id, tail: it, freed: f}\n" OUT FLOW,
     "r.yaml:5: ports.in: freed is for flow.kind onoff, credit and count"},
    {TOP
     "ports:\n  order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]\n" IN OUT FLOW,
     "r.yaml:5: ports.order: 17 ports; a router has 2 to 16, a network (network: …) up to 255"},
    {TOP "ports:\n  order: [0, 0]\n" IN OUT FLOW,
     "r.yaml:5: ports.order: 0; legal: each number from 0 to 1 once"},
    {TOP "ports:\n  order: [0, x]\n" IN OUT FLOW,
     "r.yaml:5: ports.order: x; legal: each number from 0 to 1 once"},
    {TOP "ports:\n  count: 17\n" IN OUT FLOW,
     "r.yaml:5: ports.count: 17 ports; a router has 2 to 16, a network (network: …) up to 255"},
    {TOP "ports:\n  count: 256\n" IN OUT FLOW "network: mesh 16x16\n",
     "r.yaml:5: ports.count: 256; legal: a whole number, 2 … 255"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW "network: ring 4\n",
     "r.yaml:9: network: ring 4; legal: mesh 3x3, torus 4x4, a graph file NAME.csv, or unknown"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW "network: mesh 3x3\n",
     "r.yaml:9: network: mesh 3x3 has 9 nodes, and there are 4 endpoints"},
    {TOP PORTS FLOW "network: unknown\n",
     "r.yaml:4: ports.count: is missing; a network needs its endpoints"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW "network: mesh 2x2\nrouting: {promises: minimal}\n",
     "r.yaml:10: routing.promises: is for a router, or a network with links; ways inside of this "
     "network are not looked at"},
    {TOP PORTS FLOW "links: {valid: v, ready: r, tail: t, data: d}\n",
     "r.yaml:8: links: is for a network (network: …)"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW "network: mesh 2x2\nlinks: {valid: v}\n",
     "r.yaml:10: links: needs valid, ready, tail and data"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW
         "network: mesh 2x2\nlinks: {valid: v, ready: r, tail: t, data: d, y: a}\n",
     "r.yaml:10: links: x and y go together, and in place of dest"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW
         "network: unknown\nlinks: {valid: v, ready: r, tail: t, data: d}\n",
     "r.yaml:10: links: network is unknown; legal: mesh 3x3, torus 4x4, NAME.csv"},
    {TOP "channels: 2\nports:\n  count: 4\n  in: {valid: \"iv[{port}][{vc}]\", ready: "
         "\"ir[{port}][{vc}]\", data: id, tail: it}\n  out: {valid: \"ov[{port}][{vc}]\", ready: "
         "\"oy[{port}][{vc}]\", data: od, tail: ot}\n" FLOW
         "network: mesh 2x2\nlinks: {valid: v, ready: r, tail: t, data: d}\n",
     "r.yaml:11: links: the endpoints have several channels; legal: channels: 1, and "
     "links.channels "
     "for the links inside"},
    {TOP
     "ports:\n  count: 4\n  in: {valid: iv, on: ir, data: id, tail: it}\n  out: {valid: ov, on: "
     "oy, data: od, tail: ot}\nflow: {kind: onoff}\nnetwork: mesh 2x2\nlinks: {valid: v, ready: "
     "r, tail: t, data: d}\n",
     "r.yaml:10: links: the endpoints have flow.kind onoff; legal: ready"},
    {VHDL "ports:\n  count: 4\n" IN OUT FLOW
          "network: mesh 2x2\nlinks: {valid: v, ready: r, tail: t, data: d}\n",
     "r.yaml:10: links: is for Verilog alone"},
    {LINKS("mesh 3x3", "  ports: [0, 1, 2]\n"),
     "r.yaml:16: links.ports: 3 names; the switches of mesh 3x3 have 5 ports"},
    {TOP "ports:\n  count: 4\n" IN OUT FLOW "network: mesh 2x2\npins: {x: hd_node}\n",
     "r.yaml:1: position: a network has no place; legal: position.columns"},
    {"a: &b 4\n", "r.yaml:1: an anchor (&); write the value without it"},
};

TEST(bad_descriptions_are_refused_by_line)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CLEANUP(hd_wrap_destroy_at) struct hd_wrap *wrap = NULL;
    struct hd_error err = {""};
    const char *star = strchr(cases[i][1], '*');
    const size_t n = star ? (size_t)(star - cases[i][1]) : sizeof err.text;
    assert_int_equal(parse(&wrap, cases[i][0], &err), HD_E_INPUT);
    if (star && strncmp(err.text, cases[i][1], n) == 0)
      err.text[0] = '\0';
    else
      assert_string_equal(err.text, cases[i][1]);
  }
}

static void writes(void (*write)(const struct hd_wrap *, struct hd_text *), const char *text,
                   const char *const wanted[])
{
  CLEANUP(hd_wrap_destroy_at) struct hd_wrap *wrap = NULL;
  CLEANUP(hd_text_fini) struct hd_text written = {0};
  must(parse(&wrap, text, &why));
  write(wrap, &written);
  for (; *wanted; wanted++)
    if (!strstr(hd_text_chars(&written), *wanted))
      fail_msg("no '%s' in\n%s", *wanted, hd_text_chars(&written));
}

static void module_has(const char *text, const char *const wanted[])
{
  writes(hd_wrap_module, text, wanted);
}

static void entity_has(const char *text, const char *const wanted[])
{
  writes(hd_wrap_entity, text, wanted);
}

TEST(pins_are_connected_by_their_patterns)
{
  module_has(TOP PORTS FLOW,
             (const char *const[]){
                 "r u_router (\n      .clk(clk),\n      .rst(reset),\n      .iv(to_valid)",
                 ".od(from_data)", "localparam N = PORTS;", ".HOLD    (1)", NULL});
  module_has(TOP "ports:\n  names: [node, east]\n"
                 "  in: {valid: \"{port}_v\", ready: \"r[{port}]\", data: \"d_{port}_i:40\", tail: "
                 "\"{port}_t\"}\n" OUT FLOW,
             (const char *const[]){".node_v(to_valid[0])", ".east_v(to_valid[1])", ".r(to_ready)",
                                   ".d_east_i(to_data[1*(40)+:40])", ".east_t(to_tail[1])", NULL});
  module_has(
      "top: r\nfiles: r.v\nreset: {pin: rst_n, active: low, cycles: 4, settle: 3}\nchannels: 2\n"
      "ports:\n  count: 3\n  first: 1\n  array: unpacked\n"
      "  in: {valid: \"v{port}\", on: \"on_{vc}\", flit: \"f[{port}]\"}\n"
      "  out: {valid: \"w{port}\", on: \"back{port}[{vc}]\", flit: \"g[{port}]\"}\n"
      "packet: {flit: [type, \"vc:2\", \"2'b00\", \"dest:6\", data], type: {head: 1, body: 0, "
      "tail: 2, single: 3}}\n"
      "flow: {kind: onoff, slack: 3, on: low}\n",
      (const char *const[]){
          ".rst_n(!reset)", ".v3(to_valid[2])",
          ".on_1({to_on[2*CHANNELS+1], to_on[1*CHANNELS+1], to_on[0*CHANNELS+1]})",
          ".back1(from_on[0*(CHANNELS)+:CHANNELS])", ".f(to_flit_array)",
          "= {i_flit_type, i_flit_vc, 2'b00, i_flit_dest, i_flit_data};",
          "localparam FLIT_W = 2 + 2 + 2 + 6 + DATA_W;", "localparam HEAD = 1;",
          "wire [2-1:0] o_type = from_flit[p*FLIT_W+2 + 2 + 6 + DATA_W+:2];", ".SLOTS   (8)",
          "i_may = ~to_on[p*CHANNELS+:CHANNELS]", ".CYCLES(4)", ".SETTLE(3)", "if (VCS != 2)",
          NULL});
}

TEST(ports_can_be_listed_in_another_order)
{
  module_has(
      TOP
      "ports:\n  order: [2, 0, 1]\n  in: {valid: iv, ready: ir, data: \"d{port}\", tail: it}\n" OUT
          FLOW,
      (const char *const[]){".iv({to_valid[0], to_valid[2], to_valid[1]})",
                            ".d2(to_data[0*(DATA_W)+:DATA_W])", NULL});
  module_has(TOP
             "ports:\n  order: [1, 0]\n  array: unpacked\n"
             "  in: {valid: iv, ready: \"ir[{port}]\", data: \"id[{port}]\", tail: it}\n" OUT FLOW,
             (const char *const[]){"assign to_data_array[1] = to_data[0*(DATA_W)+:DATA_W];",
                                   "assign to_ready[1*(1)+:1] = to_ready_array[0];", NULL});
}

TEST(each_interface_is_instantiated_once)
{
  module_has(TOP
             "channels: 2\nports:\n  names: [a, b]\n  interface: link\n"
             "  in: {valid: \"{port}_i.req.v\", on: \"{port}_i.on[{vc}]\", flit: \"{port}_i.f\", "
             "freed: \"{port}_g[{vc}]\"}\n"
             "  out: {valid: ov, on: \"oo[{port}][{vc}]\", flit: of, freed: \"og[{port}][{vc}]\"}\n"
             "packet: {flit: [kind, vc, data]}\nflow: {kind: onoff}\n",
             (const char *const[]){"  link b_i ();\n  assign b_i.req.v = to_valid[1];\n",
                                   "  assign to_on[1*(CHANNELS)+:CHANNELS] = b_i.on;\n",
                                   ".a_i(a_i),\n      .b_i(b_i),\n      .a_g(", ".FREED   (1)",
                                   ".freed_i (to_freed[p*CHANNELS+:CHANNELS])",
                                   "from_freed[p*CHANNELS+:CHANNELS] = b_freed;", NULL});
}

TEST(credits_can_name_their_channel)
{
  module_has(TOP "channels: VCS\nports:\n"
                 "  in: {valid: iv, credit: ic, credit_vc: \"icv:3\", data: id, kind: ik, vc: iw}\n"
                 "  out: {valid: ov, credit: oc, credit_vc: ocv, data: od, kind: ok, vc: ow}\n"
                 "flow: {kind: credit, slots: DEPTH, next_slots: 4}\n",
             (const char *const[]){".gain_i (to_credit[p] && (to_credit_vc[p*(3)+:3] == v) && go)",
                                   "from_credit_vc[p*(VC_W)+:VC_W] = number(b_credit);", NULL});
}

TEST(credits_can_be_numbers_of_slots)
{
  module_has(TOP
             "channels: VCS\nports:\n"
             "  in: {valid: iv, credit: \"ic:3\", credit_vc: icv, data: id, kind: ik, vc: iw}\n"
             "  out: {valid: ov, credit: \"oc:3\", credit_vc: ocv, data: od, kind: ok, vc: ow}\n"
             "flow: {kind: credit, slots: DEPTH, next_slots: 4}\n",
             (const char *const[]){
                 ".gain_i (go && (to_credit_vc[p*(VC_W)+:VC_W] == v) ? to_credit[p*(3)+:3] : 0)",
                 ".GAIN_W(3)", ".ONE     (1)", "from_credit[p*(3)+:3] = b_numbers;",
                 "from_credit_vc[p*(VC_W)+:VC_W] = b_turn;", NULL});
  module_has(TOP "channels: 2\nports:\n  count: 2\n"
                 "  in: {valid: iv, free: \"if_{port}_{vc}:3\", data: id, kind: ik, vc: iw}\n"
                 "  out: {valid: ov, free: \"of[{port}][{vc}]:3\", data: od, kind: ok, vc: ow}\n"
                 "flow: {kind: count, next_slots: 4, late: 2}\n",
             (const char *const[]){".if_1_0(to_free[(1*CHANNELS+0)*(3)+:3])",
                                   ".free_i (to_free[(p*CHANNELS+v)*(3)+:3])", ".LATE(2)",
                                   ".number_o(from_free[p*(CHANNELS*(3))+:CHANNELS*(3)])",
                                   "if ((4 >> (3)) != 0)", NULL});
}

TEST(channels_can_have_separate_data_pins)
{
  module_has(
      TOP
      "channels: 2\nports:\n  count: 2\n"
      "  in: {valid: \"v[{port}][{vc}]\", ready: ir, data: \"d_{port}_{vc}:40\", tail: "
      "\"t[{port}][{vc}]\"}\n"
      "  out: {valid: \"w[{port}][{vc}]\", ready: \"r[{port}][{vc}]\", data: \"e_{vc}:40\", tail: "
      "\"u[{port}][{vc}]\"}\n" FLOW,
      (const char *const[]){
          ".d_1_0(to_data[(1*CHANNELS+0)*(40)+:40])",
          ".e_1({from_data[(1*CHANNELS+1)*(40)+:40], from_data[(0*CHANNELS+1)*(40)+:40]})",
          "to_data[(p*CHANNELS+v)*(40)+:40] = (i_vc == v) ? i_lane_data : ~i_lane_data;",
          "wire o_take = o_valid && b_on[v];", "from_ready[p*CHANNELS+:CHANNELS] = b_on;",
          "i_lane_data = {((40) + DATA_W - 1) / DATA_W{i_data}};", ".WIDE  (40)", NULL});
}

TEST(heads_can_hold_the_length_of_the_packet)
{
  module_has(TOP "ports:\n  in: {valid: iv, ready: ir, data: id, length: \"il:4\"}\n"
                 "  out: {valid: ov, ready: oy, data: od, length: \"ol:4\"}\n" FLOW
                 "packet: {longest: 12, length: rest}\n",
             (const char *const[]){"if (4 < $clog2(LONGEST + 1))", ".may_i   (i_may & i_whole)",
                                   "to_length[p*(4)+:4] = i_length - 1'b1;", ".LENGTH_W(4)",
                                   ".REST    (1)", ".ROOM    ((LONGEST > DEPTH) ? LONGEST : DEPTH)",
                                   NULL});
}

TEST(the_position_of_a_router_is_known_from_its_tables)
{
  module_has(TOP PORTS FLOW "position: {port: 2, columns: 4}\npins: {x: \"hd_x[3:0]\"}\n",
             (const char *const[]){"(cfg_wdata_i[3:0] == 4'd2)", "hd_x = hd_node % COLUMNS",
                                   ".x(hd_x[3:0])", NULL});
  module_has(TOP PORTS FLOW "position: {columns: 4}\nparameters: {X: hd_x}\n",
             (const char *const[]){"c < NODES", ".X(hd_x)", ".rst((reset || (node_q != c)))",
                                   "from_data = all_from_data[node_q*(N*(DATA_W))+:N*(DATA_W)];",
                                   NULL});
}

TEST(a_wrapper_is_not_quiescent_before_its_reset_has_ended)
{
  module_has(TOP PORTS FLOW "idle: calm\n",
             (const char *const[]){"quiescent_o <= !rst && (router_idle && go", NULL});
  entity_has(VHDL PORTS FLOW "idle: calm\n",
             (const char *const[]){"when rst = '0' and (router_idle = '1' and go = '1'", NULL});
}

TEST(fields_that_are_too_narrow_are_refused)
{
  static const char k_rest[] =
      "channels: 2\nports:\n"
      "  in: {valid: iv, ready: ir, data: \"id:16\", tail: it, vc: \"ic:1\", dest: \"ie:4\", x: "
      "\"ix:2\", y: iy}\n"
      "  out: {valid: ov, ready: oy, data: \"od:16\", tail: ot, vc: oc, dest: \"oe:4\"}\n" FLOW
      "position: {columns: 4}\n";
  char text[1000];
  snprintf(text, sizeof text, TOP "%s", k_rest);
  module_has(text,
             (const char *const[]){"if (16 < DATA_W) begin : refuse_in_data\n      "
                                   "the_field_data_is_narrower_than_switch_data_bits u_refused",
                                   "if (16 < DATA_W) begin : refuse_out_data", "if (1 < VC_W)",
                                   "if (4 < NODE_W)", "if (2 < $clog2(COLUMNS))",
                                   "if (8 < $clog2((NODES + COLUMNS - 1) / COLUMNS))", NULL});
  snprintf(text, sizeof text, VHDL "%s", k_rest);
  entity_has(text, (const char *const[]){"assert 4 >= NODE_W report",
                                         "assert 2 >= clog2(COLUMNS) report", NULL});
}

TEST(a_directory_of_rtl_is_used_as_it_is)
{
  char directory[PATH_MAX];
  const char *rtl = "my/rtl", *none = NULL;
  must(hd_wrap_resolve(&rtl, NULL, directory, &why));
  assert_string_equal(rtl, "my/rtl");
  must(hd_wrap_resolve(&none, NULL, directory, &why));
  assert_null(none);
  rtl = "not-there.yaml";
  assert_int_not_equal(hd_wrap_resolve(&rtl, NULL, directory, &why), 0);
}

/* A check asks for no more than fields have room for. */
TEST(the_limits_of_a_router_follow_from_the_widths_of_its_fields)
{
  static const struct {
    const char *fields;
    uint32_t bits, nodes;
  } of[] = {{"[tail, \"x:1\", \"y:1\", \"data:22\"]", 16, 4},
            {"[tail, \"x:3\", \"y:2\", \"data:63\"]", 32, 8},
            {"[tail, \"dest:5\", \"data:64\"]", 64, 32},
            {"[tail, dest, data]", 0, 0}};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    CLEANUP(hd_wrap_destroy_at) struct hd_wrap *wrap;
    char text[600];
    snprintf(text, sizeof text,
             TOP "ports:\n  in: {valid: iv, ready: ir, flit: f}\n"
                 "  out: {valid: ov, ready: oy, flit: g}\n" FLOW
                 "position: {columns: 2}\npacket: {flit: %s}\n",
             of[i].fields);
    must(parse(&wrap, text, &why));
    assert_int_equal(hd_wrap_takes(wrap).data_bits, of[i].bits);
    assert_int_equal(hd_wrap_takes(wrap).nodes, of[i].nodes);
  }
}

#define NETWORK(inside) NETWORK_RESET("", inside)
#define NETWORK_RESET(more, inside)                            \
  "top: m\nfiles: m.v\nreset: {pin: rst" more                  \
  "}\nports:\n  count: 9\n  in: {valid: iv, ready: ir, data: " \
  "id, tail: it, x: \"ix:2\", y: iy}\n" OUT FLOW "network: " inside "\n"

/* The columns of x and y follow from what is inside. */
TEST(a_wrapped_network_is_a_switch_without_a_position)
{
  module_has(NETWORK("mesh 3x3"),
             (const char *const[]){"parameter NODES         = 9,", "localparam COLUMNS = 3;",
                                   "the_network_has_9_endpoints_and_the_scenario_has_others",
                                   "(PORTS != 9)", NULL});
  CLEANUP(hd_wrap_destroy_at) struct hd_wrap *wrap;
  CLEANUP(hd_text_fini) struct hd_text verilog = {0};
  must(parse(&wrap, NETWORK("unknown") "position: {columns: 4}\n", &why));
  hd_wrap_module(wrap, &verilog);
  assert_null(strstr(hd_text_chars(&verilog), "node_q"));
  assert_true(hd_wrap_takes(wrap).network);
  assert_int_equal(hd_wrap_takes(wrap).ports, 9);
  assert_null(hd_wrap_takes(wrap).routes);
}

/* Each link has its number, and those of its switches and ports; links of endpoints are pins. */
TEST(links_inside_are_shown_by_path)
{
  static const char *const parts[] = {
      "parameter LINKS         = 42  // inside",
      "assign link_valid[0] = from_valid[0];",
      "assign link_valid[1] = u_router.r[0].v[1];",
      "assign link_ready[1] = u_router.r[1].a[2];",
      "assign link_data[2*DATA_W+:DATA_W] = u_router.d3;",
      "assign link_valid[41] = to_valid[8];",
      "link_valid_o <= go ? link_valid : {LINKS{1'b0}};",
      "assign link_dest[0*16+:16] = 16'd0;",
      "assign link_dest[1*16+:16] = u_router.r0 * COLUMNS + u_router.c1 + 16'd1;",
      "link_dest_o <= link_dest;",
      NULL};
  module_has(
      "top: m\nfiles: m.v\nreset: {pin: rst}\nports:\n  count: 9\n  in: {valid: iv, ready: ir, "
      "data: id, tail: it, x: \"ix:2\", y: iy}\n  out: {valid: ov, ready: oy, data: od, tail: "
      "ot}\n" FLOW "network: mesh 3x3\nlinks:\n  valid: \"r[{from}].v[{from_port}]\"\n  ready: "
      "\"r[{to}].a[{to_port}]\"\n  tail: t\n  data: \"d{from_port}\"\n"
      "  x: \"c{from_port}\"\n  y: \"r{from}\"\n",
      parts);
}

/* The flits of an endpoint may have their data in the pin `flit`, or in the pins of their only channel. */
TEST(links_of_endpoints_are_seen_where_the_wrapper_reads_them)
{
  module_has("top: m\nfiles: m.v\nreset: {pin: rst}\nports:\n  count: 4\n  in: {valid: iv, ready: "
             "ir, flit: fi}\n  out: {valid: ov, ready: oy, flit: fo}\npacket: {flit: [type, dest, "
             "data]}\n" FLOW "network: mesh 2x2\nlinks:\n  valid: v\n  ready: r\n  tail: t\n"
             "  data: d\n",
             (const char *const[]){"assign link_tail[0] = port[0].used.o_tail;",
                                   "assign link_data[0*DATA_W+:DATA_W] = port[0].used.o_own;",
                                   "assign link_tail[15] = port[3].used.i_kind[0];",
                                   "assign link_data[15*DATA_W+:DATA_W] = port[3].used.i_data;",
                                   NULL});
  module_has(
      "top: m\nfiles: m.v\nreset: {pin: rst}\nports:\n  count: 4\n"
      "  in: {valid: \"iv_{port}_{vc}\", ready: \"ir_{port}_{vc}\", data: \"id_{port}_{vc}\", "
      "tail: \"it_{port}_{vc}\"}\n"
      "  out: {valid: \"ov_{port}_{vc}\", ready: \"oy_{port}_{vc}\", data: \"od_{port}_{vc}\", "
      "tail: \"ot_{port}_{vc}\"}\n" FLOW
      "network: mesh 2x2\nlinks:\n  valid: v\n  ready: r\n  tail: t\n  data: d\n",
      (const char *const[]){"assign link_tail[0] = port[0].used.lane[0].o_tail;",
                            "assign link_data[0*DATA_W+:DATA_W] = port[0].used.lane[0].o_own;",
                            NULL});
}

TEST(links_have_the_ports_of_the_network)
{
  module_has(
      LINKS("mesh 3x3", "  ports: [L, E, W, N, S]\n  dest: \"d[{from}].{from_port}{to_port}\"\n"),
      (const char *const[]){"assign link_dest[1*16+:16] = u_router.d[0].EW + 16'd1;",
                            "assign link_dest[2*16+:16] = u_router.d[0].NS + 16'd1;", NULL});
}

/* Endpoints have one channel, whatever the links inside have. */
TEST(links_inside_may_have_channels)
{
  static const char *const parts[] = {"output reg  [     LINKS*3-1:0] link_vc_o,",
                                      "output wire [             3:0] link_channels_o",
                                      "assign link_vc[0*3+:3] = 3'd0;",
                                      "assign link_vc[1*3+:3] = u_router.c[0*5+1];",
                                      "assign link_vc[41*3+:3] = 3'd0;",
                                      "link_vc_o <= link_vc;",
                                      "assign link_channels_o = 4'd6;",
                                      NULL};
  module_has(LINKS("mesh 3x3", CHANNEL "  channels: 6\n"), parts);
}

/* All required keys of a scenario follow from the description. Only the fabric is replaced in a given scenario. */
TEST(a_wrapped_network_replaces_the_fabric_of_a_scenario)
{
  static const char text[] = NETWORK_RESET(", settle: 600", "mesh 3x3") "routing: {order: pairs}\n";
  struct hd_wrap_network network;
  char path[] = "/tmp/test_wrap_XXXXXX.yaml";
  const int file = mkstemps(path, 5);
  assert_true(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1);
  must(hd_wrap_network(&network, path, &why));
  CLEANUP(hd_text_fini) struct hd_text all = {0};
  for (size_t i = 0; i < network.n; i++)
    hd_text_add(&all, "%s=%s\n", network.settings[i].path, network.settings[i].value);
  assert_string_equal(hd_text_chars(&all),
                      "fabric={topology: flattened-butterfly, k: 9, n: 1, inside: \"mesh 3x3\"}\n"
                      "routing={algorithm: minimal}\nswitch.nodes=9\nrun.mode=closed\n"
                      "run.compare=packets\nswitch.vcs=1\nrun.order=pairs\nrun.held_cycles=1108\n");
  hd_wrap_network_fini(&network);
  close(file);
  unlink(path);
  must(hd_wrap_network(&network, "a/directory", &why));
  assert_int_equal(network.n, 0);
}
