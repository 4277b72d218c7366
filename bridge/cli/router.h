/* A router that an argument names: what its description says of fabrics, packets and promises.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_ROUTER_H
#define HD_CLI_ROUTER_H

#include "../check/check.h"

/** If params->rtl_dir is a description, takes from it what a check of the router has to know, but for settings that are
 *  given. `settings` [HD_CHECK_SETTINGS] is what params->settings has, or will have. Errors as hd_wrap_read. */
int hd_cli_router_read(struct hd_check_params *params, struct hd_setting *settings,
                       struct hd_error *err);

/** Is this file the description of a router? It has the key `top`, which no scenario has. */
bool hd_cli_is_router(const char *path);

#endif
