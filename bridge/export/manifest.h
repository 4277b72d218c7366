/* Verilog that is copied into exported fabrics (CONTRIBUTING.md says what a manifest is).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_EXPORT_MANIFEST_H
#define HD_EXPORT_MANIFEST_H

#define HD_EXPORT_LOADER(X) X("bridge/export/rtl/hd_export_loader.v")

#define HD_EXPORT_ENDPOINTS(X)                  \
  X("bridge/export/rtl/hd_export_packetiser.v") \
  X("bridge/export/rtl/hd_export_depacketiser.v")

/* Modules that make traffic and check arriving packets. */
#define HD_EXPORT_TRAFFIC(X)                \
  X("bridge/export/rtl/hd_export_seed.v")   \
  X("bridge/export/rtl/hd_export_word.v")   \
  X("bridge/export/rtl/hd_export_source.v") \
  X("bridge/export/rtl/hd_export_sink.v")

/* A fabric at speed (specification 9.7): nodes, signatures, link. */
#define HD_EXPORT_SPEED(X)                      \
  X("bridge/export/rtl/hd_export_packetiser.v") \
  X("bridge/export/rtl/hd_export_seed.v")       \
  X("bridge/export/rtl/hd_export_word.v")       \
  X("bridge/export/rtl/hd_export_source.v")     \
  X("bridge/export/rtl/hd_export_drain.v")      \
  X("bridge/export/rtl/hd_export_barrier.v")    \
  X("bridge/export/rtl/hd_export_open.v")       \
  X("bridge/export/rtl/hd_export_nodes.v")      \
  X("fpga/link/hd_signature.v")                 \
  X("fpga/link/hd_windows.v")                   \
  X("fpga/link/hd_speed_requests.v")            \
  X("fpga/link/hd_speed.v")                     \
  X("fpga/link/hd_frame_rx.v")                  \
  X("fpga/link/hd_frame_tx.v")                  \
  X("fpga/link/hd_crc32.v")                     \
  X("fpga/link/hd_uart.v")                      \
  X("fpga/link/hd_uart_rx.v")                   \
  X("fpga/link/hd_uart_tx.v")                   \
  X("fpga/link/hd_synchroniser.v")

/* Files that only test benches use. */
#define HD_EXPORT_BENCH(X) X("bridge/export/rtl/hd_export_replay.v")

#endif
