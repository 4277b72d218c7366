/* Heddle's version, as `heddle --version` prints it and the run database keeps it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERSION_H
#define HD_VERSION_H

#define HD_VERSION "0.1.0"

/** The same, and behind it in parentheses what `git describe` said where it was built in a repository:
 *  "0.1.0 (213235e-dirty)". Static storage. */
const char *hd_version(void);

#endif
