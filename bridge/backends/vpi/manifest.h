/* Lists of Heddle's files that VPI modules of backends share.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VPI_MANIFEST_H
#define HD_VPI_MANIFEST_H

#include "../remote/manifest.h"

/** C, compiled into the module. */
#define HD_VPI_MODULE(X)                 \
  X("bridge/backends/vpi/sim_process.c") \
  X("bridge/backends/vpi/sim_serve.c")   \
  X("bridge/backends/vpi/sim_pins.c")    \
  HD_REMOTE_SERVER(X)

/** Headers that the C includes. */
#define HD_VPI_INCLUDED(X) X("bridge/backends/vpi/sim.h")

#endif
