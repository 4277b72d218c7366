/* Draws the fabric: switches, links coloured by flits or blocked flit-cycles, the failing switch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each switch is a box. In a large fabric, a box stands for all switches of a square of the layout.
 */
#include "run_data.h"

#include "../host/memory.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_BOXES = 600,
  MOST_STAGE_BOXES = 200, /* for stages, which are wide */
  MOST_STAGE_GROUPS =
      64, /* if a box has several switches: few boxes, so that stages and links are visible */
  LABELLED = 324, /* larger drawings have no numbers in boxes */
  WITH_NODES = 160,
  LEVELS = 5
};

#define ROUNDING 1e-9 /* in units of positions */

struct box {
  double x, y;
  uint32_t n, first; /* number of switches; index of the first one */
};

/* One direction of a link between two boxes. Box `a` has the lower index. */
struct edge {
  uint32_t a, b;
  const struct hd_run_link *link;
};

struct drawing {
  const struct hd_run_data *data;
  struct hd_text *text;
  struct hd_topology_place *at; /* [n_switches] */
  uint32_t *box_of;             /* [n_switches] */
  struct box *boxes;
  uint32_t n_boxes;
  uint32_t side; /* side of the square of positions that one box covers; 1: each switch is a box */
  struct edge *edges;
  size_t n_edges;
  bool alone;    /* a fabric without a run */
  bool blocked;  /* links are coloured by blocked flit-cycles at their ends; otherwise by flits */
  uint64_t most; /* largest number of any direction */
  double unit, unit_down; /* pixels for one unit of position */
  double left, top;       /* lowest x and y */
  double width, height;
  const char *layout;
};

static double px(const struct drawing *w, double x)
{
  return w->unit * (x - w->left + 1);
}

static double py(const struct drawing *w, double y)
{
  return w->unit_down * (y - w->top + 1);
}

/* Returns the number by which a direction of a link is coloured. */
static uint64_t amount_of(const struct drawing *w, const struct hd_run_link *l)
{
  return w->blocked ? l->blocked : l->flits;
}

static unsigned level(const struct drawing *w, uint64_t n)
{
  if (!n || !w->most)
    return 0;
  return 1 + (unsigned)(n >= w->most ? LEVELS - 1 : (double)n / (double)w->most * LEVELS);
}

static void path_class(struct drawing *w, uint64_t n, bool dead)
{
  hd_text_add(w->text, "<path class=\"%s%u%s\" d=\"", w->blocked ? "w" : "l", level(w, n),
              dead ? " dead" : "");
}

/* ── boxes ─────────────────────────────────────────────────────────────────── */

static void extent(const struct hd_topology_place *at, uint32_t n, struct hd_topology_place *low,
                   struct hd_topology_place *high)
{
  *low = (struct hd_topology_place){DBL_MAX, DBL_MAX};
  *high = (struct hd_topology_place){-DBL_MAX, -DBL_MAX};
  for (uint32_t i = 0; i < n; i++) {
    low->x = fmin(low->x, at[i].x);
    low->y = fmin(low->y, at[i].y);
    high->x = fmax(high->x, at[i].x);
    high->y = fmax(high->y, at[i].y);
  }
}

static bool drawn_as(const struct hd_run_data *d, enum hd_topology_drawing drawing)
{
  return d->topology && d->topology->drawing == drawing;
}

/* Puts switches into boxes. A box never covers several stages. Returns the number of boxes;
 * UINT32_MAX if there are more than `cap` positions. */
static uint32_t make_boxes(struct drawing *w, uint32_t *box_at, size_t cap,
                           const struct hd_topology_place *low,
                           const struct hd_topology_place *high)
{
  const struct hd_run_data *d = w->data;
  double side = w->side, down = drawn_as(d, HD_DRAWN_LAYERS) ? 1 : side;
  size_t columns = (size_t)((high->x - low->x) / side + ROUNDING) + 1;
  size_t rows = (size_t)((high->y - low->y) / down + ROUNDING) + 1;
  w->n_boxes = 0;
  if (columns * rows > cap)
    return UINT32_MAX;
  memset(box_at, 0, columns * rows * sizeof *box_at);
  for (uint32_t sw = 0; sw < d->n_switches; sw++) {
    size_t x = (size_t)((w->at[sw].x - low->x) / side + ROUNDING);
    size_t y = (size_t)((w->at[sw].y - low->y) / down + ROUNDING);
    uint32_t *number = &box_at[y * columns + x];
    if (w->side == 1 || !*number) {
      w->boxes[w->n_boxes] = (struct box){.first = sw};
      *number = ++w->n_boxes;
    }
    struct box *b = &w->boxes[*number - 1];
    w->box_of[sw] = *number - 1;
    b->x += w->at[sw].x;
    b->y += w->at[sw].y;
    b->n++;
  }
  for (uint32_t i = 0; i < w->n_boxes; i++) {
    w->boxes[i].x /= w->boxes[i].n;
    w->boxes[i].y /= w->boxes[i].n;
  }
  return w->n_boxes;
}

