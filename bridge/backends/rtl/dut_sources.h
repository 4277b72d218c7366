/* Sources of a backend: their bytes, and the cache key that names them all.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiler reads copies of exactly the bytes that were hashed, in the build's own
 * directory, so neither an editor at work nor a space in a path matters.
 */
#ifndef HD_DUT_SOURCES_H
#define HD_DUT_SOURCES_H

#include "../../../cmodel/switch/params.h"

#include <stdbool.h>

enum { HD_MAX_SOURCES = 256, HD_MAX_DIRECTORIES = 32 };

struct hd_dut_source {
  char name[300]; /* in the build directory: "rtl/hd_switch.v" */
  char *bytes;    /* [length], and a NUL behind them */
  size_t length;
};

/** Zeroed is empty. */
struct hd_dut_sources {
  struct hd_dut_source *list; /* [HD_MAX_SOURCES], or NULL */
  size_t n;
  char *key; /* lines of "label text"; NULL: none yet */
  size_t key_length, key_capacity;
  char include[HD_MAX_DIRECTORIES][300]; /* "-Irtl", then those of its sub-directories */
  size_t n_include;
};
void hd_sources_fini(struct hd_dut_sources *sources);

/** Reads file `path`; it becomes `name` in the build directory. HD_E_IO, HD_E_NOMEM, HD_E_INPUT
 *  (too many). */
int hd_sources_add(struct hd_dut_sources *sources, const char *path, const char *name,
                   struct hd_error *err);

/** Takes bytes over (from malloc) as a source. They are freed in case of failure, too. */
int hd_sources_take(struct hd_dut_sources *sources, const char *name, char *bytes, size_t length,
                    struct hd_error *err);

/** Reads the Verilog files of a directory and those below it as rtl/NAME, rtl/SUB/NAME. Names that
 *  begin with a dot are left out. HD_E_INPUT where there is no hd_switch.v in the directory itself. */
int hd_sources_add_rtl(struct hd_dut_sources *sources, const char *rtl_dir, struct hd_error *err);

/** Tests by its name whether a file is taken from such a directory: Verilog, or what Verilog includes. */
bool hd_sources_are_verilog(const char *name);
bool hd_sources_have_modules(const char *name); /* the first of these alone */

/** Tests whether the switch of a directory is in VHDL: hd_switch.vhd, and no hd_switch.v. */
bool hd_sources_are_vhdl(const char *rtl_dir);

/** Adds VHDL: all .vhd and .vhdl files of the directory, which must have hd_switch.vhd. */
int hd_sources_add_vhdl(struct hd_dut_sources *sources, const char *rtl_dir, struct hd_error *err);

/** Whether `make formal-record` has proved quiescent_o of a switch: a directory holds the RTL that it proved, byte for
 *  byte, and the switch is of a kind that it proved (specification §2.10, tb/proved.py). NULL for params: of any. */
int hd_sources_proved(const char *rtl_dir, const struct hd_switch_params *params, bool *proved,
                      struct hd_error *err);

/** The first delay in the Verilog, as `q <= #1 d`: writes "rtl/x.v:12" into `where`. False: there is none. */
bool hd_sources_delay(const struct hd_dut_sources *sources, char *where, size_t size);

/** Macros that turn a manifest into a list: of paths, of their copies in the build directory, or of
 *  these copies as seen from a directory in it. */
#define HD_OWN(path) path,
#define HD_OWN_COPY(path) "src/" path,
#define HD_OWN_COPY_ABOVE(path) "../src/" path,
#define HD_OWN_WORD_ABOVE(path) " ../src/" path

/** Reads our own files, `list` relative to the install root, as src/NAME. */
int hd_sources_add_own(struct hd_dut_sources *sources, const char *root, const char *const *list,
                       size_t n, struct hd_error *err);

/** Writes all sources below `directory`, which exists. */
int hd_sources_write(const struct hd_dut_sources *sources, const char *directory,
                     struct hd_error *err);

/** Adds a line to the key. HD_E_NOMEM. */
int hd_key_add(struct hd_dut_sources *sources, const char *label, const char *text,
               struct hd_error *err);

/** Adds whole lines. HD_E_NOMEM. */
int hd_key_add_lines(struct hd_dut_sources *sources, const char *lines, struct hd_error *err);

/** Adds a line with the first line that `argv` prints: a tool's version. HD_E_TOOL. */
int hd_key_add_tool(struct hd_dut_sources *sources, const char *label, const char *const *argv,
                    const char *package, struct hd_error *err);

/** Adds a line with the processor: code for -march=native must not be found by another machine that shares
 *  the cache directory. */
int hd_key_add_processor(struct hd_dut_sources *sources, struct hd_error *err);

/** Adds a line with hash, length and name of each source. */
int hd_key_add_sources(struct hd_dut_sources *sources, struct hd_error *err);

/** A parameter of hd_switch (§2.1, §7.1) as "NAME=value". Returns how many there are: RTL without
 *  barrier messages needs none of theirs. */
size_t hd_switch_parameters(const struct hd_switch_params *params,
                            char texts[HD_SWITCH_PARAMS][32]);

#endif
