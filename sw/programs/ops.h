/* Traces of programs: the operations of each rank, and which operations they wait for.
 * SPDX-License-Identifier: Apache-2.0
 *
 * There are two formats. Of Heddle's own (docs/traces.md), a run keeps a few kilobytes for each
 * rank in memory. GOAL is kept whole.
 */
#ifndef HD_PROGRAMS_OPS_H
#define HD_PROGRAMS_OPS_H

#include "../collectives/collectives.h"
#include "csv.h"

enum hd_op_kind { HD_OP_SEND, HD_OP_RECEIVE, HD_OP_COMPUTE, HD_OP_WAIT, HD_OP_COLLECTIVE };

enum { HD_OPS_LABELS = 65536, HD_OPS_AFTER = 64, HD_OPS_CALLS = 256, HD_OPS_GROUPS = 4096 };
#define HD_OPS_NO_LABEL UINT32_MAX

struct hd_op {
  uint8_t kind;       /* enum hd_op_kind */
  uint8_t collective; /* enum hd_collective */
  /** the next operation waits until this one has begun, not until it has ended */
  bool is_nonblocking;
  bool has_after; /* has an explicit `after`: it does not wait for the operation before it */
  uint16_t call;  /* index of the MPI call that it belongs to, in calls[] */
  uint32_t peer;  /* source, destination, or root of a collective */
  uint32_t tag, group;
  uint32_t label, line;
  uint64_t amount; /* bytes, or nanoseconds of computing */
  uint32_t n_after, n_begun;
  /** labels of operations that must have ended; valid until the next operation is read */
  const uint32_t *after;
  const uint32_t *begun; /* labels of operations that must have begun; valid as long as `after` */
};

struct hd_ops_rank {
  uint64_t offset; /* place of its first operation in the file; GOAL: the operation's index */
  uint32_t line;
  uint64_t n;      /* operations */
  uint32_t labels; /* 1 + the largest label */
  bool has_after;  /* some operation has `has_after` */
};

struct hd_ops_group {
  uint32_t n;
  int *ranks;
};

struct hd_goal;

/** A trace, which all ranks share. */
struct hd_ops {
  const char *path;
  const char *text; /* the whole text; NULL: parts of the file are read when they are needed */
  size_t length;
  /** returns zeroed memory that lives as long as the trace; never NULL */
  void *(*allocate)(void *context, size_t bytes);
  void *context;
  uint32_t most_ranks; /* number of nodes of the fabric */
  uint32_t n_ranks, n_calls;
  struct hd_ops_rank *ranks;
  struct hd_ops_group *groups[HD_OPS_GROUPS]; /* [0] is all ranks */
  char *calls[HD_OPS_CALLS];                  /* names of MPI calls; [0] is "" */
  struct hd_goal *goal;                       /* NULL: the trace is in Heddle's own format */
};

/** Returns the format of a trace by its beginning: Heddle's own, GOAL, or neither. */
enum hd_ops_format { HD_OPS_NEITHER, HD_OPS_OWN, HD_OPS_GOAL };
enum hd_ops_format hd_ops_format_of(const char *text, size_t length);

/** Reads the whole trace once and checks it. The caller has set path, text, length, allocate,
 *  context and most_ranks. Returns 0, or -1 with the mistake in *error. */
int hd_ops_open(struct hd_ops *ops, struct hd_csv_error *error);

enum { HD_OPS_CHUNK = 16384 };

/** Reads the operations of one rank, one after the other. */
struct hd_ops_reader {
  const struct hd_ops *ops;
  /** operations of the rank; how many were not read yet; place in the file of the next read */
  uint64_t n, left, offset;
  uint32_t line;
  uint16_t call;
  char *chunk; /* memory of the trace */
  size_t begin, end;
  uint32_t after[HD_OPS_AFTER];
};

void hd_ops_reader_init(struct hd_ops_reader *reader, const struct hd_ops *ops, uint32_t rank);
/** Reads the next operation. Returns 1; 0: there is none; -1: the file has changed since it was
 *  opened. */
int hd_ops_next(struct hd_ops_reader *reader, struct hd_op *op, struct hd_csv_error *error);

/* ── shared by the readers of both formats ───────────────────────────────── */

/** Writes line and message to *error. Returns -1. */
int hd_ops_fail(struct hd_csv_error *error, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** hd_goal_open reads a trace in GOAL from ops->text. hd_goal_operation returns the operation with this
 *  index. */
int hd_goal_open(struct hd_ops *ops, struct hd_csv_error *error);
void hd_goal_operation(const struct hd_ops *ops, uint64_t number, struct hd_op *op);

/** Checks that each send has its receive. For each pair of ranks there is one sum, to which sends
 *  add and from which receives subtract. */
struct hd_ops_balance {
  uint32_t n;
  uint64_t *sums;
};
void hd_ops_balance_add(struct hd_ops_balance *balance, uint32_t rank, const struct hd_op *op);
int hd_ops_balance_check(const struct hd_ops_balance *balance, struct hd_csv_error *error);

#endif
