/* The stress bench with two switches in bit lanes: each lane is a bench with a seed of its own.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_LANES_STRESS_H
#define HD_LANES_STRESS_H

#include "../backend.h"

/** Addresses of configuration writes (tb/stress/hd_stress_lanes.v): 16 bits of the seed each, then the kind of traffic,
 *  which starts the bench. */
enum { HD_LANES_STRESS_SEED = 0, HD_LANES_STRESS_GO = 4 };
/** Address of a write that allows traffic of a foreign router: node `number` may get packets from port `port`. Other writes reach
 *  the router, so its routing tables can be written. */
#define HD_LANES_STRESS_LIST(port, number) (15u << 16 | (port) << 12 | (number))
/** Addresses of configuration reads: halves of the number of flits that have left the original. */
enum { HD_LANES_STRESS_FLITS = 0, HD_LANES_STRESS_FLITS_ABOVE = 1 };
/** Benches that run at once: lanes of the widest word. */
enum { HD_LANES_STRESS_BENCHES = 512 };

/** Builds a DUT each of whose switches is a bench with the switches of both RTL directories, or finds it in the cache.
 *  A bench shows one flit at port 0, once, after its two switches have differed, and nothing else. It is never
 *  quiescent. `foreign`: they are routers of any kind. options->rtl_dir is not looked at. Errors as of hd_backend_open; hd_backend_close closes it. */
int hd_lanes_stress_open(struct hd_backend *backend, const char *original_dir,
                         const char *changed_dir, const struct hd_switch_params *params,
                         bool foreign, const struct hd_backend_options *options,
                         struct hd_error *err);

#endif
