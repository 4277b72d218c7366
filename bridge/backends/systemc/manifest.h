/* Files that the SystemC backend is built from, in addition to those of the Verilator backend.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SYSTEMC_MANIFEST_H
#define HD_SYSTEMC_MANIFEST_H

#include "../remote/manifest.h"

/** C++, compiled together with Verilator's output for the switch. */
#define HD_SYSTEMC_SHIM(X) X("bridge/backends/systemc/systemc.cpp")

/** C, compiled into the simulator. */
#define HD_SYSTEMC_SERVER(X)                   \
  X("bridge/backends/systemc/systemc_serve.c") \
  HD_REMOTE_SERVER(X)

/** C, compiled into the shared object that heddle loads. It starts the simulator. */
#define HD_SYSTEMC_HOST(X)                    \
  X("bridge/backends/systemc/systemc_host.c") \
  HD_REMOTE_HOST(X)

/** Headers that these files include. */
#define HD_SYSTEMC_INCLUDED(X)                   \
  HD_REMOTE_INCLUDED(X)                          \
  X("bridge/backends/systemc/systemc_switch.h")  \
  X("bridge/backends/systemc/systemc_signals.h") \
  X("bridge/backends/systemc/systemc_serve.h")

/** All files of this list. */
#define HD_SYSTEMC_MANIFEST(X) \
  HD_SYSTEMC_SHIM(X)           \
  HD_SYSTEMC_SERVER(X)         \
  HD_SYSTEMC_HOST(X)           \
  HD_SYSTEMC_INCLUDED(X)

#endif
