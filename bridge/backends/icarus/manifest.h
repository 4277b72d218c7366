/* Lists of Heddle's files from which the Icarus backend is built.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_ICARUS_MANIFEST_H
#define HD_ICARUS_MANIFEST_H

#include "../remote/manifest.h"
#include "../rtl/manifest.h"
#include "../vpi/manifest.h"

/** C, compiled into the VPI module that vvp loads. */
#define HD_ICARUS_MODULE(X)                  \
  X("bridge/backends/icarus/icarus_vpi.c")   \
  X("bridge/backends/icarus/icarus_state.c") \
  HD_VPI_MODULE(X)                           \
  X("cmodel/switch/states.c")

/** C, compiled into the shared object that starts vvp. */
#define HD_ICARUS_HOST(X)                   \
  X("bridge/backends/icarus/icarus_host.c") \
  HD_REMOTE_HOST(X)

/** Headers that the C includes. */
#define HD_ICARUS_INCLUDED(X)          \
  HD_RTL_INCLUDED(X)                   \
  HD_REMOTE_INCLUDED(X)                \
  HD_VPI_INCLUDED(X)                   \
  X("bridge/backends/icarus/icarus.h") \
  X("cmodel/switch/states.h")

/** All files of the Icarus backend. */
#define HD_ICARUS_MANIFEST(X) \
  HD_ICARUS_MODULE(X)         \
  HD_ICARUS_HOST(X)           \
  HD_ICARUS_INCLUDED(X)

#endif
