/* Is changed RTL equal to the original, module by module? Which modules differ, and proofs by Yosys.
 * SPDX-License-Identifier: Apache-2.0
 *
 * A module is the same where its text is, without comments and blank space. A changed one is proved equal with one
 * parameter set at a time: in both copies its registers and wires of one name are paired, and induction over cycles
 * shows that all pairs stay equal once they are. Its submodules are black boxes: each is compared by itself. What
 * is not proved so is tried again with its submodules inside.
 *
 * Proofs know 0 and 1 alone. They say nothing of other parameter sets, of registers that power up with different
 * values and are never reset, or of a difference in states that cannot be reached: a pair that is not proved is a
 * suspicion.
 *
 * A library: it prints nothing. Any directory can be the original.
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
  uint32_t bits;                        /* of it, that are not proved */
  char parameters[HD_EQUAL_PARAMETERS]; /* "PORTS=5 VCS=2" */
  enum hd_equal_status status;          /* of the proof that left it */
};

/** Outcome of one proof. */
struct hd_equal_outcome {
  enum hd_equal_status status;
  bool flattened; /* submodules were inside */
  double cpu_seconds;
  uint32_t pairs;   /* of bits, that were compared */
  uint32_t n_wires; /* not proved; the first HD_EQUAL_WIRES of them are listed */
  struct hd_equal_wire wires[HD_EQUAL_WIRES];
  char why[200]; /* UNFIT: a sentence */
};

struct hd_equal;

/** Reads both directories. `top`: modules that it does not reach are none of the design. HD_E_INPUT, HD_E_IO. */
int hd_equal_open(struct hd_equal **equal, const char *original, const char *changed,
                  const char *top, struct hd_error *err);
void hd_equal_close(struct hd_equal *equal); /* NULL is fine */

/** Modules that are to be proved: changed ones, and those around a module whose ports or parameters changed.
 *  NULL beyond the last. Modules that are used by others come first. Borrowed. */
const char *hd_equal_module(const struct hd_equal *equal, uint32_t index);
uint32_t hd_equal_modules(const struct hd_equal *equal);

/** Returns the reason why proofs are worthless for the changed text: its meaning depends on the
 * tool that reads it. NULL: proofs are possible. Borrowed. */
const char *hd_equal_forbidden(const struct hd_equal *equal);

/** Proves a module equal with `parameters`, "NAME=VALUE …", or "" for its defaults. `flatten`: its submodules and
 *  memories are inside instead of black boxes, which takes longer and proves more. Script and log of the proof
 *  are `work`.ys and .log; those of one that is not proved are left. Uses $TMPDIR, or /tmp. It gets so many `seconds` of processor time; the
 *  limit of this process is lowered meanwhile. 0, HD_E_TOOL: Yosys is missing, HD_E_IO,
 *  HD_E_INTERRUPTED. */
int hd_equal_prove(struct hd_equal *equal, const char *module, const char *parameters, bool flatten,
                   const char *work, uint32_t seconds, struct hd_equal_outcome *outcome,
                   struct hd_error *err);

/** Parameter sets of modules, as instances of a design have them. */
struct hd_equal_sets {
  struct hd_equal_set {
    char module[HD_EQUAL_NAME], parameters[HD_EQUAL_PARAMETERS];
    /* Parameters of top modules that hold such an instance; "": there is none. */
    char holders[HD_EQUAL_HOLDERS][HD_EQUAL_PARAMETERS];
  } * list;
  uint32_t n;
};
/** Reads lines "module | N=1 M=2 | PORTS=3 … | PORTS=16 …", the holders last; HD_E_INPUT names a wrong one. HD_E_IO. */
int hd_equal_sets_read(struct hd_equal_sets *sets, const char *path, struct hd_error *err);
void hd_equal_sets_fini(struct hd_equal_sets *sets);

#endif
