/* Plays segments of traffic on the original switch and the changed one, and records the inputs of a segment.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stress_case.h"

#include "../../backends/lanes/lanes_stress.h"
#include "../../campaign/campaign.h"
#include "../../host/clock.h"
#include "../../host/memory.h"
#include "stream_tape.h"

#include <stdlib.h>

enum {
  SHORT = 20000,
  /* An output port grants about three flits in five cycles, so a counter of 16 bits takes all its 65,536 values. */
  LONG = 160000,
};

static const struct {
  bool mixed, writes, resets, illegal;
  uint32_t cycles;
} k_segments[] = {
    {true, true, true, false, SHORT},   {true, false, true, true, SHORT},
    {false, false, true, false, SHORT}, {true, false, false, false, SHORT},
    {false, true, true, true, SHORT},   {true, true, false, true, SHORT},
    {false, false, false, false, LONG}, {true, true, false, false, SHORT},
};
enum { SEGMENTS = sizeof k_segments / sizeof *k_segments };

/* Returns the traffic of segment `i` for bench `lane` of those that run at once. Lane 0 has the traffic of a bench that
 * runs alone. */
static struct hd_stress_traffic traffic_of(const struct hd_stress_case *c, unsigned i,
                                           uint32_t lane)
{
  const uint64_t seed = hd_mix64(c->seed + i);
  return (struct hd_stress_traffic){.seed = lane ? hd_mix64(seed + lane) : seed,
                                    .cycles = k_segments[i].cycles,
                                    .mixed = k_segments[i].mixed,
                                    .writes = !c->router && k_segments[i].writes,
                                    .resets = k_segments[i].resets,
                                    .illegal = !c->router && k_segments[i].illegal};
}

int hd_stress_play(const struct hd_stress_case *c, const struct hd_stress_sides *sides,
                   struct hd_stress_result *result, struct hd_error *err)
{
  int status = HD_OK;
  *result = (struct hd_stress_result){.cycles = 0};
  for (unsigned i = 0; i < SEGMENTS && !status && !result->found.difference; i++) {
    result->traffic = traffic_of(c, i, 0);
    const struct hd_stress_job job = {.original = sides->original,
                                      .changed = sides->changed,
                                      .router = c->router,
                                      .traffic = result->traffic};
    status = sides->bench->run(&job, &result->found, err);
    result->cycles += result->found.cycles;
    result->flits += result->found.flits;
  }
  if (!status && !result->flits && !result->found.difference)
    status = hd_fail(err, HD_E_NOTHING, "no flit left the original switch");
  return status;
}

/* ── many benches at once ──────────────────────────────────────────────────── */

enum { CYCLES_AT_ONCE = 1024, BENCHES = HD_LANES_STRESS_BENCHES };

struct bench {
  struct hd_config_event writes[HD_LANES_STRESS_GO + 1];
  struct hd_flit_event flit;
};

/* Fills in the jobs of all benches for a window in which no output is expected. */
static void fill_jobs(struct hd_dut_job *jobs, struct bench *benches, uint64_t start,
                      uint32_t cycles)
{
  static const struct hd_dut_expected nothing = {.quiescent = false};
  for (uint32_t i = 0; i < BENCHES; i++)
    jobs[i] = (struct hd_dut_job){.sw = i,
                                  .cycles = cycles,
                                  .start = start,
                                  .flits_out = &benches[i].flit,
                                  .cap_flits_out = 1,
                                  .expected = &nothing};
}

