/* Lists of Heddle's files for a simulator in processes of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_REMOTE_MANIFEST_H
#define HD_REMOTE_MANIFEST_H

/** C, compiled into the simulator. */
#define HD_REMOTE_SERVER(X) X("bridge/backends/remote/remote_server.c")

/** C, compiled into the shared object that starts the simulator. */
#define HD_REMOTE_HOST(X)                   \
  X("bridge/backends/remote/remote_dut.c")  \
  X("bridge/backends/remote/remote_host.c") \
  X("cmodel/error.c")

/** Headers that the C includes. */
#define HD_REMOTE_INCLUDED(X)                 \
  X("bridge/backends/remote/remote.h")        \
  X("bridge/backends/remote/remote_server.h") \
  X("bridge/backends/remote/remote_dut.h")    \
  X("bridge/backends/remote/remote_host.h")

#endif
