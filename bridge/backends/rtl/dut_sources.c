/* Sources of a backend: their bytes, and the cache key that is made from them.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "dut_sources.h"

#include "proved_rtl.h"

#include "../../../cmodel/grow.h"
#include "../../host/file.h"
#include "../../host/text.h"
#include "../../host/tool_run.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void hd_sources_fini(struct hd_dut_sources *s)
{
  for (size_t i = 0; i < s->n; i++)
    free(s->list[i].bytes);
  free(s->list);
  free(s->key);
  *s = (struct hd_dut_sources){0};
}

int hd_sources_add_text(struct hd_dut_sources *s, const char *name, char *bytes, size_t length,
                        struct hd_error *err)
{
  int status = 0;
  if (!bytes || (!s->list && !(s->list = calloc(HD_MAX_SOURCES, sizeof *s->list))))
    status = hd_fail(err, HD_E_NOMEM, "out of memory for %.200s", name);
  else if (s->n == HD_MAX_SOURCES)
    status = hd_fail(err, HD_E_INPUT, "%.200s: more than %d source files", name, HD_MAX_SOURCES);
  else if ((size_t)snprintf(s->list[s->n].name, sizeof s->list->name, "%s", name) >=
           sizeof s->list->name)
    status = hd_fail(err, HD_E_INPUT, "a source's name is too long: %.200s", name);
  if (status) {
    free(bytes);
    return status;
  }
  s->list[s->n].bytes = bytes;
  s->list[s->n++].length = length;
  return 0;
}

int hd_sources_add(struct hd_dut_sources *s, const char *path, const char *name,
                   struct hd_error *err)
{
  char *bytes = NULL;
  size_t length = 0;
  int status = hd_file_read(path, &bytes, &length, err);
  return status ? status : hd_sources_add_text(s, name, bytes, length, err);
}

static const char *const k_modules[] = {".v", ".sv", NULL};
static const char *const k_included[] = {".vh", ".svh", ".h",   ".inc", ".vinc",
                                         ".vi", ".svi", ".def", NULL};
static const char *const k_vhdl[] = {".vhd", ".vhdl", NULL};

static bool has_suffix(const char *name, const char *const *endings)
{
  const char *dot = strrchr(name, '.');
  for (; dot && *endings; endings++)
    if (!strcmp(dot, *endings))
      return true;
  return false;
}

bool hd_sources_have_modules(const char *name)
{
  return has_suffix(name, k_modules);
}

bool hd_sources_are_verilog(const char *name)
{
  return has_suffix(name, k_modules) || has_suffix(name, k_included);
}

static bool are_vhdl(const char *name)
{
  return has_suffix(name, k_vhdl);
}

static int is_visible(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

/* Reads a directory, with those below it, as `name`. Links to directories are not followed, because
 * they may form a loop. */
static int add_directory(struct hd_dut_sources *s, const char *directory, const char *name,
                         bool (*is_taken)(const char *), struct hd_error *err)
{
  char path[2 * PATH_MAX], below[300];
  struct dirent **found = NULL;
  struct stat st;
  int status = 0, n = scandir(directory, &found, is_visible, alphasort);
  if (n < 0)
    return hd_fail(err, HD_E_INPUT, "cannot read the RTL directory %s: %s", directory,
                   strerror(errno));
  if (s->n_include == HD_MAX_DIRECTORIES)
    status = hd_fail(err, HD_E_INPUT, "%.200s: more than %d directories with RTL", directory,
                     HD_MAX_DIRECTORIES);
  else
    snprintf(s->include[s->n_include++], sizeof *s->include, "-I%.290s", name);
  for (int i = 0; i < n; i++) {
    const char *entry = found[i]->d_name;
    bool fits = (size_t)snprintf(path, sizeof path, "%s/%s", directory, entry) < sizeof path &&
                (size_t)snprintf(below, sizeof below, "%s/%s", name, entry) < 290;
    if (!status && fits && !lstat(path, &st) && S_ISDIR(st.st_mode))
      status = add_directory(s, path, below, is_taken, err);
    else if (!status && is_taken(entry))
      status = fits ? hd_sources_add(s, path, below, err)
                    : hd_fail(err, HD_E_INPUT, "a source's name is too long: %.200s", path);
    free(found[i]);
  }
  free(found);
  return status;
}

