/* Latencies: a histogram, and percentiles.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "run_data.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_BINS = 64 };

static const struct percentile {
  const char *name;
  double share;
} percentiles[] = {{"50th percentile", 0.5},     {"90th percentile", 0.9},
                   {"95th percentile", 0.95},    {"99th percentile", 0.99},
                   {"99.9th percentile", 0.999}, {"99.99th percentile", 0.9999}};
enum { PERCENTILES = sizeof percentiles / sizeof *percentiles };

/* Returns the smallest latency that at least this share of the packets does not exceed (nearest
 * rank). */
static uint64_t percentile_of(const struct hd_run_data *d, uint64_t packets, double share)
{
  double rank = ceil((double)packets * share - 1e-6);
  uint64_t seen = 0;
  for (size_t i = 0; i < d->n_latencies; i++) {
    seen += d->latencies[i].packets;
    if ((double)seen >= rank)
      return d->latencies[i].cycles;
  }
  return 0;
}

static void draw_mark(struct hd_text *t, const struct hd_svg_plot *p, const char *name,
                      double value, bool whole, double y)
{
  double x = hd_svg_x(p, value);
  bool right = x > (p->left + p->right) / 2; /* the text goes to the side that has more space */
  hd_text_add(t,
              "<g class=\"mark\"><line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/><text "
              "x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s ",
              x, y, x, p->bottom, right ? x - 5 : x + 5, y + 9, right ? "end" : "start", name);
  if (whole && value < 1e15)
    hd_page_count(t, (uint64_t)value);
  else
    hd_page_real(t, value);
  hd_text_add(t, "</text></g>\n");
}

/* Draws the histogram. Its last bin holds all latencies far above the 99.9th percentile. */
static void histogram(struct hd_text *t, const struct hd_run_data *d, uint64_t packets, double mean)
{
  uint64_t least = d->latencies[0].cycles, longest = d->latencies[d->n_latencies - 1].cycles;
  uint64_t most = percentile_of(d, packets, 0.999);
  if (longest <= most + (most - least) / 4)
    most = longest;
  uint64_t width = (uint64_t)hd_svg_step((double)(most - least) + 1, MOST_BINS, true);
  uint64_t first = least / width * width, counts[MOST_BINS + 2] = {0}, beyond = 0, highest = 0;
  size_t bins = (size_t)((most - first) / width) + 1;
  for (size_t i = 0; i < d->n_latencies; i++) {
    size_t bin = (size_t)((d->latencies[i].cycles - first) / width);
    if (d->latencies[i].cycles > most)
      beyond += d->latencies[i].packets;
    else
      counts[bin] += d->latencies[i].packets;
  }
  for (size_t i = 0; i < bins; i++)
    highest = counts[i] > highest ? counts[i] : highest;
  struct hd_svg_plot p = HD_SVG_PLOT;
  p.x_low = (double)first;
  p.x_high = (double)(first + bins * width);
  p.y_high = (double)highest * 1.04;
  struct hd_text about = {0};
  hd_text_add(&about,
              "%" PRIu64 " packets, from %" PRIu64 " to %" PRIu64
              " cycles, mean %.2f, in bins of %" PRIu64
              ". The table of percentiles and latency.csv have the numbers.",
              packets, least, longest, mean, width);
  hd_text_add(t, "<figure class=\"plot\" tabindex=\"0\" role=\"region\" "
                 "aria-label=\"Histogram of latencies\">\n");
  hd_svg_begin(t, "latency-drawing", HD_SVG_PLOT_WIDTH, HD_SVG_PLOT_HEIGHT,
               "Number of packets for each latency", hd_text_chars(&about));
  hd_svg_axes(t, &p, "latency, cycles", "packets", true, true);
  hd_text_add(t, "<g class=\"bars\">\n");
  double wide = (p.right - p.left) / (double)bins;
  for (size_t i = 0; i < bins; i++) {
    if (!counts[i])
      continue;
    double y = hd_svg_y(&p, (double)counts[i]);
    hd_text_add(t,
                "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"><title>%" PRIu64
                " to %" PRIu64 " cycles: %" PRIu64 " packets</title></rect>\n",
                p.left + wide * (double)i + wide * 0.06, y, wide * 0.88, p.bottom - y,
                first + i * width, first + (i + 1) * width - 1, counts[i]);
  }
  hd_text_add(t, "</g>\n");
  draw_mark(t, &p, "mean", mean, false, p.top);
  uint64_t p99 = percentile_of(d, packets, 0.99);
  if (p99 < first + bins * width)
    draw_mark(t, &p, "99th", (double)p99, true, p.top + 16);
  hd_svg_end(t);
  hd_text_add(t, "</figure>\n");
  if (beyond) {
    hd_text_add(t,
                "<p class=\"note\">Not drawn: %" PRIu64 " packets of more than %" PRIu64
                " cycles, up to %" PRIu64 ".</p>\n",
                beyond, most, longest);
  }
  hd_text_fini(&about);
}

static void percentile_row(struct hd_text *t, const char *name, uint64_t cycles)
{
  hd_page_row(t);
  hd_page_cell_name(t, name);
  hd_page_cell_count(t, cycles);
  hd_page_row_end(t);
}

void hd_run_latency_section(struct hd_page *page, const struct hd_run_data *d)
{
  static const struct hd_page_column columns[] = {
      {.name = "of all packets"}, {.name = "latency at most", .unit = "cycles", .number = true}};
  struct hd_text *t = &page->body;
  uint64_t packets = 0;
  double sum = 0;
  for (size_t i = 0; i < d->n_latencies; i++) {
    packets += d->latencies[i].packets;
    sum += (double)d->latencies[i].cycles * (double)d->latencies[i].packets;
  }
  hd_page_section(page, "latency", "Latency");
  if (!packets) {
    hd_page_paragraph(t, "note", "No packet was measured.");
  } else {
    histogram(t, d, packets, sum / (double)packets);
    hd_page_table(t, "percentiles", "Percentiles of the latency, nearest rank", columns, 2, false);
    percentile_row(t, "shortest", d->latencies[0].cycles);
    for (int i = 0; i < PERCENTILES; i++)
      percentile_row(t, percentiles[i].name, percentile_of(d, packets, percentiles[i].share));
    percentile_row(t, "longest", d->latencies[d->n_latencies - 1].cycles);
    hd_page_table_end(t);
  }
  hd_page_section_end(page);
}
