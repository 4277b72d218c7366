/* Adapters that are copied into the wrapper's directory (CONTRIBUTING.md says what a manifest is).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_MANIFEST_H
#define HD_WRAP_MANIFEST_H

#define HD_WRAP_PATH(path) path,

#define HD_WRAP_ADAPTERS(X)                          \
  X("bridge/wrap/adapters/hd_wrap.vhd")              \
  X("bridge/wrap/adapters/hd_wrap_reset.v")          \
  X("bridge/wrap/adapters/hd_wrap_fifo.v")           \
  X("bridge/wrap/adapters/hd_wrap_credits.v")        \
  X("bridge/wrap/adapters/hd_wrap_credit_numbers.v") \
  X("bridge/wrap/adapters/hd_wrap_free.v")           \
  X("bridge/wrap/adapters/hd_wrap_late.v")           \
  X("bridge/wrap/adapters/hd_wrap_lengths.v")        \
  X("bridge/wrap/adapters/hd_wrap_ends.v")           \
  X("bridge/wrap/adapters/hd_wrap_wide.v")           \
  X("bridge/wrap/adapters/hd_wrap_queues.v")         \
  X("bridge/wrap/adapters/hd_wrap_in.v")             \
  X("bridge/wrap/adapters/hd_wrap_out.v")            \
  X("bridge/wrap/adapters/hd_wrap_out_buffer.v")     \
  X("bridge/wrap/adapters/hd_wrap_tables.v")

#endif
