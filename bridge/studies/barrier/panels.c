/* The paper's figures as panels: their curves, axes and x values, and the runs for them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include <string.h>

/* Without data, later barriers in the network differ only little, and barriers in software do
 * not differ. So few rounds are enough where runs take long. */
enum { NETWORK_ROUNDS = 11, SOFTWARE_ROUNDS = 3, LOADED_ROUNDS = 6 };
enum { QUICK_SWITCHES = 400, QUICK_LOADED = 100 }; /* largest networks of a quick run */

/* ── curves and x values ───────────────────────────────────────────────────── */

static const struct barrier_curve of_size[] = {{BARRIER_ANY, BARRIER_LATER, "ours, later"},
                                               {BARRIER_ANY, BARRIER_FIRST, "ours, first"},
                                               {BARRIER_QUEUED, BARRIER_LATER, "queued, later"},
                                               {BARRIER_QUEUED, BARRIER_FIRST, "queued, first"},
                                               {BARRIER_SO_TREE, BARRIER_LATER, "software tree"},
                                               {BARRIER_STAR, BARRIER_LATER, "star"}};
static const struct barrier_curve of_congestion[] = {
    {BARRIER_ANY, BARRIER_LATER, "ours, any"},
    {BARRIER_FIXED, BARRIER_LATER, "ours, fixed"},
    {BARRIER_MOVING, BARRIER_LATER, "ours, moving"},
    {BARRIER_QUEUED, BARRIER_LATER, "queued"},
    {BARRIER_RESERVED, BARRIER_LATER, "reserved"},
    {BARRIER_SO_TREE, BARRIER_LATER, "software tree"}};
static const struct barrier_curve of_mesh_size[] = {
    {BARRIER_ANY, BARRIER_LATER, "ours, later"},
    {BARRIER_ANY, BARRIER_FIRST, "ours, first"},
    {BARRIER_QUEUED, BARRIER_LATER, "queued, later"},
    {BARRIER_QUEUED, BARRIER_FIRST, "queued, first"},
    {BARRIER_CS_TREE, BARRIER_LATER, "CS tree"},
    {BARRIER_STAR, BARRIER_LATER, "star"}};
static const struct barrier_curve of_mesh_congestion[] = {
    {BARRIER_ANY, BARRIER_LATER, "ours, any"},       {BARRIER_FIXED, BARRIER_LATER, "ours, fixed"},
    {BARRIER_MOVING, BARRIER_LATER, "ours, moving"}, {BARRIER_QUEUED, BARRIER_LATER, "queued"},
    {BARRIER_RESERVED, BARRIER_LATER, "reserved"},   {BARRIER_CS_TREE, BARRIER_LATER, "CS tree"}};
static const struct barrier_curve of_data[] = {{BARRIER_ANY, BARRIER_LATER, "ours, any"},
                                               {BARRIER_FIXED, BARRIER_LATER, "ours, fixed"},
                                               {BARRIER_MOVING, BARRIER_LATER, "ours, moving"},
                                               {BARRIER_QUEUED, BARRIER_LATER, "queued"},
                                               {BARRIER_RESERVED, BARRIER_LATER, "reserved"}};

static const struct barrier_curve of_faults[] = {{BARRIER_ANY, BARRIER_LATER, "ours, any"},
                                                 {BARRIER_FIXED, BARRIER_LATER, "ours, fixed"},
                                                 {BARRIER_MOVING, BARRIER_LATER, "ours, moving"}};

static const uint32_t members_64[] = {16, 32, 64};
static const uint32_t members_300[] = {10, 30, 60, 120, 180, 240, 270, 300};
static const uint32_t members_1200[] = {40, 120, 240, 480, 600, 720, 840, 1020, 1200};
static const uint32_t members_100[] = {5, 10, 25, 50, 75, 100};
static const uint32_t members_400[] = {20, 40, 100, 200, 300, 360, 400};
static const uint32_t durations[] = {1, 10, 30, 100, 300, 1000, 3000, 10000};
static const uint32_t congested_60[] = {1, 6, 15, 30, 45, 59};
static const uint32_t congested_255[] = {1, 25, 64, 128, 192, 254};
static const uint32_t loads[] = {0, 5, 10, 20, 30, 50};
static const uint32_t mesh_loads[] = {0, 50, 100, 200, 300, 500};

/* ── panels ────────────────────────────────────────────────────────────────── */

struct draft {
  struct barrier_panel panel; /* without x values */
  const uint32_t *xs;
  size_t n_xs;
};

#define CURVES(name) .curves = name, .n_curves = sizeof name / sizeof *name
#define PLACES(name) name, sizeof name / sizeof *name

