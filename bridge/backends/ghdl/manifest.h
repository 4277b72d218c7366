/* Lists of Heddle's files from which the GHDL backend is built.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_GHDL_MANIFEST_H
#define HD_GHDL_MANIFEST_H

#include "../remote/manifest.h"
#include "../rtl/manifest.h"
#include "../vpi/manifest.h"

/** C, compiled into the VPI module that GHDL loads. */
#define HD_GHDL_MODULE(X)                \
  X("bridge/backends/ghdl/ghdl_vpi.c")   \
  X("bridge/backends/ghdl/ghdl_print.c") \
  X("bridge/backends/ghdl/ghdl_keep.c")  \
  X("bridge/backends/ghdl/ghdl_waves.c") \
  HD_VPI_MODULE(X)

/** C, compiled into the shared object that starts GHDL. */
#define HD_GHDL_HOST(X)                 \
  X("bridge/backends/ghdl/ghdl_host.c") \
  HD_REMOTE_HOST(X)

/** Headers that the C includes. */
#define HD_GHDL_INCLUDED(X)        \
  HD_RTL_INCLUDED(X)               \
  HD_REMOTE_INCLUDED(X)            \
  HD_VPI_INCLUDED(X)               \
  X("bridge/backends/ghdl/ghdl.h") \
  X("bridge/backends/ghdl/ghdl_options.h")

/** All files of the GHDL backend. */
#define HD_GHDL_MANIFEST(X) \
  HD_GHDL_MODULE(X)         \
  HD_GHDL_HOST(X)           \
  HD_GHDL_INCLUDED(X)

#endif
