/* Modules as texts, and the files of one proof.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_EQUAL_INTERNAL_H
#define HD_EQUAL_INTERNAL_H

#include "equal.h"

#include "../../backends/rtl/dut_sources.h"

enum { EQUAL_MODULES = 256 /* most modules of a directory */ };

/** A module without comments and blank space. */
struct equal_module {
  char name[HD_EQUAL_NAME];
  const char *file; /* as in the directory; borrowed from the sources */
  struct hd_text text;
  size_t header; /* length of the header, ports and parameters, with which the text begins */
};

struct equal_side {
  const char *directory;
  struct hd_dut_sources sources;
  struct equal_module modules[EQUAL_MODULES]; /* [n] */
  uint32_t n;
};

struct hd_equal {
  struct equal_side original, changed;
  char original_directory[4096], changed_directory[4096];
  char private[256];                              /* temporary directory of the present proof */
  const struct equal_module *list[EQUAL_MODULES]; /* [n], modules of `changed` to be proved */
  uint32_t n;
  char forbidden[160];
};

/** Reads a directory and splits it into modules. */
int hd_equal_side_read(struct equal_side *side, const char *directory, struct hd_error *err);
void hd_equal_side_fini(struct equal_side *side);
/** Returns NULL if there is no such module. */
const struct equal_module *hd_equal_find(const struct equal_side *side, const char *name);
/** Marks in used[EQUAL_MODULES] a module and all modules below it. */
void hd_equal_reach(const struct equal_side *side, const struct equal_module *from, bool *used);
/** Does the text contain this word? */
bool hd_equal_has_word(const char *text, const char *word);
/** Tests whether ports and parameters are written alike in both modules. */
bool hd_equal_same_header(const struct equal_module *a, const struct equal_module *b);

/** Reads the dumps of a proof's script: `dump` has the pairs that are not proved, `start` the registers with values before
 *  the first cycle, which may differ. HD_E_IO. */
int hd_equal_wires_read(const char *dump, const char *start, struct hd_equal_outcome *outcome,
                        struct hd_error *err);

#endif
