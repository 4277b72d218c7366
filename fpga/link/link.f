// The board link's sources, beside those of rtl/heddle.f.
// SPDX-License-Identifier: Apache-2.0
fpga/link/hd_board.v
fpga/link/hd_board_core.v
fpga/link/hd_switch_clock.v
fpga/link/hd_clock_buffer.v
fpga/link/hd_player.v
fpga/link/hd_signature.v
fpga/link/hd_requests.v
fpga/link/hd_counters.v
fpga/link/hd_frame_rx.v
fpga/link/hd_frame_tx.v
fpga/link/hd_crc32.v
fpga/link/hd_uart.v
fpga/link/hd_uart_rx.v
fpga/link/hd_uart_tx.v
fpga/link/hd_synchroniser.v
