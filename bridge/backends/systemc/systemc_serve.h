/* Serves a DUT of one switch in its own process to heddle (remote.h).
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SYSTEMC_SERVE_H
#define HD_SYSTEMC_SERVE_H

#include "../../dut_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a DUT of one switch with `ops`. Forks a process for each switch that heddle asks for,
 *  and answers its commands until HD_REMOTE_END. Returns the exit code of the process. */
int hd_systemc_serve(const struct hd_dut_ops *ops, const char *options);

#ifdef __cplusplus
}
#endif

#endif
