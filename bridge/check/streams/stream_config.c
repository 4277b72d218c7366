/* Writes and reads the configuration port before and after streams: tables, addresses beyond their ends, registers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stream_config.h"

void hd_stream_leave_to_source(struct stream *s, uint64_t seed)
{
  for (uint32_t i = 0; s->params.source_table && i < s->n_tables; i++)
    if (s->tables[i].addr >> 16 == HD_CFG_DESTINATION(0, 0) >> 16 && hd_mix64(seed + i) & 1)
      s->tables[i].data &= 0xefff;
}

/* Does a reset keep the register (§12.6)? */
static bool outlives_reset(uint32_t address)
{
  return address >= HD_CFG_OWN && address <= HD_CFG_DIGITS;
}

int hd_stream_configure_registers(const struct stream *s, const struct stream_side *side,
                                  struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; !status && i < s->n_tables; i++)
    if ((s->tables[i].addr < HD_CFG_DESTINATION(0, 0) && !outlives_reset(s->tables[i].addr)) ||
        s->tables[i].addr >= HD_CFG_PLACE(0))
      status = side->ops->config_write(side->dut, 0, s->tables[i].addr, s->tables[i].data, err);
  return status;
}

/* Returns the next row beyond a table's end that is tried; `first` is the first such row. The first 32 rows are all tried,
 * then fewer and fewer, because a thousand writes would take longer than the whole stream. */
static uint32_t next_outside(uint32_t row, uint32_t first)
{
  return row + 1 + (row - first) / 32;
}

static int configure_row(const struct stream_side *side, uint32_t port, uint32_t row,
                         uint16_t entry, struct hd_error *err)
{
  int status = side->ops->config_write(side->dut, 0, HD_CFG_DESTINATION(port, row), entry, err);
  return status ? status
                : side->ops->config_write(side->dut, 0, HD_CFG_SOURCE(port, row), entry, err);
}

/* Writes outside the tables of chapter 10: port sets that would change a packet's way, and generators that do not exist. */
static int configure_outside_sets(const struct stream_side *side, const struct hd_switch_params *p,
                                  uint64_t seed, struct hd_error *err)
{
  uint32_t rows = 1u << hd_log2_ceil(p->nodes);
  int status = 0;
  for (uint32_t port = 0; !status && port < HD_MAX_PORTS; port++) {
    for (uint32_t bit = 1; !status && bit < 0x1000; bit <<= 1)
      status = side->ops->config_write(side->dut, 0, HD_CFG_GENERATOR(port) | bit, 0x5a5a, err);
    for (uint32_t row = p->nodes; !status && row < rows + 2 && row < 0xfff;
         row = next_outside(row, p->nodes))
      status = side->ops->config_write(side->dut, 0, HD_CFG_PORT_SET(port, row), 1, err);
    for (uint32_t bit = rows; !status && bit < 0x1000; bit <<= 1)
      status = side->ops->config_write(
          side->dut, 0, HD_CFG_PORT_SET(port, bit | (uint32_t)(seed % p->nodes)), 1, err);
    if (!status && port >= p->ports)
      status = side->ops->config_write(side->dut, 0, HD_CFG_GENERATOR(port), 0xa5a5, err);
    if (!status && port >= p->ports)
      status = side->ops->config_write(side->dut, 0,
                                       HD_CFG_PORT_SET(port, (uint32_t)(seed % p->nodes)), 1, err);
  }
  return status;
}

/* Writes outside the coder's places (§11.3): a place that took the write would be closed. */
static int configure_outside_places(const struct stream_side *side,
                                    const struct hd_switch_params *p, uint64_t seed,
                                    struct hd_error *err)
{
  uint32_t rows = 1u << hd_place_bits(p);
  int status = 0;
  if (!p->code_places)
    return 0;
  for (uint32_t place = p->code_places; !status && place < rows + 2;
       place = next_outside(place, p->code_places))
    status = side->ops->config_write(side->dut, 0, HD_CFG_PLACE(place), 0, err);
  for (uint32_t bit = rows; !status && bit < 0x10000; bit <<= 1)
    status = side->ops->config_write(side->dut, 0,
                                     HD_CFG_PLACE(bit | (uint32_t)(seed % p->code_places)), 0, err);
  return status;
}

