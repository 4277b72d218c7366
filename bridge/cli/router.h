/* A router that an argument names: what its description says of fabrics, packets and promises.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_ROUTER_H
#define HD_CLI_ROUTER_H

#include "../check/check.h"
#include "../wrap/wrap.h"

/** If params->rtl_dir is a description, takes from it what a check of the router must know, except
 *  settings that are given. `settings` [HD_CHECK_SETTINGS] holds params->settings. *network holds
 *  what params borrow of a whole network; call hd_wrap_network_fini in any case. Errors as
 *  hd_wrap_read. */
int hd_cli_router_read(struct hd_check_params *params, struct hd_setting *settings,
                       struct hd_wrap_network *network, struct hd_error *err);

/** Refuses a key that the network's description sets: what is inside, and with it where links are. HD_E_INPUT. */
int hd_cli_network_allows(const struct hd_wrap_network *network, const char *key,
                          struct hd_error *err);

/** A whole network is the fabric: puts its settings before the *n ones of settings[HD_CLI_SETTINGS], which come after it.
 *  HD_E_INPUT: there are too many, or one that hd_cli_network_allows refuses. */
int hd_cli_add_network(const struct hd_wrap_network *network, struct hd_setting *settings,
                       size_t *n, struct hd_error *err);

/** Is this file the description of a router? It has the key `top`, which no scenario has. */
bool hd_cli_is_router(const char *path);

#endif
