/* A board in software behind a pseudo-terminal, written from chapter 9: what tests hold the host against.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Its switches are models, its line can damage bytes, and it can lose its memory, its line, or lie. A
 * thread plays it; what the test sets is set before the thread begins or read when it has ended, but for
 * the atomic fields. Included by tests; all functions are static.
 */
#ifndef HD_SOFT_BOARD_H
#define HD_SOFT_BOARD_H

#include "../../bridge/backend.h"
#include "../../bridge/board_frame.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <pty.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { SOFT_WORDS = 512, SOFT_SWITCHES = 4 };

struct soft_board {
  struct hd_switch_params params;
  uint32_t switches;
  uint64_t build;
  /* per million bytes on the line, either way */
  uint32_t dropped, flipped, doubled;
  uint32_t forget_at;    /* requests carried out, then three times as many, and so on; 0: never */
  uint32_t unplug_every; /* requests carried out; 0: never */
  uint32_t lie_switch,
      lie_cycle; /* one output credit bit is wrong in this cycle since reset; 0: never */
  bool lie_once;
  uint64_t rnd;
  atomic_bool stop;
  atomic_uint carried_out, unplugged, forgot;

  char path[64]; /* of the link to the terminal, which may change */
  int master, slave;
  pthread_t thread;
  const struct hd_dut_ops *ops;
  struct hd_dut *duts[SOFT_SWITCHES];
  uint64_t now[SOFT_SWITCHES];   /* cycles played */
  uint64_t since[SOFT_SWITCHES]; /* since reset */
  uint16_t stimulus[SOFT_WORDS], records[SOFT_WORDS];
  uint32_t n_records;
  uint16_t epoch;
  uint8_t last_seq, last_op;
  bool last;
  uint8_t answer[HD_FRAME_CONTENT];
  size_t n_answer;
};

static uint32_t soft_random(struct soft_board *b, uint32_t n)
{
  b->rnd += UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(hd_mix64(b->rnd) >> 33) % n;
}

static void soft_make_switches(struct soft_board *b)
{
  struct hd_error err;
  for (uint32_t i = 0; i < b->switches; i++) {
    if (b->duts[i])
      b->ops->destroy(b->duts[i]);
    b->duts[i] = NULL;
    b->now[i] = b->since[i] = 0;
    if (b->ops->create(&b->duts[i], &b->params, 1, "", &err))
      abort();
  }
  b->epoch = 0;
  b->last = false;
}

static void soft_plug(struct soft_board *b)
{
  char name[64];
  struct termios t;
  if (openpty(&b->master, &b->slave, name, NULL, NULL))
    abort();
  tcgetattr(b->slave, &t);
  cfmakeraw(&t);
  tcsetattr(b->slave, TCSANOW, &t);
  fcntl(b->master, F_SETFL, O_NONBLOCK);
  unlink(b->path);
  if (symlink(name, b->path))
    abort();
}

static void soft_unplug(struct soft_board *b)
{
  unlink(b->path);
  close(b->slave);
  close(b->master);
  b->unplugged++;
}

/* ── a run ──────────────────────────────────────────────────────────────────── */

static void soft_record(struct soft_board *b, uint32_t word, bool *lost)
{
  if (b->n_records < SOFT_WORDS)
    b->records[b->n_records++] = (uint16_t)word;
  else
    *lost = true;
}

/* s·x + w modulo x^32 + x^22 + x^2 + x + 1, ten times x. */
static uint32_t soft_sign(uint32_t s, uint32_t word)
{
  for (int i = 0; i < 10; i++)
    s = s << 1 ^ (s >> 31 ? UINT32_C(0x00400007) : 0);
  return s ^ word;
}

struct soft_window {
  struct hd_flit_event *flits_in, *flits_out;
  struct hd_credit_event *credits_in, *credits_out;
  struct hd_config_event *configs_in;
  uint32_t *toggles;
  struct hd_dut_job job;
  uint32_t read_addr, read_cycle; /* the read of this run, if any; cycle UINT32_MAX: none */
};

