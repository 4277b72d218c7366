/* Channels of one input port take turns at an output channel, with two cycles of allocation (specification §2.5).
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../lib/barrier_rig.h"
#include "../lib/test.h"

enum { DEPTH = 16, CYCLES = 1000, OUTPUT = 1 };

static const uint8_t packet[] = {HD_KIND_HEAD, HD_KIND_BODY, HD_KIND_BODY, HD_KIND_TAIL};

/* Channels of input port 0, which hold packets for one channel of OUTPUT in every cycle. */
struct feed {
  unsigned room[HD_MAX_VCS], sent[HD_MAX_VCS],
      left[HD_MAX_VCS]; /* slots free; flits sent; flits that have left */
};

/* The next flit of the channel with most room. */
static void send_flit_of_emptiest(struct feed *f, struct rig *r)
{
  unsigned most = 0;
  for (unsigned v = 1; v < r->params.vcs; v++)
    if (f->room[v] > f->room[most])
      most = v;
  if (!f->room[most])
    return;
  f->room[most]--;
  set_flit(r, 0, most, packet[f->sent[most]++ % sizeof packet], HEAD_FOR_1);
}

static void take_credits(struct feed *f, const struct rig *r, uint32_t from)
{
  for (uint32_t i = from; i < r->n_credits; i++)
    for (unsigned v = 0; v < r->params.vcs; v++)
      if (r->credits[i].vcs >> v & 1) {
        f->room[v]++;
        f->left[v]++;
      }
}

static void run(struct feed *f, unsigned vcs, unsigned mask)
{
  CLEANUP(rig_close) struct rig r;
  struct hd_switch_params p = plain_params(HD_BARRIER_NONE);
  p.vcs = vcs;
  p.depth_flits = DEPTH;
  p.arb_cycles = 2;
  rig_open(&r, &p);
  configure(&r, HD_CFG_DESTINATION(0, 1), hd_table_entry(OUTPUT, mask));
  memset(f, 0, sizeof *f);
  for (unsigned v = 0; v < vcs; v++)
    f->room[v] = DEPTH;
  for (uint32_t flits = 0; r.cycle < CYCLES;) {
    const uint32_t credits = r.n_credits;
    for (; flits < r.n_flits; flits++)
      r.pins[OUTPUT].credits |= 1u << r.flits[flits].vc;
    send_flit_of_emptiest(f, &r);
    tick(&r);
    take_credits(f, &r, credits);
  }
}

TEST(channels_of_a_port_take_turns)
{
  for (unsigned vcs = 2; vcs <= 4; vcs++) {
    struct feed f;
    run(&f, vcs, 1);
    unsigned all = 0;
    for (unsigned v = 0; v < vcs; v++)
      all += f.left[v];
    for (unsigned v = 0; v < vcs; v++)
      assert_in_range(f.left[v], all / vcs - 2 * sizeof packet, all / vcs + 2 * sizeof packet);
  }
}

/* A packet follows a tail in the next cycle where another channel of its output is free. */
TEST(a_single_active_channel_keeps_the_output_busy)
{
  struct feed f;
  run(&f, 1, 1);
  assert_in_range(f.left[0], CYCLES * 4 / 5 - 10,
                  CYCLES * 4 / 5); /* the output channel rests after each packet */
  run(&f, 2, 3);
  assert_in_range(f.left[0] + f.left[1], CYCLES - 10, CYCLES);
}
