/* Messages about the switches of one run, from rank 0 to the ranks that replay them, and back.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All processes are of one build and one kind of machine: structs cross as they are. Rank 0 sends an order with
 * what belongs to it behind it. Each order but RANKS_WRITES and RANKS_QUIT gets one reply, in the order in
 * which they were sent. A message without bytes says that its sender is alive.
 */
#ifndef HD_RANKS_INTERNAL_H
#define HD_RANKS_INTERNAL_H

#include "../dut.h"
#include "rank_client.h"

enum ranks_order {
  RANKS_OPEN = 1, /* struct ranks_open, then its texts: how to open the backend */
  RANKS_CREATE,   /* `n` switches; options */
  RANKS_DESTROY,  /* the DUT, and closes the backend */
  RANKS_RESET,    /* all switches */
  RANKS_WRITES,   /* `n` struct ranks_write; an error is in the next reply */
  RANKS_READS,    /* `n` struct hd_dut_read; reply: the same, with what they give */
  RANKS_RUN,  /* `n` struct ranks_job, each with its lists; reply: struct ranks_answer, likewise */
  RANKS_SAVE, /* reply: for each switch a uint64_t, the length of its state; then the states */
  RANKS_RESTORE,     /* a switch's state */
  RANKS_TWO_STATE,   /* a switch */
  RANKS_TRACE_OPEN,  /* a switch; path */
  RANKS_TRACE_CLOSE, /* */
  RANKS_COUNTERS,    /* reply: `n` struct hd_dut_counter */
  RANKS_COVERAGE,    /* path */
  RANKS_QUIT,        /* that is all */
};

struct ranks_head {
  uint32_t order;
  uint32_t sw; /* of the rank's own, from 0 on */
  uint32_t n;
  int32_t status;      /* of a reply: HD_E_…, then a text that says why is behind it */
  double busy_seconds; /* of a reply: in hd_dut_ops.run since RANKS_CREATE */
  uint64_t length;     /* bytes behind it */
};
_Static_assert(sizeof(struct ranks_head) == 32, "lists of events behind it are aligned");

struct ranks_open {
  char version[32]; /* HD_VERSION */
  struct hd_switch_params params;
  uint32_t switches;
  bool quick, coverage, no_dfg;
  bool has_rtl, has_cache, has_options; /* behind it: name, and these, each with its NUL */
};

struct ranks_write {
  uint32_t sw, addr;
  uint16_t data, zero;
};

/* Behind it: flits in, expected flits, credits in, expected credits, writes in, expected toggles; filled up to
 * 8 bytes. */
struct ranks_job {
  uint64_t start;
  uint32_t sw, cycles;
  uint32_t n_flits_in, n_credits_in, n_configs_in;
  uint32_t n_flits, n_credits, n_toggles; /* expected */
  uint32_t cap_flits, cap_credits, cap_toggles;
  bool every_cycle, idle_pins, unknown; /* unknown: is asked for */
  bool expected, quiescent;             /* quiescent: is expected */
  bool zero[7];
};
_Static_assert(sizeof(struct ranks_job) % 8 == 0, "lists of events behind it are aligned");

/* Behind it: the assertion, what is unknown, flits, credits, toggles; those three where it does not agree and there
 * is room for them. Filled up to 8 bytes. */
struct ranks_answer {
  uint32_t sw; /* as the backend left it */
  uint32_t n_flits, n_credits, n_toggles, lost, evaluated_cycles;
  bool quiescent, assertion, unknown;
  bool agrees;  /* with what is expected */
  bool changed; /* the backend changed what is the caller's */
  bool zero[3];
};

static inline size_t ranks_filled(size_t bytes)
{
  return (bytes + 7) & ~(size_t)7;
}

/* A job's bytes with its lists. */
static inline size_t ranks_job_bytes(const struct ranks_job *j)
{
  return ranks_filled(
      sizeof *j + ((size_t)j->n_flits_in + j->n_flits) * sizeof(struct hd_flit_event) +
      ((size_t)j->n_credits_in + j->n_credits) * sizeof(struct hd_credit_event) +
      j->n_configs_in * sizeof(struct hd_config_event) + j->n_toggles * sizeof(uint32_t));
}

/** ops->create, and the contract that after 0 there is a DUT. After a failure *dut is NULL. */
int hd_ranks_create(const struct hd_dut_ops *ops, struct hd_dut **dut,
                    const struct hd_switch_params *params, uint32_t count, const char *options,
                    struct hd_error *err);

/** Seconds of a clock that only goes forward. */
double hd_ranks_now(void);

/** May this process use a core more than there are ranks on its machine? */
bool hd_ranks_spare_core(const struct hd_ranks *ranks);

/** A message to a rank: the head, whose length is set, and `length` bytes. HD_E_TOOL, HD_E_NOMEM. */
int hd_ranks_tell(struct hd_ranks *ranks, int to, struct ranks_head head, const void *bytes,
                  size_t length, struct hd_error *err);

/** As hd_ranks_receive; waits up to so many milliseconds for a message. */
int hd_ranks_wait(struct hd_ranks *ranks, int milliseconds, int *from, char **bytes,
                  size_t *length);

/** For hd_ranks_shares; rank 0 alone writes there. */
struct hd_ranks_share *hd_ranks_share_slots(struct hd_ranks *ranks, double **seconds);

#endif
