/* Makes a failing scenario of a file small, with any fabric and program, by changing its text key by key.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A change sets keys of the text, or removes them. It is kept if the scenario can still be carried out and fails in the
 * same way. A fabric of few switches is tried first, because all later trials take less time in it. The parameters of the
 * switch change last, because each other switch needs a build.
 */
#include "soak.h"

#include "../../host/clock.h"
#include "../../host/file.h"
#include "../../host/memory.h"
#include "../../scenario/scenario_keys.h"
#include "../../scenario/scenario_set.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = HD_SWITCH_PARAMS + 4, PATH = 96, VALUE = 8192 };

/* Settings of a change, with the room for their texts. */
struct change {
  struct hd_setting settings[MOST_SETTINGS]; /* [n] */
  char paths[MOST_SETTINGS][PATH];
  char values[VALUE];
  size_t n, used;
  bool of_switch; /* the changed scenario may need another switch */
  bool failed;    /* there were more settings than MOST_SETTINGS, or they were too long */
};

struct search {
  const struct soak_common *common;
  const char *path;          /* file of the smallest scenario so far */
  const char *trial;         /* file of the scenario that is tried */
  char *text;                /* the smallest scenario so far; owned */
  struct hd_outline outline; /* of `text` */
  struct hd_scenario scenario;
  struct hd_switch_params sw;
  struct soak_size_of size;
  struct soak_result result;
  double until;
};

/* Verdicts as in shrink.c: END: no change has this number or a larger one; NEXT: none has this number. */
enum verdict { END, NEXT, CHANGED };
typedef enum verdict change_function(const struct search *s, uint32_t i, struct change *change);

/* ── settings ──────────────────────────────────────────────────────────────── */

/* Adds a setting of a key; NULL removes the key. */
static void add_setting(struct change *c, const char *path, const char *value)
{
  const size_t length = value ? strlen(value) + 1 : 0;
  if (c->n == MOST_SETTINGS || strlen(path) >= PATH || c->used + length > VALUE) {
    c->failed = true;
    return;
  }
  snprintf(c->paths[c->n], PATH, "%s", path);
  if (value)
    memcpy(c->values + c->used, value, length);
  c->settings[c->n] = (struct hd_setting){c->paths[c->n], value ? c->values + c->used : NULL};
  c->used += length;
  c->n++;
}

static void add_number(struct change *c, const char *path, uint64_t number)
{
  char value[24];
  snprintf(value, sizeof value, "%" PRIu64, number);
  add_setting(c, path, value);
}

static bool has_key(const struct search *s, const char *path)
{
  return hd_outline_find(&s->outline, path) != NULL;
}

static bool has_value(const struct search *s, const char *path, const char *value)
{
  const struct hd_outline_entry *e = hd_outline_find(&s->outline, path);
  return e && e->value && !strcmp(e->value, value);
}

/* ── changes that keep the switch ──────────────────────────────────────────── */

static enum verdict fewer_cycles(const struct search *s, uint32_t i, struct change *c)
{
  const uint64_t cycles = s->scenario.run.cycles, differs = s->result.divergence_cycle;
  const uint64_t to[] = {differs && differs < cycles ? differs + 1 : cycles, cycles / 2,
                         cycles - cycles / 4};
  if (i == sizeof to / sizeof *to)
    return END;
  if (!to[i] || to[i] >= cycles)
    return NEXT;
  add_number(c, "run.cycles", to[i]);
  return CHANGED;
}

static enum verdict plainer_run(const struct search *s, uint32_t i, struct change *c)
{
  enum { OF_MODEL = 2 /* the first settings, which are for a comparison with the model */ };
  static const struct hd_setting plain[] = {{"run.compare", "exact"},
                                            {"run.mode", "decoupled"},
                                            {"run.threads", "1"},
                                            {"faults", NULL},
                                            {"fabric.link_cycles", NULL},
                                            {"software.startup_cycles", NULL},
                                            {"seed", "1"},
                                            {"run.window_cycles", NULL},
                                            {"run.warmup_cycles", NULL},
                                            {"budgets", NULL},
                                            {"routing.virtual_networks", NULL},
                                            {"routing.credit_cap", NULL},
                                            {"routing.bias", NULL},
                                            {"run.measure_cycles", NULL},
                                            {"run.used_cycles", NULL},
                                            {"trace", NULL},
                                            {"barrier", NULL}};
  if (i == sizeof plain / sizeof *plain)
    return END;
  if (s->common->by_command && i < OF_MODEL) /* there is no model for this router */
    return NEXT;
  if (!has_key(s, plain[i].path) || (plain[i].value && has_value(s, plain[i].path, plain[i].value)))
    return NEXT;
  add_setting(c, plain[i].path, plain[i].value);
  return CHANGED;
}

