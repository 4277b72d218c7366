/* Registry of backends: finds a backend by name and opens it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BACKEND_H
#define HD_BACKEND_H

#include "../dut_extension.h"

/** Reasons to trust a DUT's quiescent_o (§2.10). */
enum hd_quiescence {
  HD_QUIESCENCE_UNUSED,  /* the backend skips no cycle because of it: model, boards */
  HD_QUIESCENCE_PROVED,  /* proved for exactly this RTL and this kind of switch */
  HD_QUIESCENCE_SAMPLED, /* not proved: lockstep checks it in a sample of the windows */
};
struct hd_backend {
  const struct hd_dut_ops *ops;
  void *handle;        /* of dlopen; NULL: linked in */
  const char *options; /* for hd_dut_ops.create; borrowed from the caller or from `own_options` */
  char *own_options;   /* options that the backend's `open` has composed; NULL: none */
  enum hd_quiescence quiescence;
};
struct hd_text;
struct hd_backend_options {
  const char *rtl_dir, *cache_dir;
  const char *dut_options; /* options, if `name` has no colon; NULL: none */
  void (*say)(void *context, const char *line);
  bool (*stop)(void *context); /* returns true to end a build (HD_E_INTERRUPTED); may be NULL */
  /** Called once a second while `what` is being built, from the third second on. Not called without
   *  `stop`. May be NULL. */
  void (*building)(void *context, const char *what, double seconds);
  void *context;
  uint32_t switches; /* number of switches in a DUT, for virtual boards; 0: not known yet */
  bool quick;        /* for short runs: hardly optimised and without waves, so built sooner */
  bool unoptimised;  /* built sooner, runs slower; HEDDLE_UNOPTIMISED=1 does the same */
  bool coverage;     /* count executed lines and toggled bits: HD_DUT_COVERAGE */
  /** Gets a line for each RTL file that the build has read: hash in 16 digits, length in bytes,
   *  name relative to rtl_dir. NULL: not wanted. */
  struct hd_text *rtl_files;
  bool no_dfg; /* without Verilator's data-flow graph, with which 5.006 miscompiles some netlists */
};

/** Opens a backend for switches of `params`. `name` is one of HD_BACKEND_LIST (backends.h) or the
 *  path of a shared object; a colon and options may follow. A simulating backend builds a program
 *  for each parameter set when it is first needed, from `rtl_dir` (NULL: the installed rtl/) or
 *  the bitstream, and caches it under `cache_dir` (NULL: hd_install_cache). `say` gets a line when
 *  a build starts (may be NULL). Destroy all DUTs of the backend before hd_backend_close. */
int hd_backend_open(struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *options,
                    struct hd_error *err);
void hd_backend_close(struct hd_backend *backend);

/** Appends two hashes to `identity`: one of the RTL in `rtl_dir` (NULL: the installed one) and of
 *  all files that it names; one of the tools on this machine and of Heddle's files from which
 *  backends are built. Equal hashes mean that builds give the same switches. HD_E_INPUT (no RTL),
 *  HD_E_IO, HD_E_NOMEM. */
int hd_backend_identity(struct hd_text *identity, const char *rtl_dir, struct hd_error *err);

/** Tests whether a backend is built from the RTL in `rtl_dir`. Other backends refuse an
 *  `rtl_dir`. */
bool hd_backend_builds_rtl(const char *name);

/** Returns the number of switches that a DUT of this backend evaluates at once. Runs of small
 *  fabrics share one DUT up to this number. 0: sharing gains nothing. */
uint32_t hd_backend_max_switches(const char *name);

/** Writes the names of all backends, or of those that build RTL, as "a, b `word` c". */
void hd_backend_names(char *text, size_t size, bool of_rtl, const char *word);

/** Tests whether a --dut is the path of a shared object. To open it is to run its code. */
bool hd_backend_is_shared_object(const char *name);

/** Returns the backend in which the model answers (linked in). */
const struct hd_dut_ops *hd_dut_model_backend(void);

/** Returns the model's switch in a DUT of that backend, for callers that read its states or count
 *  coverage. Borrowed; valid until the DUT is destroyed. */
struct hd_switch;
struct hd_switch *hd_dut_model_switch(struct hd_dut *dut, uint32_t sw);

/** Returns the backend for switches on real boards, behind serial lines (linked in). */
const struct hd_dut_ops *hd_dut_board_backend(void);
/** Returns the board backend for virtual boards. Reports say that they are virtual. */
const struct hd_dut_ops *hd_dut_virtual_board_backend(void);
/** Returns the board backend for virtual boards of a bitstream. Options begin with "virtual:" and
 *  its path. */
const struct hd_dut_ops *hd_dut_bitstream_backend(void);

#endif
