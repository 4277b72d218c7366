/* Pages of HTML: frame, tables, values, and parts of drawings. A page is one file without network.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A page is also well-formed XML. Its style and script are page.css and page.js, which the Makefile
 * puts into the library. The functions here escape all texts that they get.
 */
#ifndef HD_PAGE_H
#define HD_PAGE_H

#include "../../cmodel/error.h"
#include "../host/text.h"
#include "../host/value.h"

/** A page; all zeros is an empty one. `head` comes before the table of contents, `body` with its
 *  sections after it. */
struct hd_page {
  struct hd_text head, contents, body;
};

/** Begins a section with a heading, and adds it to the table of contents. `id` is one word. */
void hd_page_section(struct hd_page *page, const char *id, const char *title);
void hd_page_section_end(struct hd_page *page);

/** Writes the page to `path`, and escapes its title. Errors: HD_E_IO. */
int hd_page_write(const struct hd_page *page, const char *title, const char *path,
                  struct hd_error *err);

void hd_page_fini(struct hd_page *page);

/* ── text ──────────────────────────────────────────────────────────────────── */

/** Adds a paragraph; `kind` is its class, NULL: none. */
void hd_page_paragraph(struct hd_text *text, const char *kind, const char *words);
/** Adds lines as they are, such as a command to copy. */
void hd_page_lines(struct hd_text *text, const char *kind, const char *lines);
/** Adds a number with spaces between groups of digits, such as 1 234 567. */
void hd_page_count(struct hd_text *text, uint64_t n);
/** Adds a real number with as many digits as a reader needs. */
void hd_page_real(struct hd_text *text, double value);
/** Adds a tile with a number and its name to a <dl class="tiles">; `value` is escaped. */
void hd_page_tile(struct hd_text *text, const char *what, const char *value, const char *unit);

/* ── tables ────────────────────────────────────────────────────────────────── */

struct hd_page_column {
  const char *name, *unit, *help; /* unit and help may be NULL */
  bool number;                    /* aligned to the right, and sorted as numbers */
};

/** Begins a table with a caption. If `sortable`, the script lets readers sort it by a column. */
void hd_page_table(struct hd_text *text, const char *id, const char *caption,
                   const struct hd_page_column *columns, size_t n, bool sortable);
void hd_page_row(struct hd_text *text);
/** Adds the first cell of a row, which names the row. */
void hd_page_cell_name(struct hd_text *text, const char *name);
void hd_page_cell_text(struct hd_text *text, const char *words);
void hd_page_cell_count(struct hd_text *text, uint64_t n);
void hd_page_cell_real(struct hd_text *text, double value);
/** Adds a cell with a value. Without a value, the cell has the text `none` (NULL: it is empty). */
void hd_page_cell_value(struct hd_text *text, const struct hd_value *value, const char *none);
void hd_page_row_end(struct hd_text *text);
void hd_page_table_end(struct hd_text *text);

/* ── drawings ──────────────────────────────────────────────────────────────── */

/** Begins a drawing of `width` × `height` units. Title and description are for readers who
 *  cannot see it. */
void hd_svg_begin(struct hd_text *text, const char *id, double width, double height,
                  const char *title, const char *description);
void hd_svg_end(struct hd_text *text);

/** The frame of a plot inside a drawing, and the values at its edges. */
struct hd_svg_plot {
  double left, top, right, bottom;
  double x_low, x_high, y_low, y_high;
};
/** A frame for a drawing of HD_SVG_PLOT_WIDTH × HD_SVG_PLOT_HEIGHT, readable at a width of 400
 *  pixels. */
#define HD_SVG_PLOT                                    \
  (struct hd_svg_plot)                                 \
  {                                                    \
    .left = 62, .top = 34, .right = 506, .bottom = 280 \
  }
enum { HD_SVG_PLOT_WIDTH = 520, HD_SVG_PLOT_HEIGHT = 326 };
double hd_svg_x(const struct hd_svg_plot *plot, double value);
double hd_svg_y(const struct hd_svg_plot *plot, double value);

/** Returns the distance of ticks: 1, 2 or 5 times a power of ten, so that `span` has at most
 *  `most` ticks. It is at least 1 if `whole`. */
double hd_svg_step(double span, unsigned most, bool whole);

/** Draws axes with ticks and titles. */
void hd_svg_axes(struct hd_text *text, const struct hd_svg_plot *plot, const char *x_label,
                 const char *y_label, bool whole_x, bool whole_y);

/* ── curves ────────────────────────────────────────────────────────────────── */

enum { HD_PAGE_CURVES = 16 }; /* largest number of curves that a reader can distinguish */

struct hd_page_point {
  /* error: half the height of the error bar; not finite: no bar. A point whose y is not finite is
   * left out. */
  double x, y, error;
  bool marked;
};

struct hd_page_curve {
  const char *name;
  const struct hd_page_point *points; /* [n], sorted by x */
  size_t n;
};

struct hd_page_plot {
  const char *id, *title, *about; /* id: one word; about: for readers who cannot see it */
  const char *x_label, *y_label;
  const char *mark; /* meaning of a ring around a point */
  bool cut;         /* if marked points are much higher, the y axis ends above the others */
};

/** Draws a figure with at most HD_PAGE_CURVES curves and a legend. The y axis begins at 0.
 *  Returns false if there is no point; then nothing is drawn. */
bool hd_page_curves(struct hd_text *text, const struct hd_page_plot *plot,
                    const struct hd_page_curve *curves, size_t n);

#endif
