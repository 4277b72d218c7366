/* Style and script, which the Makefile puts into the library. Private to this room.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_PAGE_INTERNAL_H
#define HD_PAGE_INTERNAL_H

extern const char hd_page_css[], hd_page_js[]; /* page.css, page.js */

#endif
