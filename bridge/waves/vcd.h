/* Parses VCD wave files (IEEE 1364-2005, 18); any input is safe.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VCD_H
#define HD_VCD_H

#include "fst.h"

struct hd_vcd;

/** Parses `length` bytes. They stay the caller's and are borrowed until hd_vcd_destroy. All
 *  bytes are checked, so later reads cannot fail. `name` is the file's name for messages, which
 *  also give a line. HD_E_INPUT. */
int hd_vcd_create(struct hd_vcd **vcd, const char *text, size_t length, const char *name,
                  struct hd_error *err);
void hd_vcd_destroy(struct hd_vcd *vcd);

/** All variables in the file's order; borrowed. Like hd_fst_variables. */
const struct hd_fst_variable *hd_vcd_variables(const struct hd_vcd *vcd, size_t *n);

/** Time units are 10^exponent seconds. For "10 ns" the unit is a nanosecond, and times are
 *  converted to it. */
int hd_vcd_exponent(const struct hd_vcd *vcd);
/** The first and the last time in the file. */
void hd_vcd_times(const struct hd_vcd *vcd, uint64_t *first, uint64_t *last);

/** Reports every value change in the file's order, with all bits of a variable. Like
 *  hd_fst_read. */
void hd_vcd_read(const struct hd_vcd *vcd, hd_fst_change_fn *change, void *context);

#endif
