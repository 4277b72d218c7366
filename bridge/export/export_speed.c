/* A fabric at speed (specification 9.7, 9.8): the exported fabric with traffic on chip, signatures of its switches, and
 * the link; and a bench that compares the signatures with the model's, without the link.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "export_internal.h"

#include "../host/memory.h"
#include "speed_model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY_WORDS = 4096, LEAST_BENCH_BITS = 6, LOAD = 64, BEATS = 4, GAP_BITS = 6 };

static uint32_t parameter(const struct hd_export *x, const char *key, uint32_t fallback)
{
  for (uint32_t i = 0; i < x->scenario.software.n_parameters; i++)
    if (!strcmp(x->scenario.software.parameters[i].key, key))
      return (uint32_t)x->scenario.software.parameters[i].number;
  return fallback;
}

uint32_t hd_export_speed_load(const struct hd_export *x)
{
  return parameter(x, "load_256", LOAD);
}

static uint32_t signatures_of(const struct hd_export *x)
{
  return hd_speed_signatures(&x->scenario, x->topology.n_switches);
}

/* Each window is copied into memory while the next one runs. The memory must hold four windows. */
static uint32_t memory_words(const struct hd_export *x)
{
  uint32_t words = MEMORY_WORDS;
  while (words < 4 * signatures_of(x))
    words *= 2;
  return words;
}

/* The cycles of the bench's windows are two to this power: at least one cycle for each
 * signature. */
static uint32_t window_bits(const struct hd_export *x)
{
  const uint32_t bits = hd_log2_ceil(signatures_of(x));
  return bits < LEAST_BENCH_BITS ? LEAST_BENCH_BITS : bits;
}

/* ── fabric, sources and sinks ─────────────────────────────────────────────── */

static void add_chip(const struct hd_export *x, struct hd_text *t)
{
  const struct hd_switch_params *sw = &x->scenario.sw;
  hd_text_add(t,
              "  // ── the fabric ──\n"
              "  localparam NODE_COUNT = %" PRIu32 ", VCS = %" PRIu32 ", VC_W = %" PRIu32
              ", DATA_W = %" PRIu32 ";\n"
              "  wire ready, fabric_rst, clear, step;\n"
              "  wire [32*SIGNATURES-1:0] signatures;\n",
              x->topology.n_nodes, sw->vcs, x->vc_bits, sw->data_bits);
  hd_export_node_wires(t);
  hd_text_add(t,
              "  wire [NODE_COUNT-1:0] in_barrier, out_barrier;\n"
              "  wire open;  // nodes may send\n"
              "  wire [15:0] rdata;\n"
              "  wire unused = &{1'b0, out_barrier, rdata};\n"
              "%s"
              "  %s u_fabric (\n"
              "      .clk(clk),\n"
              "      .rst(fabric_rst),\n"
              "      .ready_o(ready),\n",
              sw->barrier ? "" : "  assign {open, in_barrier} = {ready, {NODE_COUNT{1'b0}}};\n",
              x->fabric_name);
  hd_export_node_pins(t);
  if (sw->barrier)
    hd_text_add(t, "      .in_barrier_o(in_barrier),\n"
                   "      .out_barrier_i(out_barrier),\n"
                   "      .open_o(open),\n");
  hd_text_add(t, "      .clear_i(clear),\n"
                 "      .step_i(step),\n"
                 "      .signatures_o(signatures),\n");
  hd_export_idle_config(x, t);
  hd_text_add(t, "\n  );\n");
  hd_text_add(t,
              "  hd_export_nodes #(\n"
              "      .NODE_COUNT(NODE_COUNT),\n"
              "      .VCS(VCS),\n"
              "      .DATA_W(DATA_W),\n"
              "      .DEPTH(%" PRIu32 "),\n"
              "      .CUT_FLITS(%" PRIu32 "),\n"
              "      .NODE_W(%" PRIu32 "),\n"
              "      .SOURCE(%u),\n"
              "      .LOAD(%" PRIu32 "),\n"
              "      .BEATS(%" PRIu32 "),\n"
              "      .BARRIER(%" PRIu32 "),\n"
              "      .GAP(%" PRIu32 ")\n"
              "  ) u_nodes (\n"
              "      .clk(clk),\n"
              "      .rst(fabric_rst || !open),\n"
              "      .valid_o(in_valid),\n"
              "      .kind_o(in_kind),\n"
              "      .vc_o(in_vc),\n"
              "      .data_o(in_data),\n"
              "      .credit_i(in_credit),\n"
              "      .barrier_credit_i(in_barrier),\n"
              "      .valid_i(out_valid),\n"
              "      .kind_i(out_kind),\n"
              "      .vc_i(out_vc),\n"
              "      .data_i(out_data),\n"
              "      .credit_o(out_credit),\n"
              "      .barrier_credit_o(out_barrier)\n"
              "  );\n",
              sw->depth_flits, sw->cut_flits, x->node_bits, x->source_at != 0,
              hd_export_speed_load(x), parameter(x, "beats", BEATS), (uint32_t)sw->barrier,
              parameter(x, "gap_bits", GAP_BITS));
}

