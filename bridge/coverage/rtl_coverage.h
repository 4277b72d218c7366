/* RTL coverage: lines, branches and bits that runs executed, summed up and shown with the source.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Counts come from the DUT as Verilator's coverage.dat (hd_dut_extension.coverage_write). A line of
 * a file has the sum of all switches, of all instances of its module, and of all parameters.
 */
#ifndef HD_RTL_COVERAGE_H
#define HD_RTL_COVERAGE_H

#include "../../cmodel/error.h"
#include "../render/render.h"

#include <stdbool.h>
#include <stdint.h>

/** Name of the file of counts in the directory of a run. */
#define HD_RTL_COVERAGE_FILE "rtl_coverage.dat"

/** Limits, so that the cost of reading a file of counts depends only on its size. */
enum {
  HD_RTL_COVERAGE_BYTES = 1 << 27, /* bytes of a file of counts */
  HD_RTL_FILES = 4096,             /* files of RTL */
  HD_RTL_NAME_BYTES = 4096,        /* bytes of a file's name */
  HD_RTL_LINES = 100000,           /* lines of a file of RTL */
  HD_RTL_LINES_ALL = 2000000       /* lines of all files together, counted points included */
};

/** Kinds of counted points. */
enum hd_rtl_kind {
  HD_RTL_BLOCK,  /* a sequence of statements */
  HD_RTL_BRANCH, /* one side of an if, or one case item */
  HD_RTL_TOGGLE  /* one bit of a signal */
};
struct hd_rtl_point {
  const char *file, *what,
      *lines; /* what: such as "else" or "in_valid_i[0]"; lines: such as "125-127,130", or "" */
  uint32_t line, column;
  enum hd_rtl_kind kind;
  uint64_t count;
};

/** A line of the source. It is executable if `points` is not 0. */
struct hd_rtl_line {
  uint32_t points, unexecuted; /* blocks and branches of the line; those never executed */
  uint64_t count;              /* largest of their counts */
  uint32_t bits,
      unchanged;      /* bits of signals that are declared in the line; bits that never changed */
  const char *source; /* start of the line in the file's text; NULL: the source is not known */
};

struct hd_rtl_sums {
  uint32_t lines, lines_hit;       /* executable lines; executed ones */
  uint32_t branches, branches_hit; /* sides of branches; executed ones */
  uint32_t bits, bits_hit;         /* bits of signals; bits that changed */
};

struct hd_rtl_file {
  char *name;    /* relative to the directory of the RTL, such as "hd_switch.v" */
  uint64_t hash; /* hash of the file's bytes in the runs (hd_hash_bytes, seed 0), if `known` */
  bool known;
  char *text;    /* the source; NULL: it has changed since the runs, or is missing */
  char why[200]; /* reason why the source is NULL */
  size_t first, n_points;
  uint32_t n_lines;          /* lines of the table below */
  struct hd_rtl_line *lines; /* [1 + n_lines], by line number */
  struct hd_rtl_sums sums;
};

/** Counts of files of RTL; all zeros is an empty set. */
struct hd_rtl_coverage {
  uint32_t runs;
  struct hd_rtl_point *points; /* [n_points]; sorted by hd_rtl_coverage_finish */
  size_t n_points, points_capacity;
  struct hd_rtl_file *files; /* [n_files]; sorted by hd_rtl_coverage_finish */
  size_t n_files, files_capacity;
  char **texts; /* texts that hold the words of points */
  size_t n_texts, texts_capacity;
};
void hd_rtl_coverage_fini(struct hd_rtl_coverage *set);

/** Adds the counts of a run from the file `path`. Errors: HD_E_IO, HD_E_INPUT. */
int hd_rtl_coverage_read(struct hd_rtl_coverage *set, const char *path, struct hd_error *err);

/** Adds the counts of a run from `text`, a string of `length` bytes from malloc, and takes
 *  ownership of it. `path` names it in messages. Errors: HD_E_INPUT, with the line. */
int hd_rtl_coverage_add(struct hd_rtl_coverage *set, char *text, size_t length, const char *path,
                        struct hd_error *err);

/** Adds a file that a run's build read, with its hash. Errors: HD_E_INPUT: another run had
 *  another hash, or there are too many files. */
int hd_rtl_coverage_source(struct hd_rtl_coverage *set, const char *name, uint64_t hash,
                           const char *run, struct hd_error *err);

/** Sorts and sums up all counts. Nothing can be added afterwards. Errors: HD_E_INPUT: too many
 *  files or lines. */
int hd_rtl_coverage_finish(struct hd_rtl_coverage *set, struct hd_error *err);

/** Reads the sources from `directory`, except files that have changed since the runs. Call it
 *  after hd_rtl_coverage_finish. */
void hd_rtl_coverage_read_sources(struct hd_rtl_coverage *set, const char *directory);

struct hd_rtl_sums hd_rtl_coverage_sums(const struct hd_rtl_coverage *set);

/** Returns line `number` of a file's text, without its end. *length is 0 if there is no such
 *  line. */
const char *hd_rtl_source_line(const struct hd_rtl_file *file, uint32_t number, size_t *length);

/** Finds the next branch or block of a line that was never executed, from point *i on, and moves
 *  *i to the point after it. NULL: there is none; *i is then the first point after the line. */
const struct hd_rtl_point *hd_rtl_next_unexecuted_point(const struct hd_rtl_coverage *set,
                                                        const struct hd_rtl_file *file,
                                                        uint32_t line, size_t *i);

/* ── as text ───────────────────────────────────────────────────────────────── */

/** Writes the percentages of each file, then the lines and branches that were never executed. If
 *  `bits`, also the signals with bits that never changed. */
void hd_rtl_coverage_table(const struct hd_rtl_coverage *set, bool bits, struct hd_text *text);
json_t *hd_rtl_coverage_json(const struct hd_rtl_coverage *set);
/** Writes all points as CSV with a header line. */
void hd_rtl_coverage_csv(const struct hd_rtl_coverage *set, struct hd_text *text);
/** Writes a tracefile of lcov, in which files are directory/NAME. */
void hd_rtl_coverage_lcov(const struct hd_rtl_coverage *set, const char *directory,
                          struct hd_text *text);
/** Writes the source with a count before each executable line. Writes nothing if the source is
 *  not known. */
void hd_rtl_coverage_annotate(const struct hd_rtl_coverage *set, const struct hd_rtl_file *file,
                              struct hd_text *text);

#endif