/* Takes a small mesh, because most bugs of a switch show there, too, if the run is long enough. The section `routing` is
 * kept first, then removed. */
static enum verdict other_fabric(const struct search *s, uint32_t i, struct change *c)
{
  static const struct {
    uint32_t switches;
    const char *fabric;
  } fabrics[] = {{2, "{topology: mesh, dims: [2]}"},
                 {3, "{topology: mesh, dims: [3]}"},
                 {4, "{topology: mesh, dims: [2, 2]}"},
                 {9, "{topology: mesh, dims: [3, 3]}"}};
  enum { ENOUGH_CYCLES = 20000 };
  const uint32_t k = i / 2;
  if (k == sizeof fabrics / sizeof *fabrics)
    return END;
  if (s->size.switches <= fabrics[k].switches || (i % 2 && !has_key(s, "routing")))
    return NEXT;
  add_setting(c, "fabric", fabrics[k].fabric);
  if (i % 2)
    add_setting(c, "routing", NULL);
  if (has_key(s, "faults"))
    add_setting(c, "faults", NULL); /* they name switches of the old fabric */
  if (s->scenario.run.cycles > ENOUGH_CYCLES)
    add_number(c, "run.cycles", ENOUGH_CYCLES);
  return CHANGED;
}

static enum verdict smaller_mesh(const struct search *s, uint32_t i, struct change *c)
{
  const struct hd_topology_shape *shape = &s->scenario.fabric.shape;
  const uint32_t d = i / 3, side = d < shape->n_dims ? shape->dims[d] : 0;
  const uint32_t to = i % 3 == 0 ? 0 : i % 3 == 1 ? side / 2 : side - 1;
  if (!has_key(s, "fabric.dims") || d >= shape->n_dims)
    return END;
  if ((!to && (i % 3 || shape->n_dims == 1)) || to == side)
    return NEXT;
  struct hd_text dims = {0};
  for (uint32_t k = 0; k < shape->n_dims; k++)
    if (k != d || to) /* 0: without this dimension */
      hd_text_add(&dims, "%s%" PRIu32, dims.length ? ", " : "[", k == d ? to : shape->dims[k]);
  hd_text_add(&dims, "]");
  add_setting(c, "fabric.dims", hd_text_chars(&dims));
  hd_text_fini(&dims);
  return CHANGED;
}

static void add_fault(const struct hd_scenario_fault *f, struct hd_text *text)
{
  hd_text_add(text, "%s{%s: %" PRIu64, text->length ? ", " : "[",
              f->after_barrier ? "after_barrier" : "cycle", f->when);
  if (f->whole_switch)
    hd_text_add(text, ", switch: %" PRIu32 "}", f->sw);
  else
    hd_text_add(text, ", link: \"s%" PRIu32 ":%" PRIu32 "\"}", f->sw, f->port);
}

static enum verdict fewer_faults(const struct search *s, uint32_t i, struct change *c)
{
  struct hd_text rows = {0};
  if (s->scenario.n_faults < 2 || i >= s->scenario.n_faults)
    return END;
  for (uint32_t k = 0; k < s->scenario.n_faults; k++)
    if (k != i)
      add_fault(&s->scenario.faults[k], &rows);
  hd_text_add(&rows, "]");
  add_setting(c, "faults", hd_text_chars(&rows));
  hd_text_fini(&rows);
  return CHANGED;
}

static enum verdict plainer_program(const struct search *s, uint32_t i, struct change *c)
{
  char value[160];
  if (i || has_value(s, "software.program", "uniform"))
    return END;
  snprintf(value, sizeof value,
           "{program: uniform, parameters: {load: 0.5, flits: 4, cycles: %" PRIu64 "}}",
           s->scenario.run.cycles);
  add_setting(c, "software", value);
  return CHANGED;
}

