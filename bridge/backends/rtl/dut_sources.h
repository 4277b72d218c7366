/* Sources of a backend: their bytes, and the cache key that is made from them.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The compiler reads copies of the bytes that were hashed, in a directory of the build. So a file
 * may be edited during the build, and its path may have spaces.
 */
#ifndef HD_DUT_SOURCES_H
#define HD_DUT_SOURCES_H

#include "../../../cmodel/switch/params.h"

#include <stdbool.h>

enum { HD_MAX_SOURCES = 256, HD_MAX_DIRECTORIES = 32 };

struct hd_dut_source {
  char name[300]; /* in the build directory: "rtl/hd_switch.v" */
  char *bytes;    /* [length], then a NUL */
  size_t length;
};

/** Zeroed is empty. */
struct hd_dut_sources {
  struct hd_dut_source *list; /* [HD_MAX_SOURCES], or NULL */
  size_t n;
  char *key; /* lines of "label text"; NULL: no line yet */
  size_t key_length, key_capacity;
  char include[HD_MAX_DIRECTORIES][300]; /* "-Irtl", then those of its sub-directories */
  size_t n_include;
};
void hd_sources_fini(struct hd_dut_sources *sources);

/** Reads file `path`; it becomes `name` in the build directory. HD_E_IO, HD_E_NOMEM, HD_E_INPUT
 *  (too many). */
int hd_sources_add(struct hd_dut_sources *sources, const char *path, const char *name,
                   struct hd_error *err);

/** Adds bytes, allocated by malloc, as a source, and owns them from then on. Frees them after an
 *  error. */
int hd_sources_add_text(struct hd_dut_sources *sources, const char *name, char *bytes,
                        size_t length, struct hd_error *err);

/** Reads the Verilog files of a directory and of those below it as rtl/NAME, rtl/SUB/NAME. Skips
 *  names that begin with a dot. HD_E_INPUT: the directory itself has no hd_switch.v. */
int hd_sources_add_rtl(struct hd_dut_sources *sources, const char *rtl_dir, struct hd_error *err);

/** Tests by its name whether a file is Verilog or a header of Verilog, which hd_sources_add_rtl
 *  reads. */
bool hd_sources_are_verilog(const char *name);
/** Tests by its name whether a file is Verilog with modules, and no header. */
bool hd_sources_have_modules(const char *name);

/** Tests whether the switch of a directory is in VHDL: it has hd_switch.vhd and no hd_switch.v. */
bool hd_sources_are_vhdl(const char *rtl_dir);

/** Adds VHDL: all .vhd and .vhdl files of the directory, which must have hd_switch.vhd. */
int hd_sources_add_vhdl(struct hd_dut_sources *sources, const char *rtl_dir, struct hd_error *err);

/** Tests whether `make formal-record` has proved quiescent_o of a switch: the directory has the RTL
 *  that was proved, byte for byte, and the switch is of a proved kind (specification §2.10,
 *  tb/proved.py). params NULL: of any kind. */
int hd_sources_proved(const char *rtl_dir, const struct hd_switch_params *params, bool *proved,
                      struct hd_error *err);

/** Finds the first delay in the Verilog, such as `q <= #1 d`, and writes its place as "x.v:12" into
 *  `where`. False: there is none. */
bool hd_sources_delay(const struct hd_dut_sources *sources, char *where, size_t size);

/** Macros that turn a manifest into a list: of paths, of their copies in the build directory, or of
 *  these copies relative to a directory in it. */
#define HD_OWN(path) path,
#define HD_OWN_COPY(path) "src/" path,
#define HD_OWN_COPY_ABOVE(path) "../src/" path,
#define HD_OWN_WORD_ABOVE(path) " ../src/" path

/** Reads Heddle's own files, whose names in `list` are relative to the install root, as
 *  src/NAME. */
int hd_sources_add_own(struct hd_dut_sources *sources, const char *root, const char *const *list,
                       size_t n, struct hd_error *err);

/** Writes copies of all sources below `directory`, which must exist. */
int hd_sources_write(const struct hd_dut_sources *sources, const char *directory,
                     struct hd_error *err);

/** Adds the line "label text" to the key. HD_E_NOMEM. */
int hd_key_add(struct hd_dut_sources *sources, const char *label, const char *text,
               struct hd_error *err);

/** Adds lines to the key as they are. HD_E_NOMEM. */
int hd_key_add_lines(struct hd_dut_sources *sources, const char *lines, struct hd_error *err);

/** Adds a line to the key with the first line that the command `argv` prints, which is a tool's
 *  version. HD_E_TOOL. */
int hd_key_add_tool(struct hd_dut_sources *sources, const char *label, const char *const *argv,
                    const char *package, struct hd_error *err);

/** Adds a line to the key with the processor, so that a machine with another processor that shares
 *  the cache does not use code of -march=native. */
int hd_key_add_processor(struct hd_dut_sources *sources, struct hd_error *err);

/** Adds a line to the key with hash, length and name of each source. */
int hd_key_add_sources(struct hd_dut_sources *sources, struct hd_error *err);

/** Writes each parameter of hd_switch (§2.1, §7.1) as "NAME=value". Returns their number.
 *  Parameters of parts that the switch does not have, such as barrier messages, are left out. */
size_t hd_switch_parameters(const struct hd_switch_params *params,
                            char texts[HD_SWITCH_PARAMS][32]);

#endif