/* Returns the next larger side of boxes. Stages are cut into equal parts, such as pods and
 * subtrees, if their width allows. */
static uint32_t next_side(const struct drawing *w, const struct hd_topology_place *low,
                          const struct hd_topology_place *high)
{
  const uint32_t width = (uint32_t)(high->x - low->x + ROUNDING) + 1;
  uint32_t side = w->side + 1;
  while (drawn_as(w->data, HD_DRAWN_LAYERS) && side < width && width % side)
    side++;
  return side;
}

/* Finds the smallest boxes of which there are not too many. */
static void find_boxes(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  struct hd_topology_place low, high;
  extent(w->at, d->n_switches, &low, &high);
  size_t cap = (size_t)(high.x - low.x + 2) * (size_t)(high.y - low.y + 2);
  uint32_t *box_at = hd_xcalloc(cap, sizeof *box_at);
  uint32_t most = drawn_as(d, HD_DRAWN_LAYERS) ? MOST_STAGE_BOXES : MOST_BOXES;
  w->side = 1;
  while (make_boxes(w, box_at, cap, &low, &high) > most) {
    w->side = next_side(w, &low, &high);
    most = drawn_as(d, HD_DRAWN_LAYERS) ? MOST_STAGE_GROUPS : most;
  }
  free(box_at);
  w->unit = (w->n_boxes <= WITH_NODES ? 54 : w->n_boxes <= LABELLED ? 40 : 28) / (double)w->side;
  double nodes = w->n_boxes <= WITH_NODES ? 0.1 : 0;
  w->left = low.x - nodes;
  w->top = low.y - nodes;
  w->width = w->unit * (high.x - low.x + 2);
  w->unit_down = drawn_as(d, HD_DRAWN_LAYERS) ? w->unit * w->side : w->unit;
  w->height = w->unit_down * (high.y - low.y + 2);
}

/* ── links ─────────────────────────────────────────────────────────────────── */

static int edge_order(const void *a, const void *b)
{
  const struct edge *x = a, *y = b;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  if (x->b != y->b)
    return x->b < y->b ? -1 : 1;
  return (x->link > y->link) - (x->link < y->link);
}

static void find_edges(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  w->edges = hd_xcalloc(d->n_links + 1, sizeof *w->edges);
  for (size_t i = 0; i < d->n_links; i++) {
    const struct hd_run_link *l = &d->links[i];
    if (l->to_node)
      continue;
    uint32_t a = w->box_of[l->sw], b = w->box_of[l->peer];
    if (a != b)
      w->edges[w->n_edges++] = (struct edge){.a = a < b ? a : b, .b = a < b ? b : a, .link = l};
  }
  qsort(w->edges, w->n_edges, sizeof *w->edges, edge_order);
}

/* Finds the largest number. Flits to nodes do not count, because they would make all other links
 * pale. Blocked flits on links from nodes do count. */
static void find_most(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  w->most = 0;
  for (size_t i = 0; i < d->n_links; i++)
    if (w->blocked || !d->links[i].to_node)
      w->most = amount_of(w, &d->links[i]) > w->most ? amount_of(w, &d->links[i]) : w->most;
}

/* Returns a number for each cycle. */
static double rate(const struct drawing *w, uint64_t n)
{
  uint64_t cycles = w->blocked ? w->data->model_cycles : w->data->cycles;
  return cycles ? (double)n / (double)cycles : 0;
}

