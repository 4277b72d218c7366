/* Baud rates that a line to a board can have: termios has names for them, and UARTs of boards run
 * at them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_SPEEDS_H
#define HD_BOARD_SPEEDS_H

/** X(baud). B##baud is its constant in <termios.h>. */
#define HD_BOARD_SPEEDS(X) \
  X(9600)                  \
  X(19200)                 \
  X(38400)                 \
  X(57600)                 \
  X(115200)                \
  X(230400)                \
  X(460800)                \
  X(500000)                \
  X(921600)                \
  X(1000000)               \
  X(1500000)               \
  X(2000000)               \
  X(3000000)

#endif
