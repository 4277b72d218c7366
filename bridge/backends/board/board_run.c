/* Single requests to a board's switch: run, reset, clear tables, count ports (specification
 * §9.3–9.5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_run.h"

enum {
  REQUEST_WORDS = (HD_FRAME_PAYLOAD - 2) / 2, /* words in a load or run request */
  FETCH_WORDS = HD_FRAME_PAYLOAD / 2,
  RUN_BYTES = 8,        /* bytes of a run's answer before the signatures */
  BROKEN = 2,           /* flag of a run */
  TABLE_WORDS = 4 * 62, /* words in a run that clears tables, at most */
};

static size_t put_words(uint8_t *payload, size_t at, const uint16_t *words, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    payload[at++] = (uint8_t)words[i];
    payload[at++] = (uint8_t)(words[i] >> 8);
  }
  return at;
}

static uint32_t cycles_of(const uint16_t *words, size_t n, uint32_t lanes)
{
  uint32_t cycles = 0;
  for (size_t i = 0; i < n;) {
    uint32_t kind = words[i] >> 12, arg = words[i] & 0xfff;
    if (kind == 1)
      cycles += arg ? arg : HD_BOARD_STEP;
    i += 1 + (kind == 2 ? lanes : kind == 4 ? 2 : kind == 3 || kind == 5 ? 1 : 0);
  }
  return cycles;
}

int hd_board_run(struct hd_board_play *play, uint32_t sw, const uint16_t *words, size_t n,
                 bool events, struct hd_board_answer *a, bool *forgotten, struct hd_error *err)
{
  uint8_t payload[HD_FRAME_PAYLOAD], got[HD_FRAME_PAYLOAD];
  size_t length, first = n < REQUEST_WORDS ? n : REQUEST_WORDS;
  uint32_t n_signatures = hd_board_signatures(&play->shape);
  int status = 0;
  for (size_t from = first; from < n && !status; from += REQUEST_WORDS) {
    size_t more = n - from < REQUEST_WORDS ? n - from : REQUEST_WORDS;
    payload[0] = (uint8_t)from;
    payload[1] = (uint8_t)(from >> 8);
    status = hd_board_request(play->link, HD_BOARD_LOAD, payload,
                              put_words(payload, 2, words + from, more), 0, got, &length, forgotten,
                              err);
  }
  if (status)
    return status;
  payload[0] = (uint8_t)sw;
  payload[1] = events;
  uint32_t cycles = cycles_of(words, n, hd_board_lanes(&play->shape));
  /* Estimate: two board clocks a cycle, 16 a word, and in mode 1 another 64 a cycle for the
   * records. */
  uint64_t clocks = 2 * (uint64_t)cycles + 16 * n + (events ? 64 * (uint64_t)cycles : 0);
  int extra_ms = (int)(clocks / (play->about.clock_khz ? play->about.clock_khz : 1)) + 1;
  status = hd_board_request(play->link, HD_BOARD_RUN, payload, put_words(payload, 2, words, first),
                            extra_ms, got, &length, forgotten, err);
  if (status)
    return status;
  size_t begin = RUN_BYTES + 4 * n_signatures;
  if (length < begin || (length - begin) % 2)
    return hd_fail(err, HD_E_IO, "the board's answer to a run is %zu bytes", length);
  a->flags = got[0];
  a->n_records = hd_frame_number(got + 2, 2);
  a->cycles = hd_frame_number(got + 4, 4);
  for (uint32_t i = 0; i < n_signatures; i++)
    a->signatures[i] = hd_frame_number(got + RUN_BYTES + 4 * i, 4);
  size_t have = (length - begin) / 2;
  if (a->n_records > play->about.answer_words || have > a->n_records || (a->flags & BROKEN) ||
      a->cycles != cycles)
    return hd_fail(err, HD_E_IO,
                   "the board played %u cycles of %u (flags %u): it understood the stimulus "
                   "in another way",
                   a->cycles, cycles, a->flags);
  for (size_t i = 0; i < have; i++)
    play->records[i] = (uint16_t)hd_frame_number(got + begin + 2 * i, 2);
  while (have < a->n_records && !status) {
    size_t more = a->n_records - have < FETCH_WORDS ? a->n_records - have : FETCH_WORDS;
    payload[0] = (uint8_t)have;
    payload[1] = (uint8_t)(have >> 8);
    payload[2] = (uint8_t)more;
    status =
        hd_board_request(play->link, HD_BOARD_FETCH, payload, 3, 0, got, &length, forgotten, err);
    if (!status && length != 2 * more)
      status = hd_fail(err, HD_E_IO, "the board gave %zu bytes for %zu words", length, more);
    for (size_t i = 0; i < more && !status; i++)
      play->records[have++] = (uint16_t)hd_frame_number(got + 2 * i, 2);
  }
  return status;
}

int hd_board_count_ports(struct hd_board_link *link, const struct hd_board_about *about,
                         uint32_t *ports, struct hd_error *err)
{
  static const uint8_t nothing[] = {0, 0, 0, 0}; /* switch 0, mode 0, *end* */
  const size_t head = RUN_BYTES + 4, lane = 4 * (size_t)about->lanes;
  uint8_t got[HD_FRAME_PAYLOAD];
  size_t n;
  bool forgotten;
  int status =
      hd_board_request(link, HD_BOARD_RUN, nothing, sizeof nothing, 0, got, &n, &forgotten, err);
  if (status)
    return status;
  *ports = n < head ? 0 : (uint32_t)((n - head) / lane);
  if (*ports < 2 || *ports > HD_MAX_PORTS || head + *ports * lane != n)
    return hd_fail(
        err, HD_E_IO,
        "the answer to a run of switch 0 has %zu bytes; with flits of %u bits it has %zu "
        "for each port and %zu more",
        n, 16 * about->lanes, lane, head);
  return 0;
}

int hd_board_reset_switch(struct hd_board_play *play, uint32_t sw, bool *forgotten,
                          struct hd_error *err)
{
  uint8_t which = (uint8_t)sw, got[HD_FRAME_PAYLOAD];
  size_t n;
  return hd_board_request(play->link, HD_BOARD_RESET, &which, 1, 0, got, &n, forgotten, err);
}

int hd_board_clear_tables(struct hd_board_play *play, uint32_t sw, bool *forgotten,
                          struct hd_error *err)
{
  const struct hd_switch_params *p = &play->params;
  uint16_t words[TABLE_WORDS];
  struct hd_board_answer a;
  size_t n = 0;
  int status = 0;
  for (uint32_t select = 1; select <= 4; select++) {
    uint32_t ports = select == 3                             ? (p->barrier ? 1 : 0)
                     : select == 2 && !p->source_table       ? 0
                     : select == 4 && !hd_switch_has_sets(p) ? 0
                                                             : p->ports;
    uint32_t entries = select == 3 ? p->switches : p->nodes;
    for (uint32_t i = 0; i < ports * entries && !status; i++) {
      uint32_t addr = select << 16 | i / entries << 12 | i % entries;
      n += hd_board_access(words + n, true, addr, 0, 0) - 1;
      if (n + 6 <= TABLE_WORDS && n + 6 <= play->about.stimulus_words)
        continue;
      words[n++] = 0; /* end */
      status = hd_board_run(play, sw, words, n, false, &a, forgotten, err);
      n = 0;
    }
  }
  if (n && !status) {
    words[n++] = 0;
    status = hd_board_run(play, sw, words, n, false, &a, forgotten, err);
  }
  return status;
}
