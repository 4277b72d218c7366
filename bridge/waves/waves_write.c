/* Waves: replaying a switch and writing the files.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "waves.h"

#include <stdio.h>
#include <unistd.h>

/* Where the replay is: a divergence and the cycles around it, or a window. */
struct place {
  struct hd_lockstep *lockstep;
  const struct hd_divergence *divergence;
  bool window;
  uint64_t before, behind; /* of a window: its first and last cycle */
};

static int replay(const struct place *p, const char *dut_path, struct hd_waves *waves,
                  struct hd_error *err)
{
  if (p->window)
    return hd_lockstep_replay_from(p->lockstep, p->divergence->sw, p->before, p->behind, dut_path,
                                   hd_waves_look, waves, err);
  return hd_lockstep_replay(p->lockstep, (uint32_t)p->before, (uint32_t)p->behind, dut_path,
                            hd_waves_look, waves, err);
}

static int write_waves(const struct place *place, const struct hd_switch_params *params,
                       const char *title, const char *dir, struct hd_error *err)
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
  status = replay(place, dut_path, waves, err);
  if (status == HD_OK)
    status = hd_waves_save(waves, place->divergence, title, dir,
                           access(dut_path, R_OK) == 0 ? dut_path : NULL, err);
  unlink(dut_path); /* all of it is in waves.fst */
  hd_waves_destroy(waves);
  return status;
}

int hd_waves_write(struct hd_lockstep *lockstep, const struct hd_divergence *divergence,
                   const struct hd_switch_params *params, const char *title, const char *dir,
                   uint32_t before, uint32_t behind, struct hd_error *err)
{
  const struct place place = {
      .lockstep = lockstep, .divergence = divergence, .before = before, .behind = behind};
  return write_waves(&place, params, title, dir, err);
}

int hd_waves_write_window(struct hd_lockstep *lockstep, uint32_t sw, uint64_t from, uint64_t to,
                          const struct hd_switch_params *params, const char *title, const char *dir,
                          struct hd_error *err)
{
  const struct hd_divergence none = {
      .difference = HD_DIFF_NONE, .cycle = from, .sw = sw, .packet = HD_PACKET_NONE};
  const struct place place = {
      .lockstep = lockstep, .divergence = &none, .window = true, .before = from, .behind = to};
  return write_waves(&place, params, title, dir, err);
}
