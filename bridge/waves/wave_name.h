/* Gives variables of wave files the same names, whatever tool wrote them.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_WAVE_NAME_H
#define HD_WAVE_NAME_H

/** Shortens a name in place. A range ("data [7:0]") is removed. The index of a single bit stays,
 *  without a blank before it ("data[3]"). */
void hd_wave_name_tidy(char *name);

#endif
