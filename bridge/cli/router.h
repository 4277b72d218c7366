/* Reads the description of a router that an argument names: its fabrics, packets and promises.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_ROUTER_H
#define HD_CLI_ROUTER_H

#include "../check/check.h"
#include "../wrap/wrap.h"

/** If params->rtl_dir is a description, fills in from it what a check of the router needs,
 *  except settings that the user has given. `settings` [HD_CHECK_SETTINGS] becomes
 *  params->settings. params borrows from *network if the router is a whole network; call
 *  hd_wrap_network_fini in any case. Errors as of hd_wrap_read. */
int hd_cli_router_read(struct hd_check_params *params, struct hd_setting *settings,
                       struct hd_wrap_network *network, struct hd_error *err);

/** Refuses the keys that the network's description sets: fabric and fabric.inside. HD_E_INPUT. */
int hd_cli_network_allows(const struct hd_wrap_network *network, const char *key,
                          struct hd_error *err);

/** If the router is a whole network, it is the fabric: inserts its settings before the *n ones
 *  of settings[HD_CLI_SETTINGS]. HD_E_INPUT: there are too many, or one that
 *  hd_cli_network_allows refuses. */
int hd_cli_add_network(const struct hd_wrap_network *network, struct hd_setting *settings,
                       size_t *n, struct hd_error *err);

/** Tests whether the file is the description of a router. A description has the key `top`, a
 *  scenario does not. */
bool hd_cli_is_router(const char *path);

#endif
