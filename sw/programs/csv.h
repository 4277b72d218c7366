/* Reads CSV: lines of numbers, as in traces and schedules.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Blanks around a number are skipped. So are blank lines, lines that begin with #, and a first line
 * that is the header. Lines end in LF or CR LF.
 */
#ifndef HD_PROGRAMS_CSV_H
#define HD_PROGRAMS_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A mistake in a file, and its line (from 1). */
struct hd_csv_error {
  uint32_t line;
  char text[200];
};

struct hd_csv {
  const char *header;       /* "cycle,source,destination,bytes" */
  const char *const *names; /* names of the fields */
  unsigned numbers;         /* number of leading fields that are numbers */
  /** number of these fields that a line may leave out at its end, all or none of them */
  unsigned optional;
  bool rest; /* text follows the numbers, after a comma */
  struct hd_csv_error *error;
  /* the current line */
  const char *at, *end;
  uint32_t line;
  const char *next, *last; /* the text after it */
  bool begun;              /* the first line was read, so no header can follow */
};

/** Returns an upper bound for the number of lines in a text. */
size_t hd_csv_lines_max(const char *text, size_t length);

/** Begins to read a text, which need not end with NUL. */
void hd_csv_open(struct hd_csv *csv, const char *text, size_t length);
/** Goes to the next line that has fields. Returns 1; 0 if there is none; -1 if it has too many fields. */
int hd_csv_next(struct hd_csv *csv);
/** Reads the line's numbers into values[]; field i may be at most most[i]. Fields that the line
 *  leaves out are 0. With `rest`, csv->at ends after the comma. Returns 0, or -1 with the error
 *  set. */
int hd_csv_numbers(struct hd_csv *csv, const uint64_t *most, uint64_t *values);
/** Sets the error for the current line. Returns -1. */
int hd_csv_fail(struct hd_csv *csv, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Copies the field at csv->at, up to a comma or a blank, for a message. Characters that cannot be
 *  printed are replaced. */
void hd_csv_copy_printable(const struct hd_csv *csv, char *text, size_t size);

#endif