/* Is it a number of fabric, barrier or software that a smaller example should make smaller? */
static bool is_size(const struct search *s, const struct hd_outline_entry *e)
{
  if (!strncmp(e->path, "fabric.", 7) && has_key(s, "fabric.inside")) /* a fixed network */
    return !strcmp(e->path, "fabric.link_cycles");
  static const char *const sections[] = {"fabric.", "barrier.", "software."};
  bool of_these = false;
  for (size_t k = 0; k < sizeof sections / sizeof *sections; k++)
    of_these |= !strncmp(e->path, sections[k], strlen(sections[k]));
  return of_these && e->kind == HD_OUTLINE_SCALAR && e->plain && !strchr(e->path, '[') &&
         strcmp(e->path, "fabric.graph_seed");
}

/* Gives smaller value number `how`: shares of a number with a fraction; 1, a half, less a quarter, and one less of a whole
 * number. False: this one is not smaller. */
static bool smaller(const char *value, uint32_t how, char *to, size_t size)
{
  char *end;
  const double number = strtod(value, &end);
  if (end == value || *end || number <= 0 || number > 1e15)
    return false;
  if (strpbrk(value, ".eE")) {
    static const double shares[] = {0.25, 0.5, 0.8, 0.9};
    snprintf(to, size, "%.3g", number * shares[how]);
    return number >= 0.01;
  }
  const uint64_t n = (uint64_t)number, all[] = {1, n / 2, n - (n + 3) / 4, n - 1};
  snprintf(to, size, "%" PRIu64, all[how]);
  return all[how] && all[how] < n;
}

static enum verdict smaller_numbers(const struct search *s, uint32_t i, struct change *c)
{
  char to[32];
  if (i / 4 >= s->outline.n)
    return END;
  const struct hd_outline_entry *e = &s->outline.entries[i / 4];
  if (!is_size(s, e) || !smaller(e->value, i % 4, to, sizeof to))
    return NEXT;
  add_setting(c, e->path, to);
  return CHANGED;
}

/* ── changes of the switch ─────────────────────────────────────────────────── */

/* Sets a parameter to its least value, or removes its key where the fabric or the first choice gives that value. */
static void set_least(const struct hd_switch_param *p, struct change *c)
{
  char path[PATH];
  snprintf(path, sizeof path, "switch.%s", p->name);
  if (p->kind == HD_PARAM_LEAST || p->kind == HD_PARAM_CHOICE)
    add_setting(c, path, NULL); /* without the key the first choice holds */
  else
    add_number(c, path, p->low);
}

/* Removes all other parameters of a part, such as barriers or the coder, when its first parameter is removed. */
static void set_part(const struct search *s, const struct hd_switch_param *first, struct change *c)
{
  char path[PATH];
  for (size_t k = 0; k < HD_SWITCH_PARAMS; k++) {
    const struct hd_switch_param *p = &hd_switch_param_list[k];
    snprintf(path, sizeof path, "switch.%s", p->name);
    if (p->part == first->part && p != first && has_key(s, path))
      add_setting(c, path, NULL);
  }
}

/* Tries other fabrics again with another switch: the failure may need neither source tables nor choice among ports. */
static enum verdict other_routing(const struct search *s, uint32_t i, struct change *c)
{
  c->of_switch = true;
  return s->sw.source_table || s->sw.adaptive ? other_fabric(s, i, c) : END;
}

/* First sets all parameters at once to values that most failures survive; then tries for each parameter the least value,
 * a half, and one less. */
