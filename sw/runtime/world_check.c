/* Checks a program's parameters before a run.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The software itself is run up to its first send or wait, so that the rules for its parameters are
 * only in its own code.
 */
#include "runtime.h"

#include <stdio.h>

static int refuse_packet(void *context, const struct hd_world_packet *packet)
{
  (void)context;
  (void)packet;
  return HD_E_INTERNAL;
}

int hd_world_check(const struct hd_world_params *params, struct hd_world_culprit *culprit,
                   struct hd_error *err)
{
  struct hd_world_params p = *params;
  struct hd_world *world;
  struct hd_error inner = {""};
  const char *name = "program";
  p.send = refuse_packet;
  p.sending = NULL;
  int status = hd_world_create(&world, &p, &inner);
  if (status) {
    if (!p.packet_flits && p.packet_bytes > hd_world_packet_payload_bytes(&p))
      name = "packet_bytes";
  } else {
    world->checking = true;
    status = hd_world_step(world, 0, &inner);
    /* it has sent nothing yet, so the scenario is wrong */
    if (status == HD_E_SOFTWARE)
      status = HD_E_INPUT;
    if (*world->culprit)
      name = world->culprit;
  }
  snprintf(culprit->name, sizeof culprit->name, "%s", name);
  if (status)
    hd_fail(err, status, "%s", inner.text);
  hd_world_destroy(world);
  return status;
}
