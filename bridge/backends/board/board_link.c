/* Requests to a board, and their answers (specification §9.2, §9.3).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "board_link.h"

#include "board_transport.h"

#include "../../host/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REFUSED = 0xff, REFUSED_EPOCH = 3, SLICE_MS = 50, FULL_MS = 5000 };

static int64_t now_ms(void)
{
  return (int64_t)(1e3 * hd_seconds_now());
}

static int check_interrupt(const struct hd_board_link *link, struct hd_error *err)
{
  if (link->stop && link->stop(link->context))
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted while waiting for the board");
  return 0;
}

bool hd_board_is_serial(const char *device)
{
  return !hd_board_transport_of(device);
}

int hd_board_link_open(struct hd_board_link *link, const char *device, unsigned baud,
                       struct hd_error *err)
{
  if (!link->patience_ms)
    link->patience_ms = 300;
  if (!link->tries)
    link->tries = 8;
  if (!link->absence_ms)
    link->absence_ms = 10000;
  link->baud = baud;
  link->bytes_out = link->bytes_in = link->resent = link->reopened = link->stray_frames = 0;
  link->answered = false;
  link->trouble = HD_BOARD_WELL;
  link->reader = (struct hd_frame_reader){0};
  if ((size_t)snprintf(link->device, sizeof link->device, "%s", device) >= sizeof link->device)
    return hd_fail(err, HD_E_INPUT, "the device's name is too long: %.80s…", device);
  const int status = hd_board_line_open(&link->line, device, baud, err);
  const char *slash = strrchr(device, '/');
  if (!status && link->line.latency_ms)
    hd_board_link_report(
        link,
        "each answer waits for the FTDI's latency timer, %u ms, which cannot be set "
        "to 1 without rights: echo 1 | sudo tee "
        "/sys/bus/usb-serial/devices/%s/latency_timer",
        link->line.latency_ms, slash ? slash + 1 : device);
  return status;
}

void hd_board_link_close(struct hd_board_link *link)
{
  hd_board_line_close(&link->line);
}

void hd_board_link_report(const struct hd_board_link *link, const char *format, ...)
{
  char line[400];
  int n = snprintf(line, sizeof line, "board %s: ", link->device);
  va_list args;
  va_start(args, format);
  vsnprintf(line + n, sizeof line - (size_t)n, format, args);
  va_end(args);
  if (link->report)
    link->report(link->context, line);
}

/* Closes the line of a device that is gone, and waits until the device is back. */
static int open_again(struct hd_board_link *link, struct hd_error *err)
{
  struct hd_error why = {{0}};
  int64_t began = now_ms(), until = began + link->absence_ms;
  hd_board_line_close(&link->line);
  if (link->absence_ms >= 1000)
    hd_board_link_report(link, "line gone, waiting %d s for it", link->absence_ms / 1000);
  do {
    int status = check_interrupt(link, err);
    if (status)
      return status;
    if (!hd_board_line_open(&link->line, link->device, link->baud, &why)) {
      link->reader = (struct hd_frame_reader){.bad = link->reader.bad};
      link->reopened++;
      hd_board_link_report(link, "line back after %.1f s", (double)(now_ms() - began) / 1000.0);
      return 0;
    }
    usleep(SLICE_MS * 1000);
  } while (now_ms() < until);
  link->trouble = HD_BOARD_GONE;
  return hd_fail(err, HD_E_IO,
                 "the board's line is gone and did not come back in %d s: %.200s; was its cable "
                 "pulled or its power off, or has it another device now (heddle board list)? "
                 "wait=SECONDS waits longer",
                 link->absence_ms / 1000, why.text);
}

/* Tests whether a frame answers our request (§9.2). An answer has the request's seq, op and epoch.
 * A refusal has its seq and epoch; with the reason *epoch* it has another epoch. Hello is never
 * refused. */
static bool is_answer(const struct hd_board_link *link, uint8_t seq, enum hd_board_op op,
                      const uint8_t *frame, size_t n)
{
  bool ours = (frame[2] | frame[3] << 8) == link->epoch;
  if (frame[0] != seq)
    return false;
  if (frame[1] != REFUSED)
    return frame[1] == (0x80 | op) && ours;
  return op != HD_BOARD_HELLO && n == HD_FRAME_HEADER + 1 &&
         ours == (frame[HD_FRAME_HEADER] != REFUSED_EPOCH);
}

/* Waits for the answer to request `seq` and counts all other frames. *came is false if the time is
 * over. */
