/* Finding backends by name.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_BACKEND_H
#define HD_BACKEND_H

#include "../dut_extension.h"

/** Knowledge about a DUT's quiescent_o. */
enum hd_quiescence {
  HD_QUIESCENCE_UNUSED, /* nothing is left out on its word: model, boards */
  HD_QUIESCENCE_PROVED, /* the very RTL, and a kind of switch, of which it is proved that quiescent_o cannot lie */
  HD_QUIESCENCE_SAMPLED, /* anything else: lockstep has it checked in a part of all windows */
};
struct hd_backend {
  const struct hd_dut_ops *ops;
  void *handle;        /* of dlopen; NULL: linked in */
  const char *options; /* of these, what is for hd_dut_ops.create; points into `name`, them or: */
  char *made;          /* options of our own; NULL: none */
  enum hd_quiescence quiescence;
};
struct hd_text;
struct hd_backend_options {
  const char *rtl_dir, *cache_dir;
  const char *dut_options; /* what may stand behind the colon of `name`, instead. NULL: none */
  void (*say)(void *context, const char *line);
  bool (*stop)(void *context); /* true ends a build under way (HD_E_INTERRUPTED); may be NULL */
  /** Called once a second while `what` is being built, from the third second on. Not called without
   *  `stop`. May be NULL. */
  void (*building)(void *context, const char *what, double seconds);
  void *context;
  uint32_t switches;         /* of the DUTs to be made, for virtual boards; 0: not known yet */
  bool quick;                /* build quickly, for little use: hardly optimised, without waves */
  bool unoptimised;          /* build sooner what runs slower; so does HEDDLE_UNOPTIMISED=1 */
  bool coverage;             /* build what counts lines and toggles: HD_DUT_COVERAGE */
  struct hd_text *rtl_files; /* gets a line for each file of RTL that the build read: its hash in 16
                                digits, its bytes, its name as seen from rtl_dir; NULL: not asked for */
  bool
      no_dfg; /* without Verilator's data-flow graph, which 5.006 gets wrong for netlists at times */
};

/** Opens the backend called `name` for switches of `params`: one of HD_BACKEND_LIST (backends.h), or the path
 *  of a shared object; a colon and options may follow. What is simulated is a shared object for each parameter set, built on demand
 *  from `rtl_dir` (NULL: the installed rtl/) or the bitstream, and cached under `cache_dir`
 *  (NULL: hd_install_cache). Progress of a build is told by `say` (may be NULL). The
 *  handle is closed by hd_backend_close after every DUT of it was destroyed. */
int hd_backend_open(struct hd_backend *backend, const char *name,
                    const struct hd_switch_params *params, const struct hd_backend_options *options,
                    struct hd_error *err);
void hd_backend_close(struct hd_backend *backend);

/** Adds one line's worth of hashes: of the RTL in `rtl_dir` (NULL: the installed one) with all files that it
 *  names, and of the tools with all files of Heddle that switches are built by here. What is equal in them
 *  builds the same. HD_E_INPUT (no RTL), HD_E_IO, HD_E_NOMEM. */
int hd_backend_identity(struct hd_text *identity, const char *rtl_dir, struct hd_error *err);

/** Is it built from the Verilog in `rtl_dir`? The others refuse an `rtl_dir`. */
bool hd_backend_builds_rtl(const char *name);

/** The number of switches up to which a DUT of this backend gets faster per switch, so that runs of small fabrics share
 *  one. 0: sharing gains nothing. */
uint32_t hd_backend_max_switches(const char *name);

/** Names of all backends, or of those that build RTL: "a, b `word` c". */
void hd_backend_names(char *text, size_t size, bool of_rtl, const char *word);

/** Does this --dut name a shared object, by its path? Opening it runs its code. */
bool hd_backend_is_shared_object(const char *name);

/** The model behind the contract (linked in). */
const struct hd_dut_ops *hd_dut_model_backend(void);

/** The switch inside such a DUT, for callers that read its states or count coverage. Borrowed;
 *  valid until the DUT is destroyed. */
struct hd_switch;
struct hd_switch *hd_dut_model_switch(struct hd_dut *dut, uint32_t sw);

/** Switches on boards, behind serial lines (linked in). */
const struct hd_dut_ops *hd_dut_board_backend(void);
/** The board backend on virtual boards; reports say that they are virtual. */
const struct hd_dut_ops *hd_dut_virtual_board_backend(void);
/** The board backend on virtual boards of a bitstream; options begin with its path. */
const struct hd_dut_ops *hd_dut_bitstream_backend(void);

#endif