/* Stimulus to events. False: broken. */
static bool soft_parse(const struct soft_board *b, struct soft_window *w)
{
  uint32_t lanes = b->params.data_bits / 16;
  struct hd_dut_job *job = &w->job;
  for (uint32_t i = 0; i < SOFT_WORDS;) {
    uint32_t kind = b->stimulus[i] >> 12, arg = b->stimulus[i] & 0xfff;
    uint32_t more = kind == 2 ? lanes : kind == 3 || kind == 5 ? 1 : kind == 4 ? 2 : 0;
    const uint16_t *next = &b->stimulus[i + 1];
    if (kind == 0)
      return true;
    if (kind > 5 || i + more >= SOFT_WORDS ||
        ((kind == 2 || kind == 3) && (arg & 15) >= b->params.ports))
      return false;
    if (kind == 1)
      job->cycles += arg ? arg : 4096;
    if (kind == 2) {
      struct hd_flit_event *e = &w->flits_in[job->n_flits_in++];
      *e = (struct hd_flit_event){.cycle = job->cycles,
                                  .port = arg & 15,
                                  .kind = arg >> 4 & 7,
                                  .vc = (uint8_t)(arg >> 7 & 7)};
      for (uint32_t j = 0; j < lanes; j++)
        e->data |= (uint64_t)next[j] << 16 * j;
    }
    if (kind == 3)
      w->credits_in[job->n_credits_in++] = (struct hd_credit_event){
          job->cycles, arg & 15, (uint8_t)next[0], b->params.barrier ? next[0] >> 8 & 1 : 0};
    if (kind == 4)
      w->configs_in[job->n_configs_in++] =
          (struct hd_config_event){job->cycles, (arg & 15) << 16 | next[0], next[1], 0};
    if (kind == 5) {
      w->read_addr = (arg & 15) << 16 | next[0];
      w->read_cycle = job->cycles;
    }
    i += 1 + more;
  }
  return false;
}

/* What became visible, cycle by cycle: signatures, and records where they are asked for. */
static void soft_tell(struct soft_board *b, const struct soft_window *w, bool record,
                      uint16_t value, uint32_t *signatures, bool *lost)
{
  const struct hd_dut_job *job = &w->job;
  uint32_t lanes = b->params.data_bits / 16, n = b->params.ports * lanes + 1;
  uint32_t f = 0, c = 0, t = 0, since = 0;
  bool quiet = job->quiescent;
  memset(signatures, 0, n * sizeof *signatures);
  b->n_records = 0;
  for (uint32_t cycle = 1; cycle <= job->cycles; cycle++) {
    uint32_t words[HD_MAX_PORTS * 4 + 1] = {0};
    bool reads = w->read_cycle != UINT32_MAX && cycle == w->read_cycle + 1;
    bool toggles = t < job->n_toggles && job->toggles[t] == cycle;
    bool shows = reads || toggles || (f < job->n_flits_out && job->flits_out[f].cycle == cycle) ||
                 (c < job->n_credits_out && job->credits_out[c].cycle == cycle);
    since++;
    if (record && (shows || since == 4096)) {
      soft_record(b, 1 << 12 | (since & 0xfff), lost);
      since = 0;
    }
    if (record && reads) {
      soft_record(b, 7 << 12, lost);
      soft_record(b, value, lost);
    }
    for (uint32_t port = 0; port < b->params.ports; port++) {
      if (f < job->n_flits_out && job->flits_out[f].cycle == cycle &&
          job->flits_out[f].port == port) {
        const struct hd_flit_event *e = &job->flits_out[f++];
        if (record)
          soft_record(b, 2 << 12 | (uint32_t)e->vc << 7 | (uint32_t)e->kind << 4 | port, lost);
        for (uint32_t j = 0; j < lanes; j++) {
          words[port * lanes + j] = (e->data >> 16 * j) & 0xffff;
          if (record)
            soft_record(b, words[port * lanes + j], lost);
        }
        words[port * lanes] |= (uint32_t)e->kind << 16 | (uint32_t)e->vc << 19 | 1U << 22;
      }
      if (c < job->n_credits_out && job->credits_out[c].cycle == cycle &&
          job->credits_out[c].port == port) {
        const struct hd_credit_event *e = &job->credits_out[c++];
        words[port * lanes] |= (uint32_t)e->vcs << 23 | (uint32_t)e->barrier << 31;
        if (record) {
          soft_record(b, 3 << 12 | port, lost);
          soft_record(b, (uint32_t)e->barrier << 8 | e->vcs, lost);
        }
      }
    }
    if (toggles) {
      quiet = !quiet;
      t++;
      if (record)
        soft_record(b, 6 << 12 | quiet, lost);
    }
    words[n - 1] = quiet;
    for (uint32_t i = 0; i < n; i++)
      signatures[i] = soft_sign(signatures[i], words[i]);
  }
}

