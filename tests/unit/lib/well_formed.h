/* Checks that a page of HTML is well-formed XML, and counts texts in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEST_WELL_FORMED_H
#define HD_TEST_WELL_FORMED_H

#include <stddef.h>

/** The text of a file, until the next call. */
char *page_read(const char *path);

/** Every element is closed in its turn, attributes are in quotes, & begins one of XML's own entities.
 *  Returns how many elements there are. */
size_t page_expect_well_formed(const char *page);

/** Returns how often a text is in the page. */
size_t page_count(const char *page, const char *what);

#endif
