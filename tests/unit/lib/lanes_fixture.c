/* Fixtures for tests of bit lanes: a switch that has everything, and netlists of a few cells.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "lanes_fixture.h"

#include "../../../bridge/host/text.h"
#include "switch_set.h"

const struct hd_switch_params lanes_whole = {.ports = 2,
                                             .vcs = 2,
                                             .data_bits = 32,
                                             .depth_flits = 18,
                                             .nodes = 20,
                                             .route_cycles = 2,
                                             .arb_cycles = 2,
                                             .buffer_cycles = 1,
                                             .cut_flits = 2,
                                             .source_table = 1,
                                             .adaptive = 2,
                                             .barrier = 1,
                                             .groups = 1,
                                             .switches = 20,
                                             .code_places = 4,
                                             .code_cycles = 3};

const struct hd_switch_params lanes_few = SWITCH_SET(2, 1, 16, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0);

char *lanes_netlist(const char *cells)
{
  static const struct {
    const char *name;
    bool in;
    unsigned bits;
  } ports[] = {{"clk", true, 1},          {"rst", true, 1},           {"in_valid_i", true, 2},
               {"in_kind_i", true, 6},    {"in_vc_i", true, 2},       {"in_data_i", true, 32},
               {"in_credit_o", false, 2}, {"out_valid_o", false, 2},  {"out_kind_o", false, 6},
               {"out_vc_o", false, 2},    {"out_data_o", false, 32},  {"out_credit_i", true, 2},
               {"cfg_write_i", true, 1},  {"cfg_read_i", true, 1},    {"cfg_addr_i", true, 20},
               {"cfg_wdata_i", true, 16}, {"cfg_rdata_o", false, 16}, {"quiescent_o", false, 1}};
  struct hd_text text = {0};
  unsigned net = 10;
  hd_text_add(&text, "{\"modules\": {\"hd_switch\": {\"ports\": {");
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++) {
    hd_text_add(&text, "%s\"%s\": {\"direction\": \"%s\", \"bits\": [", i ? "," : "", ports[i].name,
                ports[i].in ? "input" : "output");
    for (unsigned b = 0; b < ports[i].bits; b++)
      hd_text_add(&text, "%s%u", b ? "," : "", !i ? 2 : ports[i].in ? net++ : 9);
    hd_text_add(&text, "]}");
  }
  hd_text_add(&text, "}, \"cells\": {%s}, \"netnames\": {}}}}\n", cells);
  return text.chars;
}