/* ── tops: bytes at the port, and a serial line ────────────────────────────── */

void hd_export_speed_core(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "the fabric at speed, with bytes at its port (9.7)", t);
  hd_text_add(
      t,
      "`default_nettype none\n\n"
      "module %s_core #(\n"
      "    parameter        CLOCK_KHZ = 50000,\n"
      "    parameter        WORDS     = %" PRIu32 ",  // signatures that are kept\n"
      "    parameter [63:0] BUILD     = 64'd0\n"
      ") (\n"
      "    input  wire       clk,\n"
      "    input  wire       rst,\n"
      "    // bytes in: taken at once; rx_lost_i: one was lost on its way\n"
      "    input  wire       rx_valid_i,\n"
      "    input  wire [7:0] rx_byte_i,\n"
      "    input  wire       rx_lost_i,\n"
      "    // bytes out: one is taken in a cycle with both\n"
      "    output wire       tx_valid_o,\n"
      "    input  wire       tx_ready_i,\n"
      "    output wire [7:0] tx_byte_o,\n"
      "    output wire       busy_o\n"
      ");\n\n"
      "  localparam SWITCH_COUNT = %" PRIu32 ", PORTS = %" PRIu32 ", SIGNATURES = %" PRIu32 ";\n",
      x->name, memory_words(x), x->topology.n_switches, x->scenario.sw.ports, signatures_of(x));
  add_chip(x, t);
  hd_text_add(t, "\n  hd_speed #(\n"
                 "      .SWITCHES(SWITCH_COUNT),\n"
                 "      .PORTS(PORTS),\n"
                 "      .DATA_W(DATA_W),\n"
                 "      .SIGNATURES(SIGNATURES),\n"
                 "      .WORDS(WORDS),\n"
                 "      .CLOCK_KHZ(CLOCK_KHZ),\n"
                 "      .BUILD(BUILD)\n"
                 "  ) u_speed (\n"
                 "      .clk(clk),\n"
                 "      .rst(rst),\n"
                 "      .rx_valid_i(rx_valid_i),\n"
                 "      .rx_byte_i(rx_byte_i),\n"
                 "      .rx_lost_i(rx_lost_i),\n"
                 "      .tx_valid_o(tx_valid_o),\n"
                 "      .tx_ready_i(tx_ready_i),\n"
                 "      .tx_byte_o(tx_byte_o),\n"
                 "      .fabric_rst_o(fabric_rst),\n"
                 "      .ready_i(ready),\n"
                 "      .clear_o(clear),\n"
                 "      .step_o(step),\n"
                 "      .signatures_i(signatures),\n"
                 "      .busy_o(busy_o)\n"
                 "  );\n\n"
                 "endmodule\n\n"
                 "`default_nettype wire\n");
}