static void direction_text(struct drawing *w, const struct hd_run_link *l)
{
  hd_text_add(w->text, "s%" PRIu32 ":%" PRIu32 " to s%" PRIu32 ":%" PRIu32, l->sw, l->port, l->peer,
              l->peer_port);
  if (w->alone)
    return;
  hd_text_add(w->text, ": ");
  if (w->blocked)
    hd_text_add(w->text, "%" PRIu64 " flit-cycles", l->blocked);
  else if (l->known)
    hd_text_add(w->text, "%" PRIu64 " flits, %.3f a cycle", l->flits, rate(w, l->flits));
  else
    hd_text_add(w->text, "flits not known");
}

/* Draws all directions of links between two boxes as one line. The busiest direction gives its
 * colour. */
static void draw_edges(struct drawing *w, const struct edge *edges, size_t n)
{
  const struct box *a = &w->boxes[edges->a], *b = &w->boxes[edges->b];
  const struct hd_run_link *busiest = edges->link;
  bool dead = false;
  for (size_t i = 0; i < n; i++) {
    busiest = amount_of(w, edges[i].link) > amount_of(w, busiest) ? edges[i].link : busiest;
    dead |= edges[i].link->dead;
  }
  double x1 = px(w, a->x), y1 = py(w, a->y), x2 = px(w, b->x), y2 = py(w, b->y);
  double dx = x2 - x1, dy = y2 - y1;
  /* A straight line would cross the switches between them. */
  bool bent = drawn_as(w->data, HD_DRAWN_GRID) && fabs(dx) + fabs(dy) > 1.5 * w->unit * w->side;
  path_class(w, amount_of(w, busiest), dead);
  hd_text_add(w->text, "M%.1f %.1f", x1, y1);
  if (bent)
    hd_text_add(w->text, "Q%.1f %.1f ", (x1 + x2) / 2 - dy * 0.16, (y1 + y2) / 2 + dx * 0.16);
  else
    hd_text_add(w->text, "L");
  hd_text_add(w->text, "%.1f %.1f\"><title>", x2, y2);
  if (dead)
    hd_text_add(w->text, "FAILED by a fault; ");
  if (n > 2) {
    hd_text_add(w->text,
                w->alone     ? "%zu directions, such as "
                : w->blocked ? "%zu directions; most of them: "
                             : "%zu directions; the busiest: ",
                n);
    direction_text(w, busiest);
  } else {
    direction_text(w, edges[0].link);
    if (n == 2) {
      hd_text_add(w->text, "; ");
      direction_text(w, edges[1].link);
    }
  }
  hd_text_add(w->text, "</title></path>\n");
}

static void draw_links(struct drawing *w)
{
  /* Between groups of switches there are many lines, which cover each other. */
  const bool thin = w->side > 1 && drawn_as(w->data, HD_DRAWN_LAYERS);
  hd_text_add(w->text, "<g class=\"links%s\">\n", thin ? " thin" : "");
  for (size_t i = 0; i < w->n_edges;) {
    size_t n = 1;
    while (i + n < w->n_edges && w->edges[i + n].a == w->edges[i].a &&
           w->edges[i + n].b == w->edges[i].b)
      n++;
    draw_edges(w, &w->edges[i], n);
    i += n;
  }
  hd_text_add(w->text, "</g>\n");
}

/* Draws nodes side by side below their switch; in the upper half of an extended tree, above it. */
static void draw_nodes(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  bool halves = d->topology == hd_topologies[HD_TOPO_EXTENDED_TREE];
  bool trees = drawn_as(d, HD_DRAWN_LAYERS);
  hd_text_add(w->text, "<g class=\"nodes\">\n");
  for (size_t i = 0; i < d->n_links;) {
    size_t n = 0, end = i;
    for (; end < d->n_links && d->links[end].sw == d->links[i].sw; end++)
      n += d->links[end].to_node;
    const struct hd_topology_place at = w->at[d->links[i].sw];
    bool up = halves && w->boxes[w->box_of[d->links[i].sw]].y < (w->height / w->unit - 2) / 2;
    size_t k = 0;
    for (; i < end; i++) {
      const struct hd_run_link *l = &d->links[i];
      if (!l->to_node)
        continue;
      double across = trees ? ((double)k - (double)(n - 1) / 2) * 0.8 / (double)n : 0.36;
      double down = trees ? up ? -0.6 : 0.6 : 0.36 + 0.12 * (double)k;
      double x = px(w, at.x), y = py(w, at.y), nx = px(w, at.x + across), ny = py(w, at.y + down);
      path_class(w, amount_of(w, l), l->dead);
      hd_text_add(w->text,
                  "M%.1f %.1fL%.1f %.1f\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>node "
                  "%" PRIu32,
                  x, y, nx, ny, nx, ny, l->peer);
      if (!w->alone)
        hd_text_add(w->text, ": %" PRIu64 " %s", amount_of(w, l),
                    w->blocked ? "flit-cycles on the way from it" : "flits to it");
      hd_text_add(w->text, "</title></circle>\n");
      k++;
    }
  }
  hd_text_add(w->text, "</g>\n");
}

