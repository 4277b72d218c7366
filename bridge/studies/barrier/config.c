/* One run's scenario.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include <inttypes.h>
#include <math.h>

/* A member gives up after so many cycles. With saturating data beside it, a barrier may never
 * end, so the limit is lower there. */
enum { USUAL_TIMEOUT = 200000, LOADED_TIMEOUT = 50000 };

struct scheme {
  const char *name, *barrier, *program;
};

static const struct scheme schemes[BARRIER_SCHEMES] = {
    [BARRIER_ANY] = {"any", "any", "barrier"},
    [BARRIER_FIXED] = {"fixed", "fixed", "barrier"},
    [BARRIER_MOVING] = {"moving", "moving", "barrier"},
    [BARRIER_QUEUED] = {"queued", "queued", "barrier"},
    [BARRIER_RESERVED] = {"reserved", "reserved", "barrier"},
    [BARRIER_STAR] = {"star", "none", "barrier-star"},
    [BARRIER_SO_TREE] = {"so-tree", "none", "barrier-so-tree"},
    [BARRIER_CS_TREE] = {"cs-tree", "none", "barrier-cs-tree"},
};

const char *barrier_scheme_name(uint32_t scheme)
{
  return schemes[scheme].name;
}

bool barrier_scheme_in_network(uint32_t scheme)
{
  return scheme < BARRIER_STAR;
}

static void fabric(const struct barrier_config *c, uint32_t seed, struct hd_text *text)
{
  if (c->network == BARRIER_MESH) {
    uint32_t side = (uint32_t)lround(sqrt(c->switches));
    hd_text_add(text,
                "fabric: {topology: mesh, dims: [%" PRIu32 ", %" PRIu32 "], link_cycles: 2}\n",
                side, side);
  } else {
    hd_text_add(text,
                "fabric: {topology: irregular, switches: %" PRIu32
                ", degree: 3, graph_seed: %" PRIu32 ", link_cycles: 2}\n",
                c->switches, seed);
  }
}

/* With RTL, all networks of a kind have tables as large as the largest network needs. So the RTL
 * of each kind of switch is built only once. */
static void tables(const struct barrier_config *c, struct hd_text *text)
{
  const unsigned size = c->network == BARRIER_MESH ? 400 : 1200;
  if (!c->rtl)
    return;
  hd_text_add(text, ", nodes: %u", size);
  if (barrier_scheme_in_network(c->scheme))
    hd_text_add(text, ", switches: %u", size);
}

/* The timing is that of Table 1: 2 cycles for routing, 2 for arbitration, 1 for the crossbar, 1
 * to read the buffer, 2 to cross the link. */
void barrier_scenario(const struct barrier_config *c, uint32_t seed, struct hd_text *text)
{
  const struct scheme *s = &schemes[c->scheme];
  hd_text_add(text, "# Made by make reproduce-barrier.\nname: %s\n", s->name);
  fabric(c, seed, text);
  hd_text_add(text,
              "switch: {vcs: 2, depth_flits: 16, route_cycles: 2, arb_cycles: 2, buffer_cycles: 1, "
              "barrier: %s%s",
              s->barrier, barrier_scheme_in_network(c->scheme) ? ", groups: 1" : "");
  tables(c, text);
  hd_text_add(text,
              "}\nsoftware:\n  program: %s\n  startup_cycles: %" PRIu32 "\n"
              "  parameters: {align: 64, members: %" PRIu32 ", rounds: %" PRIu32,
              s->program, c->startup, c->members, c->rounds);
  if (barrier_scheme_in_network(c->scheme))
    hd_text_add(text, ", timeout: %d", c->flits ? LOADED_TIMEOUT : USUAL_TIMEOUT);
  if (c->middle)
    hd_text_add(text, ", center: middle");
  if (c->congested)
    hd_text_add(text, ", congested: %" PRIu32 ", congestion: %" PRIu32, c->congested,
                c->congestion);
  if (c->load_permille) /* data fills the network before the first round */
    hd_text_add(text, ", load: %.3f, flits: %" PRIu32 ", start: 5000", c->load_permille / 1000.0,
                c->flits);
  hd_text_add(text, "}\n");
  if (c->faults) /* two of the center's four links fail, then two further links of the tree */
    hd_text_add(text, "routing: {algorithm: up-down}\nfaults:\n"
                      "  - {after_barrier: 3, link: \"s27:1\"}\n"
                      "  - {after_barrier: 3, link: \"s27:3\"}\n"
                      "  - {after_barrier: 6, link: \"s36:2\"}\n"
                      "  - {after_barrier: 8, link: \"s9:4\"}\n");
  hd_text_add(text,
              "run: {cycles: 100000000, watchdog_cycles: 0, dut: %s}\n"
              "trace: {packets: false}\nseed: %" PRIu32 "\n",
              c->rtl ? "verilator" : "none", seed);
}
