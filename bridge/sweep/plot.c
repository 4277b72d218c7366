/* Draws a sweep by gnuplot: latency and throughput over one axis, a curve for each combination of others.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/tool_run.h"
#include "sweep_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_number(const char *text)
{
  char *end;
  strtod(text, &end);
  return end != text && !*end;
}

/* The axis to draw over: the one with most values, all of them numbers; n_axes: none. */
static uint32_t find_x(const struct hd_sweep_params *p)
{
  uint32_t best = p->n_axes, most = 1;
  for (uint32_t i = 0; i < p->n_axes; i++) {
    bool numbers = true;
    for (uint32_t v = 0; v < p->axes[i].n; v++)
      numbers = numbers && is_number(p->axes[i].values[v]);
    if (numbers && p->axes[i].n > most) {
      best = i;
      most = p->axes[i].n;
    }
  }
  return best;
}

struct drawing {
  struct hd_sweep *sweep;
  json_t *points;
};

/* Returns the point of a combination, or of the first value that was searched with it; NULL: no run has ended. */
static const json_t *point_of(const struct drawing *d, uint32_t combination)
{
  const struct hd_point *point = hd_sweep_find(d->sweep, combination, 0);
  return point && point->row ? json_array_get(d->points, point->row - 1) : NULL;
}

static bool is_saturated(const json_t *point)
{
  return 2 * json_integer_value(json_object_get(point, "saturated")) >
         json_integer_value(json_object_get(point, "seeds"));
}

/* A number for gnuplot; an interval that is not known has no bar. */
static void add_result(const json_t *point, const char *key, struct hd_text *data)
{
  const double half_width = hd_sweep_result(point, key, "ci95");
  hd_text_add(data, " %.10g %.10g", hd_sweep_result(point, key, "mean"),
              isnan(half_width) ? 0 : half_width);
}

/* The combination with value v of axis x, and the others as in `curve`. */
static uint32_t combine(const struct hd_sweep_params *p, uint32_t x, uint32_t curve, uint32_t v)
{
  uint32_t combination = 0, place = 1;
  for (uint32_t i = p->n_axes; i-- > 0;) {
    uint32_t value = v;
    if (i != x) {
      value = curve % p->axes[i].n;
      curve /= p->axes[i].n;
    }
    combination += value * place;
    place *= p->axes[i].n;
  }
  return combination;
}

static void curve_name(struct hd_sweep *s, uint32_t x, uint32_t combination, struct hd_text *text)
{
  bool any = false;
  for (uint32_t i = 0; i < s->params->n_axes; i++)
    if (i != x && s->params->axes[i].n > 1) {
      const char *path = s->params->axes[i].path, *dot = strrchr(path, '.');
      hd_text_add(text, "%s%s %s", any ? ", " : "", dot ? dot + 1 : path,
                  hd_sweep_value(s, combination, i));
      any = true;
    }
  if (!any)
    hd_text_add(text, "%s", s->name);
}

/* A block of data: x, latency, its interval, accepted, its interval, saturated. */
static void add_curve(const struct drawing *d, uint32_t x, uint32_t curve, struct hd_text *data)
{
  const struct hd_sweep_params *p = d->sweep->params;
  hd_text_add(data, "\"");
  struct hd_text name = {0};
  curve_name(d->sweep, x, combine(p, x, curve, 0), &name);
  for (const char *c = hd_text_chars(&name); *c; c++)
    hd_text_add(data, "%c", *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? ' ' : *c);
  hd_text_fini(&name);
  hd_text_add(data, "\"\n");
  for (uint32_t v = 0; v < p->axes[x].n; v++) {
    const json_t *point = point_of(d, combine(p, x, curve, v));
    if (isnan(hd_sweep_result(point, "latency.mean", "mean")))
      continue;
    hd_text_add(data, "%s", p->axes[x].values[v]);
    add_result(point, "latency.mean", data);
    add_result(point, "throughput", data);
    hd_text_add(data, " %d\n", is_saturated(point));
  }
  hd_text_add(data, "\n\n");
}

/* A width of 400 pixels leaves letters of 10. */
#define SIZE "size 800,1000 font ',20'"

