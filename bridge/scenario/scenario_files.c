/* Visits and hashes the files that a scenario names, since its own text does not show their contents.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "scenario_inside.h"

#include "../host/file.h"
#include "../host/memory.h"
#include "../host/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int hd_scenario_each_file(const struct hd_scenario *s, hd_scenario_file_fn *visit, void *context,
                          struct hd_error *err)
{
  struct hd_inside inside;
  int status = HD_OK;
  if (s->fabric.shape.file) {
    char *path = hd_file_beside(s->path, s->fabric.shape.file);
    status = visit(context, "fabric.file", path, err);
    free(path);
  }
  if (!status && s->fabric.inside && hd_inside_parse(&inside, s->fabric.inside) &&
      inside.is == HD_INSIDE_FILE) {
    char *path = hd_file_beside(s->path, s->fabric.inside);
    status = visit(context, "fabric.inside", path, err);
    free(path);
  }
  if (!status && s->software.object)
    status = visit(context, "software.program", s->software.object, err);
  for (uint32_t i = 0; !status && i < s->software.n_parameters; i++) {
    const struct hd_parameter *p = &s->software.parameters[i];
    if (!strcmp(p->key, "file") && p->text)
      status = visit(context, "software.parameters.file", p->text, err);
  }
  return status;
}

static int add_file_hash(void *context, const char *name, const char *path, struct hd_error *err)
{
  char *bytes;
  size_t length;
  (void)err;
  if (hd_file_read(path, &bytes, &length, NULL))
    return HD_OK;
  hd_text_add(context, ", %s %016" PRIx64, name, hd_hash_bytes(bytes, length, 1));
  free(bytes);
  return HD_OK;
}

void hd_scenario_identify_file(const char *scenario_path, const char *name,
                               struct hd_text *identity)
{
  char *path = *name ? hd_file_beside(scenario_path, name) : NULL;
  if (path)
    add_file_hash(identity, name, path, NULL);
  free(path);
}

void hd_scenario_identify(const struct hd_scenario *s, const char *dut, struct hd_text *identity)
{
  char *names = hd_xstrdup(dut ? dut : s->run.dut), *rest = NULL;
  hd_scenario_each_file(s, add_file_hash, identity, NULL);
  for (char *name = strtok_r(names, ":,=", &rest); name; name = strtok_r(NULL, ":,=", &rest))
    add_file_hash(identity, name, name, NULL);
  free(names);
}
