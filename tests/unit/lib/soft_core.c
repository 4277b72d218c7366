/* A board in software, written from chapter 9: requests to answers.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "soft_core.h"

#include "../../../bridge/one_cycle.h"

#include <stdlib.h>
#include <string.h>

void soft_core_begin(struct soft_core *b)
{
  struct hd_error err;
  b->ops = hd_dut_model_backend();
  for (uint32_t i = 0; i < b->switches; i++) {
    if (b->duts[i])
      b->ops->destroy(b->duts[i]);
    b->duts[i] = NULL;
    b->quiet[i] = b->unread[i] = true;
    b->since[i] = 0;
    if (b->ops->create(&b->duts[i], &b->params, 1, "", &err))
      abort();
  }
  b->epoch = 0;
  b->last = false;
  b->n_records = 0;
  b->counters = (struct soft_counters){0};
}

void soft_core_end(struct soft_core *b)
{
  for (uint32_t i = 0; i < b->switches; i++)
    b->ops->destroy(b->duts[i]);
}

/* ── a run, §9.4 to §9.6 ────────────────────────────────────────────────────── */

/* Values at the switch's pins in the next cycle. */
struct soft_pins {
  struct hd_flit_event flits[HD_MAX_PORTS];
  uint32_t credits[HD_MAX_PORTS]; /* as the record has them */
  uint32_t valid, credited;       /* ports that have one */
  bool write, read;
  uint32_t addr; /* of write and read */
  uint16_t wdata;
};

struct soft_run {
  uint32_t sw, cycles, since; /* since: the last record */
  bool record, broken, lost;
  uint32_t signatures[SOFT_SIGNATURES];
};

static void soft_record(struct soft_core *b, struct soft_run *r, uint32_t word)
{
  if (b->n_records < SOFT_WORDS)
    b->records[b->n_records++] = (uint16_t)word;
  else
    r->lost = true;
}

/* s·x + w modulo x^32 + x^22 + x^2 + x + 1, ten times x. */
static uint32_t soft_sign(uint32_t s, uint32_t word)
{
  for (int i = 0; i < 10; i++)
    s = s << 1 ^ (s >> 31 ? UINT32_C(0x00400007) : 0);
  return s ^ word;
}

static const struct hd_flit_event *soft_flit(const struct hd_dut_job *job, uint32_t port)
{
  for (uint32_t i = 0; i < job->n_flits_out; i++)
    if (job->flits_out[i].port == port)
      return &job->flits_out[i];
  return NULL;
}

/* Credits of a port, bit 8: a barrier credit, bits 15-9: a count. */
static uint32_t soft_credits(const struct hd_dut_job *job, uint32_t port)
{
  for (uint32_t i = 0; i < job->n_credits_out; i++)
    if (job->credits_out[i].port == port)
      return job->credits_out[i].vcs | (uint32_t)job->credits_out[i].barrier << 8 |
             (uint32_t)job->credits_out[i].count << 9;
  return 0;
}

/* Adds the outputs that became visible: to records, where they are asked for, and to signatures. */
static void soft_tell(struct soft_core *b, struct soft_run *r, const struct hd_dut_job *job,
                      bool read, uint16_t value, bool lie)
{
  uint32_t lanes = b->params.data_bits / 16, n = b->params.ports * lanes + 1;
  uint32_t words[SOFT_SIGNATURES] = {0}, credits[HD_MAX_PORTS], counts = 0;
  bool unread = b->unread[r->sw] ^ (job->n_toggles & 1), quiet = unread && !read; /* §2.10 */
  bool toggles = quiet != b->quiet[r->sw], shows = read || toggles;
  for (uint32_t port = 0; port < b->params.ports; port++) {
    credits[port] = soft_credits(job, port) ^ (lie && !port);
    shows |= credits[port] || soft_flit(job, port);
  }
  r->since++;
  b->unread[r->sw] = unread;
  b->quiet[r->sw] = quiet;
  bool record = r->record && (shows || r->since == 4096);
  if (record) {
    soft_record(b, r, 1 << 12 | (r->since & 0xfff));
    r->since = 0;
  }
  if (record && read) {
    soft_record(b, r, 7 << 12);
    soft_record(b, r, value);
  }
  for (uint32_t port = 0; port < b->params.ports; port++) {
    const struct hd_flit_event *e = soft_flit(job, port);
    uint32_t *w = words + port * lanes;
    if (e && record)
      soft_record(b, r, 2 << 12 | (uint32_t)e->vc << 7 | (uint32_t)e->kind << 4 | port);
    for (uint32_t j = 0; e && j < lanes; j++) {
      w[j] = (e->data >> 16 * j) & 0xffff;
      if (record)
        soft_record(b, r, w[j]);
    }
    if (e)
      w[0] |= (uint32_t)e->kind << 16 | (uint32_t)e->vc << 19 | 1U << 22;
    w[0] |= (credits[port] & 0xff) << 23 | credits[port] >> 8 << 31;
    counts ^= credits[port] >> 9 << (port + 1);
    if (credits[port] && record) {
      soft_record(b, r, 3 << 12 | port);
      soft_record(b, r, credits[port] ^ (b->misrecords && !port));
    }
  }
  if (record && toggles)
    soft_record(b, r, 6 << 12 | quiet);
  words[n - 1] = quiet ^ counts;
  for (uint32_t i = 0; i < n; i++)
    r->signatures[i] = soft_sign(r->signatures[i], words[i]);
}

