/* Reads the parameters of an M-to-N communication from those of a program.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mton.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BYTES_MAX = 1 << 20 };

struct reading {
  const struct hd_mton_reader *reader;
  const char **key;
  struct hd_error *err;
  int status;
};

/* Reads a whole number. After the first error, nothing more is read. */
static uint32_t whole(struct reading *r, const char *key, uint32_t fallback, uint32_t least,
                      uint32_t most)
{
  if (r->status)
    return least;
  double value = r->reader->number(r->reader->context, key, fallback);
  if (value >= least && value <= most && floor(value) >= value)
    return (uint32_t)value;
  *r->key = key;
  r->status = hd_fail(r->err, HD_E_INPUT, "%.16g; legal: a whole number, %" PRIu32 " … %" PRIu32,
                      value, least, most);
  return least;
}

/* Reads a word, and returns its index in names[]. */
static unsigned word(struct reading *r, const char *key, const char *const *names, unsigned n,
                     unsigned fallback)
{
  if (r->status)
    return fallback;
  char legal[128] = "";
  const char *text = r->reader->text(r->reader->context, key, names[fallback]);
  for (unsigned i = 0; i < n; i++) {
    if (!strcmp(text, names[i]))
      return i;
    strcat(strcat(legal, i ? ", " : ""), names[i]);
  }
  *r->key = key;
  r->status = hd_fail(r->err, HD_E_INPUT, "%.64s; legal: %s", text, legal);
  return fallback;
}

int hd_mton_read(struct hd_mton_request *request, const struct hd_mton_reader *reader,
                 uint32_t nodes, const char **key, struct hd_error *err)
{
  static const char *const routings[] = {"s-mod-k", "d-mod-k"};
  const char *kinds[HD_MTON_KINDS];
  struct reading r = {.reader = reader, .key = key, .err = err};
  struct hd_mton *m = &request->mton;
  for (unsigned i = 0; i < HD_MTON_KINDS; i++)
    kinds[i] = hd_mton_kind_name(i);
  *request = (struct hd_mton_request){0};
  m->sources = whole(&r, "sources", 6, 1, nodes);
  m->destinations = whole(&r, "destinations", 10, 1, nodes);
  m->first = whole(&r, "first", 0, 0, nodes - m->sources);
  m->first_destination =
      whole(&r, "first_destination", m->first + m->sources, 0, nodes - m->destinations);
  request->bytes = whole(&r, "bytes", 256, 0, BYTES_MAX);
  m->kind = (enum hd_mton_kind)word(&r, "schedule", kinds, HD_MTON_KINDS, HD_MTON_PAPER);
  m->tree.k = whole(&r, "k", 2, 2, nodes);
  m->tree.n = whole(&r, "n", 3, 1, 11);
  m->tree.by_destination = word(&r, "routing", routings, 2, 0) == 1;
  if (!r.status)
    request->file = reader->text(reader->context, "file", NULL);
  if (!r.status && request->file && !request->bytes) {
    *key = "bytes";
    r.status = hd_fail(err, HD_E_INPUT, "0; sizes need messages of 1 … %d bytes", BYTES_MAX);
  }
  return r.status;
}