static enum verdict smaller_switch(const struct search *s, uint32_t i, struct change *c)
{
  c->of_switch = true;
  if (i < 2) { /* 0: with the width of flits, 1: without */
    for (size_t k = 0; k < HD_SWITCH_PARAMS; k++) {
      const struct hd_switch_param *p = &hd_switch_param_list[k];
      const uint32_t value = hd_switch_param_get(&s->sw, k);
      char path[PATH];
      snprintf(path, sizeof path, "switch.%s", p->name);
      if (!has_key(s, path) || p->part != HD_PART_PLAIN || value == p->low ||
          !strcmp(p->name, "vcs") || (i && p->kind == HD_PARAM_POWER))
        continue;
      if (!strcmp(p->name, "depth_flits"))
        add_number(c, path, value < 4 ? value : 4);
      else
        set_least(p, c);
    }
    return c->n ? CHANGED : NEXT;
  }
  const size_t k = (i - 2) / 3;
  if (k >= HD_SWITCH_PARAMS)
    return END;
  const struct hd_switch_param *p = &hd_switch_param_list[k];
  const uint32_t how = (i - 2) % 3, value = hd_switch_param_get(&s->sw, k);
  char path[PATH];
  snprintf(path, sizeof path, "switch.%s", p->name);
  if (!has_key(s, path) || value <= p->low)
    return NEXT;
  if (!how) {
    const bool part = p->part != HD_PART_PLAIN && !p->low;
    set_least(p, c);
    if (part)
      set_part(s, p, c);
    return CHANGED;
  }
  if (p->kind != HD_PARAM_NUMBER)
    return NEXT;
  const uint32_t to = how == 1 ? value / 2 : value - 1;
  add_number(c, path, to);
  return to > p->low ? CHANGED : NEXT;
}

/* ── the search ────────────────────────────────────────────────────────────── */

static void free_scenario(struct search *s)
{
  hd_outline_fini(&s->outline);
  hd_scenario_fini(&s->scenario);
  free(s->text);
  s->text = NULL;
}

/* Reads a text, which the search owns from then on, and finds out which switch it needs. HD_E_INPUT: it cannot be carried
 * out. */
static int read_scenario(struct search *s, char *text, struct hd_error *err)
{
  struct hd_topology topology;
  struct hd_tables tables;
  const size_t length = strlen(text);
  s->text = text;
  s->outline = (struct hd_outline){.n = 0};
  int status = hd_scenario_parse(&s->scenario, text, length, s->path, err);
  if (!status)
    status = hd_outline_read(&s->outline, text, length, s->path, err);
  if (!status)
    status = hd_scenario_build(&s->scenario, &topology, &tables, err);
  if (status)
    return status;
  s->sw = s->scenario.sw;
  s->size = (struct soak_size_of){topology.n_switches, topology.n_nodes, s->scenario.run.cycles};
  hd_tables_fini(&tables);
  hd_topology_fini(&topology);
  return HD_OK;
}

/* A router that routes by coordinates finds columns by a fixed number. In another mesh it would route to other nodes, and
 * a smaller scenario there would blame a sound router. The same holds for packets that it does not take. */
bool hd_soak_keeps(const struct soak_limits *limits, const struct hd_scenario *scenario,
                   const struct hd_outline *outline)
{
  const struct hd_topology_shape *shape = &scenario->fabric.shape;
  const struct hd_outline_entry *flits = hd_outline_find(outline, "software.parameters.flits");
  const uint32_t first = shape->n_dims ? shape->dims[0] : 0;
  const bool fits = !limits->columns ||
                    (shape->n_dims == 1 ? first <= limits->columns : first == limits->columns);
  return fits && (!limits->shortest || !flits || !flits->value ||
                  strtoul(flits->value, NULL, 10) >= limits->shortest);
}

static bool is_over(const struct search *s)
{
  return hd_soak_stopped(s->common) || hd_seconds_now() > s->until;
}

/* Takes the changed scenario in place of the present one, if it fails in the same way. */
static bool try_change(struct search *s, const struct change *change)
{
  struct search other = *s;
  char *text = NULL;
  struct hd_error err = {""};
  if (change->failed ||
      hd_scenario_set(s->text, strlen(s->text), s->path, change->settings, change->n, &text, &err))
    return false;
  bool helps = !read_scenario(&other, text, &err) &&
               hd_soak_keeps(&s->common->limits, &other.scenario, &other.outline) &&
               (change->of_switch || !memcmp(&s->sw, &other.sw, sizeof s->sw)) &&
               !hd_file_write(s->trial, text, strlen(text), &err);
  if (helps) {
    hd_soak_try_file(s->trial, &other.sw, s->common, &other.result);
    helps = other.result.outcome == s->result.outcome;
  }
  if (!helps) {
    free_scenario(&other);
    return false;
  }
  free_scenario(s);
  *s = other;
  return !rename(s->trial, s->path);
}

