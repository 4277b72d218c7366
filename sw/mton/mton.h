/* Schedules of M-to-N personalized communication: who sends to whom in which slot.
 * SPDX-License-Identifier: Apache-2.0
 *
 * M sources at successive nodes send to N destinations at successive nodes, to each another message. A
 * schedule is a sequence of transactions. In a transaction some sources, one after the other in order of node,
 * go around in one table: in slot t, source i of the transaction takes entry (i + t) modulo the table's
 * length. An entry is a destination or idle. So no destination gets two messages in a slot, if it does not
 * stand in the table twice within the distance of the sources.
 *
 * From the M-to-N paper (Shu et al., Section V): the table of the destinations in order of address, M > N in
 * groups of N sources, larger messages as several of one size ("virtual destinations") in transactions of
 * their own. The paper says that its tables avoid contention in the tree; often they do not. The padded table
 * does: idle entries at its end make it as long as the shortest one in which no two messages of a slot share a
 * link. Where no such end helps, because some nodes between are no destinations, entries stand where their
 * addresses tell. The merged table has all messages of all transactions in one. So has the table with virtual destinations, of which
 * the paper says, rightly, that it contends (its Fig. 13).
 *
 * This room finds contention by arithmetic on k-ary n-trees with all packets sent to the last stage
 * (specification §5.2–5.4). sw/contention finds it from a fabric's links and tables; neither room uses the
 * other, so that each checks the other.
 *
 * Reading order: tree.c (what contends), mton.c (tables), sizes.c, request.c (from parameters).
 */
#ifndef HD_MTON_H
#define HD_MTON_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** X(KIND, name, help) */
#define HD_MTON_LIST(X)                                                                          \
  X(UNSCHEDULED, "unscheduled", "all sources send to the first destination, then to the next")   \
  X(PAPER, "paper", "the paper's tables; M > N in groups, larger messages in more transactions") \
  X(VIRTUAL, "virtual",                                                                          \
    "one table for all of it: the destinations, and after them again those that get more")       \
  X(PADDED, "padded", "the paper's, each table padded to the next length without contention")    \
  X(MERGED, "merged", "one table for all of it, as short as a search finds it without contention")

#define HD_MTON_MEMBER(KIND, name, help) HD_MTON_##KIND,
enum hd_mton_kind { HD_MTON_LIST(HD_MTON_MEMBER) HD_MTON_KINDS };
#undef HD_MTON_MEMBER

/** "paper" …; NULL beyond the last. */
const char *hd_mton_kind_name(unsigned kind);

/** A k-ary n-tree, plain or extended, with all packets sent to the last stage. n 0: no tree, and only
 *  sources and destinations contend. */
struct hd_mton_tree {
  uint32_t k, n;
  bool by_destination; /* D-mod-k; otherwise S-mod-k */
};

enum { HD_MTON_MAX_NODES = 2048, HD_MTON_MAX_UNITS = 4096, HD_MTON_MAX_MERGED = 8192 };

/** Parameters of an M-to-N communication. */
struct hd_mton {
  uint32_t sources, destinations;    /* M, N: 1 … HD_MTON_MAX_NODES */
  uint32_t first, first_destination; /* nodes */
  enum hd_mton_kind kind;
  struct hd_mton_tree tree; /* padded and merged */
  const uint16_t *units; /* [M][N] messages, ≤ HD_MTON_MAX_UNITS; borrowed; NULL: one to each */
};

#define HD_MTON_IDLE UINT32_MAX

/** The unit that a source sends: number `part` of its units for `destination`. Idle where it has fewer. */
struct hd_mton_entry {
  uint32_t destination; /* node; HD_MTON_IDLE */
  uint32_t part;
};

struct hd_mton_transaction {
  uint32_t first_slot, slots;     /* slots: length of its table, too */
  uint32_t first_source, sources; /* positions of sources, 0 … M − 1 */
  size_t entry;                   /* its table begins at entries[entry] */
};

struct hd_mton_schedule {
  struct hd_mton_transaction *transactions; /* owned */
  struct hd_mton_entry *entries;            /* owned */
  size_t n_transactions, n_entries, cap_transactions, cap_entries;
  uint32_t slots;   /* of all transactions */
  bool unscheduled; /* sources do not go around from an entry of their own, but from the first */
};

