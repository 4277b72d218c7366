/* Snapshots of a VHDL switch: stopped copies of its process.
 * SPDX-License-Identifier: Apache-2.0
 *
 * To save, a process forks a copy, the keeper, which waits. To restore, the process asks the keeper
 * to fork a child that takes over the slot. The process itself then stops for ever, but must not
 * end: its keepers would end with it. A snapshot's bytes say which keeper has it. A slot has
 * GHDL_KEPT keepers; a further one ends the oldest. A keeper that has restored is the parent of a
 * process in use, so it stays, and is not counted.
 */
#include "ghdl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A keeper. The struct is in memory that all processes share. */
struct keeper {
  sem_t ask;
  uint64_t number; /* number of its snapshot, from 1 on; 0: this struct is free */
  pid_t pid;
  uint32_t slot;           /* slot that its child shall take over */
  bool is_over, is_parent; /* it shall end; it has forked a child that took over a slot */
};

enum { PLACES = 64 };
struct ring {
  struct keeper keepers[PLACES];
  uint64_t saved;
};

static struct ring *rings; /* [slots] */

/* Content of a snapshot: it names the keeper. */
struct token {
  uint64_t number;
  uint32_t slot, zero;
};
_Static_assert(sizeof(struct token) == GHDL_STATE_BYTES, "the size of a snapshot");

int ghdl_keep_begin(uint32_t slots)
{
  rings =
      mmap(NULL, slots * sizeof *rings, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return rings == MAP_FAILED ? HD_E_NOMEM : 0;
}

static void wait_for(sem_t *semaphore)
{
  while (sem_wait(semaphore))
    continue;
}

static _Noreturn void pause_forever(void)
{
  for (;;)
    pause();
}

/* ── copies ─────────────────────────────────────────────────────────────────── */

/* Forks a child that answers for no slot. It does not write its parent's waves or output. */
static pid_t copy_process(struct sim *sim)
{
  const pid_t parent = getpid();
  fflush(NULL);
  const pid_t pid = fork();
  if (pid)
    return pid;
  hd_remote_server_follow(parent);
  ghdl_waves_forget();
  sim->tracing = sim->trace_due = false;
  if (!ghdl_print_open())
    _exit(1);
  return 0;
}

int ghdl_try(struct sim *sim, void (*work)(struct sim *sim))
{
  int how = 1;
  const pid_t pid = copy_process(sim);
  if (!pid) {
    work(sim);
    _exit(sim->assertion.failed);
  }
  while (pid > 0 && waitpid(pid, &how, 0) < 0)
    continue;
  if (!how)
    return 0;
  snprintf(sim->slot->mailbox.text, sizeof sim->slot->mailbox.text,
           "GHDL failed at a read of a register");
  return HD_E_TOOL;
}

/* ── keepers ────────────────────────────────────────────────────────────────── */

/* Runs in the keeper. Returns only in a child that takes over a slot. */
static void serve_keeper(struct sim *sim, struct keeper *k)
{
  for (bool child = false;;) {
    wait_for(&k->ask);
    if (k->is_over)
      _exit(0);
    const uint32_t slot = k->slot;
    int status = hd_remote_server_copy(sim->remote, slot, &child);
    if (child && ghdl_print_open()) {
      sim->slot = sim->remote->slot;
      sim->number = sim->remote->number;
      return;
    }
    struct hd_remote_mailbox *mailbox = &hd_remote_slot(sim->head, slot)->mailbox;
    mailbox->status = child ? HD_E_TOOL : status;
    if (child || status)
      sem_post(&mailbox->answer);
    if (child)
      pause_forever();
  }
}

static void end_keeper(struct keeper *k)
{
  k->is_over = true;
  sem_post(&k->ask);
  waitpid(k->pid, NULL, 0); /* fails at once if it is the child of another process */
  k->number = 0;
}

/* Finds a free struct for a snapshot. If the slot has GHDL_KEPT snapshots, ends the oldest. NULL:
 * all structs belong to keepers that have restored. */
static struct keeper *make_room(struct ring *ring)
{
  struct keeper *oldest = NULL, *empty = NULL;
  unsigned n = 0;
  for (struct keeper *k = ring->keepers; k < ring->keepers + PLACES; k++) {
    const bool counts = k->number && !k->is_parent;
    n += counts;
    if (counts && (!oldest || k->number < oldest->number))
      oldest = k;
    if (!k->number)
      empty = k;
  }
  if (n < GHDL_KEPT)
    return empty;
  end_keeper(oldest);
  return oldest;
}

int ghdl_save(struct sim *sim)
{
  struct ring *ring = &rings[sim->number];
  struct keeper *k = make_room(ring);
  const struct token token = {ring->saved + 1, sim->number, 0};
  if (!k) {
    snprintf(sim->slot->mailbox.text, sizeof sim->slot->mailbox.text,
             "%d snapshots of switch %u were restored; there is no place for another one", PLACES,
             sim->number);
    return HD_E_UNSUPPORTED;
  }
  *k = (struct keeper){.number = 0};
  sim_pins_idle(sim);
  sim_settle_delays(sim);
  if (sem_init(&k->ask, 1, 0))
    return HD_E_NOMEM;
  const pid_t pid = copy_process(sim);
  if (!pid) {
    serve_keeper(sim, k);
    return 0; /* in a child that took over a slot: the answer to its ghdl_restore */
  }
  if (pid < 0) {
    snprintf(sim->slot->mailbox.text, sizeof sim->slot->mailbox.text, "cannot fork GHDL");
    return HD_E_TOOL;
  }
  k->pid = pid;
  k->number = ++ring->saved;
  memcpy(hd_remote_state(sim->head, sim->number), &token, sizeof token);
  return 0;
}

int ghdl_restore(struct sim *sim)
{
  struct token token;
  memcpy(&token, hd_remote_state(sim->head, sim->number), sizeof token);
  struct ring *ring = token.slot < sim->head->slots ? &rings[token.slot] : NULL;
  for (unsigned i = 0; ring && i < PLACES; i++) {
    struct keeper *k = &ring->keepers[i];
    if (k->number != token.number || !token.number)
      continue;
    k->slot = sim->number;
    k->is_parent = true;
    sem_post(&k->ask);
    pause_forever(); /* the keeper's child answers */
  }
  snprintf(sim->slot->mailbox.text, sizeof sim->slot->mailbox.text,
           "this snapshot is gone: GHDL has the last %d of each switch", GHDL_KEPT);
  return HD_E_UNSUPPORTED;
}
