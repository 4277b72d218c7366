/* A scenario at many points: keys as axes, seeds, mean and confidence, where it saturates.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A point is one value for each axis; a run is a point with one seed. Which runs there are follows from
 * the parameters below and from outcomes alone, so that the tables are the same, byte for byte, whatever
 * the number of workers, and however often the sweep was interrupted.
 */
#ifndef HD_SWEEP_H
#define HD_SWEEP_H

#include "../campaign/campaign.h"
#include "../scenario/scenario_set.h"

enum {
  HD_SWEEP_AXES = 16,
  HD_SWEEP_VALUES = 4096, /* most values of an axis */
  HD_SWEEP_RUNS = 100000, /* points × seeds */
  HD_SWEEP_SEEDS = 1000,
};

/** A key and its values, as texts of YAML. */
struct hd_axis {
  char *path;    /* owned */
  char **values; /* [n], owned */
  uint32_t n;
};

/** Reads the values of an axis: a list "a,b,c" (commas in brackets and quotes do not count), a range
 *  "0.05:0.5:0.05" with both ends, or a geometric range "0.01:0.64:*2". HD_E_INPUT names what is wrong.
 *  Freed by hd_axis_fini. */
int hd_axis_parse(struct hd_axis *axis, const struct hd_setting *setting, struct hd_error *err);
void hd_axis_fini(struct hd_axis *axis);

struct hd_sweep_params {
  const char *scenario_path;
  const struct hd_axis *axes; /* [n_axes]; the last one changes fastest */
  uint32_t n_axes;
  const struct hd_setting *settings; /* [n_settings]: of every run, before axes */
  size_t n_settings;
  bool has_seed;
  uint64_t seed;  /* the first; otherwise the scenario's */
  uint32_t seeds; /* most seeds of a point */
  double
      precision; /* > 0: no more seeds, from the third on, once the 95 % confidence interval of the
                          mean latency is at most so much of it to either side */
  /* A search for saturation: NULL, or the key to vary between low and high, in units of `step`. */
  const char *saturation;
  double low, high, step;
  const char *dut, *rtl_dir, *against, *cache_dir; /* as hd_run_options */
  uint64_t cycles;                                 /* 0: the scenario's */
  bool quick;
};

struct hd_sweep;

/** Reads the scenario, checks that each axis is a key and each of its values is legal by itself.
 *  HD_E_INPUT, HD_E_IO. `params` is borrowed until hd_sweep_destroy. */
int hd_sweep_create(struct hd_sweep **sweep, const struct hd_sweep_params *params,
                    struct hd_error *err);
void hd_sweep_destroy(struct hd_sweep *sweep); /* NULL is fine */

/** Fills the campaign's plan, name, definition and identity; they borrow from the sweep. */
void hd_sweep_campaign(struct hd_sweep *sweep, struct hd_campaign *campaign);

/** Writes, from the campaign in `directory` as far as it has come: runs.csv (a row a run),
 *  points.csv (a row a point: means with 95 % confidence intervals), saturation.csv of a search,
 *  and sweep.json (all of these). HD_E_IO, HD_E_INPUT. */
int hd_sweep_write(struct hd_sweep *sweep, const char *directory, struct hd_error *err);

/** Receives a run of a sweep: its row `number` in runs.csv, from 1 on, and the scenario of `path`
 * with other values. cycles: latest end; 0: the scenario's. All is borrowed for the call. */
typedef int hd_sweep_run_fn(void *context, const char *path, const char *text, uint64_t number,
                            uint64_t cycles, struct hd_error *err);
/** Calls `run` for each run in `directory` that has not failed, in order. Needs sweep.json. HD_E_INPUT: no such
 *  sweep is there; HD_E_IO; what `run` returned. */
int hd_sweep_each_run(const char *directory, hd_sweep_run_fn *run, void *context,
                      struct hd_error *err);

/** Adds a line for each switch: the backend of its runs if the user named none, and the reason. */
void hd_sweep_backends(const struct hd_sweep *sweep, struct hd_text *text);

/** The points as a table for people. */
int hd_sweep_text(struct hd_sweep *sweep, const char *directory, struct hd_text *text,
                  struct hd_error *err);

/** Draws DIRECTORY/sweep.svg, .pdf and .png from sweep.json: latency and throughput over the axis with most
 *  numbers, or over the key that was searched; a curve for each combination of the others, and those of the `n`
 *  sweeps in the directories `beside`. Leaves sweep.gp and sweep.csv. HD_E_TOOL: no gnuplot; HD_E_INPUT: no axis has
 *  two numbers, or one of these is no sweep with that key. */
int hd_sweep_plot(const char *directory, const char *const *beside, size_t n, struct hd_error *err);

#endif
