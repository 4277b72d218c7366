/* Draws sweeps by gnuplot: latency and accepted load over one key, in curves.
 * SPDX-License-Identifier: Apache-2.0
 *
 * All data of a sweep comes from its sweep.json, so one figure can have curves of several sweeps.
 * The script and its data stay beside the figure, so that an author can change the script.
 */
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/tool_run.h"
#include "../scenario/scenario_keys.h"
#include "sweep_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point of a curve. */
struct dot {
  double x;
  const json_t *point;
};

struct curve {
  struct hd_text name;
  struct dot *dots; /* [n], sorted by x */
  size_t n, capacity;
};

struct figure {
  const char *x; /* key of the x axis */
  json_t **sweeps;
  size_t n_sweeps;
  struct curve *curves; /* [n], in the order of their first points */
  size_t n, capacity;
};

/* ── curves ───────────────────────────────────────────────────────────────── */

static size_t numbers_of(const json_t *axis)
{
  const json_t *values = json_object_get(axis, "values");
  size_t n = 0;
  for (size_t i = 0; i < json_array_size(values); i++)
    n += json_is_number(json_array_get(values, i));
  return n == json_array_size(values) ? n : 0;
}

/* Finds the key of the x axis: the searched key; without a search, the axis with the most values
 * if all are numbers. NULL: there is none. */
static const char *find_x(const json_t *sweep)
{
  const json_t *axes = json_object_get(sweep, "axes");
  const char *best = json_string_value(json_object_get(sweep, "searched"));
  size_t most = best ? HD_SWEEP_VALUES : 1;
  for (size_t i = 0; i < json_array_size(axes); i++) {
    const json_t *axis = json_array_get(axes, i);
    if (numbers_of(axis) > most) {
      best = json_string_value(json_object_get(axis, "key"));
      most = numbers_of(axis);
    }
  }
  return best;
}

static void add_value(struct hd_text *text, const json_t *value)
{
  if (json_is_string(value))
    hd_text_add(text, "%s", json_string_value(value));
  else
    hd_text_add(text, "%.6g", json_number_value(value));
}

/* Adds the name of a point's curve: its values on the axes that have several values. With
 * several sweeps, the sweep's name comes first. */
static void name_curve(const struct figure *f, const json_t *sweep, const json_t *point,
                       struct hd_text *text)
{
  const json_t *axes = json_object_get(sweep, "axes");
  const char *name = json_string_value(json_object_get(sweep, "name"));
  hd_text_add(text, "%s", f->n_sweeps > 1 ? name : "");
  for (size_t i = 0; i < json_array_size(axes); i++) {
    const json_t *axis = json_array_get(axes, i);
    const char *key = json_string_value(json_object_get(axis, "key")), *dot = strrchr(key, '.');
    if (!strcmp(key, f->x) || json_array_size(json_object_get(axis, "values")) < 2)
      continue;
    hd_text_add(text, "%s%s ", text->length ? ", " : "", dot ? dot + 1 : key);
    add_value(text, json_object_get(point, key));
  }
  if (!text->length)
    hd_text_add(text, "%s", name);
}

static struct curve *curve_of(struct figure *f, struct hd_text *name, size_t first)
{
  for (size_t i = first; i < f->n; i++)
    if (!strcmp(hd_text_chars(&f->curves[i].name), hd_text_chars(name))) {
      hd_text_fini(name);
      return &f->curves[i];
    }
  HD_XROOM(f->curves, f->capacity, f->n, 1);
  f->curves[f->n] = (struct curve){.name = *name};
  return &f->curves[f->n++];
}

static int by_x(const void *a, const void *b)
{
  const double x = ((const struct dot *)a)->x, y = ((const struct dot *)b)->x;
  return (x > y) - (x < y);
}

