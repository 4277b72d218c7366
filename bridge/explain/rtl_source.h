/* Finds signals of RTL by their paths in waves: module, file, line, and the signals they depend on.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads Verilog as text, without a tool: modules, instances, assignments. A signal that it does not
 * find is left out.
 */
#ifndef HD_RTL_SOURCE_H
#define HD_RTL_SOURCE_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>

struct hd_rtl_source;

/** Reads all *.v and *.sv files of a directory. Reads those of its files/0, files/1 … too, where
 *  `heddle wrap` puts a router's own sources. HD_E_IO; HD_E_INPUT: no files. */
int hd_rtl_source_read(struct hd_rtl_source **source, const char *directory, struct hd_error *err);
void hd_rtl_source_free(struct hd_rtl_source *source); /* NULL is allowed */

enum { HD_RTL_PATH = 256, HD_RTL_WORD = 64 };

struct hd_rtl_signal {
  char instance
      [HD_RTL_PATH]; /* "hd_switch.out[1].u_out", without generated scopes inside the module */
  char module[HD_RTL_WORD], name[HD_RTL_WORD];
  char file[HD_RTL_WORD]; /* file name in the directory */
  /* line of the first assignment outside of reset, or of the declaration */
  unsigned line;
  bool driven;      /* the module assigns it */
  bool is_register; /* assigned by <= */
  bool is_reset;    /* assigned where `rst` is 1 */
  bool is_integer;  /* an integer that counts a loop, not a signal of the circuit */
  bool is_constant; /* no assignment reads a signal, as in a generate branch for other parameters */
  size_t file_index, begin, end; /* for hd_rtl_ functions: where the module's text is */
};

/** Finds the signal of a path such as "hd_switch.out[1].u_out.owned_q[0]", below a module. Scopes
 *  around the module are skipped. False: there is no such signal. */
bool hd_rtl_find(const struct hd_rtl_source *source, const char *path,
                 struct hd_rtl_signal *signal);

/** Tests whether the signal depends on `name`: in its assignments, or earlier in their blocks. */
bool hd_rtl_reads(const struct hd_rtl_source *source, const struct hd_rtl_signal *signal,
                  const char *name);

/** Tests whether the assignments of the signal at `path` differ from those in `original`, or
 *  constants and functions in them do. If so, `signal->line` becomes a new line, if there is
 *  one. */
bool hd_rtl_changed(const struct hd_rtl_source *source, const struct hd_rtl_source *original,
                    const char *path, struct hd_rtl_signal *signal);

/** The line that assigns the signal where `rst` is 1; 0: none. */
unsigned hd_rtl_reset_line(const struct hd_rtl_source *source, const struct hd_rtl_signal *signal);

/** Copies the signal's line without the blanks around it; "" if there is no such line. */
void hd_rtl_line(const struct hd_rtl_source *source, const struct hd_rtl_signal *signal, char *text,
                 size_t size);

#endif