/* Draws nodes a second time, above the switch at which their flits enter, if these leave at
 * another switch. */
static void draw_ways_in(struct drawing *w)
{
  const struct hd_topology *t = &w->data->fabric;
  if (t->n_switches != w->data->n_switches || !hd_topology_one_way(t))
    return;
  hd_text_add(w->text, "<g class=\"nodes\">\n");
  for (uint32_t sw = 0; sw < t->n_switches; sw++) {
    uint32_t n = 0, k = 0;
    for (uint32_t port = 0; port < t->ports; port++)
      n += t->senders[(size_t)sw * t->ports + port].kind == HD_PEER_NODE;
    for (uint32_t port = 0; port < t->ports; port++) {
      const struct hd_peer *node = &t->senders[(size_t)sw * t->ports + port];
      if (node->kind != HD_PEER_NODE || t->node_exits[node->index].index == sw)
        continue;
      double across = (k++ - (n - 1) / 2.0) * 0.8 / n;
      double x = px(w, w->at[sw].x), y = py(w, w->at[sw].y);
      double nx = px(w, w->at[sw].x + across), ny = py(w, w->at[sw].y - 0.6);
      path_class(w, 0, false);
      hd_text_add(w->text,
                  "M%.1f %.1fL%.1f %.1f\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>node "
                  "%u, its way in</title></circle>\n",
                  x, y, nx, ny, nx, ny, (unsigned)node->index);
    }
  }
  hd_text_add(w->text, "</g>\n");
}

/* ── switches ──────────────────────────────────────────────────────────────── */

static void draw_box(struct drawing *w, uint32_t i, bool failing)
{
  const struct box *b = &w->boxes[i];
  double size = w->unit * w->side * (b->n > 1 ? 0.62 : 0.5), x = px(w, b->x), y = py(w, b->y);
  hd_text_add(w->text,
              "<g class=\"%s\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
              "rx=\"%.1f\"/>",
              failing ? "bad" : "sw", x - size / 2, y - size / 2, size, size, size * 0.16);
  if (b->n > 1)
    hd_text_add(w->text, "<title>%" PRIu32 " switches, the first is %" PRIu32 "%s</title>", b->n,
                b->first, failing ? "; one of them is where they differ" : "");
  else
    hd_text_add(w->text, "<title>switch %" PRIu32 "%s</title>", b->first,
                failing ? ": here they differ" : "");
  if (w->n_boxes <= LABELLED || failing)
    hd_text_add(w->text,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"%.1f\">%s%" PRIu32
                "</text>",
                x, y + size * 0.16, size * 0.44, b->n > 1 && !failing ? "\u00d7" : "",
                failing    ? w->data->sw
                : b->n > 1 ? b->n
                           : b->first);
  hd_text_add(w->text, "</g>\n");
}

static void draw_boxes(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  bool some = d->diverged && d->sw < d->n_switches;
  uint32_t failing = some ? w->box_of[d->sw] : UINT32_MAX;
  for (uint32_t i = 0; i < w->n_boxes; i++)
    if (i != failing)
      draw_box(w, i, false);
  if (some)
    draw_box(w, failing, true); /* drawn last, so that nothing covers it */
}

/* Draws a list of switches as a line through them. */
static void draw_way(struct drawing *w, const char *list, const char *kind, const char *title)
{
  const struct hd_run_data *d = w->data;
  uint64_t rows = hd_run_data_rows(d, list);
  bool first = true;
  for (uint64_t i = 0; i < rows; i++) {
    uint64_t sw = hd_run_data_number(hd_run_data_item(d, list, i, "switch"));
    if (sw >= d->n_switches)
      continue;
    const struct box *b = &w->boxes[w->box_of[sw]];
    if (first)
      hd_text_add(w->text, "<polyline class=\"%s\" points=\"", kind);
    hd_text_add(w->text, "%s%.1f,%.1f", first ? "" : " ", px(w, b->x), py(w, b->y));
    first = false;
  }
  if (!first)
    hd_text_add(w->text, "\"><title>%s</title></polyline>\n", title);
}

