/* The lower rungs of bring-up: the line, what the board says of itself, its memories.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_check.h"

#include "board_run.h"

#include <stdio.h>
#include <string.h>

/* ── the line ───────────────────────────────────────────────────────────────── */

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
      status = hd_fail(err, HD_E_IO, "the board sent back other bytes than it was sent");
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

/* How many ports a switch has: an answer holds a signature for each lane of each, and one more (§9.6). */
static int count_ports(struct hd_board_check *c, uint32_t *ports, struct hd_error *err)
{
  static const uint8_t nothing[] = {0, 0, 0, 0}; /* switch 0, mode 0, *end* */
  const size_t head = 8 + 4, lane = 4 * (size_t)c->about.lanes;
  uint8_t got[HD_FRAME_PAYLOAD];
  size_t n;
  bool forgotten;
  int status = hd_board_request(&c->link, HD_BOARD_RUN, nothing, sizeof nothing, 0, got, &n,
                                &forgotten, err);
  if (status)
    return status;
  *ports = n < head ? 0 : (uint32_t)((n - head) / lane);
  if (*ports < 2 || *ports > HD_MAX_PORTS || head + *ports * lane != n)
    return hd_fail(
        err, HD_E_IO,
        "the answer to a run of switch 0 has %zu bytes; with flits of %u bits it has %zu "
        "for each port and %zu more",
        n, 16 * c->about.lanes, lane, head);
  return 0;
}

/* What the registers of §3.3 and §8.6 say of a switch. */
static int read_params(struct hd_board_check *c, uint32_t sw, struct hd_switch_params *p,
                       struct hd_error *err)
{
  uint16_t r[8] = {0};
  int status = 0;
  for (uint32_t i = 0; i < 8 && !status; i++)
    status = hd_board_play_read(&c->play, sw, i, &r[i], err);
  if (status)
    return status;
  if (r[0] != 0x4844)
    return hd_fail(err, HD_E_IO, "register ID of switch %u reads 0x%04x, not 0x4844", sw, r[0]);
  *p = (struct hd_switch_params){.ports = r[2] & 31,
                                 .vcs = r[2] >> 5 & 15,
                                 .depth_flits = r[2] >> 9,
                                 .route_cycles = r[3] & 3,
                                 .arb_cycles = r[3] >> 2 & 3,
                                 .buffer_cycles = r[3] >> 4 & 1,
                                 .source_table = r[3] >> 5 & 1,
                                 .cut_flits = r[3] >> 6 & 127,
                                 .data_bits = r[4] & 127,
                                 .nodes = r[5] & 4095,
                                 .barrier = r[6] & 7,
                                 .groups = r[6] >> 3 & 63,
                                 .switches = r[7] & 4095};
  struct hd_error why = {.text = ""};
  if (hd_switch_params_check(p, &why))
    return hd_fail(err, HD_E_IO, "switch %u's registers name a switch that there cannot be: %.400s",
                   sw, why.text);
  return 0;
}

int hd_board_check_registers(struct hd_board_check *c, struct hd_error *err)
{
  /* Reading needs no more than the lanes; the real parameters follow. */
  struct hd_switch_params *p = &c->params;
  *p = (struct hd_switch_params){2, 1, 16 * c->about.lanes, 1, 2, 1, 1, 0, 0, 0, 0, 0, 0};
  struct hd_switch_params found = {0};
  int status = count_ports(c, &p->ports, err);
  if (!status)
    status = play_begin(c, err);
  if (!status)
    status = read_params(c, 0, &found, err);
  if (!status && found.ports != p->ports)
    status = hd_fail(err, HD_E_IO,
                     "switch 0's registers name %u ports, its answers have signatures of %u",
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

/* All of both memories: reads of one register in all words but the last. */
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
  /* the run again: reading has used the answer memory */
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

void hd_board_check_fini(struct hd_board_check *c)
{
  if (c->playing) {
    hd_board_play_fini(&c->play);
    hd_board_log_close(&c->log);
  }
  c->playing = false;
  hd_board_link_close(&c->link);
}
