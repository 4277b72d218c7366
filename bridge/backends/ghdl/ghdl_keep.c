/* Snapshots of a VHDL switch: copies of its process that stand still.
 * SPDX-License-Identifier: Apache-2.0
 *
 * To save, a process forks a copy, the keeper, which waits. To restore, the process asks the keeper to fork one that
 * takes the slot over, and stands still for ever itself: its keepers end with it. The bytes of a snapshot say which
 * keeper has it. A slot has GHDL_KEPT of them, of which a further one ends the oldest. A keeper that was asked is the
 * parent of a process in use: it is not counted, and stays.
 */
#include "ghdl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Lies in memory that all processes share. */
struct keeper {
  sem_t ask;
  uint64_t number; /* of its snapshot, from 1 on; 0: none */
  pid_t pid;
  uint32_t slot; /* to be taken over */
  bool is_over, is_parent;
};

enum { PLACES = 64 };
struct ring {
  struct keeper keepers[PLACES];
  uint64_t saved;
};

static struct ring *rings; /* [slots] */

/* The bytes of a snapshot name the process that keeps the state. */
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

static _Noreturn void stand_still(void)
{
  for (;;)
    pause();
}

/* ── copies ─────────────────────────────────────────────────────────────────── */

/* Makes a child that plays no switch. It writes neither the waves nor the output of its parent. */
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
  snprintf(sim->slot->door.text, sizeof sim->slot->door.text,
           "GHDL failed at a read of a register");
  return HD_E_TOOL;
}

/* ── keepers ────────────────────────────────────────────────────────────────── */

/* The keeper's process. Returns in each process that takes a slot over. */
static void keep(struct sim *sim, struct keeper *k)
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
    struct hd_remote_door *door = &hd_remote_slot(sim->head, slot)->door;
    door->status = child ? HD_E_TOOL : status;
    if (child || status)
      sem_post(&door->answer);
    if (child)
      stand_still();
  }
}

static void dismiss(struct keeper *k)
{
  k->is_over = true;
  sem_post(&k->ask);
  waitpid(k->pid, NULL, 0); /* ECHILD where it is another's child */
  k->number = 0;
}

/* Finds an empty place for a snapshot, and ends the oldest snapshot when all are taken. NULL: no
 * place. */
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
  dismiss(oldest);
  return oldest;
}

int ghdl_save(struct sim *sim)
{
  struct ring *ring = &rings[sim->number];
  struct keeper *k = make_room(ring);
  const struct token token = {ring->saved + 1, sim->number, 0};
  if (!k) {
    snprintf(sim->slot->door.text, sizeof sim->slot->door.text,
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
    keep(sim, k);
    return 0; /* this is the answer to ghdl_restore */
  }
  if (pid < 0) {
    snprintf(sim->slot->door.text, sizeof sim->slot->door.text, "cannot fork GHDL");
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
    stand_still(); /* the one that takes over answers */
  }
  snprintf(sim->slot->door.text, sizeof sim->slot->door.text,
           "this snapshot is gone: GHDL has the last %d of each switch", GHDL_KEPT);
  return HD_E_UNSUPPORTED;
}
