/* Proves by Yosys the properties at the end of the RTL's modules, for modules that the RTL still has.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The list is that of `make formal` (tb/formal.txt), without the proofs that add a property for every register. A proof
 * that no longer fits the RTL, or that neither succeeds nor fails, says nothing about the RTL.
 */
#include "check_internal.h"

#include "../host/file.h"
#include "../host/install_root.h"
#include "../host/tool_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const rlim_t patience_seconds = 60; /* processor time */

/* Reads a line "name | module | N=1 M=2 | …". False: it is a comment, or a proof with a property for every register. */
static bool read_line(const char *line, struct check_proof *proof)
{
  char module[80];
  *proof = (struct check_proof){.name = ""};
  if (*line == '#' ||
      sscanf(line, " %31s | %79[^|]| %127[^|]", proof->name, module, proof->parameters) != 3)
    return false;
  for (size_t n = strlen(proof->parameters); n && proof->parameters[n - 1] == ' ';)
    proof->parameters[--n] = '\0';
  return sscanf(module, "%39s", proof->module) == 1 && !strstr(module, " hold");
}

int hd_check_find_proofs(struct hd_check *c, struct hd_error *err)
{
  static const char *const places[] = {"formal.txt", "tb/formal.txt"}; /* installed; source tree */
  char root[4096], path[4200], *text = NULL, *rest = NULL;
  size_t length;
  int status = hd_install_root(root, sizeof root, err);
  for (size_t i = 0; !status && !text && i < sizeof places / sizeof *places; i++) {
    snprintf(path, sizeof path, "%s/%s", root, places[i]);
    if (!access(path, R_OK))
      status = hd_file_read(path, &text, &length, err);
  }
  for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest))
    if (c->n_proofs < CHECK_PROOFS && read_line(line, &c->proofs[c->n_proofs]))
      c->n_proofs++;
  free(text);
  return status;
}

static void write_script(const struct check_proof *p, struct hd_text *script)
{
  char parameters[sizeof p->parameters], *rest = NULL;
  snprintf(parameters, sizeof parameters, "%s", p->parameters);
  hd_text_add(script, "read_verilog -formal -DFORMAL_%s -I. *.v; chparam", p->module);
  for (char *one = strtok_r(parameters, " ", &rest); one; one = strtok_r(NULL, " ", &rest))
    hd_text_add(script, " -set %.*s %s", (int)strcspn(one, "="), one,
                one[strcspn(one, "=")] ? one + strcspn(one, "=") + 1 : "");
  hd_text_add(
      script,
      " %s; hierarchy -check -top %s; proc; flatten; memory_map; opt; async2sync; dffunmap; "
      "opt -nodffe -nosdff; select -assert-min 1 t:$assert; sat -set-assumes -seq 4 %s; "
      "sat -tempinduct -prove-asserts -set-assumes -verify -maxsteps 6 %s",
      p->module, p->module, p->module, p->module);
}

/* Limits the processor time of this process, which carries out only this task. Yosys inherits the limit. */
static void limit_time(void)
{
  struct rlimit limit;
  if (getrlimit(RLIMIT_CPU, &limit))
    return;
  if (limit.rlim_cur > patience_seconds)
    limit.rlim_cur = patience_seconds;
  setrlimit(RLIMIT_CPU, &limit);
}

static bool contains(const char *log, const char *what)
{
  return log && strstr(log, what);
}

enum check_proved hd_check_prove(const struct hd_check *c, const struct check_proof *proof,
                                 const char *log_path, struct hd_error *err)
{
  struct hd_text script = {0};
  char *log = NULL;
  size_t length;
  int code = 0;
  write_script(proof, &script);
  const char *const argv[] = {"yosys", "-q", "-l", log_path, "-p", hd_text_chars(&script), NULL};
  const struct hd_tool run = {.argv = argv, .package = "yosys", .directory = c->rtl_dir};
  unlink(log_path);
  enum check_proved proved = CHECK_UNFIT;
  limit_time();
  int status = hd_tool_run(&run, &code, err);
  if (!status && !hd_file_read(log_path, &log, &length, NULL)) {
    /* The first command `sat` looks for any run that meets the assumptions. */
    bool fits = contains(log, "SAT solving finished - model found");
    proved = !fits                                              ? CHECK_UNFIT
             : contains(log, "Induction step proven: SUCCESS")  ? CHECK_PROVED
             : contains(log, "model found for base case: FAIL") ? CHECK_REFUTED
                                                                : CHECK_UNPROVED;
  } else if (status) /* most likely the time limit or lack of memory ended Yosys */
    proved = CHECK_UNPROVED;
  if (proved == CHECK_REFUTED)
    hd_fail(
        err, HD_E_DIVERGENCE,
        "proof %s: a property at the end of %s.v is refuted with %s; the run is at the end of %s",
        proof->name, proof->module, proof->parameters, log_path);
  else
    unlink(log_path);
  free(log);
  hd_text_fini(&script);
  return proved;
}
