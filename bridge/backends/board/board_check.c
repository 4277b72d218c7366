/* Lower rungs of bring-up: line, echo, registers, memories, signatures.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_check.h"

#include "board_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ── line ───────────────────────────────────────────────────────────────────── */

int hd_board_check_link(struct hd_board_check *c, struct hd_error *err)
{
  int status = hd_board_link_open(&c->link, c->device, c->baud, err);
  if (!status)
    status = hd_board_hello(&c->link, &c->about, err);
  const struct hd_board_about *a = &c->about;
  snprintf(c->found, sizeof c->found,
           "%u switch%s, clock %.3f MHz, memories of %u and %u words, build %016llx", a->switches,
           a->switches == 1 ? "" : "es", a->clock_khz / 1000.0, a->stimulus_words, a->answer_words,
           (unsigned long long)a->build);
  return status;
}

int hd_board_check_echo(struct hd_board_check *c, struct hd_error *err)
{
  uint8_t sent[HD_FRAME_PAYLOAD], got[HD_FRAME_PAYLOAD];
  uint64_t rnd = c->seed, resent = c->link.resent;
  size_t n;
  bool forgotten;
  int status = 0;
  for (uint32_t k = 0; k < c->echoes && !status; k++) {
    for (size_t i = 0; i < sizeof sent; i++)
      sent[i] = (uint8_t)(k == 0 ? 0x7e : k == 1 ? 0x7d : k == 2 ? 0x55 : hd_mix64(rnd++));
    status =
        hd_board_request(&c->link, HD_BOARD_ECHO, sent, sizeof sent, 0, got, &n, &forgotten, err);
    if (!status && (n != sizeof sent || memcmp(sent, got, n)))
      status = hd_fail(err, HD_E_IO, "the board returned other bytes than it was sent");
  }
  snprintf(c->found, sizeof c->found, "%u frames of %d bytes there and back, %llu sent again",
           c->echoes, HD_FRAME_PAYLOAD, (unsigned long long)(c->link.resent - resent));
  return status;
}

/* ── registers and memory ───────────────────────────────────────────────────── */

static int play_begin(struct hd_board_check *c, struct hd_error *err)
{
  int status = 0;
  if (c->playing)
    hd_board_play_fini(&c->play);
  else
    status = hd_board_log_open(&c->log, err);
  c->playing |= !status;
  if (!status)
    status = hd_board_play_init(&c->play, &c->link, &c->about, &c->params, c->about.switches,
                                &c->log, err);
  return status ? status : hd_board_play_begin(&c->play, err);
}

/* Reads a switch's parameters from the registers of §3.3 and §8.6. */
static int read_params(struct hd_board_check *c, uint32_t sw, struct hd_switch_params *p,
                       struct hd_error *err)
{
  uint16_t values[HD_REGISTERS] = {0};
  int status = 0;
  for (uint32_t i = 0; i < HD_REGISTERS && !status; i++)
    if (hd_register_list[i].access == HD_ACCESS_READ)
      status = hd_board_play_read(&c->play, sw, i, &values[i], err);
  if (status)
    return status;
  if (values[HD_CFG_ID] != HD_REGISTER_ID)
    return hd_fail(err, HD_E_IO, "register ID of switch %u reads 0x%04x, not 0x%04x", sw,
                   values[HD_CFG_ID], HD_REGISTER_ID);
  hd_params_of_registers(p, values);
  struct hd_error why = {.text = ""};
  if (hd_switch_params_check(p, &why))
    return hd_fail(err, HD_E_IO, "the registers of switch %u describe an impossible switch: %.400s",
                   sw, why.text);
  return 0;
}

