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
#include "../scenario/scenario_set.h"

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

/** The file in which the wrapper is: hd_switch.v, or hd_switch.vhd around a router in VHDL. */
const char *hd_wrap_product(const struct hd_wrap *wrap);

/** Adds the module hd_switch around the router, without the router's files. */
void hd_wrap_module(const struct hd_wrap *wrap, struct hd_text *verilog);

/** Adds the entity hd_switch around the router, if the description is one of VHDL. */
void hd_wrap_entity(const struct hd_wrap *wrap, struct hd_text *vhdl);

/** Writes the wrapper, adapters and copies of the router's files into `directory`, which is made. HD_E_INPUT, HD_E_IO. */
int hd_wrap_write(const struct hd_wrap *wrap, const char *directory, struct hd_error *err);

/** Adds to `text` what has to be known before a run: what the wrapper sets, what it adds, which scenarios fit. */
void hd_wrap_notes(const struct hd_wrap *wrap, struct hd_text *text);

/** Fabrics and packets that the router is for, as far as its description says. */
struct hd_wrap_takes {
  uint32_t ports;     /* of a switch, at most; 0: any */
  uint32_t vcs;       /* 0: any */
  uint32_t columns;   /* of the only mesh that it knows its way in; 0: not said */
  uint32_t data_bits; /* of Heddle's data that it carries, at most; 0: any */
  uint32_t nodes;     /* that its fields can name, at most; 0: any */
  uint32_t
      slots;   /* that it counts on behind each channel of its outputs, by credits; 0: not said */
  bool single; /* every packet is one flit */
  uint32_t longest;   /* flits of a packet, at most; 0: any number */
  const char *routes; /* run.routes that it keeps; NULL: as tables say */
  const char *order;  /* run.order that it keeps behind its adapters; NULL: the usual */
  bool network;       /* the DUT is a whole network of `ports` endpoints */
};
struct hd_wrap_takes hd_wrap_takes(const struct hd_wrap *wrap);

/** If a description is of a whole network: the settings that make it the fabric of a scenario. */
struct hd_wrap_network {
  struct hd_setting settings[9]; /* their values are below, or static */
  size_t n;                      /* 0: it is no network */
  char *fabric, nodes[12], vcs[12], held[12];
};

/** Reads the argument of --rtl; NULL and what is no description is no network. HD_E_IO, HD_E_INPUT. */
int hd_wrap_network(struct hd_wrap_network *network, const char *rtl, struct hd_error *err);
void hd_wrap_network_fini(struct hd_wrap_network *network); /* a zeroed one is fine */

/** Asks the installed tools whether they read what hd_wrap_write has written, and adds a line for each: pins that are
 *  missing or have another width, and the first errors of a tool that refuses. *readable: one of them does. HD_E_IO. */
int hd_wrap_fit(const char *directory, struct hd_text *text, bool *readable, struct hd_error *err);

/** The directory of the router's own files in the output of hd_wrap_write: "files/0/" and so on. */
#define HD_WRAP_FILES "files"

/** Tests whether the argument of --rtl is a description, by its name (.yaml, .yml). */
bool hd_wrap_is_description(const char *argument);

/** The directory that --rtl means: where *rtl is a description, it is written into the cache (`cache_dir` as for
 *  hd_install_cache), by its contents, and *rtl becomes `directory`; anything else, also NULL, stays as it is.
 *  HD_E_INPUT, HD_E_IO. */
int hd_wrap_resolve(const char **rtl, const char *cache_dir, char directory[PATH_MAX],
                    struct hd_error *err);

/** Tests whether a text is an identifier of Verilog and no word of the language. */
bool hd_wrap_is_name(const char *text);

/** Adds the tables of docs/wrap.md: keys, and fields of flits. */
void hd_wrap_tables(struct hd_text *text, bool markdown);

#endif
