/* Points of the specification's chapters 2, 3, 7, 8 and 10 to 13, and how often a model reached each.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A point is a rule, a row of a table, a way to an error or a tie-break. Only the model counts; a DUT is never
 * asked.
 *
 * Length: one list of all points.
 */
#ifndef HD_SWITCH_COVERAGE_H
#define HD_SWITCH_COVERAGE_H

#include "params.h"

/** All points, in the order of the specification. X(NAME, section, by, when, name, about):
 *  - by: who reaches it. RUN: traffic that network interfaces send, and what the management writes.
 *    TEST: only a test around a single switch, because network interfaces never send that, or no run
 *    does it;
 *  - when: the parameters of §2.1, §7.1, §10.1 and §11.1 under which a switch can reach it, as a condition in C.
 *    PORT_SETS is true with ADAPTIVE 1 and 2;
 *  - name: a few words that follow the section in outputs, unique in the section;
 *  - about: a sentence. */
#define HD_COVERAGE_LIST(X)                                                                        \
  /* §2.3 */                                                                                      \
  X(FIRST_SLOT, "2.3", RUN, true, "empty buffer", "a flit comes into an empty buffer")             \
  X(LAST_SLOT, "2.3", RUN, true, "last slot", "a flit takes the last free slot of a buffer")       \
  X(COMES_AND_GOES, "2.3", RUN, DEPTH >= 2, "arrival with a pop",                                  \
    "a flit comes in the cycle in which one of the same channel is popped")                        \
  X(SLOTS_WRAP, "2.3", RUN, true, "slots used again",                                              \
    "a buffer's slots begin again with the first")                                                 \
  X(POP_FULL, "2.3", RUN, true, "pop of a full buffer",                                            \
    "a flit is popped from a buffer that is full")                                                 \
  X(ARRIVES_AGAIN, "2.3", RUN, true, "flits without a gap",                                        \
    "flits of one channel come in two cycles in a row")                                            \
  X(ARRIVES_OTHER, "2.3", RUN, VCS >= 2, "flits that interleave",                                  \
    "flits of two channels come to one input in two cycles in a row")                              \
  X(OVERFLOW, "2.3", TEST, true, "full buffer", "a flit for a full buffer is ignored: overflow")   \
  X(OVERFLOW_POP, "2.3", TEST, true, "full buffer with a pop",                                     \
    "a flit for a buffer that was full at the start of the cycle, though one is popped in it: "    \
    "overflow")                                                                                    \
  X(CHANNEL, "2.3", TEST, VCS == 1 || (VCS & (VCS - 1)), "channel beyond VCS",                     \
    "a flit with vc >= VCS is ignored: channel")                                                   \
  /* §2.4 */                                                                                      \
  X(IDLE_HEAD, "2.4", RUN, true, "idle, head", "a routable head is granted and opens its channel") \
  X(IDLE_SINGLE, "2.4", RUN, true, "idle, single", "a routable packet of one flit is granted")     \
  X(OPEN_BODY, "2.4", RUN, true, "open, body", "a body flit of an open packet is granted")         \
  X(OPEN_TAIL, "2.4", RUN, true, "open, tail", "a tail is granted and closes its channel")         \
  X(OPEN_HEAD, "2.4", TEST, true, "open, head", "a head inside a packet is granted: nested")       \
  X(OPEN_SINGLE, "2.4", TEST, true, "open, single",                                                \
    "a single inside a packet is granted and closes its channel: nested")                          \
  X(PACKET_OF_TWO, "2.4", RUN, true, "packet of two flits",                                        \
    "a tail is granted that follows its head at once")                                             \
  X(PACKET_OF_MORE, "2.4", RUN, true, "packet of three flits or more",                             \
    "a tail is granted that follows a body flit")                                                  \
  X(IDLE_BODY, "2.4", TEST, true, "idle, body",                                                    \
    "a body flit where a head is due is discarded: orphan")                                        \
  X(IDLE_TAIL, "2.4", TEST, true, "idle, tail", "a tail where a head is due is discarded: orphan") \
  X(NO_WAY_HEAD, "2.4", RUN, true, "idle, head without a way",                                     \
    "an unroutable head is discarded, and its channel sinks the rest: unroutable")                 \
  X(NO_WAY_SINGLE, "2.4", RUN, true, "idle, single without a way",                                 \
    "an unroutable single is discarded: unroutable")                                               \
  X(SINK_BODY, "2.4", RUN, true, "sink, body", "a body flit of an unroutable packet is discarded") \
  X(SINK_TAIL, "2.4", RUN, true, "sink, tail",                                                     \
    "the tail of an unroutable packet is discarded, and its channel is idle")                      \
  X(SINK_HEAD, "2.4", TEST, true, "sink, head",                                                    \
    "a head inside a packet that is discarded: nested")                                            \
  X(SINK_SINGLE, "2.4", TEST, true, "sink, single",                                                \
    "a single inside a packet that is discarded ends it: nested")                                  \
  X(RESERVED_IDLE, "2.4", TEST, BARRIER == 0, "idle, reserved kind",                               \
    "a flit of a reserved kind is discarded: reserved")                                            \
  X(RESERVED_OPEN, "2.4", TEST, BARRIER == 0, "open, reserved kind",                               \
    "the same inside an open packet, which goes on behind it")                                     \
  X(RESERVED_SINK, "2.4", TEST, BARRIER == 0, "sink, reserved kind",                               \
    "the same inside a packet that is discarded")                                                  \
  X(DISCARDS_SEVERAL, "2.4", RUN, true, "several discards",                                        \
    "channels discard two flits or more in one cycle")                                             \
  X(DISCARD_AND_GRANT, "2.4", RUN, VCS >= 2, "discard beside a grant",                             \
    "an input discards on one channel and picks another in one cycle")                             \
  /* §2.5 */                                                                                      \
  X(OPEN_NO_CREDIT, "2.5", RUN, true, "open, no credit",                                           \
    "the front of an open packet waits for a credit")                                              \
  X(HEAD_ALL_OWNED, "2.5", RUN, true, "head, all channels owned",                                  \
    "a head waits: other packets hold all channels that it could take")                            \
  X(HEAD_NO_CREDIT, "2.5", RUN, true, "head, no credit",                                           \
    "a head waits: a channel is not owned, but none such has a credit")                            \
  X(HEAD_CUT, "2.5", RUN, CUT_FLITS >= 2, "head, too few credits",                                 \
    "a head waits: a channel is not owned and has credits, but fewer than CUT_FLITS")              \
  X(CHOICE_1, "2.5", RUN, true, "one channel to take",                                             \
    "a head has one channel to take: E has one member")                                            \
  X(CHOICE_2, "2.5", RUN, VCS - (BARRIER == 5) >= 2, "two channels to take", "E has two members")  \
  X(CHOICE_3, "2.5", RUN, VCS - (BARRIER == 5) >= 3, "three channels to take",                     \
    "E has three members")                                                                         \
  X(CHOICE_4, "2.5", RUN, VCS - (BARRIER == 5) >= 4, "four channels to take or more",              \
    "E has four members or more")                                                                  \
  X(CHOICE_WRAPS, "2.5", RUN, VCS - (BARRIER == 5) >= 2, "channel search wraps",                   \
    "of several channels one below vc_next is taken")                                              \
  X(VC_NEXT_WRAPS, "2.5", RUN, true, "vc_next wraps",                                              \
    "the last channel is taken, and vc_next becomes 0")                                            \
  X(INPUT_TIE_2, "2.5", RUN, VCS >= 2, "tie of two channels",                                      \
    "two channels of an input are eligible")                                                       \
  X(INPUT_TIE_3, "2.5", RUN, VCS >= 3, "tie of three channels",                                    \
    "three channels of an input are eligible")                                                     \
  X(INPUT_TIE_4, "2.5", RUN, VCS >= 4, "tie of four channels or more",                             \
    "four channels of an input or more are eligible")                                              \
  X(INPUT_WRAPS, "2.5", RUN, VCS >= 2, "search of an input wraps",                                 \
    "of several channels one below in_next is picked")                                             \
  X(TIE_2_NODE, "2.5", RUN, true, "tie of two inputs, to a node",                                  \
    "two inputs want one output, which leads to a node")                                           \
  X(TIE_3_NODE, "2.5", RUN, PORTS >= 3, "tie of three inputs, to a node",                          \
    "three inputs want one output, which leads to a node")                                         \
  X(TIE_4_NODE, "2.5", RUN, PORTS >= 4, "tie of four inputs or more, to a node",                   \
    "four inputs or more want one output, which leads to a node")                                  \
  X(TIE_2_SWITCH, "2.5", RUN, true, "tie of two inputs, to a switch",                              \
    "two inputs want one output, which leads to a switch")                                         \
  X(TIE_3_SWITCH, "2.5", RUN, PORTS >= 3, "tie of three inputs, to a switch",                      \
    "three inputs want one output, which leads to a switch")                                       \
  X(TIE_4_SWITCH, "2.5", RUN, PORTS >= 4, "tie of four inputs or more, to a switch",               \
    "four inputs or more want one output, which leads to a switch")                                \
  X(OUTPUT_WRAPS, "2.5", RUN, true, "search of an output wraps",                                   \
    "of several inputs one below out_next is granted")                                             \
  X(OUT_NEXT_WRAPS, "2.5", RUN, true, "out_next wraps",                                            \
    "the last input is granted a tie, and out_next becomes 0")                                     \
  X(ALL_OUTPUTS, "2.5", RUN, true, "all outputs at once",                                          \
    "every output of a switch is wanted in one cycle")                                             \
  X(GRANTS_AGAIN, "2.5", RUN, true, "grants without a gap",                                        \
    "an output grants flits of one channel in two cycles in a row")                                \
  X(GRANTS_OTHER, "2.5", RUN, VCS >= 2, "outputs that interleave",                                 \
    "an output grants flits of two channels in two cycles in a row")                               \
  X(NODE_TO_NODE, "2.5", RUN, true, "from node to node",                                           \
    "a packet's first flit goes from a node's port to a node's port")                              \
  X(NODE_TO_SWITCH, "2.5", RUN, true, "from node to switch",                                       \
    "a packet's first flit goes from a node's port to another switch")                             \
  X(SWITCH_TO_NODE, "2.5", RUN, true, "from switch to node",                                       \
    "a packet's first flit goes from another switch to a node")                                    \
  X(SWITCH_TO_SWITCH, "2.5", RUN, true, "from switch to switch",                                   \
    "a packet's first flit goes from one switch to another")                                       \
  X(SAME_PORT, "2.5", RUN, true, "back by the same port",                                          \
    "a packet leaves by the port through which it came")                                           \
  /* §2.6 */                                                                                      \
  X(CREDIT_LAST, "2.6", RUN, true, "last credit", "a channel's last credit is taken")              \
  X(CREDIT_BACK, "2.6", RUN, true, "credit for none",                                              \
    "a credit comes for a channel that has none")                                                  \
  X(CREDIT_ALL, "2.6", RUN, true, "all credits back", "a channel's count reaches DEPTH again")     \
  X(CREDIT_TIE, "2.6", RUN, true, "credit with a grant",                                           \
    "a credit comes in the cycle of a grant on its channel: they cancel out")                      \
  X(CREDIT_SEVERAL, "2.6", RUN, VCS >= 2, "credits of several channels",                           \
    "credits of two channels or more come to one output in one cycle")                             \
  X(CREDIT_TIE_FULL, "2.6", TEST, true, "credit with a grant of a full count",                     \
    "the same where the count was DEPTH: no error")                                                \
  X(CREDIT_SURPLUS, "2.6", TEST, true, "one credit too many",                                      \
    "a credit comes where the count is DEPTH, and it stays: credit")                               \
  /* §2.7 */                                                                                      \
  X(MODE_0, "2.7", RUN, !SOURCE_TABLE, "mode 0, valid entry",                                      \
    "a head with mode 0 takes its destination's entry")                                            \
  X(MODE_0_NONE, "2.7", RUN, !SOURCE_TABLE, "mode 0, no entry",                                    \
    "a head with mode 0 finds no valid entry")                                                     \
  X(MODE_1_DOWN, "2.7", RUN, SOURCE_TABLE, "mode 1, by destination",                               \
    "a head with mode 1 finds a valid entry for its destination")                                  \
  X(MODE_1_UP, "2.7", RUN, SOURCE_TABLE, "mode 1, by source",                                      \
    "a head with mode 1 finds none, and takes its source's entry")                                 \
  X(MODE_1_NONE, "2.7", TEST, SOURCE_TABLE, "mode 1, no entry",                                    \
    "a head with mode 1 finds no valid entry in either table")                                     \
  X(MODE_1_NO_TABLE, "2.7", TEST, !SOURCE_TABLE, "mode 1 without source tables",                   \
    "a head with mode 1 has no entry for its destination, and there is no source table")           \
  X(MODE_2, "2.7", TEST, true, "mode 2", "a source-routed head names a legal port")                \
  X(MODE_2_PORT, "2.7", TEST, PORTS &(PORTS - 1), "mode 2, port beyond PORTS",                     \
    "a source-routed head names a port that there is not")                                         \
  X(MODE_3_VIA, "2.7", TEST, SOURCE_TABLE, "mode 3, by the node to go by",                         \
    "a head with mode 3 finds a valid entry for the node to go by")                                \
  X(MODE_3_TURN, "2.7", TEST, SOURCE_TABLE, "mode 3, turns",                                       \
    "a head with mode 3 finds none, and takes its destination's entry")                            \
  X(MODE_3_NONE, "2.7", TEST, SOURCE_TABLE, "mode 3, no entry",                                    \
    "a head with mode 3 finds no valid entry in either table")                                     \
  X(MODE_3_NO_TABLE, "2.7", TEST, !SOURCE_TABLE, "mode 3 without source tables",                   \
    "a head with mode 3 is unroutable: there is no source table")                                  \
  X(NODE_BEYOND, "2.7", TEST, NODES &(NODES - 1), "destination beyond NODES",                      \
    "a head names a destination for which there is no entry")                                      \
  X(SOURCE_BEYOND, "2.7", TEST, SOURCE_TABLE && (NODES & (NODES - 1)), "source beyond NODES",      \
    "a head is to go by a source for which there is no entry")                                     \
  X(VIA_BEYOND, "2.7", TEST, SOURCE_TABLE && (NODES & (NODES - 1)), "node to go by beyond NODES",  \
    "a head is to go by a node for which there is no entry")                                       \
  X(ENTRY_PORT, "2.7", TEST, PORTS < 16, "entry, port beyond PORTS",                               \
    "a valid entry names a port that there is not")                                                \
  X(ENTRY_MASK, "2.7", TEST, true, "entry without a channel",                                      \
    "a valid entry has no channel below VCS")                                                      \
  X(ENTRY_SOME, "2.7", TEST, VCS - (BARRIER == 5) >= 2, "entry with some channels",                \
    "a valid entry has some of the channels, not all")                                             \
  X(SHIFTED_HEAD, "2.7", TEST, true, "head shifted",                                               \
    "a source-routed head is granted and shifted (1.3)")                                           \
  X(SHIFTED_SINGLE, "2.7", TEST, true, "single shifted",                                           \
    "a source-routed single is granted and shifted (1.3)")                                         \
  X(TURNED_HEAD, "2.7", TEST, SOURCE_TABLE, "head turned",                                         \
    "a head with mode 3 is granted and gets mode 0 (1.3)")                                         \
  X(TURNED_SINGLE, "2.7", TEST, SOURCE_TABLE, "single turned",                                     \
    "a single with mode 3 is granted and gets mode 0 (1.3)")                                       \
  /* §2.8 */                                                                                      \
  X(ERROR_FIRST, "2.8", RUN, true, "error bit set", "an error is recorded whose bit was 0")        \
  X(ERROR_AGAIN, "2.8", RUN, true, "error bit set already", "an error is recorded whose bit is 1") \
  X(ERRORS_TWO, "2.8", TEST, true, "two errors at once",                                           \
    "two different errors are recorded in one cycle")                                              \
  /* §2.9 */                                                                                      \
  X(RESET_BUSY, "2.9", TEST, true, "reset under way",                                              \
    "a switch is reset that holds flits or messages")                                              \
  X(RESET_ERRORS, "2.9", TEST, true, "reset with errors",                                          \
    "a switch is reset whose error register is not 0")                                             \
  /* §2.10 */                                                                                     \
  X(WAKE_FLIT, "2.10", RUN, true, "woken by a flit", "a flit comes to a quiescent switch")         \
  X(WAKE_CREDIT, "2.10", RUN, true, "woken by a credit", "a credit comes to a quiescent switch")   \
  X(WAKE_CONFIG, "2.10", RUN, true, "woken by configuration",                                      \
    "a configuration write comes to a quiescent switch")                                           \
  X(QUIET_FIRST, "2.10", RUN, true, "input in the first quiet cycle",                              \
    "a flit or credit comes in the first cycle in which quiescent_o is 1")                         \
  X(QUIET_LAST, "2.10", RUN, true, "input in the last busy cycle",                                 \
    "a flit or credit comes in the cycle before quiescent_o would have been 1")                    \
  /* §3.1, §3.2 */                                                                               \
  X(WRITE_AND_HEAD, "3.1", RUN, true, "table write with a flit",                                   \
    "a table of a port is written in the cycle in which a flit comes to it")                       \
  X(WRITE_BUSY, "3.1", RUN, true, "write to a busy switch",                                        \
    "a switch is written to that holds flits or messages")                                         \
  X(WRITE_NOWHERE, "3.1", TEST, true, "write to no address",                                       \
    "a write to an address that no table names changes nothing")                                   \
  X(READ_NOWHERE, "3.1", RUN, true, "read of no address",                                          \
    "an address that no table names reads 0")                                                      \
  X(WRITE_ENTRY, "3.2", RUN, true, "destination entry written",                                    \
    "a valid entry is written into a destination table")                                           \
  X(WRITE_INVALID, "3.2", RUN, true, "destination entry taken away",                               \
    "a valid entry of a destination table becomes invalid")                                        \
  X(WRITE_SOURCE, "3.2", TEST, SOURCE_TABLE, "source entry written",                               \
    "an entry of a source table is written")                                                       \
  X(WRITE_SOURCE_NONE, "3.2", TEST, !SOURCE_TABLE, "source entry without source tables",           \
    "a write to a source table that the switch has not")                                           \
  X(WRITE_NODE, "3.2", TEST, NODES < 4096, "entry beyond NODES",                                   \
    "a write to an entry of a table that it has not")                                              \
  X(WRITE_PORT, "3.2", TEST, PORTS < 16, "table beyond PORTS",                                     \
    "a write to a table of a port that there is not")                                              \
  /* §3.3, §8.6, §10.2; the order is that of HD_REGISTER_LIST */                                \
  X(READ_ID, "3.3", RUN, true, "ID read", "the register ID is read")                               \
  X(READ_VERSION, "3.3", RUN, true, "VERSION read", "the register VERSION is read")                \
  X(READ_SHAPE, "3.3", RUN, true, "SHAPE read", "the register SHAPE is read")                      \
  X(READ_TIMING, "3.3", RUN, true, "TIMING read", "the register TIMING is read")                   \
  X(READ_WIDTH, "3.3", RUN, true, "WIDTH read", "the register WIDTH is read")                      \
  X(READ_NODES, "3.3", RUN, true, "NODES read", "the register NODES is read")                      \
  X(READ_BARRIER, "8.6", RUN, true, "BARRIER read", "the register BARRIER is read")                \
  X(READ_SWITCHES, "8.6", RUN, true, "SWITCHES read", "the register SWITCHES is read")             \
  X(READ_ERRORS, "3.3", RUN, true, "ERRORS read", "the register ERRORS is read")                   \
  X(READ_IDLE, "8.6", RUN, true, "IDLE read", "the register IDLE is read")                         \
  X(READ_SELF, "8.6", RUN, true, "SELF read", "the register SELF is read")                         \
  X(READ_LIVE, "8.6", RUN, true, "LIVE read", "the register LIVE is read")                         \
  X(READ_CENTER, "8.6", RUN, true, "CENTER read",                                                  \
    "the register CENTER, which is only written, reads 0")                                         \
  X(READ_COUNT, "8.6", RUN, true, "COUNT read",                                                    \
    "the register COUNT, which is only written, reads 0")                                          \
  X(READ_LOCAL, "8.6", RUN, true, "LOCAL read",                                                    \
    "the register LOCAL, which is only written, reads 0")                                          \
  X(READ_OPEN, "8.6", RUN, true, "OPEN read", "the register OPEN, which is only written, reads 0") \
  X(READ_CLOSE, "8.6", RUN, true, "CLOSE read",                                                    \
    "the register CLOSE, which is only written, reads 0")                                          \
  X(READ_ADAPT, "10.2", RUN, true, "ADAPT read", "the register ADAPT is read")                     \
  X(READ_CODER, "11.1", RUN, true, "CODER read", "the register CODER is read")                     \
  X(READ_FIELDS, "12.6", RUN, true, "FIELDS read", "the register FIELDS is read")                  \
  X(READ_OWN, "12.6", RUN, true, "OWN read", "the register OWN, which is only written, reads 0")   \
  X(READ_FAR, "12.6", RUN, true, "FAR read", "the register FAR, which is only written, reads 0")   \
  X(READ_BELOW, "12.6", RUN, true, "BELOW read",                                                   \
    "the register BELOW, which is only written, reads 0")                                          \
  X(READ_DIGITS, "12.6", RUN, true, "DIGITS read",                                                 \
    "the register DIGITS, which is only written, reads 0")                                         \
  X(READ_CAST, "13.3", RUN, true, "CAST read", "the register CAST is read")                        \
  X(READ_FIRST, "10.9", RUN, true, "FIRST read", "the register FIRST is read")                     \
  X(READ_BIAS, "10.9", RUN, true, "BIAS read", "the register BIAS is read")                        \
  X(READ_ERRORS_SET, "3.3", RUN, true, "ERRORS read, not 0",                                       \
    "the error register is read while it is not 0")                                                \
  X(CLEAR, "3.3", TEST, true, "error bit cleared", "a 1 is written to an error bit that is 1")     \
  X(CLEAR_OTHER, "3.3", TEST, true, "error bit kept",                                              \
    "a write to the error register leaves a bit that is 1, because it has a 0 there")              \
  X(CLEAR_TIE, "3.3", TEST, true, "error in the cycle of its clearing",                            \
    "an error is recorded in the cycle in which its bit is cleared: it wins")                      \
  X(WRITE_READ_ONLY, "3.3", TEST, true, "write to a register that is only read",                   \
    "a write to a register that is only read changes nothing")                                     \
  /* §7.3 */                                                                                      \
  X(PLACE_LAST, "7.3", RUN, BARRIER != 0, "last place taken",                                      \
    "a message takes the last place of the next barrier queue")                                    \
  X(PLACE_BACK, "7.3", RUN, BARRIER != 0, "barrier credit for none",                               \
    "a barrier credit comes where the count is 0")                                                 \
  X(PLACE_ALL, "7.3", RUN, BARRIER != 0, "both places back", "a barrier credit makes the count 2") \
  X(PLACE_SURPLUS, "7.3", TEST, BARRIER != 0, "one barrier credit too many",                       \
    "a barrier credit comes where the count is 2: credit")                                         \
  /* §7.4, §7.5 */                                                                               \
  X(REQUEST, "7.4", RUN, BARRIER >= 1 && BARRIER <= 3, "padding request",                          \
    "a padding request makes a channel preempted")                                                 \
  X(END, "7.4", RUN, BARRIER >= 1 && BARRIER <= 3, "padding end",                                  \
    "a padding end gives a channel back")                                                          \
  X(REQUEST_TWICE, "7.4", TEST, BARRIER >= 1 && BARRIER <= 3, "padding request, preempted",        \
    "a padding request for a channel that is preempted: protocol")                                 \
  X(END_OF_NONE, "7.4", TEST, BARRIER >= 1 && BARRIER <= 3, "padding end, not preempted",          \
    "a padding end for a channel that is not preempted: protocol")                                 \
  X(PADDING_CHANNEL, "7.4", TEST, BARRIER == 2 && VCS >= 2, "padding control, channel but 0",      \
    "padding control on a channel but 0: protocol")                                                \
  X(FIRST_FLIT, "7.4", RUN, BARRIER != 0 && DATA_W == 16, "first of two barrier flits",            \
    "the first flit of a message is kept in low")                                                  \
  X(FIRST_FLIT_ALONE, "7.4", TEST, BARRIER != 0 && DATA_W != 16, "first of two, M = 1",            \
    "the first of two barrier flits where a message has one: protocol")                            \
  X(QUEUE_FIRST, "7.4", RUN, BARRIER != 0, "message, empty queue",                                 \
    "a message comes into an empty barrier queue")                                                 \
  X(QUEUE_SECOND, "7.4", RUN, BARRIER != 0, "message, one in the queue",                           \
    "a message takes the second place of a barrier queue")                                         \
  X(QUEUE_TAKEN, "7.4", RUN, BARRIER != 0, "message as one is taken",                              \
    "a message comes in the cycle in which one leaves the queue")                                  \
  X(QUEUE_OVERFLOW, "7.4", TEST, BARRIER == 1 || BARRIER == 2, "message, full queue",              \
    "a message for a full barrier queue is ignored: overflow")                                     \
  X(QUEUE_OVERFLOW_TAKEN, "7.4", TEST, BARRIER == 1 || BARRIER == 2,                               \
    "message, full queue as one is taken",                                                         \
    "the same in the cycle in which a message leaves the queue: overflow all the same")            \
  X(DATA_PREEMPTED, "7.4", RUN, BARRIER >= 1 && BARRIER <= 3, "data on a preempted channel",       \
    "a data flit comes on a channel that is preempted")                                            \
  X(NULL_COMES, "7.4", RUN, BARRIER >= 1 && BARRIER <= 3, "null flit",                             \
    "a null flit comes into a buffer")                                                             \
  X(NULL_OPEN, "7.5", RUN, BARRIER >= 1 && BARRIER <= 3, "open, null",                             \
    "a null flit of an open packet is granted")                                                    \
  X(NULL_IDLE, "7.5", TEST, BARRIER != 0, "idle, null",                                            \
    "a null flit where a head is due is discarded: orphan")                                        \
  X(NULL_SINK, "7.5", RUN, BARRIER != 0, "sink, null",                                             \
    "a null flit of an unroutable packet is discarded")                                            \
  X(FRONT_PADDING, "7.5", TEST, BARRIER >= 4, "padding control without preemption",                \
    "padding control at a front where nothing is preempted: protocol")                             \
  X(FRONT_IDLE, "7.5", RUN, BARRIER >= 3, "idle, barrier flit",                                    \
    "a barrier or padding flit is at the front of an idle channel")                                \
  X(FRONT_OPEN, "7.5", RUN, BARRIER == 3, "open, barrier flit",                                    \
    "a barrier or padding flit is at the front of an open channel")                                \
  X(FRONT_SINK, "7.5", RUN, BARRIER == 3, "sink, barrier flit",                                    \
    "a barrier or padding flit is at the front of a channel that discards")                        \
  X(LAST_LOWER, "7.5", RUN, BARRIER >= 3 && VCS >= 2, "two messages at once",                      \
    "a message waits at a front because one of a lower channel is taken")                          \
  X(LAST_FULL, "7.5", TEST, BARRIER >= 3, "message, full queue",                                   \
    "a message waits at a front because the barrier queue is full")                                \
  X(PADDING, "7.5", RUN, BARRIER >= 1 && BARRIER <= 3, "padding sent",                             \
    "the padding generator's null flit is granted")                                                \
  X(PADDING_WAITS, "7.5", RUN, BARRIER >= 1 && BARRIER <= 3, "padding waits",                      \
    "padding is not eligible: no credit, or the output is taken")                                  \
  X(PADDING_NOT_EMPTY, "7.5", RUN, BARRIER >= 1 && BARRIER <= 3, "preempted, not empty",           \
    "a preempted channel still holds flits: no padding")                                           \
  X(PADDING_IDLE, "7.5", RUN, BARRIER >= 1 && BARRIER <= 3, "preempted, idle",                     \
    "a preempted channel is empty and idle: no padding")                                           \
  X(PADDING_SINK, "7.5", RUN, BARRIER >= 1 && BARRIER <= 3, "preempted, sink",                     \
    "a preempted channel is empty and discards: no padding")                                       \
  /* §7.6; lines in pairs: an output to a node, to a switch */                                    \
  X(RULE_1_NODE, "7.6", RUN, BARRIER != 0 && DATA_W == 16, "rule 1, to a node",                    \
    "a message's last flit is sent to a node")                                                     \
  X(RULE_1_SWITCH, "7.6", RUN, BARRIER != 0 && DATA_W == 16, "rule 1, to a switch",                \
    "a message's last flit is sent to a switch")                                                   \
  X(RULE_2_NODE, "7.6", RUN, BARRIER != 0, "rule 2, to a node",                                    \
    "a message to a node starts without a preemption")                                             \
  X(RULE_2_SWITCH, "7.6", RUN, BARRIER != 0, "rule 2, to a switch",                                \
    "a message to a switch starts without a preemption")                                           \
  X(RULE_2_TAKEN_NODE, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3,                                   \
    "rule 2 in a preemption, to a node", "a message to a node starts on a preempted channel")      \
  X(RULE_2_TAKEN_SWITCH, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3,                                 \
    "rule 2 in a preemption, to a switch", "a message to a switch starts on a preempted channel")  \
  X(RULE_3_NODE, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "rule 3, to a node",                    \
    "a channel to a node is preempted")                                                            \
  X(RULE_3_SWITCH, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "rule 3, to a switch",                \
    "a channel to a switch is preempted")                                                          \
  X(RULE_4_NODE, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "rule 4, to a node",                    \
    "a preemption of a channel to a node ends after IDLE cycles")                                  \
  X(RULE_4_SWITCH, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "rule 4, to a switch",                \
    "a preemption of a channel to a switch ends after IDLE cycles")                                \
  X(RULE_5_NODE, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3,                                         \
    "rule 5 after four messages, to a node",                                                       \
    "a preemption of a channel to a node ends because four messages have gone by it")              \
  X(RULE_5_SWITCH, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3,                                       \
    "rule 5 after four messages, to a switch",                                                     \
    "a preemption of a channel to a switch ends because four messages have gone by it")            \
  X(RULE_5_STUCK_NODE, "7.6", RUN, BARRIER == 3, "rule 5 for want of credits, to a node",          \
    "a preemption of a channel to a node ends because the next message may not start")             \
  X(RULE_5_STUCK_SWITCH, "7.6", RUN, BARRIER == 3, "rule 5 for want of credits, to a switch",      \
    "a preemption of a channel to a switch ends because the next message may not start")           \
  X(START_HIGHER, "7.6", RUN, (BARRIER == 1 || BARRIER == 3 || BARRIER == 4) && VCS >= 2,          \
    "start on a higher channel",                                                                   \
    "a message starts on a channel but 0, which is the lowest that it may take")                   \
  X(BURST_2, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "second message of a preemption",           \
    "a second message goes by a preemption")                                                       \
  X(BURST_3, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "third message of a preemption",            \
    "a third message goes by a preemption")                                                        \
  X(BURST_4, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "fourth message of a preemption",           \
    "a fourth message goes by a preemption")                                                       \
  X(IDLE_ENDS, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "message before the end",                 \
    "a message comes into the slot while a preemption counts towards its end")                     \
  X(WAITS_PLACE, "7.6", RUN, BARRIER != 0, "message waits for a place",                            \
    "a message in a slot waits for a barrier credit")                                              \
  X(WAITS_CREDIT, "7.6", RUN, BARRIER >= 3, "message waits for credits",                           \
    "a message in a slot waits: a channel is not owned, but has too few credits")                  \
  X(WAITS_OWNED, "7.6", RUN, BARRIER == 3 || BARRIER == 4, "message waits for packets",            \
    "a message in a slot waits: packets hold all channels, and none may be preempted")             \
  X(WAITS_REST, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "message waits for the rest",            \
    "a message in a slot waits because a packet moves on for 16 cycles")                           \
  X(STARTS_IN_REST, "7.6", RUN, BARRIER >= 1 && BARRIER <= 3, "start in the rest",                 \
    "a message starts on a free channel while the output rests")                                   \
  X(PREEMPT_NEXT_WRAPS, "7.6", RUN, (BARRIER == 1 || BARRIER == 3) && VCS >= 2,                    \
    "preempt_next wraps", "the last channel is preempted, and preempt_next becomes 0")             \
  X(PREEMPT_SKIPS, "7.6", RUN, BARRIER == 3 && VCS >= 2, "preempt_next passed over",               \
    "another channel than preempt_next is preempted")                                              \
  X(INITIAL_WAITS, "7.6", RUN, (BARRIER == 3 || BARRIER == 4) && VCS >= 2,                         \
    "initial reduce waits for channel 0",                                                          \
    "an initial reduce waits, though another message could start")                                 \
  /* §7.7, §7.8 */                                                                               \
  X(OUTPUT_SENDS, "7.7", RUN, BARRIER != 0, "front, output sends",                                 \
    "a front waits because its output sends by 7.6")                                               \
  X(OPEN_PREEMPTED, "7.7", RUN, BARRIER >= 1 && BARRIER <= 3, "open, channel preempted",           \
    "an open packet's front waits because its channel is preempted")                               \
  X(HEAD_WAITS, "7.7", RUN, BARRIER == 3 || BARRIER == 4, "head, message waits",                   \
    "a head waits because a message in the slot has a barrier credit")                             \
  X(RESERVED_MASK, "7.7", RUN, BARRIER == 5, "entry with the reserved channel",                    \
    "an entry's mask has channel VCS-1, which no packet gets")                                     \
  X(RESERVED_ALONE, "7.7", TEST, BARRIER == 5, "entry with the reserved channel alone",            \
    "an entry's mask has no other channel: unroutable")                                            \
  X(PREEMPTED_BELOW, "7.8", RUN, BARRIER >= 1 && BARRIER <= 3, "preempted again downstream",       \
    "the packet of a channel that is preempted is preempted again")                                \
  X(PREEMPTED_EMPTY, "7.8", RUN, BARRIER >= 1 && BARRIER <= 3, "preemption of an empty channel",   \
    "the packet that is preempted has no flit in its buffer")                                      \
  X(PREEMPTED_FULL, "7.8", RUN, BARRIER >= 1 && BARRIER <= 3, "preemption of a packet with flits", \
    "the packet that is preempted has a flit in its buffer")                                       \
  /* §7.9, §7.10: network interfaces */                                                          \
  X(NODE_MESSAGE, "7.9", RUN, BARRIER != 0, "message received",                                    \
    "a network interface receives a barrier message")                                              \
  X(NODE_NULL, "7.9", RUN, BARRIER >= 1 && BARRIER <= 3, "null flit received",                     \
    "a network interface discards a null flit")                                                    \
  X(NODE_PADDING, "7.9", RUN, BARRIER >= 1 && BARRIER <= 3, "padding control received",            \
    "a network interface discards padding control")                                                \
  X(NODE_HELD, "7.9", RUN, BARRIER != 0, "message received while held",                            \
    "a held network interface receives a barrier message")                                         \
  X(INJECTED, "7.10", RUN, BARRIER != 0, "message starts",                                         \
    "a network interface starts a barrier message")                                                \
  X(INJECT_HIGHER, "7.10", RUN, (BARRIER == 3 || BARRIER == 4) && VCS >= 2,                        \
    "message starts on a higher channel",                                                          \
    "a network interface starts a message on another channel than 0")                              \
  X(INJECT_PLACE, "7.10", RUN, BARRIER != 0, "message waits for a place",                          \
    "a message at a network interface waits for a barrier credit")                                 \
  X(INJECT_CREDIT, "7.10", RUN, BARRIER >= 3, "message waits for credits",                         \
    "a message at a network interface waits for credits of a channel, or for a packet")            \
  X(INJECT_BEFORE, "7.10", RUN, BARRIER != 0, "data waits for a barrier flit",                     \
    "a network interface has data to send in a cycle in which it sends a barrier flit")            \
  X(INJECT_FIRST, "7.10", RUN, BARRIER == 3 || BARRIER == 4, "packet waits for a message",         \
    "no packet goes under way at a network interface while a message waits")                       \
  /* §8.2 */                                                                                      \
  X(ENTRY_MADE, "8.2", RUN, BARRIER != 0, "entry made", "the status table gets an entry")          \
  X(ENTRY_LAST, "8.2", RUN, BARRIER != 0, "last place",                                            \
    "an entry takes the last place of the status table")                                           \
  X(ENTRY_GAP, "8.2", RUN, BARRIER != 0 && GROUPS >= 2, "place below others",                      \
    "an entry takes a place below one that is valid")                                              \
  /* §8.3, local */                                                                               \
  X(LOCAL_TYPE, "8.3", TEST, BARRIER != 0, "local, type but 0",                                    \
    "a local message but a reduce is dropped: protocol")                                           \
  X(LOCAL_NO_GROUP, "8.3", TEST, BARRIER != 0, "local, no entry",                                  \
    "a node arrives in a group without an entry: fail back, group")                                \
  X(LOCAL_NO_MEMBER, "8.3", TEST, BARRIER != 0, "local, no member",                                \
    "a node arrives that is no member: fail back, group")                                          \
  X(LOCAL_FAILED, "8.3", RUN, BARRIER != 0, "local, failed",                                       \
    "a node arrives in a group that has failed: fail back")                                        \
  X(LOCAL_TWICE, "8.3", TEST, BARRIER != 0, "local, arrived already",                              \
    "a node arrives a second time: fail back, duplicate")                                          \
  X(LOCAL_IN, "8.3", RUN, BARRIER != 0, "local, member", "a member arrives")                       \
  X(LOCAL_WAITS, "8.3", RUN, BARRIER != 0, "fail back waits", "a fail back waits for its slot")    \
  /* §8.3, in transit */                                                                          \
  X(PASS_REDUCE, "8.3", RUN, BARRIER != 0, "in transit, reduce", "a reduce goes on")               \
  X(PASS_DISTRIBUTE, "8.3", RUN, BARRIER != 0, "in transit, distribute", "a distribute goes on")   \
  X(PASS_FAIL, "8.3", RUN, BARRIER != 0, "in transit, fail", "a fail goes on")                     \
  X(PASS_BUILT, "8.3", TEST, BARRIER != 0, "in transit, initial, built",                           \
    "an initial reduce with tag 0 or 1 comes to an entry that is built: dropped, group")           \
  X(PASS_0_TWICE, "8.3", TEST, BARRIER != 0, "in transit, tag 0, child there",                     \
    "an initial reduce with tag 0 comes from a port with a child: dropped, duplicate")             \
  X(PASS_0_NEW, "8.3", RUN, BARRIER != 0, "in transit, tag 0, no entry",                           \
    "an initial reduce with tag 0 makes an entry and goes on")                                     \
  X(PASS_0_BSR, "8.3", RUN, BARRIER != 0, "in transit, tag 0, BSR node",                           \
    "an initial reduce with tag 0 becomes one with tag 2 at a BSR node")                           \
  X(PASS_0_MEETS, "8.3", RUN, BARRIER != 0, "in transit, tag 0, branches meet",                    \
    "an initial reduce with tag 0 makes the switch a BSR node and goes on with tag 1")             \
  X(PASS_1_NEW, "8.3", RUN, BARRIER != 0, "in transit, tag 1, no entry",                           \
    "an initial reduce with tag 1 makes an entry and goes on")                                     \
  X(PASS_1_KEEPS, "8.3", RUN, BARRIER != 0, "in transit, tag 1, entry",                            \
    "an initial reduce with tag 1 passes an entry of no BSR node")                                 \
  X(PASS_1_BSR, "8.3", RUN, BARRIER != 0, "in transit, tag 1, BSR node",                           \
    "an initial reduce with tag 1 becomes one with tag 2 at a BSR node")                           \
  X(PASS_2, "8.3", RUN, BARRIER != 0, "in transit, tag 2", "an initial reduce with tag 2 goes on") \
  X(PASS_3, "8.3", TEST, BARRIER != 0, "in transit, tag 3",                                        \
    "an initial reduce with tag 3 is dropped: protocol")                                           \
  X(PASS_TABLE, "8.3", RUN, BARRIER != 0, "in transit, table full",                                \
    "an initial reduce finds no place and goes on as fail: table")                                 \
  /* §8.3, for this switch */                                                                     \
  X(HERE_NO_GROUP, "8.3", TEST, BARRIER != 0, "here, no entry",                                    \
    "a message for this switch finds no entry: dropped, group")                                    \
  X(HERE_NO_BSR, "8.3", TEST, BARRIER != 0, "here, no BSR node",                                   \
    "a message for this switch finds an entry of no BSR node: dropped, group")                     \
  X(INITIAL_NO_ROOT, "8.3", TEST, BARRIER != 0, "initial, not the center",                         \
    "an initial reduce ends where the center is not: dropped, group")                              \
  X(INITIAL_BUILT, "8.3", TEST, BARRIER != 0, "initial, built",                                    \
    "an initial reduce comes to the center of a tree that is built: dropped, group")               \
  X(INITIAL_COUNT, "8.3", TEST, BARRIER != 0, "initial, count 0",                                  \
    "an initial reduce comes to the center, which waits for none: dropped, duplicate")             \
  X(INITIAL_3, "8.3", TEST, BARRIER != 0, "initial, tag 3",                                        \
    "an initial reduce with tag 3 comes to the center: dropped, protocol")                         \
  X(INITIAL_TWICE, "8.3", TEST, BARRIER != 0, "initial, tag 0, child there",                       \
    "an initial reduce with tag 0 comes to the center from a port with a child: dropped, "         \
    "duplicate")                                                                                   \
  X(INITIAL_0, "8.3", RUN, BARRIER != 0, "initial, tag 0",                                         \
    "an initial reduce with tag 0 comes to the center")                                            \
  X(INITIAL_1, "8.3", RUN, BARRIER != 0, "initial, tag 1",                                         \
    "an initial reduce with tag 1 comes to the center")                                            \
  X(INITIAL_2, "8.3", RUN, BARRIER != 0, "initial, tag 2",                                         \
    "an initial reduce with tag 2 comes to the center")                                            \
  X(REDUCE_EARLY, "8.3", TEST, BARRIER != 0, "reduce, not built",                                  \
    "a reduce comes to a tree that is not built: dropped, group")                                  \
  X(REDUCE_NO_CHILD, "8.3", TEST, BARRIER != 0, "reduce, no child",                                \
    "a reduce comes from a switch that is no child: dropped, group")                               \
  X(REDUCE_TWICE, "8.3", TEST, BARRIER != 0, "reduce, reported already",                           \
    "a child reports a second time: dropped, duplicate")                                           \
  X(REDUCE_IN, "8.3", RUN, BARRIER != 0, "reduce, child", "a child reports")                       \
  X(DISTRIBUTE_ROOT, "8.3", TEST, BARRIER != 0, "distribute, center",                              \
    "a distribute comes to the center: dropped, group")                                            \
  X(DISTRIBUTE_UP, "8.3", TEST, BARRIER != 0, "distribute, up pending",                            \
    "a distribute comes while the report to the parent is pending: dropped, duplicate")            \
  X(DISTRIBUTE_LOCAL, "8.3", RUN, BARRIER != 0, "distribute, member missing",                      \
    "a distribute comes before all members have arrived: dropped, duplicate")                      \
  X(DISTRIBUTE_CHILD, "8.3", TEST, BARRIER != 0, "distribute, child missing",                      \
    "a distribute comes before all children have reported: dropped, duplicate")                    \
  X(DISTRIBUTE_PARENT, "8.3", TEST, BARRIER != 0, "distribute, not from the parent",               \
    "a distribute comes from another switch than the parent: dropped, duplicate")                  \
  X(DISTRIBUTE_FIRST, "8.3", RUN, BARRIER != 0, "distribute, first",                               \
    "the first distribute says who the parent is, and the tree is built")                          \
  X(DISTRIBUTE_LATER, "8.3", RUN, BARRIER != 0, "distribute, later",                               \
    "a distribute comes to a tree that is built")                                                  \
  X(FAIL_NONE, "8.3", RUN, BARRIER != 0, "fail, nobody arrived", "a fail comes before any member") \
  X(FAIL_SOME, "8.3", RUN, BARRIER != 0, "fail, members arrived",                                  \
    "a fail comes after some member, who is told")                                                 \
  /* §8.3, check and pending sends */                                                             \
  X(CHECK_LOCAL, "8.3", RUN, BARRIER != 0, "check, member missing",                                \
    "check: some member has not arrived")                                                          \
  X(CHECK_COUNT, "8.3", RUN, BARRIER != 0, "check, initial reduce missing",                        \
    "check: the center waits for initial reductions")                                              \
  X(CHECK_CHILD, "8.3", RUN, BARRIER != 0, "check, child missing",                                 \
    "check: some child has not reported")                                                          \
  X(CHECK_UP_FIRST, "8.3", RUN, BARRIER != 0, "check, up, not built",                              \
    "check: all members have arrived, an initial reduce is due")                                   \
  X(CHECK_UP, "8.3", RUN, BARRIER != 0, "check, up, built",                                        \
    "check: all have arrived, a reduce is due")                                                    \
  X(CHECK_ROOT_FIRST, "8.3", RUN, BARRIER != 0, "check, release, not built",                       \
    "check: the center releases for the first time")                                               \
  X(CHECK_ROOT, "8.3", RUN, BARRIER != 0, "check, release, built",                                 \
    "check: the center releases again")                                                            \
  X(SEND_INITIAL, "8.3", RUN, BARRIER != 0, "send, initial reduce",                                \
    "the table sends an initial reduce")                                                           \
  X(SEND_REDUCE, "8.3", RUN, BARRIER != 0, "send, reduce", "the table sends a reduce")             \
  X(SEND_CHILD, "8.3", RUN, BARRIER != 0, "send, distribute",                                      \
    "the table sends a distribute to a child")                                                     \
  X(SEND_LOCAL, "8.3", RUN, BARRIER != 0, "send, local distribute", "the table releases a member") \
  X(SEND_LOCAL_FAIL, "8.3", RUN, BARRIER != 0, "send, local fail",                                 \
    "the table tells a member that its group has failed")                                          \
  X(SEND_WAITS, "8.3", RUN, BARRIER != 0, "send waits", "a pending send waits for a slot")         \
  /* §8.4 */                                                                                      \
  X(FIRST_WAY, "8.4", RUN, BARRIER != 0, "first way", "an initial reduce takes the lowest port")   \
  X(FIRST_WAY_WAITS, "8.4", RUN, BARRIER != 0, "first way waits",                                  \
    "an initial reduce waits for the slot of the lowest port")                                     \
  X(ANY_WAY, "8.4", RUN, BARRIER != 0, "any way",                                                  \
    "a message takes an open slot of which it may start at once")                                  \
  X(ANY_WAY_SLOW, "8.4", RUN, BARRIER != 0, "any way, none at once",                               \
    "a message takes an open slot of which none may start at once")                                \
  X(ANY_WAY_PASSES, "8.4", RUN, BARRIER != 0 && PORTS >= 3, "any way, slow port passed over",      \
    "a message takes a port that may start at once before one that may not")                       \
  X(ANY_WAY_TIE, "8.4", RUN, BARRIER != 0 && PORTS >= 3, "any way, several ports",                 \
    "a message has two ports or more that are as good")                                            \
  X(ANY_WAY_WAITS, "8.4", RUN, BARRIER != 0, "any way waits",                                      \
    "a message waits: none of its slots is open")                                                  \
  X(SPREAD_WRAPS, "8.4", RUN, BARRIER != 0 && PORTS >= 3, "search of ways wraps",                  \
    "of several ports one below spread is taken")                                                  \
  X(NO_PORT, "8.4", RUN, BARRIER != 0, "message without a way",                                    \
    "a message that would go on has no way: dropped, unreachable")                                 \
  X(NO_PORT_SEND, "8.4", RUN, BARRIER != 0, "send without a way",                                  \
    "a pending send has no way and is given up: unreachable")                                      \
  X(NO_SWITCH, "8.4", TEST, BARRIER != 0 && SWITCHES < 2048, "destination beyond SWITCHES",        \
    "a message's destination is no switch")                                                        \
  X(LIVE_MASKS, "8.4", RUN, BARRIER != 0, "LIVE takes a way away",                                 \
    "LIVE leaves out a port of the barrier routing table")                                         \
  X(OWED, "8.4", RUN, BARRIER != 0, "slot owed", "a source that waits is owed a slot")             \
  X(OWED_OTHER, "8.4", RUN, BARRIER != 0, "slot owed to another",                                  \
    "a source waits for a slot that is empty, but owed to another")                                \
  /* §8.5 */                                                                                      \
  X(LOOK_TIE_2, "8.5", RUN, BARRIER != 0, "look, two sources",                                     \
    "the unit has two sources to choose from")                                                     \
  X(LOOK_TIE_3, "8.5", RUN, BARRIER != 0, "look, three sources",                                   \
    "the unit has three sources to choose from")                                                   \
  X(LOOK_TIE_4, "8.5", RUN, BARRIER != 0 && PORTS >= 3, "look, four sources or more",              \
    "the unit has four sources or more to choose from")                                            \
  X(LOOK_WRAPS, "8.5", RUN, BARRIER != 0, "search of sources wraps",                               \
    "of several sources one below turn is taken")                                                  \
  X(LOOK_TABLE, "8.5", RUN, BARRIER != 0, "look, table", "the unit takes the table")               \
  X(LOOK_ENTRIES, "8.5", RUN, BARRIER != 0 && GROUPS >= 2, "look, several entries",                \
    "the unit takes the lowest of several entries with something pending")                         \
  X(LOOK_SENDS, "8.5", RUN, BARRIER != 0, "look, several sends",                                   \
    "the entry that the unit takes has two sends pending or more")                                 \
  X(WRITE_LOOK, "8.5", RUN, BARRIER != 0, "write in look",                                         \
    "a configuration write makes the unit stand still, which has a source to look at")             \
  X(WRITE_ACT, "8.5", RUN, BARRIER != 0, "write in act",                                           \
    "a configuration write makes the unit look again")                                             \
  /* §8.6 */                                                                                      \
  X(WRITE_WAYS, "8.6", RUN, BARRIER != 0, "barrier routing table written",                         \
    "a row of the barrier routing table is written")                                               \
  X(WRITE_WAYS_BEYOND, "8.6", TEST, BARRIER != 0 && SWITCHES < 2048, "row beyond SWITCHES",        \
    "a write to a row that the barrier routing table has not")                                     \
  X(WRITE_IDLE, "8.6", TEST, BARRIER != 0, "IDLE written",                                         \
    "the register IDLE is written while the switch runs")                                          \
  X(WRITE_SELF, "8.6", TEST, BARRIER != 0, "SELF written",                                         \
    "the register SELF is written while the switch runs")                                          \
  X(WRITE_LIVE, "8.6", RUN, BARRIER != 0, "LIVE written", "the register LIVE is written")          \
  X(WRITE_CENTER, "8.6", RUN, BARRIER != 0, "CENTER written", "the register CENTER is written")    \
  X(WRITE_COUNT, "8.6", RUN, BARRIER != 0, "COUNT written", "the register COUNT is written")       \
  X(WRITE_LOCAL, "8.6", RUN, BARRIER != 0, "LOCAL written", "the register LOCAL is written")       \
  X(OPEN_ROOT, "8.6", RUN, BARRIER != 0, "OPEN at the center", "a group is opened in its center")  \
  X(OPEN_MEMBER, "8.6", RUN, BARRIER != 0, "OPEN at a member switch",                              \
    "a group is opened in another member switch")                                                  \
  X(OPEN_TWICE, "8.6", TEST, BARRIER != 0, "OPEN, entry there",                                    \
    "a group is opened that has an entry: group")                                                  \
  X(OPEN_TABLE, "8.6", TEST, BARRIER != 0, "OPEN, table full",                                     \
    "a group is opened, and no place is free: table")                                              \
  X(CLOSE, "8.6", RUN, BARRIER != 0, "CLOSE", "a group's entry is closed")                         \
  X(CLOSE_NONE, "8.6", RUN, BARRIER != 0, "CLOSE, no entry",                                       \
    "a group is closed that has no entry")                                                         \
  X(CLOSE_PENDING, "8.6", TEST, BARRIER != 0, "CLOSE, something pending",                          \
    "a group is closed that has something to send")                                                \
  /* §8.8 */                                                                                      \
  X(WAKE_BARRIER_CREDIT, "8.8", RUN, BARRIER != 0, "woken by a barrier credit",                    \
    "a barrier credit comes to a quiescent switch")                                                \
  X(RESTS_ALONE, "8.8", RUN, BARRIER >= 1 && BARRIER <= 3, "awake for a preemption alone",         \
    "a switch does nothing but keep a preemption or a rest")                                       \
  /* §8.14 */                                                                                     \
  X(VALUE_EARLY, "8.14", TEST, BARRIER != 0 && VALUES, "value in the first round",                 \
    "a member arrives with a value before the tree is built: fail back, protocol")                 \
  X(VALUE_FIRST, "8.14", TEST, BARRIER != 0 && VALUES, "first value",                              \
    "the first to arrive in a round has a value")                                                  \
  X(VALUE_SUM, "8.14", TEST, BARRIER != 0 && VALUES, "sum", "a value joins others by sum")         \
  X(VALUE_MINIMUM, "8.14", TEST, BARRIER != 0 && VALUES, "minimum",                                \
    "a value joins others by minimum")                                                             \
  X(VALUE_MAXIMUM, "8.14", TEST, BARRIER != 0 && VALUES, "maximum",                                \
    "a value joins others by maximum")                                                             \
  X(VALUE_DIFFERS, "8.14", TEST, BARRIER != 0 && VALUES, "other operator",                         \
    "a value or none joins others of another operator: protocol")                                  \
  /* §10 */                                                                                       \
  X(WRITE_SET, "10.2", TEST, PORT_SETS, "port set written",                                        \
    "an entry of a table of port sets is written")                                                 \
  X(WRITE_SET_NONE, "10.2", TEST, !PORT_SETS, "port set without port sets",                        \
    "a write to a table of port sets that the switch has not")                                     \
  X(WRITE_ADAPT, "10.2", TEST, PORT_SETS, "ADAPT written", "the register ADAPT is written")        \
  X(WRITE_GENERATOR, "10.3", TEST, PORT_SETS, "generator written",                                 \
    "a generator gets another value")                                                              \
  X(WRITE_GENERATOR_0, "10.3", TEST, PORT_SETS, "generator written with 0",                        \
    "0 is written to a generator, which becomes 1")                                                \
  X(GENERATOR_DRAW, "10.3", TEST, PORT_SETS, "generator written with a head",                      \
    "a generator is written in the cycle in which a head comes that draws with what is written")   \
  X(GENERATOR_STEP, "10.3", TEST, PORT_SETS, "generator written with a step",                      \
    "a generator is written in the cycle in which it steps: the write wins")                       \
  X(SET_EMPTY, "10.4", TEST, PORT_SETS, "no legal port",                                           \
    "a head finds a port set without a port below PORTS: nothing is chosen")                       \
  X(SET_NO_CHANNEL, "10.4", TEST, PORT_SETS, "no channel for a choice",                            \
    "a head finds legal ports, and ADAPT has no channel: nothing is chosen")                       \
  X(SET_BEYOND, "10.4", TEST, PORTS < 16 && PORT_SETS, "port set beyond PORTS",                    \
    "a port set has a port that there is not")                                                     \
  X(SET_ONE, "10.4", TEST, PORT_SETS, "one legal port",                                            \
    "a head has one legal port, which is chosen")                                                  \
  X(BEST_ONE, "10.4", TEST, PORT_SETS, "one best port",                                            \
    "of several legal ports one has the most free credits, or the least count")                    \
  X(BEST_2, "10.4", TEST, PORT_SETS, "tie of two ports", "two ports are the best")                 \
  X(BEST_3, "10.4", TEST, PORTS >= 3 && PORT_SETS, "tie of three ports",                           \
    "three ports are the best")                                                                    \
  X(BEST_4, "10.4", TEST, PORTS >= 4 && PORT_SETS, "tie of four ports or more",                    \
    "four ports or more are the best")                                                             \
  X(DRAWN_LAST, "10.4", TEST, PORT_SETS, "last of a tie",                                          \
    "of several best ports the last is drawn")                                                     \
  X(FREE_TAKEN, "10.4", TEST, ADAPTIVE == 1, "choice with a grant",                                \
    "a credit of a legal port is taken in the cycle of the choice, for which it counts")           \
  X(CAP_EQUALS, "10.4", TEST, ADAPTIVE == 1 && VCS * DEPTH > 1, "equal by the cap",                \
    "of several best ports some have more free credits than others: all have as many as the cap")  \
  X(CHOSEN_NESTED, "10.4", TEST, PORT_SETS, "choice inside a packet",                              \
    "a head or single inside a packet has chosen, which means nothing")                            \
  X(CHOSEN_ALONE, "10.5", TEST, PORT_SETS, "chosen port, no entry",                                \
    "a packet goes by the chosen port, and its table entry is not routable")                       \
  X(CHOSEN_FIRST, "10.5", TEST, PORT_SETS, "chosen port before entry",                             \
    "a packet could have the chosen port and that of its table entry: the chosen one is "          \
    "requested")                                                                                   \
  X(CHOSEN_ONLY, "10.5", TEST, PORT_SETS, "chosen port, entry waits",                              \
    "a packet could have the chosen port, but not that of its table entry")                        \
  X(CHOSEN_ENTRY, "10.5", TEST, PORT_SETS, "entry instead of chosen port",                         \
    "a packet could not have the chosen port and requests that of its table entry")                \
  X(CHOSEN_SAME, "10.5", TEST, PORT_SETS, "chosen port is that of the entry",                      \
    "a packet has one port both by choice and by its table entry")                                 \
  X(CHOSEN_BACK, "10.5", TEST, PORT_SETS, "chosen port is its own",                                \
    "the chosen port is that through which the packet came")                                       \
  X(CHOSEN_WAITS, "10.5", TEST, PORT_SETS, "neither chosen port nor entry",                        \
    "a packet with a chosen port is not eligible")                                                 \
  X(CHOSEN_NO_CHANNEL, "10.5", TEST, PORT_SETS, "channels taken away",                             \
    "a packet with a chosen port has no channel there: ADAPT has none any more")                   \
  X(COUNT_RISES, "10.8", TEST, ADAPTIVE == 2, "greater count shown",                               \
    "a switch shows that more packets are inside")                                                 \
  X(COUNT_FALLS, "10.8", TEST, ADAPTIVE == 2, "smaller count shown",                               \
    "a switch shows that fewer packets are inside")                                                \
  X(COUNT_MORE, "10.8", TEST, ADAPTIVE == 2 && PORTS * VCS * (DEPTH + 1) > 63, "more than 63",     \
    "more packets are inside than can be shown")                                                   \
  X(COUNT_COMES, "10.8", TEST, ADAPTIVE == 2, "count comes", "a neighbour shows another count")    \
  X(COUNT_SAME, "10.8", TEST, ADAPTIVE == 2, "same count comes",                                   \
    "a neighbour shows the count that is known already")                                           \
  X(COUNT_LATE, "10.8", TEST, ADAPTIVE == 2, "count with a choice",                                \
    "a count comes in the cycle of a choice, for which that before it counts")                     \
  X(COUNT_NO_CREDIT, "10.8", TEST, ADAPTIVE == 2, "count against credits",                         \
    "a port with the least count has fewer free credits than one that has it not")                 \
  X(WAKE_COUNT, "10.8", TEST, ADAPTIVE == 2, "woken by a count",                                   \
    "a count comes to a quiescent switch")                                                         \
  X(GOES_BY_NODE, "10.9", TEST, ADAPTIVE == 3, "goes by the node",                                 \
    "a packet decides to go by the node: too many flits wait on the way to its destination")       \
  X(GOES_STRAIGHT, "10.9", TEST, ADAPTIVE == 3, "goes straight",                                   \
    "a packet decides to go straight to its destination")                                          \
  X(GOES_STRAIGHT_TIE, "10.9", TEST, ADAPTIVE == 3, "goes straight, at the limit",                 \
    "as many flits wait on the way to the destination as may: it goes straight")                   \
  X(BOTH_BY_ONE_PORT, "10.9", TEST, ADAPTIVE == 3, "decides, one port",                            \
    "a packet decides, and both ways have the same port")                                          \
  X(ONE_WAY_ALONE, "10.9", TEST, ADAPTIVE == 3, "decides not, one way",                            \
    "a packet has a node to go by, but not both entries are routable")                             \
  X(DECIDED_BEFORE, "10.9", TEST, ADAPTIVE == 3, "decides not, no first switch",                   \
    "a packet has both ways, and comes by a port that is not in FIRST: it goes by the node")       \
  /* §11 */                                                                                       \
  X(CODE_NONE, "11.2", TEST, CODE_PLACES != 0, "packet not for the coder",                         \
    "a packet with code 0 leaves by output 0")                                                     \
  X(CODE_MODE_2, "11.2", TEST, CODE_PLACES != 0, "mode 2, no code field",                          \
    "a packet with mode 2 leaves by output 0")                                                     \
  X(WRITE_PLACE, "11.3", TEST, CODE_PLACES != 0, "place written", "a place is opened or closed")   \
  X(WRITE_PLACE_BEYOND, "11.3", TEST, CODE_PLACES != 0, "place written beyond CODE_PLACES",        \
    "a write to a place that there is not")                                                        \
  X(WRITE_PLACE_NONE, "11.3", TEST, CODE_PLACES == 0, "place without a coder",                     \
    "a write to a place of a switch without a coder")                                              \
  X(PLACE_INCOMPLETE, "11.3", TEST, CODE_PLACES != 0, "place written that is not empty",           \
    "a place is written while it keeps a packet: incomplete")                                      \
  X(PLACE_SPENT, "11.3", TEST, CODE_PLACES != 0, "place spent",                                    \
    "both pairs of a place have been made, and it is empty")                                       \
  X(TAIL_MISSING, "11.4", TEST, CODE_PLACES != 0, "tail that never came",                          \
    "a head comes on a channel while a packet is watched there: length")                           \
  X(CODE_UNUSED, "11.4", TEST, CODE_PLACES != 0, "code 3",                                         \
    "a packet with code 3 is not kept: closed")                                                    \
  X(PLACE_BEYOND, "11.4", TEST, CODE_PLACES == 1 || (CODE_PLACES & (CODE_PLACES - 1)),             \
    "place beyond CODE_PLACES", "a packet for a place that there is not is not kept: closed")      \
  X(PLACE_CLOSED, "11.4", TEST, CODE_PLACES != 0, "closed place",                                  \
    "a packet for a place that is not open is not kept: closed")                                   \
  X(PLACE_OCCUPIED, "11.4", TEST, CODE_PLACES != 0, "occupied place",                              \
    "a packet for a place that is not empty is not kept: occupied")                                \
  X(KEPT_NATIVE, "11.4", TEST, CODE_PLACES != 0, "native packet",                                  \
    "the head of a native packet is kept")                                                         \
  X(KEPT_CODED, "11.4", TEST, CODE_PLACES != 0, "coded packet",                                    \
    "the head of a coded packet is kept")                                                          \
  X(LONGEST, "11.4", TEST, CODE_PLACES != 0, "packet of 16 flits",                                 \
    "a packet of 16 flits is complete")                                                            \
  X(TOO_LONG, "11.4", TEST, CODE_PLACES != 0, "packet of more than 16 flits",                      \
    "a packet of more than 16 flits is not kept: length")                                          \
  X(WRONG_LENGTH, "11.4", TEST, CODE_PLACES != 0, "wrong length field",                            \
    "a native packet with a wrong length field is not kept: length")                               \
  X(MADE_NATIVE, "11.4", TEST, CODE_PLACES >= 2, "restored packet",                                \
    "a native packet that the coder made takes effect")                                            \
  X(MADE_CODED, "11.4", TEST, CODE_PLACES >= 2, "packet encoded",                                  \
    "a coded packet that the coder made takes effect")                                             \
  X(PAIR_NATIVE, "11.5", TEST, CODE_PLACES >= 2, "native, native",                                 \
    "a pair of native packets is picked")                                                          \
  X(PAIR_NATIVE_CODED, "11.5", TEST, CODE_PLACES >= 2, "native, coded",                            \
    "a native packet and a coded one in the next place are picked")                                \
  X(PAIR_CODED_NATIVE, "11.5", TEST, CODE_PLACES >= 2, "coded, native",                            \
    "a coded packet and a native one in the next place are picked")                                \
  X(PAIRS_SEVERAL, "11.5", TEST, CODE_PLACES >= 3, "several ready pairs",                          \
    "one of several ready pairs is picked")                                                        \
  X(PICK_WRAPS, "11.5", TEST, CODE_PLACES >= 2, "search of pairs wraps",                           \
    "a pair below next is picked")                                                                 \
  X(MOVES, "11.5", TEST, CODE_PLACES >= 2, "move to an idle port",                                 \
    "a picked pair moves while nothing is being sent")                                             \
  X(MOVES_AT_END, "11.5", TEST, CODE_PLACES >= 3, "move without a gap",                            \
    "a picked pair moves in the cycle in which the last flit before it is granted")                \
  X(CODER_TIE, "11.6", TEST, CODE_PLACES >= 2, "coder and an input",                               \
    "the coder and an input want output 0")                                                        \
  X(CODER_NO_CHANNEL, "11.6", TEST, CODE_PLACES >= 2, "made head waits",                           \
    "the head of a made packet waits for a channel with credits")                                  \
  X(CODER_NO_CREDIT, "11.6", TEST, CODE_PLACES >= 2, "made packet, no credit",                     \
    "a later flit of a made packet waits")                                                         \
  X(MADE_SINGLE, "11.7", TEST, CODE_PLACES >= 2, "made single",                                    \
    "a made packet of one flit is granted")                                                        \
  X(MADE_HEAD, "11.7", TEST, CODE_PLACES >= 2, "made head",                                        \
    "the head of a made packet is granted")                                                        \
  X(MADE_TAIL, "11.7", TEST, CODE_PLACES >= 2, "made tail",                                        \
    "the tail of a made packet is granted")                                                        \
  X(MADE_BODY, "11.7", TEST, CODE_PLACES >= 2, "made body",                                        \
    "a body flit of both packets is granted")                                                      \
  X(MADE_PADDED, "11.7", TEST, CODE_PLACES >= 2, "made body, padded",                              \
    "a body flit is granted for which one of both packets is padded")                              \
  /* §13 */                                                                                       \
  X(WRITE_TREE, "13.3", TEST, TREES != 0, "tree written", "an entry of the tree table is written") \
  X(WRITE_TREE_BEYOND, "13.3", TEST, TREES != 0, "tree written beyond TREES",                      \
    "a write to a tree that there is not")                                                         \
  X(WRITE_TREE_NONE, "13.3", TEST, TREES == 0, "tree without multicast",                           \
    "a write to the tree table of a switch without multicast")                                     \
  X(WRITE_CAST, "13.3", TEST, TREES != 0, "CAST written", "the channel of multicast is written")   \
  X(CAST_HEAD, "13.3", TEST, TREES != 0, "multicast head",                                         \
    "a head of more than one flit has mode 3: it has no way")                                      \
  X(CAST_TREE_BEYOND, "13.3", TEST, TREES != 0 && (1u << hd_log2_ceil(NODES)) > TREES,             \
    "tree beyond TREES", "a multicast flit of a tree that there is not has no way")                \
  X(CAST_CHANNEL, "13.3", TEST, TREES != 0 && (VCS < 8 || BARRIER == 5), "CAST beyond channels",   \
    "multicast has no channel that packets may take")                                              \
  X(CAST_NO_BRANCH, "13.3", TEST, TREES != 0, "no branch",                                         \
    "the tree has no port but that by which the flit came")                                        \
  X(CAST_ROUTED, "13.3", TEST, TREES != 0, "multicast flit",                                       \
    "a multicast flit comes by a port of its tree")                                                \
  X(CAST_FROM_OUTSIDE, "13.3", TEST, TREES != 0, "multicast flit from outside",                    \
    "a multicast flit comes by a port that is not of its tree")                                    \
  X(CAST_ALL, "13.4", TEST, TREES != 0, "all branches at once",                                    \
    "a multicast flit leaves by several branches in one cycle, and is popped")                     \
  X(CAST_SOME, "13.4", TEST, TREES != 0, "some branches",                                          \
    "a multicast flit leaves by some of its branches and waits for the others")                    \
  X(CAST_REST, "13.4", TEST, TREES != 0, "last branches",                                          \
    "a multicast flit that had left by others leaves by its last branches")                        \
  X(CAST_NO_ROOM, "13.4", TEST, TREES != 0, "branch without room",                                 \
    "a multicast flit asks for some branches, and another one has no room")                        \
  X(CAST_BLOCKED, "13.4", TEST, TREES != 0, "no branch has room", "a multicast flit asks for none")