int hd_board_check_registers(struct hd_board_check *c, struct hd_error *err)
{
  struct hd_switch_params *p = &c->params, found = {0};
  *p = hd_board_play_unknown(&c->about);
  int status = hd_board_count_ports(&c->link, &c->about, &p->ports, err);
  if (!status)
    status = play_begin(c, err);
  if (!status)
    status = read_params(c, 0, &found, err);
  if (!status && found.ports != p->ports)
    status = hd_fail(err, HD_E_IO,
                     "the registers of switch 0 name %u ports, its answers have signatures of %u",
                     found.ports, p->ports);
  if (status)
    return status;
  *p = found;
  status = play_begin(c, err);
  for (uint32_t sw = 1; sw < c->about.switches && !status; sw++) {
    struct hd_switch_params other = {0};
    status = read_params(c, sw, &other, err);
    if (!status && memcmp(&other, p, sizeof other))
      status = hd_fail(err, HD_E_IO, "switch %u has other parameters than switch 0", sw);
  }
  snprintf(c->found, sizeof c->found,
           "%u ports, %u channels of %u flits, %u bits, %u nodes, barrier %u, %u groups", p->ports,
           p->vcs, p->depth_flits, p->data_bits, p->nodes, p->barrier, p->groups);
  return status;
}

/* Fills the stimulus memory with reads of registers 0 to 5 in turn, then idle cycles, and checks
 * each value in the answer memory. */
int hd_board_check_memory(struct hd_board_check *c, struct hd_error *err)
{
  const struct hd_board_about *a = &c->about;
  struct hd_board_answer answer;
  bool forgotten;
  size_t n = 0, reads = 0;
  uint16_t *words = c->play.words;
  while (n + 4 <= a->stimulus_words) {
    n += hd_board_access(words + n, false, (uint32_t)(reads % 6), 0, 0) - 1;
    reads++;
  }
  while (n + 1 < a->stimulus_words)
    words[n++] = 1 << 12 | 1;
  words[n++] = 0;
  int status = hd_board_run(&c->play, 0, words, n, true, &answer, &forgotten, err);
  if (status)
    return status;
  uint16_t value[6] = {0};
  for (uint32_t i = 0; i < 6 && !status; i++)
    status = hd_board_play_read(&c->play, 0, i, &value[i], err);
  /* Repeats the run, because the reads above have overwritten the answer memory. */
  if (!status)
    status = hd_board_run(&c->play, 0, words, n, true, &answer, &forgotten, err);
  size_t seen = 0;
  for (size_t i = 0; i + 1 < answer.n_records && !status; i++)
    if (c->play.records[i] == 7 << 12) {
      if (c->play.records[i + 1] != value[seen % 6])
        status = hd_fail(err, HD_E_IO, "word %zu of the answer memory is 0x%04x, not 0x%04x", i + 1,
                         c->play.records[i + 1], value[seen % 6]);
      seen++;
      i++;
    }
  size_t least = a->answer_words / 4 < reads ? a->answer_words / 4 : reads;
  if (!status && seen < least)
    status = hd_fail(err, HD_E_IO, "%zu of %zu register reads were answered", seen, reads);
  snprintf(c->found, sizeof c->found, "%zu words of stimulus played, %zu words answered", n,
           answer.n_records);
  return status;
}

/* ── signatures ─────────────────────────────────────────────────────────────── */

enum { SIGNED_CYCLES = 128 };

/* A run that is played twice: its inputs, and the outputs of both runs. Index 0 was recorded as
 * events, index 1 was compared by signature. */
struct signed_run {
  struct hd_flit_event in[SIGNED_CYCLES], out[2][SIGNED_CYCLES * HD_MAX_PORTS];
  struct hd_credit_event credits[SIGNED_CYCLES], back[2][SIGNED_CYCLES * HD_MAX_PORTS];
  uint32_t toggles[2][SIGNED_CYCLES];
};

/* Makes the inputs: in each cycle a packet of one flit, which names its output port (mode 2, §1.3),
 * and a credit. */
