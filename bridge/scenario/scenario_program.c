/* Endpoint software from a shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* As sw/endpoint.h has it: HD_ENDPOINT_PROGRAM. */
typedef const struct hd_program *program_fn(uint32_t *abi);

static int load(struct hd_scenario *s, const char *path, struct hd_error *err)
{
  struct stat info;
  program_fn *entry;
  uint32_t abi = 0;
  /* dlopen would wait for a pipe's writer, and look for a name without a slash elsewhere. */
  if (!strchr(path, '/'))
    return hd_fail(err, HD_E_INPUT, "%s: write ./%s", path, path);
  if (!stat(path, &info) && !S_ISREG(info.st_mode))
    return hd_fail(err, HD_E_INPUT, "%s: is no regular file", path);
  s->software.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!s->software.handle)
    return hd_fail(err, HD_E_INPUT, "%s", dlerror());
  void *symbol = dlsym(s->software.handle, "hd_endpoint_program");
  _Static_assert(sizeof entry == sizeof symbol, "POSIX: a function pointer fits a void pointer");
  memcpy(&entry, &symbol, sizeof entry);
  if (!symbol)
    return hd_fail(err, HD_E_INPUT,
                   "%s is no program: its source does not end with HD_ENDPOINT_PROGRAM(...)", path);
  const struct hd_program *program = entry(&abi);
  if (abi != HD_ENDPOINT_ABI)
    return hd_fail(err, HD_E_INPUT, "%s speaks version %u of the endpoint API, this is version %d",
                   path, abi, HD_ENDPOINT_ABI);
  if (!program || !program->name || !program->about || !program->main)
    return hd_fail(err, HD_E_INPUT, "%s: its program has no name, about or main", path);
  s->software.program = program;
  return HD_OK;
}

int hd_scenario_load_program(struct hd_scenario *s, const char *path, struct hd_error *err)
{
  struct hd_error inner = {""};
  const uint32_t line = hd_scenario_line(s, "software.program");
  if (!s->software.object)
    return path ? hd_fail(
                      err, HD_E_INPUT,
                      "--program %.300s: %.200s runs %s, which is no shared object; leave it out",
                      path, s->path, s->software.program->name)
                : HD_OK;
  char *chosen = strdup(path ? path : s->software.object);
  if (!chosen)
    return hd_fail(err, HD_E_NOMEM, "%s: out of memory", s->path);
  free(s->software.object);
  s->software.object = chosen;
  int status = load(s, chosen, &inner);
  if (status)
    return hd_fail(err, status, "%.200s:%u: software.program: cannot load the program: %s", s->path,
                   line, inner.text);
  for (uint32_t i = 0; i < s->software.n_parameters; i++)
    if (!hd_scenario_program_has(s->software.program, s->software.parameters[i].key))
      return hd_fail(err, HD_E_INPUT,
                     "%.200s:%u: software.parameters.%.64s: program %.64s has no such parameter",
                     s->path, s->software.parameter_lines[i], s->software.parameters[i].key,
                     s->software.program->name);
  return HD_OK;
}
