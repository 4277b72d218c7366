/* Pages of HTML: frame, text and tables.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "page.h"

#include "../host/file.h"
#include "page_internal.h"

#include <inttypes.h>
#include <math.h>

void hd_page_section(struct hd_page *page, const char *id, const char *title)
{
  hd_text_add(&page->contents, "<li><a href=\"#%s\">", id);
  hd_text_add_xml(&page->contents, title);
  hd_text_add(&page->contents, "</a></li>\n");
  hd_text_add(&page->body, "<section id=\"%s\" aria-labelledby=\"%s-h\">\n<h2 id=\"%s-h\">", id, id,
              id);
  hd_text_add_xml(&page->body, title);
  hd_text_add(&page->body, "</h2>\n");
}

void hd_page_section_end(struct hd_page *page)
{
  hd_text_add(&page->body, "</section>\n");
}

int hd_page_write(const struct hd_page *page, const char *title, const char *path,
                  struct hd_error *err)
{
  struct hd_text text = {0};
  /* The policy forbids network access, which shows readers that the page needs none. */
  hd_text_add(&text, "<!DOCTYPE html>\n"
                     "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\" />\n"
                     "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                     "style-src 'unsafe-inline'; script-src 'unsafe-inline'\" />\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n"
                     "<meta name=\"color-scheme\" content=\"light dark\" />\n"
                     "<meta name=\"generator\" content=\"Heddle\" />\n<title>");
  hd_text_add_xml(&text, title);
  hd_text_add(&text, "</title>\n<style>\n%s</style>\n</head>\n<body>\n", hd_page_css);
  hd_text_add(&text, "<a class=\"skip\" href=\"#main\">To the results</a>\n<header>\n%s</header>\n",
              hd_text_chars(&page->head));
  hd_text_add(&text, "<nav aria-label=\"Contents\"><ul>\n%s</ul></nav>\n<main id=\"main\">\n",
              hd_text_chars(&page->contents));
  hd_text_add(&text, "%s</main>\n", hd_text_chars(&page->body));
  /* For readers of XML, these marks make the script plain characters. For readers of HTML, they
   * are comments of the script. */
  hd_text_add(&text, "<script>\n//<![CDATA[\n%s//]]>\n</script>\n</body>\n</html>\n", hd_page_js);
  return hd_text_write(NULL, path, &text, err);
}

void hd_page_fini(struct hd_page *page)
{
  hd_text_fini(&page->head);
  hd_text_fini(&page->contents);
  hd_text_fini(&page->body);
}

/* ── text ──────────────────────────────────────────────────────────────────── */

static void open_element(struct hd_text *text, const char *name, const char *kind)
{
  if (kind)
    hd_text_add(text, "<%s class=\"%s\">", name, kind);
  else
    hd_text_add(text, "<%s>", name);
}

void hd_page_paragraph(struct hd_text *text, const char *kind, const char *words)
{
  open_element(text, "p", kind);
  hd_text_add_xml(text, words);
  hd_text_add(text, "</p>\n");
}

void hd_page_lines(struct hd_text *text, const char *kind, const char *lines)
{
  hd_text_add(text, "<pre tabindex=\"0\"%s%s%s>", kind ? " class=\"" : "", kind ? kind : "",
              kind ? "\"" : "");
  hd_text_add_xml(text, lines);
  hd_text_add(text, "</pre>\n");
}

void hd_page_count(struct hd_text *text, uint64_t n)
{
  if (n >= 1000) {
    hd_page_count(text, n / 1000);
    hd_text_add(text, "\u202f%03u", (unsigned)(n % 1000));
  } else {
    hd_text_add(text, "%u", (unsigned)n);
  }
}

