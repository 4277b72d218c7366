/* Lists stream cases: parameter sets, those first that show most bugs, and styles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "streams.h"

/* Columns: ports, vcs, data, depth, nodes, route cycles, arb, buffer, cut, source, adaptive, barrier, groups, switches,
 * values, code_places, code_cycles, route, fields, trees.
 * The first two sets together have all timings of a switch, source tables, choice among ports, and barriers. The first ten
 * have both ends of most parameters. All sets together have both ends and every power of two, depths of one less, and
 * every pair of ends of two parameters that a switch can have, because a bug may need a long pipeline and many channels,
 * for example. They also have every triple of values of these parameters: timings, cut-through, barrier messages, choice
 * among ports, routes from tables or computed. test_stream_sets counts pairs and triples. Numbers of ports and nodes that
 * are no powers of two leave codes without a port or node. Sets that are fast to build and have many new pairs come
 * first. */
static const struct hd_switch_params sets[] = {
    {5, 3, 32, 8, 20, 1, 1, 0, 0, 1, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, 0, 1, 0},
    {5, 2, 16, 4, 16, 2, 2, 1, 2, 0, 1, HD_BARRIER_ANY, 3, 12, 0, 0, 0, 0, 1, 0},
    {3, 2, 16, 5, 8, 1, 2, 0, 0, 1, 2, HD_BARRIER_MOVING, 4, 2048, 0, 3, 2, 0, 1, 0},
    {4, 3, 32, 3, 9, 1, 1, 0, 0, 0, 0, HD_BARRIER_FIXED, 2, 6, 0, 256, 0, 0, 1, 0},
    {4, 2, 64, 2, 20, 2, 1, 1, 0, 1, 1, HD_BARRIER_QUEUED, 1, 7, 0, 5, 3, 0, 1, 0},
    {6, 3, 16, 4, 5, 1, 1, 0, 0, 0, 2, HD_BARRIER_RESERVED, 5, 64, 0, 32, 0, 0, 1, 0},
    {3, 8, 16, 64, 2048, 1, 2, 1, 64, 0, 1, HD_BARRIER_NONE, 1, 2, 0, 0, 0, 0, 1, 0},
    {2, 1, 64, 1, 2, 2, 1, 0, 1, 1, 1, HD_BARRIER_NONE, 1, 2, 0, 2, 63, 0, 1, 0},
    {16, 1, 32, 2, 3, 1, 1, 1, 0, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, 0, 1, 0},
    {2, 1, 64, 64, 2, 2, 1, 1, 64, 1, 1, HD_BARRIER_FIXED, 1, 2048, 1, 1, 0, 0, 1, 0},
    {2, 1, 16, 2, 4, 1, 1, 0, 1, 0, 0, HD_BARRIER_ANY, 32, 2, 0, 1, 1, HD_ROUTE_BY_DIGITS, 1, 0},
    {2, 4, 16, 15, 64, 2, 1, 1, 8, 0, 0, HD_BARRIER_MOVING, 16, 8, 0, 4, 2, HD_ROUTE_BY_DIGITS,
     1, 0},
    {3, 2, 16, 63, 128, 1, 2, 0, 16, 1, 2, HD_BARRIER_FIXED, 2, 16, 0, 0, 0, 0, 1, 0},
    {4, 2, 16, 8, 256, 2, 2, 1, 8, 0, 2, HD_BARRIER_QUEUED, 1, 32, 0, 0, 0, 0, 1, 0},
    {3, 3, 32, 32, 512, 1, 1, 0, 32, 1, 0, HD_BARRIER_RESERVED, 4, 128, 0, 0, 0, HD_ROUTE_BY_DIGITS,
     1, 0},
    {5, 1, 32, 16, 2048, 2, 1, 0, 0, 1, 1, HD_BARRIER_ANY, 2, 256, 0, 3, 1, 0, 1, 0},
    {3, 8, 16, 64, 4, 2, 1, 1, 64, 0, 2, HD_BARRIER_MOVING, 1, 2, 0, 16, 8, 0, 1, 0},
    {2, 8, 64, 64, 2, 2, 2, 1, 4, 1, 2, HD_BARRIER_RESERVED, 32, 2048, 1, 256, 63, 0, 1, 0},
    {2, 8, 32, 1, 2048, 2, 1, 1, 0, 0, 2, HD_BARRIER_FIXED, 1, 2048, 0, 256, 16, 0, 1, 0},
    {16, 1, 64, 2, 2, 1, 1, 1, 1, 0, 2, HD_BARRIER_ANY, 1, 3, 1, 0, 0, 0, 1, 0},
    {2, 1, 64, 1, 2048, 1, 2, 0, 0, 0, 1, HD_BARRIER_QUEUED, 1, 2, 1, 1, 63, 0, 1, 0},
    {2, 8, 64, 1, 2048, 1, 2, 1, 0, 1, 3, HD_BARRIER_RESERVED, 1, 2, 1, 1, 0, 0, 1, 0},
    {2, 1, 64, 64, 2, 2, 1, 0, 64, 1, 1, HD_BARRIER_QUEUED, 32, 2, 1, 256, 0, 0, 1, 0},
    {2, 2, 64, 64, 2048, 1, 2, 1, 0, 1, 0, HD_BARRIER_MOVING, 32, 2, 1, 256, 63, HD_ROUTE_BY_DIGITS,
     1, 0},
    {3, 1, 16, 4, 1024, 1, 1, 0, 0, 0, 2, HD_BARRIER_QUEUED, 8, 1024, 0, 0, 0, 0, 1, 0},
    {4, 4, 32, 31, 16, 2, 1, 0, 0, 0, 2, HD_BARRIER_NONE, 1, 2, 0, 8, 0, 0, 1, 0},
    {8, 1, 32, 8, 32, 1, 2, 0, 0, 1, 1, HD_BARRIER_ANY, 8, 4, 0, 64, 35, 0, 1, 0},
    {7, 1, 32, 4, 6, 1, 1, 0, 0, 1, 2, HD_BARRIER_MOVING, 3, 512, 0, 128, 4, 0, 1, 0},
    {16, 1, 64, 64, 2048, 2, 2, 1, 25, 1, 0, HD_BARRIER_QUEUED, 1, 2048, 1, 0, 0, 0, 1, 0},
    {3, 3, 32, 1, 2, 2, 2, 1, 0, 1, 0, HD_BARRIER_ANY, 32, 2048, 0, 256, 63, HD_ROUTE_BY_DIGITS,
     1, 0},
    {2, 8, 32, 4, 2, 2, 2, 1, 4, 1, 3, HD_BARRIER_QUEUED, 32, 40, 0, 32, 32, 0, 1, 0},
    {2, 8, 32, 64, 2, 1, 2, 1, 64, 1, 3, HD_BARRIER_ANY, 3, 2, 0, 0, 0, 0, 1, 0},
    {2, 1, 64, 1, 300, 1, 2, 0, 0, 0, 1, HD_BARRIER_FIXED, 32, 2048, 1, 0, 0, 0, 1, 0},
    {2, 1, 16, 64, 2, 1, 2, 1, 64, 1, 2, HD_BARRIER_NONE, 1, 2, 0, 1, 63, 0, 1, 0},
    {2, 1, 16, 64, 2, 2, 2, 1, 0, 0, 1, HD_BARRIER_MOVING, 1, 2048, 0, 1, 0, 0, 1, 0},
    {2, 1, 16, 1, 2, 2, 2, 0, 0, 1, 2, HD_BARRIER_ANY, 1, 2048, 0, 1, 0, 0, 1, 0},
    {2, 8, 16, 64, 2048, 2, 2, 0, 64, 0, 1, HD_BARRIER_RESERVED, 1, 2, 0, 0, 0, 0, 1, 0},
    {2, 1, 64, 1, 2048, 2, 1, 1, 0, 1, 1, HD_BARRIER_NONE, 1, 2, 0, 256, 63, 0, 1, 0},
    {2, 1, 16, 1, 2, 1, 2, 1, 1, 0, 0, HD_BARRIER_FIXED, 1, 2, 0, 1, 63, HD_ROUTE_BY_DIGITS, 1, 0},
    {16, 1, 16, 1, 2, 2, 1, 0, 0, 1, 3, HD_BARRIER_FIXED, 1, 2, 0, 0, 0, 0, 1, 0},
    {16, 1, 64, 7, 2, 1, 1, 0, 7, 1, 1, HD_BARRIER_MOVING, 1, 40, 1, 0, 0, 0, 1, 0},
    {16, 8, 16, 64, 2048, 1, 1, 0, 64, 0, 0, HD_BARRIER_RESERVED, 32, 2048, 0, 0, 0, 0, 1, 0},
    /* packets decide between two ways */
    {5, 2, 16, 4, 20, 2, 1, 1, 4, 1, 3, HD_BARRIER_NONE, 1, 2, 0, 0, 0, 0, 1, 0},
    {3, 2, 16, 3, 5, 1, 1, 0, 0, 1, 3, HD_BARRIER_QUEUED, 2, 6, 0, 0, 0, 0, 1, 0},
    {3, 3, 32, 5, 20, 2, 1, 0, 3, 1, 3, HD_BARRIER_RESERVED, 3, 7, 0, 5, 3, 0, 1, 0},
    {4, 3, 32, 4, 9, 1, 2, 1, 0, 1, 3, HD_BARRIER_MOVING, 4, 12, 0, 0, 0, 0, 1, 0},
    {2, 1, 16, 1, 2, 1, 2, 0, 0, 1, 3, HD_BARRIER_NONE, 1, 2, 0, 1, 0, 0, 1, 0},
    {2, 8, 64, 64, 2048, 1, 2, 1, 64, 1, 3, HD_BARRIER_FIXED, 1, 2, 0, 256, 63, 0, 1, 0},
    {16, 1, 64, 1, 2048, 2, 1, 0, 0, 1, 3, HD_BARRIER_ANY, 32, 2048, 1, 0, 0, 0, 1, 0},
    /* computed routes */
    {5, 2, 16, 4, 64, 0, 1, 1, 0, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, HD_ROUTE_BY_MESH, 9, 0},
    {5, 3, 16, 3, 20, 0, 2, 0, 0, 0, 0, HD_BARRIER_ANY, 2, 6, 0, 0, 0, HD_ROUTE_BY_TORUS, 5, 0},
    {6, 2, 32, 4, 20, 0, 2, 1, 0, 1, 0, HD_BARRIER_QUEUED, 2, 7, 0, 5, 3, HD_ROUTE_BY_DIGITS, 1, 0},
    {9, 2, 16, 4, 200, 0, 2, 0, 2, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, HD_ROUTE_BY_HYPERCUBE,
     1, 0},
    {3, 1, 32, 1, 65536, 1, 1, 1, 1, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, HD_ROUTE_BY_TORUS, 1, 0},
    {7,  4, 16, 5, 40, 2, 1, 0, 0, 0, 0, HD_BARRIER_RESERVED, 3, 64, 0, 0, 0, HD_ROUTE_BY_TORUS,
     13, 0},
    {8, 2, 16, 4, 16, 0, 1, 0, 0, 0, 0, HD_BARRIER_MOVING, 4, 8, 0, 0, 0, HD_ROUTE_BY_DIGITS, 1, 0},
    {3,     8, 64, 64, 65536, 2,
     2,     1, 64, 1,  0,     HD_BARRIER_FIXED,
     2,     9, 1,  0,  0,     HD_ROUTE_BY_DIGITS,
     65535, 0},
    /* multicast */
    {5, 3, 32, 4, 20, 1, 1, 0, 0, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, 0, 1, 5},
    {4, 2, 64, 3, 40, 2, 1, 1, 2, 0, 0, HD_BARRIER_ANY, 3, 6, 1, 0, 0, 0, 1, 32},
    {5, 3, 16, 6, 9, 1, 1, 0, 0, 0, 0, HD_BARRIER_MOVING, 2, 8, 0, 0, 0, 0, 1, 1},
    {3, 4, 16, 4, 33, 1, 1, 1, 0, 0, 0, HD_BARRIER_RESERVED, 2, 8, 0, 0, 0, 0, 1, 9},
    {7, 2, 32, 1, 64, 1, 1, 0, 1, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, 0, 1, 32},
    {4, 8, 16, 8, 12, 1, 1, 0, 0, 0, 0, HD_BARRIER_QUEUED, 4, 7, 0, 0, 0, 0, 1, 8},
    {6, 2, 32, 4, 8, 2, 1, 0, 0, 0, 0, HD_BARRIER_FIXED, 2, 9, 0, 0, 0, 0, 1, 3},
    /* triples that no set above has, most of them with computed routes */
    {5, 2, 16, 4, 64, 0, 1, 0, 4, 0, 0, HD_BARRIER_QUEUED, 2, 9, 0, 0, 0, HD_ROUTE_BY_MESH, 9, 0},
    {3, 3, 32, 4, 9, 0, 2, 0, 0, 0, 0, HD_BARRIER_RESERVED, 2, 9, 0, 0, 0, HD_ROUTE_BY_TORUS, 1, 0},
    {5, 2, 64, 3, 16, 2, 2, 1, 3, 0, 0, HD_BARRIER_NONE, 1, 2, 0, 0, 0, HD_ROUTE_BY_HYPERCUBE,
     1, 0},
    {5, 2, 32, 5, 16, 0, 2, 1, 2, 0, 0, HD_BARRIER_MOVING, 2, 16, 0, 0, 0, HD_ROUTE_BY_MESH, 5, 0},
    {3, 2, 16, 4, 9, 2, 1, 0, 2, 1, 3, HD_BARRIER_MOVING, 2, 8, 0, 0, 0, 0, 1, 0},
    {5, 3, 16, 3, 20, 0, 1, 1, 3, 0, 0, HD_BARRIER_ANY, 2, 6, 0, 0, 0, HD_ROUTE_BY_TORUS, 5, 0},
    {4, 2, 32, 4, 16, 0, 2, 1, 1, 1, 0, HD_BARRIER_FIXED, 2, 12, 0, 0, 0, HD_ROUTE_BY_DIGITS, 1, 0},
    {3, 1, 16, 2, 12, 2, 2, 0, 0, 0, 0, HD_BARRIER_QUEUED, 1, 12, 0, 0, 0, HD_ROUTE_BY_MESH, 1, 0},
    {4, 2, 64, 2, 8, 1, 1, 1, 2, 0, 0, HD_BARRIER_QUEUED, 2, 8, 1, 0, 0, HD_ROUTE_BY_HYPERCUBE,
     1, 0},
    {3, 2, 16, 4, 6, 0, 1, 1, 2, 0, 0, HD_BARRIER_RESERVED, 2, 6, 0, 0, 0, HD_ROUTE_BY_MESH, 1, 0},
    {3, 3, 16, 4, 12, 1, 1, 1, 0, 0, 1, HD_BARRIER_RESERVED, 3, 5, 0, 0, 0, 0, 1, 0},
    {5, 2, 16, 3, 16, 0, 1, 0, 0, 0, 0, HD_BARRIER_FIXED, 3, 16, 0, 0, 0, HD_ROUTE_BY_HYPERCUBE,
     1, 0},
};
enum { SETS = sizeof sets / sizeof *sets };

