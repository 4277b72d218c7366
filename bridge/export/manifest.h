/* Verilog that is copied into exported fabrics (CONTRIBUTING.md says what a manifest is).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_EXPORT_MANIFEST_H
#define HD_EXPORT_MANIFEST_H

#define HD_EXPORT_LOADER(X) X("bridge/export/rtl/hd_export_loader.v")

#define HD_EXPORT_ENDPOINTS(X)                  \
  X("bridge/export/rtl/hd_export_packetiser.v") \
  X("bridge/export/rtl/hd_export_depacketiser.v")

/* Traffic and the check of what arrives. */
#define HD_EXPORT_TRAFFIC(X)                \
  X("bridge/export/rtl/hd_export_seed.v")   \
  X("bridge/export/rtl/hd_export_word.v")   \
  X("bridge/export/rtl/hd_export_source.v") \
  X("bridge/export/rtl/hd_export_sink.v")

/* Files that only test benches need. */
#define HD_EXPORT_BENCH(X) X("bridge/export/rtl/hd_export_replay.v")

#endif
