/* Runs the scenario on the model, keeps the events at nodes' pins, and writes the bench that replays them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model records events at the ports of switches. The pins of a node are LINK - 1 cycles before
 * its switch's input, and LINK - 1 cycles after its output (§1.5).
 */
#include "export_internal.h"

#include "../host/memory.h"
#include "../run/software.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_event(struct hd_export *x, const struct export_event *event)
{
  HD_XROOM(x->events, x->events_capacity, x->n_events, 1);
  x->events[x->n_events++] = *event;
  x->flits_out += event->what == EXPORT_FLIT_OUT;
}

/* Keeps an event at port `peer` of a switch if a node is there and the cycle is replayed. */
static void add_node_event(struct hd_export *x, const struct hd_peer *peer,
                           struct export_event event)
{
  const uint32_t stages = x->scenario.fabric.link_cycles - 1;
  const bool into = event.what == EXPORT_FLIT_IN || event.what == EXPORT_CREDIT_IN;
  if (peer->kind != HD_PEER_NODE)
    return;
  event.node = peer->index;
  event.cycle = into ? event.cycle - stages : event.cycle + stages;
  if (event.cycle < x->event_cycles)
    add_event(x, &event);
}

static void keep_switch(struct hd_export *x, uint32_t sw, const struct hd_switch_record *r)
{
  const struct hd_topology *t = &x->topology;
  const struct hd_peer *to = t->peers + (size_t)sw * t->ports,
                       *from = t->senders + (size_t)sw * t->ports;
  for (uint32_t i = 0; i < r->n_flits_in; i++) {
    const struct hd_flit_event *e = &r->flits_in[i];
    add_node_event(x, &from[e->port],
                   (struct export_event){.cycle = e->cycle,
                                         .what = EXPORT_FLIT_IN,
                                         .kind = e->kind,
                                         .vc = e->vc,
                                         .data = e->data});
  }
  for (uint32_t i = 0; i < r->n_flits_out; i++) {
    const struct hd_flit_event *e = &r->flits_out[i];
    add_node_event(x, &to[e->port],
                   (struct export_event){.cycle = e->cycle,
                                         .what = EXPORT_FLIT_OUT,
                                         .kind = e->kind,
                                         .vc = e->vc,
                                         .data = e->data});
  }
  for (uint32_t i = 0; i < r->n_credits_in; i++) {
    const struct hd_credit_event *e = &r->credits_in[i];
    add_node_event(
        x, &to[e->port],
        (struct export_event){.cycle = e->cycle, .what = EXPORT_CREDIT_IN, .vc = e->vcs});
  }
  for (uint32_t i = 0; i < r->n_credits_out; i++) {
    const struct hd_credit_event *e = &r->credits_out[i];
    if (e->vcs) /* without channels the event is only a count, which nodes do not have */
      add_node_event(
          x, &from[e->port],
          (struct export_event){.cycle = e->cycle, .what = EXPORT_CREDIT_OUT, .vc = e->vcs});
  }
}

static int by_cycle(const void *a, const void *b)
{
  const struct export_event *x = a, *y = b;
  if (x->cycle != y->cycle)
    return x->cycle < y->cycle ? -1 : 1;
  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return (x->what > y->what) - (x->what < y->what);
}

static int play(struct hd_export *x, struct hd_fabric *fabric, struct hd_software *software,
                struct hd_record *record, struct hd_error *err)
{
  const uint32_t stages = x->scenario.fabric.link_cycles - 1;
  uint32_t cycles = x->options->replay_cycles;
  int status = HD_OK;
  if (cycles > x->scenario.run.cycles)
    cycles = (uint32_t)x->scenario.run.cycles;
  hd_fabric_record_begin(fabric, record);
  for (uint32_t cycle = 0; cycle < cycles && !status; cycle++) {
    status = hd_software_begin(software, fabric, cycle, err);
    if (!status)
      status = hd_fabric_step(fabric, err);
    if (!status)
      status = hd_software_end(software, fabric, cycle, err);
  }
  const int ended = hd_fabric_record_end(fabric, err);
  status = status ? status : ended;
  /* For the last cycles the record lacks what nodes receive: it is still on the links. */
  x->event_cycles = cycles > stages ? cycles - stages : 0;
  for (uint32_t sw = 0; sw < x->topology.n_switches && !status; sw++)
    keep_switch(x, sw, &record->switches[sw]);
  qsort(x->events, x->n_events, sizeof *x->events, by_cycle);
  return status;
}

