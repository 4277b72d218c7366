/* Functions that several programs share.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "common.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A longer file is not an input of a program, but a device or a pipe that never ends. */
static const size_t most_bytes = (size_t)256 << 20;

uint64_t hd_program_integer(struct hd_ep *ep, const char *key, uint64_t fallback, uint64_t least,
                            uint64_t most)
{
  double value = hd_ep_number(ep, key, (double)fallback);
  if (!(value >= (double)least && value <= (double)most) || floor(value) < value)
    hd_ep_reject(ep, key, "%.16g; legal: a whole number, %" PRIu64 " … %" PRIu64, value, least,
                 most);
  return (uint64_t)value;
}

double hd_program_number(struct hd_ep *ep, const char *key, double fallback, double least,
                         double most)
{
  double value = hd_ep_number(ep, key, fallback);
  if (!(value >= least && value <= most))
    hd_ep_reject(ep, key, "%.16g; legal: a number, %g … %g", value, least, most);
  return value;
}

bool hd_program_is_given(struct hd_ep *ep, const char *key)
{
  return hd_ep_is_number(ep, key) || hd_ep_text(ep, key, NULL);
}

void hd_program_reject_without_effect(struct hd_ep *ep, const char *key, bool used,
                                      const char *needed)
{
  if (!used && hd_program_is_given(ep, key))
    hd_ep_reject(ep, key, "has no effect without %s; set that, too, or leave out %s", needed, key);
}

uint32_t hd_program_sides(struct hd_ep *ep, const char *key, uint32_t *sides, uint32_t most,
                          uint32_t side)
{
  if (hd_ep_is_number(ep, key)) { /* one dimension */
    sides[0] = (uint32_t)hd_program_integer(ep, key, 1, 1, side);
    return 1;
  }
  const char *text = hd_ep_text(ep, key, "");
  uint32_t n = 0;
  for (const char *at = text; n < most; at++) {
    char *end;
    unsigned long value = strtoul(at, &end, 10);
    if (end == at || value < 1 || value > side)
      break;
    sides[n++] = (uint32_t)value;
    at = end;
    if (!*at)
      return n;
    if (*at != 'x')
      break;
  }
  hd_ep_reject(ep, key, "%s; legal: sides, as 8x4, each 1 … %" PRIu32 ", at most %" PRIu32, text,
               side, most);
}

int hd_program_members(struct hd_ep *ep)
{
  uint64_t size = (uint64_t)hd_ep_size(ep);
  if (hd_ep_is_number(ep, "members"))
    return (int)hd_program_integer(ep, "members", 0, 1, size);
  if (strcmp(hd_ep_text(ep, "members", "all"), "all"))
    hd_ep_reject(ep, "members", "'%s'; legal: all, or a whole number, 1 … %" PRIu64,
                 hd_ep_text(ep, "members", "all"), size);
  return (int)size;
}

void hd_program_draw(struct hd_ep *ep, int *ranks, int fixed, int n)
{
  int size = hd_ep_size(ep);
  for (int i = fixed; i < n && n < size; i++) {
    int with = i + (int)(hd_ep_random(ep) % (uint64_t)(size - i)), moved = ranks[i];
    ranks[i] = ranks[with];
    ranks[with] = moved;
  }
}

char *hd_program_read_file(struct hd_ep *ep, const char *key, const char *noun, const char *path,
                           size_t *length)
{
  bool stopped;
  return hd_program_read_beginning(ep, key, noun, path, NULL, length, &stopped);
}

char *hd_program_read_beginning(struct hd_ep *ep, const char *key, const char *noun,
                                const char *path, bool (*stops)(const char *text, size_t length),
                                size_t *length, bool *stopped)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    hd_ep_reject(ep, key, "cannot open %s %s: %s", noun, path, strerror(errno));
  size_t capacity = 65536;
  char *text = hd_ep_alloc(ep, capacity);
  *length = 0;
  *stopped = false;
  for (size_t n; !*stopped && (n = fread(text + *length, 1, capacity - *length, file)) > 0;) {
    if (memchr(text + *length, '\0', n))
      hd_ep_reject(ep, key, "%s is no %s: it is not text", path, noun);
    *length += n;
    *stopped = stops && *length == n && stops(text, n) && !fseek(file, 0, SEEK_CUR);
    if (*length > most_bytes)
      hd_ep_reject(ep, key, "%s %s has more than %zu bytes; split it", noun, path, most_bytes);
    if (*length == capacity) {
      char *larger = hd_ep_alloc(ep, 2 * capacity);
      memcpy(larger, text, capacity);
      text = larger;
      capacity *= 2;
    }
  }
  int failed = ferror(file) ? errno : 0;
  fclose(file);
  if (failed)
    hd_ep_reject(ep, key, "cannot read %s %s: %s", noun, path, strerror(failed));
  return text;
}