static int await_answer(struct hd_board_link *link, uint8_t seq, enum hd_board_op op,
                        int milliseconds, uint8_t *content, size_t *n, bool *came,
                        struct hd_error *err)
{
  int64_t until = now_ms() + milliseconds;
  *came = false;
  for (int64_t left; (left = until - now_ms()) > 0;) {
    uint8_t bytes[512];
    size_t got;
    int status = hd_board_line_read(&link->line, bytes, sizeof bytes,
                                    left < SLICE_MS ? (int)left : SLICE_MS, &got, err);
    if (!status)
      status = check_interrupt(link, err);
    if (status)
      return status;
    link->bytes_in += got;
    for (size_t i = 0; i < got; i++)
      if (hd_frame_take(&link->reader, bytes[i], n)) {
        if (!is_answer(link, seq, op, link->reader.content, *n)) {
          link->stray_frames++;
          continue;
        }
        memcpy(content, link->reader.content, *n);
        *came = true;
        return 0; /* one request is open at a time, so later bytes answer nothing */
      }
  }
  return 0;
}

/* Guesses from the bytes that came why a request was not answered, for the error message. */
static const char *usual_cause(const struct hd_board_link *link, uint64_t bytes, uint64_t bad,
                               uint64_t stray_frames)
{
  if (stray_frames)
    return "whole frames came, which are no answer to this: does somebody else use the board, or "
           "do answers come too late (patience=MS, or heddle board check --patience MS)?";
  const bool is_serial = hd_board_is_serial(link->device);
  if (bad || bytes)
    return is_serial
               ? "what came is no frame: the line has another baud rate (heddle board list tries "
                 "those of the builds), or loses bytes, or something else is behind it"
               : "what came is no frame: something else than a board answers there, or the "
                 "board's serial line has another baud rate there";
  if (link->answered)
    return "it has answered before: look at its cable, its power and its configuration";
  if (!is_serial)
    return "nothing came: no board is behind it, its FPGA is not configured or has no clock, or "
           "its "
           "serial line has another baud rate there";
  return "nothing came: the FPGA is not configured or has no clock, its line has another baud rate "
         "(heddle board list tries those of the builds), it is another device, or RX and TX are "
         "exchanged";
}

/* Sends a request, again and again, until its answer comes or link->tries are used up. */
static int exchange(struct hd_board_link *link, uint8_t *content, size_t n, int extra_ms,
                    uint8_t *answer, size_t *n_answer, struct hd_error *err)
{
  uint8_t wire[HD_FRAME_WIRE];
  size_t length = hd_frame_put(wire, content, n);
  /* Time of the request and of the longest answer, with ten bits a byte. */
  int on_line = (int)((length + HD_FRAME_WIRE) * 10 * 1000 / link->baud);
  int wait_ms = link->patience_ms + on_line + extra_ms;
  const uint64_t bytes = link->bytes_in, bad = link->reader.bad, stray_frames = link->stray_frames;
  link->trouble = HD_BOARD_WELL;
  for (int k = 0; k < link->tries; k++) {
    bool came = false;
    struct hd_error why;
    link->resent += k > 0;
    link->bytes_out += length;
    int status = hd_board_line_write(&link->line, wire, length, FULL_MS + wait_ms, &why);
    if (!status)
      status = await_answer(link, content[0], (enum hd_board_op)content[1], wait_ms, answer,
                            n_answer, &came, &why);
    if (came) {
      link->answered = true;
      return 0;
    }
    if (status == HD_E_IO &&
        (link->answered || !hd_board_transport_ended(&link->line, link->device, &why)))
      status = open_again(link, &why);
    if (status) {
      if (err)
        *err = why;
      return status;
    }
  }
  char baud[32] = "";
  if (hd_board_is_serial(link->device))
    snprintf(baud, sizeof baud, ", %u baud", link->baud);
  link->trouble = HD_BOARD_SILENT;
  return hd_fail(err, HD_E_IO,
                 "no answer from a board at %s%s, in %d tries of %.1f s (%llu bytes came, %llu "
                 "bad frames, %llu of another request or epoch); %s",
                 link->device, baud, link->tries, wait_ms / 1000.0,
                 (unsigned long long)(link->bytes_in - bytes),
                 (unsigned long long)(link->reader.bad - bad),
                 (unsigned long long)(link->stray_frames - stray_frames),
                 usual_cause(link, link->bytes_in - bytes, link->reader.bad - bad,
                             link->stray_frames - stray_frames));
}

static const char *refusal_text(unsigned code)
{
  static const char *const texts[] = {"no reason",
                                      "an operation it does not know",
                                      "a request of the wrong length",
                                      "another epoch",
                                      "a switch it does not have",
                                      "a place beyond its memory",
                                      "a request out of order"};
  return code < sizeof texts / sizeof *texts ? texts[code] : "an unknown reason";
}

