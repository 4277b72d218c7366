/* Types and functions that the files of this room share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SPEED_INTERNAL_H
#define HD_SPEED_INTERNAL_H

#include "speed.h"

#include "../backends/board/board_process.h"
#include "../backends/board/board_speed.h"
#include "../export/speed_model.h"

#include <stdio.h>

/** The board, and its signatures in order of their numbers. */
struct speed_board {
  struct hd_board_link link;
  struct hd_board_process process; /* process of a virtual board */
  struct hd_speed_about about;
  struct hd_speed_taken last_answer; /* the board's last answer */
  uint32_t next;                     /* number of the next signature to ask for */
  uint32_t *received; /* signatures that were received and not yet read: [at … n) */
  size_t at, n, capacity;
};

int hd_speed_board_open(struct speed_board *board, const struct hd_speed_options *options,
                        const char *name, uint64_t build, struct hd_error *err);
void hd_speed_board_close(struct speed_board *board);
int hd_speed_board_start(struct speed_board *board, uint64_t first, uint32_t k, uint32_t windows,
                         struct hd_error *err);
/** Reads all signatures that the board has, so that its memory has space while the host is busy. */
int hd_speed_board_drain(struct speed_board *board, const struct hd_speed_options *options,
                         struct hd_error *err);
/** Reads the next n signatures, and waits for them. *overrun: the board did not record them, and
 *  will not. */
int hd_speed_board_read(struct speed_board *board, const struct hd_speed_options *options,
                        uint32_t n, uint32_t *signatures, bool *overrun, struct hd_error *err);

/** A file of signatures: a line with k and the numbers of signatures and switches, then a line
 *  for each window (fpga/README.md). */
struct speed_file {
  FILE *file; /* NULL: closed */
  const char *path;
};
int hd_speed_file_create(struct speed_file *f, const char *path,
                         const struct hd_speed_result *result, struct hd_error *err);
int hd_speed_file_write(struct speed_file *f, const uint32_t *signatures, uint32_t n,
                        struct hd_error *err);
/** Opens a file for reading, and sets result->k to the file's. Errors: HD_E_IO; HD_E_INPUT: it
 *  is not such a file, or it belongs to another fabric. */
int hd_speed_file_open(struct speed_file *f, const char *path, struct hd_speed_result *result,
                       struct hd_error *err);
int hd_speed_file_read(struct speed_file *f, uint32_t *signatures, uint32_t n,
                       struct hd_error *err);
int hd_speed_file_close(struct speed_file *f, struct hd_error *err);

/** Finds the first differing cycle in the model's last window, which began in cycle `start`. */
int hd_speed_narrow(const struct hd_speed_options *options, struct speed_board *board,
                    const struct hd_speed_model *model, uint64_t start,
                    struct hd_speed_result *result, struct hd_error *err);

#endif