/* One cycle of the switch; afterwards the pins are idle. */
static void soft_cycle(struct soft_core *b, struct soft_run *r, struct soft_pins *pins)
{
  uint32_t vcs = (1U << b->params.vcs) - 1;
  struct hd_error err;
  struct one_cycle c;
  struct hd_dut_job *job = &c.job;
  uint16_t value = 0;
  one_cycle_begin(&c, b->since[r->sw]);
  c.config = (struct hd_config_event){.addr = pins->addr, .data = pins->wdata};
  job->n_configs_in = pins->write;
  for (uint32_t port = 0; port < b->params.ports; port++) {
    uint32_t set = pins->credits[port];
    struct hd_credit_event e = {.port = (uint8_t)port,
                                .vcs = (uint8_t)(set & vcs),
                                .barrier = b->params.barrier ? set >> 8 & 1 : 0,
                                .count =
                                    b->params.adaptive == 2 && set >> 15 & 1 ? set >> 9 & 127 : 0};
    if (pins->valid >> port & 1)
      c.flits_in[job->n_flits_in++] = pins->flits[port];
    if ((pins->credited >> port & 1) && (e.vcs || e.barrier || e.count))
      c.credits_in[job->n_credits_in++] = e;
  }
  if (pins->read)
    b->ops->config_read(b->duts[r->sw], 0, pins->addr, &value, &err);
  if (pins->read && b->wrong && pins->addr == b->wrong_register)
    value = b->wrong_value;
  if (b->ops->run(b->duts[r->sw], job, 1, &err) || job->lost || job->quiescent != b->unread[r->sw])
    abort();
  b->since[r->sw]++;
  r->cycles++;
  bool lie = b->lie_cycle && r->sw == b->lie_switch && b->since[r->sw] == b->lie_cycle;
  soft_tell(b, r, job, pins->read, value, lie);
  if (lie && b->lie_once)
    b->lie_cycle = 0;
  *pins = (struct soft_pins){0};
}

/* The record at stimulus[i], and `more` words after it, to the pins. */
static void soft_pin(const struct soft_core *b, struct soft_pins *pins, uint32_t i)
{
  uint32_t kind = b->stimulus[i] >> 12, arg = b->stimulus[i] & 0xfff, port = arg & 15;
  const uint16_t *next = &b->stimulus[i + 1];
  if (kind == 2) {
    uint32_t vcs = (1U << hd_log2_ceil(b->params.vcs)) - 1;
    struct hd_flit_event e = {
        .port = (uint8_t)port, .kind = arg >> 4 & 7, .vc = (uint8_t)(arg >> 7 & vcs)};
    for (uint32_t j = 0; j < b->params.data_bits / 16; j++)
      e.data |= (uint64_t)next[j] << 16 * j;
    pins->flits[port] = e;
    pins->valid |= 1U << port;
  }
  if (kind == 3) {
    pins->credits[port] = next[0];
    pins->credited |= 1U << port;
  }
  if (kind == 4 || kind == 5)
    pins->addr = port << 16 | next[0];
  if (kind == 4)
    pins->wdata = next[1];
  pins->write |= kind == 4;
  pins->read |= kind == 5;
}

int soft_words(const struct soft_core *b, uint16_t word)
{
  uint32_t kind = word >> 12;
  if (kind > 5 || ((kind == 2 || kind == 3) && (word & 15u) >= b->params.ports))
    return -1;
  return kind == 2 ? (int)b->params.data_bits / 16 : kind == 4 ? 2 : kind == 3 || kind == 5;
}

static void soft_play_words(struct soft_core *b, struct soft_run *r)
{
  struct soft_pins pins = {0};
  for (uint32_t i = 0; i < SOFT_WORDS;) {
    uint32_t arg = b->stimulus[i] & 0xfff;
    int more = soft_words(b, b->stimulus[i]);
    if (more < 0 || i + (uint32_t)more >= SOFT_WORDS)
      break;
    if (b->stimulus[i] >> 12 == 0)
      return;
    if (b->stimulus[i] >> 12 == 1)
      for (uint32_t n = arg ? arg : 4096; n; n--)
        soft_cycle(b, r, &pins);
    else
      soft_pin(b, &pins, i);
    i += 1 + (uint32_t)more;
  }
  r->broken = true;
}

/* ── requests, §9.2 and §9.3 ────────────────────────────────────────────────── */

static void soft_put(struct soft_core *b, uint64_t value, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    b->answer[b->n_answer++] = (uint8_t)(value >> 8 * i);
}

