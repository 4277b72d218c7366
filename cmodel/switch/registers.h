/* Registers, tables, errors and barrier messages as they appear at a switch's ports.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SWITCH_REGISTERS_H
#define HD_SWITCH_REGISTERS_H

#include "params.h"

/** Registers, specification §3.3, §8.6, §10.2, §11.1, §12.6 and §13.3. X(NAME, address, access, part, section, about):
 *  - access: READ, WRITE, BOTH, or CLEAR: reads, and writing a 1 clears the bit;
 *  - part: BARRIER: only a switch with barrier messages has it, ADAPTIVE: one with port sets,
 *    CODER: one with an XOR coder, COMPUTED: one that computes routes, CAST: one with multicast; otherwise it reads 0. */
#define HD_REGISTER_LIST(X)                                                        \
  X(ID, 0, READ, PLAIN, "3.3", "HD_REGISTER_ID")                                   \
  X(VERSION, 1, READ, PLAIN, "3.3", "HD_REGISTER_VERSION")                         \
  X(SHAPE, 2, READ, PLAIN, "3.3", "parameters")                                    \
  X(TIMING, 3, READ, PLAIN, "3.3", "parameters")                                   \
  X(WIDTH, 4, READ, PLAIN, "3.3", "parameters")                                    \
  X(NODES, 5, READ, PLAIN, "3.3", "parameters")                                    \
  X(BARRIER, 6, READ, BARRIER, "8.6", "parameters")                                \
  X(SWITCHES, 7, READ, BARRIER, "8.6", "parameters")                               \
  X(ERRORS, 8, CLEAR, PLAIN, "3.3", "HD_ERROR_BIT_LIST")                           \
  X(IDLE, 9, BOTH, BARRIER, "8.6", "cycles without a message until a padding end") \
  X(SELF, 10, BOTH, BARRIER, "8.6", "this switch's number")                        \
  X(LIVE, 11, BOTH, BARRIER, "8.6", "output ports that may be used")               \
  X(CENTER, 12, WRITE, BARRIER, "8.6", "for OPEN: the center's switch")            \
  X(COUNT, 13, WRITE, BARRIER, "8.6", "for OPEN: member switches but this one")    \
  X(LOCAL, 14, WRITE, BARRIER, "8.6", "for OPEN: ports with members")              \
  X(OPEN, 15, WRITE, BARRIER, "8.6", "makes an entry of the status table")         \
  X(CLOSE, 16, WRITE, BARRIER, "8.6", "the group's entry is no longer valid")      \
  X(ADAPT, 17, BOTH, ADAPTIVE, "10.2", "channels at a port that was chosen; cap")  \
  X(CODER, 18, READ, CODER, "11.1", "parameters")                                  \
  X(FIELDS, 19, READ, COMPUTED, "12.6", "parameters")                              \
  X(OWN, 20, WRITE, COMPUTED, "12.6", "this switch's number, or nodes below it")   \
  X(FAR, 21, WRITE, COMPUTED, "12.6", "coordinates up to which packets go up")     \
  X(BELOW, 22, WRITE, COMPUTED, "12.6", "bits of numbers that say who is below")   \
  X(DIGITS, 23, WRITE, COMPUTED, "12.6", "digits of numbers that name ports")      \
  X(CAST, 24, WRITE, CAST, "13.3", "channel of multicast flits")                   \
  X(FIRST, 25, BOTH, UGAL, "10.9", "input ports at which packets decide")          \
  X(BIAS, 26, BOTH, UGAL, "10.9", "flits by which the shorter way is preferred")

/** Addresses of the registers. */
enum {
#define HD_REGISTER_ENUM(NAME, address, ...) HD_CFG_##NAME = address,
  HD_REGISTER_LIST(HD_REGISTER_ENUM)
#undef HD_REGISTER_ENUM
};
enum { HD_REGISTER_ID = 0x4844, HD_REGISTER_VERSION = 1 };

/** The cap of register ADAPT (§10.2). */
enum { HD_ADAPT_CAP_SHIFT = 8, HD_ADAPT_CAP_MOST = 15 };

/** The largest value of register BIAS (§10.9). */
enum { HD_BIAS_MOST = 1023 };

enum hd_access { HD_ACCESS_READ, HD_ACCESS_WRITE, HD_ACCESS_BOTH, HD_ACCESS_CLEAR };

/** A line of HD_REGISTER_LIST. */
struct hd_register {
  const char *name;
  uint32_t address;
  enum hd_access access;
  enum hd_part part;
};
#define HD_REGISTER_ONE(...) +1
enum { HD_REGISTERS = HD_REGISTER_LIST(HD_REGISTER_ONE) }; /* the addresses have no gaps */
#undef HD_REGISTER_ONE
extern const struct hd_register hd_register_list[HD_REGISTERS];

/** Returns a register's name, such as "ERRORS"; "no register" for other addresses. Static storage. */
const char *hd_register_name(uint32_t address);

/** Returns the value of a register that shows parameters or is the same in every switch (all of HD_ACCESS_READ), for a
 *  switch of `params`; 0 for other registers. */
uint16_t hd_register_of_params(const struct hd_switch_params *params, uint32_t address);

/** Sets the parameters that those registers show; `values` is indexed by address. Does not check them. */
void hd_params_of_registers(struct hd_switch_params *params, const uint16_t values[HD_REGISTERS]);

/** Configuration addresses of tables, specification §3.2, §8.6, §10.2, §11.3, §13.3. */
#define HD_CFG_DESTINATION(port, node) \
  (UINT32_C(0x10000) | (uint32_t)(port) << 12 | (uint32_t)(node))
