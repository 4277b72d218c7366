/* A scenario's fabric as synthesizable RTL with one top, and what tools need to take it.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/export.md describes files, pins and clocks for users.
 */
#ifndef HD_EXPORT_H
#define HD_EXPORT_H

#include "../../cmodel/error.h"
#include "../host/text.h"
#include "../scenario/scenario_set.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_export_options {
  const char *scenario, *directory;
  const struct hd_setting *settings; /* [n_settings] */
  size_t n_settings;
  const char *name;       /* of the top module; NULL: made from the scenario's name */
  bool raw;               /* the top has flits and credits; otherwise AXI4-Stream */
  bool signatures;        /* the top is a fabric at speed, with traffic on chip (§9.7) */
  const char *rtl_dir;    /* of the switches; NULL: Heddle's own */
  uint32_t clock_mhz;     /* of the constraints */
  uint32_t replay_cycles; /* of the scenario's run, for the bench that compares each cycle */
};
enum { HD_EXPORT_CLOCK_MHZ = 50, HD_EXPORT_REPLAY = 1000, HD_EXPORT_REPLAY_MOST = 100000 };

/** Writes the fabric into the directory, which it makes, or which has an earlier export of that name. What was written
 *  is added to `text`. The scenario's software runs on the model. HD_E_INPUT: there is something that cannot be
 *  exported; HD_E_IO, and what software returns. */
int hd_export(const struct hd_export_options *options, struct hd_text *text, struct hd_error *err);

/** A fabric at speed as hd_export has written it. */
struct hd_export_about {
  char name[96];  /* of its top, and of NAME.f */
  uint64_t build; /* what the board says of it (§9.7) */
};
/** Exports as hd_export does with options->signatures, and fills *about. */
int hd_export_speed(const struct hd_export_options *options, struct hd_export_about *about,
                    struct hd_text *text, struct hd_error *err);

#endif
