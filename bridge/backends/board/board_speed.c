/* Requests to a board that holds a fabric at speed (specification §9.7).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_speed.h"

enum { START_BYTES = 11, TAKEN_BYTES = 8, RUNNING = 1, OVERRUN = 2 };

static void put_little_endian(uint8_t *bytes, uint64_t value, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

int hd_speed_hello(struct hd_board_link *link, struct hd_speed_about *about, struct hd_error *err)
{
  uint8_t a[HD_FRAME_PAYLOAD];
  int status = hd_board_hello_as(link, HD_BOARD_SPEED_MARK, a, err);
  if (status)
    return status;
  *about = (struct hd_speed_about){.switches = hd_frame_number(a + 4, 2),
                                   .ports = a[6],
                                   .lanes = a[7],
                                   .clock_khz = hd_frame_number(a + 8, 4),
                                   .build = hd_frame_number(a + 16, 4) |
                                            (uint64_t)hd_frame_number(a + 20, 4) << 32};
  return 0;
}

/* Sends a request. If the board was reset, this is an error and not repeated: the cause of the
 * reset is not known. */
static int request(struct hd_board_link *link, enum hd_board_op op, const uint8_t *payload,
                   size_t n, uint8_t *answer, size_t *n_answer, struct hd_error *err)
{
  bool forgotten;
  const int status = hd_board_request(link, op, payload, n, 0, answer, n_answer, &forgotten, err);
  if (forgotten)
    return hd_fail(err, HD_E_IO,
                   "the board at %s was reset, or serves another host, in the middle of the run; "
                   "look at its power, and run it again",
                   link->device);
  return status;
}

int hd_speed_start(struct hd_board_link *link, uint64_t first, uint32_t k, uint32_t windows,
                   struct hd_error *err)
{
  uint8_t payload[START_BYTES], answer[HD_FRAME_PAYLOAD];
  size_t n;
  put_little_endian(payload, first, 6);
  payload[6] = (uint8_t)k;
  put_little_endian(payload + 7, windows, 4);
  return request(link, HD_BOARD_SPEED_START, payload, sizeof payload, answer, &n, err);
}

int hd_speed_take(struct hd_board_link *link, uint32_t from, struct hd_speed_taken *taken,
                  struct hd_error *err)
{
  uint8_t payload[4], answer[HD_FRAME_PAYLOAD];
  size_t n;
  put_little_endian(payload, from, 4);
  const int status = request(link, HD_BOARD_SPEED_TAKE, payload, sizeof payload, answer, &n, err);
  if (status)
    return status;
  if (n < TAKEN_BYTES || (n - TAKEN_BYTES) % 4 || n > TAKEN_BYTES + 4 * HD_SPEED_MOST)
    return hd_fail(err, HD_E_IO, "the board's answer with signatures is %zu bytes", n);
  *taken = (struct hd_speed_taken){.running = answer[0] & RUNNING,
                                   .overrun = answer[0] & OVERRUN,
                                   .complete = hd_frame_number(answer + 4, 4),
                                   .n = (uint32_t)(n - TAKEN_BYTES) / 4};
  for (uint32_t i = 0; i < taken->n; i++)
    taken->signatures[i] = hd_frame_number(answer + TAKEN_BYTES + 4 * i, 4);
  return 0;
}
