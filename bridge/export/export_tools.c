/* Writes an exported fabric's files for tools: list of files, FuseSoC core, constraints; and its page for people.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "export_internal.h"

#include "manifest.h"

#include "../graphs/graphs.h"

#include <inttypes.h>
#include <string.h>

static void add_files(const struct hd_export *x, const struct hd_dut_sources *rtl,
                      const char *before, const char *after, struct hd_text *t)
{
  for (size_t i = 0; i < rtl->n; i++)
    hd_text_add(t, "%s%s%s", before, rtl->list[i].name, after);
  hd_text_add(t, "%s%s_tables.v%s", before, x->name, after);
  if (!x->options->raw)
    hd_text_add(t, "%s%s.v%s", before, x->fabric_name, after);
  if (x->options->signatures)
    hd_text_add(t, "%s%s_core.v%s", before, x->name, after);
  hd_text_add(t, "%s%s.v%s", before, x->name, after);
}

void hd_export_list(const struct hd_export *x, const struct hd_dut_sources *rtl, struct hd_text *t)
{
  hd_export_head(x, "the files that are synthesized; paths are relative to this one", t);
  add_files(x, rtl, "", "\n", t);
}

static const char *const k_traffic[] = {HD_EXPORT_TRAFFIC(HD_OWN) NULL};

static void add_traffic_files(const char *before, struct hd_text *t)
{
  for (size_t i = 0; k_traffic[i]; i++)
    hd_text_add(t, "%srtl%s\n", before, strrchr(k_traffic[i], '/'));
}

void hd_export_traffic_list(const struct hd_export *x, const struct hd_dut_sources *rtl,
                            struct hd_text *t)
{
  hd_export_head(
      x, "the files with traffic, whose top is NAME_traffic; paths are relative to this one", t);
  add_files(x, rtl, "", "\n", t);
  add_traffic_files("", t);
  hd_text_add(t, "%s_traffic.v\n", x->name);
}

static void add_sim(const struct hd_export *x, const char *target, const char *set,
                    const char *bench, const char *tool, const char *options, struct hd_text *t)
{
  hd_text_add(t,
              "  %s:\n"
              "    description: %s\n"
              "    flow: sim\n"
              "    flow_options:\n"
              "      tool: %s\n%s"
              "    filesets: [rtl, %s]\n"
              "    toplevel: %s%s\n",
              target, "simulates a test bench, which ends with PASS or FAIL", tool, options, set,
              x->name, bench);
}

static void add_synthesis(const struct hd_export *x, const char *target, const char *sets,
                          const char *top, struct hd_text *t)
{
  hd_text_add(
      t,
      "  %s:\n"
      "    description: synthesis for an ECP5 by Yosys; say another flow for another device\n"
      "    flow: generic\n"
      "    flow_options:\n"
      "      tool: yosys\n"
      "      arch: ecp5\n"
      "      output_format: json\n"
      "    filesets: [%s, constraints]\n"
      "    toplevel: %s%s\n",
      target, sets, x->name, top);
}

void hd_export_core(const struct hd_export *x, const struct hd_dut_sources *rtl, struct hd_text *t)
{
  static const char icarus[] = "      vvp_options: [-N]\n";
  static const char verilator[] =
      "      verilator_options: [--binary, --timing, -Wno-fatal]\n      mode: binary\n";
  const bool replays = x->n_events != 0, streams = hd_export_streams(x), smoke = !x->options->raw;
  hd_text_add(t,
              "CAPI=2:\n"
              "# SPDX-License-Identifier: Apache-2.0\n"
              "name: heddle:export:%s:1.0.0\n"
              "description: A network of %" PRIu32 " nodes, made by heddle export\n\n"
              "filesets:\n"
              "  rtl:\n"
              "    files:\n",
              x->name, x->topology.n_nodes);
  add_files(x, rtl, "      - ", "\n", t);
  hd_text_add(t,
              "    file_type: verilogSource\n"
              "  constraints:\n"
              "    files: [%s.sdc: {file_type: SDC}]\n",
              x->name);
  if (streams) {
    hd_text_add(t, "  traffic:\n    files:\n");
    add_traffic_files("      - ", t);
    hd_text_add(t,
                "      - %s_traffic.v\n"
                "    file_type: verilogSource\n",
                x->name);
  }
  if (smoke)
    hd_text_add(t,
                "  bench:\n"
                "    files:\n"
                "      - %s_tb.v: {file_type: verilogSource}\n",
                x->name);
  if (x->options->signatures)
    hd_text_add(t, "      - %s_signatures.hex: {file_type: user, copyto: %s_signatures.hex}\n",
                x->name, x->name);
  if (replays)
    hd_text_add(t,
                "  replay:\n"
                "    files:\n"
                "      - bench/hd_export_replay.v: {file_type: verilogSource}\n"
                "      - %s_replay_tb.v: {file_type: verilogSource}\n"
                "      - %s_replay.hex: {file_type: user, copyto: %s_replay.hex}\n",
                x->name, x->name, x->name);
  hd_text_add(t,
              "\ntargets:\n"
              "  default:\n"
              "    filesets: [rtl]\n"
              "    toplevel: %s\n"
              "  lint:\n"
              "    description: Verilator's warnings, of which there are none\n"
              "    flow: lint\n"
              "    flow_options:\n"
              "      tool: verilator\n"
              "      verilator_options: [-Wall]\n"
              "    filesets: [rtl]\n"
              "    toplevel: %s\n",
              x->name, x->name);
  if (smoke) {
    const char *set = streams ? "traffic, bench" : "bench";
    add_sim(x, "sim", set, "_tb", "icarus", icarus, t);
    add_sim(x, "sim-verilator", set, "_tb", "verilator", verilator, t);
  }
  if (replays) {
    add_sim(x, smoke ? "replay" : "sim", "replay", "_replay_tb", "icarus", icarus, t);
    add_sim(x, smoke ? "replay-verilator" : "sim-verilator", "replay", "_replay_tb", "verilator",
            verilator, t);
  }
  add_synthesis(x, "synth", "rtl", "", t);
  if (streams)
    add_synthesis(x, "synth-traffic", "rtl, traffic", "_traffic", t);
}

void hd_export_constraints(const struct hd_export *x, struct hd_text *t)
{
  const double period = 1000.0 / x->options->clock_mhz;
  hd_text_add(
      t,
      "# %s: constraints; made by `heddle export`.\n"
      "# SPDX-License-Identifier: Apache-2.0\n"
      "# One clock. A quarter of its period is left for what is outside of the pins.\n"
      "create_clock -name clk -period %.3f [get_ports clk]\n"
      "set_input_delay -clock clk %.3f [remove_from_collection [all_inputs] [get_ports clk]]\n"
      "set_output_delay -clock clk %.3f [all_outputs]\n",
      x->name, period, period / 4, period / 4);
}

bool hd_export_is_grid(const struct hd_export *x)
{
  const enum hd_topology_kind kind = x->scenario.fabric.topology;
  return (kind == HD_TOPO_MESH || kind == HD_TOPO_TORUS) && x->scenario.fabric.shape.n_dims >= 2 &&
         x->topology.n_nodes == x->topology.n_switches;
}

void hd_export_links(const struct hd_export *x, struct hd_text *t)
{
  hd_graph_add_csv(&x->topology, t);
}

/* Adds the fabric inside and its links, by which the rules judge each switch. Streams have no headers. */
static void add_inside(const struct hd_export *x, struct hd_text *t)
{
  const struct hd_scenario *s = &x->scenario;
  const uint32_t ports = s->sw.ports, flit = 3 + x->vc_bits + s->sw.data_bits;
  if (!hd_export_is_grid(x))
    hd_text_add(t, "network: %s_links.csv\n", x->name);
  else
    for (uint32_t i = 0; i < s->fabric.shape.n_dims; i++)
      hd_text_add(t, "%s%s%" PRIu32 "%s", i ? "" : "network: ",
                  i                                    ? "x"
                  : s->fabric.topology == HD_TOPO_MESH ? "mesh "
                                                       : "torus ",
                  s->fabric.shape.dims[i], i + 1 < s->fabric.shape.n_dims ? "" : "\n");
  hd_text_add(
      t,
      "links:\n"
      "  valid: \"u_fabric.out_beat[{from}*%" PRIu32 "+{from_port}]\"\n"
      "  ready: \"u_fabric.out_beat[{from}*%" PRIu32 "+{from_port}]\"\n"
      "  tail: \"u_fabric.out_flit[({from}*%" PRIu32 "+{from_port})*%" PRIu32 "+%" PRIu32 "]\"\n"
      "  data: \"u_fabric.out_flit[({from}*%" PRIu32 "+{from_port})*%" PRIu32 "+:DATA_W]\"\n",
      ports, ports, ports, flit, s->sw.data_bits + x->vc_bits, ports, flit);
  if (s->sw.vcs > 1)
    hd_text_add(t,
                "  channels: %" PRIu32 "\n"
                "  vc: \"u_fabric.out_flit[({from}*%" PRIu32 "+{from_port})*%" PRIu32 "+%" PRIu32
                "+:%" PRIu32 "]\"\n",
                s->sw.vcs, ports, flit, s->sw.data_bits, x->vc_bits);
}