static void add_sweep(struct figure *f, const json_t *sweep)
{
  const json_t *points = json_object_get(sweep, "points");
  const size_t first = f->n;
  for (size_t i = 0; i < json_array_size(points); i++) {
    const json_t *point = json_array_get(points, i), *x = json_object_get(point, f->x);
    struct hd_text name = {0};
    if (!json_is_number(x) || isnan(hd_sweep_result(point, "latency.mean", "mean")))
      continue;
    name_curve(f, sweep, point, &name);
    struct curve *c = curve_of(f, &name, first);
    HD_XROOM(c->dots, c->capacity, c->n, 1);
    c->dots[c->n++] = (struct dot){json_number_value(x), point};
  }
  for (size_t i = first; i < f->n; i++)
    qsort(f->curves[i].dots, f->curves[i].n, sizeof *f->curves[i].dots, by_x);
}

static void figure_fini(struct figure *f)
{
  for (size_t i = 0; i < f->n; i++) {
    hd_text_fini(&f->curves[i].name);
    free(f->curves[i].dots);
  }
  free(f->curves);
  for (size_t i = 0; i < f->n_sweeps; i++)
    json_decref(f->sweeps[i]);
  free(f->sweeps);
}

/* ── data ─────────────────────────────────────────────────────────────────── */

static bool has_verdict(const json_t *point, const char *verdict)
{
  const char *text = json_string_value(json_object_get(point, "verdict"));
  return text && !strcmp(text, verdict);
}

static void add_number_cell(struct hd_text *data, double value)
{
  if (isnan(value))
    hd_text_add(data, ",");
  else
    hd_text_add(data, ",%.10g", value);
}

static int write_data(const struct figure *f, const char *directory, struct hd_error *err)
{
  static const char *const results[] = {"latency.mean", "throughput"};
  struct hd_text data = {0};
  hd_text_add(&data, "curve,name,x,latency_mean,latency_ci95,throughput_mean,throughput_ci95,"
                     "verdict\n");
  for (size_t i = 0; i < f->n; i++)
    for (size_t k = 0; k < f->curves[i].n; k++) {
      const struct dot *dot = &f->curves[i].dots[k];
      hd_text_add(&data, "%zu,", i + 1);
      hd_text_add_csv(&data, hd_text_chars(&f->curves[i].name));
      add_number_cell(&data, dot->x);
      for (size_t r = 0; r < sizeof results / sizeof *results; r++) {
        add_number_cell(&data, hd_sweep_result(dot->point, results[r], "mean"));
        add_number_cell(&data, hd_sweep_result(dot->point, results[r], "ci95"));
      }
      hd_text_add(&data, ",%s\n", json_string_value(json_object_get(dot->point, "verdict")));
    }
  return hd_text_write(directory, "sweep.csv", &data, err);
}

/* ── script ───────────────────────────────────────────────────────────────── */

/* Returns the upper end of the latency axis; 0: all latencies fit. Beyond saturation, a latency
 * says only how long the run was, and it would make the other points too small. So the axis ends
 * at twice the largest latency of an accepted point. */
static double latency_top(const struct figure *f)
{
  double borne = 0, most = 0;
  for (size_t i = 0; i < f->n; i++)
    for (size_t k = 0; k < f->curves[i].n; k++) {
      const json_t *point = f->curves[i].dots[k].point;
      const double latency = hd_sweep_result(point, "latency.mean", "mean");
      if (has_verdict(point, "accepted"))
        borne = fmax(borne, latency);
      most = fmax(most, latency);
    }
  return borne > 0 && most > 2 * borne ? 2 * borne : 0;
}

/* Adds a gnuplot string in which no character has a special meaning. */
static void add_quoted(struct hd_text *text, const char *string)
{
  hd_text_add(text, "'");
  for (const char *c = string; *c; c++)
    hd_text_add(text, "%s%c", *c == '\'' ? "'" : "", (unsigned char)*c < ' ' ? ' ' : *c);
  hd_text_add(text, "'");
}

static void add_label(struct hd_text *text, const char *key)
{
  size_t n;
  const struct hd_key *keys = hd_scenario_keys(&n);
  const char *unit = NULL;
  struct hd_text label = {0};
  for (size_t i = 0; i < n; i++)
    if (!strcmp(keys[i].path, key))
      unit = keys[i].unit;
  if (!strcmp(key, "software.parameters.load"))
    hd_text_add(&label, "offered load (flits/node/cycle)");
  else
    hd_text_add(&label, unit ? "%s (%s)" : "%s", key, unit);
  add_quoted(text, hd_text_chars(&label));
  hd_text_fini(&label);
}

