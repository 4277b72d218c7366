/* Writes and reads of the configuration port around streams: tables, their edges, registers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_CONFIG_H
#define HD_STREAM_CONFIG_H

#include "switch_stream.h"

/** A DUT and its operations; its switch 0 is meant. */
struct stream_side {
  const struct hd_dut_ops *ops;
  struct hd_dut *dut;
};

/** Where there are source tables, half of the destinations are left to them (§2.7). */
void hd_stream_leave_to_source(struct stream *s, uint64_t seed);

/** The stream's registers of §8.6, which a reset takes away; without SELF nothing is for this switch. */
int hd_stream_configure_registers(const struct stream *s, const struct stream_side *side,
                                  struct hd_error *err);

/** Entries behind the last node and of ports that are not there, and at addresses that a table's
 *  would be without one of their bits: written, but in no table (§3.2, §8.6). */
int hd_stream_configure_outside(const struct stream_side *side, const struct hd_switch_params *p,
                                uint64_t seed, struct hd_error *err);

/** Opens group 0 with this switch as center; as many members as the part says, 512 … 4,095. */
int hd_stream_configure_countdown(const struct stream_side *side, uint32_t part,
                                  struct hd_error *err);

/** The first address that reads otherwise on the second side. */
struct stream_register {
  bool differs;
  uint32_t address;
  uint16_t want, got;
};

/** Reads what is mapped and what is not, also where a register would be without one bit of its address; with barrier
 *  hardware or port sets, which have registers that are written,
 *  more of it. Adds the reads to `*compared`. */
int hd_stream_compare_registers(const struct stream_side sides[2], const struct hd_switch_params *p,
                                uint64_t *compared, struct stream_register *first,
                                struct hd_error *err);

/** Writes to the registers of barrier hardware and of port sets, and, unless `brief`, to where they would be without
 *  one bit of the address; then a reset. */
int hd_stream_compare_written_registers(const struct stream_side sides[2],
                                        const struct hd_switch_params *p, bool brief,
                                        uint64_t *compared, struct stream_register *first,
                                        struct hd_error *err);

#endif
