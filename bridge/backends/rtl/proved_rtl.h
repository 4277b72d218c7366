/* The hash of the RTL that `make formal` has proved. `make formal-record` proves rtl/ and writes it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PROVED_RTL_H
#define HD_PROVED_RTL_H

#define HD_PROVED_RTL UINT64_C(0x289db6de836275c1)

#endif