/* Marks the first value at which each curve saturates. */
static void add_saturation(const struct figure *f, struct hd_text *text)
{
  for (size_t i = 0; i < f->n; i++)
    for (size_t k = 0; k < f->curves[i].n; k++)
      if (has_verdict(f->curves[i].dots[k].point, "saturated")) {
        hd_text_add(text,
                    "set arrow from %.10g, graph 0 to %.10g, graph 1 nohead dt 3 lw 1 lc %zu\n",
                    f->curves[i].dots[k].x, f->curves[i].dots[k].x, i + 1);
        break;
      }
}

/* The script. Column 1 of the data is the curve, column 8 the verdict. Only accepted points have
 * error bars. */
static const char script[] =
    "set datafile separator ','\n"
    "set datafile columnheaders\n"
    "set key noenhanced above left reverse Left samplen 2 maxcols 1\n"
    "set lmargin at screen 0.14\n"
    "set rmargin at screen 0.96\n"
    "set grid lc rgb '#dddddd'\n"
    "set border 3\n"
    "set tics nomirror\n"
    "shape(i) = 7 - 2 * (i % 2) + 2 * (i % 4 / 2)\n"
    "x(i) = column(1) == i ? column(3) : NaN\n"
    "of(i, verdict, y) = column(1) == i && strcol(8) eq verdict ? y : NaN\n"
    "bar(y) = strcol(8) eq 'accepted' && valid(y) ? column(y) : 0\n"
    "do for [output in 'svg pdf png'] {\n"
    "  if (output eq 'svg') { set terminal " HD_GNUPLOT_SVG " size 800,900+24*CURVES font ',18' }\n"
    "  if (output eq 'pdf') { set terminal pdfcairo size 3.4,3.8+0.1*CURVES font ',8' }\n"
    "  if (output eq 'png') { set terminal pngcairo size 800,900+24*CURVES font ',18' }\n"
    "  set output 'sweep.'.output\n"
    "  set multiplot layout 2,1\n"
    "  set xlabel ''\n"
    "  set ylabel LATENCY\n"
    "  set yrange [0:*]\n"
    "  if (TOP > 0) { set yrange [0:TOP] }\n"
    "  plot for [i=1:CURVES] DATA using (x(i)):4:(bar(5)) with yerrorlines lw 2 ps 0.8 \\\n"
    "      pt shape(i) lc i title NAMES[i], \\\n"
    "    for [i=1:CURVES] DATA using (x(i)):(of(i, 'saturated', $4)) with points pt 6 ps 2 lw 2 "
    "\\\n"
    "      lc i title (i == 1 ? 'saturated' : ''), \\\n"
    "    for [i=1:CURVES] DATA using (x(i)):(of(i, 'open', $4)) with points pt 2 ps 2 lw 2 \\\n"
    "      lc i title (i == 1 ? 'not stationary' : '')\n"
    "  set yrange [0:*]\n"
    "  set ylabel 'accepted load (flits/node/cycle)'\n"
    "  set xlabel XLABEL noenhanced\n"
    "  plot for [i=1:CURVES] DATA using (x(i)):6:(bar(7)) with yerrorlines lw 2 ps 0.8 \\\n"
    "      pt shape(i) lc i notitle, \\\n"
    "    for [i=1:CURVES] DATA using (x(i)):(of(i, 'saturated', $6)) with points pt 6 ps 2 lw 2 "
    "\\\n"
    "      lc i notitle, \\\n"
    "    for [i=1:CURVES] DATA using (x(i)):(of(i, 'open', $6)) with points pt 2 ps 2 lw 2 \\\n"
    "      lc i notitle\n"
    "  unset multiplot\n"
    "  unset output\n"
    "}\n";