void hd_export_speed_top(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "the fabric at speed behind a serial line (9.1, 9.7)", t);
  hd_text_add(t,
              "`default_nettype none\n\n"
              "module %s #(\n"
              "    parameter        CLOCK_KHZ      = %" PRIu32 ",\n"
              "    parameter        CLOCKS_PER_BIT = 25,  // at least 4\n"
              "    parameter        WORDS          = %" PRIu32 ",  // signatures that are kept\n"
              "    parameter [63:0] BUILD          = 64'h%016" PRIx64 "\n"
              ") (\n"
              "    input  wire clk,\n"
              "    input  wire rst,\n"
              "    input  wire line_i,\n"
              "    output wire line_o,\n"
              "    output wire busy_o\n"
              ");\n\n",
              x->name, x->options->clock_mhz * 1000, memory_words(x), x->top_build);
  hd_text_add(t,
              "  wire rx_valid, rx_lost, tx_valid, tx_ready;\n"
              "  wire [7:0] rx_byte, tx_byte;\n"
              "  hd_uart #(\n"
              "      .CLOCKS_PER_BIT(CLOCKS_PER_BIT)\n"
              "  ) u_uart (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .line_i(line_i),\n"
              "      .line_o(line_o),\n"
              "      .rx_valid_o(rx_valid),\n"
              "      .rx_byte_o(rx_byte),\n"
              "      .rx_lost_o(rx_lost),\n"
              "      .tx_valid_i(tx_valid),\n"
              "      .tx_ready_o(tx_ready),\n"
              "      .tx_byte_i(tx_byte)\n"
              "  );\n"
              "  %s_core #(\n"
              "      .CLOCK_KHZ(CLOCK_KHZ),\n"
              "      .WORDS(WORDS),\n"
              "      .BUILD(BUILD)\n"
              "  ) u_core (\n"
              "      .clk(clk),\n"
              "      .rst(rst),\n"
              "      .rx_valid_i(rx_valid),\n"
              "      .rx_byte_i(rx_byte),\n"
              "      .rx_lost_i(rx_lost),\n"
              "      .tx_valid_o(tx_valid),\n"
              "      .tx_ready_i(tx_ready),\n"
              "      .tx_byte_o(tx_byte),\n"
              "      .busy_o(busy_o)\n"
              "  );\n\n"
              "endmodule\n\n"
              "`default_nettype wire\n",
              x->name);
}

/* ── the bench ─────────────────────────────────────────────────────────────── */

int hd_export_sign(struct hd_export *x, struct hd_error *err)
{
  const uint32_t n = signatures_of(x), window = 1U << window_bits(x);
  struct hd_speed_model *model;
  int status = hd_speed_model_create(&model, &x->scenario, &x->topology, &x->tables, err);
  if (status)
    return status;
  x->n_windows = x->options->replay_cycles / window;
  x->signatures = hd_xcalloc((size_t)x->n_windows * n + 1, sizeof *x->signatures);
  for (uint32_t w = 0; w < x->n_windows && !status; w++) {
    status = hd_speed_model_run(model, window, err);
    if (!status)
      memcpy(x->signatures + (size_t)w * n, hd_speed_model_signatures(model),
             n * sizeof *x->signatures);
  }
  hd_speed_model_destroy(model);
  return status;
}

void hd_export_speed_hex(const struct hd_export *x, struct hd_text *t)
{
  const size_t n = (size_t)x->n_windows * signatures_of(x);
  for (size_t i = 0; i < n; i++)
    hd_text_add(t, "%08" PRIx32 "\n", x->signatures[i]);
}