/** Makes a schedule, to be freed by hd_mton_schedule_fini. HD_E_INPUT (the message names the member that is
 *  wrong); then it is zeroed. */
int hd_mton_schedule(struct hd_mton_schedule *schedule, const struct hd_mton *mton,
                     struct hd_error *err);
void hd_mton_schedule_fini(struct hd_mton_schedule *schedule);

/** Gives the message that source number `source` (0 … M − 1) sends in slot `slot` of a transaction. False: none. */
bool hd_mton_at(const struct hd_mton *mton, const struct hd_mton_schedule *schedule,
                const struct hd_mton_transaction *transaction, uint32_t source, uint32_t slot,
                struct hd_mton_entry *entry);

/** One message; both are nodes. */
struct hd_mton_message {
  uint32_t slot, source, destination;
};

/** All messages of a schedule in order of slot, then source; the caller's to free. */
struct hd_mton_message *hd_mton_messages(const struct hd_mton *mton,
                                         const struct hd_mton_schedule *schedule, size_t *n);

/** Slots that no schedule can do without: what the busiest source sends, or the busiest destination gets. */
uint32_t hd_mton_least_slots(const struct hd_mton *mton);

/** Does the paper's table of M <= N destinations contend, when the sources begin at node 0 and the
 *  destinations at a multiple of kⁿ⁻¹? In closed form: S-mod-k exactly if for some 0 < l < n
 *  ⌊N/kˡ⌋ ≥ 1 and M > kˡ·⌊N/kˡ⌋; D-mod-k exactly if for some 0 < N mod kˡ < M. */
bool hd_mton_contends(const struct hd_mton_tree *tree, uint32_t sources, uint32_t destinations);

/** Can two messages of one slot need the same link, if destinations (nodes) stand in a table of `length` at
 *  `place` and `other_place`, and `sources` sources from node `first` on go around in it? */
bool hd_mton_clash(const struct hd_mton_tree *tree, uint32_t first, uint32_t sources,
                   uint32_t length, uint32_t place, uint32_t destination, uint32_t other_place,
                   uint32_t other_destination);

/** Reads sizes of messages: CSV, a line of N numbers of bytes for each of M sources; lines that are blank or
 *  begin with # are skipped. units[M][N] becomes the number of messages of unit_bytes > 0 that they fill;
 *  the last one is filled up. HD_E_INPUT, with the line. */
int hd_mton_sizes(const char *text, size_t length, uint32_t sources, uint32_t destinations,
                  uint32_t unit_bytes, uint16_t *units, struct hd_error *err);

/** Reads parameters of software: a number, or text, or the fallback if the parameter is not given. */
struct hd_mton_reader {
  void *context;
  double (*number)(void *context, const char *key, double fallback);
  const char *(*text)(void *context, const char *key, const char *fallback);
};

/** Everything that is read, besides sizes. */
struct hd_mton_request {
  struct hd_mton mton;
  uint32_t bytes;   /* of a message */
  const char *file; /* sizes; NULL: none */
};

/** Keys with their meaning and default, for a program's list of parameters. */
#define HD_MTON_PARAMETERS                                                                         \
  "sources: number M of sending nodes (6)", "destinations: number N of receiving nodes (10)",      \
      "first: lowest source (0)",                                                                  \
      "first_destination: lowest destination (the node after the last source)",                    \
      "bytes: length of each message (256)",                                                       \
      "file: CSV of bytes from each source (line) to each destination (column), sent as messages " \
      "of `bytes` (none: one message to each)",                                                    \
      "schedule: paper, virtual, padded, merged or unscheduled (paper)",                           \
      "k: arity of the tree, for padded and merged (2)", "n: stages of the tree, likewise (3)",    \
      "routing: s-mod-k or d-mod-k, likewise (s-mod-k)"

/** Reads and checks them for a fabric of `nodes` nodes. HD_E_INPUT: *key is the one that is wrong, and err
 *  says "value; legal: …". */
int hd_mton_read(struct hd_mton_request *request, const struct hd_mton_reader *reader,
                 uint32_t nodes, const char **key, struct hd_error *err);

#endif
