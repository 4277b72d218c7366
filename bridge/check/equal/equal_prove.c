/* One proof that a changed module is equal to the original's, by Yosys.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both copies become one module in which wires of the same name are paired ($equiv cells). opt_merge joins logic that is
 * the same in both, so that little is left to the solver. Memories stay cells and submodules stay black boxes: two with
 * the same name and kind give equal outputs for equal inputs. Where Yosys cannot pair them, the next attempts expand
 * first memories and then submodules into flip-flops.
 */
#include "equal_internal.h"

#include "../../host/file.h"
#include "../../host/tool_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ── names ─────────────────────────────────────────────────────────────────── */

/* Does a file of the directory include another? */
static bool includes(const struct equal_side *side)
{
  for (size_t i = 0; i < side->sources.n; i++)
    if (strstr(side->sources.list[i].bytes, "`include"))
      return true;
  return false;
}

/* A directory may have a name that Yosys refuses. Scripts use this link in a private directory for the original, and "."
 * for the changed RTL, because Yosys works in its directory. */
#define ORIGINAL "original"

/* Can Yosys take the names in a script: those of all files, and that of the private directory? */
static bool are_plain(const struct hd_equal *e, const char *private)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+.,=@% /";
  if (private[strspn(private, plain)] || strchr(private, ' '))
    return false;
  const struct equal_side *const sides[] = {&e->original, &e->changed};
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < sides[side]->sources.n; i++) {
      const char *name = sides[side]->sources.list[i].name;
      if (name[strspn(name, plain)] || (includes(sides[side]) && strchr(name, ' ')))
        return false;
    }
  return true;
}

/* ── the script ────────────────────────────────────────────────────────────── */

/* Is the module alone in its file, so that it can be read without others? */
static bool is_alone_in_file(const struct equal_side *side, const struct equal_module *m)
{
  for (uint32_t i = 0; i < side->n; i++)
    if (&side->modules[i] != m && side->modules[i].file == m->file)
      return false;
  return true;
}

/* Can the changed copy use the original's submodules? Submodules are compared by themselves. */
static bool shares_submodules(const struct hd_equal *e, const struct equal_module *m,
                              const bool *used)
{
  for (uint32_t i = 0; i < e->changed.n; i++) {
    const struct equal_module *sub = &e->changed.modules[i],
                              *original = hd_equal_find(&e->original, sub->name);
    if (used[i] && (!is_alone_in_file(&e->changed, sub) ||
                    (original && !is_alone_in_file(&e->original, original))))
      return false;
    if (used[i] && sub != m && original && !hd_equal_same_header(sub, original))
      return false;
  }
  return true;
}

static void add_file(struct hd_text *files, const struct hd_equal *e, const struct equal_side *side,
                     const char *file)
{
  char word[4500];
  const bool here = side == &e->changed;
  snprintf(word, sizeof word, " \"%s%s%s\"", here ? "" : e->private, here ? "" : "/" ORIGINAL "/",
           file);
  if (!strstr(hd_text_chars(files), word))
    hd_text_add(files, "%s", word);
}

static void add_reached(struct hd_text *files, const struct hd_equal *e,
                        const struct equal_side *side, const bool *used)
{
  for (uint32_t i = 0; i < side->n; i++)
    if (used[i])
      add_file(files, e, side, side->modules[i].file);
}

/* Files of a module, and of all modules below it. */
struct files {
  struct hd_text own, below;
};

static void files_fini(struct files *files)
{
  hd_text_fini(&files->own);
  hd_text_fini(&files->below);
}

static void files_of_original(const struct hd_equal *e, const char *module, struct files *files)
{
  bool used[EQUAL_MODULES] = {false};
  const struct equal_module *m = hd_equal_find(&e->original, module);
  hd_equal_reach(&e->original, m, used);
  add_file(&files->own, e, &e->original, m->file);
  used[m - e->original.modules] = false;
  add_reached(&files->below, e, &e->original, used);
}

