/* The lists of switch parameters, registers and observed states (cmodel/switch/).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../../cmodel/switch/switch.h"
#include "../lib/test.h"

static const struct hd_switch_params legal = {.ports = 5,
                                              .vcs = 3,
                                              .data_bits = 64,
                                              .depth_flits = 64,
                                              .nodes = 2048,
                                              .route_cycles = 2,
                                              .arb_cycles = 1,
                                              .buffer_cycles = 1,
                                              .cut_flits = 63,
                                              .source_table = 1,
                                              .adaptive = HD_ADAPTIVE_COUNT,
                                              .barrier = HD_BARRIER_RESERVED,
                                              .groups = 32,
                                              .switches = 2047,
                                              .code_places = 8,
                                              .code_cycles = 63};

static const struct hd_switch_params computed = {.ports = 5,
                                                 .vcs = 2,
                                                 .data_bits = 32,
                                                 .depth_flits = 4,
                                                 .nodes = 4096,
                                                 .arb_cycles = 1,
                                                 .route = HD_ROUTE_BY_TORUS,
                                                 .fields = 0x41};

TEST(a_parameter_out_of_range_is_refused_by_name)
{
  size_t refused = 0;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    const uint32_t bad[] = {d->low - 1, d->high + 1};
    for (size_t k = 0; k < 2; k++) {
      struct hd_switch_params p = d->part == HD_PART_COMPUTED ? computed : legal;
      hd_switch_param_set(&p, i, bad[k]);
      if (!hd_switch_param_used(&p, i)) /* ROUTE 0 is how it has none */
        continue;
      must_fail(hd_switch_params_check(&p, &why), HD_E_INPUT, d->name);
      refused++;
    }
  }
  assert_true(refused >= 2 * HD_SWITCH_PARAMS - 1);
  assert_int_equal(hd_switch_params_check(&legal, NULL), 0);
  assert_int_equal(hd_switch_params_check(&computed, NULL), 0);
}

/* Parameters that only a switch with tables may have, and those that only a switch that computes
 * routes may have (§12.1). */
TEST(switches_with_tables_and_with_computed_routes_have_different_ranges)
{
  static const struct {
    const char *name, *expected_message;
    uint32_t value, route;
  } cases[] = {
      {"nodes", "must be 2 to 2048 where switches have routing tables", 2049, HD_ROUTE_BY_TABLE},
      {"route_cycles", "must be 1 or 2 where switches have", 0, HD_ROUTE_BY_TABLE},
      {"adaptive", "must be 0 where switches compute routes", 1, HD_ROUTE_BY_TORUS},
      {"source_table", "must be 0 with route 2: only digits (4)", 1, HD_ROUTE_BY_TORUS},
      {"source_table", "must be 0 with route 3", 1, HD_ROUTE_BY_HYPERCUBE},
      {"fields", "is 0x102; bit 0 must be 1", 0x102, HD_ROUTE_BY_MESH},
      {"fields", "those from bit 12 on 0, for there are 4096 nodes", 0x1001, HD_ROUTE_BY_MESH},
      {"fields", "switch parameter ports is 5, must be 7 or more: fields has 3 dimensions", 0x111,
       HD_ROUTE_BY_TORUS},
      {"ports", "must be 13 or more: a hypercube of 4096 nodes", 12, HD_ROUTE_BY_HYPERCUBE},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct hd_switch_params p = computed;
    p.ports = cases[i].route == HD_ROUTE_BY_HYPERCUBE ? 13 : 5;
    p.route = cases[i].route;
    p.nodes = p.route ? 4096 : 2048;
    p.route_cycles = p.route ? 0 : 1;
    must(hd_switch_params_check(&p, &why));
    for (size_t k = 0; k < HD_SWITCH_PARAMS; k++)
      if (!strcmp(hd_switch_param_list[k].name, cases[i].name))
        hd_switch_param_set(&p, k, cases[i].value);
    must_fail(hd_switch_params_check(&p, &why), HD_E_INPUT, cases[i].expected_message);
  }
}

TEST(data_bits_other_than_16_32_or_64_are_refused)
{
  struct hd_switch_params p = legal;
  p.data_bits = 48;
  must_say(hd_switch_params_check(&p, &why), HD_E_INPUT,
           "switch parameter data_bits is 48, must be 16, 32 or 64");
}

TEST(a_plain_switch_has_no_barrier_parameters)
{
  struct hd_switch_params p = legal;
  p.barrier = HD_BARRIER_NONE;
  p.groups = p.switches = 0;
  assert_int_equal(hd_switch_params_check(&p, NULL), 0);
  p.groups = 7;
  assert_int_equal(hd_register_of_params(&p, HD_CFG_BARRIER), 0);
}

