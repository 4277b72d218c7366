/* Writes a scenario's fabric as synthesizable RTL with one top, and the files that tools need for it.
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
  const char *name;       /* name of the top module; NULL: made from the scenario's name */
  bool raw;               /* the top's pins are flits and credits; otherwise AXI4-Stream */
  bool signatures;        /* the top is a fabric at speed, with traffic on chip (§9.7) */
  const char *rtl_dir;    /* directory with the switches' RTL; NULL: Heddle's own */
  uint32_t clock_mhz;     /* clock of the constraints */
  uint32_t replay_cycles; /* cycles of the scenario's run that the bench compares one by one */
};
enum { HD_EXPORT_CLOCK_MHZ = 50, HD_EXPORT_REPLAY = 1000, HD_EXPORT_REPLAY_MOST = 100000 };

/** Writes the fabric into the directory. Creates the directory, or overwrites an earlier export
 *  of the same name there. Adds to `text` which files were written. The scenario's software runs
 *  on the model. HD_E_INPUT: a part of the scenario cannot be exported; HD_E_IO; errors of
 *  software. */
int hd_export(const struct hd_export_options *options, struct hd_text *text, struct hd_error *err);

/** A fabric at speed that hd_export has written. */
struct hd_export_about {
  char name[96];  /* name of its top and of NAME.f */
  uint64_t build; /* the hash that the board reports for this build (§9.7) */
};
/** Exports as hd_export does with options->signatures. Fills in *about. */
int hd_export_speed(const struct hd_export_options *options, struct hd_export_about *about,
                    struct hd_text *text, struct hd_error *err);

#endif
