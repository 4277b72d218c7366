/* Reads the description of a router that an argument names.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "router.h"
#include "cli.h"

#include "../host/file.h"

#include <stdlib.h>
#include <string.h>

static void set_unless_given(struct hd_check_params *p, struct hd_setting *settings,
                             const char *path, const char *value)
{
  size_t n = 0;
  while (n < p->n_settings && strcmp(settings[n].path, path) != 0)
    n++;
  if (!value || n < p->n_settings || n == HD_CHECK_SETTINGS)
    return;
  settings[p->n_settings++] = (struct hd_setting){path, value};
  p->settings = settings;
}

int hd_cli_router_read(struct hd_check_params *p, struct hd_setting *settings,
                       struct hd_wrap_network *network, struct hd_error *err)
{
  struct hd_wrap *wrap = NULL;
  *network = (struct hd_wrap_network){.n = 0};
  if (!p->rtl_dir || !hd_wrap_is_description(p->rtl_dir))
    return HD_OK;
  int status = hd_wrap_read(&wrap, p->rtl_dir, err);
  if (!status)
    status = hd_wrap_network(network, p->rtl_dir, err);
  for (size_t i = 0; i < p->n_settings && !status; i++)
    status = hd_cli_network_allows(network, settings[i].path, err);
  if (!status) {
    const struct hd_wrap_takes takes = hd_wrap_takes(wrap);
    p->foreign = true;
    p->takes.ports = takes.ports;
    p->takes.vcs = takes.vcs;
    p->takes.columns = takes.columns;
    p->takes.data_bits = takes.data_bits;
    p->takes.nodes = takes.nodes;
    p->takes.single = takes.single;
    p->takes.longest = takes.longest;
    p->takes.shortest = takes.shortest;
    p->takes.slots = takes.slots;
    p->takes.network = network->fabric;
    set_unless_given(p, settings, "run.routes", takes.routes);
    set_unless_given(p, settings, "run.order", takes.order);
  }
  hd_wrap_destroy(wrap);
  return status;
}

int hd_cli_network_allows(const struct hd_wrap_network *network, const char *key,
                          struct hd_error *err)
{
  if (network->n && (!strcmp(key, "fabric") || !strcmp(key, "fabric.inside")))
    return hd_fail(err, HD_E_INPUT,
                   "%s: the description of the network says what is inside, as it says where the "
                   "links are; change its key network",
                   key);
  return HD_OK;
}

int hd_cli_add_network(const struct hd_wrap_network *network, struct hd_setting *settings,
                       size_t *n, struct hd_error *err)
{
  if (*n + network->n > HD_CLI_SETTINGS)
    return hd_fail(err, HD_E_INPUT, "--set: at most %zu keys can be set beside those of a network",
                   HD_CLI_SETTINGS - network->n);
  for (size_t i = 0; i < *n; i++)
    if (hd_cli_network_allows(network, settings[i].path, err))
      return HD_E_INPUT;
  memmove(settings + network->n, settings, *n * sizeof *settings);
  memcpy(settings, network->settings, network->n * sizeof *settings);
  *n += network->n;
  return HD_OK;
}

bool hd_cli_is_router(const char *path)
{
  char *text = NULL;
  size_t length;
  if (!hd_wrap_is_description(path) || hd_file_read(path, &text, &length, NULL))
    return false;
  const bool is = !strncmp(text, "top:", 4) || strstr(text, "\ntop:");
  free(text);
  return is;
}