#define HD_CFG_SOURCE(port, node) (UINT32_C(0x20000) | (uint32_t)(port) << 12 | (uint32_t)(node))
#define HD_CFG_BARRIER_WAY(sw) (UINT32_C(0x30000) | (uint32_t)(sw))
#define HD_CFG_PORT_SET(port, node) (UINT32_C(0x40000) | (uint32_t)(port) << 12 | (uint32_t)(node))
#define HD_CFG_GENERATOR(port) (UINT32_C(0x50000) | (uint32_t)(port) << 12)
#define HD_CFG_PLACE(place) (UINT32_C(0x60000) | (uint32_t)(place))
#define HD_CFG_TREE(tree) (UINT32_C(0x70000) | (uint32_t)(tree))

/** Bits of a word written to HD_CFG_PLACE (§11.3). */
enum { HD_PLACE_OPEN = 1, HD_PLACE_LAST = 2 };

/** Returns a table entry that routes to `port` on the virtual channels of `vc_mask`. */
static inline uint16_t hd_table_entry(unsigned port, unsigned vc_mask)
{
  return (uint16_t)(port | vc_mask << 4 | 1u << 12);
}

/** Bits of the error register, specification §2.8, §8.7 and §11.9. X(NAME, name, bit, part) */
#define HD_ERROR_BIT_LIST(X)               \
  X(OVERFLOW, overflow, 0, PLAIN)          \
  X(UNROUTABLE, unroutable, 1, PLAIN)      \
  X(ORPHAN, orphan, 2, PLAIN)              \
  X(NESTED, nested, 3, PLAIN)              \
  X(RESERVED, reserved, 4, PLAIN)          \
  X(CREDIT, credit, 5, PLAIN)              \
  X(CHANNEL, channel, 6, PLAIN)            \
  X(TABLE, table, 7, BARRIER)              \
  X(GROUP, group, 8, BARRIER)              \
  X(DUPLICATE, duplicate, 9, BARRIER)      \
  X(PROTOCOL, protocol, 10, BARRIER)       \
  X(UNREACHABLE, unreachable, 11, BARRIER) \
  X(CLOSED, closed, 12, CODER)             \
  X(OCCUPIED, occupied, 13, CODER)         \
  X(LENGTH, length, 14, CODER)             \
  X(INCOMPLETE, incomplete, 15, CODER)

enum {
#define HD_ERROR_BIT_ENUM(NAME, name, bit, part) HD_ERR_##NAME = 1 << (bit),
  HD_ERROR_BIT_LIST(HD_ERROR_BIT_ENUM)
#undef HD_ERROR_BIT_ENUM
};
#define HD_ERROR_BIT_ONE(...) +1
#define HD_ERROR_BIT_PLAIN(NAME, name, bit, part) +(HD_PART_##part == HD_PART_PLAIN)
#define HD_ERROR_BIT_CODER(NAME, name, bit, part) +(HD_PART_##part == HD_PART_CODER)
enum {
  HD_ERROR_BITS = HD_ERROR_BIT_LIST(HD_ERROR_BIT_ONE),
  HD_ERROR_BITS_PLAIN = HD_ERROR_BIT_LIST(HD_ERROR_BIT_PLAIN), /* without barrier messages and coder
                                                                * */
  HD_ERROR_BITS_BARRIER =
      HD_ERROR_BITS - (HD_ERROR_BIT_LIST(HD_ERROR_BIT_CODER)), /* without coder */
};
#undef HD_ERROR_BIT_ONE
#undef HD_ERROR_BIT_PLAIN
#undef HD_ERROR_BIT_CODER

/** Returns the name of an error bit, "overflow" for bit 0; static storage; "?" from HD_ERROR_BITS on. */
const char *hd_error_bit_name(uint32_t bit);

/** Types of barrier messages (specification §8.1); hd_barrier_message makes a message. */
enum hd_barrier_type { HD_REDUCE, HD_DISTRIBUTE, HD_INITIAL_REDUCE, HD_FAIL };
static inline uint32_t hd_barrier_message(enum hd_barrier_type type, unsigned tag, unsigned group,
                                          unsigned destination, unsigned bsr)
{
  return (uint32_t)type | tag << 2 | group << 4 | destination << 9 | bsr << 20;
}
static inline uint32_t hd_barrier_local(enum hd_barrier_type type, unsigned group)
{
  return (uint32_t)type | group << 4 | UINT32_C(1) << 31;
}

/** Operators by which a barrier combines the members' values, §8.14. X(NAME, name) */
#define HD_BARRIER_OPERATOR_LIST(X) \
  X(NO_VALUE, none)                 \
  X(SUM, sum)                       \
  X(MINIMUM, minimum)               \
  X(MAXIMUM, maximum)

enum hd_barrier_operator {
#define HD_BARRIER_OPERATOR_ENUM(NAME, name) HD_BARRIER_##NAME,
  HD_BARRIER_OPERATOR_LIST(HD_BARRIER_OPERATOR_ENUM)
#undef HD_BARRIER_OPERATOR_ENUM
};

/** Adds an operator and a value to a message without a tag. */
static inline uint64_t hd_barrier_valued(uint32_t message, unsigned operator_, uint32_t value)
{
  return message | operator_ << 2 | (uint64_t)value << 32;
}
static inline unsigned hd_barrier_operator_of(uint64_t message)
{
  return (unsigned)(message >> 2 & 3);
}
static inline uint32_t hd_barrier_value_of(uint64_t message)
{
  return (uint32_t)(message >> 32);
}

/** Returns true if the message builds a tree (§8.3). Such messages of one link must stay in order. */
static inline bool hd_barrier_is_initial(uint64_t message)
{
  return !(message >> 31 & 1) && (message & 3) == HD_INITIAL_REDUCE;
}

/** Most messages in the barrier queue of an input port (§7.3). */
enum { HD_BARRIER_QUEUE = 2 };

#endif