/* Finds the file that has the module hd_switch. NULL: there is none. */
static const char *find_top(const struct hd_dut_sources *s)
{
  static const char module[] = "module";
  static const char top[] = "hd_switch";
  for (size_t i = 0; i < s->n; i++)
    for (const char *at = s->list[i].bytes; (at = strstr(at, module)); at++) {
      const char *name = at + strlen(module) + strspn(at + strlen(module), " \t\r\n");
      if (!strncmp(name, top, strlen(top)) && strchr(" \t\r\n(#;", name[strlen(top)]))
        return s->list[i].name + strlen("rtl/");
    }
  return NULL;
}

static bool file_exists(const char *rtl_dir, const char *file)
{
  char path[2 * PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", rtl_dir, file);
  return !access(path, F_OK);
}

bool hd_sources_are_vhdl(const char *rtl_dir)
{
  return file_exists(rtl_dir, "hd_switch.vhd") && !file_exists(rtl_dir, "hd_switch.v");
}

static int refuse_without_top(const struct hd_dut_sources *s, const char *rtl_dir,
                              struct hd_error *err)
{
  const char *elsewhere = find_top(s);
  if (elsewhere)
    return hd_fail(
        err, HD_E_INPUT,
        "%s holds no hd_switch.v; its %s has the module hd_switch: Heddle, as simulators do, looks "
        "for a module in the file of its name, NAME.v or NAME.sv, and for hd_switch in "
        "hd_switch.v; "
        "a hd_switch.v with the line `include \"%s\" does, too",
        rtl_dir, elsewhere, elsewhere);
  return hd_fail(
      err, HD_E_INPUT,
      "%s holds no hd_switch.v, the file with the module hd_switch (docs/add-a-backend.md)%s",
      rtl_dir,
      file_exists(rtl_dir, "hd_switch.vhd") ? "; its hd_switch.vhd is for --dut ghdl" : "");
}

/* Finds the file name of the next $readmemh or $readmemb after `at`. Returns the text after it;
 * NULL: there is none. */
static const char *find_memory(const char *at, const char **name, size_t *length)
{
  while ((at = strstr(at, "$readmem"))) {
    at += strlen("$readmem") + 1;
    const char *quote = at + strspn(at, " \t\r\n");
    quote += *quote == '(' ? 1 + strspn(quote + 1, " \t\r\n") : 0;
    if (*quote != '"')
      continue;
    *name = quote + 1;
    *length = strcspn(*name, "\"\n");
    return *name + *length;
  }
  return NULL;
}

/* Finds a file of this name, relative to the RTL directory or to the source's own, and gives its
 * absolute path. */
static bool find_in_rtl(const struct hd_dut_source *source, const char *rtl_dir, const char *name,
                        size_t length, char path[PATH_MAX])
{
  char beside[2 * PATH_MAX];
  const char *own = source->name + strlen("rtl/"), *slash = strrchr(own, '/');
  snprintf(beside, sizeof beside, "%s/%.*s%.*s", rtl_dir, slash ? (int)(slash + 1 - own) : 0, own,
           (int)length, name);
  if (!access(beside, R_OK) && realpath(beside, path))
    return true;
  snprintf(beside, sizeof beside, "%s/%.*s", rtl_dir, (int)length, name);
  return !access(beside, R_OK) && realpath(beside, path);
}

static int key_memory(struct hd_dut_sources *s, const char *path, struct hd_error *err)
{
  char text[PATH_MAX + 32], *bytes = NULL;
  size_t length = 0;
  int status = hd_file_read(path, &bytes, &length, err);
  if (!status)
    snprintf(text, sizeof text, "%016llx %s", (unsigned long long)hd_hash_bytes(bytes, length, 0),
             path);
  free(bytes);
  return status ? status : hd_key_add(s, "memory", text, err);
}

/* Replaces file names of $readmemh that are relative to the RTL by absolute paths, because
 * simulators look for them in the directory in which they run. Adds the files to the key. */
static int find_memories(struct hd_dut_sources *s, struct hd_dut_source *source,
                         const char *rtl_dir, struct hd_error *err)
{
  struct hd_text text = {0};
  char path[PATH_MAX];
  const char *done = source->bytes, *name, *end = done;
  size_t length;
  int status = HD_OK;
  while (!status && (end = find_memory(end, &name, &length))) {
    if (!length || *name == '/' || !find_in_rtl(source, rtl_dir, name, length, path))
      continue;
    hd_text_add(&text, "%.*s%s", (int)(name - done), done, path);
    done = end;
    status = key_memory(s, path, err);
  }
  if (status || done == source->bytes) {
    hd_text_fini(&text);
    return status;
  }
  hd_text_add(&text, "%s", done);
  free(source->bytes);
  source->bytes = text.chars;
  source->length = text.length;
  return HD_OK;
}

int hd_sources_add_rtl(struct hd_dut_sources *s, const char *rtl_dir, struct hd_error *err)
{
  bool has_top = false;
  const size_t before = s->n;
  int status = add_directory(s, rtl_dir, "rtl", hd_sources_are_verilog, err);
  for (size_t i = 0; i < s->n; i++)
    has_top |= !strcmp(s->list[i].name, "rtl/hd_switch.v");
  if (!status && !has_top)
    status = refuse_without_top(s, rtl_dir, err);
  for (size_t i = before; !status && i < s->n; i++)
    status = find_memories(s, &s->list[i], rtl_dir, err);
  return status;
}

int hd_sources_add_vhdl(struct hd_dut_sources *s, const char *rtl_dir, struct hd_error *err)
{
  int status = add_directory(s, rtl_dir, "rtl", are_vhdl, err);
  for (size_t i = 0; !status && i < s->n; i++)
    if (!strcmp(s->list[i].name, "rtl/hd_switch.vhd"))
      return HD_OK;
  return status ? status
                : hd_fail(err, HD_E_INPUT,
                          "%s holds no hd_switch.vhd, the file with the entity hd_switch "
                          "(docs/your-own-switch.md)",
                          rtl_dir);
}

/* A kind of switch (specification §2.10): the parameters that select RTL. All others are sizes. */
struct kind {
  uint8_t barrier, message_flits, adaptive, route_cycles, arb, buffer, source_table, cut, coder,
      waits, route, values, trees;
};

static bool is_proved(const struct hd_switch_params *p)
{
#define KIND(...) {__VA_ARGS__},
  static const struct kind kinds[] = {HD_PROVED_KINDS(KIND)};
#undef KIND
  const struct kind own = {.barrier = (uint8_t)p->barrier,
                           .message_flits = p->barrier ? (uint8_t)hd_barrier_flits(p) : 0,
                           .adaptive = (uint8_t)p->adaptive,
                           .route_cycles = (uint8_t)p->route_cycles,
                           .arb = (uint8_t)p->arb_cycles,
                           .buffer = (uint8_t)p->buffer_cycles,
                           .source_table = (uint8_t)p->source_table,
                           .cut = p->cut_flits != 0,
                           .coder = p->code_places != 0,
                           .waits = p->code_places && p->code_cycles,
                           .route = (uint8_t)p->route,
                           .values = p->barrier && p->values,
                           .trees = p->trees != 0};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (!memcmp(&kinds[i], &own, sizeof own))
      return true;
  return false;
}

int hd_sources_proved(const char *rtl_dir, const struct hd_switch_params *params, bool *proved,
                      struct hd_error *err)
{
  struct hd_dut_sources s = {0};
  uint64_t hash = 0;
  int status = hd_sources_add_rtl(&s, rtl_dir, err);
  for (size_t i = 0; i < s.n; i++) {
    hash = hd_hash_bytes(s.list[i].name, strlen(s.list[i].name), hash);
    hash = hd_hash_bytes(s.list[i].bytes, s.list[i].length, hash);
  }
  *proved = !status && hash == HD_PROVED_RTL && (!params || is_proved(params));
  hd_sources_fini(&s);
  return status;
}

int hd_sources_add_own(struct hd_dut_sources *s, const char *root, const char *const *list,
                       size_t n, struct hd_error *err)
{
  char path[2 * PATH_MAX], name[300];
  int status = 0;
  for (size_t i = 0; !status && i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", root, list[i]);
    snprintf(name, sizeof name, "src/%s", list[i]);
    status = hd_sources_add(s, path, name, err);
  }
  return status;
}

/* Makes the directories of a file's path. The first `from` characters are a directory that
 * exists. */
static int make_parents(char *path, size_t from, struct hd_error *err)
{
  for (char *slash = strchr(path + from, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    int bad = mkdir(path, 0777) && errno != EEXIST;
    if (bad)
      return hd_fail(err, HD_E_IO, "cannot make directory %.500s: %s", path, strerror(errno));
    *slash = '/';
  }
  return 0;
}

int hd_sources_write(const struct hd_dut_sources *s, const char *directory, struct hd_error *err)
{
  char path[2 * PATH_MAX];
  int status = 0;
  for (size_t i = 0; !status && i < s->n; i++) {
    snprintf(path, sizeof path, "%s/%s", directory, s->list[i].name);
    status = make_parents(path, strlen(directory) + 1, err);
    if (!status)
      status = hd_file_write(path, s->list[i].bytes, s->list[i].length, err);
  }
  return status;
}

/* Makes room in the key for `more` characters and a NUL. */
static int key_reserve(struct hd_dut_sources *s, size_t more, struct hd_error *err)
{
  return HD_ROOM(s->key, s->key_capacity, s->key_length, more + 1)
             ? 0
             : hd_fail(err, HD_E_NOMEM, "out of memory for the cache key");
}

int hd_key_add_lines(struct hd_dut_sources *s, const char *lines, struct hd_error *err)
{
  size_t n = strlen(lines);
  int status = key_reserve(s, n, err);
  if (status)
    return status;
  memcpy(s->key + s->key_length, lines, n + 1);
  s->key_length += n;
  return 0;
}

int hd_key_add(struct hd_dut_sources *s, const char *label, const char *text, struct hd_error *err)
{
  int status = key_reserve(s, strlen(label) + strlen(text) + 2, err);
  if (status)
    return status;
  s->key_length += (size_t)sprintf(s->key + s->key_length, "%s %s\n", label, text);
  return 0;
}

int hd_key_add_tool(struct hd_dut_sources *s, const char *label, const char *const *argv,
                    const char *package, struct hd_error *err)
{
  char line[512];
  int status = hd_tool_first_line(argv, package, line, sizeof line, err);
  return status ? status : hd_key_add(s, label, line, err);
}

/* Writes the processor's model and a hash of its features. */
static void processor(char *text, size_t size)
{
  FILE *file = fopen("/proc/cpuinfo", "r");
  char *line = NULL;
  size_t room = 0;
  uint64_t features = 0;
  snprintf(text, size, "unknown");
  for (ssize_t n;
       file && (n = getline(&line, &room, file)) > 1;) { /* ends after the first processor */
    char *colon = strchr(line, ':');
    line[n - 1] = '\0';
    if (colon && colon[1] && !strncmp(line, "model name", 10))
      snprintf(text, size, "%.100s", colon + 2);
    if (!strncmp(line, "flags", 5) || !strncmp(line, "Features", 8))
      features = hd_hash_bytes(line, strlen(line), 4);
  }
  free(line);
  if (file)
    fclose(file);
  size_t used = strlen(text);
  snprintf(text + used, size - used, " %016llx", (unsigned long long)features);
}

int hd_key_add_processor(struct hd_dut_sources *s, struct hd_error *err)
{
  char text[512];
  processor(text, sizeof text);
  return hd_key_add(s, "processor", text, err);
}

int hd_key_add_sources(struct hd_dut_sources *s, struct hd_error *err)
{
  char text[400];
  int status = 0;
  for (size_t i = 0; !status && i < s->n; i++) {
    const struct hd_dut_source *source = &s->list[i];
    snprintf(text, sizeof text, "%016llx %zu %s",
             (unsigned long long)hd_hash_bytes(source->bytes, source->length, 0), source->length,
             source->name);
    status = hd_key_add(s, "source", text, err);
  }
  return status;
}

/* ── delays ─────────────────────────────────────────────────────────────────── */

/* Skips a comment or a string that begins at `at`; returns `at` when none does. */
static const char *skip_text(const char *at)
{
  const char *end = at;
  if (!strncmp(at, "//", 2))
    return at + strcspn(at, "\n");
  if (!strncmp(at, "/*", 2))
    end = strstr(at + 2, "*/");
  else if (*at == '"')
    for (end = at + 1; *end && *end != '"' && *end != '\n';)
      end += *end == '\\' && end[1] ? 2 : 1;
  else
    return at;
  return !end ? at + strlen(at) : *end == '"' ? end + 1 : *end == '*' ? end + 2 : end;
}

static bool ends_with(const char *begin, const char *end, const char *word)
{
  const size_t n = strlen(word);
  return (size_t)(end - begin) >= n && !memcmp(end - n, word, n);
}

/* Tests whether the # at `at` is a delay. If not, it begins parameters, and comes after a name and
 * before a parenthesis, or it is part of ## in an assertion. */
static bool is_delay(const char *begin, const char *at)
{
  const char *before = at, *after = at + 1;
  while (before > begin && strchr(" \t\n\r", before[-1]))
    before--;
  after += strspn(after, " \t\n\r");
  if (*after == '#' || (before > begin && before[-1] == '#')) /* ## of an assertion */
    return false;
  return *after != '(' || (before > begin && before[-1] == '=') ||
         ends_with(begin, before, "assign") || ends_with(begin, before, "always");
}

bool hd_sources_delay(const struct hd_dut_sources *s, char *where, size_t size)
{
  for (size_t i = 0; i < s->n; i++) {
    const char *bytes = s->list[i].bytes, *dot = strrchr(s->list[i].name, '.');
    if (strncmp(s->list[i].name, "rtl/", 4) != 0 || !dot || !strchr("vs", dot[1]))
      continue;
    unsigned line = 1;
    for (const char *at = bytes, *next; *at; at = next) {
      next = skip_text(at);
      if (next == at && *at == '#' && is_delay(bytes, at)) {
        snprintf(where, size, "%s:%u", s->list[i].name + 4, line);
        return true;
      }
      next = next == at ? at + 1 : next;
      for (const char *c = at; c < next; c++)
        line += *c == '\n';
    }
  }
  return false;
}

size_t hd_switch_parameters(const struct hd_switch_params *p, char texts[HD_SWITCH_PARAMS][32])
{
  size_t n = 0;
  for (size_t i = 0; i < HD_SWITCH_PARAMS; i++)
    if (hd_switch_param_used(p, i))
      snprintf(texts[n++], sizeof *texts, "%s=%u", hd_switch_param_list[i].verilog,
               hd_switch_param_get(p, i));
  return n;
}
