/* Fuzzes what comes from a board: any bytes give frames that are whole, any words events in range.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../../bridge/backends/board/board_frame.h"
#include "../../bridge/backends/board/board_stimulus.h"
#include "fuzz.h"

/* A good frame, put together again, comes out as it was. */
static void check_frame(const uint8_t *content, size_t n)
{
  uint8_t wire[HD_FRAME_WIRE];
  struct hd_frame_reader again = {.length = 0};
  size_t length, got = 0;
  require(n >= HD_FRAME_HEADER && n <= HD_FRAME_CONTENT);
  length = hd_frame_put(wire, content, n);
  require(length <= sizeof wire);
  for (size_t i = 0; i + 1 < length; i++)
    require(!hd_frame_take(&again, wire[i], &got));
  require(hd_frame_take(&again, wire[length - 1], &got));
  require(got == n && !memcmp(again.content, content, n));
}

static void check_records(const uint8_t *data, size_t size)
{
  enum { FROM = 3, TO = 3000, ROOM = 64 };
  const struct hd_board_shape shape = {.ports = 3, .vcs = 2, .data_bits = data[0] & 1 ? 64 : 16};
  struct hd_flit_event flits[ROOM];
  struct hd_credit_event credits[ROOM];
  uint32_t toggles[ROOM];
  struct hd_dut_job job = {.cycles = TO,
                           .flits_out = flits,
                           .credits_out = credits,
                           .toggles = toggles,
                           .cap_flits_out = ROOM,
                           .cap_credits_out = ROOM,
                           .cap_toggles = ROOM};
  size_t n = (size - 1) / 2;
  uint16_t *words = malloc(n ? n * sizeof *words : 1);
  require(words != NULL);
  memcpy(words, data + 1, n * sizeof *words);
  hd_board_decode(&shape, words, n, FROM, TO, &job);
  require(job.n_flits_out <= ROOM && job.n_credits_out <= ROOM && job.n_toggles <= ROOM);
  for (uint32_t i = 0; i < job.n_flits_out; i++)
    require(flits[i].cycle > FROM && flits[i].cycle <= TO && flits[i].port < 3);
  for (uint32_t i = 0; i < job.n_credits_out; i++)
    require(credits[i].cycle > FROM && credits[i].cycle <= TO && credits[i].port < 3);
  for (uint32_t i = 0; i < job.n_toggles; i++)
    require(toggles[i] > FROM && toggles[i] <= TO);
  free(words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct hd_frame_reader reader = {.length = 0};
  for (size_t i = 0; i < size; i++) {
    size_t n = 0;
    if (hd_frame_take(&reader, data[i], &n))
      check_frame(reader.content, n);
  }
  if (size)
    check_records(data, size);
  return 0;
}
