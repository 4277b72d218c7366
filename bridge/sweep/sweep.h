/* A sweep: a scenario at many points, with axes, seeds, confidence intervals and saturation.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A point has one value for each axis. A run is a point with one seed. The parameters below and the
 * outcomes decide which runs there are. So the tables are the same, byte for byte, for any number
 * of workers, and after any number of interruptions.
 */
#ifndef HD_SWEEP_H
#define HD_SWEEP_H

#include "../campaign/campaign.h"
#include "../scenario/scenario_set.h"

enum {
  HD_SWEEP_AXES = 16,
  HD_SWEEP_VALUES = 4096, /* largest number of values of an axis */
  HD_SWEEP_RUNS = 100000, /* largest number of points times seeds */
  HD_SWEEP_SEEDS = 1000,
};

/** A key and its values, as YAML texts. */
struct hd_axis {
  char *path;    /* owned */
  char **values; /* [n], owned */
  uint32_t n;
};

/** Reads the values of an axis: a list "a,b,c" (commas in brackets and quotes do not separate),
 *  a range "0.05:0.5:0.05" with both ends, or a geometric range "0.01:0.64:*2". Errors:
 *  HD_E_INPUT, with a message that names what is wrong. Call hd_axis_fini in any case. */
int hd_axis_parse(struct hd_axis *axis, const struct hd_setting *setting, struct hd_error *err);
void hd_axis_fini(struct hd_axis *axis);

struct hd_sweep_params {
  const char *scenario_path;
  const struct hd_axis *axes; /* [n_axes]; the last one changes fastest */
  uint32_t n_axes;
  const struct hd_setting *settings; /* [n_settings]: set in every run, before the axes */
  size_t n_settings;
  bool has_seed;
  uint64_t seed;  /* first seed; without has_seed, it is the scenario's */
  uint32_t seeds; /* largest number of seeds of a point */
  /* If > 0, a point gets no more seeds, from the third on, when the half width of the mean
   * latency's 95 % confidence interval is at most this share of the mean. */
  double precision;
  /* A search for saturation: the key that varies between low and high in units of `step`; NULL:
   * no search. */
  const char *saturation;
  double low, high, step;
  const char *dut, *rtl_dir, *against, *cache_dir; /* as in hd_run_options */
  uint64_t cycles;                                 /* 0: the scenario's */
  bool quick;
};

struct hd_sweep;

/** Reads the scenario. Checks that each axis is a key and that each of its values is legal.
 *  Errors: HD_E_INPUT, HD_E_IO. `params` is borrowed until hd_sweep_destroy. */
int hd_sweep_create(struct hd_sweep **sweep, const struct hd_sweep_params *params,
                    struct hd_error *err);
void hd_sweep_destroy(struct hd_sweep *sweep); /* NULL is fine */

/** Fills in the campaign's plan, name, definition and identity, which borrow from the sweep. */
void hd_sweep_campaign(struct hd_sweep *sweep, struct hd_campaign *campaign);

/** Writes the results of the campaign in `directory`, as far as it has come: runs.csv (a row for
 *  each run), points.csv (a row for each point: means with 95 % confidence intervals),
 *  saturation.csv of a search, and sweep.json (all of these). Errors: HD_E_IO, HD_E_INPUT. */
int hd_sweep_write(struct hd_sweep *sweep, const char *directory, struct hd_error *err);

/** Gets a run of a sweep: its row in runs.csv, from 1 on, the scenario's path, and its text with
 *  the values of the point. cycles: where the run ends at the latest; 0: as the scenario says.
 *  All texts are borrowed for the call. */
typedef int hd_sweep_run_fn(void *context, const char *path, const char *text, uint64_t number,
                            uint64_t cycles, struct hd_error *err);
/** Calls `run` for each run in `directory` that has not failed, in order. Errors: HD_E_INPUT:
 *  the directory has no sweep.json that names its scenario; HD_E_IO; the status of `run`. */
int hd_sweep_each_run(const char *directory, hd_sweep_run_fn *run, void *context,
                      struct hd_error *err);

/** Adds a line for each switch: the backend of its runs if the user named none, and the reason. */
void hd_sweep_backends(const struct hd_sweep *sweep, struct hd_text *text);

/** Adds the points as a table for readers. */
int hd_sweep_text(struct hd_sweep *sweep, const char *directory, struct hd_text *text,
                  struct hd_error *err);

/** Draws DIRECTORY/sweep.svg, .pdf and .png from sweep.json: latency and throughput over the
 *  searched key, or over the axis with the most numbers. Each combination of the other axes has
 *  a curve. The `n` sweeps in the directories `beside` add their curves. Leaves sweep.gp and
 *  sweep.csv. Errors: HD_E_TOOL: gnuplot is missing; HD_E_INPUT: no axis has two numbers, or a
 *  directory has no sweep over that key. */
int hd_sweep_plot(const char *directory, const char *const *beside, size_t n, struct hd_error *err);

#endif
