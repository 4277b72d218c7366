/* Pool of all mutants of a switch: its netlist, its lane code with faults, benches to play them on.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The RTL is synthesised to its own gates, not to the fewest tables as for --dut lanes. A table
 * that ABC has made belongs to no line of the RTL, so a fault in it is no fault of a line.
 */
#include "../backends/backends.h"
#include "../backends/rtl/dut_sources.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../backends/rtl/yosys_build.h"
#include "../backends/lanes/lanes_build.h"
#include "mutant_logic.h"
#include "prover.h"
#include "mutant_tape.h"
#include "manifest.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* `flatten` would add the lines of instances to their cells, in any order, so lines of instances
 * are removed before. */
static const char k_synthesis[] =
    "proc\n"
    "setattr -unset src t:* t:$* t:$paramod* %d %d\n"
    "flatten\n" HD_LANES_GATES "opt -full\n"
    "dffunmap\n"
    "simplemap\n"
    "opt_expr\n"
    "opt_merge\n"
    "opt_clean -purge\n"
    "techmap -map +/gate2lut.v -D LUT_WIDTH=3\n"
    "opt_clean -purge\n" HD_YOSYS_CHECK "write_json " HD_LANES_NETLIST "\n";

static const char *const k_own[] = {HD_MUTANT_BENCH_MANIFEST(HD_OWN) NULL};
static const char *const k_compiled[] = {HD_MUTANT_BENCH_HOST(HD_OWN_COPY) HD_LANES_CODE, NULL};
static const struct hd_lanes_flavour k_flavour = {
    .what = "synthesising the netlist: gates that can be wrong",
    .synthesis = k_synthesis,
    .building = "building the switch for its mutants",
    .own = k_own,
    .n_own = sizeof k_own / sizeof *k_own - 1,
    .compiled = k_compiled,
    .with_faults = true,
};

struct hd_mutant_pool {
  struct hd_switch_params params;
  struct hd_netlist netlist;
  struct hd_mutants mutants;
  struct hd_logic *logic;
  const struct hd_lane_bench_ops *ops;
  void *handle;
};

static int read_mutants(struct hd_mutant_pool *m, const struct hd_switch_params *params,
                        const struct hd_lanes_built *built, struct hd_error *err)
{
  char *json = NULL;
  size_t length;
  int status = hd_file_read(built->netlist, &json, &length, err);
  if (!status)
    status = hd_netlist_read(&m->netlist, params, json, length, built->rtl_dir, err);
  free(json);
  if (status)
    return status;
  hd_mutants_find(&m->mutants, &m->netlist);
  hd_mutants_prove(&m->mutants, &m->netlist);
  m->logic = hd_logic_create(&m->netlist);
  return HD_OK;
}

static int load(struct hd_mutant_pool *m, const struct hd_lanes_built *built, struct hd_error *err)
{
  hd_lane_bench_fn *bench;
  m->handle = dlopen(built->object, RTLD_NOW | RTLD_LOCAL);
  void *symbol = m->handle ? dlsym(m->handle, "hd_lane_bench") : NULL;
  if (!symbol)
    return hd_fail(err, HD_E_TOOL, "%.300s: %.200s", built->object, dlerror());
  memcpy(&bench, &symbol, sizeof bench);
  m->ops = bench();
  if (*m->ops->luts != m->mutants.n_tables)
    return hd_fail(err, HD_E_TOOL, "%.300s: its code is not that of its netlist", built->object);
  return 0;
}

int hd_mutant_pool_open(struct hd_mutant_pool **pool, const struct hd_switch_params *params,
                        const struct hd_backend_options *options, struct hd_error *err)
{
  struct hd_building building;
  struct hd_backend_options told = hd_building_options(&building, options);
  struct hd_lanes_built built;
  struct hd_mutant_pool *m = *pool = hd_xcalloc(1, sizeof *m);
  m->params = *params;
  told.switches = UINT32_MAX; /* asks for the widest word */
  int status = hd_lanes_build(&k_flavour, params, &told, &built, err);
  if (!status)
    status = read_mutants(m, params, &built, err);
  if (!status)
    status = load(m, &built, err);
  if (status) {
    hd_mutant_pool_close(m);
    *pool = NULL;
  }
  return status;
}

