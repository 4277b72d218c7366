/* FST wave files: a thin, typed layer over the API that comes with Verilator.
 * SPDX-License-Identifier: Apache-2.0
 *
 * fst.c alone sees fstapi.h.
 */
#ifndef HD_FST_H
#define HD_FST_H

#include "../../cmodel/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ── writing ───────────────────────────────────────────────────────────────── */

struct hd_fst_writer;

enum { HD_FST_MAX_BITS = 80 };

/** A variable that remembers its value, so that only changes are written. The caller provides
 *  the storage. */
struct hd_fst_signal {
  uint32_t handle;            /* 0: not in the file; puts do nothing */
  uint32_t bits;              /* 1 … HD_FST_MAX_BITS */
  char text[HD_FST_MAX_BITS]; /* last value, one character for each bit; 0 before the first value */
};

/** Makes `path` with a time unit of 1 ps. HD_E_IO: the file cannot be made, or its file system or
 *  that of temporary files has less than 32 MiB left. */
int hd_fst_writer_create(struct hd_fst_writer **writer, const char *path, struct hd_error *err);

/** Scopes and variables must be declared before the first time. */
void hd_fst_scope_begin(struct hd_fst_writer *writer, const char *name);
void hd_fst_scope_end(struct hd_fst_writer *writer);
void hd_fst_signal_add(struct hd_fst_writer *writer, struct hd_fst_signal *signal, const char *name,
                       uint32_t bits);

/** Moves to `time_ps`. Does nothing if that is not later than the current time. */
void hd_fst_time(struct hd_fst_writer *writer, uint64_t time_ps);
void hd_fst_put(struct hd_fst_writer *writer, struct hd_fst_signal *signal, uint64_t value);
/** Writes a value of `bits` characters, the highest bit first. */
void hd_fst_put_text(struct hd_fst_writer *writer, struct hd_fst_signal *signal, const char *text);
/** Writes the low `bits` of value as characters, the highest first; returns the end. */
char *hd_fst_bits(char *text, uint64_t value, uint32_t bits);
/** Writes 'x' or 'z' to all bits. */
void hd_fst_put_all(struct hd_fst_writer *writer, struct hd_fst_signal *signal, char bit);

/** Closes the file, destroys the writer (NULL is allowed), and checks the file's blocks and end
 *  time. HD_E_IO if the file is not complete, as on a full disk. */
int hd_fst_writer_close(struct hd_fst_writer *writer, struct hd_error *err);

/* ── reading ───────────────────────────────────────────────────────────────── */

struct hd_fst_reader;

/** Name of a variable in the waves of RTL with delays: the number of time units in half a cycle. It
 *  is not listed, and hd_fst_read divides times by it. */
#define HD_WAVES_HALF_CYCLE "hd_half_cycle"
/** A variable of a file. Its path has dots, in the form of hd_wave_name_tidy. `bits` is 0 for
 *  reals and strings. */
struct hd_fst_variable {
  char *path;
  uint32_t handle; /* variables of one handle are aliases */
  uint32_t bits;
};

/** HD_E_IO: the file is not complete, or no FST file. */
int hd_fst_reader_create(struct hd_fst_reader **reader, const char *path, struct hd_error *err);
void hd_fst_reader_destroy(struct hd_fst_reader *reader);

/** All variables in the file's order, borrowed for the reader's life. */
const struct hd_fst_variable *hd_fst_variables(const struct hd_fst_reader *reader, size_t *n);

/** Leaves the root out of all paths if it holds a single scope and nothing else, as a
 *  simulator's wrapper does. So signals have the same names with every backend. */
void hd_fst_leave_wrapper_out(struct hd_fst_reader *reader);

/** Time units are 10^exponent seconds. */
int hd_fst_exponent(const struct hd_fst_reader *reader);
/** The first and the last time in the file, not divided (HD_WAVES_HALF_CYCLE). */
void hd_fst_times(const struct hd_fst_reader *reader, uint64_t *first, uint64_t *last);

/** Declares every scope and variable of the reader's file in the writer's current scope, without
 *  the wrapper (hd_fst_leave_wrapper_out) and HD_WAVES_HALF_CYCLE. HD_E_IO. */
int hd_fst_copy_hierarchy(struct hd_fst_reader *reader, struct hd_fst_writer *writer,
                          struct hd_error *err);

/** Called for every value change in order of time, initial values first. `value` has `bits`
 *  characters 0 1 x z …; NULL for reals and strings. */
typedef void hd_fst_change_fn(void *context, uint64_t time, uint32_t handle, const char *value);

/** Reads all changes. With a writer, to which the hierarchy was copied, each change is copied
 *  after `change` was called. `change` must have moved the writer's time. */
int hd_fst_read(struct hd_fst_reader *reader, hd_fst_change_fn *change, void *context,
                struct hd_fst_writer *writer, struct hd_error *err);

/** Writes a value of the reader's variable `handle` that hd_fst_read reported to a writer. The
 *  hierarchy must have been copied to the writer. */
void hd_fst_put_copy(const struct hd_fst_reader *reader, struct hd_fst_writer *writer,
                     uint32_t handle, const char *value);

#endif
