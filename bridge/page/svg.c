/* The parts of drawings: their frame, and axes.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "page.h"

#include <math.h>

enum { X_TICKS = 8, Y_TICKS = 5 };

void hd_svg_begin(struct hd_text *text, const char *id, double width, double height,
                  const char *title, const char *description)
{
  hd_text_add(text,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"%s\" viewBox=\"0 0 %.0f %.0f\" "
              "width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-labelledby=\"%s-t %s-d\">\n"
              "<title id=\"%s-t\">",
              id, width, height, width, height, id, id, id);
  hd_text_add_xml(text, title);
  hd_text_add(text, "</title>\n<desc id=\"%s-d\">", id);
  hd_text_add_xml(text, description);
  hd_text_add(text, "</desc>\n");
}

void hd_svg_end(struct hd_text *text)
{
  hd_text_add(text, "</svg>\n");
}

static double between(double value, double low, double high, double from, double to)
{
  return high > low ? from + (value - low) / (high - low) * (to - from) : from;
}

double hd_svg_x(const struct hd_svg_plot *p, double value)
{
  return between(value, p->x_low, p->x_high, p->left, p->right);
}

double hd_svg_y(const struct hd_svg_plot *p, double value)
{
  return between(value, p->y_low, p->y_high, p->bottom, p->top);
}

double hd_svg_step(double span, unsigned most, bool whole)
{
  static const double steps[] = {1, 2, 5, 10};
  double least = span / (most ? most : 1);
  if (!(least > 0) || (whole && least < 1))
    return 1;
  double power = pow(10, floor(log10(least)));
  int i = 0;
  while (i < 3 && steps[i] * power < least * (1 - 1e-9))
    i++;
  return steps[i] * power;
}

static void tick_text(struct hd_text *text, double value, double step)
{
  if (!(value < 1e15) || value < 0) /* the database may come from anyone */
    hd_text_add(text, "%.3g", value);
  else if (step >= 1)
    hd_page_count(text, (uint64_t)(value + 0.5));
  else
    hd_text_add(text, "%.*f", (int)ceil(-log10(step) - 1e-9), value);
}

void hd_svg_axes(struct hd_text *text, const struct hd_svg_plot *p, const char *x_label,
                 const char *y_label, bool whole_x, bool whole_y)
{
  double step = hd_svg_step(p->x_high - p->x_low, X_TICKS, whole_x), first = ceil(p->x_low / step);
  hd_text_add(text, "<g class=\"axis\" aria-hidden=\"true\">\n");
  for (int i = 0; i <= X_TICKS && (first + i) * step <= p->x_high + step * 1e-6; i++) {
    double v = (first + i) * step, x = hd_svg_x(p, v);
    hd_text_add(text,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/><text x=\"%.1f\" "
                "y=\"%.1f\" text-anchor=\"middle\">",
                x, p->bottom, x, p->bottom + 5, x, p->bottom + 19);
    tick_text(text, v, step);
    hd_text_add(text, "</text>\n");
  }
  step = hd_svg_step(p->y_high - p->y_low, Y_TICKS, whole_y);
  first = ceil(p->y_low / step);
  for (int i = 0; i <= Y_TICKS && (first + i) * step <= p->y_high + step * 1e-6; i++) {
    double v = (first + i) * step, y = hd_svg_y(p, v);
    hd_text_add(text,
                "<line class=\"grid\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/><text "
                "x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">",
                p->left, y, p->right, y, p->left - 7, y + 4);
    tick_text(text, v, step);
    hd_text_add(text, "</text>\n");
  }
  hd_text_add(text, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", p->left, p->bottom,
              p->right, p->bottom);
  hd_text_add(text, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">",
              (p->left + p->right) / 2, p->bottom + 38);
  hd_text_add_xml(text, x_label);
  hd_text_add(text, "</text>\n<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", p->left - 44.0,
              p->top - 12);
  hd_text_add_xml(text, y_label);
  hd_text_add(text, "</text>\n</g>\n");
}