void hd_mutant_pool_close(struct hd_mutant_pool *m)
{
  if (!m)
    return;
  hd_logic_destroy(m->logic);
  hd_mutants_fini(&m->mutants);
  hd_netlist_fini(&m->netlist);
  if (m->handle)
    dlclose(m->handle);
  free(m);
}

const struct hd_mutants *hd_mutant_pool_mutants(const struct hd_mutant_pool *m)
{
  return &m->mutants;
}

void hd_mutant_pool_explain(const struct hd_mutant_pool *m, uint32_t cell, struct hd_text *computes,
                            struct hd_text *goes_to)
{
  hd_logic_expression(m->logic, cell, computes);
  hd_logic_readers(m->logic, cell, goes_to);
}

uint32_t hd_mutant_pool_lanes(const struct hd_mutant_pool *m)
{
  return m->ops->lanes;
}

/* ── benches ───────────────────────────────────────────────────────────────── */

struct hd_mutant_pool_bench {
  const struct hd_mutant_pool *of;
  struct hd_mutant_bench *bench;
  struct hd_lane_mutant planted[]; /* [lanes] */
};

struct hd_mutant_pool_bench *hd_mutant_pool_bench_create(const struct hd_mutant_pool *m)
{
  struct hd_mutant_pool_bench *b = hd_xcalloc(1, sizeof *b + m->ops->lanes * sizeof *b->planted);
  b->of = m;
  b->bench = m->ops->create();
  if (!b->bench)
    hd_memory_end();
  return b;
}

void hd_mutant_pool_bench_destroy(struct hd_mutant_pool_bench *b)
{
  if (!b)
    return;
  b->of->ops->destroy(b->bench);
  free(b);
}

static struct hd_lane_mutant lane_mutant(const struct hd_mutant_pool *m, uint32_t mutant)
{
  const struct hd_mutant *at = m->mutants.list + (mutant == UINT32_MAX ? 0 : mutant);
  return mutant == UINT32_MAX ? (struct hd_lane_mutant){.cell = UINT32_MAX}
                              : (struct hd_lane_mutant){.cell = at->cell, .rows = at->rows};
}

const struct hd_dut_ops *hd_mutant_pool_fabric(struct hd_mutant_pool_bench *b, uint32_t mutant,
                                               const char **options)
{
  const struct hd_lane_mutant planted = lane_mutant(b->of, mutant);
  b->of->ops->plant(b->bench, &planted);
  *options = (const char *)b->bench;
  return b->of->ops->dut;
}

int hd_mutant_pool_play(struct hd_mutant_pool_bench *b, const struct hd_mutant_tape *tape,
                        uint64_t steps, const uint32_t *mutants, uint32_t n,
                        struct hd_mutant_found *found, uint64_t *done, bool (*stop)(void *context),
                        void *context, struct hd_error *err)
{
  for (uint32_t i = 0; i < n; i++)
    b->planted[i] = lane_mutant(b->of, mutants[i]);
  if (!b->of->ops->play(b->bench, tape, steps, b->planted, n, found, done, stop, context))
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted");
  return 0;
}

/* ── proofs ────────────────────────────────────────────────────────────────── */

struct hd_prover *hd_mutant_pool_prover(const struct hd_mutant_pool *m)
{
  struct hd_prover *prover = hd_prover_create(&m->params, &m->netlist, &m->mutants);
  hd_prover_random_walk(prover);
  return prover;
}

static void add_sample(void *context, const uint64_t *registers)
{
  hd_prover_add_sample(context, registers);
}

void hd_mutant_pool_watch(struct hd_mutant_pool_bench *b, const struct hd_mutant_tape *tape,
                          struct hd_prover *prover)
{
  enum { SAMPLES = 16384 };
  b->of->ops->watch(b->bench, tape, tape->n_steps / SAMPLES + 1, add_sample, prover);
}
