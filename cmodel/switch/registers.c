/* Registers of a switch: their list, and the parameters that they show (specification §3.3, §8.6).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "registers.h"

const struct hd_register hd_register_list[HD_REGISTERS] = {
#define REGISTER(NAME, address, access, part, section, about) \
  [address] = {#NAME, address, HD_ACCESS_##access, HD_PART_##part},
    HD_REGISTER_LIST(REGISTER)
#undef REGISTER
};

const char *hd_register_name(uint32_t address)
{
  return address < HD_REGISTERS ? hd_register_list[address].name : "no register";
}

uint16_t hd_register_of_params(const struct hd_switch_params *params, uint32_t address)
{
  uint32_t value = address == HD_CFG_ID        ? HD_REGISTER_ID
                   : address == HD_CFG_VERSION ? HD_REGISTER_VERSION
                                               : 0;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (hd_switch_param_list[i].reg == address && hd_switch_param_used(params, i))
      value |= hd_switch_param_get(params, i) << hd_switch_param_list[i].shift;
  return (uint16_t)value;
}

void hd_params_of_registers(struct hd_switch_params *params, const uint16_t values[HD_REGISTERS])
{
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++) {
    const struct hd_switch_param *d = &hd_switch_param_list[i];
    hd_switch_param_set(params, i, values[d->reg] >> d->shift & ((1u << d->bits) - 1));
  }
  if (params->route && !params->nodes) /* §3.3 */
    params->nodes = HD_MAX_COMPUTED_NODES;
}

const char *hd_error_bit_name(uint32_t bit)
{
#define BIT(NAME, name, bit, part) [bit] = #name,
  static const char *const names[HD_ERROR_BITS] = {HD_ERROR_BIT_LIST(BIT)};
#undef BIT
  return bit < HD_ERROR_BITS ? names[bit] : "?";
}
