/* Heddle's version, as `heddle --version`, the run database, the package and the site give it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_VERSION_H
#define HD_VERSION_H

#define HD_VERSION "0.9.0"

/** HD_VERSION, followed in parentheses by what `git describe` said if it was built in a repository:
 *  "0.9.0 (213235e-dirty)". Static storage. */
const char *hd_version(void);

#endif
