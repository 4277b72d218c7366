/* heddle schedule NETWORK COLLECTIVE: finds a schedule, checks it, shows it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_CLI_SCHEDULE_FIND_H
#define HD_CLI_SCHEDULE_FIND_H

#include "../cli.h"

enum { SCHEDULE_MOST_FAILED = 64 };

/** Arguments of the search; borrows all strings. */
struct schedule_request {
  const char *network, *collective, *format; /* text, csv, json, svg */
  const char *proof, *check;                 /* NULL: not wanted */
  const char *failed[SCHEDULE_MOST_FAILED];
  size_t n_failed;
  struct hd_setting settings[HD_CLI_SETTINGS];
  size_t n_settings;
  uint32_t root;
  double seconds; /* time limit; for the evolution, 0 means none */
  bool root_given, all_port, by_tables, no_solver, quiet;
  bool by_evolution;
  uint64_t seed, evaluations; /* for each number of steps */
  uint32_t steps;             /* 0: tries all from the lower bound upwards */
};

/** Reads a scenario with settings from a file, or from a topology such as "omega:k=2,n=3".
 *  HD_E_INPUT, HD_E_IO. */
int schedule_scenario(struct hd_scenario *scenario, const char *network,
                      const struct hd_setting *settings, size_t n_settings, struct hd_error *err);

/** Finds, checks and prints the schedule. Returns the exit code. */
int schedule_find(const struct schedule_request *request);

#endif