/* Writes outside the barrier routing table (§8.6). */
static int configure_outside_ways(const struct stream_side *side, const struct hd_switch_params *p,
                                  uint64_t seed, struct hd_error *err)
{
  uint32_t rows = 1u << hd_log2_ceil(p->switches), base = HD_CFG_BARRIER_WAY(0);
  uint16_t all = (uint16_t)((1u << p->ports) - 1);
  int status = 0;
  if (!p->barrier)
    return 0;
  for (uint32_t sw = p->switches; !status && sw < rows + 2 && sw < 0xfff;
       sw = next_outside(sw, p->switches))
    status = side->ops->config_write(side->dut, 0, base | sw, all, err);
  for (uint32_t bit = rows; !status && bit < 0x100000; bit <<= 1)
    if (!(base & bit))
      status = side->ops->config_write(side->dut, 0, base | bit | (uint32_t)(seed % p->switches), 1,
                                       err);
  return status;
}

/* Writes outside the tree table and the register CAST (§13.3). */
static int configure_outside_trees(const struct stream_side *side, const struct hd_switch_params *p,
                                   uint64_t seed, struct hd_error *err)
{
  uint16_t all = (uint16_t)((1u << p->ports) - 1);
  int status = 0;
  if (!p->trees)
    return 0;
  for (uint32_t tree = p->trees; !status && tree < 2 * HD_MAX_TREES; tree++)
    status = side->ops->config_write(side->dut, 0, HD_CFG_TREE(tree), all, err);
  for (uint32_t bit = 2 * HD_MAX_TREES; !status && bit < 0x10000; bit <<= 1) {
    uint32_t tree = HD_CFG_TREE((uint32_t)(seed % p->trees)) | bit;
    status = side->ops->config_write(side->dut, 0, tree, all, err);
    if (!status)
      status = side->ops->config_write(side->dut, 0, HD_CFG_CAST | bit, seed >> 8 & 7, err);
  }
  return status;
}

/* Writes to registers that can only be read, and to addresses without a register. */
static int configure_outside_registers(const struct stream_side *side, uint64_t seed,
                                       struct hd_error *err)
{
  int status = 0;
  for (uint32_t i = 0; !status && i < 32; i++)
    if (i >= HD_REGISTERS || hd_register_list[i].access == HD_ACCESS_READ)
      status = side->ops->config_write(side->dut, 0, i, (uint16_t)(seed >> i), err);
  return status;
}

int hd_stream_configure_outside(const struct stream_side *side, const struct hd_switch_params *p,
                                uint64_t seed, struct hd_error *err)
{
  uint32_t rows = 1u << hd_log2_ceil(p->nodes);
  uint16_t entry = hd_table_entry(p->ports - 1, (1u << p->vcs) - 1);
  int status = 0;
  for (uint32_t port = 0; !status && port < p->ports; port++) {
    for (uint32_t row = p->nodes; !status && row < rows + 2 && row < 0xfff;
         row = next_outside(row, p->nodes))
      status = configure_row(side, port, row, entry, err);
    for (uint32_t bit = rows; !status && bit < 0x1000; bit <<= 1)
      status = configure_row(side, port, bit | (uint32_t)(seed % p->nodes), entry, err);
  }
  for (uint32_t port = p->ports; !status && port < HD_MAX_PORTS; port++)
    status = configure_row(side, port, (uint32_t)(seed % p->nodes), entry, err);
  if (!status)
    status = configure_outside_sets(side, p, seed, err);
  if (!status)
    status = configure_outside_places(side, p, seed, err);
  if (!status)
    status = configure_outside_trees(side, p, seed, err);
  if (!status)
    status = configure_outside_registers(side, seed, err);
  return status ? status : configure_outside_ways(side, p, seed, err);
}

