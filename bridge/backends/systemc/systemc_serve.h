/* A DUT of one switch in a process of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_SYSTEMC_SERVE_H
#define HD_SYSTEMC_SERVE_H

#include "../../dut_extension.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a DUT of one switch with `ops` in each process that heddle asks for, and answers until it
 *  is told to end. Returns the exit code of the process. */
int hd_systemc_serve(const struct hd_dut_ops *ops, const char *options);

#ifdef __cplusplus
}
#endif

#endif
