/* Loads endpoint software from a shared object.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario.h"
#include "../../sw/user_code.h"
#include "../host/file.h"
#include "../host/memory.h"
#include "../host/own_symbols.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The function that HD_ENDPOINT_PROGRAM of sw/endpoint.h defines. */
typedef const struct hd_program *program_fn(uint32_t *abi);

struct hd_loaded_program {
  void *handle;
  const struct hd_program *program;
  int copy; /* descriptor of a copy in memory; < 0: the object itself is loaded */
  struct hd_user_code *user_code;
};

/* Records the begin (`what`) or end (NULL) of a call of the object, whose constructors and
 * destructors are users' code, too. */
static void note_call(const struct hd_loaded_program *loaded, const char *what)
{
  if (loaded->user_code && what)
    hd_user_call_enter(&loaded->user_code->software, what, 0, 0, 0);
  else if (loaded->user_code)
    hd_user_call_leave(&loaded->user_code->software);
}

/* A path that opens the file of a descriptor. */
struct name {
  char path[32];
};

static struct name name_of(int fd)
{
  struct name name;
  snprintf(name.path, sizeof name.path, "/proc/self/fd/%d", fd);
  return name;
}

static bool is_loaded(const char *path)
{
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
  return handle && !dlclose(handle);
}

void hd_program_unload(struct hd_loaded_program *loaded)
{
  if (!loaded)
    return;
  note_call(loaded, "dlclose");
  if (loaded->handle)
    dlclose(loaded->handle);
  note_call(loaded, NULL);
  /* Closes the copy unless the program could not be unloaded: the descriptor's path is the name
   * of the program. */
  if (loaded->copy >= 0 && !is_loaded(name_of(loaded->copy).path))
    close(loaded->copy);
  free(loaded);
}

static int copy_object(struct hd_loaded_program *loaded, const char *path, struct hd_error *err)
{
  char *bytes = NULL;
  size_t length = 0;
  int status = hd_file_read(path, &bytes, &length, err);
  if (status)
    return status;
  loaded->copy = memfd_create("program", MFD_CLOEXEC);
  status = loaded->copy < 0 ? hd_fail(err, HD_E_IO, "%s: cannot be copied", path)
                            : hd_file_write(name_of(loaded->copy).path, bytes, length, err);
  free(bytes);
  return status;
}

static int load_object(struct hd_loaded_program *loaded, const char *path, struct hd_error *err)
{
  struct stat info;
  program_fn *entry;
  uint32_t abi = 0;
  int status = HD_OK;
  /* Without a slash, dlopen would search elsewhere; a pipe would make it wait for a writer. */
  if (!strchr(path, '/'))
    return hd_fail(err, HD_E_INPUT, "%s: write ./%s", path, path);
  if (!stat(path, &info) && !S_ISREG(info.st_mode))
    return hd_fail(err, HD_E_INPUT, "%s: is no regular file", path);
  /* dlopen gives a process one set of an object's global variables. So if the object is loaded
   * already, a copy of it is loaded. */
  if (is_loaded(path))
    status = copy_object(loaded, path, err);
  if (status)
    return status;
  const struct name copy = name_of(loaded->copy);
  note_call(loaded, "dlopen");
  loaded->handle = dlopen(loaded->copy < 0 ? path : copy.path, RTLD_NOW | RTLD_LOCAL);
  note_call(loaded, NULL);
  if (!loaded->handle)
    return hd_fail(err, HD_E_INPUT, "%s", dlerror());
  hd_own_symbols_bind(loaded->handle);
  void *symbol = dlsym(loaded->handle, "hd_endpoint_program");
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
  loaded->program = program;
  return HD_OK;
}

int hd_program_load(struct hd_loaded_program **out, const struct hd_program **program,
                    const char *path, struct hd_user_code *user_code, struct hd_error *err)
{
  struct hd_loaded_program *loaded = *out = hd_xmalloc(sizeof *loaded);
  *loaded = (struct hd_loaded_program){.copy = -1, .user_code = user_code};
  int status = load_object(loaded, path, err);
  *program = loaded->program;
  return status;
}

int hd_scenario_reload_program(struct hd_scenario *s, struct hd_error *err)
{
  if (!s->software.loaded)
    return HD_OK;
  hd_program_unload(s->software.loaded);
  return hd_program_load(&s->software.loaded, &s->software.program, s->software.object,
                         s->software.user_code, err);
}

int hd_scenario_load_program(struct hd_scenario *s, const char *path, struct hd_error *err)
{
  struct hd_error inner = {""};
  const uint32_t line = hd_scenario_line(s, "software.program");
  struct hd_user_code *code = s->software.user_code;
  if (code) {
    snprintf(code->program, sizeof code->program, "%s",
             !s->software.object ? s->software.program->name
             : path              ? path
                                 : s->software.object);
    code->program_is_heddles = !s->software.object;
  }
  if (!s->software.object)
    return path ? hd_fail(err, HD_E_INPUT,
                          "--program %.300s: %.200s runs the program %s, which is not a shared "
                          "object; leave --program out",
                          path, s->path, s->software.program->name)
                : HD_OK;
  char *chosen = hd_xstrdup(path ? path : s->software.object);
  free(s->software.object);
  s->software.object = chosen;
  hd_program_unload(s->software.loaded);
  int status = hd_program_load(&s->software.loaded, &s->software.program, chosen,
                               s->software.user_code, &inner);
  if (status)
    return hd_fail(err, status, "%.200s:%u: software.program: cannot load the program: %s", s->path,
                   line, inner.text);
  for (uint32_t i = 0; i < s->software.n_parameters; i++)
    if (!hd_scenario_program_has(s->software.program, s->software.parameters[i].key))
      return hd_fail(
          err, HD_E_INPUT,
          "%.200s:%u: software.parameters.%.64s: program %.64s has no such parameter%s", s->path,
          s->software.parameter_lines[i], s->software.parameters[i].key, s->software.program->name,
          hd_scenario_suggest_parameter(s->software.program, s->software.parameters[i].key).text);
  return HD_OK;
}
