/* Stress bench with two switches in bit lanes: each lane is a bench with a seed of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_STRESS_H
#define HD_LANES_STRESS_H

#include "../backend.h"

/** Addresses of configuration writes (tb/stress/hd_stress_lanes.v). SEED … SEED + 3 take 16 bits of
 *  the seed each. GO takes the kind of traffic and starts the bench. */
enum { HD_LANES_STRESS_SEED = 0, HD_LANES_STRESS_GO = 4 };
/** Address of a configuration write that allows traffic of a foreign router: node `number` may get
 *  packets from port `port`. Writes to other addresses reach the router, to write its routing
 *  tables. */
#define HD_LANES_STRESS_LIST(port, number) (15u << 16 | (port) << 12 | (number))
/** Addresses of configuration reads: lower and upper half of the number of flits that have left the
 *  original. */
enum { HD_LANES_STRESS_FLITS = 0, HD_LANES_STRESS_FLITS_ABOVE = 1 };
/** Benches that run at once: the number of lanes of the widest word. */
enum { HD_LANES_STRESS_BENCHES = 512 };

/** Opens a lanes backend whose switches are benches, each with the switches of both RTL
 *  directories. Builds it, unless the cache has it. After the two switches of a bench have
 *  differed, the bench shows one flit at port 0. It shows nothing else and is never quiescent.
 *  `foreign`: the switches are routers of any kind. options->rtl_dir is ignored. Errors are those
 *  of hd_backend_open. The caller calls hd_backend_close. */
int hd_lanes_stress_open(struct hd_backend *backend, const char *original_dir,
                         const char *changed_dir, const struct hd_switch_params *params,
                         bool foreign, const struct hd_backend_options *options,
                         struct hd_error *err);

#endif
