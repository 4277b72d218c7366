/* Requests to a board, and their answers (specification §9.2, §9.3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * One request is open at a time. It is sent again when no answer comes, and the line is opened
 * again when its cable was pulled. The caller need not care about either. It must act only when the
 * board was reset and has forgotten its state (*forgotten).
 */
#ifndef HD_BOARD_LINK_H
#define HD_BOARD_LINK_H

#include "board_frame.h"
#include "board_line.h"

#include <assert.h>

enum hd_board_op {
  HD_BOARD_HELLO,
  HD_BOARD_ECHO,
  HD_BOARD_RESET,
  HD_BOARD_LOAD,
  HD_BOARD_RUN,
  HD_BOARD_FETCH,
  HD_BOARD_COUNTERS,
  HD_BOARD_SPEED_START = 8, /* §9.7 */
  HD_BOARD_SPEED_TAKE,
};

enum { HD_BOARD_SWITCHES = 16 }; /* switches on a board, at most */

/** The board's answer to hello (§9.3). Without padding: two answers are compared as bytes. */
struct hd_board_about {
  uint32_t version, switches, clock_khz, stimulus_words, answer_words, lanes;
  uint64_t build;
};
static_assert(sizeof(struct hd_board_about) == 32, "struct hd_board_about has padding");

/** Counters of a board since it was configured or reset (§9.3): good frames, bad frames, requests
 *  carried out, answers sent again, bytes lost on the line, cycles run. */
struct hd_board_counters {
  uint32_t good, bad, done, again, lost, cycles;
};

struct hd_board_link {
  struct hd_board_line line;
  char device[256];
  unsigned baud;
  int patience_ms; /* wait for an answer, in addition to the time that the bytes take */
  int tries;       /* times that a request is sent before it fails */
  int absence_ms;  /* wait for a device that is gone */
  uint8_t seq;
  uint16_t epoch;
  struct hd_frame_reader reader;
  uint64_t bytes_out, bytes_in, resent, reopened; /* counted since open */
  uint64_t stray_frames; /* good frames since open that answered no request of ours */
  bool answered;         /* a request was answered since open */
  /** Why the last request had no answer: no answer came in any try, or the device is gone. */
  enum hd_board_trouble { HD_BOARD_WELL, HD_BOARD_SILENT, HD_BOARD_GONE } trouble;
  /** Called while waiting for an answer. True ends the wait (HD_E_INTERRUPTED). May be NULL. */
  bool (*stop)(void *context);
  /** Gets a message when the line is gone or back, or when the board was reset. May be NULL. */
  void (*report)(void *context, const char *line);
  void *context;
};

/** Tests whether a device's name is that of a serial device; others have a prefix (tcp:, pipe:). */
bool hd_board_is_serial(const char *device);

/** Opens the line and sends nothing. If patience_ms, tries or absence_ms is 0, sets it to its usual
 *  value (300 ms, 8, 10 s). HD_E_IO, HD_E_INPUT. */
int hd_board_link_open(struct hd_board_link *link, const char *device, unsigned baud,
                       struct hd_error *err);
void hd_board_link_close(struct hd_board_link *link);

/** Gives link->tell, if it is set, a message that begins with the device's name. */
void hd_board_link_report(const struct hd_board_link *link, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** First three characters of the answer to hello: a board whose switches play windows (§9.3), or a
 *  fabric at speed (§9.7). */
#define HD_BOARD_MARK "HDL"
#define HD_BOARD_SPEED_MARK "HDS"
enum { HD_BOARD_HELLO_BYTES = 24 };

/** Begins a new epoch with a board whose answer to hello begins with `mark`. Writes this answer,
 *  HD_BOARD_HELLO_BYTES long, to answer[HD_FRAME_PAYLOAD]. Errors are those of hd_board_hello. */
int hd_board_hello_as(struct hd_board_link *link, const char *mark, uint8_t *answer,
                      struct hd_error *err);

/** Begins a new epoch and gets the board's description. HD_E_IO, HD_E_INTERRUPTED. HD_E_INPUT: the
 *  answer is not that of a board of this version. */
int hd_board_hello(struct hd_board_link *link, struct hd_board_about *about, struct hd_error *err);

/** Sends one request with payload[n] and waits for its answer. answer[HD_FRAME_PAYLOAD] gets
 *  *n_answer bytes of payload. extra_ms: time that the board needs to carry the request out.
 *  HD_E_IO: no answer; HD_E_INTERRUPTED; HD_E_INPUT: the board refused it. *forgotten: it refused
 *  because of the epoch, so all that was done since hello is lost. */
int hd_board_request(struct hd_board_link *link, enum hd_board_op op, const uint8_t *payload,
                     size_t n, int extra_ms, uint8_t *answer, size_t *n_answer, bool *forgotten,
                     struct hd_error *err);

/** Reads the board's counters. Errors are those of hd_board_request. */
int hd_board_counters(struct hd_board_link *link, struct hd_board_counters *counters,
                      struct hd_error *err);

#endif