static void soft_lie(struct soft_board *b, uint32_t sw, struct soft_window *w)
{
  uint64_t at = b->lie_cycle;
  if (!at || sw != b->lie_switch || b->since[sw] >= at || b->since[sw] + w->job.cycles < at)
    return;
  struct hd_dut_job *job = &w->job;
  uint32_t cycle = (uint32_t)(at - b->since[sw]), i = 0;
  while (i < job->n_credits_out && job->credits_out[i].cycle < cycle)
    i++;
  if (i < job->n_credits_out && job->credits_out[i].cycle == cycle) {
    job->credits_out[i].vcs ^= 1;
    if (!job->credits_out[i].vcs && !job->credits_out[i].barrier)
      memmove(&job->credits_out[i], &job->credits_out[i + 1],
              (--job->n_credits_out - i) * sizeof *job->credits_out);
  } else {
    memmove(&job->credits_out[i + 1], &job->credits_out[i],
            (job->n_credits_out++ - i) * sizeof *job->credits_out);
    job->credits_out[i] = (struct hd_credit_event){.cycle = cycle, .vcs = 1};
  }
  if (b->lie_once)
    b->lie_cycle = 0;
}

static void soft_put(struct soft_board *b, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    b->answer[b->n_answer++] = (uint8_t)(value >> 8 * i);
}

static void soft_run(struct soft_board *b, uint32_t sw, bool record)
{
  enum { CYCLES = SOFT_WORDS * 4096 };
  struct soft_window w = {.read_cycle = UINT32_MAX};
  struct hd_error err;
  uint32_t signatures[HD_MAX_PORTS * 4 + 1], n = b->params.ports * (b->params.data_bits / 16) + 1;
  bool lost = false;
  uint16_t value = 0;
  w.flits_in = calloc(SOFT_WORDS, sizeof *w.flits_in);
  w.credits_in = calloc(SOFT_WORDS, sizeof *w.credits_in);
  w.configs_in = calloc(SOFT_WORDS, sizeof *w.configs_in);
  bool whole = soft_parse(b, &w);
  struct hd_dut_job *job = &w.job;
  size_t most = (size_t)job->cycles * b->params.ports + 2;
  w.flits_out = calloc(most, sizeof *w.flits_out);
  w.credits_out = calloc(most, sizeof *w.credits_out);
  w.toggles = calloc(most, sizeof *w.toggles);
  job->start = b->now[sw];
  job->flits_in = w.flits_in;
  job->credits_in = w.credits_in;
  job->configs_in = w.configs_in;
  job->flits_out = w.flits_out;
  job->credits_out = w.credits_out;
  job->toggles = w.toggles;
  job->cap_flits_out = job->cap_credits_out = job->cap_toggles = (uint32_t)most - 1;
  if (w.read_cycle != UINT32_MAX)
    b->ops->config_read(b->duts[sw], 0, w.read_addr, &value, &err);
  if (b->ops->run(b->duts[sw], job, 1, &err))
    whole = false;
  soft_lie(b, sw, &w);
  soft_tell(b, &w, record, value, signatures, &lost);
  b->now[sw] += job->cycles;
  b->since[sw] += job->cycles;
  soft_put(b, (uint64_t)job->quiescent | (uint64_t)!whole << 1 | (uint64_t)lost << 2, 1);
  soft_put(b, 0, 1);
  soft_put(b, b->n_records, 2);
  soft_put(b, job->cycles, 4);
  for (uint32_t i = 0; i < n; i++)
    soft_put(b, signatures[i], 4);
  for (uint32_t i = 0; i < b->n_records && b->n_answer + 2 <= HD_FRAME_CONTENT; i++)
    soft_put(b, b->records[i], 2);
  free(w.flits_in);
  free(w.credits_in);
  free(w.configs_in);
  free(w.flits_out);
  free(w.credits_out);
  free(w.toggles);
}

