/* A user's router by its description: a YAML file becomes a directory with a module hd_switch around the router.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/wrap.md says what a description has. The directory holds hd_switch.v, the adapters that it uses and copies of
 * the router's files, so it is what --rtl takes, and it can be read, kept and changed.
 */
#ifndef HD_WRAP_H
#define HD_WRAP_H

#include "../../cmodel/error.h"
#include "../host/text.h"

#include <limits.h>
#include <stdbool.h>

/** A description that was read and checked. */
struct hd_wrap;

/** Reads the description `path`. HD_E_IO, HD_E_INPUT (with line, what is wrong and what is legal). Destroyed by the
 *  caller; NULL is fine. */
int hd_wrap_read(struct hd_wrap **wrap, const char *path, struct hd_error *err);

/** Reads a text; `path` is its name in messages, and files are relative to it. No file is opened. */
int hd_wrap_parse(struct hd_wrap **wrap, const char *text, size_t length, const char *path,
                  struct hd_error *err);
void hd_wrap_destroy(struct hd_wrap *wrap);

/** The module hd_switch around the router. HD_E_INPUT. */
int hd_wrap_verilog(const struct hd_wrap *wrap, struct hd_text *verilog, struct hd_error *err);

/** Writes hd_switch.v, adapters and copies of the router's files into `directory`, which is made. HD_E_INPUT, HD_E_IO. */
int hd_wrap_write(const struct hd_wrap *wrap, const char *directory, struct hd_error *err);

/** Adds to `text` what has to be known before a run: what the wrapper sets, what it adds, which scenarios fit. */
void hd_wrap_notes(const struct hd_wrap *wrap, struct hd_text *text);

/** Asks the installed tools whether they read what hd_wrap_write has written, and adds a line for each: pins that are
 *  missing or have another width, and the first error of a tool that refuses. *refused: how many did. HD_E_IO. */
int hd_wrap_fit(const struct hd_wrap *wrap, const char *directory, struct hd_text *text,
                unsigned *refused, struct hd_error *err);

/** The directory that --rtl ARGUMENT means: a description is written into the cache (`cache_dir` as for
 *  hd_install_cache), by its contents; anything else is itself. HD_E_INPUT, HD_E_IO. */
int hd_wrap_resolve(const char *argument, const char *cache_dir, char directory[PATH_MAX],
                    struct hd_error *err);

/** Adds the tables of docs/wrap.md: keys, and fields of flits. */
void hd_wrap_tables(struct hd_text *text, bool markdown);

#endif