/* Tries all numbers of one change, and each number again as long as it helps. */
static bool apply(struct search *s, change_function *next)
{
  bool helped = false;
  struct change *change = hd_xmalloc(sizeof *change);
  for (uint32_t i = 0; !is_over(s);) {
    change->n = change->used = 0;
    change->of_switch = change->failed = false;
    const enum verdict verdict = next(s, i, change);
    if (verdict == END)
      break;
    if (verdict == CHANGED && try_change(s, change))
      helped = true; /* the same change may help again */
    else
      i++;
  }
  free(change);
  return helped;
}

/* Returns the text with all parameters of the switch, which otherwise follow from the fabric, and with the backend. NULL:
 * they cannot be set. */
static char *with_switch(const struct search *s)
{
  struct change *c = hd_xcalloc(1, sizeof *c);
  char *text = NULL, path[PATH];
  for (size_t k = 0; k < HD_SWITCH_PARAMS; k++) {
    const struct hd_switch_param *p = &hd_switch_param_list[k];
    const uint32_t value = hd_switch_param_get(&s->sw, k);
    snprintf(path, sizeof path, "switch.%s", p->name);
    if (p->kind == HD_PARAM_ROUTING || !hd_switch_param_used(&s->sw, k) ||
        value > p->high) /* ports of a network follow from its fabric */
      continue;
    if (p->kind == HD_PARAM_CHOICE)
      add_setting(c, path, hd_barrier_name(value));
    else
      add_number(c, path, value);
  }
  add_setting(c, "run.dut", s->common->dut ? s->common->dut : "verilator");
  if (c->failed ||
      hd_scenario_set(s->text, strlen(s->text), s->path, c->settings, c->n, &text, NULL))
    text = NULL;
  free(c);
  return text;
}

/* Begins with the whole scenario and its switch. False: it cannot be carried out, or does not fail by itself. */
static bool begin_search(struct search *s, char *text)
{
  if (read_scenario(s, text, NULL))
    return false;
  char *whole = with_switch(s);
  if (!whole)
    return false;
  free_scenario(s);
  if (read_scenario(s, whole, NULL) || hd_file_write(s->path, whole, strlen(whole), NULL))
    return false;
  hd_soak_try_file(s->path, &s->sw, s->common, &s->result);
  return s->result.outcome == SOAK_DIVERGED || s->result.outcome == SOAK_RULE ||
         s->result.outcome == SOAK_STUCK;
}

int hd_soak_measure(const char *path, struct soak_size_of *size, struct hd_error *err)
{
  struct search s = {.path = path};
  char *text = NULL;
  size_t length;
  int status = hd_file_read(path, &text, &length, err);
  if (status)
    return status;
  status = read_scenario(&s, text, err);
  *size = s.size;
  free_scenario(&s);
  return status;
}

int hd_soak_shrink_file(const char *path, double seconds, const struct soak_common *common,
                        bool *unfinished, struct hd_error *err)
{
  static change_function *const cheap[] = {other_fabric,   fewer_cycles,    plainer_run,
                                           smaller_mesh,   plainer_program, fewer_faults,
                                           smaller_numbers};
  char trial[4300], *text = NULL;
  size_t length;
  struct search s = {.common = common, .path = path, .trial = trial};
  *unfinished = false;
  snprintf(trial, sizeof trial, "%s.trial", path);
  int status = hd_file_read(path, &text, &length, err);
  if (status)
    return status;
  if (!begin_search(&s, text)) {
    free_scenario(&s);
    return hd_fail(err, HD_E_NOTHING, "%s: this scenario does not fail when it runs alone", path);
  }
  s.until = hd_seconds_now() + seconds; /* from now on, as the switch is built */
  for (bool helped = true; helped && !is_over(&s);) {
    do {
      helped = false;
      for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
        helped |= apply(&s, cheap[i]);
    } while (helped && !is_over(&s));
    /* A router without a model may not take other parameters, so its switch stays as it is. */
    helped = !common->by_command && (apply(&s, other_routing) || apply(&s, smaller_switch));
  }
  *unfinished = is_over(&s);
  remove(trial);
  free_scenario(&s);
  return HD_OK;
}