enum hd_spec_point {
#define HD_COVERAGE_ENUM(NAME, ...) HD_POINT_##NAME,
  HD_COVERAGE_LIST(HD_COVERAGE_ENUM)
#undef HD_COVERAGE_ENUM
      HD_POINTS
};

/** How often each point was reached. The owner clears it before the first cycle. */
struct hd_coverage {
  uint64_t count[HD_POINTS];
};

enum hd_coverage_by { HD_COVERAGE_RUN, HD_COVERAGE_TEST };

/** A line of HD_COVERAGE_LIST. */
struct hd_coverage_point {
  const char *section, *name, *about;
  const char *when; /* the condition as text; NULL: every switch */
  enum hd_coverage_by by;
};
extern const struct hd_coverage_point hd_coverage_list[HD_POINTS];

/** Returns true if some traffic can make a switch of `params` reach the point. */
bool hd_coverage_possible(const struct hd_switch_params *params, enum hd_spec_point point);

/** Returns true if the point can be reached in a run, in which only network interfaces and the management send. */
static inline bool hd_coverage_reachable(const struct hd_switch_params *params,
                                         enum hd_spec_point point)
{
  return hd_coverage_list[point].by == HD_COVERAGE_RUN && hd_coverage_possible(params, point);
}

/** Returns the point of that section and name; HD_POINTS: there is none. */
enum hd_spec_point hd_coverage_find(const char *section, const char *name);

#endif
