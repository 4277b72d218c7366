/* DUT contract (bridge/dut.h) for bit lanes: a switch in each bit of a machine word.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Compiled into one shared object with the lane code of one parameter set (lanes_write.c). The
 * compiler's command line defines the parameters as HD_PORTS, HD_VCS, … Switches form groups of
 * HD_LANES, which are clocked together (lanes_group.c). lanes_window.c plays their windows.
 */
#include "../rtl/dut_options.h"
#include "lanes_dut.h"

#include <stdlib.h>

enum { MOST_WRITES = 4 << 20 }; /* collected writes of all switches, at most */

struct hd_dut {
  uint32_t n_groups;
  bool every_cycle;
  _Atomic size_t writes; /* number of collected writes; atomic, as threads run different groups */
  struct group **groups;
};

/* ── create and reset ──────────────────────────────────────────────────────── */

static void flush_writes(struct hd_dut *dut, struct group *g)
{
  dut->writes -= group_flush(g);
}

static void destroy(struct hd_dut *dut)
{
  if (!dut)
    return;
  for (uint32_t i = 0; dut->groups && i < dut->n_groups; i++)
    group_destroy(dut->groups[i]);
  free(dut->groups);
  free(dut);
}

static int reset(struct hd_dut *dut, struct hd_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < dut->n_groups; i++)
    group_reset(dut->groups[i]);
  dut->writes = 0;
  return 0;
}

int lanes_dut_create(struct hd_dut **out, uint32_t count, bool every_cycle,
                     const struct group_wrong *wrong, struct hd_error *err)
{
  uint64_t seed = 1;
  *out = NULL;
  struct hd_dut *dut = calloc(1, sizeof *dut);
  if (dut)
    dut->groups = calloc(count / HD_LANES + 1, sizeof(struct group *));
  bool made = dut && dut->groups;
  for (uint32_t from = 0; made && from < count; from += HD_LANES) {
    struct group *g = group_create(count - from < HD_LANES ? count - from : HD_LANES, &seed, wrong);
    made = g != NULL;
    dut->groups[dut->n_groups++] = g;
  }
  if (!made) {
    destroy(dut);
    return hd_fail(err, HD_E_NOMEM, "out of memory in the lanes backend");
  }
  dut->every_cycle = every_cycle;
  *out = dut;
  return reset(dut, err);
}

static int create(struct hd_dut **out, const struct hd_switch_params *p, uint32_t count,
                  const char *options, struct hd_error *err)
{
  *out = NULL;
  if (!hd_built_for(p))
    return hd_fail(err, HD_E_INPUT,
                   "this shared object was built for other switch parameters; open it by the name "
                   "lanes, which builds what is needed");
  if (!options)
    options = "";
  const int status = hd_options_check("lanes", HD_OPTIONS_LANES, options, err);
  if (status)
    return status;
  return lanes_dut_create(out, count, *options != '\0', NULL, err);
}

/* ── configuration outside of windows ──────────────────────────────────────── */

static struct group *group_of(const struct hd_dut *dut, uint32_t sw)
{
  return dut->groups[sw / HD_LANES];
}

static int config_write(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t data,
                        struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  const unsigned lane = sw % HD_LANES;
  const bool quiescent = shown(g, PINS.quiescent, 1, lane) || has_lane(&g->configured, lane) ||
                         has_lane(&g->reset, lane);
  if (!quiescent)
    return hd_fail(err, HD_E_INPUT,
                   "switch %u is busy: give it configuration writes as events of a window", sw);
  for (uint32_t i = 0; dut->writes >= MOST_WRITES && i < dut->n_groups; i++)
    flush_writes(dut, dut->groups[i]);
  dut->writes++;
  return group_write(g, lane, addr, data, err);
}

/* Does read number `nth` of each switch in a group, all in one step. False: no switch has so many
 * reads. A read takes a cycle; its next state is dropped, so the switches do not change. */
