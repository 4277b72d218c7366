/* report.json: the figures' points.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "reproduce.h"

#include "../../render/render.h"

static json_t *point_of(const struct barrier_results *r, const struct barrier_panel *p, uint32_t x,
                        enum barrier_scheme scheme, enum barrier_measure measure)
{
  struct barrier_config k = barrier_panel_config(p, scheme, x);
  struct barrier_value v = barrier_book_value(r->book, &k, measure);
  return json_pack(
      "{s:f,s:o,s:o,s:o,s:i,s:i}", "x", barrier_axis_value(p, x), "mean",
      v.n ? json_real(v.mean) : json_null(), "least", v.n ? json_real(v.least) : json_null(),
      "most", v.n ? json_real(v.most) : json_null(), "runs", (int)v.n, "endless", (int)v.endless);
}

static json_t *panel_of(const struct barrier_results *r, const struct barrier_panel *p)
{
  json_t *curves = json_array();
  for (uint32_t c = 0; c < p->n_curves; c++) {
    json_t *points = json_array();
    for (uint32_t i = 0; i < p->n_xs; i++)
      json_array_append_new(points,
                            point_of(r, p, p->xs[i], p->curves[c].scheme, p->curves[c].measure));
    json_array_append_new(
        curves, json_pack("{s:s,s:o}", "label", p->curves[c].label, "points_cycles", points));
  }
  return json_pack("{s:s,s:s,s:s,s:s,s:o}", "figure", p->figure, "panel", p->name, "title",
                   p->title, "x", barrier_axis_text(p->axis), "curves", curves);
}

json_t *barrier_json(const void *results)
{
  const struct barrier_results *r = results;
  json_t *panels = json_array();
  for (uint32_t i = 0; i < r->n_panels; i++)
    json_array_append_new(panels, panel_of(r, &r->panels[i]));
  return json_pack("{s:i,s:o}", "seeds", (int)r->book->seeds, "panels", panels);
}