static void files_of_changed(const struct hd_equal *e, const char *module, struct files *files)
{
  bool used[EQUAL_MODULES] = {false}, others[EQUAL_MODULES] = {false};
  const struct equal_module *m = hd_equal_find(&e->changed, module);
  hd_equal_reach(&e->changed, m, used);
  add_file(&files->own, e, &e->changed, m->file);
  if (!shares_submodules(e, m, used)) {
    used[m - e->changed.modules] = false;
    add_reached(&files->below, e, &e->changed, used);
    return;
  }
  for (uint32_t i = 0; i < e->changed.n; i++) {
    const struct equal_module *sub = &e->changed.modules[i],
                              *original = hd_equal_find(&e->original, sub->name);
    if (!used[i] || sub == m)
      continue;
    if (original)
      hd_equal_reach(&e->original, original, others);
    else
      add_file(&files->below, e, &e->changed, sub->file);
  }
  add_reached(&files->below, e, &e->original, others);
}

/* Options of Yosys take no quotes, so names must have no blanks (are_plain). */
static void add_includes(struct hd_text *script, const struct hd_equal *e,
                         const struct equal_side *side)
{
  const bool here = side == &e->changed;
  if (includes(side))
    for (size_t i = 0; i < side->sources.n_include; i++)
      hd_text_add(script, " -I%s%s%s", here ? "." : e->private, here ? "" : "/" ORIGINAL,
                  side->sources.include[i] + strlen("-Irtl"));
}

/* Parts of a module that are inside the proof; all others are cells or black boxes. */
enum inside { NOTHING, MEMORIES, ALL };

static void add_read(struct hd_text *s, const struct hd_equal *e, const struct equal_side *side,
                     const char *option, const char *files)
{
  if (!*files)
    return;
  hd_text_add(s, "read_verilog %s", option);
  add_includes(s, e, side);
  hd_text_add(s, "%s\n", files);
}

/* Adds the commands that read one copy, as module `name` of a design of that name. */
static void add_copy(struct hd_text *s, const struct hd_equal *e, const struct equal_side *side,
                     const struct files *files, const char *module, const char *parameters,
                     const char *name, enum inside inside)
{
  char list[HD_EQUAL_PARAMETERS], *rest = NULL;
  snprintf(list, sizeof list, "%s", parameters);
  add_read(s, e, side, "-defer", hd_text_chars(&files->own));
  /* Only the ports of a black box are read. */
  add_read(s, e, side, inside == ALL ? "-defer" : "-defer -lib", hd_text_chars(&files->below));
  hd_text_add(s, "hierarchy -check -top %s", module);
  for (char *one = strtok_r(list, " ", &rest); one; one = strtok_r(NULL, " ", &rest)) {
    size_t n = strcspn(one, "=");
    hd_text_add(s, " -chparam %.*s %s", (int)n, one, one[n] ? one + n + 1 : "");
  }
  hd_text_add(s, "\nrename -top %s\n", name);
  if (inside == ALL)
    hd_text_add(s, "proc\nflatten\ncd %s\n", name);
  else
    hd_text_add(s, "proc %s\nblackbox =* %s %%d\ncd %s\n", name, name, name);
  hd_text_add(s, inside == NOTHING ? "memory_collect\n" : "memory_map\n");
  /* After `proc` only addresses of writes that are not enabled are x, because no number of the text has an x. Signals that
   * nothing drives may have any value. */
  hd_text_add(s,
              "async2sync\nsetundef -zero\nsetundef -undriven -anyseq\nopt_expr\nopt_clean\ncheck\n"
              "cd\ndesign -stash %s\n",
              name);
}