int hd_stream_configure_countdown(const struct stream_side *side, uint32_t part,
                                  struct hd_error *err)
{
  static const uint16_t counts[] = {2048, 1024 + 256, 512, 4095};
  const struct hd_config_event writes[] = {{.addr = HD_CFG_SELF, .data = 1},
                                           {.addr = HD_CFG_CENTER, .data = 1},
                                           {.addr = HD_CFG_COUNT, .data = counts[part % 4]},
                                           {.addr = HD_CFG_LOCAL, .data = 0},
                                           {.addr = HD_CFG_OPEN, .data = 0}};
  int status = 0;
  for (size_t i = 0; !status && i < sizeof writes / sizeof *writes; i++)
    status = side->ops->config_write(side->dut, 0, writes[i].addr, writes[i].data, err);
  return status;
}

static int compare_register(const struct stream_side sides[2], uint32_t addr, uint64_t *compared,
                            struct stream_register *first, struct hd_error *err)
{
  uint16_t want = 0, got = 0;
  int status = sides[0].ops->config_read(sides[0].dut, 0, addr, &want, err);
  if (!status)
    status = sides[1].ops->config_read(sides[1].dut, 0, addr, &got, err);
  ++*compared;
  if (want != got && !first->differs)
    *first = (struct stream_register){true, addr, want, got};
  return status;
}

int hd_stream_compare_registers(const struct stream_side sides[2], const struct hd_switch_params *p,
                                uint64_t *compared, struct stream_register *first,
                                struct hd_error *err)
{
  uint32_t selects = p->trees ? 8 : p->code_places ? 7 : p->adaptive ? 6 : p->barrier ? 4 : 3;
  uint32_t low = p->barrier || p->adaptive || p->code_places || p->route || p->trees ? 32 : 16;
  int status = 0;
  for (uint32_t select = 0; select < selects; select++)
    for (uint32_t port = 0; port < 2; port++)
      for (uint32_t index = 0; !status && index < low; index++)
        status = compare_register(sides, select << 16 | port << 12 | index, compared, first, err);
  /* These addresses would be registers if the switch ignored one address bit. */
  for (uint32_t bit = 32; bit <= 1u << 19; bit <<= 1)
    for (uint32_t index = 0; !status && index < HD_REGISTERS; index++)
      status = compare_register(sides, bit | index, compared, first, err);
  return status;
}

int hd_stream_compare_written_registers(const struct stream_side sides[2],
                                        const struct hd_switch_params *p, bool brief,
                                        uint64_t *compared, struct stream_register *first,
                                        struct hd_error *err)
{
  static const uint16_t words[] = {0, 0x5a5a, 0xa5a5, 0xffff};
  enum { BITS = 15, WORDS = sizeof words / sizeof *words };
  int status = 0;
  for (uint32_t i = brief ? BITS * WORDS : 0; !status && i < (BITS + 1) * WORDS; i++) {
    uint32_t bit = i / WORDS < BITS ? 32u << i / WORDS : 0;
    for (uint32_t index = HD_CFG_IDLE; !status && index < HD_REGISTERS; index++)
      for (unsigned k = 0; !status && k < 2; k++)
        status = sides[k].ops->config_write(sides[k].dut, 0, bit | index,
                                            (uint16_t)(words[i % WORDS] ^ index), err);
    if (!status)
      status = hd_stream_compare_registers(sides, p, compared, first, err);
  }
  for (unsigned k = 0; !status && k < 2; k++)
    status = sides[k].ops->reset(sides[k].dut, err);
  return status ? status : hd_stream_compare_registers(sides, p, compared, first, err);
}
