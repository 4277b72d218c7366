/* Reads, writes, removes and hashes files; finds files named relative to another one.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_FILE_H
#define HD_FILE_H

#include "../../cmodel/error.h"
#include "text.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/** Reads a regular file of at most `most` bytes into *text, which the caller frees. A NUL follows
 * the *length bytes. HD_E_IO, HD_E_INPUT (too long). */
int hd_file_regular(const char *path, size_t most, char **text, size_t *length,
                    struct hd_error *err);

/** Returns the path of `file`, which is named relative to the file `path`. The caller frees it. */
char *hd_file_beside(const char *path, const char *file);

/** Returns a 64-bit hash of bytes. `seed`: 0, or the hash of bytes before them. */
uint64_t hd_hash_bytes(const void *bytes, size_t length, uint64_t seed);

/** The reason why a system call failed. If a limit of the process was the reason, it names the
 *  limit. */
struct hd_cause {
  char text[200];
};
struct hd_cause hd_cause(int error);

/** Reads a whole regular file of at most 1 GiB into *bytes (malloc, with NUL after the end).
 *  HD_E_IO, HD_E_INPUT. */
int hd_file_read(const char *path, char **bytes, size_t *length, struct hd_error *err);
/** Refuses (HD_E_IO) a path that exists and is no regular file, since opening a pipe waits for its
 *  other end. For callers that let other code write the file. */
int hd_file_replaceable(const char *path, struct hd_error *err);
/** Opens a regular file, new or emptied, for writing. Refuses anything else at once, even if
 *  opening it would wait. HD_E_IO. */
int hd_file_create(const char *path, FILE **file, struct hd_error *err);
/** Writes a file and checks that all bytes were written. HD_E_IO. */
int hd_file_write(const char *path, const void *bytes, size_t length, struct hd_error *err);
/** Writes a text as `directory`/`name`, or as `name` if `directory` is NULL, and frees it.
 *  HD_E_IO. */
int hd_text_write(const char *directory, const char *name, struct hd_text *text,
                  struct hd_error *err);
/** Tests whether a file of 64 KiB can be written into a directory. HD_E_IO if not. */
int hd_directory_room(const char *path, struct hd_error *err);
/** Creates a directory NAME-XXXXXX in $TMPDIR, or in /tmp. HD_E_INPUT, HD_E_IO. */
int hd_directory_temporary(const char *name, char *path, size_t size, struct hd_error *err);
/** Refuses (HD_E_INPUT) a directory in which results would replace other files. It has one of
 *  `names` (NULL-terminated), but not the file `mark`, which all results of this kind have. mark
 *  NULL: `names` alone decide. */
int hd_directory_spares(const char *path, const char *mark, const char *const names[],
                        struct hd_error *err);
/** Refuses (HD_E_INPUT) a directory that has files, but not the file `mark`. For callers that
 *  replace and remove files whose names are not known before. */
int hd_directory_belongs(const char *path, const char *mark, struct hd_error *err);
/** Removes a directory with all that is in it. It need not exist. HD_E_IO. */
int hd_tree_remove(const char *path, struct hd_error *err);

#endif
