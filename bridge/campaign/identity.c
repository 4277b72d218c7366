/* The identity of a campaign: Heddle, RTL and build tools, on which all its tasks depend.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../backends/backend.h"
#include "../host/file.h"
#include "../version.h"
#include "campaign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int hash_file(const char *path, uint64_t *hash, struct hd_error *err)
{
  char *bytes;
  size_t length;
  int status = hd_file_read(path, &bytes, &length, err);
  if (status)
    return status;
  *hash = hd_hash_bytes(bytes, length, *hash);
  free(bytes);
  return HD_OK;
}

int hd_campaign_identity(struct hd_text *identity, const char *rtl_dir, struct hd_error *err)
{
  uint64_t program = 1;
  int status = hash_file("/proc/self/exe", &program, err); /* one version may have several builds */
  if (status)
    return status;
  hd_text_add(identity, "heddle %s (%016" PRIx64 "), ", HD_VERSION, program);
  return hd_backend_identity(identity, rtl_dir, err);
}

uint64_t hd_campaign_hash(const struct hd_campaign *c)
{
  uint64_t hash = hd_hash_bytes(c->definition, strlen(c->definition), 1);
  return hd_hash_bytes(c->identity, strlen(c->identity), hash);
}
