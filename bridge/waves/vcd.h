/* VCD wave files (IEEE 1364-2005, 18): a parser that takes any bytes.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VCD_H
#define HD_VCD_H

#include "fst.h"

struct hd_vcd;

/** Parses `length` bytes, which stay the caller's and are borrowed until hd_vcd_destroy. All of them are
 *  looked at: what is accepted here can be read to its end. `name` is the file's in messages, which name
 *  a line. HD_E_INPUT. */
int hd_vcd_create(struct hd_vcd **vcd, const char *text, size_t length, const char *name,
                  struct hd_error *err);
void hd_vcd_destroy(struct hd_vcd *vcd);

/** All variables in the file's order, borrowed; like hd_fst_variables. */
const struct hd_fst_variable *hd_vcd_variables(const struct hd_vcd *vcd, size_t *n);

/** Time units are 10^exponent seconds; those of "10 ns" are nanoseconds, and times count them. */
int hd_vcd_exponent(const struct hd_vcd *vcd);
/** The first and the last time in the file. */
void hd_vcd_times(const struct hd_vcd *vcd, uint64_t *first, uint64_t *last);

/** Reports every value change in the file's order, with all bits of a variable; like hd_fst_read. */
void hd_vcd_read(const struct hd_vcd *vcd, hd_fst_change_fn *change, void *context);

#endif
