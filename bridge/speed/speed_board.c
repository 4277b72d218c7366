/* The board of a fabric at speed: opens it, starts it, reads its signatures in order.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "speed_internal.h"

#include "../host/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VIRTUAL_PATIENCE_MS = 20000, POLL_US = 500 };

static int open_virtual(struct speed_board *b, const struct hd_speed_options *o, const char *name,
                        char *device, size_t size, struct hd_error *err)
{
  char path[PATH_MAX];
  int status = hd_speed_virtual_build(o->directory, name, &o->build, path, sizeof path, err);
  if (!status)
    status = hd_board_process_start(&b->process, path, 0, device, size, err);
  return status;
}

int hd_speed_board_open(struct speed_board *b, const struct hd_speed_options *o, const char *name,
                        uint64_t build, struct hd_error *err)
{
  char own[256];
  const char *device = o->device ? o->device : own;
  *b = (struct speed_board){.link = {.line.fd = -1,
                                     .stop = o->build.stop,
                                     .report = o->build.say,
                                     .context = o->build.context,
                                     .patience_ms = o->patience_ms}};
  int status = HD_OK;
  if (!o->device) {
    status = open_virtual(b, o, name, own, sizeof own, err);
    b->link.patience_ms = o->patience_ms ? o->patience_ms : VIRTUAL_PATIENCE_MS;
  }
  if (!status)
    status = hd_board_link_open(&b->link, device, o->baud, err);
  if (!status)
    status = hd_speed_hello(&b->link, &b->about, err);
  if (!status && !o->any_build && b->about.build != build)
    status = hd_fail(err, HD_E_INPUT,
                     "the board at %s was built from another fabric or other sources (%016llx) "
                     "than these (%016llx); build and flash it again, or give --any-build",
                     device, (unsigned long long)b->about.build, (unsigned long long)build);
  return status;
}

void hd_speed_board_close(struct speed_board *b)
{
  hd_board_link_close(&b->link);
  hd_board_process_stop(&b->process);
  free(b->received);
}

int hd_speed_board_start(struct speed_board *b, uint64_t first, uint32_t k, uint32_t windows,
                         struct hd_error *err)
{
  b->next = 0;
  b->at = b->n = 0;
  b->last_answer = (struct hd_speed_taken){0};
  return hd_speed_start(&b->link, first, k, windows, err);
}

static int interrupted(const struct hd_speed_options *o, struct hd_error *err)
{
  if (o->build.stop && o->build.stop(o->build.context))
    return hd_fail(err, HD_E_INTERRUPTED, "interrupted while the fabric ran");
  return HD_OK;
}

int hd_speed_board_drain(struct speed_board *b, const struct hd_speed_options *o,
                         struct hd_error *err)
{
  int status;
  if (b->at == b->n)
    b->at = b->n = 0;
  do {
    status = hd_speed_take(&b->link, b->next, &b->last_answer, err);
    if (!status)
      status = interrupted(o, err);
    if (status)
      return status;
    HD_XROOM(b->received, b->capacity, b->n, b->last_answer.n);
    memcpy(b->received + b->n, b->last_answer.signatures, b->last_answer.n * sizeof *b->received);
    b->n += b->last_answer.n;
    b->next += b->last_answer.n;
  } while (b->last_answer.n == HD_SPEED_MOST);
  return HD_OK;
}

/* Waits for the next signature. *overrun: the board did not record it, and will not. */
static int wait_for(struct speed_board *b, const struct hd_speed_options *o, bool *overrun,
                    struct hd_error *err)
{
  for (;;) {
    const int status = hd_speed_board_drain(b, o, err);
    if (status || b->at < b->n)
      return status;
    *overrun = b->last_answer.overrun;
    if (*overrun)
      return HD_OK;
    if (!b->last_answer.running)
      return hd_fail(err, HD_E_IO,
                     "the board has taken %lu signatures and takes no more, but was asked for "
                     "more windows",
                     (unsigned long)b->last_answer.complete);
    usleep(POLL_US);
  }
}

int hd_speed_board_read(struct speed_board *b, const struct hd_speed_options *o, uint32_t n,
                        uint32_t *signatures, bool *overrun, struct hd_error *err)
{
  *overrun = false;
  for (uint32_t i = 0; i < n; i++) {
    const int status = b->at < b->n ? HD_OK : wait_for(b, o, overrun, err);
    if (status || *overrun)
      return status;
    signatures[i] = b->received[b->at++];
  }
  return HD_OK;
}
