/* Links and virtual channels as tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_data.h"

#include "../host/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LINKS = 500 };

static int by_flits(const void *a, const void *b)
{
  const struct hd_run_link *x = *(const struct hd_run_link *const *)a,
                           *y = *(const struct hd_run_link *const *)b;
  if (x->flits != y->flits)
    return x->flits < y->flits ? 1 : -1;
  return (x > y) - (x < y);
}

static void end_name(char buf[48], bool node, uint32_t index, uint32_t port)
{
  if (node)
    snprintf(buf, 48, "node %" PRIu32, index);
  else
    snprintf(buf, 48, "switch %" PRIu32 " port %" PRIu32, index, port);
}

static void cell_load(struct hd_text *t, const struct hd_run_data *d, uint64_t flits)
{
  double load = d->cycles ? (double)flits / (double)d->cycles : 0;
  hd_text_add(t, "<td class=\"n\" data-v=\"%.15g\">%.3f</td>", load, load);
}

static void link_row(struct hd_text *t, const struct hd_run_data *d, const struct hd_run_link *l)
{
  char name[48];
  hd_text_add(t, l->dead ? "<tr class=\"dead\">" : "<tr>");
  end_name(name, false, l->sw, l->port);
  hd_page_cell_name(t, name);
  end_name(name, l->to_node, l->peer, l->peer_port);
  hd_page_cell_text(t, name);
  hd_page_cell_count(t, l->flits);
  cell_load(t, d, l->flits);
  for (uint32_t vc = 0; d->vcs && vc < d->n_vcs; vc++)
    hd_page_cell_count(t, l->vcs ? l->vcs[vc] : 0);
  hd_page_row_end(t);
}

static void link_table(struct hd_text *t, const struct hd_run_data *d,
                       const struct hd_run_link **order)
{
  char caption[160], names[8][16];
  struct hd_page_column columns[4 + 8] = {
      {.name = "from"},
      {.name = "to"},
      {.name = "flits", .number = true, .help = "that left the switch here"},
      {.name = "load", .unit = "flits/cycle", .number = true}};
  uint32_t n = 4;
  for (uint32_t vc = 0; d->vcs && vc < d->n_vcs; vc++, n++) {
    snprintf(names[vc], sizeof names[vc], "vc %" PRIu32, vc);
    columns[n] = (struct hd_page_column){
        .name = names[vc], .number = true, .help = "flits by this virtual channel"};
  }
  size_t shown = d->n_links < MOST_LINKS ? d->n_links : MOST_LINKS;
  if (shown < d->n_links)
    snprintf(caption, sizeof caption, "The %zu busiest outputs of %zu", shown, d->n_links);
  else
    snprintf(caption, sizeof caption, "Every output that has a link, the busiest first");
  hd_page_table(t, "link-table", caption, columns, n, true);
  for (size_t i = 0; i < shown; i++)
    link_row(t, d, order[i]);
  hd_page_table_end(t);
  if (shown < d->n_links)
    hd_text_add(t, "<p class=\"note\">The tables <code>links</code> and <code>link_vcs</code> of "
                   "run.db have all of them.</p>\n");
}

/* Writes the row of a link. A switch's output leads to the other end. A node's link is shown as
 * the way from the node. */
static void blocked_row(struct hd_text *t, const struct hd_run_data *d, const struct hd_run_link *l,
                        uint64_t all)
{
  char name[48];
  hd_page_row(t);
  if (l->to_node)
    end_name(name, true, l->peer, 0);
  else
    end_name(name, false, l->sw, l->port);
  hd_page_cell_name(t, name);
  if (l->to_node)
    end_name(name, false, l->sw, l->port);
  else
    end_name(name, false, l->peer, l->peer_port);
  hd_page_cell_text(t, name);
  hd_page_cell_count(t, l->blocked);
  hd_page_cell_real(t, d->model_cycles ? (double)l->blocked / (double)d->model_cycles : 0);
  hd_page_cell_real(t, 100.0 * (double)l->blocked / (double)all);
  for (uint32_t vc = 0; l->blocked_vcs && vc < d->n_vcs; vc++)
    hd_page_cell_count(t, l->blocked_vcs[vc]);
  hd_page_row_end(t);
}

static int by_blocked(const void *a, const void *b)
{
  const struct hd_run_link *x = *(const struct hd_run_link *const *)a,
                           *y = *(const struct hd_run_link *const *)b;
  if (x->blocked != y->blocked)
    return x->blocked < y->blocked ? 1 : -1;
  return (x > y) - (x < y);
}

