/* Writes schedules as CSV and as a picture.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "schedules.h"

#include "../../bridge/host/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void hd_schedule_csv(const struct hd_schedule *s, const struct hd_topology *t, struct hd_text *text)
{
  hd_text_add(text, "step,message,source,destination,links\n");
  for (size_t i = 0; i < s->n; i++) {
    const struct hd_transfer *m = &s->transfers[i];
    hd_text_add(text, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", m->step + 1, m->message,
                m->from, m->to);
    for (uint32_t l = 0; l < m->n_links; l++) {
      char name[32];
      hd_schedule_link_name(t, s->links[m->first_link + l], name, sizeof name);
      hd_text_add(text, "%s%s", l ? " " : "", name);
    }
    hd_text_add(text, "\n");
  }
}

/* ── the picture ───────────────────────────────────────────────────────────── */

enum { LEFT = 74, TOP = 46, ROW = 12, MANY_STEPS = 100 };

static void write_row_label(const struct hd_topology *t, uint32_t link, char *text, size_t size)
{
  uint32_t of_switches = t->n_switches * t->ports;
  const struct hd_peer *peer =
      link < of_switches ? &t->peers[link] : &t->node_peers[link - of_switches];
  char name[32];
  hd_schedule_link_name(t, link, name, sizeof name);
  snprintf(text, size, "%s → %c%u", name, peer->kind == HD_PEER_NODE ? 'n' : 's', peer->index);
}

/* Numbers the rows, which are the links that carry transfers, links out of nodes first. row[link]
 * is 1 + its number. */
static uint32_t rows_of(const struct hd_schedule *s, const struct hd_topology *t, uint32_t *row)
{
  uint32_t n = 0, of_switches = t->n_switches * t->ports;
  for (size_t i = 0; i < s->n_links; i++)
    row[s->links[i]] = 1;
  for (uint32_t node = 0; node < t->n_nodes; node++)
    if (row[of_switches + node])
      row[of_switches + node] = ++n;
  for (uint32_t link = 0; link < of_switches; link++)
    if (row[link])
      row[link] = ++n;
  return n;
}

static void add_cells(const struct hd_schedule *s, const struct hd_messages *messages,
                      uint32_t nodes, const uint32_t *row, uint32_t cell, struct hd_text *text)
{
  for (size_t i = 0; i < s->n; i++) {
    const struct hd_transfer *m = &s->transfers[i];
    uint32_t source = messages->all[m->message].source;
    hd_text_add(text,
                "<g fill=\"hsl(%" PRIu32 " 65%% %d%%)\"><title>step %" PRIu32 ": n%" PRIu32
                " to n%" PRIu32 ", message of n%" PRIu32 "</title>",
                source * 360 / nodes, source % 2 ? 62 : 48, m->step + 1, m->from, m->to, source);
    for (uint32_t l = 0; l < m->n_links; l++)
      hd_text_add(text, "<path d=\"M%" PRIu32 " %" PRIu32 "h%" PRIu32 "v%dh-%" PRIu32 "z\"/>",
                  LEFT + m->step * cell, TOP + (row[s->links[m->first_link + l]] - 1) * ROW,
                  cell - 1, ROW - 1, cell - 1);
    hd_text_add(text, "</g>\n");
  }
}

void hd_schedule_svg(const struct hd_schedule *s, const struct hd_topology *t,
                     const struct hd_messages *messages, const char *title, struct hd_text *text)
{
  uint32_t *row = hd_xcalloc(hd_schedule_links(t), sizeof *row);
  uint32_t cell = s->steps > MANY_STEPS ? 4 : 20;
  uint32_t rows = rows_of(s, t, row), every = s->steps > MANY_STEPS ? 25 : 1;
  uint32_t width = LEFT + s->steps * cell + 12, least = 420;
  hd_text_add(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
              "\" font-family=\"sans-serif\" font-size=\"9\" fill=\"#222\">\n"
              "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n"
              "<text x=\"4\" y=\"14\" font-size=\"12\">",
              width > least ? width : least, TOP + rows * ROW + 24);
  hd_text_add_xml(text, title);
  hd_text_add(text, "</text>\n<text x=\"4\" y=\"29\">a column a step, a row a link, a colour the "
                    "source of a message</text>\n");
  for (uint32_t step = 1; step <= s->steps; step += step == 1 && every > 1 ? every - 1 : every)
    hd_text_add(text,
                "<text x=\"%" PRIu32 "\" y=\"%d\" text-anchor=\"middle\">%" PRIu32 "</text>\n",
                LEFT + (step - 1) * cell + cell / 2, TOP - 4, step);
  for (uint32_t link = 0; link < hd_schedule_links(t); link++) {
    char name[64];
    if (!row[link])
      continue;
    write_row_label(t, link, name, sizeof name);
    hd_text_add(text,
                "<text x=\"%d\" y=\"%" PRIu32 "\" text-anchor=\"end\">%s</text>"
                "<path d=\"M%d %" PRIu32 "h%" PRIu32 "\" stroke=\"#eee\"/>\n",
                LEFT - 4, TOP + row[link] * ROW - 3, name, LEFT, TOP + row[link] * ROW - 1,
                s->steps * cell);
  }
  add_cells(s, messages, t->n_nodes, row, cell, text);
  hd_text_add(text, "</svg>\n");
  free(row);
}