static const struct draft drafts[] = {
    {{.figure = "fig12",
      .name = "a",
      .title = "300 switches, start-up 100",
      .base = {.switches = 300, .startup = 100},
      .paper_first = 2,
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_size)},
     PLACES(members_300)},
    {{.figure = "fig12",
      .name = "b",
      .title = "300 switches, start-up 1000",
      .base = {.switches = 300, .startup = 1000},
      .paper_first = 2,
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_size)},
     PLACES(members_300)},
    {{.figure = "fig12",
      .name = "c",
      .title = "1200 switches, start-up 100",
      .base = {.switches = 1200, .startup = 100},
      .paper = 720,
      .paper_says = "[4] saturates",
      .paper_first = 2,
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_size)},
     PLACES(members_1200)},
    {{.figure = "fig12",
      .name = "d",
      .title = "1200 switches, start-up 1000",
      .base = {.switches = 1200, .startup = 1000},
      .paper = 720,
      .paper_says = "[4] saturates",
      .paper_first = 2,
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_size)},
     PLACES(members_1200)},
    {{.figure = "fig13",
      .name = "a",
      .title = "60 of 300 members, 30 congested",
      .base = {.switches = 300, .startup = 100, .members = 60, .congested = 30},
      .paper = 10,
      .paper_says = "little change",
      .axis = BARRIER_BY_CONGESTION,
      .logarithmic_x = true,
      CURVES(of_congestion)},
     PLACES(durations)},
    {{.figure = "fig13",
      .name = "b",
      .title = "255 of 300 members, 128 congested",
      .base = {.switches = 300, .startup = 100, .members = 255, .congested = 128},
      .paper = 10,
      .paper_says = "little change",
      .axis = BARRIER_BY_CONGESTION,
      .logarithmic_x = true,
      CURVES(of_congestion)},
     PLACES(durations)},
    {{.figure = "fig13",
      .name = "c",
      .title = "60 of 300 members, congested for 1000 cycles",
      .base = {.switches = 300, .startup = 100, .members = 60, .congestion = 1000},
      .axis = BARRIER_BY_CONGESTED,
      CURVES(of_congestion)},
     PLACES(congested_60)},
    {{.figure = "fig13",
      .name = "d",
      .title = "255 of 300 members, congested for 1000 cycles",
      .base = {.switches = 300, .startup = 100, .members = 255, .congestion = 1000},
      .axis = BARRIER_BY_CONGESTED,
      CURVES(of_congestion)},
     PLACES(congested_255)},
    {{.figure = "fig14",
      .name = "a",
      .title = "10x10 mesh, start-up 100",
      .base = {.network = BARRIER_MESH, .switches = 100, .startup = 100},
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_mesh_size)},
     PLACES(members_100)},
    {{.figure = "fig14",
      .name = "b",
      .title = "10x10 mesh, start-up 1000",
      .base = {.network = BARRIER_MESH, .switches = 100, .startup = 1000},
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_mesh_size)},
     PLACES(members_100)},
    {{.figure = "fig14",
      .name = "c",
      .title = "20x20 mesh, start-up 100",
      .base = {.network = BARRIER_MESH, .switches = 400, .startup = 100},
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_mesh_size)},
     PLACES(members_400)},
    {{.figure = "fig14",
      .name = "d",
      .title = "20x20 mesh, start-up 1000",
      .base = {.network = BARRIER_MESH, .switches = 400, .startup = 1000},
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_mesh_size)},
     PLACES(members_400)},
    {{.figure = "fig15",
      .name = "a",
      .title = "20 of 400 members, 10 congested",
      .base = {.network = BARRIER_MESH,
               .switches = 400,
               .startup = 100,
               .members = 20,
               .congested = 10},
      .paper = 10,
      .paper_says = "little change",
      .axis = BARRIER_BY_CONGESTION,
      .logarithmic_x = true,
      CURVES(of_mesh_congestion)},
     PLACES(durations)},
    {{.figure = "fig15",
      .name = "b",
      .title = "200 of 400 members, 100 congested",
      .base = {.network = BARRIER_MESH,
               .switches = 400,
               .startup = 100,
               .members = 200,
               .congested = 100},
      .paper = 10,
      .paper_says = "little change",
      .axis = BARRIER_BY_CONGESTION,
      .logarithmic_x = true,
      CURVES(of_mesh_congestion)},
     PLACES(durations)},
    {{.figure = "data",
      .name = "a",
      .title = "300 switches, 60 members",
      .base = {.switches = 300, .startup = 100, .members = 60, .flits = 32},
      .axis = BARRIER_BY_LOAD,
      CURVES(of_data)},
     PLACES(loads)},
    {{.figure = "data",
      .name = "b",
      .title = "10x10 mesh, all members",
      .base =
          {.network = BARRIER_MESH, .switches = 100, .startup = 100, .members = 100, .flits = 32},
      .axis = BARRIER_BY_LOAD,
      CURVES(of_data)},
     PLACES(mesh_loads)},
    {{.figure = "faults",
      .name = "a",
      .title = "8x8 mesh, four links fail",
      .base = {.network = BARRIER_MESH, .switches = 64, .startup = 100, .middle = 1, .faults = 1},
      .axis = BARRIER_BY_MEMBERS,
      CURVES(of_faults)},
     PLACES(members_64)}};

