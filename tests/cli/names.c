/* A program and a backend whose functions have names that Heddle or libraries linked with it also use.
 * SPDX-License-Identifier: Apache-2.0
 *
 * No function is static. So the loader could call Heddle's or a library's function instead of the one here. Functions
 * of this object return RESULT plus their argument.
 */
#include "../../bridge/dut.h"
#include "../../sw/endpoint.h"

#ifndef RESULT
#define RESULT 7
#endif

/* Names of functions of Heddle, its API, zlib, libc and libm. */
#define NAMES(X) \
  X(below)       \
  X(chance)      \
  X(next_random) \
  X(greedy)      \
  X(hd_stopped)  \
  X(crc32)       \
  X(compress)    \
  X(send)        \
  X(index)       \
  X(gamma)

#define DECLARE(name) int name(int x);
#define DEFINE(name)   \
  int name(int x)      \
  {                    \
    return RESULT + x; \
  }
NAMES(DECLARE)
NAMES(DEFINE)
const char *hd_status_text(int status)
{
  return status ? "mine" : "my own";
}
int daylight = RESULT; /* libc has a variable of this name */

struct function {
  const char *name;
  int (*call)(int x);
};
#define ADDRESS(name) {#name, name},
static const struct function by_address[] = {NAMES(ADDRESS){0}};

/* Returns the first name by which a function or variable of another object is reached; NULL: there is none. */
static const char *first_foreign_name(void)
{
#define CALL(name)           \
  if (name(1) != RESULT + 1) \
    return #name;
  NAMES(CALL)
  for (const struct function *f = by_address; f->name; f++)
    if (f->call(2) != RESULT + 2)
      return f->name;
  return daylight != RESULT ? "daylight" : hd_status_text(0)[3] != 'o' ? "hd_status_text" : NULL;
}

static void run(struct hd_ep *ep)
{
  const char *name = first_foreign_name();
  if (name)
    hd_ep_abort(ep, "%s is somebody else's", name);
  hd_ep_statistic(ep, "own", RESULT);
}

static const char *const parameters[] = {NULL};
static const struct hd_program names = {
    .name = "names", .about = "calls its own functions", .main = run, .parameters = parameters};
HD_ENDPOINT_PROGRAM(names)

static int create(struct hd_dut **dut, const struct hd_switch_params *params, uint32_t count,
                  const char *options, struct hd_error *err)
{
  (void)dut, (void)params, (void)count, (void)options;
  const char *name = first_foreign_name();
  return hd_fail(err, HD_E_TOOL, "names: %s", name ? name : "all are its own");
}

static void destroy(struct hd_dut *dut)
{
  (void)dut;
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  (void)dut, (void)err;
  return 0;
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  (void)dut, (void)sw, (void)addr, (void)data, (void)err;
  return 0;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  (void)dut, (void)sw, (void)addr, (void)data, (void)err;
  return 0;
}

static int run_jobs(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n, struct hd_error *err)
{
  (void)dut, (void)jobs, (void)n, (void)err;
  return 0;
}

const struct hd_dut_ops *hd_dut_backend(void)
{
  static const struct hd_dut_ops ops = {.abi = HD_DUT_ABI,
                                        .name = "names",
                                        .about = "says whose its functions are",
                                        .create = create,
                                        .destroy = destroy,
                                        .reset = reset,
                                        .config_write = config_write,
                                        .config_read = config_read,
                                        .run = run_jobs};
  return &ops;
}
