/* Cache of built backends: one directory for each key, made complete or not at all.
 * SPDX-License-Identifier: Apache-2.0
 *
 * <cache>/<hash>/       key.txt (what it was built from, readable), the product and what it
 *                       needs beside it, checksums of these, build.log
 * <cache>/<hash>.tmp/   a build under way; becomes <hash>/ by one rename. One that was killed is removed by the
 *                       next build of any key
 * <cache>/<hash>.lock   held by the process that builds; the kernel frees it when that dies
 * <cache>/<hash>.log    output of the last build, if that failed
 */
#ifndef HD_DUT_CACHE_H
#define HD_DUT_CACHE_H

#include "../../../cmodel/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct hd_cache_entry {
  char directory[PATH_MAX]; /* final place */
  char temporary[PATH_MAX]; /* where to build, when not `hit` */
  char log[PATH_MAX];
  char product[64];
  const char *key; /* borrowed */
  bool hit;        /* complete and undamaged: use `directory` */
  bool repaired;   /* a damaged entry was removed */
  int lock;
};

/** Looks the key (text that says all that the product depends on) up. On a hit nothing is
 *  held. Otherwise the caller builds `product` in `temporary`, an empty directory, and then
 *  calls publish or abandon. Waits while another process builds the same key, asking `stop`
 *  (may be NULL). HD_E_IO, HD_E_INTERRUPTED. */
int hd_cache_open(struct hd_cache_entry *entry, const char *cache_dir, const char *key,
                  const char *product, bool (*stop)(void *context), void *context,
                  struct hd_error *err);
/** Makes what is in `temporary` the entry. Ends the hold, also on failure. */
int hd_cache_publish(struct hd_cache_entry *entry, struct hd_error *err);
/** After a build that ended with `status`: removes `temporary`, keeps the log, ends the hold. Returns the
 *  status; but tools that fail on a full disk, or go on with half a file, say nothing of the RTL: HD_E_TOOL
 *  and HD_E_INPUT become HD_E_IO there, with the place in err. */
int hd_cache_abandon(struct hd_cache_entry *entry, int status, struct hd_error *err);

#endif
