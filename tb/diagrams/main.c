/* Cycle diagrams of the specification: made from real switches, or held against them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * usage: diagrams [--write] [--docs DIR] [--out DIR] [--rtl DIR] STIMULUS.txt ...
 * Plays every stimulus on the RTL (Verilator) and on the model and writes both diagrams to
 * OUT/rtl and OUT/model. They must be equal to each other and to DOCS/NAME.json and NAME.svg;
 * with --write those are made anew instead. Without --write, no file of DOCS may be without its
 * stimulus, and each picture must be shown by a chapter beside DOCS. Runs in the root of the tree.
 */
#include "diagram.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct job {
  bool write;
  const char *docs, *out, *rtl_dir;
  char **stimuli;
  int n_stimuli;
  uint32_t diagrams, cycles, cells, states, surroundings;
};

static const char *const sides[] = {"rtl", "model"};
static const char *const backends[] = {"verilator", "model"};
static const char *const kinds[] = {"json", "svg"};
enum { RTL, MODEL, SIDES };

static void say(void *context, const char *line)
{
  (void)context;
  printf("  %s\n", line);
  fflush(stdout);
}

static char *text_of(const struct diagram *d, bool svg)
{
  char *text = NULL;
  size_t length = 0;
  FILE *f = open_memstream(&text, &length);
  if (!f)
    return NULL;
  (svg ? diagram_write_svg : diagram_write_json)(d, f);
  if (fclose(f)) {
    free(text);
    return NULL;
  }
  return text;
}

static char *file_text(const char *path)
{
  FILE *f = fopen(path, "r");
  char *text = NULL;
  size_t length = 0;
  int c;
  if (!f)
    return NULL;
  FILE *to = open_memstream(&text, &length);
  while (to && (c = fgetc(f)) != EOF)
    fputc(c, to);
  fclose(f);
  if (!to || fclose(to)) {
    free(text);
    return NULL;
  }
  return text;
}

static int write_file(const char *path, const char *text, struct hd_error *err)
{
  FILE *f = fopen(path, "w");
  if (!f || fputs(text, f) < 0 || fclose(f))
    return hd_fail(err, HD_E_IO, "%s cannot be written: %s", path, strerror(errno));
  return 0;
}

/* ── two sides of one diagram ───────────────────────────────────────────────── */

/* The first cell in which the RTL differs from the model. */
static int compare_sides(const struct diagram *rtl, const struct diagram *model,
                         struct hd_error *err)
{
  for (uint32_t c = 0; c < rtl->cycles; c++)
    for (uint32_t i = 0; i < rtl->n_rows; i++) {
      const struct cell *a = &rtl->rows[i].cells[c], *b = &model->rows[i].cells[c];
      if (a->kind != b->kind || a->colour != b->colour || strcmp(a->text, b->text))
        return hd_fail(err, HD_E_DIVERGENCE, "%s: cycle %u, row '%s': RTL shows '%s', model '%s'",
                       rtl->name, c, rtl->rows[i].label,
                       a->kind == CELL_BIT ? (a->colour == '1' ? "1" : "0") : a->text,
                       b->kind == CELL_BIT ? (b->colour == '1' ? "1" : "0") : b->text);
    }
  return 0;
}

static int one_side(const struct job *job, struct diagram *d, int side, struct play *play,
                    struct hd_error *err)
{
  struct hd_backend_options options = {.rtl_dir = side == RTL ? job->rtl_dir : NULL, .say = say};
  struct hd_backend backend;
  char waves[400];
  snprintf(waves, sizeof waves, "%s/%s/%s", job->out, sides[side], d->name);
  int status = hd_backend_open(&backend, backends[side], &d->params, &options, err);
  if (status)
    return status;
  status = diagram_play(d, &backend, side == RTL ? waves : NULL, play, err);
  if (!status)
    status = diagram_cells(d, play, err);
  if (!status)
    status =
        side == RTL ? diagram_state_of_waves(d, waves, err) : diagram_state_of_model(d, play, err);
  hd_backend_close(&backend);
  return status;
}

/* Writes a side's file and, of the RTL's, holds the one in the documentation against it. */
static int publish(const struct job *job, const struct diagram *d, int side, bool svg,
                   struct hd_error *err)
{
  char path[512];
  char *text = text_of(d, svg), *shown = NULL;
  if (!text)
    return hd_fail(err, HD_E_NOMEM, "out of memory");
  snprintf(path, sizeof path, "%s/%s/%s.%s", job->out, sides[side], d->name, kinds[svg]);
  int status = write_file(path, text, err);
  snprintf(path, sizeof path, "%s/%s.%s", job->docs, d->name, kinds[svg]);
  if (!status && side == RTL && job->write)
    status = write_file(path, text, err);
  if (!status && !job->write && (!(shown = file_text(path)) || strcmp(shown, text)))
    status = hd_fail(err, HD_E_DIVERGENCE,
                     "%s %s; `make diagrams` makes it from the RTL: look at what changes", path,
                     shown ? "does not show what the switch does" : "is not there");
  free(text);
  free(shown);
  return status;
}