/* Parts and cycles of each style. In the styles in which only one port at a time breaks rules, parts are short, so that
 * the error register shows which port misses or invents an error. */
static const struct {
  uint32_t parts, cycles;
  enum { ANY, BARRIER, CODER } of; /* the part that a switch must have for this style */
  uint32_t brief;                  /* parts of a short stream; 0: this style has none */
} styles[HD_STREAM_STYLES] = {
    [HD_STREAM_LEGAL] = {10, 768, ANY, 3},      [HD_STREAM_ILLEGAL] = {30, 768, ANY, 4},
    [HD_STREAM_EDGES] = {240, 40, ANY},         [HD_STREAM_ERRORS] = {240, 40, ANY},
    [HD_STREAM_CLEARS] = {240, 40, ANY},        [HD_STREAM_NARROW] = {120, 512, BARRIER, 8},
    [HD_STREAM_WIDE] = {120, 512, BARRIER, 8},  [HD_STREAM_SILENCE] = {6, 69700, BARRIER},
    [HD_STREAM_CROWD] = {16, 1024, BARRIER},    [HD_STREAM_COUNTDOWN] = {4, 9000, BARRIER},
    [HD_STREAM_TREES] = {120, 512, BARRIER, 8}, [HD_STREAM_CODER] = {96, 512, CODER, 8},
    [HD_STREAM_SINKS] = {24, 768, ANY},
};