static void blocked_table(struct hd_text *t, const struct hd_run_data *d,
                          const struct hd_run_link **order)
{
  char caption[160], names[8][16];
  struct hd_page_column columns[5 + 8] = {
      {.name = "from"},
      {.name = "to"},
      {.name = "blocked", .unit = "flit-cycles", .number = true, .help = "where the link ends"},
      {.name = "blocked flits", .unit = "mean", .number = true},
      {.name = "share", .unit = "%", .number = true}};
  uint32_t n = 5;
  uint64_t all = 0;
  size_t with = 0;
  for (uint32_t vc = 0; vc < d->n_vcs; vc++, n++) {
    snprintf(names[vc], sizeof names[vc], "vc %" PRIu32, vc);
    columns[n] = (struct hd_page_column){
        .name = names[vc], .number = true, .help = "flit-cycles of this virtual channel"};
  }
  qsort(order, d->n_links, sizeof *order, by_blocked);
  for (; with < d->n_links && order[with]->blocked; with++)
    all += order[with]->blocked;
  if (!with) {
    hd_page_paragraph(t, NULL, "No flit was blocked on any link in any cycle.");
    return;
  }
  size_t shown = with < MOST_LINKS ? with : MOST_LINKS;
  snprintf(caption, sizeof caption, "%s%zu links at whose ends flits were blocked, most first",
           shown < with ? "The first 500 of " : "The ", with);
  hd_page_table(t, "blocked-table", caption, columns, n, true);
  for (size_t i = 0; i < shown; i++)
    blocked_row(t, d, order[i], all);
  hd_page_table_end(t);
  if (shown < with)
    hd_text_add(t,
                "<p class=\"note\">The table <code>inputs</code> of run.db has all of them.</p>\n");
}

static void channel_table(struct hd_text *t, const struct hd_run_data *d)
{
  static const struct hd_page_column columns[] = {
      {.name = "virtual channel"},
      {.name = "flits between switches", .number = true},
      {.name = "share", .unit = "%", .number = true},
      {.name = "busiest output", .unit = "flits/cycle", .number = true},
      {.name = "flits to nodes", .number = true}};
  uint64_t between[8] = {0}, to_nodes[8] = {0}, most[8] = {0}, all = 0;
  for (size_t i = 0; i < d->n_links; i++)
    for (uint32_t vc = 0; d->links[i].vcs && vc < d->n_vcs; vc++) {
      uint64_t flits = d->links[i].vcs[vc];
      *(d->links[i].to_node ? &to_nodes[vc] : &between[vc]) += flits;
      if (!d->links[i].to_node) {
        all += flits;
        most[vc] = flits > most[vc] ? flits : most[vc];
      }
    }
  hd_page_table(t, "vc-table", "Use of the virtual channels", columns, 5, true);
  for (uint32_t vc = 0; vc < d->n_vcs; vc++) {
    char name[16];
    snprintf(name, sizeof name, "vc %" PRIu32, vc);
    hd_page_row(t);
    hd_page_cell_name(t, name);
    hd_page_cell_count(t, between[vc]);
    hd_page_cell_real(t, all ? 100.0 * (double)between[vc] / (double)all : 0);
    cell_load(t, d, most[vc]);
    hd_page_cell_count(t, to_nodes[vc]);
    hd_page_row_end(t);
  }
  hd_page_table_end(t);
}

void hd_run_links_section(struct hd_page *page, const struct hd_run_data *d)
{
  struct hd_text *t = &page->body;
  bool known = d->n_links && d->links[0].known;
  if (!d->n_links)
    return;
  const struct hd_run_link **order = hd_xcalloc(d->n_links, sizeof *order);
  for (size_t i = 0; i < d->n_links; i++)
    order[i] = &d->links[i];
  qsort(order, d->n_links, sizeof *order, by_flits);
  hd_page_section(page, "links", "Links and virtual channels");
  if (!known)
    hd_page_paragraph(t, "note", "How many flits the links carried is not known.");
  hd_text_add(t, "<p>Counted are the flits of %" PRIu64 " cycles in which all agreed.</p>\n",
              d->cycles);
  if (d->vcs)
    channel_table(t, d);
  link_table(t, d, order);
  if (d->blocked_known)
    blocked_table(t, d, order);
  free(order);
  hd_page_section_end(page);
}