/* Gives all benches the same destinations and tables, one write in each cycle. *cycles gets the number of cycles. */
static int set_up_benches(const struct hd_stress_case *c, const struct hd_dut_ops *ops,
                          struct hd_dut *dut, struct hd_dut_job *jobs, struct bench *benches,
                          uint64_t *cycles, struct hd_error *err)
{
  const struct hd_stress_router *r = c->router;
  const uint32_t listed = r ? c->params.ports * HD_STRESS_NODES : 0;
  const uint32_t n = r ? listed + r->n_writes : 0;
  struct hd_config_event *all = hd_xcalloc(n + 1, sizeof *all);
  int status = HD_OK;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t port = i / HD_STRESS_NODES, number = i % HD_STRESS_NODES;
    if (i < listed)
      all[i] = (struct hd_config_event){.addr = HD_LANES_STRESS_LIST(port, number),
                                        .data = r->nodes[port][number]};
    else
      all[i] = r->writes[i - listed];
    all[i].cycle = i % CYCLES_AT_ONCE;
  }
  for (*cycles = 0; !status && *cycles < n; *cycles += jobs[0].cycles) {
    const uint64_t left = n - *cycles;
    fill_jobs(jobs, benches, *cycles, left < CYCLES_AT_ONCE ? (uint32_t)left : CYCLES_AT_ONCE);
    for (uint32_t i = 0; i < BENCHES; i++) {
      jobs[i].configs_in = &all[*cycles];
      jobs[i].n_configs_in = jobs[i].cycles;
    }
    status = ops->run(dut, jobs, BENCHES, err);
  }
  free(all);
  return status;
}

static void fill_writes(struct bench *bench, const struct hd_stress_traffic *t, bool single)
{
  for (uint32_t i = 0; i <= HD_LANES_STRESS_GO; i++)
    bench->writes[i] = (struct hd_config_event){
        .cycle = i,
        .addr = i,
        .data = (uint16_t)(i < HD_LANES_STRESS_GO
                               ? t->seed >> 16 * i
                               : (unsigned)(t->mixed | t->writes << 1 | t->resets << 2 |
                                            t->illegal << 3 | single << 4))};
}

/* Returns the bench that reported a difference first; BENCHES: none did. */
static uint32_t first_to_differ(const struct hd_dut_job *jobs)
{
  uint32_t first = BENCHES;
  for (uint32_t i = 0; i < BENCHES; i++)
    if (jobs[i].n_flits_out &&
        (first == BENCHES || jobs[i].flits_out->cycle < jobs[first].flits_out->cycle))
      first = i;
  return first;
}

/* Adds the number of flits that have left the original switches of all benches. */
static int count_flits(const struct hd_dut_ops *ops, struct hd_dut *dut, uint64_t *flits,
                       struct hd_error *err)
{
  struct hd_dut_read *reads = hd_xcalloc(2 * BENCHES, sizeof *reads);
  for (uint32_t i = 0; i < 2 * BENCHES; i++)
    reads[i] = (struct hd_dut_read){
        .sw = i / 2, .addr = i % 2 ? HD_LANES_STRESS_FLITS_ABOVE : HD_LANES_STRESS_FLITS};
  int status = ops->extension->config_reads(dut, reads, (size_t)2 * BENCHES, err);
  for (uint32_t i = 0; i < 2 * BENCHES && !status; i++)
    *flits += (uint64_t)reads[i].data << (i % 2 ? 16 : 0);
  free(reads);
  return status;
}

/* Plays a segment on all benches. The first window gives them their traffic. No window goes beyond the segment's end,
 * because the run on Verilator that repeats a difference ends there, too. */
static int play_segment(const struct hd_stress_case *c, unsigned segment,
                        const struct hd_dut_ops *ops, struct hd_dut *dut, struct hd_dut_job *jobs,
                        struct bench *benches, struct hd_stress_lanes_result *r,
                        struct hd_error *err)
{
  const uint64_t end = k_segments[segment].cycles;
  uint64_t before = 0;
  int status = ops->reset(dut, err);
  if (!status)
    status = set_up_benches(c, ops, dut, jobs, benches, &before, err);
  for (uint32_t i = 0; i < BENCHES; i++) {
    const struct hd_stress_traffic traffic = traffic_of(c, segment, i);
    fill_writes(&benches[i], &traffic, c->router && c->router->single);
  }
  for (uint64_t start = 0; start < end && !status && !r->differs; start += CYCLES_AT_ONCE) {
    const uint64_t left = end - start;
    fill_jobs(jobs, benches, before + start,
              left < CYCLES_AT_ONCE ? (uint32_t)left : CYCLES_AT_ONCE);
    for (uint32_t i = 0; !start && i < BENCHES; i++) {
      jobs[i].configs_in = benches[i].writes;
      jobs[i].n_configs_in = HD_LANES_STRESS_GO + 1;
    }
    status = ops->run(dut, jobs, BENCHES, err);
    r->cycles += (uint64_t)jobs[0].cycles * BENCHES;
    r->lane = first_to_differ(jobs);
    r->differs = !status && r->lane < BENCHES;
    for (uint32_t i = 0; !status && !r->differs && i < BENCHES; i++)
      if (!jobs[i].agrees)
        status =
            hd_fail(err, HD_E_INTERNAL, "a stress bench in lanes gives an output that none gives");
  }
  if (r->differs)
    r->traffic = traffic_of(c, segment, r->lane);
  else if (!status)
    status = count_flits(ops, dut, &r->flits, err);
  return status;
}

