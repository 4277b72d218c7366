/* The original switch beside the changed one: segments of traffic, and their tape.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "stress_case.h"

#include "stream_tape.h"

enum {
  SHORT = 20000,
  /* An output port grants about three flits in five cycles: all 65,536 values of a counter of 16 bits. */
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

int hd_stress_play(const struct hd_stress_case *c, const struct hd_stress_sides *sides,
                   struct hd_stress_result *result, struct hd_error *err)
{
  int status = HD_OK;
  *result = (struct hd_stress_result){.cycles = 0};
  for (unsigned i = 0; i < SEGMENTS && !status && !result->found.difference; i++) {
    result->traffic = (struct hd_stress_traffic){.seed = hd_mix64(c->seed + i),
                                                 .cycles = k_segments[i].cycles,
                                                 .mixed = k_segments[i].mixed,
                                                 .writes = k_segments[i].writes,
                                                 .resets = k_segments[i].resets,
                                                 .illegal = k_segments[i].illegal};
    const struct hd_stress_job job = {
        .original = sides->original, .changed = sides->changed, .traffic = result->traffic};
    status = sides->bench->run(&job, &result->found, err);
    result->cycles += result->found.cycles;
    result->flits += result->found.flits;
  }
  if (!status && !result->flits && !result->found.difference)
    status = hd_fail(err, HD_E_NOTHING, "no flit left the original switch");
  return status;
}

static void keep(void *context, const struct hd_stress_inputs *in)
{
  struct hd_tape *tape = context;
  if (in->reset) { /* pins mean nothing meanwhile (§2.9) */
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

int hd_stress_record(struct hd_tape **tape, const struct hd_stress_case *c,
                     const struct hd_stress_traffic *traffic, const struct hd_stress_sides *sides,
                     struct hd_error *err)
{
  struct hd_stress_found found;
  *tape = hd_tape_create(&c->params);
  const struct hd_stress_job job = {.original = sides->original,
                                    .changed = sides->changed,
                                    .traffic = *traffic,
                                    .see = keep,
                                    .context = *tape};
  const int status = sides->bench->run(&job, &found, err);
  if (status) {
    hd_tape_destroy(*tape);
    *tape = NULL;
  }
  return status;
}