const char *hd_stream_style_about(enum hd_stream_style style)
{
#define ABOUT(NAME, about) about,
  static const char *const abouts[] = {HD_STREAM_STYLE_LIST(ABOUT)};
#undef ABOUT
  return abouts[style];
}

/* Gives case `index`, or the short one where `brief`. False: there are only *n cases. */
static bool find_case(uint32_t index, bool brief, struct hd_stream_case *c, uint32_t *n)
{
  *n = 0;
  for (uint32_t set = 0; set < SETS; set++)
    for (uint32_t style = 0; style < HD_STREAM_STYLES; style++) {
      if (!hd_stream_fits(&sets[set], (enum hd_stream_style)style) ||
          (brief && !styles[style].brief))
        continue;
      if ((*n)++ != index)
        continue;
      hd_stream_case_of(&sets[set], (enum hd_stream_style)style, c);
      c->set = set;
      c->brief = brief;
      c->parts = brief ? styles[style].brief : c->parts;
      return true;
    }
  return false;
}

bool hd_stream_fits(const struct hd_switch_params *params, enum hd_stream_style style)
{
  return styles[style].of == BARRIER ? params->barrier != 0
         : styles[style].of == CODER ? params->code_places != 0
                                     : true;
}

void hd_stream_case_of(const struct hd_switch_params *params, enum hd_stream_style style,
                       struct hd_stream_case *c)
{
  *c = (struct hd_stream_case){.params = *params,
                               .style = style,
                               .parts = styles[style].parts,
                               .cycles = styles[style].cycles};
}

uint32_t hd_stream_sets(void)
{
  return SETS;
}

uint32_t hd_stream_cases(void)
{
  struct hd_stream_case unused;
  uint32_t n;
  find_case(UINT32_MAX, false, &unused, &n);
  return n;
}

uint32_t hd_stream_openings(void)
{
  struct hd_stream_case unused;
  uint32_t n;
  find_case(UINT32_MAX, true, &unused, &n);
  return n;
}

void hd_stream_opening(uint32_t index, uint64_t seed, struct hd_stream_case *c)
{
  uint32_t n;
  find_case(index, true, c, &n);
  c->seed = hd_mix64(hd_mix64(~seed) + index);
}

void hd_stream_case(uint32_t index, uint64_t seed, struct hd_stream_case *c)
{
  uint32_t n;
  find_case(index % hd_stream_cases(), false, c, &n);
  c->seed = hd_mix64(hd_mix64(seed) + index);
}