/* Cycles in which hd_export_loader writes the tables. */
static uint32_t load_cycles(const struct hd_export *x)
{
  uint32_t cycles = 0;
  for (size_t i = 0; i < x->n_rows; i++)
    cycles += x->rows[i].all ? x->scenario.sw.ports + 1 : 2;
  return cycles;
}

void hd_export_description(const struct hd_export *x, struct hd_text *t)
{
  const bool ordered = x->scenario.sw.vcs == 1 && hd_routing_is_fixed(&x->tables);
  hd_text_add(t,
              "# %s as a device under test of heddle run, sweep and check (docs/wrap.md).\n"
              "# SPDX-License-Identifier: Apache-2.0\n"
              "top: %s\n"
              "files: -f %s.f\n"
              "reset: {pin: rst, settle: %" PRIu32 "}  # until the tables are loaded\n"
              "flow: {kind: ready}\n",
              x->name, x->name, x->name, load_cycles(x) + 8);
  add_inside(x, t);
  hd_text_add(t,
              "ports:\n"
              "  count: %" PRIu32 "\n"
              "  in:\n"
              "    valid: s{port}_axis_tvalid\n"
              "    ready: s{port}_axis_tready\n"
              "    data: s{port}_axis_tdata:%" PRIu32 "\n"
              "    tail: s{port}_axis_tlast\n"
              "    dest: s{port}_axis_tdest:%" PRIu32 "\n"
              "  out:\n"
              "    valid: m{port}_axis_tvalid\n"
              "    ready: m{port}_axis_tready\n"
              "    data: m{port}_axis_tdata:%" PRIu32 "\n"
              "    tail: m{port}_axis_tlast\n",
              x->topology.n_nodes, x->scenario.sw.data_bits, x->node_bits,
              x->scenario.sw.data_bits);
  const char *promise = x->scenario.routing.algorithm == HD_ROUTE_DIMENSION_ORDER &&
                                x->scenario.fabric.topology == HD_TOPO_MESH && hd_export_is_grid(x)
                            ? "promises: dimension-order"
                            : "";
  if (!ordered)
    hd_text_add(t, "routing: {%s%sorder: none}  # channels and ways overtake each other\n", promise,
                *promise ? ", " : "");
  else if (*promise)
    hd_text_add(t, "routing: {%s}\n", promise);
  hd_text_add(t,
              "pins:\n"
              "  cfg_switch_i: %" PRIu32 "'d0\n"
              "  cfg_write_i: 1'b0\n"
              "  cfg_read_i: 1'b0\n"
              "  cfg_addr_i: 20'd0\n"
              "  cfg_wdata_i: 16'd0\n",
              x->switch_bits);
}

