/* Draws scenarios for points of the specification that random scenarios seldom reach.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A recipe says which switches, fabrics, traffic and faults make such a point likely. Every SOAK_AIM_EVERY-th scenario is
 * drawn for a point of the list `aims`, in turn: first it is drawn like all others, then the values that the recipe names
 * are drawn again. So it is a function of seed, index and parameter sets, too.
 */
#include "soak.h"

/* Sets of kinds of barrier hardware (ways of a message onto a link, §7). */
enum {
  ANY = 1 << HD_BARRIER_ANY,
  FIXED = 1 << HD_BARRIER_FIXED,
  MOVING = 1 << HD_BARRIER_MOVING,
  QUEUED = 1 << HD_BARRIER_QUEUED,
  RESERVED = 1 << HD_BARRIER_RESERVED,
  ALL = ANY | FIXED | MOVING | QUEUED | RESERVED
};

/* A value is drawn again from low … high; high 0: it stays as it was drawn. */
struct range {
  uint32_t low, high;
};

/* Settings that make a point likely. Each recipe runs program barrier. */
struct soak_recipe {
  uint32_t kinds;                   /* kinds of barrier hardware, as a set */
  uint32_t least_vcs, most_vcs;     /* channels of the switch; most 0: any number */
  uint32_t least_table, most_table; /* entries of its status table; most 0: any number */
  bool ways_around; /* most failed links have a way around them: a mesh, an irregular network */
  bool ring;        /* the fabric is a ring */
  uint32_t least_switches, most_switches; /* of the fabric; most 0: any number */
  struct range link;                      /* cycles of a link */
  bool up_down;                           /* data goes around failed links, too */
  struct range groups, members, rounds, compute;
  struct range spare; /* groups beyond the entries of a status table: some may find no entry */
  struct range load;  /* percent */
  struct range flits;
  struct range faults; /* number of faults */
  struct range cycles; /* of the run */
  struct range when;   /* cycle of a fault */
  uint32_t together;   /* all other faults strike in so many cycles after the first; 0: any time */
  struct range congested, congestion;
  uint32_t whole_switch; /* percent of faults in which a whole switch fails */
  enum soak_links links; /* links that fail */
};

/* Ways change while messages of first rounds are under way, and status tables on the new ways are full. Groups are created
 * anew when no message is under way any more (§5.10). So messages should be under way for long: distant switches, long
 * links, packets before them. */
static const struct soak_recipe full_tables = {.kinds = MOVING | QUEUED | RESERVED,
                                               .least_table = 3,
                                               .most_table = 5,
                                               .ways_around = true,
                                               .least_switches = 20,
                                               .link = {8, 12},
                                               .spare = {1, 3},
                                               .members = {3, 4},
                                               .rounds = {2, 10},
                                               .compute = {10, 60},
                                               .load = {40, 100},
                                               .flits = {3, 20},
                                               .cycles = {1500, 2000},
                                               .faults = {7, SOAK_MAX_FAULTS},
                                               .when = {20, 45},
                                               .together = 5,
                                               .links = SOAK_INNER_LINKS};

/* As the recipe above, but with room in all tables, and with more branches that meet. */
static const struct soak_recipe other_ways = {.kinds = MOVING | QUEUED,
                                              .least_table = 3,
                                              .ways_around = true,
                                              .least_switches = 20,
                                              .link = {8, 16},
                                              .groups = {3, 8},
                                              .members = {4, 12},
                                              .rounds = {2, 10},
                                              .compute = {1, 60},
                                              .load = {30, 90},
                                              .flits = {14, 60},
                                              .cycles = {1500, 2000},
                                              .faults = {4, SOAK_MAX_FAULTS},
                                              .when = {100, 300},
                                              .together = 40,
                                              .links = SOAK_INNER_LINKS};

/* Long packets are on all channels, and messages come between their flits. */
static const struct soak_recipe long_packets = {.kinds = MOVING,
                                                .least_vcs = 2,
                                                .least_switches = 6,
                                                .groups = {2, 4},
                                                .members = {4, 12},
                                                .rounds = {100, 1000},
                                                .load = {40, 90},
                                                .flits = {12, 40}};