/* ── barriers ─────────────────────────────────────────────────────────────── */

struct hd_ep_barrier *hd_program_barrier_create(struct hd_ep *ep, const char *key, const int *ranks,
                                                int n, enum hd_ep_center center)
{
  struct hd_ep_barrier_options options = {.center_rule = center};
  struct hd_ep_barrier *barrier = NULL;
  enum hd_ep_barrier_status status = hd_ep_barrier_create(ep, ranks, n, &options, &barrier);
  if (status == HD_EP_BARRIER_UNSUPPORTED)
    hd_ep_reject(ep, key, "needs switches that take barrier messages (key switch.barrier)");
  if (status)
    hd_ep_abort(ep, "barrier of %d nodes: %s", n, hd_ep_barrier_text(status));
  return barrier;
}

struct hd_ep_multicast *hd_program_multicast_create(struct hd_ep *ep, const char *key,
                                                    const int *ranks, int n)
{
  struct hd_ep_multicast *group = NULL;
  const enum hd_ep_multicast_status status = hd_ep_multicast_create(ep, ranks, n, &group);
  if (status == HD_EP_MULTICAST_UNSUPPORTED || status == HD_EP_MULTICAST_NARROW)
    hd_ep_reject(ep, key, "multicast: %s", hd_ep_multicast_text(status));
  if (status)
    hd_ep_abort(ep, "multicast group of %d nodes: %s", n, hd_ep_multicast_text(status));
  return group;
}

void hd_program_barrier_wait(struct hd_ep *ep, struct hd_ep_barrier *barrier)
{
  if (!barrier)
    return;
  hd_ep_barrier_arrive(ep, barrier);
  enum hd_ep_barrier_status status = hd_ep_barrier_wait(ep, barrier);
  if (status)
    hd_ep_abort(ep, "a barrier: %s", hd_ep_barrier_text(status));
}

/* ── contents of messages ─────────────────────────────────────────────────── */

/* Returns the key of a message's bytes: a cheap mixture, so that neighbouring bytes, messages and
 * pairs differ. */
static uint64_t message_key(int source, int destination, uint64_t number)
{
  return hd_program_mix64((uint64_t)source << 40 ^ (uint64_t)destination << 20 ^ number) | 1;
}

static unsigned char message_byte(uint64_t key, size_t i)
{
  return (unsigned char)((key * (i + 1)) >> 24);
}

void hd_program_fill(unsigned char *bytes, size_t n, int source, int destination, uint64_t number)
{
  uint64_t key = message_key(source, destination, number);
  for (size_t i = 0; i < n; i++)
    bytes[i] = message_byte(key, i);
}

void hd_program_verify(struct hd_ep *ep, const unsigned char *bytes, size_t n, int source,
                       int destination, uint64_t number)
{
  uint64_t key = message_key(source, destination, number);
  for (size_t i = 0; i < n; i++)
    if (bytes[i] != message_byte(key, i))
      hd_ep_abort(ep, "byte %zu of message %" PRIu64 " from node %d is 0x%02x; 0x%02x was sent", i,
                  number, source, bytes[i], message_byte(key, i));
}

/* ── traffic ──────────────────────────────────────────────────────────────── */

void hd_program_need_two_nodes(struct hd_ep *ep)
{
  if (hd_ep_size(ep) < 2)
    hd_ep_reject(ep, NULL, "this traffic needs at least 2 nodes");
}

int hd_program_other_node(struct hd_ep *ep)
{
  /* Takes the high half of a 32×32-bit product. The bias is less than one part in 2^21. */
  uint64_t others = (uint64_t)hd_ep_size(ep) - 1;
  int node = (int)(((hd_ep_random(ep) >> 32) * others) >> 32);
  return node < hd_ep_rank(ep) ? node : node + 1;
}

struct hd_grid hd_program_grid(struct hd_ep *ep)
{
  int size = hd_ep_size(ep), root = 1;
  while ((root + 1) * (root + 1) <= size)
    root++;
  /* 0 if the scenario does not set it */
  int columns = (int)hd_program_integer(ep, "columns", 0, 0, (uint64_t)size);
  if (!columns && root * root != size)
    hd_ep_reject(ep, "columns", "none; %d nodes are no square", size);
  if (!columns)
    columns = root;
  if (size % columns)
    hd_ep_reject(ep, "columns", "%d; %d nodes do not fill rows of so many", columns, size);
  return (struct hd_grid){.columns = columns,
                          .rows = size / columns,
                          .column = hd_ep_rank(ep) % columns,
                          .row = hd_ep_rank(ep) / columns};
}
