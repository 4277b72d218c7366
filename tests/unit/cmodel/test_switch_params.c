/* The lists of switch parameters and registers (cmodel/switch/params.h, registers.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../../../cmodel/switch/registers.h"

static const struct hd_switch_params legal = {.ports = 5,
                                              .vcs = 3,
                                              .data_bits = 32,
                                              .depth_flits = 64,
                                              .nodes = 2048,
                                              .route_cycles = 2,
                                              .arb_cycles = 1,
                                              .buffer_cycles = 1,
                                              .cut_flits = 63,
                                              .source_table = 1,
                                              .barrier = HD_BARRIER_RESERVED,
                                              .groups = 32,
                                              .switches = 2047};

static void what_is_out_of_range_is_refused_by_name(void **state)
{
  (void)state;
  size_t refused = 0;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    const uint32_t bad[] = {d->low - 1, d->high + 1};
    for (size_t k = 0; k < 2; k++) {
      struct hd_switch_params p = legal;
      struct hd_error err = {""};
      hd_switch_param_set(&p, i, bad[k]);
      assert_int_equal(hd_switch_params_check(&p, &err), HD_E_INPUT);
      assert_non_null(strstr(err.text, d->name));
      refused++;
    }
  }
  assert_int_equal(refused, 2 * HD_SWITCH_PARAMS);
  assert_int_equal(hd_switch_params_check(&legal, NULL), 0);
}

static void data_bits_are_powers(void **state)
{
  (void)state;
  struct hd_switch_params p = legal;
  struct hd_error err;
  p.data_bits = 48;
  assert_int_equal(hd_switch_params_check(&p, &err), HD_E_INPUT);
  assert_string_equal(err.text, "switch parameter data_bits is 48, must be 16, 32 or 64");
}

static void a_plain_switch_has_no_barrier_parameters(void **state)
{
  (void)state;
  struct hd_switch_params p = legal;
  p.barrier = HD_BARRIER_NONE;
  p.groups = p.switches = 0;
  assert_int_equal(hd_switch_params_check(&p, NULL), 0);
  p.groups = 7;
  assert_int_equal(hd_register_of_params(&p, HD_CFG_BARRIER), 0);
}

/* Each parameter alone at its largest value: what registers show is that value and nothing else. */
static void registers_show_every_parameter(void **state)
{
  (void)state;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    struct hd_switch_params p = {.barrier = 1}, shown;
    uint16_t values[HD_REGISTERS];
    hd_switch_param_set(&p, i, d->high);
    for (uint32_t r = 0; r < HD_REGISTERS; r++)
      values[r] = hd_register_of_params(&p, r);
    hd_params_of_registers(&shown, values);
    assert_memory_equal(&shown, &p, sizeof p);
    assert_true(hd_register_list[d->reg].access == HD_ACCESS_READ);
    assert_int_equal(hd_register_list[d->reg].part, d->part);
  }
}

static void registers_are_listed_by_address(void **state)
{
  (void)state;
  for (uint32_t r = 0; r < HD_REGISTERS; r++) {
    assert_non_null(hd_register_list[r].name);
    assert_int_equal(hd_register_list[r].address, r);
  }
  assert_int_equal(hd_register_of_params(&legal, HD_CFG_ID), 0x4844);
  assert_int_equal(hd_register_of_params(&legal, HD_CFG_ERRORS), 0);
}

static void every_number_has_its_name(void **state)
{
  (void)state;
  assert_string_equal(hd_barrier_name(HD_BARRIER_NONE), "none");
  assert_string_equal(hd_barrier_name(HD_BARRIER_RESERVED), "reserved");
  assert_string_equal(hd_barrier_name(HD_BARRIER_KINDS), "?");
  assert_string_equal(hd_error_bit_name(0), "overflow");
  assert_string_equal(hd_error_bit_name(HD_ERROR_BITS - 1), "unreachable");
  assert_string_equal(hd_error_bit_name(HD_ERROR_BITS), "?");
  for (uint32_t bit = 0; bit < HD_ERROR_BITS; bit++)
    assert_non_null(hd_error_bit_name(bit));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_out_of_range_is_refused_by_name),
      cmocka_unit_test(data_bits_are_powers),
      cmocka_unit_test(a_plain_switch_has_no_barrier_parameters),
      cmocka_unit_test(registers_show_every_parameter),
      cmocka_unit_test(registers_are_listed_by_address),
      cmocka_unit_test(every_number_has_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