static int play_benches(const struct hd_stress_case *c, const struct hd_dut_ops *ops,
                        struct hd_stress_lanes_result *result, struct hd_error *err)
{
  struct hd_dut *dut = NULL;
  struct hd_dut_job *jobs = hd_xcalloc(BENCHES, sizeof *jobs);
  struct bench *benches = hd_xcalloc(BENCHES, sizeof *benches);
  int status = ops->create(&dut, &c->params, BENCHES, "", err);
  for (unsigned i = 0; i < SEGMENTS && !status && !result->differs; i++)
    status = play_segment(c, i, ops, dut, jobs, benches, result, err);
  if (!status && !result->differs && !result->flits)
    status = hd_fail(err, HD_E_NOTHING, "no flit left the original switches");
  if (dut)
    ops->destroy(dut);
  free(jobs);
  free(benches);
  return status;
}

int hd_stress_play_lanes(const struct hd_stress_case *c, const char *original_dir,
                         const char *changed_dir, const struct hd_backend_options *options,
                         struct hd_stress_lanes_result *result, struct hd_error *err)
{
  struct hd_backend backend;
  const double began = hd_seconds_now();
  int status = hd_lanes_stress_open(&backend, original_dir, changed_dir, &c->params,
                                    c->router != NULL, options, err);
  *result = (struct hd_stress_lanes_result){.build_seconds = hd_seconds_now() - began};
  if (status)
    return status;
  status = play_benches(c, backend.ops, result, err);
  hd_backend_close(&backend);
  return status;
}

static void record_inputs(void *context, const struct hd_stress_inputs *in)
{
  struct hd_tape *tape = context;
  if (in->reset) { /* in a reset the switch ignores its pins (§2.9) */
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RESET});
    return;
  }
  if (in->read)
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_READ, .address = in->address});
  for (uint32_t i = 0; i < in->n_flits; i++) {
    const struct hd_flit_event *e = &in->flits[i];
    hd_tape_add(
        tape, &(struct tape_item){
                  .kind = TAPE_FLIT, .port = e->port, .vc = e->vc, .is = e->kind, .data = e->data});
  }
  for (uint32_t i = 0; i < in->n_credits; i++)
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_CREDIT,
                                          .port = in->credits[i].port,
                                          .data = hd_credit_set(&in->credits[i])});
  if (in->write)
    hd_tape_add(tape,
                &(struct tape_item){.kind = TAPE_CONFIG, .address = in->address, .data = in->data});
  hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RUN, .cycles = 1, .every_cycle = true});
}

static void record_set_up(struct hd_tape *tape, const struct hd_stress_router *router)
{
  if (router)
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_RESET});
  for (uint32_t i = 0; router && i < router->n_writes; i++)
    hd_tape_add(tape, &(struct tape_item){.kind = TAPE_WRITE,
                                          .address = router->writes[i].addr,
                                          .data = router->writes[i].data});
}

int hd_stress_record(struct hd_tape **tape, const struct hd_stress_case *c,
                     const struct hd_stress_traffic *traffic, const struct hd_stress_sides *sides,
                     struct hd_error *err)
{
  struct hd_stress_found found;
  *tape = hd_tape_create(&c->params);
  record_set_up(*tape, c->router);
  const struct hd_stress_job job = {.original = sides->original,
                                    .changed = sides->changed,
                                    .router = c->router,
                                    .traffic = *traffic,
                                    .see = record_inputs,
                                    .context = *tape};
  const int status = sides->bench->run(&job, &found, err);
  if (status) {
    hd_tape_destroy(*tape);
    *tape = NULL;
  }
  return status;
}
