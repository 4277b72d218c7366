/* Requests to a board, and their answers (specification §9.2, §9.3).
 * SPDX-License-Identifier: Apache-2.0
 *
 * One request at a time; sent again when no answer comes; the line is opened again when it was
 * pulled. Whoever calls hears of it only when the board has forgotten what it was told.
 */
#ifndef HD_BOARD_LINK_H
#define HD_BOARD_LINK_H

#include "board_frame.h"
#include "board_line.h"

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

enum { HD_BOARD_SWITCHES = 16 }; /* on a board at most */

/** The description that a board gives of itself. */
struct hd_board_about {
  uint32_t version, switches, clock_khz, stimulus_words, answer_words, lanes;
  uint64_t build;
};

/** Counters of a board, and of this side. */
struct hd_board_counters {
  uint32_t good, bad, done, again, lost, cycles;
};

struct hd_board_link {
  struct hd_board_line line;
  char device[256];
  unsigned baud;
  int patience_ms; /* for an answer, beside what the bytes take */
  int tries;       /* of a request, before the line counts as dead */
  int absence_ms;  /* how long a device may be gone */
  uint8_t seq;
  uint16_t epoch;
  struct hd_frame_reader reader;
  uint64_t bytes_out, bytes_in, resent, reopened; /* since open */
  uint64_t others; /* frames since open that answered no request of ours */
  bool answered;   /* a request, since open */
  /** The reason why the last request was not answered; its error says what that usually means. */
  enum hd_board_trouble { HD_BOARD_WELL, HD_BOARD_SILENT, HD_BOARD_GONE } trouble;
  /** Asked while waiting for an answer; true ends the wait (HD_E_INTERRUPTED). May be NULL. */
  bool (*stop)(void *context);
  /** Gets a message when the line is gone or back, or when the board was reset. May be NULL. */
  void (*tell)(void *context, const char *line);
  void *context;
};

/** Tests whether a device's name is that of a serial device; others have a prefix (tcp:, pipe:). */
bool hd_board_is_serial(const char *device);

/** Opens the line; says nothing to the board. Zero the rest of *link for the usual patience.
 *  HD_E_IO, HD_E_INPUT. */
int hd_board_link_open(struct hd_board_link *link, const char *device, unsigned baud,
                       struct hd_error *err);
void hd_board_link_close(struct hd_board_link *link);

/** Prints a line that names the board's device, if somebody listens. */
void hd_board_link_tell(const struct hd_board_link *link, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** The first three characters of an answer to hello: a board whose switches play windows (§9.3), or
 *  a fabric at speed (§9.7). */
#define HD_BOARD_MARK "HDL"
#define HD_BOARD_SPEED_MARK "HDS"
enum { HD_BOARD_HELLO_BYTES = 24 };

/** Begins a new epoch with a board of that mark; answer[HD_FRAME_PAYLOAD] gets what it says, HD_BOARD_HELLO_BYTES. As
 *  hd_board_hello. */
int hd_board_hello_as(struct hd_board_link *link, const char *mark, uint8_t *answer,
                      struct hd_error *err);

/** Begins a new epoch. HD_E_IO, HD_E_INTERRUPTED; HD_E_INPUT: something answers that is no board of this version. */
int hd_board_hello(struct hd_board_link *link, struct hd_board_about *about, struct hd_error *err);

/** Carries one request out. answer[HD_FRAME_PAYLOAD] gets *n_answer bytes of payload. extra_ms: what
 *  carrying it out takes. HD_E_IO: no answer, with what was tried; HD_E_INTERRUPTED; HD_E_INPUT: refused, with
 *  the reason. *forgotten: refused because of the epoch: everything since hello is lost. */
int hd_board_request(struct hd_board_link *link, enum hd_board_op op, const uint8_t *payload,
                     size_t n, int extra_ms, uint8_t *answer, size_t *n_answer, bool *forgotten,
                     struct hd_error *err);

int hd_board_counters(struct hd_board_link *link, struct hd_board_counters *counters,
                      struct hd_error *err);

#endif
