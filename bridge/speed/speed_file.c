/* Files of expected signatures, with which a board is compared without a model.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "speed_internal.h"

#include "../host/file.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char head[] = "heddle-speed 1: 2^%" SCNu32 " cycles a window, %" SCNu32
                           " signatures of %" SCNu32 " switches\n";

int hd_speed_file_create(struct speed_file *f, const char *path, const struct hd_speed_result *r,
                         struct hd_error *err)
{
  *f = (struct speed_file){.path = path};
  const int status = hd_file_create(path, &f->file, err);
  if (!status)
    fprintf(f->file,
            "heddle-speed 1: 2^%" PRIu32 " cycles a window, %" PRIu32 " signatures of %" PRIu32
            " switches\n",
            r->k, r->signatures, r->switches);
  return status;
}

int hd_speed_file_write(struct speed_file *f, const uint32_t *signatures, uint32_t n,
                        struct hd_error *err)
{
  for (uint32_t i = 0; i < n; i++)
    fprintf(f->file, "%08" PRIx32 "%c", signatures[i], i + 1 < n ? ' ' : '\n');
  if (ferror(f->file))
    return hd_fail(err, HD_E_IO, "cannot write %.300s: %s", f->path, strerror(errno));
  return HD_OK;
}

int hd_speed_file_open(struct speed_file *f, const char *path, struct hd_speed_result *r,
                       struct hd_error *err)
{
  uint32_t k = 0, n = 0, switches = 0;
  *f = (struct speed_file){.path = path, .file = fopen(path, "re")};
  if (!f->file)
    return hd_fail(err, HD_E_IO, "cannot read %.300s: %s", path, strerror(errno));
  if (fscanf(f->file, head, &k, &n, &switches) != 3 || k > HD_SPEED_K_MOST)
    return hd_fail(err, HD_E_INPUT,
                   "%.300s: no signatures of a fabric at speed; heddle board speed --record "
                   "writes them",
                   path);
  if (n != r->signatures || switches != r->switches)
    return hd_fail(err, HD_E_INPUT,
                   "%.300s: %" PRIu32 " signatures of %" PRIu32 " switches; the scenario's fabric "
                   "has %" PRIu32 " of %" PRIu32 ", so these are another fabric's",
                   path, n, switches, r->signatures, r->switches);
  r->k = k;
  return HD_OK;
}

int hd_speed_file_read(struct speed_file *f, uint32_t *signatures, uint32_t n, struct hd_error *err)
{
  for (uint32_t i = 0; i < n; i++)
    if (fscanf(f->file, "%8" SCNx32, &signatures[i]) != 1)
      return hd_fail(err, HD_E_INPUT,
                     "%.300s: ends before the windows do; record more cycles, or ask for fewer",
                     f->path);
  return HD_OK;
}

int hd_speed_file_close(struct speed_file *f, struct hd_error *err)
{
  if (f->file && fclose(f->file))
    return hd_fail(err, HD_E_IO, "cannot write %.300s: %s", f->path, strerror(errno));
  f->file = NULL;
  return HD_OK;
}