static int write_script(const struct hd_equal *e, const char *module, const char *parameters,
                        enum inside inside, const char *work, struct hd_error *err)
{
  struct hd_text script = {0}, path = {0};
  struct files original = {0}, changed = {0};
  files_of_original(e, module, &original);
  files_of_changed(e, module, &changed);
  add_copy(&script, e, &e->original, &original, module, parameters, "gold", inside);
  add_copy(&script, e, &e->changed, &changed, module, parameters, "gate", inside);
  const int cycles = inside == ALL ? 4 : 2;
  hd_text_add(&script,
              "design -copy-from gold =*\ndesign -copy-from gate gate\n"
              /* Outputs of an unknown black box would count as undriven, and so as equal. */
              "design -push-copy\nhierarchy -check -top gate\ndesign -pop\n"
              "equiv_make gold gate equiv\n"
              "cd equiv\ndump -o \"%s/start\" a:init\nopt_merge\n"
              /* Equal logic is one signal now; opt_clean shows that to the solver. */
              "setattr -set keep 1 t:$equiv\nopt_clean\nequiv_simple -seq %d\nequiv_induct -seq "
              "%d\nequiv_status\n"
              "equiv_remove\ndump -o \"%s/il\" w:*_gate w:*_gold t:*\n",
              e->private, cycles, cycles, e->private);
  hd_text_add(&path, "%s.ys", work);
  const int status = hd_file_write(path.chars, script.chars, script.length, err);
  hd_text_fini(&script);
  files_fini(&original);
  files_fini(&changed);
  hd_text_fini(&path);
  return status;
}

/* ── the proof ─────────────────────────────────────────────────────────────── */

