/* Coverage of the RTL by runs: lines, branches and bits, put together and shown on the source.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts come from the DUT as Verilator's coverage.dat (hd_dut_extension.coverage_write). All instances of a
 * module, with whatever parameters, and all switches count for the same line of its file.
 */
#ifndef HD_RTL_COVERAGE_H
#define HD_RTL_COVERAGE_H

#include "../../cmodel/error.h"
#include "../render/render.h"

#include <stdbool.h>
#include <stdint.h>

/** Name of the counts in the directory of a run. */
#define HD_RTL_COVERAGE_FILE "rtl_coverage.dat"

/** Limits. They make the cost of reading a file of counts follow from its size, whatever it
 *  contains. */
enum {
  HD_RTL_COVERAGE_BYTES = 1 << 27, /* most bytes of a file of counts */
  HD_RTL_FILES = 4096,             /* most files of RTL */
  HD_RTL_NAME_BYTES = 4096,        /* most bytes of a file's name */
  HD_RTL_LINES = 100000,           /* most lines of a file of RTL */
  HD_RTL_LINES_ALL = 2000000       /* most lines of all files together, and most counted points */
};

/** The kinds of things that are counted. */
enum hd_rtl_kind {
  HD_RTL_BLOCK,  /* statements in a row */
  HD_RTL_BRANCH, /* one side of an if, a case's arm */
  HD_RTL_TOGGLE  /* a bit of a signal */
};
struct hd_rtl_point {
  const char *file, *what, *lines; /* what: "else", "in_valid_i[0]"; lines: "125-127,130"; "" */
  uint32_t line, column;
  enum hd_rtl_kind kind;
  uint64_t count;
};

/** A line of the source. Executable: `points` is not 0. */
struct hd_rtl_line {
  uint32_t points, never; /* blocks and branches on it; of these, with count 0 */
  uint64_t count;         /* the largest of their counts */
  uint32_t bits, still;   /* bits of signals declared in this line; bits that never changed */
  const char *source;     /* start of the line in the file's text; NULL: no source */
};

struct hd_rtl_sums {
  uint32_t lines, lines_hit;       /* executable; executed */
  uint32_t branches, branches_hit; /* sides of branches */
  uint32_t bits, bits_hit;         /* bits of signals; that changed */
};

struct hd_rtl_file {
  char *name;    /* "hd_switch.v", as seen from the directory of the RTL */
  uint64_t hash; /* hash of the file's bytes in the runs (hd_hash_bytes, seed 0), if `known` */
  bool known;
  char *text;    /* the source; NULL: it has changed since the runs, or is missing */
  char why[200]; /* then this says so */
  size_t first, n_points;
  uint32_t n_lines;          /* in the table below */
  struct hd_rtl_line *lines; /* [1 + n_lines], by number */
  struct hd_rtl_sums sums;
};

/** Counts of files of RTL. Zeroed means none. */
struct hd_rtl_coverage {
  uint32_t runs;
  struct hd_rtl_point *points; /* [n_points]; sorted by file, line, column once finished */
  size_t n_points, points_capacity;
  struct hd_rtl_file *files; /* [n_files], by name once finished */
  size_t n_files, files_capacity;
  char **texts; /* texts that hold the words of points */
  size_t n_texts, texts_capacity;
};
void hd_rtl_coverage_fini(struct hd_rtl_coverage *set);

/** Adds the counts of a run, the file `path`. HD_E_IO, HD_E_INPUT. */
int hd_rtl_coverage_read(struct hd_rtl_coverage *set, const char *path, struct hd_error *err);

/** Adds the counts of a run: `text`, of `length` bytes, from malloc, is taken over. `path` names it in
 *  messages. HD_E_INPUT with the line. */
int hd_rtl_coverage_add(struct hd_rtl_coverage *set, char *text, size_t length, const char *path,
                        struct hd_error *err);

/** A run's build read this file, with this hash. HD_E_INPUT: another run's had other bytes, or there are too
 *  many files. */
int hd_rtl_coverage_source(struct hd_rtl_coverage *set, const char *name, uint64_t hash,
                           const char *run, struct hd_error *err);

/** Sorts and sums up what was added; nothing can be added after it. HD_E_INPUT: too many files or lines. */
int hd_rtl_coverage_finish(struct hd_rtl_coverage *set, struct hd_error *err);

/** Reads the sources from `directory`, but no file that has changed since the runs. Call it after
 * hd_rtl_coverage_finish. */
void hd_rtl_coverage_read_sources(struct hd_rtl_coverage *set, const char *directory);

struct hd_rtl_sums hd_rtl_coverage_sums(const struct hd_rtl_coverage *set);

/** Line `number` of a file's text, without its end. *length is 0 if there is no such line. */
const char *hd_rtl_source_line(const struct hd_rtl_file *file, uint32_t number, size_t *length);

/** Finds the next side of a branch that was never taken, among the points of a line from point *i
 * on. Moves *i to the point after it. NULL: there is no further one, and *i is the first point
 * after the line's. */
const struct hd_rtl_point *hd_rtl_next_unexecuted_point(const struct hd_rtl_coverage *set,
                                                        const struct hd_rtl_file *file,
                                                        uint32_t line, size_t *i);

/* ── as text ───────────────────────────────────────────────────────────────── */

/** Writes the percentages of each file, then the lines and branches that were never executed.
 *  `bits`: also the signals of which bits never changed. */
void hd_rtl_coverage_table(const struct hd_rtl_coverage *set, bool bits, struct hd_text *text);
json_t *hd_rtl_coverage_json(const struct hd_rtl_coverage *set);
/** Writes all points, after a line of names. */
void hd_rtl_coverage_csv(const struct hd_rtl_coverage *set, struct hd_text *text);
/** Writes a tracefile of lcov, in which files are directory/NAME. */
void hd_rtl_coverage_lcov(const struct hd_rtl_coverage *set, const char *directory,
                          struct hd_text *text);
/** The source with a count before each executable line; nothing where there is no source. */
void hd_rtl_coverage_annotate(const struct hd_rtl_coverage *set, const struct hd_rtl_file *file,
                              struct hd_text *text);

#endif