int hd_export_run(struct hd_export *x, struct hd_error *err)
{
  const struct hd_fabric_params params = hd_scenario_fabric(&x->scenario);
  struct hd_software_params software_params;
  struct hd_software *software = NULL;
  struct hd_fabric *fabric = NULL;
  struct hd_record record = {0};
  hd_software_of_scenario(&software_params, &x->scenario, &x->topology, &x->tables);
  int status = hd_software_create(&software, &software_params, err);
  if (!status)
    status = hd_fabric_create(&fabric, &params, &x->topology, &x->tables, err);
  if (!status && hd_record_init(&record, x->topology.n_switches))
    hd_memory_end();
  if (!status)
    status = play(x, fabric, software, &record, err);
  hd_record_fini(&record);
  hd_fabric_destroy(fabric);
  hd_software_destroy(software);
  if (!status && !x->flits_out)
    return hd_fail(err, HD_E_INPUT,
                   "%s: no flit reaches a node in the first %" PRIu32
                   " cycles, so there is nothing that a bench could compare; say --replay with "
                   "more cycles, or --replay 0 for no such bench",
                   x->options->scenario, x->event_cycles);
  return status;
}

/* ── the files ─────────────────────────────────────────────────────────────── */

void hd_export_events(const struct hd_export *x, struct hd_text *t)
{
  for (size_t i = 0; i < x->n_events; i++) {
    const struct export_event *e = &x->events[i];
    hd_text_add(t, "%08" PRIx32 "%x%04" PRIx32 "%x%02x%016" PRIx64 "\n", e->cycle, e->what, e->node,
                e->kind, e->vc, e->data);
  }
}

void hd_export_replay_bench(const struct hd_export *x, struct hd_text *t)
{
  static const char *const pins[] = {"in_valid_o",  "in_kind_o",    "in_vc_o",    "in_data_o",
                                     "in_credit_i", "out_valid_i",  "out_kind_i", "out_vc_i",
                                     "out_data_i",  "out_credit_o", NULL};
  hd_export_head(x, "the scenario's run as the model has it, compared in each cycle", t);
  hd_text_add(t,
              "`default_nettype none\n\n"
              "module %s_replay_tb;\n\n"
              "  localparam NODE_COUNT = %" PRIu32 ", VCS = %" PRIu32 ", VC_W = %" PRIu32
              ", DATA_W = %" PRIu32 ";\n"
              "  reg clk = 1'b0;\n"
              "  always #5 clk = !clk;\n"
              "  wire rst, ready;\n",
              x->name, x->topology.n_nodes, x->scenario.sw.vcs, x->vc_bits,
              x->scenario.sw.data_bits);
  hd_export_node_wires(t);
  hd_text_add(t,
              "  wire [15:0] rdata;\n\n"
              "  hd_export_replay #(\n"
              "      .NODE_COUNT(NODE_COUNT),\n"
              "      .VCS(VCS),\n"
              "      .VC_W(VC_W),\n"
              "      .DATA_W(DATA_W),\n"
              "      .ROWS(%zu),\n"
              "      .CYCLES(%" PRIu32 "),\n"
              "      .FILE(\"%s_replay.hex\")\n"
              "  ) u_replay (\n"
              "      .clk(clk),\n"
              "      .ready_i(ready),\n"
              "      .rst_o(rst)",
              x->n_events, x->event_cycles, x->name);
  for (size_t i = 0; pins[i]; i++)
    hd_text_add(t, ",\n      .%s(%.*s)", pins[i], (int)strlen(pins[i]) - 2, pins[i]);
  hd_text_add(t,
              "\n  );\n\n"
              "  %s u_fabric (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .ready_o(ready),\n",
              x->fabric_name);
  hd_export_node_pins(t);
  hd_export_idle_config(x, t);
  hd_text_add(t, "\n  );\n\n"
                 "endmodule\n\n"
                 "`default_nettype wire\n");
}
