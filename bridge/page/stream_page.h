/* The difference after a stream into one switch, as a page of HTML with a timeline.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_STREAM_PAGE_H
#define HD_STREAM_PAGE_H

#include "../../cmodel/error.h"
#include "../record/rundb.h"

struct hd_stream_page;

/** Texts of the page, borrowed for hd_stream_page_write. NULL: the page leaves it out. */
struct hd_stream_page_text {
  const char *title, *sentence;
  const char *explanation; /* from hd_explain_divergence */
  const char *cause, *causes, *no_cause;
  const char *first_state; /* name of the first wrong state */
  uint64_t first_state_cycle;
  const char *commands, *stream; /* lines */
  uint64_t cycle;                /* cycle of the difference */
  uint32_t port;
};

/** Creates an empty page. */
struct hd_stream_page *hd_stream_page_create(void);
void hd_stream_page_destroy(struct hd_stream_page *page); /* NULL is allowed */

/** Adds the value of a port or state in a cycle; texts are copied. */
void hd_stream_page_signal(struct hd_stream_page *page, const struct hd_rundb_signal *signal);

/** Writes the page to `path`. Errors: HD_E_IO. */
int hd_stream_page_write(struct hd_stream_page *page, const struct hd_stream_page_text *text,
                         const char *path, struct hd_error *err);

#endif