static int write_script(const struct figure *f, const char *directory, struct hd_error *err)
{
  const double top = latency_top(f);
  struct hd_text text = {0};
  hd_text_add(&text,
              "# Latency and accepted load, from sweep.csv beside it: gnuplot sweep.gp\n"
              "# Bars are 95 %% confidence intervals; a dotted line is where a curve saturates.\n"
              "DATA = 'sweep.csv'\nCURVES = %zu\nTOP = %.10g\nLATENCY = 'mean latency (cycles%s)'\n"
              "XLABEL = ",
              f->n, top, top > 0 ? ", cut off" : "");
  add_label(&text, f->x);
  hd_text_add(&text, "\narray NAMES[CURVES]\n");
  for (size_t i = 0; i < f->n; i++) {
    hd_text_add(&text, "NAMES[%zu] = ", i + 1);
    add_quoted(&text, hd_text_chars(&f->curves[i].name));
    hd_text_add(&text, "\n");
  }
  add_saturation(f, &text);
  hd_text_add(&text, "%s", script);
  return hd_text_write(directory, "sweep.gp", &text, err);
}

static int run_script(const char *directory, struct hd_error *err)
{
  static const char *const argv[] = {"gnuplot", "sweep.gp", NULL};
  const struct hd_tool tool = {.argv = argv, .package = "gnuplot-nox", .directory = directory};
  int code = 0, status = hd_tool_run(&tool, &code, err);
  if (!status && code)
    status =
        hd_fail(err, HD_E_TOOL, "gnuplot ended with exit code %d on %s/sweep.gp", code, directory);
  return status;
}

/* ── reading sweeps and drawing ────────────────────────────────────────────── */

static int read_sweep(const char *directory, json_t **sweep, struct hd_error *err)
{
  struct hd_text path = {0};
  json_error_t why;
  hd_text_add(&path, "%s/sweep.json", directory);
  *sweep = json_load_file(hd_text_chars(&path), 0, &why);
  int status = *sweep ? HD_OK
                      : hd_fail(err, HD_E_INPUT, "%s is not the directory of a sweep: %s",
                                directory, why.text);
  hd_text_fini(&path);
  return status;
}

static int draw(struct figure *f, const char *directory, struct hd_error *err)
{
  f->x = find_x(f->sweeps[0]);
  if (!f->x)
    return hd_fail(err, HD_E_INPUT, "nothing to draw: no axis has two numbers");
  for (size_t i = 0; i < f->n_sweeps; i++) {
    const size_t before = f->n;
    add_sweep(f, f->sweeps[i]);
    if (f->n == before)
      return hd_fail(err, HD_E_INPUT, "nothing to draw of %s: it has no point over %s",
                     json_string_value(json_object_get(f->sweeps[i], "name")), f->x);
  }
  int status = write_data(f, directory, err);
  if (!status)
    status = write_script(f, directory, err);
  return status ? status : run_script(directory, err);
}

static const char *directory_of(const char *directory, const char *const *beside, size_t sweep)
{
  return sweep ? beside[sweep - 1] : directory;
}

/* Adds the directory to names that several sweeps have. */
static void make_names_unique(struct figure *f, const char *directory, const char *const *beside)
{
  const char **names = hd_xcalloc(f->n_sweeps, sizeof *names);
  json_t **told = hd_xcalloc(f->n_sweeps, sizeof *told);
  for (size_t i = 0; i < f->n_sweeps; i++)
    names[i] = json_string_value(json_object_get(f->sweeps[i], "name"));
  for (size_t i = 0; i < f->n_sweeps; i++)
    for (size_t j = 0; j < f->n_sweeps && !told[i]; j++)
      if (j != i && !strcmp(names[i], names[j]))
        told[i] = json_sprintf("%s (%s)", names[i], directory_of(directory, beside, i));
  for (size_t i = 0; i < f->n_sweeps; i++)
    if (told[i])
      json_object_set_new(f->sweeps[i], "name", told[i]);
  free(told);
  free(names);
}

int hd_sweep_plot(const char *directory, const char *const *beside, size_t n, struct hd_error *err)
{
  struct figure f = {.sweeps = hd_xcalloc(n + 1, sizeof *f.sweeps)};
  int status = HD_OK;
  for (; !status && f.n_sweeps <= n; f.n_sweeps += !status)
    status = read_sweep(directory_of(directory, beside, f.n_sweeps), &f.sweeps[f.n_sweeps], err);
  if (!status) {
    make_names_unique(&f, directory, beside);
    status = draw(&f, directory, err);
  }
  figure_fini(&f);
  return status;
}
