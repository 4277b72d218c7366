/* The files of a router that a description names, and their names in the wrapper's directory.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WRAP_FILES_H
#define HD_WRAP_FILES_H

#include "wrap_internal.h"

struct hd_wrap_file {
  char *from; /* path of the original */
  char *name; /* in the directory of the wrapper: files/0/router.sv */
  char *bytes;
  size_t length;
  char *defines; /* macros from a list of files, one a line; the other members are then empty */
  bool compiled; /* false: only other files include it */
};

/** The files of a router. All zero: none. */
struct hd_wrap_files {
  struct hd_wrap_file *items;
  size_t n, capacity;
  char **directories; /* directories of sources, in order: files/0 is the first */
  size_t n_directories, directories_capacity;
};

/** Reads all files that a description names. Files to compile are in order, packages first.
 *  HD_E_INPUT, HD_E_IO. */
int hd_wrap_files_read(struct hd_wrap_files *files, const struct hd_wrap *wrap,
                       struct hd_error *err);
void hd_wrap_files_fini(struct hd_wrap_files *files);

/** Appends the text of hd_switch.v: the files, then the module. */
void hd_wrap_verilog(const struct hd_wrap *wrap, const struct hd_wrap_files *files,
                     struct hd_text *verilog);

#endif