/* ── requests ───────────────────────────────────────────────────────────────── */

/* Carries out c[n], a request; b->answer[4 …] gets the payload. Returns a refusal, 0: none. */
static int soft_carry_out(struct soft_board *b, const uint8_t *c, size_t n)
{
  const uint8_t *p = c + 4;
  size_t size = n - 4;
  uint32_t first = size >= 2 ? p[0] | (uint32_t)p[1] << 8 : 0, words = (uint32_t)(size / 2);
  struct hd_error err;
  switch (c[1]) {
  case 0:
    if (size)
      return 2;
    soft_put(b, 'H' | 'D' << 8 | 'L' << 16 | 1 << 24, 4);
    soft_put(b, b->switches, 1);
    soft_put(b, 1000000, 4);
    soft_put(b, SOFT_WORDS, 2);
    soft_put(b, SOFT_WORDS, 2);
    soft_put(b, b->params.data_bits / 16, 1);
    soft_put(b, 0, 2);
    soft_put(b, b->build, 8);
    return 0;
  case 1:
    memcpy(b->answer + 4, p, size);
    b->n_answer += size;
    return 0;
  case 2:
    if (size != 1)
      return 2;
    if (p[0] >= b->switches && p[0] != 255)
      return 4;
    for (uint32_t i = 0; i < b->switches; i++)
      if (p[0] == i || p[0] == 255) {
        b->ops->reset(b->duts[i], &err);
        b->since[i] = 0;
      }
    return 0;
  case 3:
  case 4:
    if (size < 2 || size % 2)
      return 2;
    if (c[1] == 4 && p[0] >= b->switches)
      return 4;
    if ((c[1] == 3 ? first : 0) + words - 1 > SOFT_WORDS)
      return 5;
    for (uint32_t i = 0; i + 1 < words; i++)
      b->stimulus[(c[1] == 3 ? first : 0) + i] = (uint16_t)(p[2 + 2 * i] | p[3 + 2 * i] << 8);
    if (c[1] == 4)
      soft_run(b, p[0], p[1] & 1);
    return 0;
  case 5:
    if (size != 3)
      return 2;
    if (p[2] > 250 || first + p[2] > SOFT_WORDS)
      return 5;
    for (uint32_t i = 0; i < p[2]; i++)
      soft_put(b, b->records[first + i], 2);
    return 0;
  case 6:
    soft_put(b, 0, 8);
    soft_put(b, b->carried_out, 4);
    soft_put(b, 0, 4);
    soft_put(b, 0, 8);
    return size ? 2 : 0;
  default:
    return 1;
  }
}

