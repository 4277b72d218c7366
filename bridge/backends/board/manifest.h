/* Lists of the files from which boards are built, and of the tables of boards and programmers.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BOARD_MANIFEST_H
#define HD_BOARD_MANIFEST_H

/** Verilog of the link. A board's build hash is that of the RTL and these files, in this order. */
#define HD_BOARD_LINK(X)           \
  X("fpga/link/hd_board.v")        \
  X("fpga/link/hd_board_core.v")   \
  X("fpga/link/hd_switch_clock.v") \
  X("fpga/link/hd_clock_buffer.v") \
  X("fpga/link/hd_player.v")       \
  X("fpga/link/hd_signature.v")    \
  X("fpga/link/hd_requests.v")     \
  X("fpga/link/hd_counters.v")     \
  X("fpga/link/hd_frame_rx.v")     \
  X("fpga/link/hd_frame_tx.v")     \
  X("fpga/link/hd_crc32.v")        \
  X("fpga/link/hd_uart.v")         \
  X("fpga/link/hd_uart_rx.v")      \
  X("fpga/link/hd_uart_tx.v")      \
  X("fpga/link/hd_synchroniser.v")

/** C++, compiled together with the C++ that Verilator makes from a board. */
#define HD_BOARD_SHIM(X) X("fpga/virtual/virtual_board.cpp")

/** Headers that the C++ includes. */
#define HD_BOARD_SHIM_INCLUDED(X) X("bridge/backends/board/board_speeds.h")

/** Script that turns a bitstream into Verilog. */
#define HD_BOARD_DECOMPILER(X) X("fpga/decompile.sh")

/** Table of boards and their builds, with the baud rates of their lines. */
#define HD_BOARD_BUILDS(X) X("fpga/builds.txt")

/** Table of programs that flash boards. */
#define HD_BOARD_PROGRAMMERS(X) X("fpga/flash.txt")

#endif
