/* Pages of HTML: frame, tables, values, and the parts of drawings. One file, no network, no build.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A page is also well-formed XML. Its style and script are page.css and page.js; the Makefile puts them
 * into the library. Whatever text is handed over is escaped here.
 */
#ifndef HD_PAGE_H
#define HD_PAGE_H

#include "../../cmodel/error.h"
#include "../host/text.h"
#include "../host/value.h"

/** A page. Zeroed means empty. `head` stands above the table of contents, `body` below it, in
 *  sections. */
struct hd_page {
  struct hd_text head, contents, body;
};

/** A section with a heading; the table of contents takes it from here. `id`: a word. */
void hd_page_section(struct hd_page *page, const char *id, const char *title);
void hd_page_section_end(struct hd_page *page);

/** Writes the page, its title escaped, to `path`. HD_E_IO. */
int hd_page_write(const struct hd_page *page, const char *title, const char *path,
                  struct hd_error *err);

void hd_page_fini(struct hd_page *page);

/* ── text ──────────────────────────────────────────────────────────────────── */

/** Adds "<p>" with a text; `kind` is its class, NULL: none. */
void hd_page_paragraph(struct hd_text *text, const char *kind, const char *words);
/** Adds lines unchanged, for example a command to copy. */
void hd_page_lines(struct hd_text *text, const char *kind, const char *lines);
/** 1 234 567 */
void hd_page_count(struct hd_text *text, uint64_t n);
/** A real with as many digits as people read. */
void hd_page_real(struct hd_text *text, double value);
/** Adds a tile with a number and its name; `value` is escaped. Tiles are in a <dl class="tiles">.
 */
void hd_page_tile(struct hd_text *text, const char *what, const char *value, const char *unit);

/* ── tables ────────────────────────────────────────────────────────────────── */

struct hd_page_column {
  const char *name, *unit, *help; /* unit, help: NULL for none */
  bool number;                    /* to the right, and sorted as numbers */
};

/** A table with a caption. The script lets readers sort it by a column where `sortable`. */
void hd_page_table(struct hd_text *text, const char *id, const char *caption,
                   const struct hd_page_column *columns, size_t n, bool sortable);
void hd_page_row(struct hd_text *text);
/** The first cell of a row, which names it. */
void hd_page_cell_name(struct hd_text *text, const char *name);
void hd_page_cell_text(struct hd_text *text, const char *words);
void hd_page_cell_count(struct hd_text *text, uint64_t n);
void hd_page_cell_real(struct hd_text *text, double value);
/** A cell with a value. Where there is no value, `none` says why (NULL: an empty cell). */
void hd_page_cell_value(struct hd_text *text, const struct hd_value *value, const char *none);
void hd_page_row_end(struct hd_text *text);
void hd_page_table_end(struct hd_text *text);

/* ── drawings ──────────────────────────────────────────────────────────────── */

/** A drawing of `width` × `height` units with a title and a description for those who do not see it. */
void hd_svg_begin(struct hd_text *text, const char *id, double width, double height,
                  const char *title, const char *description);
void hd_svg_end(struct hd_text *text);

/** A plot's frame inside of a drawing, and the values at its edges. */
struct hd_svg_plot {
  double left, top, right, bottom;
  double x_low, x_high, y_low, y_high;
};
/** A plot that can be read at a width of 400 pixels, and the size of its drawing. */
#define HD_SVG_PLOT                                    \
  (struct hd_svg_plot)                                 \
  {                                                    \
    .left = 62, .top = 34, .right = 506, .bottom = 280 \
  }
enum { HD_SVG_PLOT_WIDTH = 520, HD_SVG_PLOT_HEIGHT = 326 };
double hd_svg_x(const struct hd_svg_plot *plot, double value);
double hd_svg_y(const struct hd_svg_plot *plot, double value);

/** Returns the step of ticks: 1, 2 or 5 times a power of ten, so that `span` has at most `most`
 * ticks. At least 1 if `whole`. */
double hd_svg_step(double span, unsigned most, bool whole);

/** Draws axes with ticks and titles. */
void hd_svg_axes(struct hd_text *text, const struct hd_svg_plot *plot, const char *x_label,
                 const char *y_label, bool whole_x, bool whole_y);

/* ── curves ────────────────────────────────────────────────────────────────── */

enum { HD_PAGE_CURVES = 16 }; /* most curves that a reader can distinguish */

struct hd_page_point {
  double x, y,
      error; /* error: half of the bar; not finite: none. A y that is not finite is left out */
  bool marked;
};

struct hd_page_curve {
  const char *name;
  const struct hd_page_point *points; /* [n], by x */
  size_t n;
};

struct hd_page_plot {
  const char *id, *title, *about; /* a word; for those who do not see it */
  const char *x_label, *y_label;
  const char *mark; /* the meaning of a ring around a point */
  bool cut;         /* where marked points are much higher, the axis ends above the others */
};

/** Draws a figure with at most HD_PAGE_CURVES curves over one axis, from 0 up, and a legend. False:
 *  there is no point, and nothing is drawn. */
bool hd_page_curves(struct hd_text *text, const struct hd_page_plot *plot,
                    const struct hd_page_curve *curves, size_t n);

#endif
