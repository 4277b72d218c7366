/* Barrier groups on a rig's fabric: program barrier, again and again.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_GROUPS_H
#define HD_FAULTS_GROUPS_H

#include "../../bridge/run/software.h"

struct groups {
  const struct hd_switch_params *sw;
  const struct hd_topology *topology;
  struct hd_software *software; /* NULL: none runs now */
  uint64_t seed;                /* of the program that runs now */
  uint32_t worlds;              /* begun so far */
  uint64_t next_cycle;          /* in which the next one begins */
  struct hd_parameter parameters[7];
};

/** Nothing is begun yet; the topology is borrowed. */
void groups_open(struct groups *groups, const struct hd_switch_params *sw,
                 const struct hd_topology *topology, uint64_t seed);

/** Let members act at the begin and at the end of `cycle`, as a lockstep's cycle_begin and cycle_end. No program begins
 *  in or after cycle `end`. */
int groups_begin(struct groups *groups, struct hd_fabric *fabric, uint64_t cycle, uint64_t end,
                 struct hd_error *err);
int groups_end(struct groups *groups, const struct hd_fabric *fabric, uint64_t cycle,
               struct hd_error *err);
void groups_close(struct groups *groups);

#endif
