/* A directory that one process at a time works in.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_DIRECTORY_LOCK_H
#define HD_DIRECTORY_LOCK_H

#include "../../cmodel/error.h"

/** Makes the directory where it is not there, and locks it until *lock is closed, or this process ends.
 *  HD_E_IO: it cannot be made or opened, or another process has the lock; *lock is -1 then. */
int hd_directory_lock(const char *directory, int *lock, struct hd_error *err);

#endif