static void soft_send(struct soft_board *b, const uint8_t *content, size_t n)
{
  uint8_t wire[HD_FRAME_WIRE];
  size_t length = hd_frame_put(wire, content, n);
  for (size_t i = 0; i < length; i++) {
    uint8_t byte = wire[i];
    if (soft_random(b, 1000000) < b->flipped)
      byte ^= (uint8_t)(1 << soft_random(b, 8));
    int copies = soft_random(b, 1000000) < b->dropped   ? 0
                 : soft_random(b, 1000000) < b->doubled ? 2
                                                        : 1;
    while (copies--)
      while (write(b->master, &byte, 1) != 1 && !b->stop)
        usleep(100);
  }
}

static void soft_request(struct soft_board *b, const uint8_t *c, size_t n)
{
  uint16_t asked = (uint16_t)(c[2] | c[3] << 8);
  int code = 0;
  if (c[1] > 1 && asked != b->epoch)
    code = 3;
  else if (c[1] && b->last && c[0] == b->last_seq && c[1] == b->last_op) {
    soft_send(b, b->answer, b->n_answer);
    return;
  } else if (c[1] && b->last && c[0] != (uint8_t)(b->last_seq + 1))
    code = 6;
  uint8_t kept[HD_FRAME_CONTENT];
  size_t n_kept = b->n_answer;
  memcpy(kept, b->answer, n_kept);
  b->n_answer = 4;
  if (!code)
    code = soft_carry_out(b, c, n);
  if (code) {
    memcpy(b->answer, kept, n_kept);
    b->n_answer = n_kept;
    const uint8_t refusal[] = {c[0], 0xff, (uint8_t)b->epoch, (uint8_t)(b->epoch >> 8),
                               (uint8_t)code};
    soft_send(b, refusal, sizeof refusal);
    return;
  }
  if (!c[1])
    b->epoch = asked;
  b->answer[0] = c[0];
  b->answer[1] = c[1] | 0x80;
  b->answer[2] = (uint8_t)b->epoch;
  b->answer[3] = (uint8_t)(b->epoch >> 8);
  b->last = true;
  b->last_seq = c[0];
  b->last_op = c[1];
  unsigned done = ++b->carried_out;
  if (b->unplug_every && done % b->unplug_every == 0) {
    soft_unplug(b); /* with the answer on its way */
    usleep(20000);
    soft_plug(b);
    return;
  }
  soft_send(b, b->answer, b->n_answer);
  if (b->forget_at && done == b->forget_at) {
    soft_make_switches(b);
    b->forget_at *= 3;
    b->forgot++;
  }
}

static void *soft_play(void *context)
{
  struct soft_board *b = context;
  struct hd_frame_reader reader = {.length = 0};
  while (!b->stop) {
    struct pollfd p = {.fd = b->master, .events = POLLIN};
    uint8_t byte;
    if (poll(&p, 1, 20) <= 0 || read(b->master, &byte, 1) != 1)
      continue;
    if (soft_random(b, 1000000) < b->dropped)
      continue;
    if (soft_random(b, 1000000) < b->flipped)
      byte ^= (uint8_t)(1 << soft_random(b, 8));
    size_t n;
    for (int k = soft_random(b, 1000000) < b->doubled ? 2 : 1; k; k--)
      if (hd_frame_take(&reader, byte, &n)) {
        uint8_t content[HD_FRAME_CONTENT];
        memcpy(content, reader.content, n);
        soft_request(b, content, n);
      }
  }
  return NULL;
}

static void soft_begin(struct soft_board *b)
{
  static atomic_uint number;
  snprintf(b->path, sizeof b->path, "/tmp/hd-soft-board-%d-%u", (int)getpid(), number++);
  b->ops = hd_dut_model_backend();
  soft_make_switches(b);
  soft_plug(b);
  b->stop = false;
  if (pthread_create(&b->thread, NULL, soft_play, b))
    abort();
}

static void soft_end(struct soft_board *b)
{
  b->stop = true;
  pthread_join(b->thread, NULL);
  close(b->master);
  close(b->slave);
  unlink(b->path);
  for (uint32_t i = 0; i < b->switches; i++)
    b->ops->destroy(b->duts[i]);
}

#endif
