/* Waves of a divergence: replaying it and writing the files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "waves.h"

#include <stdio.h>
#include <unistd.h>

int hd_waves_write(struct hd_lockstep *lockstep, const struct hd_divergence *divergence,
                   const struct hd_switch_params *params, const char *title, const char *dir,
                   uint32_t before, uint32_t behind, struct hd_error *err)
{
  struct hd_waves *waves = NULL;
  char dut_path[4096];
  int status = HD_OK;

  if ((size_t)snprintf(dut_path, sizeof dut_path, "%s/dut.fst", dir) >= sizeof dut_path)
    return hd_fail(err, HD_E_INPUT, "the folder's name is too long: %s", dir);
  status = hd_waves_create(&waves, params, err);
  if (status != HD_OK)
    return status;
  unlink(dut_path); /* one of an earlier run would be taken for this one's */
  status = hd_lockstep_replay(lockstep, before, behind, dut_path, hd_waves_look, waves, err);
  if (status == HD_OK)
    status = hd_waves_save(waves, divergence, title, dir,
                           access(dut_path, R_OK) == 0 ? dut_path : NULL, err);
  unlink(dut_path); /* all of it is in waves.fst */
  hd_waves_destroy(waves);
  return status;
}