/* Links fail, many of them to nodes that are no members, so that long packets to these nodes lose their way. */
#define LOST_WAYS(way)                                                                          \
  {                                                                                             \
    .kinds = way, .most_vcs = 3, .ways_around = true, .least_switches = 9, .most_switches = 25, \
    .up_down = true, .groups = {1, 4}, .members = {2, 5}, .rounds = {10000, 10000},             \
    .compute = {0, 20}, .load = {80, 100}, .flits = {24, 120}, .cycles = {2000, 2000},          \
    .faults = {6, SOAK_MAX_FAULTS}, .when = {                                                   \
      400,                                                                                      \
      1800                                                                                      \
    }                                                                                           \
  }
static const struct soak_recipe lost_ways = LOST_WAYS(ANY | FIXED);
static const struct soak_recipe lost_ways_moving = LOST_WAYS(MOVING);
#undef LOST_WAYS

/* Groups are so short that some are closed before the first message of another group passes. */
static const struct soak_recipe late_groups = {.kinds = ALL,
                                               .least_table = 3,
                                               .least_switches = 9,
                                               .groups = {4, 8},
                                               .members = {1, 4},
                                               .rounds = {1, 1},
                                               .compute = {400, 1200},
                                               .cycles = {1200, 2000}};

/* Two links of a ring fail almost at once, with a message between them. */
static const struct soak_recipe split_ring = {.kinds = ALL,
                                              .least_switches = 8,
                                              .ring = true,
                                              .link = {1, 2},
                                              .groups = {3, 8},
                                              .members = {2, 3},
                                              .rounds = {10000, 10000},
                                              .compute = {0, 4},
                                              .cycles = {1000, 1500},
                                              .faults = {2, 2},
                                              .when = {300, 900},
                                              .together = 8,
                                              .links = SOAK_INNER_LINKS};

/* Groups are cut off while their members wait for another group; messages that are under way go on. */
static const struct soak_recipe cut_groups = {.kinds = ALL,
                                              .least_table = 3,
                                              .ways_around = true,
                                              .least_switches = 9,
                                              .most_switches = 25,
                                              .groups = {4, 8},
                                              .members = {3, 6},
                                              .rounds = {3, 20},
                                              .compute = {100, 600},
                                              .cycles = {1500, 2000},
                                              .faults = {4, SOAK_MAX_FAULTS},
                                              .when = {50, 800},
                                              .whole_switch = 30};

/* Network interfaces of some members are held, so that their messages find blocked data. */
static const struct soak_recipe held = {.kinds = ALL,
                                        .least_switches = 6,
                                        .groups = {1, 1},
                                        .members = {4, 10},
                                        .rounds = {100, 1000},
                                        .congested = {2, 4},
                                        .congestion = {50, 300},
                                        .cycles = {1500, 2000}};

static const struct {
  enum hd_spec_point point;
  const struct soak_recipe *recipe;
} aims[] = {
    {HD_POINT_PASS_TABLE, &full_tables},
    {HD_POINT_RULE_5_STUCK_NODE, &long_packets},
    {HD_POINT_PASS_1_NEW, &other_ways},
    {HD_POINT_FAIL_SOME, &full_tables},
    {HD_POINT_NULL_SINK, &lost_ways},
    {HD_POINT_ENTRY_GAP, &late_groups},
    {HD_POINT_LOCAL_FAILED, &full_tables},
    {HD_POINT_DATA_PREEMPTED, &long_packets},
    {HD_POINT_DISTRIBUTE_LOCAL, &other_ways},
    {HD_POINT_FAIL_NONE, &full_tables},
    {HD_POINT_FRONT_SINK, &lost_ways_moving},
    {HD_POINT_NO_PORT, &split_ring},
    {HD_POINT_PASS_FAIL, &full_tables},
    {HD_POINT_NODE_HELD, &held},
    {HD_POINT_RULE_5_STUCK_SWITCH, &long_packets},
    {HD_POINT_PADDING_SINK, &lost_ways},
    {HD_POINT_SEND_LOCAL_FAIL, &full_tables},
    {HD_POINT_NO_PORT_SEND, &cut_groups},
    {HD_POINT_PREEMPT_SKIPS, &long_packets},
};
enum { AIMS = sizeof aims / sizeof *aims };