static bool read_nth(struct hd_dut *dut, struct group *g, struct hd_dut_read *reads, size_t n,
                     uint32_t nth)
{
  const hd_word none = {0};
  uint32_t seen[HD_LANES] = {0};
  bool some = false;
  for (size_t i = 0; i < n && !some; i++)
    some = group_of(dut, reads[i].sw) == g;
  if (!some)
    return false;
  flush_writes(dut, g);
  hd_word lanes = {0}, *const in = group_no_inputs(g);
  for (size_t i = 0; i < n; i++)
    if (group_of(dut, reads[i].sw) == g && seen[reads[i].sw % HD_LANES]++ == nth) {
      add_lane(&lanes, reads[i].sw % HD_LANES);
      add_bits(in + PINS.addr, reads[i].sw % HD_LANES, reads[i].addr & 0xfffff);
    }
  if (!hd_word_some(&lanes))
    return false;
  in[PINS.read] = lanes;
  group_step(g, in, &none);
  memset(seen, 0, sizeof seen);
  for (size_t i = 0; i < n; i++)
    if (group_of(dut, reads[i].sw) == g && seen[reads[i].sw % HD_LANES]++ == nth) {
      reads[i].data = 0;
      for (uint32_t b = 0; b < HD_LANE_CONFIG; b++)
        if (has_lane(&g->next[hd_lane_code.outputs[PINS.rdata + b]], reads[i].sw % HD_LANES))
          reads[i].data |= (uint16_t)(1u << b);
    }
  return true;
}

static int lanes_config_reads(struct hd_dut *dut, struct hd_dut_read *reads, size_t n_reads,
                              struct hd_error *err)
{
  (void)err;
  for (uint32_t i = 0; i < dut->n_groups; i++)
    for (uint32_t nth = 0; read_nth(dut, dut->groups[i], reads, n_reads, nth); nth++)
      ;
  return 0;
}

static int config_read(struct hd_dut *dut, uint32_t sw, uint32_t addr, uint16_t *data,
                       struct hd_error *err)
{
  struct hd_dut_read read = {.sw = sw, .addr = addr};
  const int status = lanes_config_reads(dut, &read, 1, err);
  *data = read.data;
  return status;
}

/* ── windows ───────────────────────────────────────────────────────────────── */

static int run(struct hd_dut *dut, struct hd_dut_job *jobs, size_t n_jobs, struct hd_error *err)
{
  int status = 0;
  for (size_t from = 0, to = 0; from < n_jobs && !status; from = to) {
    struct group *g = group_of(dut, jobs[from].sw);
    while (to < n_jobs && group_of(dut, jobs[to].sw) == g)
      to++;
    pthread_mutex_lock(&g->lock);
    flush_writes(dut, g);
    status = group_run(g, dut->every_cycle, jobs + from, to - from, err);
    pthread_mutex_unlock(&g->lock);
  }
  return status;
}

/* ── snapshots ─────────────────────────────────────────────────────────────── */

static int snapshot_save(struct hd_dut *dut, uint32_t sw, struct hd_dut_buffer *buffer,
                         struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  flush_writes(dut, g);
  return group_save(g, sw % HD_LANES, buffer, err);
}

static int snapshot_restore(struct hd_dut *dut, uint32_t sw, const struct hd_dut_buffer *buffer,
                            struct hd_error *err)
{
  struct group *g = group_of(dut, sw);
  flush_writes(dut, g);
  return group_restore(g, sw % HD_LANES, buffer, sw, err);
}

static const struct hd_dut_extension k_extension = {.config_reads = lanes_config_reads};

static const struct hd_dut_ops k_ops = {
    .abi = HD_DUT_ABI,
    .name = "lanes",
    .about = HD_ABOUT,
    .capabilities = HD_DUT_QUIESCENT | HD_DUT_SNAPSHOT | HD_DUT_BATCH | HD_DUT_READS,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .config_write = config_write,
    .config_read = config_read,
    .run = run,
    .snapshot_save = snapshot_save,
    .snapshot_restore = snapshot_restore,
    .extension = &k_extension,
};

__attribute__((visibility("default"))) const struct hd_dut_ops *hd_dut_backend(void)
{
  return &k_ops;
}
