/* The files of a router: which ones a description names, and what they are called beside the wrapper.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_FILES_H
#define HD_WRAP_FILES_H

#include "wrap_internal.h"

struct hd_wrap_file {
  char *from; /* path */
  char *name; /* in the directory of the wrapper: files/0/router.sv */
  char *bytes;
  size_t length;
  char *defines; /* lines of macros from a list of files, instead of all else */
  bool compiled; /* not only included by others */
};

/** The files of a router. Zeroed means none. */
struct hd_wrap_files {
  struct hd_wrap_file *items;
  size_t n, capacity;
  char **directories; /* of sources, in the order in which they came: files/0 is the first */
  size_t n_directories, directories_capacity;
};

/** Reads all files that a description names: those to compile in their order, packages first. HD_E_INPUT, HD_E_IO. */
int hd_wrap_files_read(struct hd_wrap_files *files, const struct hd_wrap *wrap,
                       struct hd_error *err);
void hd_wrap_files_fini(struct hd_wrap_files *files);

/** Adds the text of hd_switch.v: the files, then the module. */
void hd_wrap_verilog(const struct hd_wrap *wrap, const struct hd_wrap_files *files,
                     struct hd_text *verilog);

#endif
