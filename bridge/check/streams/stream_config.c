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

/* Writes words into a switch until a write fails. */
struct writer {
  const struct stream_side *side;
  int status;
  struct hd_error *err;
};

static void write_word(struct writer *w, uint32_t address, uint32_t data)
{
  if (!w->status)
    w->status = w->side->ops->config_write(w->side->dut, 0, address, (uint16_t)data, w->err);
}

static void write_row(struct writer *w, uint32_t port, uint32_t row, uint16_t entry)
{
  write_word(w, HD_CFG_DESTINATION(port, row), entry);
  write_word(w, HD_CFG_SOURCE(port, row), entry);
}

/* Writes outside the routing tables: rows beyond the last node, and ports that do not exist. */
static void write_outside_tables(struct writer *w, const struct hd_switch_params *p, uint64_t seed)
{
  const uint32_t rows = 1u << hd_log2_ceil(p->nodes), node = (uint32_t)(seed % p->nodes);
  const uint16_t entry = hd_table_entry(p->ports - 1, (1u << p->vcs) - 1);
  for (uint32_t port = 0; port < p->ports; port++) {
    for (uint32_t row = p->nodes; row < rows + 2 && row < 0xfff; row = next_outside(row, p->nodes))
      write_row(w, port, row, entry);
    for (uint32_t bit = rows; bit < 0x1000; bit <<= 1)
      write_row(w, port, bit | node, entry);
  }
  for (uint32_t port = p->ports; port < HD_MAX_PORTS; port++)
    write_row(w, port, node, entry);
}

/* Writes outside the tables of chapter 10: port sets that would change a packet's way, and generators that do not exist. */
static void write_outside_sets(struct writer *w, const struct hd_switch_params *p, uint64_t seed)
{
  const uint32_t rows = 1u << hd_log2_ceil(p->nodes), node = (uint32_t)(seed % p->nodes);
  for (uint32_t port = 0; port < HD_MAX_PORTS; port++) {
    for (uint32_t bit = 1; bit < 0x1000; bit <<= 1)
      write_word(w, HD_CFG_GENERATOR(port) | bit, 0x5a5a);
    for (uint32_t row = p->nodes; row < rows + 2 && row < 0xfff; row = next_outside(row, p->nodes))
      write_word(w, HD_CFG_PORT_SET(port, row), 1);
    for (uint32_t bit = rows; bit < 0x1000; bit <<= 1)
      write_word(w, HD_CFG_PORT_SET(port, bit | node), 1);
    if (port < p->ports)
      continue;
    write_word(w, HD_CFG_GENERATOR(port), 0xa5a5);
    write_word(w, HD_CFG_PORT_SET(port, node), 1);
  }
}

/* Writes outside the coder's places (§11.3): a place that took the write would be closed. */
static void write_outside_places(struct writer *w, const struct hd_switch_params *p, uint64_t seed)
{
  const uint32_t rows = 1u << hd_place_bits(p);
  for (uint32_t place = p->code_places; place < rows + 2;
       place = next_outside(place, p->code_places))
    write_word(w, HD_CFG_PLACE(place), 0);
  for (uint32_t bit = rows; bit < 0x10000; bit <<= 1)
    write_word(w, HD_CFG_PLACE(bit | (uint32_t)(seed % p->code_places)), 0);
}

/* Writes outside the barrier routing table (§8.6). */
static void write_outside_ways(struct writer *w, const struct hd_switch_params *p, uint64_t seed)
{
  const uint32_t rows = 1u << hd_log2_ceil(p->switches), base = HD_CFG_BARRIER_WAY(0);
  for (uint32_t sw = p->switches; sw < rows + 2 && sw < 0xfff; sw = next_outside(sw, p->switches))
    write_word(w, base | sw, (1u << p->ports) - 1);
  for (uint32_t bit = rows; bit < 0x100000; bit <<= 1)
    if (!(base & bit))
      write_word(w, base | bit | (uint32_t)(seed % p->switches), 1);
}

/* Writes outside the tree table and the register CAST (§13.3). */
static void write_outside_trees(struct writer *w, const struct hd_switch_params *p, uint64_t seed)
{
  const uint32_t all = (1u << p->ports) - 1;
  for (uint32_t tree = p->trees; tree < 2 * HD_MAX_TREES; tree++)
    write_word(w, HD_CFG_TREE(tree), all);
  for (uint32_t bit = 2 * HD_MAX_TREES; bit < 0x10000; bit <<= 1) {
    write_word(w, HD_CFG_TREE((uint32_t)(seed % p->trees)) | bit, all);
    write_word(w, HD_CFG_CAST | bit, seed >> 8 & 7);
  }
}

/* Writes to registers that can only be read, and to addresses without a register. */
static void write_outside_registers(struct writer *w, uint64_t seed)
{
  for (uint32_t i = 0; i < 32; i++)
    if (i >= HD_REGISTERS || hd_register_list[i].access == HD_ACCESS_READ)
      write_word(w, i, (uint32_t)(seed >> i));
}

int hd_stream_configure_outside(const struct stream_side *side, const struct hd_switch_params *p,
                                uint64_t seed, struct hd_error *err)
{
  struct writer w = {side, HD_OK, err};
  write_outside_tables(&w, p, seed);
  write_outside_sets(&w, p, seed);
  if (p->code_places)
    write_outside_places(&w, p, seed);
  if (p->trees)
    write_outside_trees(&w, p, seed);
  write_outside_registers(&w, seed);
  if (p->barrier)
    write_outside_ways(&w, p, seed);
  return w.status;
}

int hd_stream_configure_countdown(const struct stream_side *side, uint32_t part,
                                  struct hd_error *err)
{
  static const uint16_t counts[] = {2048, 1024 + 256, 512, 4095};
  struct writer w = {side, HD_OK, err};
  write_word(&w, HD_CFG_SELF, 1);
  write_word(&w, HD_CFG_CENTER, 1);
  write_word(&w, HD_CFG_COUNT, counts[part % 4]);
  write_word(&w, HD_CFG_LOCAL, 0);
  write_word(&w, HD_CFG_OPEN, 0);
  return w.status;
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
