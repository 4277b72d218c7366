/* A board in software, written from chapter 9: requests to answers. Its line is soft_board.h's or the
 * fuzzer's.
 * SPDX-License-Identifier: Apache-2.0
 *
 * Its switches are models, which it plays cycle by cycle.
 */
#ifndef HD_SOFT_CORE_H
#define HD_SOFT_CORE_H

#include "../../../bridge/backends/backend.h"

enum { SOFT_WORDS = 512, SOFT_SWITCHES = 4, SOFT_CONTENT = 504, SOFT_SIGNATURES = 16 * 4 + 1 };

/** Counters of a board (§9.3). */
struct soft_counters {
  uint32_t good, bad, done, again, lost, cycles;
};

struct soft_core {
  struct hd_switch_params params;
  uint32_t switches;
  uint64_t build;
  uint32_t lie_switch, lie_cycle; /* a credit bit is wrong in this cycle after reset; 0: never */
  bool lie_once;
  bool wrong; /* a register of all switches reads as wrong_value */
  uint32_t wrong_register;
  uint16_t wrong_value;
  bool missigns;           /* port 0's signature is wrong in runs longer than missigns_above */
  uint32_t missigns_above; /* cycles */
  bool misrecords;         /* credit records of port 0 are wrong */

  const struct hd_dut_ops *ops;
  struct hd_dut *duts[SOFT_SWITCHES];
  bool quiet[SOFT_SWITCHES]; /* quiescent_o */
  bool unread
      [SOFT_SWITCHES]; /* quiescent_o without the effect of a read in the cycle before: the model gets no reads */
  uint64_t since[SOFT_SWITCHES]; /* cycles since reset */
  uint16_t stimulus[SOFT_WORDS], records[SOFT_WORDS];
  uint32_t n_records;
  uint16_t epoch;
  uint8_t last_seq, last_op;
  bool last;
  uint8_t answer[SOFT_CONTENT];
  size_t n_answer;
  struct soft_counters counters;
};

/** The state after configuration: tables empty, switches reset. */
void soft_core_begin(struct soft_core *b);

void soft_core_end(struct soft_core *b);

/** Stores the stimulus p[size] of a load, or of a run with stimulus. Returns 0, or the answer's error code. */
int soft_load(struct soft_core *b, bool run, const uint8_t *p, size_t size);

/** Words after the first one of a record; -1: there is no such record. */
int soft_words(const struct soft_core *b, uint16_t word);

/** A good frame's content c[n], 4 <= n <= SOFT_CONTENT: what is sent to it goes to out[SOFT_CONTENT].
 * Returns its length; *fresh: it was carried out. */
size_t soft_core_request(struct soft_core *b, const uint8_t *c, size_t n, uint8_t *out,
                         bool *fresh);

#endif