/* Writes the bench. With +from=C and +to=C the bench also writes waves of these cycles. */
void hd_export_speed_bench(const struct hd_export *x, struct hd_text *t)
{
  hd_export_head(x, "the fabric at speed without its link: its signatures are the model's", t);
  hd_text_add(t,
              "`default_nettype none\n\n"
              "module %s_tb;\n\n"
              "  localparam SWITCH_COUNT = %" PRIu32 ", SIGNATURES = %" PRIu32
              ", WINDOWS = %" PRIu32 ", LOG2_WINDOW = %" PRIu32 ";\n"
              "  localparam WORDS = %" PRIu32 ", PER_SWITCH = SIGNATURES / SWITCH_COUNT;\n"
              "  reg clk = 1'b0;\n"
              "  always #5 clk = !clk;\n"
              "  reg rst = 1'b1, start = 1'b0;\n",
              x->name, x->topology.n_switches, signatures_of(x), x->n_windows, window_bits(x),
              memory_words(x));
  add_chip(x, t);
  hd_text_add(t, "  wire running, overrun;\n"
                 "  wire [31:0] complete, word;\n"
                 "  reg [31:0] at = 32'd0;\n"
                 "  hd_windows #(\n"
                 "      .SIGNATURES(SIGNATURES),\n"
                 "      .WORDS(WORDS)\n"
                 "  ) u_windows (\n"
                 "      .clk(clk),\n"
                 "      .rst(rst),\n"
                 "      .start_i(start),\n"
                 "      .first_i(48'd0),\n"
                 "      .k_i(LOG2_WINDOW[5:0]),\n"
                 "      .windows_i(WINDOWS),\n"
                 "      .running_o(running),\n"
                 "      .fabric_rst_o(fabric_rst),\n"
                 "      .ready_i(ready),\n"
                 "      .clear_o(clear),\n"
                 "      .step_o(step),\n"
                 "      .signatures_i(signatures),\n"
                 "      .given_i(at),\n"
                 "      .complete_o(complete),\n"
                 "      .overrun_o(overrun),\n"
                 "      .addr_i(at[$clog2(WORDS)-1:0]),\n"
                 "      .word_o(word)\n"
                 "  );\n\n");
  hd_text_add(t,
              "  reg [31:0] expected[0:WINDOWS*SIGNATURES-1];\n"
              "  initial $readmemh(\"%s_signatures.hex\", expected);\n"
              "  // waves of the fabric's cycles +from to +to\n"
              "  integer cycle = 0, from = 0, to = -1;\n"
              "  initial begin\n"
              "    if (!$value$plusargs(\"from=%%d\", from)) from = 0;\n"
              "    if ($value$plusargs(\"to=%%d\", to)) begin\n"
              "      $dumpfile(\"%s.vcd\");\n"
              "      $dumpvars(0, u_fabric, u_nodes);\n"
              "      if (from > 0) $dumpoff;\n"
              "    end\n"
              "  end\n"
              "  always @(posedge clk) if (ready === 1'b1 && fabric_rst === 1'b0) begin\n"
              "    cycle <= cycle + 1;\n"
              "    if (cycle + 1 == from && to >= 0) $dumpon;\n"
              "    if (cycle == to) begin\n"
              "      $display(\"waves of cycles %%0d to %%0d are in %s.vcd\", from, to);\n"
              "      $finish;\n"
              "    end\n"
              "  end\n\n",
              x->name, x->name, x->name);
  hd_text_add(t, "  reg there = 1'b0;  // word is that of `at`\n"
                 "  initial begin\n"
                 "    repeat (4) @(negedge clk);\n"
                 "    rst = 1'b0;\n"
                 "    start = 1'b1;\n"
                 "    @(negedge clk) start = 1'b0;\n"
                 "  end\n"
                 "  always @(negedge clk) if (!rst && to < 0) begin\n"
                 "    if (there) begin\n"
                 "      if (word !== expected[at]) begin\n"
                 "        $display(\"FAIL window %%0d, switch %%0d, signature %%0d: %%h, the model "
                 "has %%h\",\n"
                 "                 at / SIGNATURES, at %% SIGNATURES / PER_SWITCH, at %% "
                 "PER_SWITCH, word, expected[at]);\n"
                 "        $stop;\n"
                 "      end\n"
                 "      at = at + 32'd1;\n"
                 "      there = 1'b0;\n"
                 "    end else there = at < complete;\n"
                 "    if (overrun !== 1'b0) begin\n"
                 "      $display(\"FAIL a window was not taken\");\n"
                 "      $stop;\n"
                 "    end\n"
                 "    if (at == WINDOWS * SIGNATURES) begin\n"
                 "      $display(\"PASS %%0d windows of %%0d cycles, %%0d signatures as the model "
                 "has them\", WINDOWS,\n"
                 "               1 << LOG2_WINDOW, at);\n"
                 "      $finish;\n"
                 "    end\n"
                 "  end\n\n"
                 "endmodule\n\n"
                 "`default_nettype wire\n");
}