/* The coder is one more input port, and its field stands beside the header (§11.1). */
TEST(a_coder_needs_a_free_port_and_header_bits)
{
  struct hd_switch_params p = legal;
  p.source_table = 0;
  p.nodes = 16; /* 2 + 4 bits */
  p.data_bits = 16;
  p.barrier = HD_BARRIER_NONE;
  p.code_places = 16; /* 6 + 4 bits */
  assert_int_equal(hd_switch_params_check(&p, NULL), 0);
  p.code_places = 17;
  must_say(hd_switch_params_check(&p, &why), HD_E_INPUT,
           "a header for 16 nodes and 17 code_places takes 17 bits, but "
           "data_bits is 16: use 32");
  p.code_places = 16;
  p.nodes = 17;
  assert_int_equal(hd_switch_params_check(&p, &why), HD_E_INPUT);
  p.code_places = 0;
  p.code_cycles = 64; /* not looked at */
  assert_int_equal(hd_switch_params_check(&p, NULL), 0);
  assert_int_equal(hd_register_of_params(&p, HD_CFG_CODER), 0);
  p.code_places = 1; /* PLACE_W is 1 all the same */
  p.code_cycles = 0;
  assert_int_equal(hd_switch_params_check(&p, NULL), 0);
  p.source_table = 1;
  assert_int_equal(hd_switch_params_check(&p, &why), HD_E_INPUT);
  p.source_table = 0;
  p.ports = 15;
  assert_int_equal(hd_switch_params_check(&p, NULL), 0);
  p.ports = 16;
  must_say(hd_switch_params_check(&p, &why), HD_E_INPUT,
           "switch parameter ports is 16, must be 2 to 15 with code_places 1: "
           "the coder is one more input port");
}

/* Each parameter alone at its largest value: what registers show is that value and nothing else. */
TEST(registers_show_every_parameter)
{
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    struct hd_switch_params p = {.nodes = 2, .barrier = 1, .code_places = 1, .route = 1}, shown;
    uint16_t values[HD_REGISTERS];
    hd_switch_param_set(&p, i, d->high);
    for (uint32_t r = 0; r < HD_REGISTERS; r++)
      values[r] = hd_register_of_params(&p, r);
    hd_params_of_registers(&shown, values);
    assert_memory_equal(&shown, &p, sizeof p);
    assert_true(hd_register_list[d->reg].access == HD_ACCESS_READ);
    if (hd_register_list[d->reg].part != HD_PART_PLAIN) /* WIDTH shows ROUTE, too */
      assert_int_equal(hd_register_list[d->reg].part, d->part);
  }
}

TEST(registers_are_listed_by_address)
{
  for (uint32_t r = 0; r < HD_REGISTERS; r++) {
    assert_non_null(hd_register_list[r].name);
    assert_int_equal(hd_register_list[r].address, r);
  }
  assert_int_equal(hd_register_of_params(&legal, HD_CFG_ID), 0x4844);
  assert_int_equal(hd_register_of_params(&legal, HD_CFG_ERRORS), 0);
}

TEST(barrier_kinds_and_error_bits_have_names)
{
  assert_string_equal(hd_barrier_name(HD_BARRIER_NONE), "none");
  assert_string_equal(hd_barrier_name(HD_BARRIER_RESERVED), "reserved");
  assert_null(hd_barrier_name(HD_BARRIER_KINDS));
  assert_string_equal(hd_error_bit_name(0), "overflow");
  assert_string_equal(hd_error_bit_name(HD_ERROR_BITS - 1), "incomplete");
  assert_string_equal(hd_error_bit_name(HD_ERROR_BITS), "?");
  for (uint32_t bit = 0; bit < HD_ERROR_BITS; bit++)
    assert_non_null(hd_error_bit_name(bit));
}

/* Every byte of a view belongs to one state: set alone, it is what that state's name reads. */
TEST(every_byte_of_the_observed_state_has_a_name)
{
  const struct hd_switch_params p = {.ports = HD_MAX_PORTS,
                                     .vcs = HD_MAX_VCS,
                                     .adaptive = HD_ADAPTIVE_COUNT,
                                     .barrier = 1,
                                     .code_places = 1};
  struct hd_switch_view view;
  uint8_t *bytes = (uint8_t *)&view;
  size_t named = 0;
  for (size_t i = 0; i < HD_STATES; i++) {
    struct hd_state_count n = hd_state_count(&hd_state_list[i], &p);
    for (unsigned port = 0; port < n.ports; port++)
      for (unsigned vc = 0; vc < n.vcs; vc++) {
        char name[HD_STATE_NAME];
        unsigned found_port, found_vc;
        hd_state_name(name, &hd_state_list[i], port, vc);
        assert_ptr_equal(hd_state_find(name, &found_port, &found_vc), &hd_state_list[i]);
        assert_int_equal(found_port, port);
        assert_int_equal(found_vc, vc);
        named += hd_state_list[i].bits > 8 ? 2 : 1;
        memset(&view, 0, sizeof view);
        size_t seen = 0;
        for (size_t b = 0; b < sizeof view; b++) {
          bytes[b] = 1;
          seen += hd_switch_view_get(&view, &hd_state_list[i], found_port, found_vc) != 0;
          bytes[b] = 0;
        }
        assert_int_equal(seen, hd_state_list[i].bits > 8 ? 2 : 1);
      }
  }
  assert_in_range(named, sizeof view - 1, sizeof view); /* there may be a byte of padding */
}

TEST(unknown_names_of_states_are_not_found)
{
  static const char *const names[] = {"",
                                      "occupancy",
                                      "in[0].occupancy",
                                      "in[16].next",
                                      "in[0].vc[8].state",
                                      "in[0].vc[0].states",
                                      "unit.credit"};
  unsigned port, vc;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    assert_null(hd_state_find(names[i], &port, &vc));
}