static void legend(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  hd_text_add(w->text, w->blocked
                           ? "<p class=\"legend\">Blocked flits, mean of all cycles, of the worse "
                             "direction of a link: "
                           : "<p class=\"legend\">Flits a cycle, the busier direction of a link: ");
  for (unsigned i = 0; i <= LEVELS; i++) {
    if (i && !w->most)
      break;
    hd_text_add(w->text,
                "<span><svg xmlns=\"http://www.w3.org/2000/svg\" class=\"key\" width=\"30\" "
                "height=\"10\" aria-hidden=\"true\"><path class=\"%s%u\" d=\"M1 5L29 5\"/></svg> ",
                w->blocked ? "w" : "l", i);
    if (i)
      hd_text_add(w->text, "%s%.3f", i == LEVELS ? "up to " : "below ",
                  rate(w, w->most) * i / LEVELS);
    else
      hd_text_add(w->text, "none");
    hd_text_add(w->text, "</span> ");
  }
  bool dead = false;
  for (size_t i = 0; i < d->n_links; i++)
    dead |= d->links[i].dead;
  if (dead)
    hd_text_add(w->text,
                "<span><svg xmlns=\"http://www.w3.org/2000/svg\" class=\"key\" width=\"30\" "
                "height=\"10\" aria-hidden=\"true\"><path class=\"l0 dead\" d=\"M1 5L29 5\"/></svg>"
                " failed</span> ");
  if (d->diverged)
    hd_text_add(w->text, "<span class=\"mark\">here DUT and %s differ</span>",
                hd_run_data_reference(d));
  if (hd_run_data_rows(d, "divergence.planned"))
    hd_text_add(w->text, " <span class=\"way\">the packet's way by the tables</span>");
  hd_text_add(w->text, "</p>\n");
}

/* Draws the fabric. Links are coloured by flits or by blocked flit-cycles. */
static void picture(struct drawing *w, bool blocked)
{
  const struct hd_run_data *d = w->data;
  struct hd_text about = {0};
  w->blocked = blocked;
  find_most(w);
  hd_text_add(&about, "%" PRIu32 " switches as %s.", d->n_switches, w->layout);
  if (d->diverged)
    hd_text_add(&about, " DUT and %s differ first at switch %" PRIu32 ".", hd_run_data_reference(d),
                d->sw);
  hd_text_add(&about, " The table of links has the numbers.");
  hd_text_add(w->text,
              "<figure class=\"scroll\" tabindex=\"0\" role=\"region\" "
              "aria-label=\"%s\">\n",
              blocked ? "Drawing of where flits are blocked" : "Drawing of the fabric");
  hd_svg_begin(w->text, blocked ? "blocked-drawing" : "fabric-drawing", w->width, w->height,
               blocked ? "The fabric, links by blocked flit-cycles" : "The fabric, links by use",
               hd_text_chars(&about));
  draw_links(w);
  if (w->side == 1 && w->n_boxes <= WITH_NODES) {
    draw_nodes(w);
    draw_ways_in(w);
  }
  draw_way(w, "divergence.planned", "planned", "the packet's way by the tables");
  draw_boxes(w);
  hd_svg_end(w->text);
  hd_text_add(w->text, "</figure>\n");
  legend(w);
  hd_text_fini(&about);
}

static void draw_blocked(struct drawing *w)
{
  uint64_t all = 0;
  for (size_t i = 0; i < w->data->n_links; i++)
    all += w->data->links[i].blocked;
  if (!w->data->blocked_known)
    return;
  hd_text_add(w->text, "<h3>Where flits are blocked</h3>\n");
  if (!all) {
    hd_page_paragraph(w->text, NULL, "No flit was blocked on any link in any cycle.");
    return;
  }
  hd_text_add(w->text, "<p>A flit is blocked at the end of a link as long as it is the next of its "
                       "virtual channel and the switch there cannot send it on. <a "
                       "href=\"#blocked-table\">A table</a> has the flit-cycles.</p>\n");
  picture(w, true);
}