const char *barrier_axis_text(enum barrier_axis axis)
{
  static const char *const texts[] = {"members", "congestion (cycles)", "congested members",
                                      "data load (flits/node/cycle)"};
  return texts[axis];
}

double barrier_axis_value(const struct barrier_panel *panel, uint32_t x)
{
  return panel->axis == BARRIER_BY_LOAD ? x / 1000.0 : x;
}

/* Takes all x values, or for a quick run the first, the middle and the last one. */
static void choose_xs(struct barrier_panel *panel, const struct draft *draft, bool quick)
{
  if (quick && draft->n_xs > 3) {
    panel->xs[panel->n_xs++] = draft->xs[0];
    panel->xs[panel->n_xs++] = draft->xs[draft->n_xs / 2];
    panel->xs[panel->n_xs++] = draft->xs[draft->n_xs - 1];
    return;
  }
  for (size_t i = 0; i < draft->n_xs; i++)
    panel->xs[panel->n_xs++] = draft->xs[i];
}

uint32_t barrier_panels(struct barrier_panel panels[BARRIER_MAX_PANELS], bool quick,
                        const char *only)
{
  uint32_t n = 0;
  for (size_t i = 0; i < sizeof drafts / sizeof *drafts; i++) {
    const struct barrier_config *base = &drafts[i].panel.base;
    if (quick && base->switches > (base->flits ? QUICK_LOADED : QUICK_SWITCHES))
      continue;
    if (only && strcmp(only, drafts[i].panel.figure))
      continue;
    panels[n] = drafts[i].panel;
    choose_xs(&panels[n++], &drafts[i], quick);
  }
  return n;
}

struct barrier_config barrier_panel_config(const struct barrier_panel *panel,
                                           enum barrier_scheme scheme, uint32_t x)
{
  struct barrier_config c = panel->base;
  c.scheme = scheme;
  c.rounds = barrier_scheme_in_network(scheme) ? NETWORK_ROUNDS : SOFTWARE_ROUNDS;
  switch (panel->axis) {
  case BARRIER_BY_MEMBERS:
    c.members = x;
    break;
  case BARRIER_BY_CONGESTION:
    c.congestion = x;
    break;
  case BARRIER_BY_CONGESTED:
    c.congested = x;
    break;
  case BARRIER_BY_LOAD:
    c.load_permille = x;
    c.rounds = LOADED_ROUNDS;
    break;
  }
  return c;
}

void barrier_panel_want(const struct barrier_panel *panel, struct barrier_book *book)
{
  for (uint32_t i = 0; i < panel->n_curves; i++)
    for (uint32_t j = 0; j < panel->n_xs; j++) {
      struct barrier_config config =
          barrier_panel_config(panel, panel->curves[i].scheme, panel->xs[j]);
      barrier_book_want(book, &config);
    }
}

static bool has_curve(const struct barrier_panel *panel, uint32_t scheme)
{
  for (uint32_t i = 0; i < panel->n_curves; i++)
    if (panel->curves[i].scheme == scheme)
      return true;
  return false;
}

bool barrier_panel_on_rtl(const struct barrier_panel *panel, uint32_t scheme)
{
  return has_curve(panel, scheme) ||
         (!strncmp(panel->figure, "fig", 3) && barrier_scheme_in_network(scheme));
}

void barrier_panel_want_rtl(const struct barrier_panel *panel, struct barrier_book *book)
{
  for (uint32_t scheme = 0; scheme < BARRIER_SCHEMES; scheme++)
    for (uint32_t i = 0; barrier_panel_on_rtl(panel, scheme) && i < panel->n_xs; i++)
      for (uint32_t rtl = 0; rtl < 2; rtl++) {
        struct barrier_config config = barrier_panel_config(panel, scheme, panel->xs[i]);
        config.rtl = rtl;
        barrier_book_want(book, &config);
      }
}
