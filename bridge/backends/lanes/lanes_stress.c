/* Builds the stress bench with two switches as one netlist that has the pins of a switch.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Modules of both switches have the same names. So Yosys first flattens each switch into one
 * module. Both modules and the bench are then the RTL of the lanes backend, in a temporary
 * directory that is removed after the build.
 */
#include "lanes_stress.h"

#include "../../host/file.h"
#include "../../host/install_root.h"
#include "../rtl/yosys_build.h"
#include "manifest.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const k_bench[] = {HD_LANES_STRESS(HD_OWN)}; /* the first becomes hd_switch.v */

/* Copies a file to `directory` as `name`, with the text `first` before its content. */
static int copy_file(const char *from, const char *directory, const char *name, const char *first,
                     struct hd_error *err)
{
  char to[PATH_MAX + 32], *bytes = NULL;
  struct hd_text text = {0};
  size_t length = 0;
  snprintf(to, sizeof to, "%s/%s", directory, name);
  int status = hd_file_read(from, &bytes, &length, err);
  if (!status)
    hd_text_add(&text, "%s%s", first, bytes);
  if (!status)
    status = hd_file_write(to, hd_text_chars(&text), text.length, err);
  hd_text_fini(&text);
  free(bytes);
  return status;
}

/* Flattens the switch of an RTL directory into one module and copies it to `directory`. */
static int add_switch(const char *rtl_dir, const char *module, const char *directory,
                      const struct hd_switch_params *params, const struct hd_backend_options *given,
                      struct hd_error *err)
{
  struct hd_backend_options options = *given;
  char what[64], synthesis[160], product[32], path[PATH_MAX + 32];
  options.rtl_dir = rtl_dir;
  options.rtl_files = NULL;
  snprintf(what, sizeof what, "one module of the RTL: %s", module);
  snprintf(product, sizeof product, "%s.v", module);
  snprintf(synthesis, sizeof synthesis,
           "flatten\nopt_clean\nrename hd_switch %s\nwrite_verilog -noattr %s\n", module, product);
  struct hd_yosys yosys = {.options = &options,
                           .params = params,
                           .what = what,
                           .synthesis = synthesis,
                           .product = product,
                           .product_end = "endmodule\n"};
  int status = hd_yosys_build(&yosys, err);
  snprintf(path, sizeof path, "%s/%s", yosys.base.entry.directory, product);
  if (!status)
    status = copy_file(path, directory, product, "", err);
  hd_yosys_fini(&yosys);
  return status;
}

static int add_bench(const char *directory, bool foreign, struct hd_error *err)
{
  char root[PATH_MAX], path[PATH_MAX + 64];
  int status = hd_install_root(root, sizeof root, err);
  for (size_t i = 0; !status && i < sizeof k_bench / sizeof *k_bench; i++) {
    snprintf(path, sizeof path, "%s/%s", root, k_bench[i]);
    status = copy_file(path, directory, i ? strrchr(k_bench[i], '/') + 1 : "hd_switch.v",
                       !i && foreign ? "`define HD_STRESS_FOREIGN\n" : "", err);
  }
  return status;
}

int hd_lanes_stress_open(struct hd_backend *backend, const char *original_dir,
                         const char *changed_dir, const struct hd_switch_params *params,
                         bool foreign, const struct hd_backend_options *given, struct hd_error *err)
{
  struct hd_backend_options options = *given;
  char directory[PATH_MAX];
  memset(backend, 0, sizeof *backend);
  int status = hd_directory_temporary("heddle-stress", directory, sizeof directory, err);
  if (status)
    return status;
  status = add_switch(original_dir, "hd_original", directory, params, given, err);
  if (!status)
    status = add_switch(changed_dir, "hd_changed", directory, params, given, err);
  if (!status)
    status = add_bench(directory, foreign, err);
  options.rtl_dir = directory;
  options.switches = HD_LANES_STRESS_BENCHES;
  options.rtl_files = NULL;
  if (!status)
    status = hd_backend_open(backend, "lanes", params, &options, err);
  hd_tree_remove(directory, NULL);
  return status;
}