void hd_export_readme(const struct hd_export *x, struct hd_text *t)
{
  const struct hd_switch_params *sw = &x->scenario.sw;
  const char *name = x->name;
  hd_text_add(t,
              "# %s\n"
              "A network of %" PRIu32 " nodes and %" PRIu32 " switches (%" PRIu32
              " channels of %" PRIu32 " flits of %" PRIu32 " bits), made by `heddle export`.\n\n",
              name, x->topology.n_nodes, x->topology.n_switches, sw->vcs, sw->depth_flits,
              sw->data_bits);
  if (x->options->raw)
    hd_text_add(
        t, "Top `%s`: flits and credits at each node, bit n or slice n of each vector is node n.\n",
        name);
  else if (x->options->signatures)
    hd_text_add(t,
                "Top `%s`: the fabric with traffic on chip behind a serial line, which tells "
                "signatures of its switches; `%s_core` is the same with bytes at its port. "
                "`heddle board speed` compares them with the model's.\n",
                name, name);
  else
    hd_text_add(
        t,
        "Top `%s`: node n sends by `sN_axis_*`, to node `tdest`; it receives by `mN_axis_*`%s. "
        "A packet has at least one beat%s.\n",
        name, x->source_at ? ", from node `tid`" : "",
        sw->cut_flits ? ", and at most CUT_FLITS - 1" : "");
  hd_text_add(
      t,
      "`rst` is synchronous and active high. Routing tables are loaded after each reset, then "
      "`ready_o` is 1.\n"
      "Synthesis: the files of `%s.f`, `%s.sdc`; or `fusesoc --cores-root . run --target synth "
      "heddle:export:%s`.\n",
      name, name, name);
  if (x->options->signatures)
    hd_text_add(t,
                "Simulation: `iverilog -g2005 -f %s.f %s_tb.v -s %s_tb -o sim && vvp -N sim` ends "
                "with PASS; with `+from=C +to=C` it writes waves of these cycles.\n",
                name, name, name);
  else if (!x->options->raw)
    hd_text_add(t,
                "Simulation: `iverilog -g2005 -f %s_traffic.f %s_tb.v -s %s_tb -o sim && vvp -N "
                "sim` ends with PASS.\n",
                name, name, name);
  if (x->n_events)
    hd_text_add(t,
                "`%s_replay_tb.v` compares the fabric with Heddle's model in each of %" PRIu32
                " cycles (`-s %s_replay_tb`).\n",
                name, x->event_cycles, name);
}
