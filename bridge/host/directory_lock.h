/* Locks a directory, so that one process at a time works in it.
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HD_DIRECTORY_LOCK_H
#define HD_DIRECTORY_LOCK_H

#include "../../cmodel/error.h"

/** Creates the directory if it does not exist, and locks it until *lock is closed or this
 *  process ends. HD_E_IO: it cannot be created or opened, or another process has the lock; then
 *  *lock is -1. */
int hd_directory_lock(const char *directory, int *lock, struct hd_error *err);

#endif
