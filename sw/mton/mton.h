/* Schedules of M-to-N personalized communication: which source sends to whom in which slot.
 * SPDX-License-Identifier: Apache-2.0
 *
 * M sources at consecutive nodes send to N destinations at consecutive nodes, a different message
 * to each. A schedule is a sequence of transactions. A transaction has a table, whose entries are
 * destinations or idle, and some of the sources, in the order of nodes. In slot t, source i of the
 * transaction sends to entry (i + t) modulo the table's length. So no destination gets two messages
 * in one slot, unless it is in the table twice at a distance less than the number of sources.
 *
 * The tables are those of the M-to-N paper (Shu et al., Section V). Each has the destinations in
 * the order of address. If M > N, the sources form groups of N. A larger message is sent as several
 * messages of one size ("virtual destinations"), in further transactions. The paper says that its
 * tables avoid contention in the tree, but often they do not. The padded table does: idle entries
 * at its end make it as long as the shortest table in which no two messages of a slot share a link.
 * If no number of idle entries at the end is enough, because some nodes in between are not
 * destinations, each entry is put at the place that its address gives. The merged table has the
 * messages of all transactions in one table. So has the table with virtual destinations, of which
 * the paper says, rightly, that it contends (its Fig. 13).
 *
 * This room finds contention by arithmetic, for k-ary n-trees in which all packets go to the last
 * stage (specification §5.2–5.4). sw/contention finds it from a fabric's links and tables. Neither
 * uses the other, so each checks the other.
 *
 * Reading order: tree.c (contention), mton.c (tables), sizes.c, request.c (parameters).
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

/** Returns the name of a kind, "paper" …; NULL if there is no such number. */
const char *hd_mton_kind_name(unsigned kind);

/** A k-ary n-tree, plain or extended, in which all packets go to the last stage. n 0: no tree; only
 *  messages with the same source or destination contend. */
struct hd_mton_tree {
  uint32_t k, n;
  bool by_destination; /* true: D-mod-k; false: S-mod-k */
};

enum { HD_MTON_MAX_NODES = 2048, HD_MTON_MAX_UNITS = 4096, HD_MTON_MAX_MERGED = 8192 };

/** Parameters of an M-to-N communication. */
struct hd_mton {
  uint32_t sources, destinations;    /* M, N: 1 … HD_MTON_MAX_NODES */
  uint32_t first, first_destination; /* nodes */
  enum hd_mton_kind kind;
  struct hd_mton_tree tree; /* used by padded and merged */
  /** [M][N] number of messages, at most HD_MTON_MAX_UNITS; borrowed; NULL: one to each
   *  destination */
  const uint16_t *units;
};

#define HD_MTON_IDLE UINT32_MAX

/** An entry of a table: the source sends message number `part` to `destination`, or is idle if it
 *  has fewer for it. */
struct hd_mton_entry {
  uint32_t destination; /* a node, or HD_MTON_IDLE */
  uint32_t part;
};

struct hd_mton_transaction {
  uint32_t first_slot, slots;     /* slots: also the length of its table */
  uint32_t first_source, sources; /* indices of sources, 0 … M − 1 */
  size_t entry;                   /* its table begins at entries[entry] */
};

struct hd_mton_schedule {
  struct hd_mton_transaction *transactions; /* owned */
  struct hd_mton_entry *entries;            /* owned */
  size_t n_transactions, n_entries, cap_transactions, cap_entries;
  uint32_t slots;   /* slots of all transactions */
  bool unscheduled; /* every source begins with the first entry of the table, not with its own */
};

/** Makes a schedule; the caller frees it by hd_mton_schedule_fini. Returns HD_E_INPUT with a
 *  message that names the wrong member; *schedule is then zero. */
int hd_mton_schedule(struct hd_mton_schedule *schedule, const struct hd_mton *mton,
                     struct hd_error *err);
void hd_mton_schedule_fini(struct hd_mton_schedule *schedule);

/** Finds the message that source number `source` (0 … M − 1) sends in slot `slot` of a transaction.
 *  Returns false if there is none. */
bool hd_mton_at(const struct hd_mton *mton, const struct hd_mton_schedule *schedule,
                const struct hd_mton_transaction *transaction, uint32_t source, uint32_t slot,
                struct hd_mton_entry *entry);

/** One message; source and destination are nodes. */
struct hd_mton_message {
  uint32_t slot, source, destination;
};

/** Returns the *n messages of a schedule, sorted by slot, then source. The caller frees them. */
struct hd_mton_message *hd_mton_messages(const struct hd_mton *mton,
                                         const struct hd_mton_schedule *schedule, size_t *n);

/** Returns a lower bound of the slots: what the busiest source sends, or the busiest destination
 *  receives. */
uint32_t hd_mton_least_slots(const struct hd_mton *mton);

/** Returns true if the paper's table of M ≤ N destinations contends, when the sources begin at node
 *  0 and the destinations at a multiple of kⁿ⁻¹. In closed form: with S-mod-k exactly if ⌊N/kˡ⌋ ≥ 1
 *  and M > kˡ·⌊N/kˡ⌋ for some 0 < l < n; with D-mod-k exactly if 0 < N mod kˡ < M for some such
 *  l. */
bool hd_mton_contends(const struct hd_mton_tree *tree, uint32_t sources, uint32_t destinations);

/** Returns true if two messages of one slot can need the same link. Their destinations (nodes) are
 *  in a table of `length` entries, at `place` and `other_place`, which `sources` sources from node
 *  `first` on use. */
bool hd_mton_clash(const struct hd_mton_tree *tree, uint32_t first, uint32_t sources,
                   uint32_t length, uint32_t place, uint32_t destination, uint32_t other_place,
                   uint32_t other_destination);

/** Reads sizes of messages: CSV with a line of N numbers of bytes for each of M sources. Blank
 *  lines and lines that begin with # are skipped. Sets units[M][N] to the number of messages of
 *  unit_bytes > 0 bytes that hold them; the last one is padded. Returns HD_E_INPUT, with the
 *  line. */
int hd_mton_sizes(const char *text, size_t length, uint32_t sources, uint32_t destinations,
                  uint32_t unit_bytes, uint16_t *units, struct hd_error *err);

/** Reads the parameters of software: a number or text, or `fallback` if the parameter is not
 *  set. */
struct hd_mton_reader {
  void *context;
  double (*number)(void *context, const char *key, double fallback);
  const char *(*text)(void *context, const char *key, const char *fallback);
};

/** The parameters, except the sizes. */
struct hd_mton_request {
  struct hd_mton mton;
  uint32_t bytes;   /* of a message */
  const char *file; /* file of sizes; NULL: none */
};

/** The parameters with meaning and default, for a program's list. */
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

/** Reads and checks the parameters for a fabric of `nodes` nodes. Returns HD_E_INPUT; *key is then
 *  the wrong parameter, and err says "value; legal: …". */
int hd_mton_read(struct hd_mton_request *request, const struct hd_mton_reader *reader,
                 uint32_t nodes, const char **key, struct hd_error *err);

#endif
