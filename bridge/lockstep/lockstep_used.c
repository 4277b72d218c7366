/* Brings switches into use before the reset with which a run begins (specification §2.9).
 * SPDX-License-Identifier: Apache-2.0
 *
 * If reset forgets a register, this shows only if the register has changed since power-up. So each
 * switch first gets packets at all ports, with no more flits than there are slots. Its outputs are
 * ignored and get no credits back. So when the reset comes, buffers can be full, packets incomplete
 * and credits used up.
 */
#include "lockstep_internal.h"

#include <stdlib.h>

enum { MOST_FLITS = 5 /* the most flits of a packet */ };

/* The traffic that one switch gets before the reset. */
struct use {
  const struct hd_lockstep *ls;
  uint32_t sw, cycles;
  uint64_t random;
  uint32_t sent[HD_MAX_ENDPOINTS][HD_MAX_VCS]; /* flits sent, at most the number of slots */
  uint32_t left[HD_MAX_ENDPOINTS][HD_MAX_VCS]; /* flits that the current packet still needs */
};

static uint32_t draw(struct use *u, uint32_t n)
{
  u->random = hd_mix64(u->random + 1);
  return (uint32_t)(u->random >> 32) % n;
}

/* Makes the header of a packet to a random node that the port's table has a route to. False:
 * none of the drawn nodes has one. */
static bool draw_header(struct use *u, uint32_t port, uint64_t *header)
{
  const struct hd_tables *t = u->ls->params.tables;
  enum { TRIES = 8 };
  for (int i = 0; i < TRIES; i++) {
    const uint32_t node = draw(u, t->n_nodes);
    *header = (uint64_t)node << 2; /* mode 0, §1.3 */
    if (hd_routing_to(t, u->sw, port, node) >> 12 & 1)
      return true;
  }
  return false;
}

/* Makes the next flit of a port if a slot is free for it. */
static bool draw_flit(struct use *u, uint32_t cycle, uint32_t port, struct hd_flit_event *e)
{
  const struct hd_switch_params *sw = &u->ls->fabric_params.sw;
  const uint32_t vc = draw(u, sw->vcs - hd_switch_reserved_vcs(sw));
  const uint32_t depth = sw->depth_flits, most = sw->cut_flits ? sw->cut_flits : MOST_FLITS;
  const bool begins = !u->left[port][vc];
  *e = (struct hd_flit_event){.cycle = cycle, .port = (uint8_t)port, .vc = (uint8_t)vc};
  if (u->sent[port][vc] == depth || (begins && !draw_header(u, port, &e->data)))
    return false;
  if (begins)
    u->left[port][vc] = 1 + draw(u, most);
  else
    e->data = draw(u, UINT16_MAX);
  const bool ends = !--u->left[port][vc];
  e->kind = (uint8_t)(begins ? ends ? HD_KIND_SINGLE : HD_KIND_HEAD
                      : ends ? HD_KIND_TAIL
                             : HD_KIND_BODY);
  u->sent[port][vc]++;
  return true;
}

static uint32_t draw_flits(struct use *u, struct hd_flit_event *flits)
{
  const struct hd_topology *t = u->ls->params.topology;
  uint32_t n = 0;
  for (uint32_t cycle = 0; cycle < u->cycles; cycle++)
    for (uint32_t port = 0; port < t->ports; port++)
      if (t->senders[(size_t)u->sw * t->ports + port].kind != HD_PEER_NONE)
        n += draw_flit(u, cycle, port, &flits[n]);
  return n;
}

/* An assertion that fails here is ignored, since a cycle before the run has no number that a
 * report could give. */
int hd_lockstep_use(struct hd_lockstep *ls, struct hd_error *err)
{
  const uint32_t most = ls->params.used_cycles, n = ls->n_switches;
  const size_t row = (size_t)most * ls->fabric_params.sw.ports;
  if (!most)
    return HD_OK;
  struct hd_dut_job *jobs = calloc(n, sizeof *jobs);
  struct hd_flit_event *flits = malloc(n * row * sizeof *flits);
  int status = jobs && flits ? HD_OK : hd_fail(err, HD_E_NOMEM, "no memory for used switches");
  for (uint32_t sw = 0; !status && sw < n; sw++) {
    struct use u = {.ls = ls, .sw = sw, .random = ls->params.seed + sw};
    u.cycles = 1 + draw(&u, most);
    jobs[sw] = (struct hd_dut_job){.sw = ls->first_switch + sw,
                                   .cycles = u.cycles,
                                   .flits_in = flits + sw * row,
                                   .n_flits_in = draw_flits(&u, flits + sw * row)};
  }
  if (!status)
    status = ls->params.dut->run(ls->dut, jobs, n, err);
  free(jobs);
  free(flits);
  return status;
}
