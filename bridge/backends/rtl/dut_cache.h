/* Cache of built backends: a directory for each key, which is complete or does not exist.
 * SPDX-License-Identifier: Apache-2.0
 *
 * <cache>/<hash>/       key.txt (the key, readable), the product and the files that it needs, their
 *                       checksums, build.log
 * <cache>/<hash>.tmp/   a build that is running; one rename turns it into <hash>/. The next build
 * of any key
 *                       removes it, if the build was killed
 * <cache>/<hash>.lock   held by the process that builds; the kernel frees it when the process ends
 * <cache>/<hash>.log    output of the last build, if it failed
 */
#ifndef HD_DUT_CACHE_H
#define HD_DUT_CACHE_H

#include "../../../cmodel/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct hd_cache_entry {
  char directory[PATH_MAX]; /* directory of the complete entry */
  char temporary[PATH_MAX]; /* directory to build in, if not `hit` */
  char log[PATH_MAX];
  char product[64];
  const char *key; /* borrowed */
  bool hit;        /* the entry is complete and undamaged: use `directory` */
  bool repaired;   /* a damaged entry was removed */
  int lock;
};

/** Looks up a key: a text that names everything on which the product depends. Without a hit, locks
 *  the key; the caller builds `product` in the empty directory `temporary`, then calls
 *  hd_cache_publish or hd_cache_abandon. Waits while another process builds the same key, until
 *  `stop` (may be NULL) returns true. HD_E_IO, HD_E_INTERRUPTED. */
int hd_cache_open(struct hd_cache_entry *entry, const char *cache_dir, const char *key,
                  const char *product, bool (*stop)(void *context), void *context,
                  struct hd_error *err);
/** Makes the directory `temporary` the entry, and unlocks the key, also after an error. */
int hd_cache_publish(struct hd_cache_entry *entry, struct hd_error *err);
/** Call after a build has failed with `status`. Removes `temporary`, keeps the log, unlocks the
 *  key. Returns the status. But if the disk is full, HD_E_TOOL and HD_E_INPUT become HD_E_IO, and
 *  err says which disk: a tool that fails or writes half a file on a full disk says nothing about
 *  the RTL. */
int hd_cache_abandon(struct hd_cache_entry *entry, int status, struct hd_error *err);

#endif
