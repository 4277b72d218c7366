/* Turns a network as commands take it, such as "omega:k=2,n=3", into lines of a scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#include <string.h>

bool hd_scenario_add_network(const char *network, struct hd_text *text)
{
  const char *keys = strchr(network, ':');
  size_t length = keys ? (size_t)(keys - network) : strlen(network);
  bool known = false, in_list = false;
  for (unsigned kind = 0; !known && hd_topology_kind_name(kind); kind++) {
    const char *name = hd_topology_kind_name(kind);
    known = strlen(name) == length && !strncmp(name, network, length);
  }
  if (!known)
    return false;
  hd_text_add(text, "fabric:\n  topology: %.*s", (int)length, network);
  for (const char *c = keys; c && *c; c++) {
    in_list = *c == '[' || (in_list && *c != ']');
    if (*c == ':' || (*c == ',' && !in_list))
      hd_text_add(text, "\n  ");
    else if (*c == '=')
      hd_text_add(text, ": ");
    else
      hd_text_add(text, "%c", *c);
  }
  hd_text_add(text, "\n");
  return true;
}
