/* Lists of faults, and copies of the RTL with one of them in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FAULTS_PLANT_H
#define HD_FAULTS_PLANT_H

#include "../../bridge/host/text.h"
#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>

struct fault {
  char *name, *rig, *file; /* file: inside of the RTL directory */
  char *what;              /* what a person would say the bug is */
  char *old_text, *new_text;
  const char *list; /* its file, borrowed */
  unsigned line;    /* there */
};

struct fault_list {
  struct fault *faults;
  size_t n;
};

/** Adds the faults of a file to the list, which begins as zeros; everything but the path is the
 *  list's, freed by fault_list_fini. HD_E_INPUT, HD_E_IO. */
int fault_list_read(struct fault_list *list, const char *path, struct hd_error *err);
void fault_list_fini(struct fault_list *list);

/** Finds the fault's old text in `text`, the text of its file: from `from` on, up to `to`. HD_E_INPUT if it is not
 *  there exactly once. */
int fault_find(const struct fault *fault, const char *text, size_t *from, size_t *to,
               struct hd_error *err);

/** Writes into `out` what becomes of a file's text. */
typedef int fault_change(void *context, const char *name, const char *text, struct hd_text *out,
                         struct hd_error *err);

/** Makes directory `to` a copy of the Verilog files of `rtl`, each changed. */
int fault_copy_rtl(const char *rtl, const char *to, fault_change *change, void *context,
                   struct hd_error *err);

/** Makes directory `to` a copy of the Verilog files of `rtl` with the fault in it. HD_E_INPUT
 *  where the fault's old text is not exactly once in its file. */
int fault_plant(const struct fault *fault, const char *rtl, const char *to, struct hd_error *err);

#endif
