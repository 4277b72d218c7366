/* Compiles the shared object of a backend in C: of lanes, and of simulators in processes of their
 * own.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "host_build.h"

#include "build.h"

#include <stdio.h>
#include <string.h>

static const char *const k_flags[] = {"-std=c11", "-D_GNU_SOURCE", "-O2",
                                      "-fPIC",    "-shared",       "-fvisibility=hidden",
                                      "-o",       HD_HOST_PRODUCT, "-Wl,-Bsymbolic"};
enum { N_FLAGS = sizeof k_flags / sizeof *k_flags, MAX_DEFINES = 8, MAX_SOURCES = 8 };

int hd_host_key(struct hd_dut_sources *sources, struct hd_error *err)
{
  int status = 0;
  for (size_t i = 0; !status && i < N_FLAGS; i++)
    status = hd_key_add(sources, "flag", k_flags[i], err);
  return status;
}

int hd_host_compile(const struct hd_cache_entry *entry, const struct hd_backend_options *options,
                    const char *rtl, const char parameters[HD_SWITCH_PARAMS][32],
                    size_t n_parameters, const char *const *defines, const char *const *sources,
                    struct hd_error *err)
{
  const char *argv[1 + N_FLAGS + HD_SWITCH_PARAMS + MAX_DEFINES + MAX_SOURCES + 1] = {"gcc"};
  char values[HD_SWITCH_PARAMS][40];
  size_t n = 1;
  memcpy(argv + n, k_flags, sizeof k_flags);
  n += N_FLAGS;
  for (size_t i = 0; i < n_parameters; i++) {
    snprintf(values[i], sizeof values[i], "-DHD_%s", parameters[i]);
    argv[n++] = values[i];
  }
  while (*defines)
    argv[n++] = *defines++;
  while (*sources)
    argv[n++] = *sources++;
  return hd_build_run(entry, options, "gcc", argv, rtl, err);
}