static double cpu_of_children(void)
{
  struct rusage usage;
  if (getrusage(RUSAGE_CHILDREN, &usage))
    return 0;
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Runs Yosys with a limit of processor time. Yosys inherits the limit of this process. */
static int run_limited(const struct hd_tool *tool, uint32_t seconds, int *code,
                       struct hd_error *err)
{
  struct rlimit before, limit;
  if (getrlimit(RLIMIT_CPU, &before))
    return hd_fail(err, HD_E_INTERNAL, "no limit of processor time can be had");
  limit = before;
  struct rusage own;
  rlim_t wanted = seconds;
  if (!getrusage(RUSAGE_SELF, &own)) /* this process must not reach the limit itself */
    wanted += (rlim_t)(own.ru_utime.tv_sec + own.ru_stime.tv_sec);
  if (limit.rlim_cur > wanted)
    limit.rlim_cur = wanted;
  setrlimit(RLIMIT_CPU, &limit);
  int status = hd_tool_run(tool, code, err);
  setrlimit(RLIMIT_CPU, &before);
  return status;
}

/* Copies the rest of a line of the log from `what` on; false: the log has no `what`. */
static bool line_with(const char *log, const char *what, char *line, size_t size)
{
  const char *at = strstr(log, what);
  if (at)
    snprintf(line, size, "%.*s", (int)strcspn(at, "\n"), at);
  return at != NULL;
}

/* Did Yosys report an error, or warn of something that makes its result worthless? */
static bool has_fatal_message(const char *log, struct hd_equal_outcome *outcome)
{
  static const char *const reasons[] = {"ERROR: ", "found logic loop",
                                        "multiple conflicting drivers"};
  for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
    if (line_with(log, reasons[i], outcome->why, sizeof outcome->why))
      return true;
  return false;
}

static int read_result(const char *log, const char *dump, const char *start,
                       struct hd_equal_outcome *outcome, struct hd_error *err)
{
  uint32_t proved = 0, open = 0;
  char line[128];
  outcome->status = HD_EQUAL_UNFIT;
  *outcome->why = '\0';
  if (has_fatal_message(log, outcome))
    return HD_OK;
  if (!line_with(log, "Of those cells", line, sizeof line) ||
      sscanf(line, "Of those cells %" SCNu32 " are proven and %" SCNu32, &proved, &open) != 2 ||
      !(proved + open)) {
    snprintf(outcome->why, sizeof outcome->why, "no wires of the two could be paired");
    return HD_OK;
  }
  outcome->pairs = proved + open;
  int status = hd_equal_wires_read(dump, start, outcome, err);
  outcome->status = open || outcome->n_wires ? HD_EQUAL_OPEN : HD_EQUAL_PROVED;
  return status;
}

/* Tries the proof once. *fails: Yosys stopped because it cannot pair memories or black boxes that differ. */
static int attempt(const struct hd_equal *e, const char *module, const char *parameters,
                   enum inside inside, const char *work, uint32_t seconds,
                   struct hd_equal_outcome *outcome, bool *fails, struct hd_error *err)
{
  enum { SCRIPT, LOG, DUMP, START, FILES };
  char paths[FILES][4200], *text = NULL;
  size_t length;
  int code = 0;
  snprintf(paths[SCRIPT], sizeof *paths, "%s.ys", work);
  snprintf(paths[LOG], sizeof *paths, "%s.log", work);
  snprintf(paths[DUMP], sizeof *paths, "%s/il", e->private);
  snprintf(paths[START], sizeof *paths, "%s/start", e->private);
  for (int i = 0; i < FILES; i++)
    unlink(paths[i]);
  int status = write_script(e, module, parameters, inside, work, err);
  if (status)
    return status;
  const char *const argv[] = {"yosys", "-q", "-l", paths[LOG], "-s", paths[SCRIPT], NULL};
  const struct hd_tool run = {.argv = argv, .package = "yosys", .directory = e->changed_directory};
  double before = cpu_of_children();
  status = run_limited(&run, seconds, &code, err);
  outcome->cpu_seconds += cpu_of_children() - before;
  if (status == HD_E_TOOL) { /* a signal ended Yosys: the time limit, or lack of memory */
    outcome->status = HD_EQUAL_LATE;
    status = HD_OK;
  } else if (!status) {
    status = hd_file_read(paths[LOG], &text, &length, err);
    if (!status)
      status = read_result(text, paths[DUMP], paths[START], outcome, err);
    *fails = text && strstr(text, "ERROR: Assert");
  }
  free(text);
  if (outcome->status == HD_EQUAL_PROVED) {
    unlink(paths[SCRIPT]);
    unlink(paths[LOG]);
  }
  return status;
}

static int make_private(struct hd_equal *e, struct hd_error *err)
{
  char path[sizeof e->private + sizeof "/" ORIGINAL];
  int status = hd_directory_temporary("heddle-equal", e->private, sizeof e->private, err);
  snprintf(path, sizeof path, "%s/" ORIGINAL, e->private);
  if (!status && symlink(e->original_directory, path))
    status = hd_fail(err, HD_E_IO, "cannot link %s: %s", path, hd_cause(errno).text);
  return status;
}

static int prove(const struct hd_equal *e, const char *module, const char *parameters, bool flatten,
                 const char *work, uint32_t seconds, struct hd_equal_outcome *outcome,
                 struct hd_error *err)
{
  bool fails = true;
  *outcome = (struct hd_equal_outcome){.status = HD_EQUAL_UNFIT, .flattened = flatten};
  const char *why = !hd_equal_find(&e->original, module) || !hd_equal_find(&e->changed, module)
                        ? "there is no such module in both"
                    : !are_plain(e, e->private)
                        ? "a file's name, or TMPDIR, has signs that Yosys refuses"
                        : hd_equal_forbidden(e);
  if (why) {
    snprintf(outcome->why, sizeof outcome->why, "%s", why);
    return HD_OK;
  }
  if (!hd_tool_installed("yosys"))
    return hd_fail(err, HD_E_TOOL, "yosys is missing; install the package yosys");
  int status = HD_OK;
  for (int inside = flatten ? ALL : NOTHING; inside <= ALL && !status && fails; inside++) {
    fails = false;
    outcome->flattened = inside == ALL;
    status =
        attempt(e, module, parameters, (enum inside)inside, work, seconds, outcome, &fails, err);
  }
  for (uint32_t i = 0; i < outcome->n_wires && i < HD_EQUAL_WIRES; i++) {
    struct hd_equal_wire *wire = &outcome->wires[i];
    snprintf(wire->module, sizeof wire->module, "%s", module);
    snprintf(wire->parameters, sizeof wire->parameters, "%s", parameters);
    wire->status = outcome->status;
  }
  return status;
}

int hd_equal_prove(struct hd_equal *e, const char *module, const char *parameters, bool flatten,
                   const char *work, uint32_t seconds, struct hd_equal_outcome *outcome,
                   struct hd_error *err)
{
  int status = make_private(e, err);
  if (!status)
    status = prove(e, module, parameters, flatten, work, seconds, outcome, err);
  hd_tree_remove(e->private, NULL);
  return status;
}
