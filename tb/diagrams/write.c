/* A diagram as WaveDrom source and as a picture.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The picture is drawn from the same cells as the source, lanes and boxes only. It brings its own
 * ground and both colour schemes, so it can be read on a light and on a dark page.
 */
#include "diagram.h"

#include <string.h>

char diagram_wave(const struct row *r, uint32_t c)
{
  const struct cell *cell = &r->cells[c], *before = c ? cell - 1 : NULL;
  bool same = before && before->kind == cell->kind && before->colour == cell->colour &&
              !strcmp(before->text, cell->text);
  if (same && (cell->kind != CELL_TEXT || r->holds))
    return '.';
  return cell->kind == CELL_NONE ? 'z' : cell->colour;
}

/* ── WaveDrom ───────────────────────────────────────────────────────────────── */

static void json_text(FILE *f, const char *text)
{
  fputc('"', f);
  for (; *text; text++)
    fprintf(f, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputc('"', f);
}

void diagram_write_json(const struct diagram *d, FILE *f)
{
  fputs("{\"signal\": [\n", f);
  for (uint32_t i = 0; i < d->n_rows; i++) {
    const struct row *r = &d->rows[i];
    bool some = false;
    fputs("  {", f);
    if (r->label[0]) {
      fputs("\"name\": ", f);
      json_text(f, r->label);
    }
    if (r->kind != ROW_GAP) {
      fputs(", \"wave\": \"", f);
      for (uint32_t c = 0; c < d->cycles; c++)
        fputc(diagram_wave(r, c), f);
      fputc('"', f);
      for (uint32_t c = 0; c < d->cycles; c++)
        if (r->cells[c].kind == CELL_TEXT && diagram_wave(r, c) != '.') {
          fputs(some ? ", " : ", \"data\": [", f);
          json_text(f, r->cells[c].text);
          some = true;
        }
      if (some)
        fputc(']', f);
    }
    fprintf(f, "}%s\n", i + 1 < d->n_rows ? "," : "");
  }
  fputs("],\n\"head\": {\"text\": ", f);
  json_text(f, d->title);
  fputs(", \"tick\": 0},\n", f);
  if (d->note[0]) {
    fputs("\"foot\": {\"text\": ", f);
    json_text(f, d->note);
    fputs("},\n", f);
  }
  fputs("\"config\": {\"hscale\": 1}}\n", f);
}

/* ── SVG ────────────────────────────────────────────────────────────────────── */

enum { LANE = 26, BOX = 20, GAP = 12, TOP = 52, NARROWEST = 32 };

/* Pixels of a text of 12: characters, not bytes. */
static uint32_t width(const char *text)
{
  uint32_t n = 0;
  for (; *text; text++)
    n += (*text & 0xc0) != 0x80;
  return (n * 29 + 3) / 4;
}

static void svg_text(FILE *f, uint32_t x, uint32_t y, const char *class, const char *text)
{
  fprintf(f, "<text x=\"%u\" y=\"%u\"%s%s%s>", x, y, *class ? " class=\"" : "", class,
          *class ? "\"" : "");
  for (; *text; text++)
    if (*text == '<' || *text == '&')
      fputs(*text == '<' ? "&lt;" : "&amp;", f);
    else
      fputc(*text, f);
  fputs("</text>\n", f);
}

/* Cycles for which the cell at `c` holds. */
static uint32_t lasts(const struct diagram *d, const struct row *r, uint32_t c)
{
  uint32_t n = 1;
  while (c + n < d->cycles && diagram_wave(r, c + n) == '.')
    n++;
  return n;
}

/* A line for bits: low, high, and dashes between where nothing is there; boxes for what has text. */
static void svg_row(const struct diagram *d, const struct row *r, FILE *f, uint32_t left,
                    uint32_t cycle, uint32_t y)
{
  uint32_t level = 0;
  bool line = false;
  for (uint32_t c = 0, n; c < d->cycles; c += n) {
    const struct cell *cell = &r->cells[c];
    uint32_t x = left + c * cycle;
    n = lasts(d, r, c);
    if (cell->kind == CELL_BIT) {
      uint32_t to = cell->colour == '1' ? y + 4 : y + LANE - 4;
      fprintf(f, line ? "V%uH%u" : "<path class=\"b\" d=\"M%u %u", line ? to : x,
              line ? x + n * cycle : to);
      if (!line)
        fprintf(f, "H%u", x + n * cycle);
      line = true;
      level = to;
    }
  }
  if (line && level)
    fputs("\"/>\n", f);
  for (uint32_t c = 0, n; c < d->cycles; c += n) {
    const struct cell *cell = &r->cells[c];
    uint32_t x = left + c * cycle;
    n = lasts(d, r, c);
    if (cell->kind == CELL_NONE)
      fprintf(f, "<path class=\"z\" d=\"M%u %uH%u\"/>\n", x, y + LANE / 2, x + n * cycle);
    if (cell->kind != CELL_TEXT)
      continue;
    fprintf(f, "<rect class=\"c%c\" x=\"%u.5\" y=\"%u.5\" width=\"%u\" height=\"%u\" rx=\"4\"/>\n",
            cell->colour, x + 1, y + (LANE - BOX) / 2, n * cycle - 3, BOX - 1);
    svg_text(f, x + n * cycle / 2, y + LANE / 2 + 4, "", cell->text);
  }
}

static void svg_style(FILE *f)
{
  fputs("<style>\n"
        "text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;"
        "text-anchor:middle;fill:#1f2328}\n"
        ".n{text-anchor:end}.h{text-anchor:start;font-weight:bold}.t{font-size:11px;fill:#59636e}"
        ".f{text-anchor:start;font-size:11px;fill:#59636e}\n"
        ".g{fill:#fff}.k{stroke:#e3e7eb}.b{fill:none;stroke:#1f2328;stroke-width:1.5}"
        ".z{stroke:#9aa4ae;stroke-dasharray:1 3}\n"
        "rect{stroke:#59636e}.c2{fill:#f6f8fa}.c3{fill:#fff3bf}.c4{fill:#ffd8b5}.c5{fill:#cfe5ff}"
        ".c6{fill:#cdefd3}.c7{fill:#e2d6f9}.c8{fill:#e4e7eb}.c9{fill:#ffd6d6}.g{stroke:none}\n"
        "@media (prefers-color-scheme:dark){text{fill:#e6edf3}.t,.f{fill:#9aa4ae}.g{fill:#0d1117}"
        ".k{stroke:#242b33}.b{stroke:#e6edf3}.z{stroke:#6e7781}rect{stroke:#8b949e}"
        ".c2{fill:#21262d}.c3{fill:#5a4a00}.c4{fill:#6b3a10}.c5{fill:#123f73}.c6{fill:#14532d}"
        ".c7{fill:#432c7a}.c8{fill:#30363d}.c9{fill:#6e1f1f}}\n"
        "</style>\n",
        f);
}

void diagram_write_svg(const struct diagram *d, FILE *f)
{
  uint32_t cycle = NARROWEST, left = 0, y = TOP, height = TOP;
  for (uint32_t i = 0; i < d->n_rows; i++) {
    const struct row *r = &d->rows[i];
    for (uint32_t c = 0, n; c < d->cycles; c += n) {
      n = lasts(d, r, c);
      uint32_t need = (width(r->cells[c].text) + 10 + n - 1) / n;
      cycle = r->cells[c].kind == CELL_TEXT && need > cycle ? need : cycle;
    }
    if (r->kind != ROW_GAP && width(r->label) > left)
      left = width(r->label);
    height += r->kind == ROW_GAP && !r->label[0] ? GAP : LANE;
  }
  left += 24;
  uint32_t right = left + d->cycles * cycle, bottom = height;
  uint32_t wide = right + 12;
  if (width(d->title) + 24 > wide)
    wide = width(d->title) + 24;
  if (width(d->note) + 24 > wide)
    wide = width(d->note) + 24;
  height += d->note[0] ? 30 : 12;
  fprintf(f,
          "<!-- Made by `make diagrams` from tb/diagrams/%s.txt. -->\n"
          "<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" "
          "viewBox=\"0 0 %u %u\">\n",
          d->name, wide, height, wide, height);
  svg_style(f);
  fprintf(f, "<rect class=\"g\" width=\"%u\" height=\"%u\" rx=\"6\"/>\n", wide, height);
  svg_text(f, 12, 20, "h", d->title);
  svg_text(f, left - 12, TOP - 10, "n t", "cycle");
  for (uint32_t c = 0; c <= d->cycles; c++) {
    char text[12];
    fprintf(f, "<path class=\"k\" d=\"M%u.5 %uV%u\"/>\n", left + c * cycle, TOP - 4, bottom);
    snprintf(text, sizeof text, "%u", c);
    if (c < d->cycles)
      svg_text(f, left + c * cycle + cycle / 2, TOP - 10, "t", text);
  }
  for (uint32_t i = 0; i < d->n_rows; i++) {
    const struct row *r = &d->rows[i];
    bool small = r->kind == ROW_GAP && !r->label[0];
    if (r->kind == ROW_GAP && !small)
      svg_text(f, 12, y + LANE / 2 + 5, "h", r->label);
    if (r->kind != ROW_GAP) {
      svg_text(f, left - 12, y + LANE / 2 + 4, "n", r->label);
      svg_row(d, r, f, left, cycle, y);
    }
    y += small ? GAP : LANE;
  }
  if (d->note[0])
    svg_text(f, 12, bottom + 18, "f", d->note);
  fputs("</svg>\n", f);
}