static void draw(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  hd_text_add(w->text,
              "<p>Switches are drawn as %s. Point at a link or switch for its numbers, "
              "which <a href=\"#links\">a table</a> has, too.</p>\n",
              w->layout);
  if (w->side > 1)
    hd_text_add(
        w->text,
        "<p class=\"note\">The fabric has %" PRIu32
        " switches, too many for one drawing. A box stands for neighbouring switches and shows "
        "their number. There are %" PRIu32
        " boxes; a line between boxes has the colour of the busiest of its links."
        "</p>\n",
        d->n_switches, w->n_boxes);
  picture(w, false);
  draw_blocked(w);
}

static void lay_out(struct drawing *w)
{
  const struct hd_run_data *d = w->data;
  w->at = hd_xcalloc(d->n_switches, sizeof *w->at);
  w->box_of = hd_xcalloc(d->n_switches, sizeof *w->box_of);
  w->boxes = hd_xcalloc(d->n_switches, sizeof *w->boxes);
  w->layout = hd_run_layout(d, w->at);
  find_boxes(w);
  find_edges(w);
}

static void drawing_fini(struct drawing *w)
{
  free(w->at);
  free(w->box_of);
  free(w->boxes);
  free(w->edges);
}

void hd_run_fabric_svg(const struct hd_run_data *d, const char *title, struct hd_text *text)
{
  struct drawing w = {.data = d, .text = text, .alone = true};
  struct hd_text about = {0};
  lay_out(&w);
  hd_text_add(&about, "%" PRIu32 " switches as %s.", d->n_switches, w.layout);
  if (w.side > 1)
    hd_text_add(&about, " A box stands for neighbouring switches and shows their number.");
  hd_svg_begin(text, "fabric", w.width, w.height, title, hd_text_chars(&about));
  hd_text_add(text, "<style>\n"
                    "rect { fill: #ffffff; stroke: #5b6570; } text { fill: #1f2429; font-family: "
                    "sans-serif; }\n"
                    "path { fill: none; stroke: #86aed6; stroke-width: 1.4; } circle { fill: "
                    "#5b6570; }\n</style>\n"
                    "<rect width=\"100%%\" height=\"100%%\" style=\"stroke: none\"/>\n");
  draw_links(&w);
  if (w.side == 1 && w.n_boxes <= WITH_NODES) {
    draw_nodes(&w);
    draw_ways_in(&w);
  }
  draw_boxes(&w);
  hd_svg_end(text);
  hd_text_fini(&about);
  drawing_fini(&w);
}

/* Draws the network inside the DUT, as the scenario describes it. Flits inside are not counted. */
static void draw_inside(const struct hd_run_data *d, struct hd_text *text)
{
  struct hd_run_data inner = hd_run_data_alone(&d->inner);
  struct drawing w = {.data = &inner, .text = text, .alone = true};
  lay_out(&w);
  hd_text_add(
      text,
      "<h3>Inside of the network</h3>\n<p>Drawn as the scenario describes it. Heddle "
      "does not see these links.</p>\n<figure class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-label=\"Drawing of the network inside\">\n");
  hd_svg_begin(text, "inside-drawing", w.width, w.height, "The network inside", w.layout);
  draw_links(&w);
  draw_nodes(&w);
  draw_boxes(&w);
  hd_svg_end(text);
  hd_text_add(text, "</figure>\n");
  drawing_fini(&w);
  free(inner.links);
}

void hd_run_fabric_section(struct hd_page *page, const struct hd_run_data *d)
{
  hd_page_section(page, "fabric", "Fabric");
  const struct hd_value fabric = hd_run_data_value(
      d, &hd_result_tables[HD_RESULTS_RUN],
      hd_result_find(&hd_result_tables[HD_RESULTS_RUN], "fabric", strlen("fabric")), 0);
  if (hd_value_is(&fabric))
    hd_page_paragraph(&page->body, NULL, fabric.text);
  struct drawing w = {.data = d, .text = &page->body};
  if (!d->n_links) {
    hd_page_paragraph(&page->body, "note",
                      "The run database has no links: the run did not come to its end.");
  } else {
    lay_out(&w);
    draw(&w);
  }
  drawing_fini(&w);
  if (d->inner.n_switches)
    draw_inside(d, &page->body);
  hd_page_section_end(page);
}
