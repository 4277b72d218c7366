/* Curves over one axis: error bars, rings, and a legend.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Curves differ in colour, in the shape of their points, and from the ninth on in their dashes. So
 * a reader can distinguish them on paper, and without seeing colours.
 */
#include "page.h"

#include <float.h>
#include <math.h>

enum { COLOURS = 8, SHAPES = 4, SIZE = 4 };

/* Draws a point of a curve. It extends SIZE to each side. */
static void draw_point_shape(struct hd_text *text, size_t curve, double x, double y)
{
  switch (curve % SHAPES) {
  case 0:
    hd_text_add(text, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"", x, y, SIZE);
    return;
  case 1:
    hd_text_add(text, "<path d=\"M%.1f %.1fh%dv%dh-%dz\"", x - SIZE, y - SIZE, 2 * SIZE, 2 * SIZE,
                2 * SIZE);
    return;
  case 2:
    hd_text_add(text, "<path d=\"M%.1f %.1fl%d %dh-%dz\"", x, y - SIZE - 1, SIZE + 1, 2 * SIZE + 1,
                2 * SIZE + 2);
    return;
  default:
    hd_text_add(text, "<path d=\"M%.1f %.1fl%d %dl-%d %dl-%d -%dz\"", x, y - SIZE - 1, SIZE + 1,
                SIZE + 1, SIZE + 1, SIZE + 1, SIZE + 1, SIZE + 1);
    return;
  }
}

static void begin(struct hd_text *text, size_t curve)
{
  hd_text_add(text, "<g class=\"curve c%zu%s\">", curve % COLOURS,
              curve < COLOURS ? "" : " dashed");
}

static double error_of(const struct hd_page_point *p)
{
  return isfinite(p->error) ? fabs(p->error) : 0;
}

/* Finds the axes' range. x begins at 0 or at the smallest value, y at 0. Both end at the largest
 * value. If the y axis may be cut and marked points are much higher, it ends at twice the
 * largest unmarked value. */
static bool find_range(const struct hd_page_curve *curves, size_t n, bool *cut,
                       struct hd_svg_plot *plot)
{
  double low = DBL_MAX, high = -DBL_MAX, top = 0, plain = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < curves[i].n; k++) {
      const struct hd_page_point *p = &curves[i].points[k];
      if (!isfinite(p->x) || !isfinite(p->y))
        continue;
      low = fmin(low, p->x);
      high = fmax(high, p->x);
      top = fmax(top, p->y + error_of(p));
      plain = p->marked ? plain : fmax(plain, p->y);
    }
  if (low > high)
    return false;
  double room = high > low ? (high - low) * 0.03 : 1;
  plot->x_low = low >= 0 && low < high / 2 ? 0 : low - room;
  plot->x_high = high + room;
  *cut = *cut && plain > 0 && top > 3 * plain;
  plot->y_high = *cut ? 2 * plain : top > 0 ? top * 1.05 : 1;
  return true;
}

static void draw_error_bar(struct hd_text *text, const struct hd_svg_plot *plot,
                           const struct hd_page_point *p, double x)
{
  double error = error_of(p);
  if (!(error > 0) || p->y > plot->y_high)
    return;
  double above = hd_svg_y(plot, p->y + error), below = hd_svg_y(plot, fmax(p->y - error, 0));
  hd_text_add(text, "<path class=\"error\" d=\"M%.1f %.1fh8m-4 0V%.1fm-4 0h8\"/>", x - 4, above,
              below);
}