static int one_diagram(struct job *job, const char *path, struct diagram *d, struct play *play,
                       struct hd_error *err)
{
  uint32_t surroundings = 0, states = 0;
  int status = diagram_read(&d[MODEL], path, err);
  if (status)
    return status;
  d[RTL] = d[MODEL];
  for (int side = 0; side < SIDES && !status; side++)
    status = one_side(job, &d[side], side, play, err);
  if (!status)
    status = compare_sides(&d[RTL], &d[MODEL], err);
  if (!status)
    status = diagram_check_interfaces(&d[MODEL], play, &surroundings, err);
  for (int i = 0; i < SIDES * 2 && !status; i++)
    status = publish(job, &d[i / 2], i / 2, i % 2, err);
  for (uint32_t i = 0; i < d[RTL].n_rows; i++)
    states += d[RTL].rows[i].kind == ROW_STATE;
  job->diagrams++;
  job->cycles += d[RTL].cycles;
  job->cells += d[RTL].cycles * d[RTL].n_rows;
  job->states += d[RTL].cycles * states;
  job->surroundings += surroundings;
  return status;
}

/* ── the documentation as a whole ───────────────────────────────────────────── */

static bool has_stimulus(const struct job *job, const char *file)
{
  size_t n = strcspn(file, ".");
  for (int i = 0; i < job->n_stimuli; i++) {
    const char *base =
        strrchr(job->stimuli[i], '/') ? strrchr(job->stimuli[i], '/') + 1 : job->stimuli[i];
    if (strcspn(base, ".") == n && !strncmp(base, file, n))
      return true;
  }
  return false;
}

/* Returns true if a Markdown file in the folder above DOCS shows the picture. */
static bool is_shown(const struct job *job, const char *file)
{
  char folder[512], path[1024], link[300];
  bool found = false;
  snprintf(folder, sizeof folder, "%s/..", job->docs);
  snprintf(link, sizeof link, "](diagrams/%s)", file);
  DIR *chapters = opendir(folder);
  for (struct dirent *e; chapters && !found && (e = readdir(chapters));) {
    if (!strstr(e->d_name, ".md"))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    char *text = file_text(path);
    found = text && strstr(text, link);
    free(text);
  }
  if (chapters)
    closedir(chapters);
  return found;
}

static int check_docs(const struct job *job)
{
  int bad = 0;
  DIR *dir = opendir(job->docs);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (e->d_name[0] == '.')
      continue;
    if (!has_stimulus(job, e->d_name)) {
      printf("not ok %s/%s has no stimulus\n", job->docs, e->d_name);
      bad++;
    } else if (strstr(e->d_name, ".svg") && !is_shown(job, e->d_name)) {
      printf("not ok %s/%s is shown by no chapter\n", job->docs, e->d_name);
      bad++;
    }
  }
  if (dir)
    closedir(dir);
  return bad;
}

static int run(struct job *job)
{
  struct diagram *d = calloc(SIDES, sizeof *d);
  struct play *play = calloc(1, sizeof *play);
  struct hd_error err;
  char path[512];
  int bad = 0;
  mkdir(job->out, 0777);
  mkdir(job->docs, 0777);
  for (int i = 0; i < SIDES; i++) {
    snprintf(path, sizeof path, "%s/%s", job->out, sides[i]);
    mkdir(path, 0777);
  }
  for (int i = 0; i < job->n_stimuli && d && play; i++) {
    int status = one_diagram(job, job->stimuli[i], d, play, &err);
    if (status)
      printf("not ok %s\n", err.text);
    bad += status != 0;
  }
  bad += job->write ? 0 : check_docs(job);
  if (!d || !play || !job->diagrams || !job->cells)
    bad++;
  if (bad)
    printf("not ok diagrams: %u played, %d violations\n", job->diagrams, bad);
  else
    printf("ok diagrams: %u, %u cycles, %u cells (%u of inner state), RTL = model%s; %u flits and "
           "credits of interfaces and links = fabric model\n",
           job->diagrams, job->cycles, job->cells, job->states,
           job->write ? ", written" : " = documentation", job->surroundings);
  free(d);
  free(play);
  return bad ? 1 : 0;
}

int main(int argc, char **argv)
{
  struct job job = {.docs = "docs/spec/diagrams", .out = "build/diagrams"};
  int i = 1;
  for (; i < argc && !strncmp(argv[i], "--", 2); i++) {
    const char **value = !strcmp(argv[i], "--docs")  ? &job.docs
                         : !strcmp(argv[i], "--out") ? &job.out
                         : !strcmp(argv[i], "--rtl") ? &job.rtl_dir
                                                     : NULL;
    if (!strcmp(argv[i], "--write")) {
      job.write = true;
    } else if (value && i + 1 < argc) {
      *value = argv[++i];
    } else {
      fprintf(stderr, "diagrams: unknown option %s\n", argv[i]);
      return 2;
    }
  }
  job.stimuli = argv + i;
  job.n_stimuli = argc - i;
  return run(&job);
}