int hd_board_request(struct hd_board_link *link, enum hd_board_op op, const uint8_t *payload,
                     size_t n, int extra_ms, uint8_t *answer, size_t *n_answer, bool *forgotten,
                     struct hd_error *err)
{
  uint8_t content[HD_FRAME_CONTENT], got[HD_FRAME_CONTENT];
  size_t length = 0;
  *forgotten = false;
  *n_answer = 0;
  content[0] = ++link->seq;
  content[1] = (uint8_t)op;
  content[2] = (uint8_t)link->epoch;
  content[3] = (uint8_t)(link->epoch >> 8);
  if (n)
    memcpy(content + HD_FRAME_HEADER, payload, n);
  int status = exchange(link, content, HD_FRAME_HEADER + n, extra_ms, got, &length, err);
  if (status)
    return status;
  if (got[1] == REFUSED) {
    unsigned code = length > HD_FRAME_HEADER ? got[HD_FRAME_HEADER] : 0;
    *forgotten = code == REFUSED_EPOCH;
    return hd_fail(err, HD_E_INPUT, "the board refused %s (request %u)", refusal_text(code), op);
  }
  *n_answer = length - HD_FRAME_HEADER;
  memcpy(answer, got + HD_FRAME_HEADER, *n_answer);
  return 0;
}

static int other_board(const struct hd_board_link *link, const uint8_t *a, size_t n,
                       struct hd_error *err)
{
  if (n >= 4 && !memcmp(a, HD_BOARD_MARK, 3))
    return hd_fail(err, HD_E_INPUT,
                   "the board at %s holds switches that play windows: heddle run SCENARIO --dut "
                   "board:%s",
                   link->device, link->device);
  if (n >= 4 && !memcmp(a, HD_BOARD_SPEED_MARK, 3))
    return hd_fail(err, HD_E_INPUT,
                   "the board at %s holds a fabric at speed: heddle board speed SCENARIO %s",
                   link->device, link->device);
  return hd_fail(err, HD_E_INPUT,
                 "what answers at %s is no Heddle board; `heddle board list` shows which device "
                 "is one",
                 link->device);
}

int hd_board_hello_as(struct hd_board_link *link, const char *mark, uint8_t *a,
                      struct hd_error *err)
{
  size_t n;
  bool forgotten;
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  uint16_t fresh = (uint16_t)((uint64_t)t.tv_nsec / 1000 ^ (uint64_t)t.tv_sec ^ (uint64_t)getpid());
  link->epoch = fresh && fresh != link->epoch ? fresh : (uint16_t)(link->epoch % 65535 + 1);
  int status = hd_board_request(link, HD_BOARD_HELLO, NULL, 0, 0, a, &n, &forgotten, err);
  if (status)
    return status;
  if (n < 4 || memcmp(a, mark, 3) != 0)
    return other_board(link, a, n, err);
  if (a[3] != 1 || n != HD_BOARD_HELLO_BYTES)
    return hd_fail(err, HD_E_INPUT,
                   "the board at %s speaks version %u of the link, this is version 1; build and "
                   "flash it anew",
                   link->device, a[3]);
  return 0;
}

int hd_board_hello(struct hd_board_link *link, struct hd_board_about *about, struct hd_error *err)
{
  uint8_t a[HD_FRAME_PAYLOAD];
  int status = hd_board_hello_as(link, HD_BOARD_MARK, a, err);
  if (status)
    return status;
  *about = (struct hd_board_about){.version = a[3],
                                   .switches = a[4],
                                   .clock_khz = hd_frame_number(a + 5, 4),
                                   .stimulus_words = hd_frame_number(a + 9, 2),
                                   .answer_words = hd_frame_number(a + 11, 2),
                                   .lanes = a[13],
                                   .build = hd_frame_number(a + 16, 4) |
                                            (uint64_t)hd_frame_number(a + 20, 4) << 32};
  if (!about->switches || about->switches > HD_BOARD_SWITCHES || about->stimulus_words < 16 ||
      about->answer_words < 16 || (about->lanes != 1 && about->lanes != 2 && about->lanes != 4))
    return hd_fail(err, HD_E_INPUT,
                   "the board at %s reports impossible properties; build and flash it anew",
                   link->device);
  return 0;
}

int hd_board_counters(struct hd_board_link *link, struct hd_board_counters *c, struct hd_error *err)
{
  uint8_t a[HD_FRAME_PAYLOAD];
  size_t n;
  bool forgotten;
  int status = hd_board_request(link, HD_BOARD_COUNTERS, NULL, 0, 0, a, &n, &forgotten, err);
  if (!status && n != 24)
    status = hd_fail(err, HD_E_IO, "the board's counters are %zu bytes, not 24", n);
  if (!status)
    *c = (struct hd_board_counters){hd_frame_number(a, 4),      hd_frame_number(a + 4, 4),
                                    hd_frame_number(a + 8, 4),  hd_frame_number(a + 12, 4),
                                    hd_frame_number(a + 16, 4), hd_frame_number(a + 20, 4)};
  return status;
}