static const char script[] =
    "set datafile columnheaders; set key top left reverse Left samplen 2 opaque;"
    "set grid lc rgb '#dddddd'; set border 3; set tics nomirror; set multiplot layout 2,1;"
    "set ylabel LATENCY; set yrange [0:*]; if (TOP > 0) { set yrange [0:TOP] };"
    "plot for [i=0:CURVES-1] 'sweep.dat' index i using 1:2:3 with yerrorlines lw 2.5 ps 1 "
    "pt 7-2*(i%2)+2*(i%4/2) lc i+1 title columnheader(1),"
    " for [i=0:CURVES-1] 'sweep.dat' index i using 1:($6 > 0 ? $2 : NaN) with points pt 6 ps 2.5 "
    "lw 2 lc i+1 title (i == 0 ? 'saturated' : '');"
    "set yrange [0:*]; set ylabel 'accepted, flits/node/cycle'; set xlabel XLABEL;"
    "plot for [i=0:CURVES-1] 'sweep.dat' index i using 1:4:5 with yerrorlines lw 2.5 ps 1 "
    "pt 7-2*(i%2)+2*(i%4/2) lc i+1 notitle,"
    " for [i=0:CURVES-1] 'sweep.dat' index i using 1:($6 > 0 ? $4 : NaN) with points pt 6 ps 2.5 "
    "lw 2 lc i+1 notitle;"
    "unset multiplot";

/* Latency beyond saturation says how long the run was, and leaves nothing of the rest to be seen: the axis ends
 * above the points that are not saturated. 0: it has room for all. */
static double latency_top(const struct drawing *d)
{
  double borne = 0, most = 0;
  for (uint32_t i = 0; i < d->sweep->combinations; i++) {
    const json_t *point = point_of(d, i);
    const double latency = hd_sweep_result(point, "latency.mean", "mean");
    if (!is_saturated(point))
      borne = fmax(borne, latency); /* of a number and NaN, the number */
    most = fmax(most, latency);
  }
  return borne > 0 && most > 2 * borne ? 2 * borne : 0;
}

static int draw(const struct drawing *d, const char *directory, const char *terminal,
                const char *file, const char *x, uint32_t curves, struct hd_error *err)
{
  const double top = latency_top(d);
  struct hd_text text = {0};
  int code = 0;
  hd_text_add(&text,
              "set terminal %s; set output '%s'; CURVES = %u; TOP = %.10g; "
              "LATENCY = 'mean latency, cycles%s'; XLABEL = '",
              terminal, file, (unsigned)curves, top, top > 0 ? ", cut off" : "");
  for (const char *c = x; *c; c++)
    hd_text_add(&text, "%c", *c == '\'' || *c == '\\' ? ' ' : *c);
  hd_text_add(&text, "'; set xlabel noenhanced; set key noenhanced; %s", script);
  const char *const argv[] = {"gnuplot", "-e", hd_text_chars(&text), NULL};
  const struct hd_tool tool = {.argv = argv, .package = "gnuplot-nox", .directory = directory};
  int status = hd_tool_run(&tool, &code, err);
  hd_text_fini(&text);
  if (!status && code)
    status =
        hd_fail(err, HD_E_TOOL, "gnuplot ended with exit code %d on %s/sweep.dat", code, directory);
  return status;
}

static int write_data(const struct drawing *d, uint32_t x, uint32_t curves, const char *directory,
                      struct hd_error *err)
{
  struct hd_text data = {0};
  for (uint32_t curve = 0; curve < curves; curve++)
    add_curve(d, x, curve, &data);
  return hd_text_write(directory, "sweep.dat", &data, err);
}

int hd_sweep_plot(struct hd_sweep *sweep, const char *directory, struct hd_error *err)
{
  struct drawing d = {.sweep = sweep};
  const struct hd_sweep_params *p = sweep->params;
  uint32_t x = find_x(p);
  if (x == p->n_axes)
    return hd_fail(err, HD_E_INPUT, "nothing to draw: no axis has two numbers");
  uint32_t curves = sweep->combinations / p->axes[x].n;
  int status = hd_sweep_points(sweep, directory, &d.points, err);
  if (!status)
    status = write_data(&d, x, curves, directory, err);
  if (!status)
    status =
        draw(&d, directory, HD_GNUPLOT_SVG " " SIZE, "sweep.svg", p->axes[x].path, curves, err);
  if (!status)
    status = draw(&d, directory, "pngcairo " SIZE, "sweep.png", p->axes[x].path, curves, err);
  json_decref(d.points);
  return status;
}