static void draw_curve(struct hd_text *text, const struct hd_svg_plot *plot, const char *mark,
                       const struct hd_page_curve *curve, size_t number)
{
  bool first = true;
  begin(text, number);
  hd_text_add_xml_in(text, "<title>", curve->name, "</title>");
  for (size_t k = 0; k < curve->n; k++) {
    const struct hd_page_point *p = &curve->points[k];
    if (!isfinite(p->x) || !isfinite(p->y))
      continue;
    hd_text_add(text, "%s%.1f %.1f", first ? "<path class=\"line\" d=\"M" : "L",
                hd_svg_x(plot, p->x), hd_svg_y(plot, p->y));
    first = false;
  }
  hd_text_add(text, first ? "" : "\"/>\n");
  for (size_t k = 0; k < curve->n; k++) {
    const struct hd_page_point *p = &curve->points[k];
    if (!isfinite(p->x) || !isfinite(p->y))
      continue;
    double x = hd_svg_x(plot, p->x), y = hd_svg_y(plot, p->y);
    draw_error_bar(text, plot, p, x);
    if (p->marked)
      hd_text_add(text, "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" r=\"%d\"/>", x, y,
                  2 * SIZE);
    draw_point_shape(text, number, x, y);
    hd_text_add(text, " class=\"point\"><title>");
    hd_text_add_xml(text, curve->name);
    hd_text_add(text, ": %.6g at %.6g", p->y, p->x);
    if (error_of(p) > 0)
      hd_text_add(text, ", \u00b1 %.3g", error_of(p));
    if (p->marked) {
      hd_text_add(text, ", ");
      hd_text_add_xml(text, mark);
    }
    hd_text_add(text, "</title>%s\n", number % SHAPES ? "</path>" : "</circle>");
  }
  hd_text_add(text, "</g>\n");
}

static void key(struct hd_text *text, size_t number, bool ring)
{
  hd_text_add(text, "<span><svg xmlns=\"http://www.w3.org/2000/svg\" class=\"key\" width=\"34\" "
                    "height=\"18\" aria-hidden=\"true\">");
  begin(text, number);
  hd_text_add(text, "<path class=\"line\" d=\"M1 9L33 9\"/>");
  if (ring)
    hd_text_add(text, "<circle class=\"ring\" cx=\"17\" cy=\"9\" r=\"%d\"/>", 2 * SIZE);
  draw_point_shape(text, number, 17, 9);
  hd_text_add(text, " class=\"point\"/></g></svg> ");
}

static void legend(struct hd_text *text, const char *mark, const struct hd_page_curve *curves,
                   size_t n)
{
  bool marked = false;
  hd_text_add(text, "<p class=\"legend\">");
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < curves[i].n; k++)
      marked |= curves[i].points[k].marked && isfinite(curves[i].points[k].y);
    key(text, i, false);
    hd_text_add_xml(text, curves[i].name);
    hd_text_add(text, "</span> ");
  }
  if (marked) {
    key(text, 0, true);
    hd_text_add_xml(text, mark);
    hd_text_add(text, "</span>");
  }
  hd_text_add(text, "</p>\n");
}

bool hd_page_curves(struct hd_text *text, const struct hd_page_plot *p,
                    const struct hd_page_curve *curves, size_t n)
{
  struct hd_svg_plot plot = HD_SVG_PLOT;
  n = n < HD_PAGE_CURVES ? n : HD_PAGE_CURVES;
  bool cut = p->cut;
  if (!find_range(curves, n, &cut, &plot))
    return false;
  struct hd_text y_label = {0};
  hd_text_add(&y_label, "%s%s", p->y_label, cut ? ", cut off" : "");
  hd_text_add_xml_in(text, "<figure class=\"plot\" tabindex=\"0\" role=\"region\" aria-label=\"",
                     p->title, "\">\n");
  hd_svg_begin(text, p->id, HD_SVG_PLOT_WIDTH, HD_SVG_PLOT_HEIGHT, p->title, p->about);
  hd_svg_axes(text, &plot, p->x_label, hd_text_chars(&y_label), false, false);
  if (cut)
    hd_text_add(text,
                "<clipPath id=\"%s-in\"><rect x=\"0\" y=\"%.1f\" width=\"%d\" height=\"%d\"/>"
                "</clipPath>\n<g clip-path=\"url(#%s-in)\">\n",
                p->id, plot.top, HD_SVG_PLOT_WIDTH, HD_SVG_PLOT_HEIGHT, p->id);
  for (size_t i = 0; i < n; i++)
    draw_curve(text, &plot, p->mark, &curves[i], i);
  hd_text_add(text, cut ? "</g>\n" : "");
  hd_svg_end(text);
  hd_text_fini(&y_label);
  hd_text_add(text, "</figure>\n");
  legend(text, p->mark, curves, n);
  return true;
}