static void put_inputs(const struct hd_board_check *c, struct signed_run *r)
{
  const struct hd_switch_params *p = &c->params;
  const uint64_t mask = p->data_bits == 64 ? UINT64_MAX : (UINT64_C(1) << p->data_bits) - 1;
  for (uint32_t i = 0; i < SIGNED_CYCLES; i++) {
    uint64_t random = hd_mix64(c->seed + i);
    uint32_t wanted = (uint32_t)(random >> 56) % p->ports;
    r->in[i] = (struct hd_flit_event){
        .cycle = i,
        .port = (uint8_t)(i % p->ports),
        .vc = (uint8_t)(i / p->ports % p->vcs),
        .kind = HD_KIND_SINGLE,
        .data = (random << (2 + hd_log2_ceil(p->ports)) | (uint64_t)wanted << 2 | 2) & mask};
    r->credits[i] = (struct hd_credit_event){
        .cycle = i, .port = (uint8_t)(i % p->ports), .vcs = (uint8_t)((1U << p->vcs) - 1)};
  }
}

static struct hd_dut_job signed_job(struct signed_run *r, uint32_t sw, unsigned which)
{
  return (struct hd_dut_job){.sw = sw,
                             .cycles = SIGNED_CYCLES,
                             .flits_in = r->in,
                             .credits_in = r->credits,
                             .n_flits_in = SIGNED_CYCLES,
                             .n_credits_in = SIGNED_CYCLES,
                             .flits_out = r->out[which],
                             .credits_out = r->back[which],
                             .toggles = r->toggles[which],
                             .cap_flits_out = SIGNED_CYCLES * HD_MAX_PORTS,
                             .cap_credits_out = SIGNED_CYCLES * HD_MAX_PORTS,
                             .cap_toggles = SIGNED_CYCLES};
}

static bool same_answer(const struct hd_dut_job *a, const struct hd_dut_job *b)
{
  return a->quiescent == b->quiescent && a->n_flits_out == b->n_flits_out &&
         a->n_credits_out == b->n_credits_out && a->n_toggles == b->n_toggles &&
         !memcmp(a->flits_out, b->flits_out, a->n_flits_out * sizeof *a->flits_out) &&
         !memcmp(a->credits_out, b->credits_out, a->n_credits_out * sizeof *a->credits_out) &&
         !memcmp(a->toggles, b->toggles, a->n_toggles * sizeof *a->toggles);
}

static int check_signatures_of(struct hd_board_check *c, uint32_t sw, struct signed_run *r,
                               uint32_t *events, struct hd_error *err)
{
  const struct hd_dut_job before = {0};
  struct hd_dut_job recorded = signed_job(r, sw, 0), by_signature = signed_job(r, sw, 1);
  int status = hd_board_play_reset(&c->play, err);
  if (!status)
    status = hd_board_play_window(&c->play, &recorded, NULL, err);
  const struct hd_dut_expected shown = hd_board_shown(&before, &recorded, recorded.quiescent);
  if (!status)
    status = hd_board_play_reset(&c->play, err);
  if (!status)
    status = hd_board_play_window(&c->play, &by_signature, &shown, err);
  if (status)
    return status;
  if (!same_answer(&recorded, &by_signature))
    return hd_fail(err, HD_E_IO,
                   "switch %u: the signatures at full clock do not match the outputs that were "
                   "recorded",
                   sw);
  if (!recorded.n_flits_out)
    return hd_fail(err, HD_E_IO, "no flit left switch %u, of %d that were sent to it", sw,
                   SIGNED_CYCLES);
  *events += recorded.n_flits_out + recorded.n_credits_out;
  return 0;
}

int hd_board_check_signatures(struct hd_board_check *c, struct hd_error *err)
{
  uint32_t events = 0;
  int status = 0;
  struct signed_run *r = calloc(1, sizeof *r);
  if (!r)
    return hd_fail(err, HD_E_NOMEM, "out of memory to check signatures");
  put_inputs(c, r);
  for (uint32_t sw = 0; sw < c->about.switches && !status; sw++)
    status = check_signatures_of(c, sw, r, &events, err);
  free(r);
  snprintf(c->found, sizeof c->found,
           "signatures of %u events in %d cycles of each switch match the records", events,
           SIGNED_CYCLES);
  return status;
}

void hd_board_check_fini(struct hd_board_check *c)
{
  if (c->playing) {
    hd_board_play_fini(&c->play);
    hd_board_log_close(&c->log);
  }
  c->playing = false;
  hd_board_link_close(&c->link);
}