static void soft_run(struct soft_core *b, uint32_t sw, bool record)
{
  struct soft_run r = {.sw = sw, .record = record};
  bool quiet = b->quiet[sw];
  b->n_records = 0;
  soft_play_words(b, &r);
  b->counters.cycles += r.cycles;
  r.signatures[0] ^= b->missigns && r.cycles > b->missigns_above;
  soft_put(b, (uint64_t)quiet | (uint64_t)r.broken << 1 | (uint64_t)r.lost << 2, 1);
  soft_put(b, 0, 1);
  soft_put(b, b->n_records, 2);
  soft_put(b, r.cycles, 4);
  for (uint32_t i = 0; i < b->params.ports * (b->params.data_bits / 16) + 1; i++)
    soft_put(b, r.signatures[i], 4);
  for (uint32_t i = 0; i < b->n_records && b->n_answer + 2 <= SOFT_CONTENT; i++)
    soft_put(b, b->records[i], 2);
}

int soft_load(struct soft_core *b, bool run, const uint8_t *p, size_t size)
{
  uint32_t first = size >= 2 && !run ? p[0] | (uint32_t)p[1] << 8 : 0, words = (uint32_t)(size / 2);
  if (size < 2 || size % 2)
    return 2;
  if (run && p[0] >= b->switches)
    return 4;
  if (first + words - 1 > SOFT_WORDS)
    return 5;
  for (uint32_t i = 0; i + 1 < words; i++)
    b->stimulus[first + i] = (uint16_t)(p[2 + 2 * i] | p[3 + 2 * i] << 8);
  return 0;
}

static void soft_reset(struct soft_core *b, uint32_t which)
{
  struct hd_error err;
  for (uint32_t i = 0; i < b->switches; i++)
    if (which == i || which == 255) {
      b->ops->reset(b->duts[i], &err);
      b->quiet[i] = b->unread[i] = true;
      b->since[i] = 0;
    }
}

static int soft_fetch(struct soft_core *b, const uint8_t *p, size_t size)
{
  uint32_t first = size >= 2 ? p[0] | (uint32_t)p[1] << 8 : 0;
  if (size != 3)
    return 2;
  if (p[2] > 250 || first + p[2] > SOFT_WORDS)
    return 5;
  for (uint32_t i = 0; i < p[2]; i++)
    soft_put(b, b->records[first + i], 2);
  return 0;
}

static void soft_hello(struct soft_core *b)
{
  soft_put(b, 'H' | 'D' << 8 | 'L' << 16 | 1 << 24, 4);
  soft_put(b, b->switches, 1);
  soft_put(b, 1000000, 4);
  soft_put(b, SOFT_WORDS, 2);
  soft_put(b, SOFT_WORDS, 2);
  soft_put(b, b->params.data_bits / 16, 1);
  soft_put(b, 0, 2);
  soft_put(b, b->build, 8);
}

/* Executes c[n], a request; answer[4 …] gets the payload. Returns a refusal, 0: none. */
static int soft_execute(struct soft_core *b, const uint8_t *c, size_t n)
{
  const uint8_t *p = c + 4;
  size_t size = n - 4;
  int code = 0;
  switch (c[1]) {
  case 0:
    if (size)
      return 2;
    soft_hello(b);
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
    soft_reset(b, p[0]);
    return 0;
  case 3:
  case 4:
    code = soft_load(b, c[1] == 4, p, size);
    if (!code && c[1] == 4)
      soft_run(b, p[0], p[1] & 1);
    return code;
  case 5:
    return soft_fetch(b, p, size);
  case 6:
    if (size)
      return 2;
    soft_put(b, b->counters.good, 4);
    soft_put(b, b->counters.bad, 4);
    soft_put(b, b->counters.done + 1, 4); /* with this one */
    soft_put(b, b->counters.again, 4);
    soft_put(b, b->counters.lost, 4);
    soft_put(b, b->counters.cycles, 4);
    return 0;
  default:
    return 1;
  }
}

size_t soft_core_request(struct soft_core *b, const uint8_t *c, size_t n, uint8_t *out, bool *fresh)
{
  uint16_t asked = (uint16_t)(c[2] | c[3] << 8);
  uint8_t kept[SOFT_CONTENT];
  size_t n_kept = b->n_answer;
  int code = 0;
  *fresh = false;
  if (c[1] > 1 && asked != b->epoch)
    code = 3;
  else if (c[1] && b->last && c[0] == b->last_seq && c[1] == b->last_op) {
    b->counters.again++;
    memcpy(out, b->answer, b->n_answer);
    return b->n_answer;
  } else if (c[1] && b->last && c[0] != (uint8_t)(b->last_seq + 1))
    code = 6;
  memcpy(kept, b->answer, n_kept);
  b->n_answer = 4;
  if (!code)
    code = soft_execute(b, c, n);
  if (code) {
    memcpy(b->answer, kept, n_kept);
    b->n_answer = n_kept;
    const uint8_t refusal[] = {c[0], 0xff, (uint8_t)b->epoch, (uint8_t)(b->epoch >> 8),
                               (uint8_t)code};
    memcpy(out, refusal, sizeof refusal);
    return sizeof refusal;
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
  b->counters.done++;
  *fresh = true;
  memcpy(out, b->answer, b->n_answer);
  return b->n_answer;
}
