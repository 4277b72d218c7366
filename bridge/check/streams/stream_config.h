/* Writes and reads the configuration port before and after streams: tables, addresses beyond their ends, registers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_CONFIG_H
#define HD_STREAM_CONFIG_H

#include "switch_stream.h"

/** A DUT and its operations; functions use its switch 0. */
struct stream_side {
  const struct hd_dut_ops *ops;
  struct hd_dut *dut;
};

/** Where the switch has source tables, lets half of the destinations use them (§2.7). */
void hd_stream_leave_to_source(struct stream *s, uint64_t seed);

/** Writes the stream's registers that a reset clears (§8.6), the coder's places and the tree table. Without SELF no barrier
 *  message would be for this switch. */
int hd_stream_configure_registers(const struct stream *s, const struct stream_side *side,
                                  struct hd_error *err);

/** Writes to addresses that must change nothing (§3.2, §8.6): entries beyond the last node, entries of ports that do not
 *  exist, and addresses that would be in a table if the switch ignored one address bit. */
int hd_stream_configure_outside(const struct stream_side *side, const struct hd_switch_params *p,
                                uint64_t seed, struct hd_error *err);

/** Opens group 0 with this switch as center, and with 512 … 4,095 reports to wait for, as the part says. */
int hd_stream_configure_countdown(const struct stream_side *side, uint32_t part,
                                  struct hd_error *err);

/** The first address for which the second side reads another word. */
struct stream_register {
  bool differs;
  uint32_t address;
  uint16_t want, got;
};

/** Reads addresses with and without a register on both sides, also those that would be a register if the switch ignored
 *  one address bit. A switch with further parts, which have more registers, gets more reads. Adds the number of reads to
 *  `*compared`. */
int hd_stream_compare_registers(const struct stream_side sides[2], const struct hd_switch_params *p,
                                uint64_t *compared, struct stream_register *first,
                                struct hd_error *err);

/** Writes several words to each register from IDLE on and compares; unless `brief`, also at addresses that differ from
 *  those of registers in one bit. Then resets both sides and compares again. */
int hd_stream_compare_written_registers(const struct stream_side sides[2],
                                        const struct hd_switch_params *p, bool brief,
                                        uint64_t *compared, struct stream_register *first,
                                        struct hd_error *err);

#endif
