/* Heddle's version, as `heddle --version` prints it and the run database keeps it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERSION_H
#define HD_VERSION_H

#define HD_VERSION "0.1.0"

#endif
