/* A user's router by its description: a YAML file becomes a directory with a module hd_switch around the router.
 * SPDX-License-Identifier: Apache-2.0
 *
 * docs/wrap.md describes the keys. The directory holds hd_switch.v (or hd_switch.vhd), adapters and
 * copies of the router's files. So it can be given to --rtl, and users can read, keep and change it.
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

/** Reads the description `path`. HD_E_IO, HD_E_INPUT (with line, what is wrong and what is legal).
 *  The caller must call hd_wrap_destroy, also after an error; NULL is allowed. */
int hd_wrap_read(struct hd_wrap **wrap, const char *path, struct hd_error *err);

/** Reads a text; `path` is its name in messages, and files are relative to it. It opens no file but
 *  the graph file of a network whose links are given. Errors and ownership as with hd_wrap_read. */
int hd_wrap_parse(struct hd_wrap **wrap, const char *text, size_t length, const char *path,
                  struct hd_error *err);
void hd_wrap_destroy(struct hd_wrap *wrap);

/** The file in which the wrapper is: hd_switch.v, or hd_switch.vhd around a router in VHDL. */
const char *hd_wrap_product(const struct hd_wrap *wrap);

/** Appends the module hd_switch around the router, without the router's files. */
void hd_wrap_module(const struct hd_wrap *wrap, struct hd_text *verilog);

/** Appends the entity hd_switch around the router. Appends nothing if the router is in Verilog. */
void hd_wrap_entity(const struct hd_wrap *wrap, struct hd_text *vhdl);

/** Writes the wrapper, adapters and copies of the router's files into `directory`. Makes the
 *  directory if it is missing. HD_E_INPUT: it has other files, and no wrapper; a file of the router
 *  is missing. HD_E_IO. */
int hd_wrap_write(const struct hd_wrap *wrap, const char *directory, struct hd_error *err);

/** Appends notes for users before a run: what the wrapper adds, which scenarios fit the router. */
void hd_wrap_notes(const struct hd_wrap *wrap, struct hd_text *text);

/** Fabrics and packets that the router is for, as far as its description says. */
struct hd_wrap_takes {
  uint32_t ports;     /* of a switch, at most; 0: any. With `network`: exactly */
  uint32_t vcs;       /* 0: any */
  uint32_t columns;   /* of the only mesh in which it can route; 0: not known */
  uint32_t data_bits; /* of Heddle's data that it carries, at most; 0: any */
  uint32_t nodes;     /* that its fields can name, at most; 0: any */
  uint32_t
      slots;   /* at the receiver of each output channel, for its credits; 0: it uses no credits */
  bool single; /* every packet is one flit */
  uint32_t longest;   /* flits of a packet, at most; 0: any number */
  uint32_t shortest;  /* at least; 0: any number */
  const char *routes; /* run.routes that it keeps; NULL: as tables say */
  const char *order;  /* run.order that it keeps, with its adapters; NULL: the usual */
  bool network;       /* the DUT is a whole network of `ports` endpoints */
};
struct hd_wrap_takes hd_wrap_takes(const struct hd_wrap *wrap);

/** If a description is of a whole network: the settings that make it the fabric of a scenario. */
struct hd_wrap_network {
  struct hd_setting settings[9]; /* values are the members below, or static */
  size_t n;                      /* 0: it is no network */
  char *fabric, nodes[12], vcs[12], held[12];
};

/** Reads the argument of --rtl. network->n is 0 if it is NULL, no description, or the description
 *  of a router. HD_E_IO, HD_E_INPUT. */
int hd_wrap_network(struct hd_wrap_network *network, const char *rtl, struct hd_error *err);
void hd_wrap_network_fini(struct hd_wrap_network *network); /* it may be all zero */

/** Runs the installed tools on the output of hd_wrap_write, and appends lines for each: whether it
 *  reads the files, pins that are missing or have another width, and first errors. *readable
 *  becomes true if a tool reads the files; otherwise it does not change. A wrapper in VHDL is not
 *  tested, and counts as readable. HD_E_IO. */
int hd_wrap_fit(const char *directory, struct hd_text *text, bool *readable, struct hd_error *err);

/** The directory of the router's own files in the output of hd_wrap_write: "files/0/" and so on. */
#define HD_WRAP_FILES "files"

/** Tests whether the argument of --rtl is a description: its name ends with .yaml or .yml, and it
 *  is no directory. */
bool hd_wrap_is_description(const char *argument);

/** If *rtl is a description: writes the wrapper into the cache (`cache_dir` as for
 *  hd_install_cache) unless it is there, puts its path into `directory`, and sets *rtl to
 *  `directory`. Otherwise *rtl, which may be NULL, does not change. HD_E_INPUT, HD_E_IO. */
int hd_wrap_resolve(const char **rtl, const char *cache_dir, char directory[PATH_MAX],
                    struct hd_error *err);

/** Tests whether a text is an identifier of Verilog and no keyword. */
bool hd_wrap_is_name(const char *text);

/** Appends the tables of docs/wrap.md: keys, kinds of flow control, pins and fields of flits. */
void hd_wrap_tables(struct hd_text *text, bool markdown);

#endif
