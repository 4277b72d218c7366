/* Signals of RTL by their paths in waves: module, file and line, and what they are made from.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Reads Verilog as text, without a tool: modules, instances, assignments. What it does not find it says nothing of.
 */
#ifndef HD_RTL_SOURCE_H
#define HD_RTL_SOURCE_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>

struct hd_rtl_source;

/** All files *.v and *.sv of a directory, and those of its files/0, files/1 …: there `heddle wrap` puts a router's own.
 *  HD_E_IO, HD_E_INPUT (there are none). */
int hd_rtl_source_read(struct hd_rtl_source **source, const char *directory, struct hd_error *err);
void hd_rtl_source_free(struct hd_rtl_source *source); /* NULL is fine */

enum { HD_RTL_PATH = 256, HD_RTL_WORD = 64 };

struct hd_rtl_signal {
  char instance
      [HD_RTL_PATH]; /* "hd_switch.out[1].u_out", without generated scopes inside the module */
  char module[HD_RTL_WORD], name[HD_RTL_WORD];
  char file[HD_RTL_WORD]; /* its name in the directory */
  unsigned line;          /* of the first assignment that is not reset's, or of the declaration */
  bool driven;            /* the module assigns it, */
  bool is_register;       /* by <= */
  bool is_reset;          /* also where `rst` is 1 */
  bool is_integer;        /* an integer counts a loop and is no signal of the circuit */
  bool is_constant; /* no assignment reads a signal, as in a generate branch for other parameters */
  size_t file_index, begin, end; /* for hd_rtl_ functions: where its assignments are */
};

/** Finds the signal of a path such as "hd_switch.out[1].u_out.owned_q[0]", below a module. Scopes
 *  around the module are skipped. False: there is no such signal. */
bool hd_rtl_find(const struct hd_rtl_source *source, const char *path,
                 struct hd_rtl_signal *signal);

/** Tests whether the signal is made from `name`: in its assignments, or earlier in their blocks. */
bool hd_rtl_reads(const struct hd_rtl_source *source, const struct hd_rtl_signal *signal,
                  const char *name);

/** Tests whether the assignments of the signal of `path`, or constants and functions in them,
 *  differ from those of `original`. Then `signal->line` becomes a line that is new, if there is
 *  one. */
bool hd_rtl_changed(const struct hd_rtl_source *source, const struct hd_rtl_source *original,
                    const char *path, struct hd_rtl_signal *signal);

/** The line of the assignment where `rst` is 1; 0: there is none. */
unsigned hd_rtl_reset_line(const struct hd_rtl_source *source, const struct hd_rtl_signal *signal);

/** Copies a line without the blanks around it; "" where there is none. */
void hd_rtl_line(const struct hd_rtl_source *source, const struct hd_rtl_signal *signal, char *text,
                 size_t size);

#endif