void hd_page_real(struct hd_text *text, double value)
{
  double size = fabs(value);
  if (size >= 1000 && size < 1e15) {
    hd_text_add(text, "%s", value < 0 ? "\u2212" : "");
    hd_page_count(text, (uint64_t)(size + 0.5));
  } else {
    hd_text_add(text, "%.*f", size >= 100 ? 1 : size >= 1 || size == 0 ? 2 : 4, value);
  }
}

void hd_page_tile(struct hd_text *text, const char *what, const char *value, const char *unit)
{
  hd_text_add_xml_in(text, "<div><dt>", what, "</dt><dd>");
  hd_text_add_xml(text, value);
  if (unit)
    hd_text_add_xml_in(text, " <small>", unit, "</small>");
  hd_text_add(text, "</dd></div>\n");
}

/* ── tables ────────────────────────────────────────────────────────────────── */

void hd_page_table(struct hd_text *text, const char *id, const char *caption,
                   const struct hd_page_column *columns, size_t n, bool sortable)
{
  hd_text_add(text, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
  hd_text_add_xml(text, caption);
  hd_text_add(text, "\">\n<table id=\"%s\"%s>\n<caption>", id, sortable ? " class=\"sort\"" : "");
  hd_text_add_xml(text, caption);
  hd_text_add(text, "</caption>\n<thead><tr>");
  for (size_t i = 0; i < n; i++) {
    const struct hd_page_column *c = &columns[i];
    hd_text_add(text, "<th scope=\"col\"%s", c->number ? " class=\"n\"" : "");
    if (c->help)
      hd_text_add_xml_in(text, " title=\"", c->help, "\"");
    hd_text_add(text, ">");
    hd_text_add_xml(text, c->name);
    if (c->unit)
      hd_text_add_xml_in(text, " <small>", c->unit, "</small>");
    hd_text_add(text, "</th>");
  }
  hd_text_add(text, "</tr></thead>\n<tbody>\n");
}

void hd_page_row(struct hd_text *text)
{
  hd_text_add(text, "<tr>");
}

void hd_page_cell_name(struct hd_text *text, const char *name)
{
  hd_text_add_xml_in(text, "<th scope=\"row\">", name, "</th>");
}

void hd_page_cell_text(struct hd_text *text, const char *words)
{
  hd_text_add_xml_in(text, "<td>", words, "</td>");
}

void hd_page_cell_count(struct hd_text *text, uint64_t n)
{
  hd_text_add(text, "<td class=\"n\">%" PRIu64 "</td>", n);
}

void hd_page_cell_real(struct hd_text *text, double value)
{
  hd_text_add(text, "<td class=\"n\" data-v=\"%.15g\">", value);
  hd_page_real(text, value);
  hd_text_add(text, "</td>");
}

void hd_page_cell_value(struct hd_text *text, const struct hd_value *v, const char *none)
{
  if (!hd_value_is(v)) {
    hd_text_add(text, "<td class=\"none\"%s%s", none ? " title=\"" : "", none ? "" : ">");
    if (none) {
      hd_text_add_xml(text, none);
      hd_text_add_xml_in(text, "\">\u2013<span class=\"v\"> ", none, "</span>");
    }
    hd_text_add(text, "</td>");
  } else if (v->type == HD_VALUE_COUNT) {
    hd_page_cell_count(text, v->number);
  } else if (v->type == HD_VALUE_REAL) {
    hd_page_cell_real(text, v->real);
  } else if (v->type == HD_VALUE_FLAG) {
    hd_text_add(text, "<td data-v=\"%s\">%s</td>", v->flag ? "true" : "false",
                v->flag ? "yes" : "no");
  } else {
    struct hd_text words = {0};
    hd_value_add(v, &words);
    hd_page_cell_text(text, hd_text_chars(&words));
    hd_text_fini(&words);
  }
}

void hd_page_row_end(struct hd_text *text)
{
  hd_text_add(text, "</tr>\n");
}

void hd_page_table_end(struct hd_text *text)
{
  hd_text_add(text, "</tbody>\n</table>\n</div>\n");
}