const struct soak_recipe *hd_soak_recipe_of(uint32_t index)
{
  return index % SOAK_AIM_EVERY == SOAK_AIM_EVERY - 1 ? aims[index / SOAK_AIM_EVERY % AIMS].recipe
                                                      : NULL;
}

static bool set_fits(const struct soak_recipe *a, const struct hd_switch_params *p)
{
  return p->barrier && !p->adaptive && a->kinds >> p->barrier & 1 && p->vcs >= a->least_vcs &&
         (!a->most_vcs || p->vcs <= a->most_vcs) && p->groups >= a->least_table &&
         (!a->most_table || p->groups <= a->most_table) && (!a->ways_around || p->ports >= 5) &&
         p->nodes >= a->least_switches && p->switches >= a->least_switches &&
         !(a->ways_around && p->source_table) && (!p->cut_flits || p->cut_flits >= a->flits.low);
}

uint32_t hd_soak_recipe_set(const struct soak_recipe *a, const struct hd_switch_params *sets,
                            uint32_t n_sets, uint32_t drawn, struct hd_random *r)
{
  uint32_t from = soak_between(r, 0, n_sets - 1);
  for (uint32_t i = 0; i < n_sets; i++)
    if (set_fits(a, &sets[(from + i) % n_sets]))
      return (from + i) % n_sets;
  return drawn;
}

bool hd_soak_recipe_fits(const struct soak_recipe *a, const struct soak_case *c)
{
  if (c->n_switches < a->least_switches || c->n_nodes < a->least_switches ||
      (a->most_switches && c->n_switches > a->most_switches))
    return false;
  if (a->ring)
    return c->topology == HD_TOPO_IRREGULAR && c->k == 2;
  uint32_t wide = 0;
  for (uint32_t d = 0; d < c->n_dims; d++)
    wide += c->dims[d] > 1;
  return !a->ways_around || (c->topology == HD_TOPO_MESH && wide >= 2) ||
         (c->topology == HD_TOPO_IRREGULAR && c->k >= 3);
}

static void draw_again(uint32_t *value, struct range range, struct hd_random *r)
{
  if (range.high)
    *value = soak_between(r, range.low, range.high);
}

void hd_soak_recipe_follow(const struct soak_recipe *a, struct soak_case *c, struct hd_random *r)
{
  uint32_t load = 0, spare = 0;
  if (!set_fits(a, &c->sw) || !hd_soak_recipe_fits(a, c))
    return;
  c->program = SOAK_BARRIER;
  if (a->up_down)
    c->algorithm = HD_ROUTE_UP_DOWN;
  c->congested = c->n_faults = 0;
  draw_again(&c->link_cycles, a->link, r);
  draw_again(&c->congested, a->congested, r);
  draw_again(&c->congestion, a->congestion, r);
  draw_again(&c->groups, a->groups, r);
  draw_again(&c->members, a->members, r);
  draw_again(&c->rounds, a->rounds, r);
  draw_again(&c->compute, a->compute, r);
  draw_again(&c->flits, a->flits, r);
  draw_again(&load, a->load, r);
  draw_again(&spare, a->spare, r);
  if (a->load.high)
    c->load = 0.01 * load;
  if (spare)
    c->groups = c->sw.groups + spare;
  c->crowded = spare != 0;
  if (c->crowded) /* a named center would be in all groups, and its table has no room for them */
    c->center = 1;
  draw_again(&c->cycles, a->cycles, r);
  draw_again(&c->n_faults, a->faults, r);
  for (uint32_t i = 0; i < c->n_faults; i++)
    c->faults[i] = (struct soak_fault){
        .pick = soak_between(r, 0, UINT32_MAX - 1),
        .when = i && a->together ? c->faults[0].when + soak_between(r, 0, a->together)
                                 : soak_between(r, a->when.low, a->when.high),
        .whole_switch = soak_chance(r, a->whole_switch),
        .links = a->links};
}
