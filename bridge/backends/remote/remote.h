/* Memory shared by a backend and the process that simulates its switches.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The memory is a file without a name, and the simulator inherits its descriptor (HD_REMOTE_FD).
 * The simulator's first process loads the design, reports the size of a switch's state, and then
 * forks one process for each slot, that is, for each switch. So all switches share the design's
 * memory and run on all processors, and one can end without the others. heddle and the processes
 * exchange commands. A window is sent in pieces of up to HD_REMOTE_CHUNK cycles.
 *
 * SIGTERM makes the first process end all others, then itself. The kernel also kills each process
 * when its parent ends; the first one's parent is the thread that called create. When a switch's
 * process ends, its parent writes to `gone` how it ended.
 */
#ifndef HD_REMOTE_H
#define HD_REMOTE_H

#include "../../dut_extension.h"

#include <semaphore.h>
#include <stdatomic.h>

enum { HD_REMOTE_CHUNK = 512, HD_REMOTE_VERSION = 1 };
#define HD_REMOTE_FD "HEDDLE_REMOTE_FD"
#define HD_REMOTE_PARENT "HEDDLE_REMOTE_PARENT"

enum hd_remote_command {
  /* commands to the first process */
  HD_REMOTE_MAP = 1, /* map the whole memory, which has its final length now */
  HD_REMOTE_FORK,    /* fork a process for slot `argument`, with the state at power-up */
  /* commands to a slot's process */
  HD_REMOTE_RESET,
  HD_REMOTE_WRITE, /* write `data` to configuration register `addr` */
  HD_REMOTE_READ,
  HD_REMOTE_RUN,
  HD_REMOTE_SAVE, /* copy the switch's state to the shared memory; restore: back */
  HD_REMOTE_RESTORE,
  HD_REMOTE_TWO_STATE,
  HD_REMOTE_TRACE, /* write waves to `path` from the next window on */
  HD_REMOTE_END,   /* close the waves and end the process */
};

/** Command line of a simulator, its directory and its names in messages. */
struct hd_remote_program {
  const char *const *argv;
  const char *directory; /* working directory; NULL: the caller's */
  const char *tool;      /* name of the simulator in messages; borrowed until hd_remote_stop */
  const char *package;   /* Debian package of argv[0] */
};

/** A pair of semaphores by which one side asks and the other answers. */
struct hd_remote_mailbox {
  sem_t ask, answer;
  uint32_t command, argument;
  int32_t status; /* HD_OK or HD_E_… */
  char text[480]; /* reason, if status is not HD_OK */
};

struct hd_remote_head {
  uint32_t version, slots;
  struct hd_switch_params params; /* parameters that the design must have */
  uint32_t two_state;             /* registers power up with 0 or 1, not X; pins are never X */
  _Atomic uint32_t ready;         /* the first process has answered once */
  uint64_t state_bytes;           /* size of a switch's state, from the simulator's first answer */
  struct hd_remote_mailbox mailbox;
};

struct hd_remote_slot {
  struct hd_remote_mailbox mailbox;
  _Atomic uint64_t clocks; /* number of clocks so far: it grows while the simulator works */
  _Atomic int32_t gone;    /* 1 + status of waitpid, after its process ended; 0: it has not */
  uint32_t addr;
  uint16_t data, unknown_bits;
  char path[4096];
  struct hd_dut_job job; /* without its pointers, which hd_remote_job sets */
  struct hd_dut_unknown unknown;
};

/* ── layout of the memory ───────────────────────────────────────────────────── */

static inline size_t hd_remote_round(size_t bytes)
{
  return (bytes + 63) / 64 * 64;
}

struct hd_remote_layout {
  size_t flits_in, credits_in, configs_in, flits_out, credits_out, toggles, state, bytes;
};

static inline struct hd_remote_layout hd_remote_layout(const struct hd_remote_head *head)
{
  const size_t events = (size_t)(HD_REMOTE_CHUNK + 1) * head->params.ports;
  struct hd_remote_layout at = {.flits_in = hd_remote_round(sizeof(struct hd_remote_slot))};
  at.credits_in = at.flits_in + hd_remote_round(events * sizeof(struct hd_flit_event));
  at.configs_in = at.credits_in + hd_remote_round(events * sizeof(struct hd_credit_event));
  at.flits_out = at.configs_in + hd_remote_round(HD_REMOTE_CHUNK * sizeof(struct hd_config_event));
  at.credits_out = at.flits_out + hd_remote_round(events * sizeof(struct hd_flit_event));
  at.toggles = at.credits_out + hd_remote_round(events * sizeof(struct hd_credit_event));
  at.state = at.toggles + hd_remote_round((HD_REMOTE_CHUNK + 1) * sizeof(uint32_t));
  at.bytes = (at.state + head->state_bytes + 4095) / 4096 * 4096;
  return at;
}

static inline size_t hd_remote_head_bytes(void)
{
  return (sizeof(struct hd_remote_head) + 4095) / 4096 * 4096;
}

static inline struct hd_remote_slot *hd_remote_slot(struct hd_remote_head *head, uint32_t slot)
{
  unsigned char *bytes = (unsigned char *)head;
  return (struct hd_remote_slot *)(void *)(bytes + hd_remote_head_bytes() +
                                           slot * hd_remote_layout(head).bytes);
}

static inline unsigned char *hd_remote_state(struct hd_remote_head *head, uint32_t slot)
{
  return (unsigned char *)hd_remote_slot(head, slot) + hd_remote_layout(head).state;
}

/* Returns the slot's job with pointers to its lists in the shared memory. Each list has room for
 * the events that all ports can carry in HD_REMOTE_CHUNK cycles and the cycle before them. */
static inline struct hd_dut_job hd_remote_job(struct hd_remote_head *head, uint32_t slot)
{
  const struct hd_remote_layout at = hd_remote_layout(head);
  struct hd_remote_slot *s = hd_remote_slot(head, slot);
  unsigned char *bytes = (unsigned char *)s;
  struct hd_dut_job job = s->job;
  job.flits_in = (const struct hd_flit_event *)(void *)(bytes + at.flits_in);
  job.credits_in = (const struct hd_credit_event *)(void *)(bytes + at.credits_in);
  job.configs_in = (const struct hd_config_event *)(void *)(bytes + at.configs_in);
  job.flits_out = (struct hd_flit_event *)(void *)(bytes + at.flits_out);
  job.credits_out = (struct hd_credit_event *)(void *)(bytes + at.credits_out);
  job.toggles = (uint32_t *)(void *)(bytes + at.toggles);
  job.cap_flits_out = job.cap_credits_out = (HD_REMOTE_CHUNK + 1) * head->params.ports;
  job.cap_toggles = HD_REMOTE_CHUNK + 1;
  job.unknown = &s->unknown;
  return job;
}

#endif
