/* Traces of programs: what each rank does, and what it waits for. Two formats give the same operations: Heddle's own
 * (docs/traces.md), of which a run holds a few kilobytes a rank in memory, and GOAL, which it holds whole.
 * SPDX-License-Identifier: Apache-2.0
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
  bool goes_on;       /* the next operation waits only until this one has begun */
  bool says_after;    /* it does not wait for the one before it */
  uint16_t call;      /* what it is a part of: calls[call] */
  uint32_t peer;      /* source or destination; root of a collective */
  uint32_t tag, group;
  uint32_t label, line;
  uint64_t amount; /* bytes, or nanoseconds of computing */
  uint32_t n_after, n_begun;
  const uint32_t *
      after; /* labels of operations that must have ended; valid until the next operation is read */
  const uint32_t *begun; /* labels of operations that must have begun; valid as long */
};

struct hd_ops_rank {
  uint64_t offset; /* of its first operation in the file; GOAL: its number */
  uint32_t line;
  uint64_t n;      /* operations */
  uint32_t labels; /* 1 + the largest */
  bool says_after; /* some operation does */
};

struct hd_ops_group {
  uint32_t n;
  int *ranks;
};

struct hd_goal;

/** A trace, the same for all ranks. */
struct hd_ops {
  const char *path;
  const char *text; /* all of it, or NULL: parts are read from the file when they are needed */
  size_t length;
  void *(*allocate)(void *context,
                    size_t bytes); /* zeroed; lives as long as the trace; never NULL */
  void *context;
  uint32_t most_ranks; /* nodes of the fabric */
  uint32_t n_ranks, n_calls;
  struct hd_ops_rank *ranks;
  struct hd_ops_group *groups[HD_OPS_GROUPS]; /* [0]: all ranks */
  char *calls[HD_OPS_CALLS];                  /* [0]: "" */
  struct hd_goal *goal;                       /* NULL: Heddle's own format */
};

/** The format of a text, by its beginning: Heddle's own, GOAL, or neither. */
enum hd_ops_format { HD_OPS_NEITHER, HD_OPS_OWN, HD_OPS_GOAL };
enum hd_ops_format hd_ops_begins(const char *text, size_t length);

/** Reads all of a trace once and checks it, in which path, text, length, allocate, context and most_ranks are set. 0, or -1 with
 *  the mistake. */
int hd_ops_open(struct hd_ops *ops, struct hd_csv_error *error);

enum { HD_OPS_CHUNK = 16384 };

/** The position of a rank in its trace. */
struct hd_ops_reader {
  const struct hd_ops *ops;
  uint64_t n, left, offset; /* operations, and those not yet read; of what is to be read next */
  uint32_t line;
  uint16_t call;
  char *chunk; /* owned by the trace */
  size_t begin, end;
  uint32_t after[HD_OPS_AFTER];
};

void hd_ops_begin(struct hd_ops_reader *reader, const struct hd_ops *ops, uint32_t rank);
/** The next operation of the rank: 1; 0 when there is none; -1 where the file has changed. */
int hd_ops_next(struct hd_ops_reader *reader, struct hd_op *op, struct hd_csv_error *error);

/* ── between the files of these formats ───────────────────────────────────── */

/** Fills *error. Returns -1. */
int hd_ops_fail(struct hd_csv_error *error, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Reads GOAL; ops->text has it. */
int hd_goal_open(struct hd_ops *ops, struct hd_csv_error *error);
void hd_goal_next(const struct hd_ops *ops, uint64_t number, struct hd_op *op);

/** Checks that each send has its receive: one number for each pair of ranks. */
struct hd_ops_balance {
  uint32_t n;
  uint64_t *sums;
};
void hd_ops_balance_add(struct hd_ops_balance *balance, uint32_t rank, const struct hd_op *op);
int hd_ops_balance_check(const struct hd_ops_balance *balance, struct hd_csv_error *error);

#endif
