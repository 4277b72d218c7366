/* Starts and stops the process of a virtual board.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_PROCESS_H
#define HD_BOARD_PROCESS_H

#include "../../../cmodel/error.h"

#include <stddef.h>
#include <sys/types.h>

/** A zeroed struct is no process. */
struct hd_board_process {
  pid_t pid; /* 0: none */
  int in;    /* writing end of its standard input; the process ends when this is closed */
};

/** Starts the program at `path`; device[size] gets the pseudo-terminal that is its line, with
 *  `baud` (0: the rate that the opener sets). The program ends with this process. HD_E_TOOL,
 *  HD_E_IO. */
int hd_board_process_start(struct hd_board_process *process, const char *path, unsigned baud,
                           char *device, size_t size, struct hd_error *err);
void hd_board_process_stop(struct hd_board_process *process);

#endif
