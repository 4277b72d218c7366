/* A growing text buffer, so that libraries can explain things without printing.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_TEXT_H
#define HD_TEXT_H

#include <stddef.h>

/** A text that grows. Zeroed means empty. `chars` is NULL or ends with NUL; hd_text_fini frees
 *  it. */
struct hd_text {
  char *chars;
  size_t length, capacity;
};

/** Appends formatted text. */
void hd_text_add(struct hd_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** Appends a string for XML: markup is escaped; '?' replaces bytes that XML 1.0 forbids or that
 *  are no UTF-8. */
void hd_text_add_xml(struct hd_text *text, const char *string);
/** Appends the same between two texts, which are added as they are. */
void hd_text_add_xml_in(struct hd_text *text, const char *before, const char *string,
                        const char *after);

/** Appends a field of CSV (RFC 4180) in quotes, with quotes doubled. */
void hd_text_add_csv(struct hd_text *text, const char *string);

/** Appends `before` unchanged and `string` as one word, or nothing if `string` is NULL. */
void hd_text_add_option(struct hd_text *text, const char *before, const char *string);

/** Appends a string as one word of a shell, quoted if necessary. */
void hd_text_add_word(struct hd_text *text, const char *string);

/** Returns the text, "" when empty; valid until the next addition. */
const char *hd_text_chars(const struct hd_text *text);

void hd_text_fini(struct hd_text *text);

#endif
