/* Reading regular files; paths relative to another file.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FILE_H
#define HD_FILE_H

#include "../../cmodel/error.h"

#include <stddef.h>

/** Reads a regular file of at most `most` bytes into *text, which the caller frees; it is
 *  NUL-terminated behind *length. HD_E_IO, HD_E_INPUT (too long), HD_E_NOMEM. */
int hd_file_regular(const char *path, size_t most, char **text, size_t *length,
                    struct hd_error *err);

/** `file` as seen from the directory of the file `path`; to be freed. NULL: no memory. */
char *hd_file_beside(const char *path, const char *file);

#endif
