/* Memory shared by a backend and the process that simulates its switches.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The memory is a file without a name; the simulator inherits its descriptor (HD_REMOTE_FD).
 * The simulator's first process loads the design, says how large a switch's state is, and then
 * forks one process for each slot: a switch, so that all of them share the design's memory, run
 * on all processors, and can be lost alone. Nothing but commands crosses: a window goes over in
 * pieces of up to HD_REMOTE_CHUNK cycles.
 *
 * Ends: SIGTERM makes the first process end all others and then itself. Every process has the kernel kill it when its
 * parent ends, too, the first one's parent being the thread that called create. A switch's parent notes in `gone` how
 * it ended.
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
  /* to the first process */
  HD_REMOTE_MAP = 1, /* the memory is as long as it will be: `slots` of them */
  HD_REMOTE_FORK,    /* a process for slot `argument`, with the state of power-up */
  /* to a slot's process */
  HD_REMOTE_RESET,
  HD_REMOTE_WRITE, /* configuration: addr, data */
  HD_REMOTE_READ,
  HD_REMOTE_RUN,
  HD_REMOTE_SAVE, /* into and from the slot's state */
  HD_REMOTE_RESTORE,
  HD_REMOTE_TWO_STATE,
  HD_REMOTE_TRACE, /* waves to `path` from the next window on */
  HD_REMOTE_END,   /* closes the waves and ends the process */
};

/** The command line of a simulator and its surroundings. */
struct hd_remote_program {
  const char *const *argv;
  const char *directory; /* in which it runs; NULL: the caller's */
  const char *tool;      /* its name in messages; is kept */
  const char *package;   /* the Debian package that has argv[0] */
};

/** A pair of semaphores by which one side asks and the other answers. */
struct hd_remote_door {
  sem_t ask, answer;
  uint32_t command, argument;
  int32_t status; /* HD_OK or HD_E_… */
  char text[480]; /* why */
};

struct hd_remote_head {
  uint32_t version, slots;
  struct hd_switch_params params; /* that the backend expects */
  uint32_t two_state;             /* power-up with 0 or 1, not X; no X at pins */
  _Atomic uint32_t ready;         /* the first process answered once */
  uint64_t state_bytes;           /* of a switch; the simulator's answer at its start */
  struct hd_remote_door door;
};

struct hd_remote_slot {
  struct hd_remote_door door;
  _Atomic uint64_t clocks; /* goes on while the simulator is alive */
  _Atomic int32_t gone;    /* its process ended: 1 + status of waitpid */
  uint32_t addr;
  uint16_t data, unknown_bits;
  char path[4096];
  struct hd_dut_job job; /* its pointers mean nothing here: hd_remote_job sets them */
  struct hd_dut_unknown unknown;
};

/* ── where things are ───────────────────────────────────────────────────────── */

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

/* The slot's job with its lists in the shared memory, where each has room for what ports can
 * carry in HD_REMOTE_CHUNK cycles and the one before them. */
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
