/* Compares changed RTL with the original, module by module: lists modules that differ, and proves them equal by Yosys.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A module is unchanged where its text is the same without comments and blank space. A changed module is proved equal
 * with one parameter set at a time: registers and wires with the same name in both copies are paired, and induction over
 * cycles shows that all pairs stay equal. Submodules are black boxes, because each is compared by itself. A proof that
 * fails so can be repeated with the submodules inside.
 *
 * Proofs know only 0 and 1. They say nothing about other parameter sets, or about registers that power up with different
 * values and are never reset. A pair that is not proved is only a suspicion, because it may differ only in states that
 * are never reached.
 *
 * This is a library: it prints nothing. Any directory can be the original.
 */
#ifndef HD_EQUAL_H
#define HD_EQUAL_H

#include "../../host/text.h"
#include "../../../cmodel/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { HD_EQUAL_NAME = 64, HD_EQUAL_PARAMETERS = 256, HD_EQUAL_WIRES = 12, HD_EQUAL_HOLDERS = 2 };

/** X(NAME, name, about): how the proof of one module with one parameter set ended. */
#define HD_EQUAL_STATUS_LIST(X)                                        \
  X(PROVED, "proved", "proved equal to the original")                  \
  X(OPEN, "open", "some wires are not proved equal to the original's") \
  X(LATE, "late", "not ended in its processor time")                   \
  X(UNFIT, "unfit", "cannot be compared: ports, parameters or text forbid it")

enum hd_equal_status {
#define HD_EQUAL_ENUM(NAME, name, about) HD_EQUAL_##NAME,
  HD_EQUAL_STATUS_LIST(HD_EQUAL_ENUM)
#undef HD_EQUAL_ENUM
      HD_EQUAL_STATUSES
};
/** "proved"; static storage. */
const char *hd_equal_status_name(enum hd_equal_status status);

/** A register, wire or input of a submodule that may differ from the original's. */
struct hd_equal_wire {
  char module[HD_EQUAL_NAME]; /* module that was compared */
  char wire[128];             /* "owned_q", "u_arbiter.advance_i" */
  char file[128];             /* in the changed directory; "": not known */
  uint32_t line;
  uint32_t bits;                        /* bits that are not proved equal */
  char parameters[HD_EQUAL_PARAMETERS]; /* "PORTS=5 VCS=2" */
  enum hd_equal_status status;          /* of the proof that left it open */
};

/** Outcome of one proof. */
struct hd_equal_outcome {
  enum hd_equal_status status;
  bool flattened; /* submodules were inside the proof */
  double cpu_seconds;
  uint32_t pairs;                             /* pairs of bits that were compared */
  uint32_t n_wires;                           /* wires that are not proved equal */
  struct hd_equal_wire wires[HD_EQUAL_WIRES]; /* the first HD_EQUAL_WIRES of them */
  char why[200];                              /* UNFIT: the reason, in a sentence */
};

struct hd_equal;

/** Reads both directories and lists the changed modules that `top` uses, and `top`. HD_E_INPUT, HD_E_IO. */
int hd_equal_open(struct hd_equal **equal, const char *original, const char *changed,
                  const char *top, struct hd_error *err);
void hd_equal_close(struct hd_equal *equal); /* NULL is fine */

/** Returns the name of module `index` that is to be proved: a changed module, or one that uses a module with changed ports
 *  or parameters. Modules with few submodules come first. NULL beyond the last. Borrowed. */
const char *hd_equal_module(const struct hd_equal *equal, uint32_t index);
/** The number of modules that are to be proved. */
uint32_t hd_equal_modules(const struct hd_equal *equal);

/** A number that a changed module compares or computes with a word, as in `VCS == 6`, where its original does not, or the
 *  other way round. */
struct hd_equal_number {
  char name
      [HD_EQUAL_NAME]; /* the word, a parameter or not; or a word that this localparam is computed from */
  uint32_t number;
  bool
      beside; /* it is one less or more than a number in the text, which is compared by its size, as in `VCS < 6` */
};
/** Lists plain decimal numbers of at least 2, or 1 where they are compared by size, each with its words: where a parameter
 *  is such a number, the module may do another thing. Modules below it count, too, if they are compared inside it: they are
 *  new, or have other ports or parameters. Numbers beside those of the text come last. Returns how many there are in
 *  numbers[most]. */
uint32_t hd_equal_numbers(const struct hd_equal *equal, uint32_t index,
                          struct hd_equal_number numbers[], uint32_t most);

/** Returns the reason why proofs say nothing about the changed text: its meaning depends on the tool that reads it. NULL:
 *  proofs are possible. Borrowed. */
const char *hd_equal_forbidden(const struct hd_equal *equal);

/** Calls `name` for each file of a directory that has modules, if `top` uses none of them. HD_E_INPUT, HD_E_IO. */
int hd_equal_unused_files(const char *directory, const char *top,
                          void (*name)(void *context, const char *file), void *context,
                          struct hd_error *err);

/** Proves a module equal with `parameters`, "NAME=VALUE …", or "" for its defaults. `flatten`: submodules and memories are
 *  inside the proof instead of black boxes, which takes longer and proves more. The script and log of the proof are
 *  `work`.ys and `work`.log; they stay where the module is not proved. Uses $TMPDIR, or /tmp. Each run of Yosys may
 *  take `seconds` of processor time, and as much more as this process has taken, because the limit of this process is
 *  lowered to the sum for that time. HD_E_TOOL: Yosys is missing; HD_E_IO; HD_E_INTERRUPTED. */
int hd_equal_prove(struct hd_equal *equal, const char *module, const char *parameters, bool flatten,
                   const char *work, uint32_t seconds, struct hd_equal_outcome *outcome,
                   struct hd_error *err);

/** Parameter sets of modules, as instances of a design have them. */
struct hd_equal_sets {
  struct hd_equal_set {
    char module[HD_EQUAL_NAME], parameters[HD_EQUAL_PARAMETERS];
    /* Parameters of top modules that contain such an instance; "": none is known. */
    char holders[HD_EQUAL_HOLDERS][HD_EQUAL_PARAMETERS];
    bool named; /* it is no line of the file: it has a value that a change names */
  } * list;
  uint32_t n;
};
/** Reads lines "module | N=1 M=2 | PORTS=3 … | PORTS=16 …", with the holders last. HD_E_INPUT names a wrong line; HD_E_IO. */
int hd_equal_sets_read(struct hd_equal_sets *sets, const char *path, struct hd_error *err);
/** Adds a set. Pointers into the list are no longer valid. */
void hd_equal_sets_add(struct hd_equal_sets *sets, const struct hd_equal_set *set);
void hd_equal_sets_fini(struct hd_equal_sets *sets);

#endif
